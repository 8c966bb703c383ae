/** The REST door on a real store, with prices that the test sets by hand. */

import { request } from 'node:http';
import { DEFAULT_HOLD_ADD_ONS } from '../../engine/domain/conversions/hold-period.js';
import type { Log } from '../../engine/domain/core/log.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import { LimitTable } from '../../engine/domain/risk/limits.js';
import { TradingStates } from '../../engine/domain/risk/trading-state.js';
import { MarginTable, Pricing } from '../../engine/rates/pricing.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { AuthenticationEvents } from '../../engine/service/access/authentication-events.js';
import { KeyLocks } from '../../engine/service/core/key-locks.js';
import type { Services } from '../../engine/service/core/services.js';
import type { Store } from '../../engine/store/store.js';
import { clientAddresses, proxyPeers } from '../../engine/wiring/trusted-proxies.js';
import type { LimitName, Routes } from '../../rest/features/routes.js';
import { RequestCounts, type RestContext } from '../../rest/handler.js';
import { limitsOf } from '../../rest/http/rate-limit.js';
import { application, listen, type RestServer } from '../../rest/server.js';
import { quoteLadder } from '../rates/clock.js';
import { checkDescribed, checkProblem } from './openapi/described.js';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Record<string, unknown>;
}

export interface RestDoor {
  readonly door: RestContext;
  readonly services: Services & { nowMs: number; isOpen: boolean; logged: string[] };
  readonly port: number;
  price(symbol: string, bid: string, offer: string): void;
  /** A ladder, `1.1000x1000000 1.0999x2000000`, best first; sizes are units of base. */
  levels(symbol: string, bids: string, offers: string): void;
  /** No price any more. */
  withdraw(symbol: string): void;
  /** Rejects when the answer is not one that the OpenAPI document has. */
  ask(method: string, path: string, headers?: Record<string, string>, body?: string | Buffer): Promise<Answer>;
  stop(): Promise<void>;
}

export async function openRestDoor(
  store: Store,
  limits: Partial<Record<LimitName, number>> = {},
  routes?: Partial<Routes>,
  /** Called when the door's clock has been turned. */
  turned: () => void = () => {},
  /** A price of the test is as fresh at its end, however slow the machine. */
  maxAgeMs = 600_000,
): Promise<RestDoor> {
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { info: note, warn: note, error: note };

  const margins = new MarginTable();
  margins.replace(await store.margins.load());
  const book = new RateBook({ maxAgeMs });
  const states = new TradingStates();
  states.onChange(() => book.halt(states.haltedPairs));
  store.tradingStates.onChange((restrictions) => states.replace(restrictions));
  let nowMs = Date.now();
  const services: RestDoor['services'] = {
    store,
    book,
    margins,
    pricing: new Pricing(book, margins, states, () => services.nowMs),
    states,
    limits: new LimitTable('USD'),
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    get nowMs() {
      return nowMs;
    },
    set nowMs(ms: number) {
      nowMs = ms;
      turned();
    },
    now: () => services.nowMs,
    // Of every name: no name server is asked.
    resolve: async () => ['192.0.3.1'],
    isOpen: true,
    log,
    logged,
    settings: {
      loopbackOnly: true,
      webhookLoopback: true,
      marketHours: { isOpen: () => services.isOpen },
      holdAddOns: DEFAULT_HOLD_ADD_ONS,
    },
  };
  const door: RestContext = {
    services,
    limits: limitsOf({ store }, { authentication: 0, reads: 0, writes: 0, ...limits }),
    requestCounts: new RequestCounts(),
    events: new AuthenticationEvents(services),
    addressOf: clientAddresses(proxyPeers([], log), []),
  };
  const server: RestServer = await listen(application(door, routes), { host: '127.0.0.1', port: 0 });
  const provider = book.registerProvider('test');
  let sequence = 0;
  return {
    door,
    services,
    port: server.port,
    price(symbol, bid, offer) {
      const pair = pairBySymbol(symbol)!;
      const scaled = (text: string) => scaledFromText(text, pair.priceDigits, 'down');
      book.tick(provider, pair.index, scaled(bid), scaled(offer), 0, 0, Date.now() * 1000, ++sequence);
    },
    levels: (...ladder) => quoteLadder(book, provider, ladder, Date.now() * 1000),
    withdraw: (symbol) => book.withdraw(provider, pairBySymbol(symbol)!.index),
    async ask(method, path, headers, body) {
      const answer = await ask(server.port, method, path, headers, body);
      if (routes === undefined) checkDescribed(method, path, answer);
      else if (answer.status !== 200) checkProblem(method, path, answer);
      return answer;
    },
    stop: server.stop,
  };
}

function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false, timeout: 120_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : {} }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The FIX gateway on a real store and a rate book that the test ticks by hand. */

import { DEFAULT_HOLD_ADD_ONS } from '../../engine/domain/conversions/hold-period.js';
import { RIGHTS, type Right } from '../../engine/domain/core/rights.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import { LimitTable } from '../../engine/domain/risk/limits.js';
import { TradingStates } from '../../engine/domain/risk/trading-state.js';
import { createFixGateway, type FixGateway } from '../../engine/fix/gateway.js';
import type { FixGatewaySettings } from '../../engine/fix/settings.js';
import { MarginTable, Pricing } from '../../engine/rates/pricing.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import type { DayRecord } from '../../engine/roles/record/day-record.js';
import { KeyLocks } from '../../engine/service/core/key-locks.js';
import type { Services } from '../../engine/service/core/services.js';
import { perform } from '../../engine/service/perform.js';
import type { OpenStoreOptions, Store } from '../../engine/store/store.js';
import { type DeskOptions, TestDesk } from '../support/desk.js';
import { startTestStore } from '../support/store.js';

export interface Rig {
  readonly services: Services;
  readonly gateway: FixGateway;
  readonly redisUrl: string;
  readonly port: number;
  readonly tlsPort: number | undefined;
  /** Lines of the log, as JSON. */
  readonly log: string[];
  /** Moves the clock of the services and of the store's steps, milliseconds; the session layer keeps its own. Resolves when the steps judge by it. */
  skip(ms: number): Promise<void>;
  /** The steps judge by the clock of `now` from there on. Called when a test has turned it. */
  turn(): Promise<void>;
  /** How far the clock of the gateway's machine is ahead of the store's, milliseconds. */
  readonly host: { aheadMs: number };
  tick(symbol: string, bid: string, offer: string): void;
  withdraw(symbol: string): void;
  /** A client with a key, a CompID and a margin of 0.25 percent on every pair. */
  client(name: string, options?: { rights?: readonly Right[]; margin?: string; pair?: string }): Promise<ClientOf>;
  /** A desk of DESK1's client, or of the client given, not yet connected. */
  desk(of?: ClientOf, options?: Partial<DeskOptions>): TestDesk;
  /** The store answers nothing until the end of the test. For a rig whose store is IMPATIENT. */
  hangStore(): void;
  /** The store as another engine has it. */
  anotherStore(): Promise<Store>;
  stop(): Promise<void>;
}

export interface ClientOf {
  readonly id: string;
  readonly compId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
}

export interface RigOptions {
  readonly settings?: Partial<FixGatewaySettings>;
  readonly isOpen?: (nowMs: number) => boolean;
  /** One clock for the services and the session layer. */
  readonly now?: () => number;
  /** Another engine on the store of this rig, which is stopped last. */
  readonly beside?: Rig;
  /** IMPATIENT where the store hangs. */
  readonly store?: Pick<OpenStoreOptions, 'answerMs'>;
  /** What this engine records, and its book, which is that of the record then. */
  readonly record?: DayRecord;
}

export async function startRig({
  settings = {},
  isOpen = () => true,
  now,
  beside,
  record,
  store: own,
}: RigOptions = {}): Promise<Rig> {
  let skippedMs = 0;
  const clock = () => (now ?? Date.now)() + skippedMs;
  const host = { aheadMs: 0 };
  const started = beside ? undefined : await startTestStore({ ...own, now: clock });
  const store = started?.store ?? (await beside!.anotherStore());
  const redisUrl = started?.redisUrl ?? beside!.redisUrl;
  const log: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(JSON.stringify({ level, message, ...fields }));

  const margins = new MarginTable();
  margins.replace(await store.margins.load());
  store.margins.onChange((rules) => margins.replace(rules));
  const limits = new LimitTable('USD');
  store.limits.onChange((rules) => limits.replace(rules));
  const book = record?.book ?? new RateBook({ maxAgeMs: 600_000, maxJumpPercent: 90 });
  record?.begin(store, await store.margins.load());
  const states = new TradingStates();
  states.onChange(() => book.halt(states.haltedPairs));
  store.tradingStates.onChange((restrictions) => states.replace(restrictions));
  const provider = book.registerProvider('test');
  const services: Services = {
    store,
    book,
    pricing: new Pricing(book, margins, states),
    margins,
    limits,
    states,
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    ...(record && { record: record.recorder }),
    now: () => clock() + host.aheadMs,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    settings: { loopbackOnly: true, marketHours: { isOpen }, holdAddOns: DEFAULT_HOLD_ADD_ONS },
  };
  const gateway = createFixGateway({
    services,
    settings: { host: '127.0.0.1', port: 0, tokenOnRequest: 'required', ...settings },
    sessionClock: now ?? Date.now,
  });
  const { port, tlsPort } = await gateway.start();
  const desks: TestDesk[] = [];
  const pairOf = (symbol: string) => pairBySymbol(symbol)!;

  return {
    services,
    gateway,
    redisUrl,
    port,
    tlsPort,
    log,
    async skip(ms) {
      skippedMs += ms;
      await started?.turn();
    },
    turn: async () => started?.turn(),
    host,
    tick(symbol, bid, offer) {
      const { index, priceDigits } = pairOf(symbol);
      const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
      book.tick(provider, index, scaled(bid), scaled(offer), 1_000_000, 1_000_000, clock() * 1000, 0);
    },
    withdraw: (symbol) => book.withdraw(provider, pairOf(symbol).index),
    async client(name, { rights = RIGHTS, margin = '0.25', pair = '*' } = {}) {
      const done = async (answer: Promise<object>): Promise<void> => {
        const output = await answer;
        if ('refusal' in output) throw new Error(JSON.stringify(output));
      };
      await done(perform(services, 'createClient', undefined, { id: name, name, rights }));
      const key = (await store.keys.issue(name, rights))!;
      const compId = `${name.toUpperCase().replace('~', '.')}1`;
      await done(perform(services, 'assignCompId', undefined, { compId, clientId: name }));
      await done(perform(services, 'setMargin', undefined, { clientId: name, pair, type: '*', margin }));
      margins.replace(await store.margins.load());
      return { id: name, compId, ...key };
    },
    desk(of, options = {}) {
      const desk = new TestDesk({ port, now: now ?? Date.now, ...of, ...options });
      desks.push(desk);
      return desk;
    },
    hangStore: () => started!.hang(),
    anotherStore: () => started!.another(),
    async stop() {
      for (const desk of desks) desk.close();
      await gateway.stop('the test is over');
      await started?.stop();
    },
  };
}

/** The whole program with a test provider, and its demo client by FIX and REST. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { WebSocketServer } from 'ws';
import { type Fields, type Received, TestDesk, timestamp } from '../support/desk.js';
import { SOON } from '../support/until.js';
import { demoClient, launch, temporaryDirectory } from '../wiring/launcher.js';

interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  readonly body: Record<string, unknown>;
}

interface Order {
  readonly side: 1 | 2;
  readonly quantity: string;
  readonly currency: string;
  readonly symbol?: string;
  readonly quoteId?: string;
}

type Level = readonly [price: string, size: number];

export interface TwoDoors {
  readonly dataDir: string;
  readonly token: string;
  /** Where the programs listen, by the names of the ready line. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly desk: TestDesk;
  tick(symbol: string, bid: string, offer: string): void;
  /** A tick of several levels, price and size of each, best first. */
  levels(symbol: string, bids: readonly Level[], asks: readonly Level[]): void;
  /** Until the relay has delivered the provider's rate to the sidecar too. */
  untilRate(sell: string, buy: string, rate: number): Promise<void>;
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
  bookByRest(id: string, body: object): Promise<Answer>;
  /** The fx_hold_id of a hold of `query`, `source_currency=EUR&...`. */
  holdByRest(query: string): Promise<string>;
  /** The tradeable Quote(S) of EUR/USD. */
  holdByFix(id: string, fields: Fields): Promise<Received>;
  /** The report of a NewOrderSingle(D), after any report that it is pending. */
  order(id: string, order: Order): Promise<Received>;
  dropCopy(id: string): Promise<Received>;
  /** By currency. */
  balances(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** Both doors with EUR/USD at 1.08158 and 1.08164: the mid is 1.08161. */
export async function openTwoDoors(): Promise<TwoDoors> {
  const directory = temporaryDirectory();
  const provider = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  /** By symbol. A provider sends its prices at each subscription: on a busy machine the engine may connect again. */
  const prices = new Map<string, object>();
  const priced = (symbol: string, price: object): string =>
    JSON.stringify({ op: 'tick', s: symbol, ...price, t: `${Date.now()}000000` });
  provider.on('connection', (line) =>
    line.on('message', (text) => {
      if (String(text).includes('"subscribe"')) for (const [symbol, price] of prices) line.send(priced(symbol, price));
    }),
  );
  const quote = (symbol: string, price: object): void => {
    prices.set(symbol, price);
    for (const line of provider.clients) line.send(priced(symbol, price));
  };
  await once(provider, 'listening');
  const launcher = launch(directory.path, {
    FEED: `ws://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
    // The provider here sends once.
    RATE_MAX_AGE_MS: '600000',
  });
  const addresses = await launcher.ready;
  const demo = demoClient(directory.path);
  const desk = new TestDesk({
    port: Number(addresses.fix!.split(':').at(-1)),
    compId: demo.sender_comp_id,
    target: demo.target_comp_id,
    clientKey: demo.client_key,
    clientSecret: demo.client_secret,
  });
  const token = (await desk.logon()).get(20001)!;

  const askOnce: TwoDoors['ask'] = async (method, path, body) => {
    const answer = await fetch(`http://${addresses.rest}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const isReplay = answer.headers.get('idempotent-replayed') === 'true';
    return { status: answer.status, isReplay, body: (await answer.json()) as Answer['body'] };
  };
  /** As a client does: what the store of a busy machine has not answered in time is sent again. */
  const ask: TwoDoors['ask'] = async (...request) => {
    for (const late = performance.now() + SOON.timeout; ; ) {
      const answer = await askOnce(...request);
      if (answer.body.code !== 'STORE_UNAVAILABLE' || performance.now() > late) return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const doors: TwoDoors = {
    dataDir: directory.path,
    token,
    addresses,
    desk,
    ask,
    tick: (symbol, bid, offer) => quote(symbol, { b: bid, a: offer }),
    levels: (symbol, bids, asks) => quote(symbol, { bids, asks }),
    async untilRate(sell, buy, rate) {
      for (let tries = 0; ; tries++) {
        const { status, body } = await ask('GET', `bookfx/rate?sell_currency=${sell}&buy_currency=${buy}`);
        if (status === 200 && body.fx_rate === rate) return;
        if (tries === 2_400) throw new Error(`${status} ${JSON.stringify(body)} instead of ${rate}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    bookByRest: (id, body) =>
      ask('POST', 'bookfx/currency/create', { request_id: id, description: 'Invoice 8841', ...body }),
    async holdByRest(query) {
      const { body: offer } = await ask('GET', `lockFx/getFxRate?${query}`);
      const { status, body } = await ask('POST', 'lockFx/lockFxRate', { rate_signature: offer.rate_signature });
      expect(status, JSON.stringify(body)).toBe(200);
      return String(body.fx_hold_id);
    },
    holdByFix(id, fields) {
      desk.send('R', [[131, id], [146, 1], [55, 'EUR/USD'], ...fields, [20001, token]]);
      return desk.next('S', (message) => message.get(131) === id);
    },
    order(id, { side, quantity, currency, symbol = 'EUR/USD', quoteId }) {
      desk.send('D', [
        [11, id],
        [55, symbol],
        [54, side],
        [60, timestamp(Date.now())],
        [38, quantity],
        [40, quoteId ? 'D' : 1],
        [15, currency],
        ...(quoteId ? [[117, quoteId] as const] : []),
        [20001, token],
      ]);
      const isReport = (message: Received) => message.get(150) !== 'A' && message.get(797) !== 'Y';
      return desk.next('8', (message) => message.get(11) === id && isReport(message));
    },
    dropCopy: (id) => desk.next('8', (message) => message.get(11) === id && message.get(797) === 'Y'),
    async balances() {
      const { body } = await ask('GET', 'balance/all');
      const accounts = body as unknown as { currency: string; balance: number }[];
      return Object.fromEntries(accounts.map(({ currency, balance }) => [currency, balance]));
    },
    async stop() {
      desk.close();
      launcher.process.kill('SIGTERM');
      await launcher.ended;
      provider.close();
      directory.remove();
    },
  };
  doors.tick('EUR/USD', '1.08158', '1.08164');
  try {
    await doors.untilRate('EUR', 'USD', 1.08158);
  } catch (error) {
    // Those that never open are stopped here, because the test gets none to stop.
    await doors.stop();
    throw error;
  }
  return doors;
}

/** The amounts of a report, by the field names of a confirmation. */
export const amountsOf = (report: Received) => ({
  sell_currency: report.get(20014),
  sell_amount: Number(report.get(20016)),
  buy_currency: report.get(20013),
  buy_amount: Number(report.get(20015)),
});

/** The same of a confirmation. */
export const confirmed = ({ sell_currency, sell_amount, buy_currency, buy_amount }: Answer['body']) => ({
  sell_currency,
  sell_amount,
  buy_currency,
  buy_amount,
});

/** The whole program with a test provider: the same tick gives the same price by FIX and by REST. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Decimal } from '../../engine/domain/money/decimal.js';
import { TestDesk } from '../support/desk.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../wiring/launcher.js';

const directory = temporaryDirectory();
let provider: WebSocketServer;
let line: WebSocket;
let launcher: Launcher;
let demo: DemoClient;
let desk: TestDesk;
let token: string;
let rest: string;

beforeAll(async () => {
  provider = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const connected = once(provider, 'connection');
  await once(provider, 'listening');
  launcher = launch(directory.path, { FEED: `ws://127.0.0.1:${(provider.address() as AddressInfo).port}` });
  const addresses = await launcher.ready;
  [line] = (await connected) as [WebSocket];
  rest = `http://${addresses.rest}`;
  demo = demoClient(directory.path);
  desk = new TestDesk({
    port: Number(addresses.fix!.split(':').at(-1)),
    compId: demo.sender_comp_id,
    target: demo.target_comp_id,
    clientKey: demo.client_key,
    clientSecret: demo.client_secret,
  });
  token = (await desk.logon()).get(20001)!;
});
afterAll(async () => {
  desk.close();
  launcher.process.kill('SIGTERM');
  await launcher.ended;
  provider.close();
  directory.remove();
});

const tick = (symbol: string, bid: string, offer: string): void =>
  line.send(JSON.stringify({ op: 'tick', s: symbol, b: bid, a: offer, t: `${Date.now()}000000` }));

const stream = (pair: string): void => desk.stream(pair.replace('/', ''), [pair], token);

interface Rate {
  readonly fx_rate: number;
  readonly margin: number;
  readonly instarem_fx_rate: number;
}

/** Requests until the relay has delivered a price that is `expected`. */
async function rateOf(sell: string, buy: string, provider: string): Promise<Rate> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${rest}/api/v1/bookfx/rate?sell_currency=${sell}&buy_currency=${buy}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const rate = (await answer.json()) as Rate;
    if (answer.status === 200 && String(rate.fx_rate) === String(Number(provider))) return rate;
    if (tries === 2_400) throw new Error(`${answer.status} ${JSON.stringify(rate)} instead of ${provider}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.each([
  // pair       bid          offer       sells base: rate  sells quote: 1 / offer
  ['EUR/USD', '1.08158', '1.08164'],
  ['EUR/USD', '1.08161', '1.08161'],
  ['USD/JPY', '154.321', '154.339'],
  ['GBP/USD', '1.26543', '1.26551'],
])('%s %s/%s', async (pair, bid, offer) => {
  const [base, quote] = pair.split('/') as [string, string];
  stream(pair);
  await desk.next('W', (message) => message.get(55) === pair);
  tick(pair, bid, offer);
  const price = await desk.next('W', (message) => message.get(55) === pair && message.get(276) === 'A');
  const [clientBid, clientOffer] = price.all(270) as [string, string];

  const selling = await rateOf(base, quote, bid);
  expect(selling.instarem_fx_rate).toBe(Number(clientBid));

  const inverse = new Decimal(1).div(offer).toSignificantDigits(10).toString();
  const buying = await rateOf(quote, base, inverse);
  expect(buying.instarem_fx_rate).toBe(new Decimal(1).div(clientOffer).toSignificantDigits(10).toNumber());

  desk.send('V', [
    [262, pair.replace('/', '')],
    [263, 2],
  ]);
});

test('a cross pair', async () => {
  tick('EUR/USD', '1.08158', '1.08164');
  tick('NZD/USD', '0.60000', '0.60010');
  stream('EUR/NZD');
  const price = await desk.next('W', (message) => message.get(55) === 'EUR/NZD' && message.get(276) === 'A');
  // 1.08158 / 0.60010, rounded down at seven decimals.
  const rate = await rateOf('EUR', 'NZD', '1.8023329');
  expect(rate.instarem_fx_rate).toBe(Number(price.get(270)));
});

test('without the provider, no price by FIX or REST', async () => {
  stream('EUR/USD');
  tick('EUR/USD', '1.08158', '1.08164');
  await desk.next('W', (message) => message.get(55) === 'EUR/USD' && message.get(276) === 'A');
  line.terminate();
  await desk.next('W', (message) => message.get(55) === 'EUR/USD' && message.get(276) === 'B');
  for (let tries = 0; tries < 2_400; tries++) {
    const answer = await fetch(`${rest}/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { code } = (await answer.json()) as { code?: string };
    // Of a busy machine the store, too, may be unavailable.
    if (answer.status === 503 && code !== 'STORE_UNAVAILABLE') {
      expect(code).toBe('RATE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a price is still served');
});

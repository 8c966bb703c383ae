/** LIQUIDITY=firm in several processes: what a deal takes in one of them is known in the others, also what a command takes that ends behind it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fields, TestDesk, timestamp } from '../../support/desk.js';
import { type Ratewire, ratewireOn, ratewireProcessOn } from '../../support/ratewire.js';
import { SOON } from '../../support/until.js';
import { type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

const ROUNDS = 3;
const directory = temporaryDirectory();
let provider: WebSocketServer;
const subscribed = new Set<WebSocket>();
const programs: Launcher[] = [];
const rests: string[] = [];
let ratewire: Ratewire;
let desk: TestDesk;
let deskToken: string;
/** The token of each client at any of the sidecars. */
const tokens: Record<string, string> = {};
let ids = 0;

beforeAll(async () => {
  provider = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(provider, 'listening');
  provider.on('connection', (socket) => {
    socket.on('message', (bytes) => {
      const { op } = JSON.parse(String(bytes)) as { op: string };
      if (op === 'ping') socket.send('{"op":"pong"}');
      if (op === 'subscribe') subscribed.add(socket);
    });
    socket.on('close', () => subscribed.delete(socket));
  });
  const { port } = provider.address() as AddressInfo;
  const env = {
    ...{ LIQUIDITY: 'firm', RATE_MAX_AGE_MS: '600000', DEMO: 'no' },
    FEED: `ws://127.0.0.1:${port}/#provider=LP&symbols=EURUSD`,
  };
  programs.push(launch(directory.path, env));
  const { fix, rest } = await programs[0]!.ready;
  programs.push(launch(directory.path, env, 'rest/main'));
  rests.push(rest!, (await programs[1]!.ready).rest!);
  ratewire = ratewireOn(directory.path);
  const keys = { acme: await client('acme', '90000000'), poor: await client('poor') };
  await ratewire.json('compids', 'assign', 'ACME1', 'acme');
  desk = new TestDesk({
    ...{ port: Number(fix!.split(':').at(-1)), compId: 'ACME1' },
    ...{ clientKey: keys.acme.client_key, clientSecret: keys.acme.client_secret },
  });
  deskToken = (await desk.logon()).get(20001)!;
  for (const [id, key] of Object.entries(keys)) {
    const url = `http://${rest}/api/v1/authentication`;
    const answer = await fetch(url, { method: 'POST', headers: { ...key } });
    tokens[id] = ((await answer.json()) as { token: string }).token;
  }
});
afterAll(async () => {
  desk?.close();
  for (const { process, ended } of programs.reverse()) {
    process.kill('SIGTERM');
    await ended;
  }
  for (const socket of provider.clients) socket.terminate();
  provider.close();
  directory.remove();
});

async function client(id: string, euros?: string) {
  await ratewire.json('clients', 'create', id, '--name', id);
  await ratewire.json('margins', 'set', id, 'EUR/USD', '0');
  for (const currency of ['EUR', 'USD']) {
    const { number } = await ratewire.json<{ number: string }>('accounts', 'open', id, currency);
    if (euros && currency === 'EUR')
      await ratewire.json('accounts', 'credit', number, euros, '--reference', `${id}-${currency}`);
  }
  await ratewire.json('clients', 'limit', id, '10000000');
  const { client_key, client_secret } = await ratewire.json('keys', 'issue', id);
  return { client_key: String(client_key), client_secret: String(client_secret) };
}

/** A tick of the provider: the levels are whole, at prices that no tick has had. All sidecars have them then. */
async function quote(): Promise<{ first: number; second: number }> {
  await vi.waitFor(() => expect(subscribed.size).toBeGreaterThan(0), SOON);
  const step = ++ids / 10_000;
  const at = (price: number) => Number((price + step).toFixed(4));
  const [first, second] = [at(1.1), at(1.09)];
  const [bids, asks] = [
    [
      [first, 100_000],
      [second, 900_000],
    ],
    [
      [at(1.101), 100_000],
      [at(1.111), 900_000],
    ],
  ];
  for (const socket of subscribed) socket.send(JSON.stringify({ op: 'tick', s: 'EURUSD', bids, asks }));
  for (const rest of rests) await vi.waitFor(async () => expect(await price(rest)).toBe(first), SOON);
  return { first, second };
}

const ask = async (rest: string, path: string, init: RequestInit = {}, of = 'acme') => {
  const headers = { authorization: `Bearer ${tokens[of]}`, 'content-type': 'application/json' };
  const answer = await fetch(`http://${rest}/api/v1/${path}`, { ...init, headers });
  return (await answer.json()) as Record<string, unknown>;
};
/** The provider's rate for what the first level carries. */
const price = async (rest: string, side = 'sell_currency=EUR&buy_currency=USD&sell_amount=100000') =>
  (await ask(rest, `bookfx/rate?${side}`)).fx_rate as number;
const deal = (rest: string, more: object, of?: string) => {
  const body = { request_id: `r${++ids}`, description: 'x', sell_currency: 'EUR', buy_currency: 'USD', ...more };
  return ask(rest, 'bookfx/currency/create', { method: 'POST', body: JSON.stringify(body) }, of);
};

/** The first level is taken: its amount has the price of the second. */
const untilTaken = (rest: string, second: number) =>
  vi.waitFor(async () => expect(await price(rest)).toBe(second), { ...SOON, interval: 1 });

test('a deal in one sidecar is known in the other', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { second } = await quote();
    expect(await deal(rests[round % 2]!, { sell_amount: 100_000 })).toHaveProperty('confirmation_id');
    await untilTaken(rests[(round + 1) % 2]!, second);
  }
});

test('a deal of a desk at the engine is known in both sidecars', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { second } = await quote();
    const order = `d${++ids}`;
    const fields: Fields = [
      [11, order],
      [55, 'EUR/USD'],
      [54, 2],
      [60, timestamp(Date.now())],
      [38, 100_000],
      [40, 1],
      [15, 'EUR'],
    ];
    desk.send('D', [...fields, [20001, deskToken]]);
    await desk.next('8', (message) => message.get(11) === order && message.get(39) === '2');
    await untilTaken(rests[0]!, second);
    await untilTaken(rests[1]!, second);
  }
});

test('a close-out by a command is known though the command has ended', async () => {
  await quote();
  const booked = await deal(rests[0]!, { sell_amount: 100_000, book_fx_type: 'SCHEDULED1' }, 'poor');
  expect(booked).toMatchObject({ confirmation_id: expect.anything() });
  const { confirmation_id: id } = booked;
  await ratewire.json('sandbox', 'clock', 'poor', '7d');
  const status = async () => (await ask(rests[0]!, `bookfx/${id}`, {}, 'poor')).status;
  await vi.waitFor(async () => expect(await status()).toBe('OVERDUE'), SOON);
  await quote();
  const buys = 'sell_currency=USD&buy_currency=EUR&buy_amount=100000';
  const before = await price(rests[1]!, buys);
  const command = ratewireProcessOn(directory.path, { LIQUIDITY: 'firm', RATE_MAX_AGE_MS: '600000' });
  await command.json('bookings', 'cancel', 'poor', String(id), '--close-out', '--reason', 'not funded');
  await vi.waitFor(async () => expect(await price(rests[1]!, buys)).not.toBe(before), SOON);
});

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFeed, type Feed } from '../../engine/rates/feed.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { until } from '../support/until.js';
import { indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');
const tick = (bid: string, more = '') => `{"op":"tick","s":"EUR/USD","b":"${bid}","a":"1.09000"${more}}`;
/** How long the feed said that it waits before it calls again. */
let waits: number[] = [];
const log = {
  info() {},
  warn: (fields: object) => void ('waitMs' in fields && waits.push(Number(fields.waitMs))),
};

let server: WebSocketServer;
let feed: Feed;
afterEach(async () => {
  await feed.stop();
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** A provider that does nothing by itself, and the messages that it receives. */
async function desk(options = '', user = '') {
  waits = [];
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const received: Record<string, unknown>[] = [];
  const connections: { provider: WebSocket; socket: Socket }[] = [];
  server.on('connection', (provider, request) => {
    connections.push({ provider, socket: request.socket });
    provider.on('message', (bytes) => {
      const message = JSON.parse(String(bytes));
      if (message.op !== 'ping') received.push(message);
    });
  });
  const clock = { offsetMs: 0 };
  const now = () => performance.now() + clock.offsetMs;
  const book = new RateBook({ now });
  feed = createFeed(`ws://${user}127.0.0.1:${(server.address() as AddressInfo).port}/#provider=LP${options}`, {
    book,
    log,
    now,
  });
  await feed.start();
  await until(() => connections.length === 1 && book.providers()[0].up);
  const { provider, socket } = connections[0];
  return { book, provider, socket, received, connections, clock };
}

test('a provider that only sends ticks', async () => {
  const { book, provider } = await desk();
  provider.send('{"s":"EURUSD","b":1.08431,"a":1.08433,"t":1763625600123456789}');
  await until(() => book.bid[EURUSD] === 10_843_100);
  expect(book.sourceTimeUs[EURUSD]).toBe(1_763_625_600_123_456);
});

test('a side without a level withdraws the price', async () => {
  const { book, provider } = await desk();
  provider.send('{"s":"EURUSD","bids":[[1.0843,1000000]],"asks":[[1.0844]],"n":1}');
  await until(() => book.bid[EURUSD] === 10_843_000);
  provider.send('{"s":"EURUSD","bids":[[1.0843,0]],"asks":[[1.0844]],"n":2}');
  await until(() => book.bid[EURUSD] === 0);
  expect(book.refused.malformed).toBe(0);
});

test('a binary frame is read too, and a frame that needs JSON.parse', async () => {
  const { book, provider } = await desk();
  provider.send(Buffer.from(tick('1.08431')), { binary: true });
  await until(() => book.bid[EURUSD] === 10_843_100);
  provider.send('{"meta":{"v":[1,2]},"s":"EUR\\/USD","b":"1.08432","a":"1.08440"}');
  await until(() => book.bid[EURUSD] === 10_843_200);
  provider.send('{"s":"EUR\\/USD","b":1.08433,"a":1.08440}');
  await until(() => book.bid[EURUSD] === 10_843_300);
  provider.send('{"s":"EUR\\/USD","b":1e-7,"a":1.08440}');
  await until(() => book.refused.malformed === 1);
});

test('counts a frame that is no tick, and continues', async () => {
  const { book, provider } = await desk();
  for (const frame of ['', 'hello', '[]', 'null', '{"op":"tick"}', '{"s":"EUR/USD","b":"x","a":"y"}'])
    provider.send(frame);
  provider.send('{"s":"XAU/USD","b":"1","a":"2"}');
  provider.send('{"op":"news","text":"what a provider may add"}');
  provider.send(tick('1.08431'));
  await until(() => book.bid[EURUSD] === 10_843_100);
  expect(book.refused).toMatchObject({ malformed: 6, 'unknown-pair': 1 });
});

test('rejects a price below zero as such', async () => {
  const { book, provider } = await desk();
  provider.send('{"s":"EURUSD","b":-1.08431,"a":1.08433}');
  provider.send('{"s":"EURUSD","b":"-1.08431","a":"-1.08430"}');
  await until(() => book.refused.negative === 2);
  expect(book.refused.malformed).toBe(0);
});

test('withdraws a price that the provider marks as stale', async () => {
  const { book, provider } = await desk();
  provider.send(tick('1.08431'));
  await until(() => book.bid[EURUSD] !== 0);
  provider.send('{"op":"stale","s":"EUR/USD"}');
  await until(() => book.bid[EURUSD] === 0);
});

test('processes several frames of one read at once, with the time of that read', async () => {
  const { book, provider, socket } = await desk();
  const stamps: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  const counting = setInterval(() => turn++, 0);
  book.onChange((pair) => {
    stamps.push(book.stamp[pair]);
    turns.push(turn);
  });
  socket.cork();
  for (let i = 0; i < 50; i++) provider.send(tick(`1.084${10 + i}`));
  socket.uncork();
  await until(() => stamps.length === 50);
  clearInterval(counting);
  expect(new Set(stamps).size).toBe(1);
  expect(new Set(turns).size).toBe(1);
});

test('subscribes by pair; with a key only after the provider has accepted it', async () => {
  const { provider, received } = await desk('&symbols=EURUSD+USD/JPY', 'key:se%3Acret@');
  await until(() => received.length === 1);
  expect(received[0]).toEqual({ op: 'auth', key: 'key', secret: 'se:cret' });
  provider.send('{"op":"ping","t":7}');
  await until(() => received.length === 2);
  expect(received[1]).toEqual({ op: 'pong', t: 7 });
  provider.send('{"op":"auth","ok":true}');
  await until(() => received.length === 3);
  expect(received[2]).toEqual({ op: 'subscribe', symbols: ['EUR/USD', 'USD/JPY'] });
});

test('subscribes again after a gap in the count, at most once in five seconds', async () => {
  const { provider, received, book, clock } = await desk('&symbols=EURUSD');
  const send = async (...counts: number[]) => {
    const before = book.providers()[0].ticks;
    for (const n of counts) provider.send(tick('1.08431', `,"n":${n}`));
    await until(() => book.providers()[0].ticks === before + counts.length);
  };
  await until(() => received.length === 1);
  await send(5, 6, 8);
  clock.offsetMs += 6_000;
  await send(9, 10);
  expect(received.length).toBe(1);
  await send(12, 14, 16);
  await until(() => received.length === 2);
  expect(received[1]).toEqual({ op: 'subscribe', symbols: ['EUR/USD'] });
});

test('closes the connection on a frame that is too large, and reconnects', async () => {
  const { book, provider, connections } = await desk();
  provider.send(tick('1.08431'));
  await until(() => book.bid[EURUSD] !== 0);
  provider.send('x'.repeat(70_000));
  await until(() => book.bid[EURUSD] === 0);
  await until(() => connections.length === 2);
});

test('drops the connection and its pending input after a stall, and reconnects at once', async () => {
  const { book, provider, connections, clock } = await desk();
  book.sweep(500);
  provider.send(tick('1.08431'));
  await until(() => book.bid[EURUSD] === 10_843_100);
  clock.offsetMs += 1_000;
  provider.send(tick('1.08432'));
  provider.send(tick('1.08433'));
  book.sweep(500);
  expect(book.bid[EURUSD]).toBe(10_843_100);
  await until(() => connections.length === 2);
  expect(waits).toEqual([0]);
  expect(book.bid[EURUSD]).toBe(0);
  connections[1]!.provider.send(tick('1.08434'));
  await until(() => book.bid[EURUSD] === 10_843_400);
});

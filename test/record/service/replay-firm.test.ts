/** Levels that deals have taken are inputs of the day record: the day is priced again with them, also by a process that follows the relay. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayFeed } from '../../../engine/rates/feeds/relay-feed.js';
import { Pricing } from '../../../engine/rates/pricing.js';
import { RelayPublisher } from '../../../engine/rates/relay-publisher.js';
import type { DayRecord } from '../../../engine/roles/record/day-record.js';
import type { Booked } from '../../../engine/service/conversions/book-fx.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { readRecord, recordFiles, recordFolders } from '../../../engine/service/record/read-record.js';
import { replayDay } from '../../../engine/service/record/replay.js';
import { openDayRecord } from '../../../engine/wiring/day-record.js';
import { serveEngineQueries } from '../../../engine/wiring/engine-status.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { startTrader, type Trader } from '../../fix/trader.js';
import { quoteLadder } from '../../rates/clock.js';

const directory = mkdtempSync(join(tmpdir(), 'ratewire-replay-firm-'));
const NOON = Date.parse('2026-11-20T12:00:00Z');
const began = Date.now();
const now = () => NOON + Date.now() - began;
const DAY = '20261120';
let rig: Rig;
let record: DayRecord;
let acme: Trader;
/** Another process on the store, which follows the relay. */
let sidecar: Services;
const stops: (() => unknown)[] = [];

const recordOf = (program: 'engine' | 'sidecar'): Promise<DayRecord> =>
  openDayRecord(
    {
      ...{ RECORD: directory, RECORD_MAX_MB: 1_000, RECORD_WHEN_FULL: 'stop' },
      ...{ MASTER_KEY: randomBytes(32).toString('base64'), DATA_DIR: directory },
    },
    { info() {}, warn() {}, error() {} },
    program,
    { maxAgeMs: 600_000, maxJumpPercent: 90, isFirm: true },
    now,
  ) as Promise<DayRecord>;

beforeAll(async () => {
  record = await recordOf('engine');
  rig = await startRig({ record, now });
  const { services } = rig;
  const deliver: ((message: Uint8Array) => void)[] = [];
  const publisher = new RelayPublisher(record.book, {
    publish: async (message) => {
      for (const one of deliver) one(message);
      return deliver.length;
    },
    subscribe: async () => () => {},
  });
  record.feedBegins(publisher);
  record.begin(services.store, await services.store.margins.load());
  const queries = serveEngineQueries(services, rig.gateway, { role: 'runs', publisher });
  const beside = await recordOf('sidecar');
  beside.begin(services.store, await services.store.margins.load());
  const feed = new RelayFeed({
    ...{ book: beside.book, log: { info() {}, warn() {} } },
    relay: {
      publish: async () => undefined,
      subscribe: async (listener) => {
        deliver.push((message) => listener(message, 0));
        return () => {};
      },
    },
  });
  await feed.start();
  publisher.start();
  beside.book.takes.notify = (id, takes) => services.store.engines.takes(60_000, id, takes);
  const { streamed: _, ...shared } = services;
  sidecar = {
    ...shared,
    book: beside.book,
    pricing: new Pricing(beside.book, services.margins, services.states),
    record: beside.recorder,
  };
  stops.push(
    () => publisher.stop(),
    () => queries.stop(),
    () => feed.stop(),
    () => record.recorder.stop(),
    () => beside.recorder.stop(),
  );
  quote('1.1000');
  acme = await startTrader(rig, 'acme', { money: { EUR: '9000000', USD: '9000000', JPY: '900000000' } });
  await services.store.clients.setScheduledLimit('acme', '1000000');
});
afterAll(async () => {
  await rig.stop();
  rmSync(directory, { recursive: true, force: true });
});

function quote(bid: string): void {
  const { book } = rig.services;
  const provider = book.registerProvider('ladder');
  const worse = (Number(bid) - 0.01).toFixed(4);
  quoteLadder(
    book,
    provider,
    ['EUR/USD', `${bid}x100000 ${worse}x900000`, '1.1100x100000 1.1200x900000'],
    now() * 1_000,
  );
  quoteLadder(
    book,
    provider,
    ['USD/JPY', '150.00x110000 149.00x5000000', '151.00x110000 152.00x5000000'],
    now() * 1_000,
  );
}

let orders = 0;
async function deal(order: object) {
  const id = `o${++orders}`;
  acme.order({ 11: id, 15: 'EUR', ...order } as never);
  return (await acme.report(id)).get(150);
}

test('deals of the engine with the feed take levels, give them back, and take them again', async () => {
  for (const bid of ['1.1000', '1.1010', '1.0990']) {
    quote(bid);
    for (const order of [
      { 55: 'EUR/USD', 54: 2, 38: 60_000 },
      { 55: 'EUR/USD', 54: 2, 38: 60_000 },
      { 55: 'EUR/USD', 54: 1, 38: 30_000 },
      { 55: 'EUR/JPY', 54: 2, 38: 90_000 },
      { 55: 'EUR/JPY', 54: 1, 38: 90_000 },
      { 55: 'EUR/USD', 54: 2, 38: 5_000, 40: '2', 44: '9' },
      { 55: 'EUR/USD', 54: 2, 38: 20_000, 15: 'USD' },
    ])
      await deal(order);
    await lock(rig.services);
    await deal({ 55: 'EUR/USD', 54: 2, 38: 10_000 });
  }
});

const CALLER = { clientId: 'acme', keyId: 'x', rights: new Set(['rates', 'trade'] as const) };
const asked = async (services: Services, name: Parameters<typeof perform>[1], input: object) => {
  const answer = await perform(services, name, CALLER, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as unknown;
};
const PAIR = { sellCurrency: 'EUR', buyCurrency: 'USD' };

async function lock(services: Services): Promise<void> {
  const offer = await asked(services, 'getLockableRate', { ...PAIR, sellAmount: 50_000 });
  await asked(services, 'lockRate', { rateSignature: (offer as { rateSignature: string }).rateSignature });
}
const providerRate = async (services: Services, sellAmount: number) =>
  ((await asked(services, 'getRate', { ...PAIR, sellAmount })) as { providerRate: string }).providerRate;
const bookBeside = async (more: object) => {
  const common = { requestId: `s${++orders}`, description: 'x', ...PAIR };
  return (await asked(sidecar, 'bookFxByCurrency', { ...common, ...more })) as Booked;
};

test('what a process without the feed takes is known there at once, and to the engine with the feed by its notice', async () => {
  for (const bid of ['1.1003', '1.1007']) {
    quote(bid);
    await expect.poll(() => providerRate(sidecar, 100_000)).toBe(bid);
    const worse = (Number(bid) - 0.01).toFixed(4);
    const three = await Promise.all([1, 2, 3].map(() => bookBeside({ sellAmount: 100_000 })));
    const prices = three.map(({ booking }) => booking.providerPrice).toSorted((a, b) => a - b);
    expect(prices).toEqual([worse, worse, bid].map((text) => Math.round(Number(text) * 1e7)));
    await expect.poll(() => providerRate(rig.services, 100_000)).toBe(Number(worse).toString());
    await expect(bookBeside({ sellAmount: 100_000, limitPrice: '1.2' })).rejects.toThrow('LIMIT_NOT_MET');
    await bookBeside({ sellCurrency: 'JPY', buyCurrency: 'EUR', buyAmount: 70_000 });
    await lock(sidecar);
    await bookBeside({ buyAmount: 20_000 });
  }
  // The opposite deal of a cancellation takes levels too, between two deals that are priced from what is left.
  quote('1.1011');
  await expect.poll(() => providerRate(sidecar, 100_000)).toBe('1.1011');
  const { booking } = await bookBeside({ sellAmount: 50_000, type: 'SCHEDULED1' });
  const { quoteId } = (await asked(sidecar, 'quoteCancellation', { confirmationId: booking.id })) as {
    quoteId: string;
  };
  const cancel = { confirmationId: booking.id, quoteId, requestId: `c${++orders}` };
  await asked(sidecar, 'cancelConversion', cancel);
  await bookBeside({ sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 90_000 });
  // The next tick of the provider makes the levels whole, for all.
  quote('1.1008');
  await expect.poll(() => providerRate(sidecar, 100_000)).toBe('1.1008');
  await bookBeside({ sellAmount: 100_000 });
  await expect.poll(() => providerRate(rig.services, 100_000)).toBe('1.0908');
  quote('1.1009');
  await expect.poll(() => providerRate(sidecar, 100_000)).toBe('1.1009');
  expect(await providerRate(rig.services, 100_000)).toBe('1.1009');
});

test('the day differs in no digit', async () => {
  for (const stop of stops) await stop();
  const lines = recordFolders(directory).flatMap((folder) => [...readRecord(recordFiles(directory, folder, DAY))]);
  const takes = lines.flatMap((line) => (line.kind === 'json' && line.value.type === 'take' ? [line.value.minor] : []));
  expect(takes.filter((minor) => Number(minor) > 0).length).toBeGreaterThan(30);
  const { differences, unpriced, bookings, holds, offers } = await replayDay(directory, DAY);
  expect([...differences]).toEqual([]);
  expect([[...unpriced], bookings, holds, offers]).toEqual([[], 34, 5, 5]);
});

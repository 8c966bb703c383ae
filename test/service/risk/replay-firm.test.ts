/** Levels that deals have taken are inputs of the day record: the day is priced again with them, also by a process that follows the relay. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../engine/service/core/perform.js';
import { readRecord, recordFiles, recordFolders } from '../../../engine/service/risk/read-record.js';
import { replayDay } from '../../../engine/service/risk/replay.js';
import { type DayRecord, openDayRecord } from '../../../engine/wiring/day-record.js';
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

beforeAll(async () => {
  record = (await openDayRecord(
    {
      ...{ RECORD: directory, RECORD_MAX_MB: 1_000, RECORD_WHEN_FULL: 'stop' },
      ...{ MASTER_KEY: randomBytes(32).toString('base64'), DATA_DIR: directory },
    },
    { info() {}, warn() {}, error() {} },
    'engine',
    { maxAgeMs: 600_000, maxJumpPercent: 90, isFirm: true },
    now,
  )) as DayRecord;
  rig = await startRig({ record, now });
  record.book.recordOn(record.recorder);
  record.begin(rig.services.store, await rig.services.store.margins.load());
  quote('1.1000');
  acme = await startTrader(rig, 'acme', { money: { EUR: '9000000', USD: '9000000', JPY: '900000000' } });
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

test('a day of levels that are taken, given back and taken again differs in no digit', async () => {
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
    const offer = await perform(
      rig.services,
      'getLockableRate',
      { clientId: 'acme', keyId: 'x', rights: new Set(['rates', 'trade']) },
      {
        ...{ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 50_000 },
      },
    );
    const { rateSignature } = offer as { rateSignature: string };
    await perform(
      rig.services,
      'lockRate',
      { clientId: 'acme', keyId: 'x', rights: new Set(['rates', 'trade']) },
      { rateSignature },
    );
    await deal({ 55: 'EUR/USD', 54: 2, 38: 10_000 });
  }
  await record.recorder.stop();
  const lines = recordFolders(directory).flatMap((folder) => [...readRecord(recordFiles(directory, folder, DAY))]);
  const takes = lines.flatMap((line) => (line.kind === 'json' && line.value.type === 'take' ? [line.value.minor] : []));
  expect(takes.filter((minor) => Number(minor) > 0).length).toBeGreaterThan(20);
  const { differences, unpriced, bookings, holds, offers } = await replayDay(directory, DAY);
  expect([...differences]).toEqual([]);
  expect([[...unpriced], bookings, holds, offers]).toEqual([[], 21, 3, 3]);
});

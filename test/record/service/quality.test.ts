/** The report on execution: what it is computed from, and its signs. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { RecordedBook } from '../../../engine/rates/recorded-book.js';
import { recordBooking, recordRefusal } from '../../../engine/service/core/day-record.js';
import type { Services } from '../../../engine/service/core/services.js';
import { type PairQuality, type Quality, qualityOf } from '../../../engine/service/record/quality.js';
import { openRecorder } from '../../../engine/store/record/recorder.js';
import { PROOF } from '../../support/proof.js';

const directory = mkdtempSync(join(tmpdir(), 'ratewire-quality-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const NOON_MS = Date.UTC(2026, 0, 15, 12);
const { index } = pairBySymbol('EUR/USD')!;
const log = { info() {}, warn() {}, error() {} };

/** Client prices 1.1010 to buy and 1.0990 to sell, the provider's 1.1008 and 1.0992, the mid 1.1000. */
function booking(id: string, buys: boolean, more: Partial<Booking> = {}): Booking {
  const [sellCurrency, buyCurrency] = buys ? ['USD', 'EUR'] : ['EUR', 'USD'];
  const [price, providerPrice] = buys ? [11_010_000, 11_008_000] : [10_990_000, 10_992_000];
  return {
    ...{ id, pair: 'EUR/USD', sellCurrency, buyCurrency, price, providerPrice, marginPpm: 182, type: 'PREFUNDING' },
    ...{
      valueDate: '20260119',
      requestId: id,
      description: 'x',
      dealt: 'sell',
      sell: '1',
      buy: '1',
      margin: '0',
      proof: PROOF,
    },
    ...{ marginCurrency: 'USD', holdId: '', order: { kind: 'market' }, createdAtMs: NOON_MS, expiryMs: NOON_MS },
    ...{ sellAccount: '1', buyAccount: '2', status: 'SETTLED', settledAtMs: NOON_MS },
    ...more,
  };
}

const BOOKINGS = [
  booking('BFX1', true, { order: { kind: 'limit', limit: '1.1013' } }),
  booking('BFX2', false),
  booking('BFX3', true),
  // A part of one that was split is no order.
  booking('BFX4', true, { parentId: 'BFX3', price: 11_100_000 }),
];
let found: Quality;
let pair: PairQuality;

beforeAll(async () => {
  const clock = { now: NOON_MS, elapsed: 5_000 };
  const recorder = await openRecorder({
    ...{ directory, program: 'engine', key: randomBytes(32), maxBytes: 1e9, whenFull: 'stop', log },
    ...{ now: () => clock.now, elapsed: () => clock.elapsed },
  });
  const book = new RecordedBook({ maxAgeMs: 5_000, maxJumpPercent: 90, now: () => clock.elapsed });
  book.recordOn(recorder);
  recorder.snapshots(() => [
    { type: 'process', run: 1 },
    { ...book.snapshot(), publisher: 7 },
  ]);
  const provider = book.registerProvider('LP');
  const tickAt = (afterMs: number, mid: number) => {
    clock.now = NOON_MS + afterMs;
    clock.elapsed = 5_000 + afterMs;
    const scaled = Math.round(mid * 1e7);
    book.tick(provider, index, scaled - 8_000, scaled + 8_000, 0, 0, 0, 0);
  };
  const services = { record: recorder, book } as unknown as Services;
  tickAt(0, 1.1);
  const at = { position: 0, source: 0, ms: clock.elapsed };
  for (const [i, one] of BOOKINGS.slice(0, 2).entries())
    recordBooking(
      services,
      'acme',
      one,
      { kind: 'market', at, ...(i === 1 && { quoted: '1.0990' }) },
      2_000 + i * 4_000,
    );
  const currencies = { sellCurrency: 'EUR', buyCurrency: 'USD' };
  recordRefusal(services, 'book', 'INSUFFICIENT_BALANCE', 'acme', currencies, 1_000);
  recordRefusal(services, 'book', 'RATE_UNAVAILABLE', 'other', currencies, 1_000);
  tickAt(50, 1.1004);
  tickAt(600, 1.1015);
  tickAt(9_000, 1.0995);
  // Behind 9 s + 5 s there is no fresh price: the mark-out at 60 s has none.
  tickAt(120_000, 1.2);
  await recorder.stop();
  const request = { client: 'acme', fromMs: NOON_MS - 1, toMs: NOON_MS + 60_000, bookings: BOOKINGS };
  found = qualityOf({ ...request, directory });
  pair = found.pairs[0]!;
});

const rounded = (value: number | undefined) => value && Math.round(value * 1_000) / 1_000;

test('counts conversions of the store and refusals of the record, of this client alone', () => {
  expect(found.isRecorded).toBe(true);
  expect(found.pairs.map((one) => one.pair)).toEqual(['EUR/USD']);
  // The record has two of the conversions.
  expect(pair).toMatchObject({
    booked: 3,
    unrecorded: 1,
    refused: 1,
    fillRatio: 75,
    refusals: { INSUFFICIENT_BALANCE: 1 },
  });
  expect([pair.p50Ms, pair.p99Ms]).toEqual([2, 6]);
});

test('compares with limit, quote, provider and mid: above 0 is good for the client, or paid', () => {
  expect([rounded(pair.againstLimit.pips), pair.againstLimit.deals]).toEqual([3, 1]);
  expect([Math.abs(pair.againstQuote.pips!), pair.againstQuote.deals]).toEqual([0, 1]);
  expect([rounded(pair.marginPaid.pips), pair.marginPaid.deals]).toEqual([2, 3]);
  expect([rounded(pair.spreadPaid.pips), pair.spreadPaid.deals]).toEqual([10, 2]);
});

test('marks each side out at the mid of its moment, and not where there was no fresh price', () => {
  const pips = (side: 'buys' | 'sells') => Object.values(pair.markOut[side]).map((one) => rounded(one.pips));
  expect(pips('buys')).toEqual([-6, 5, -15, undefined]);
  expect(pips('sells')).toEqual([-14, -25, -5, undefined]);
});

test('has what the store has where nothing is recorded', () => {
  const request = { client: 'acme', fromMs: NOON_MS - 1, toMs: NOON_MS + 60_000, bookings: BOOKINGS };
  for (const none of [undefined, join(directory, 'none')]) {
    const [one] = qualityOf({ ...request, directory: none }).pairs;
    expect(one).toMatchObject({
      booked: 3,
      unrecorded: undefined,
      refused: undefined,
      fillRatio: undefined,
      p50Ms: undefined,
    });
    expect(rounded(one!.marginPaid.pips)).toBe(2);
    expect(one!.spreadPaid.pips).toBeUndefined();
  }
});

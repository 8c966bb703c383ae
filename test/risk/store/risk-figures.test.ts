/** Risk figures between processes: who may publish them, how old they are, and what a process that starts finds. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RiskFigures } from '../../../engine/domain/risk/figures.js';
import { RISK_LEASE } from '../../../engine/store/coordination/lease.js';
import { MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { DayOf } from '../../../engine/store/risk/day-starts.js';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const FIGURES = 'risk:{lease:risk}:figures';
const PROFIT = { realised: -5, unrealised: 7, margin: 3 };

let running: TestStore;
let other: Store;
beforeAll(async () => {
  running = await startTestStore();
  other = await running.another();
  await other.riskFigures.follow('USD');
});
afterAll(() => running.stop());

const nowMs = async (): Promise<number> => {
  await vi.waitFor(() => expect(running.store.riskFigures.nowMs()).toBeDefined(), SOON);
  return running.store.riskFigures.nowMs()!;
};

const figuresAt = (atMs: number, more: Partial<RiskFigures> = {}): RiskFigures => ({
  atMs,
  baseCurrency: 'USD',
  day: '20260303',
  pairs: [
    {
      pair: 'EUR/USD',
      netBase: -123_456_789_012_345_678n,
      netQuote: 5n,
      averageSold: '1.0850000',
      mid: '1.0825',
      midAgeMs: 12,
      value: -9_007_199_254_740_991,
      profit: PROFIT,
      dayProfit: PROFIT,
    },
  ],
  currencies: [
    {
      currency: 'EUR',
      net: -123_456_789_012_345_678n,
      value: -5,
      rate: '1.0825',
      rateAgeMs: 12,
      closeOut: -7n,
      closeOutValue: -8,
    },
  ],
  total: { long: 0, short: 5, total: 5, profit: PROFIT, dayProfit: PROFIT, rateAgeMs: 12 },
  limits: [{ subject: 'acme', limit: 'nop-total', used: 5, most: 6, mark: 'warned' }],
  states: [{ scope: 'pair', subject: 'EUR/CHF', state: 'HALTED', by: 'ann', reason: 'peg', sinceMs: 1 }],
  covers: [],
  ...more,
});

/** Publishes until the other process has figures of that time. */
async function received(holding: string, more: Partial<RiskFigures> = {}): Promise<RiskFigures> {
  let atMs = 0;
  await vi.waitFor(async () => {
    atMs = await nowMs();
    expect(await running.store.riskFigures.publish(holding, figuresAt(atMs, more))).toBe(true);
    await vi.waitFor(() => expect(other.riskFigures.figures(60_000)?.atMs).toBe(atMs), { timeout: 200 });
  }, SOON);
  return other.riskFigures.figures(60_000)!;
}

test('every process has what the holder of the risk lease publishes, to the last minor unit', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const heard: number[] = [];
  const stop = other.riskFigures.onFigures(({ atMs }) => heard.push(atMs));
  const figures = await received(holding);
  expect(figures).toEqual(figuresAt(figures.atMs));
  expect(heard.at(-1)).toBe(figures.atMs);
  stop();
  await received(holding);
  expect(heard.at(-1)).toBe(figures.atMs);
  await lease.release();
});

test('a reader that accepts no figures of that age gets none', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  await received(holding);
  // Read three seconds ago, published now: it is its reading that counts.
  const atMs = (await nowMs()) - 3_000;
  await running.store.riskFigures.publish(holding, figuresAt(atMs));
  await vi.waitFor(() => expect(other.riskFigures.figures(60_000)?.atMs).toBe(atMs), SOON);
  expect(other.riskFigures.figures(2_999)).toBeUndefined();
  expect(other.riskFigures.ageMs()).toBeGreaterThanOrEqual(3_000);
  await lease.release();
});

test('a process without the lease publishes and writes nothing', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const before = await received(holding);
  await lease.release();
  expect(await running.store.riskFigures.publish(holding, figuresAt(await nowMs()), { keep: true })).toBe(false);
  const redis = redisAt(running.redisUrl);
  expect(await redis.exists(FIGURES)).toBe(0);
  expect(other.riskFigures.figures(60_000)).toEqual(before);
  redis.disconnect();
});

test('a process that starts has the kept figures, with their age, and what the day began with', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const atMs = (await nowMs()) - 30_000;
  expect(await running.store.riskFigures.dayBegun()).toBeUndefined();
  const began = {
    day: '20260303',
    baseCurrency: 'USD',
    atMs,
    profits: new Map([
      ['EUR/USD', PROFIT],
      ['USD/JPY', null],
    ]),
  };
  await running.store.riskFigures.publish(holding, figuresAt(atMs), { keep: true, dayStart: began });
  const third = await running.another();
  expect(third.riskFigures.ageMs()).toBeUndefined();
  await third.riskFigures.follow('USD');
  expect(third.riskFigures.figures(29_000)).toBeUndefined();
  expect(third.riskFigures.figures(600_000)).toEqual(figuresAt(atMs));
  expect(await third.riskFigures.dayBegun()).toEqual(began);
  await lease.release();
});

test('figures of another base currency are not used', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const before = await received(holding);
  await running.store.riskFigures.publish(holding, figuresAt((await nowMs()) + 1, { baseCurrency: 'EUR' }));
  const after = await received(holding);
  expect(after.atMs).toBeGreaterThan(before.atMs);
  expect(after.baseCurrency).toBe('USD');
  await lease.release();
});

test('forged, altered, replayed and malformed figures are dropped and counted', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const redis = redisAt(running.redisUrl);
  await received(holding);
  const signer = new MessageSigner(running.store.subKey('messages'));
  const body = (value: object) =>
    Buffer.from(JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? String(part) : part)));
  const send = (message: Buffer) => redis.publish('risk:figures', message);
  const dropped = () => ({ ...other.messagesDropped.risk });
  const before = dropped();
  const known = other.riskFigures.figures(60_000);
  const atMs = await nowMs();
  const signed = (number: number, at: number, of: object) =>
    signer.sign('risk:figures', { sender: holding, number, atMs: at, body: body(of) });
  const altered = signed(1e9, atMs, figuresAt(atMs));
  altered[altered.length - 3]! ^= 1;
  await send(altered);
  await send(
    new MessageSigner(Buffer.alloc(32)).sign('risk:figures', {
      sender: holding,
      number: 1e9,
      atMs,
      body: body(figuresAt(atMs)),
    }),
  );
  await send(Buffer.from('no message'));
  await send(signed(1e9, atMs - 60_000, figuresAt(atMs)));
  await send(signed(1, atMs, figuresAt(atMs)));
  // Signed, and no figures: dropped without a count, with a line in the log.
  await send(signed(1e9, atMs, { ...figuresAt(atMs), day: 'today' }));
  await vi.waitFor(
    () =>
      expect(dropped()).toEqual({
        version: before.version + 1,
        forged: before.forged + 2,
        old: before.old + 1,
        order: before.order + 1,
      }),
    SOON,
  );
  expect(other.riskFigures.figures(60_000)).toEqual(known);

  // The right to SET does not make old figures younger either.
  await redis.set(FIGURES, altered);
  expect(await other.riskFigures.kept()).toBeUndefined();
  redis.disconnect();
  await lease.release();
});

test('figures that are too large are not published', async () => {
  const lease = running.store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const limits = Array.from({ length: 1_000 }, () => ({
    subject: 'acme',
    limit: 'x'.repeat(1_200),
    used: 0,
    most: 0,
    mark: 'within' as const,
  }));
  await expect(running.store.riskFigures.publish(holding, figuresAt(await nowMs(), { limits }))).rejects.toThrow(
    RangeError,
  );
  await lease.release();
});

test('what a day began with for a client is that of the day; the newest is the day before until the role has come to the client', async () => {
  const { dayStarts } = running.store;
  const [first, second] = ['20260303', '20260304'].map((day) => ({ day, baseCurrency: 'USD' })) as [DayOf, DayOf];
  const none = { realised: 0, unrealised: 0, margin: 0 };
  const of = (day: DayOf, which?: 'newest') => dayStarts.read(day, ['acme', 'new'], which);
  expect(await of(first, 'newest')).toEqual([undefined, undefined]);
  await dayStarts.write(first, new Map([['acme', PROFIT]]));
  expect(await of(first, 'newest')).toEqual([PROFIT, undefined]);
  await dayStarts.complete(first);
  expect(await of(first)).toEqual([PROFIT, none]);
  expect(await of(second)).toEqual([undefined, undefined]);
  expect(await of(second, 'newest')).toEqual([PROFIT, none]);
  const later = { ...PROFIT, margin: 9 };
  await dayStarts.write(second, new Map([['acme', later]]));
  expect(await of(second, 'newest')).toEqual([later, none]);
  // In another base currency nothing is known.
  expect(await of({ day: '20260304', baseCurrency: 'EUR' }, 'newest')).toEqual([undefined, undefined]);
});

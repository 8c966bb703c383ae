/** A store that is almost full, at the FIX door: no orders and no holds; what is held may be released. */
import { Redis } from 'ioredis';
import { expect, onTestFinished, test, vi } from 'vitest';
import { perform } from '../../engine/service/perform.js';
import { quote } from '../conversions/fix/quotes/quoting.js';
import type { Received } from '../support/desk.js';
import { type Filling, filling } from '../support/full-store.js';
import { IMPATIENT } from '../support/store.js';
import { until } from '../support/until.js';
import { type Rig, type RigOptions, startRig } from './rig.js';
import { logonAgain, startTrader, type Trader } from './trader.js';

async function start(options: RigOptions = {}): Promise<{ rig: Rig; acme: Trader; fill: Filling }> {
  const rig = await startRig(options);
  onTestFinished(() => rig.stop());
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const acme = await startTrader(rig, 'acme');
  const fill = await filling(rig.redisUrl, rig.services.store);
  // Before the rig's end: its server is used by other tests after it.
  onTestFinished(() => fill.restore());
  return { rig, acme, fill };
}

/** The answer of the engine when the desk passes on what it holds. */
function passed({ desk, token }: Trader, held: Received): Promise<Received> {
  const quoteId = held.get(117)!;
  desk.send('AJ', [
    [693, 'A1'],
    [694, 6],
    [117, quoteId],
    [55, 'EUR/USD'],
    [20001, token],
  ]);
  return desk.next('AI', (message) => message.get(117) === quoteId);
}

test('a full store rejects orders and tradeable quotes, but no indicative quote and no release', async () => {
  const { acme, fill } = await start();
  const held = await quote(acme.desk, 'Q1', acme.token);
  const before = await acme.money();
  await fill.to(0.97);

  acme.order({ 11: 'D1' });
  const report = await acme.report('D1');
  expect([150, 39, 103, 20011].map((tag) => report.get(tag))).toEqual(['8', '8', '0', 'STORE_FULL']);
  const refused = await quote(acme.desk, 'Q2', acme.token);
  expect([35, 658, 20011].map((tag) => refused.get(tag))).toEqual(['AG', '99', 'STORE_FULL']);
  expect(await acme.money()).toEqual(before);

  expect((await quote(acme.desk, 'Q3', acme.token, { 537: 0 })).get(35)).toBe('S');
  expect((await passed(acme, held)).get(20011)).not.toBe('STORE_FULL');

  await fill.to(0.5);
  acme.order({ 11: 'D1' });
  expect((await acme.report('D1')).get(150)).toBe('F');
});

test('an order whose answer was lost stays pending on a full store until its outcome is known', async () => {
  const { rig, acme, fill } = await start({ store: IMPATIENT });
  const redis = new Redis(rig.redisUrl);
  const unpause = () => redis.call('CLIENT', 'UNPAUSE');
  onTestFinished(async () => {
    await unpause();
    redis.disconnect();
  });
  await redis.call('CLIENT', 'PAUSE', '600000', 'WRITE');
  acme.order({ 11: 'D2' });
  await acme.desk.next('8', (message) => message.get(11) === 'D2' && message.get(150) === 'A');
  const isFull = vi.spyOn(rig.services.store, 'isFull');
  onTestFinished(() => isFull.mockRestore());
  await fill.to(0.97);
  // The command was given up, and is asked for again.
  await until(() => isFull.mock.results.some(({ value }) => value === true));
  await unpause();
  await fill.to(0.5);
  expect((await acme.report('D2')).get(150)).toBe('F');
});

test('with the memory used up a session answers, releases, gets the report of a cancellation, logs out and logs on again', async () => {
  const { rig, acme, fill } = await start();
  await rig.services.store.clients.setScheduledLimit('acme', '1000000');
  acme.order({ 11: 'S1', 54: 2, 20005: 'SCHEDULED1' });
  const booked = await acme.report('S1');
  expect(booked.get(150)).toBe('F');
  const held = await quote(acme.desk, 'Q1', acme.token);
  // More than its memory: what Redis itself refuses.
  await fill.to(1.05);

  acme.order({ 11: 'D1' });
  const refused = await acme.report('D1');
  expect([150, 20011].map((tag) => refused.get(tag))).toEqual(['8', 'STORE_FULL']);
  expect((await passed(acme, held)).get(20011)).not.toBe('STORE_FULL');

  const confirmationId = booked.get(37)!;
  const cancelled = await perform(rig.services, 'cancelBooking', undefined, { clientId: 'acme', confirmationId });
  expect(cancelled).toMatchObject({ booking: { status: 'CANCELLED' } });
  await acme.desk.next('8', (message) => message.get(150) === 'H');

  // In order: its numbers are kept, and the next session continues them.
  acme.desk.send('5', []);
  expect((await acme.desk.next('5')).get(58)).toBeUndefined();
  await acme.desk.untilClosed();
  const again = await logonAgain(rig, acme);
  again.order({ 11: 'D3' });
  expect((await again.report('D3')).get(20011)).toBe('STORE_FULL');
  again.desk.send('2', [
    [7, 1],
    [16, 0],
  ]);
  // The report of the cancellation was stored under its number.
  await again.desk.next('8', (message) => message.get(150) === 'H' && message.get(43) === 'Y');
});

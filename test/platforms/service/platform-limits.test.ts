/** Limits and the trading state of a platform are for its own deals and those of all its sub-clients together, besides those of each. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Refusal } from '../../../engine/domain/core/refusal.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys, subClientsTogether } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let requests = 0;
const ALL = ['acme', 'acme~one', 'acme~two', 'other'];

beforeAll(async () => {
  on = await startPayments();
  for (const id of ALL) {
    if (id === 'acme~one') await on.services.store.clients.change('acme', { isPlatform: true });
    await on.client(id, { EUR: '1000000.00', USD: '1000000.00' });
  }
});
beforeEach(() => on.tick('EUR/USD', '1.08158', '1.08164'));
afterEach(async () => {
  for (const { scope } of ((await must('listLimits', {})) as { limits: { scope: string }[] }).limits)
    await must('removeLimits', { scope });
  await on.loadLimits();
});
afterAll(() => on.stop());

async function must(name: Parameters<PaymentRig['ask']>[0], input: object) {
  const answer = await on.ask(name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}

async function limit(scope: string, rule: object) {
  await must('setLimits', { scope, ...rule });
  await on.loadLimits();
}

async function deal(id: string, sellAmount: number, isReverse = false, more: object = {}): Promise<string> {
  const [sellCurrency, buyCurrency] = isReverse ? ['USD', 'EUR'] : ['EUR', 'USD'];
  const input = { requestId: `r${++requests}`, description: 'x', sellCurrency, buyCurrency, sellAmount, ...more };
  const answer = await perform(on.services, 'bookFxByCurrency', on.caller(id), input);
  if (!('refusal' in answer)) return 'booked';
  const { refusal, text } = answer as Refusal;
  return `${refusal} ${text}`;
}

const OF_PLATFORM =
  'CREDIT_LIMIT The deal would exceed a limit of your platform: send less, wait, or ask your platform';

test('a net open position of the platform is that of it and all its sub-clients', async () => {
  await limit('acme', { nop: '3000' });
  expect(await deal('acme', 1_000)).toBe('booked');
  expect(await deal('acme~one', 1_000)).toBe('booked');
  expect(await deal('acme~two', 1_000)).toBe(OF_PLATFORM);
  expect(await deal('acme', 1_000)).toMatch('your limit of the net open position');
  expect(await deal('other', 1_000)).toBe('booked');
  // What makes it smaller passes, whichever of them deals.
  expect(await deal('acme~two', 1_000, true)).toBe('booked');
  expect(await deal('acme~one', 500)).toBe('booked');
});

test('each sub-client has its own limits besides, and both exposures are kept by the step', async () => {
  await limit('acme', { nop: '1000000', settlement: '1000000' });
  await limit('acme~one', { nop: '5000' });
  for (let n = 0; n < 3; n++) expect(await deal('acme~one', 1_000)).toBe('booked');
  expect(await deal('acme~one', 1_000)).toMatch('your limit of the net open position');
  expect(await deal('acme~two', 1_000)).toBe('booked');
  const keys = ledgerKeys((await on.services.store.clients.get('acme'))!);
  const before = await on.keyspace.redis.hgetall(keys.exposure);
  expect(await deal('acme~two', 1_000)).toBe('booked');
  const after = await on.keyspace.redis.hgetall(keys.exposure);
  expect(Number(after.EUR) - Number(before.EUR)).toBe(108_161);
  // Seeded anew from the positions, it is the same.
  await on.keyspace.redis.del(keys.exposure);
  expect(await deal('acme~two', 1)).toBe('booked');
  const seeded = await on.keyspace.redis.hgetall(keys.exposure);
  expect(Math.abs(Number(seeded.EUR) - Number(after.EUR) - 108)).toBeLessThanOrEqual(1);
});

test('a single deal and deals per second of the platform bound those of its sub-clients', async () => {
  await limit('acme', { deal: '2000' });
  expect(await deal('acme~one', 3_000)).toBe(OF_PLATFORM);
  expect(await deal('acme~one', 1_000)).toBe('booked');
  await must('removeLimits', { scope: 'acme' });
  await limit('acme', { dealsPerSecond: '1' });
  const outcomes = await Promise.all(
    ['acme~one', 'acme', 'acme~two', 'acme~one', 'acme~two'].map((id) => deal(id, 10)),
  );
  const booked = outcomes.filter((one) => one === 'booked');
  // They take a second at most, and may be in two.
  expect(booked.length).toBeLessThanOrEqual(2);
  expect(outcomes.some((one) => one === OF_PLATFORM)).toBe(true);
});

test('a deal without values forgets the exposure of the platform', async () => {
  const acme = (await on.services.store.clients.get('acme'))!;
  const { exposure } = ledgerKeys(acme);
  await limit('acme', { nop: '1000000' });
  expect(await deal('acme', 10)).toBe('booked');
  expect(await on.keyspace.redis.exists(exposure)).toBe(1);
  await must('removeLimits', { scope: 'acme' });
  await on.loadLimits();
  expect(await deal('acme~one', 10)).toBe('booked');
  expect(await on.keyspace.redis.exists(exposure)).toBe(0);
});

test('the position of all sub-clients is the sum of theirs, for reconcile too', async () => {
  const acme = (await on.services.store.clients.get('acme'))!;
  expect(await on.differences()).toEqual([]);
  const key = ledgerKeys(subClientsTogether(acme)).position;
  const [field, value] = Object.entries(await on.keyspace.redis.hgetall(key))[0]!;
  await on.keyspace.redis.hset(key, field, value.replace(/^\d/, '9'));
  expect(await on.differences()).toContainEqual(expect.objectContaining({ client: 'acme~*' }));
  await on.keyspace.redis.hset(key, field, value);
  expect(await on.differences()).toEqual([]);
});

test('a halted platform halts its sub-clients, and one that may only reduce reduces with them', async () => {
  await must('haltClient', { clientId: 'acme', reason: 'a test' });
  await expect.poll(() => on.services.states.isHalted('acme~one')).toBe(true);
  expect(await deal('acme~one', 10)).toMatch('TRADING_HALTED');
  const state = await perform(on.services, 'readTradingState', on.caller('acme~one'), {});
  expect(state).toMatchObject({ state: 'HALTED', by: 'operator' });
  expect(await deal('other', 10)).toBe('booked');
  await must('resumeClient', { clientId: 'acme' });
  await expect.poll(() => on.services.states.isHalted('acme~one')).toBe(false);
  await must('haltClient', { clientId: 'acme~two', reason: 'a test' });
  await expect.poll(() => on.services.states.isHalted('acme~two')).toBe(true);
  expect(await deal('acme~one', 10)).toBe('booked');
  await must('resumeClient', { clientId: 'acme~two' });
  await must('reduceClient', { clientId: 'acme', reason: 'a test' });
  await expect.poll(() => on.services.states.client('acme')?.state).toBe('REDUCING');
  expect(await deal('acme~one', 10)).toBe(OF_PLATFORM);
  expect(await deal('acme~one', 10, true)).toBe('booked');
  await must('resumeClient', { clientId: 'acme' });
});

test('a deal of a sub-client that brings a limit of its platform to the warning makes an event of the platform', async () => {
  const { clients, events } = on.services.store;
  for (const id of ['beta', 'beta~one', 'beta~two']) {
    await on.client(id, { EUR: '1000000.00', USD: '1000000.00' });
    if (id === 'beta') await clients.change(id, { isPlatform: true });
    if (id !== 'beta~two') await events.enable((await clients.get(id))!);
  }
  const warned = async (id: string) => {
    const listed = await perform(on.services, 'listEvents', on.caller(id), { type: 'limit.*' });
    if ('refusal' in listed) throw new Error(listed.text);
    return listed.events.map(({ resource, resourceThen }) => [resource, resourceThen]);
  };
  await limit('beta', { nopCurrency: ['EUR=4000'], settlement: '100000', warnPercent: '50' });
  for (const amount of [1_000, 1_500]) expect(await deal('beta~one', amount)).toBe('booked');
  expect(await deal('beta~two', 500)).toBe('booked');
  const now = { limit: 'nop', of: 'EUR', warn_percent: 50 };
  expect([await warned('beta'), await warned('beta~one')]).toEqual([[['nop-EUR', { now }]], []]);
  // One of a sub-client without events, below the warning of its platform and to it again, and one of its own limit.
  await limit('beta~one', { nopCurrency: ['EUR=4000'], warnPercent: '75' });
  expect(await deal('beta~two', 2_000, true)).toBe('booked');
  expect(await deal('beta~one', 1_000)).toBe('booked');
  expect(await deal('beta~two', 1_000, true)).toBe('booked');
  expect(await deal('beta~two', 1_000)).toBe('booked');
  expect([(await warned('beta')).length, (await warned('beta~one')).length]).toEqual([3, 1]);
  const stream = ledgerKeys((await clients.get('beta~two'))!).events;
  expect(await on.keyspace.redis.exists(stream)).toBe(0);
  // Its platform's events are checked before the first write.
  const ofPlatform = ledgerKeys((await clients.get('beta'))!).events;
  await on.keyspace.redis.rename(ofPlatform, `${ofPlatform}:kept`);
  await on.keyspace.redis.set(ofPlatform, 'no stream');
  expect(await deal('beta~two', 1_000, true)).toBe('booked');
  const balance = async () => on.keyspace.redis.hgetall(ledgerKeys((await clients.get('beta~two'))!).balances);
  const before = await balance();
  expect(await deal('beta~two', 1_000)).toMatch('STORE_UNAVAILABLE');
  expect(await balance()).toEqual(before);
  await on.keyspace.redis.rename(`${ofPlatform}:kept`, ofPlatform);
});

/** The open holds of a platform and its sub-clients have one limit together, kept as one sum. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { paymentFacts, plannedSell } from '../../payments/store/payment-steps.js';
import { FRIDAY, HOUR_MS, type MoneyRig, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;
let platforms = 0;
let shop: string;

beforeAll(async () => {
  on = await startMoney();
});
afterAll(() => on.stop());
beforeEach(async () => {
  on.clock.now = FRIDAY;
  shop = `shop-${++platforms}`;
  await must('createClient', { id: shop, name: shop });
  await must('changeClient', { id: shop, isPlatform: true });
  for (const name of ['one', 'two', 'three']) await must('createClient', { id: `${shop}~${name}`, name });
});

async function must(name: Parameters<typeof perform>[1], input: object) {
  const answer = await perform(on.services, name, undefined, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
/** Euros, of which one is 1.08161 dollars. */
async function take(id: string, euros = 4_500_000, more: object = {}, services: Services = on.services) {
  const wanted = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: euros };
  const offered = await perform(services, 'getLockableRate', on.caller(id), wanted);
  if ('refusal' in offered) return offered;
  return perform(services, 'lockRate', on.caller(id), { rateSignature: offered.rateSignature, ...more });
}
async function held(id: string, euros?: number, more?: object): Promise<string> {
  const taken = await take(id, euros, more);
  if (!('hold' in taken)) throw new Error(`${taken.refusal} ${taken.text}`);
  return taken.hold.id;
}
const outcomeOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'held');
const client = async (id: string) => (await on.services.store.clients.get(id))!;
const keyOf = async () => ledgerKeys(await client(shop)).allHolds;
const sumOf = async () => on.keyspace.redis.hget(await keyOf(), 'usd');
const differences = async () =>
  ((await must('reconcile', { clientId: shop })) as OutputOf<'reconcile'>).differences.map(
    ({ what, expected, found }) => `${what}: ${expected} | ${found}`,
  );

test('two holds of 4.5 million euros each by two sub-clients are too many, by whichever of them', async () => {
  expect(outcomeOf(await take(`${shop}~one`))).toBe('held');
  for (const id of [`${shop}~two`, shop]) {
    const refused = await take(id, 4_800_000);
    expect(refused).toMatchObject({
      refusal: 'HOLD_LIMIT',
      text: expect.stringMatching(/^The open holds of the plat/),
    });
    // It shows no figure and no id of the others.
    expect(JSON.stringify(refused)).not.toMatch(/\d{6}|~/);
  }
  expect(outcomeOf(await take(`${shop}~two`, 4_000_000))).toBe('held');
  expect(outcomeOf(await take(shop, 1_000_000))).toBe('HOLD_LIMIT');
  expect(await sumOf()).toBe('919368500');
  expect(await differences()).toEqual([]);
});

test('of a client without a platform nothing is kept, and another platform has its own sum', async () => {
  await must('createClient', { id: `single-${platforms}`, name: 'x' });
  await held(`single-${platforms}`);
  expect(await on.keyspace.redis.keys(`*single-${platforms}:all-holds`)).toEqual([]);
  await held(shop);
  expect(await sumOf()).toBe('486724500');
});

test('concurrent locks of all of them by two engines stay within the limit', async () => {
  const another: Services = { ...on.services, store: await on.testStore.another() };
  const ids = ['~one', '~two', '~three', ''].map((name) => shop + name);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => take(ids[i % 4]!, 900_000, {}, i % 2 === 0 ? on.services : another)),
  );
  // 973,449.00 dollars each.
  expect(answers.map(outcomeOf).filter((outcome) => outcome === 'held')).toHaveLength(10);
  expect(await sumOf()).toBe('973449000');
  expect(await differences()).toEqual([]);
});

test.each<[how: string, end: (id: string, holdId: string) => Promise<unknown>]>([
  ['booked', (id, quoteId) => on.book(id, { ...ORDER, requestId: 'use', sellAmount: 1_000_000, quoteId })],
  ['released', (id, holdId) => perform(on.services, 'releaseHold', on.caller(id), { holdId })],
  ['revoked', (clientId, holdId) => must('revokeHold', { clientId, holdId })],
  [
    'expired',
    async () => {
      on.clock.now = FRIDAY + HOUR_MS;
      await settleDue(on.services, 100);
    },
  ],
  [
    'used by a payment',
    async (id, holdId) => {
      const { store } = on.services;
      const of = await client(id);
      const eur = (await store.accounts.list(of)).find(({ currency }) => currency === 'EUR')!.number;
      const sell = plannedSell(eur, { currency: 'EUR', sell: '1000', buy: '1081', hold: holdId });
      const facts = paymentFacts({ currency: 'USD', sourceAccount: eur, sourceCurrency: 'EUR', holdId });
      const plan = { amount: '1081', total: '1081', transit: '1081', fees: '0', sells: [sell] };
      const step = { now: FRIDAY, facts, newAccount: '123456789018', plan, draws: ['EUR', 'USD'] };
      expect((await store.payments.create(of, step)).kind).toBe('created');
    },
  ],
])('a hold that is %s no longer counts', async (_how, end) => {
  const id = `${shop}~one`;
  await on.open(id, 'EUR', '2000000');
  await on.open(id, 'USD');
  const holdId = await held(id, 1_000_000);
  expect(outcomeOf(await take(`${shop}~two`, 4_500_000))).toBe('held');
  expect(outcomeOf(await take(shop, 4_500_000))).toBe('HOLD_LIMIT');
  await end(id, holdId);
  // Of the others, unless they have expired too.
  expect(['486724500', '0']).toContain(await sumOf());
  expect(await differences()).toEqual([]);
  expect(outcomeOf(await take(shop, 4_500_000))).toBe('held');
});
const ORDER = { description: 'a test', sellCurrency: 'EUR', buyCurrency: 'USD' };

describe('the limit', () => {
  test('is the platform’s own where it has one, else that of the settings', async () => {
    const settings = { ...on.services.settings, platformHoldLimitUsd: 2_000_000 };
    const small: Services = { ...on.services, settings };
    expect(outcomeOf(await take(`${shop}~one`, 2_000_000, {}, small))).toBe('HOLD_LIMIT');
    expect(outcomeOf(await take(`${shop}~one`, 1_500_000, {}, small))).toBe('held');
    await must('changeClient', { id: shop, holdLimitUsd: 1_800_000 });
    expect(outcomeOf(await take(`${shop}~two`, 300_000))).toBe('HOLD_LIMIT');
    await must('changeClient', { id: shop, holdLimitUsd: 0 });
    expect(outcomeOf(await take(`${shop}~two`, 10))).toBe('HOLD_LIMIT');
    await must('changeClient', { id: shop, holdLimitUsd: 'default' });
    expect(outcomeOf(await take(`${shop}~two`, 300_000))).toBe('held');
  });

  test('is of 5,000 holds too', async () => {
    const holdId = await held(`${shop}~one`, 10);
    const others = Array.from({ length: 4_999 }, (_, i) => [`${shop}~two|HLD${i}`, '1']).flat();
    await on.keyspace.redis.hset(await keyOf(), ...others);
    expect(await take(`${shop}~three`, 10)).toMatchObject({
      refusal: 'HOLD_LIMIT',
      text: expect.stringContaining('5000'),
    });
    await perform(on.services, 'releaseHold', on.caller(`${shop}~one`), { holdId });
    expect(outcomeOf(await take(`${shop}~three`, 10))).toBe('held');
  });

  test('counts what the platform has held since before it was one', async () => {
    const id = `later-${platforms}`;
    await must('createClient', { id, name: id });
    const before = await held(id, 4_500_000);
    await must('changeClient', { id, isPlatform: true });
    await must('createClient', { id: `${id}~one`, name: 'x' });
    expect(outcomeOf(await take(`${id}~one`, 4_800_000))).toBe('HOLD_LIMIT');
    await held(`${id}~one`, 4_000_000);
    await perform(on.services, 'releaseHold', on.caller(id), { holdId: before });
    expect(await on.keyspace.redis.hget(ledgerKeys(await client(id)).allHolds, 'usd')).toBe('432644000');
  });
});

test('`reconcile` names a sum that was lowered, and a hold that was taken out of it', async () => {
  const holdId = await held(`${shop}~one`, 10);
  await on.keyspace.redis.hset(await keyOf(), 'usd', '1');
  expect(await differences()).toEqual(['holds of the platform: sum, US cents: 1082 | 1']);
  await on.keyspace.redis.hset(await keyOf(), 'usd', '1082');
  await on.keyspace.redis.hdel(await keyOf(), `${shop}~one|${holdId}`);
  expect(await differences()).toEqual([
    'holds of the platform: sum, US cents: 0 | 1082',
    `holds of the platform: US cents of ${shop}~one|${holdId}: 1082 | none`,
  ]);
});

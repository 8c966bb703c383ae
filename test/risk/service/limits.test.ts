/** Limits: set by the operator, in force in other processes, and asked by bookings, payments and locks. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LimitTable } from '../../../engine/domain/risk/limits.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../../engine/store/ledger/journal.js';
import { euros, type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let ids = 0;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());
beforeEach(async () => {
  for (const scope of (await on.services.store.limits.load()).keys())
    await on.services.store.limits.change(scope, () => undefined);
  await on.loadLimits();
});

async function someone(money: Record<string, string> = { EUR: '1000000.00', USD: '1000000.00' }): Promise<string> {
  const id = `client-${++ids}`;
  await on.client(id, money);
  return id;
}
const set = async (scope: string, given: object) => {
  const answer = await perform(on.services, 'setLimits', undefined, { scope, ...given } as never);
  await on.loadLimits();
  return answer;
};
const EUR_USD = { sellCurrency: 'EUR', buyCurrency: 'USD' };
const book = (id: string, input: object, services: Services = on.services) =>
  perform(services, 'bookFxByCurrency', on.caller(id), {
    ...EUR_USD,
    requestId: `r-${++ids}`,
    description: 'x',
    ...input,
  } as never);
const outcome = (answer: object): string => ('refusal' in answer ? String(answer.refusal) : 'done');

describe('operator', () => {
  test('sets, changes, lists and removes; what is not named stays', async () => {
    const id = await someone();
    expect(await set(id, { deal: '1000', nopCurrency: ['EUR=5', 'GBP=none'], warnPercent: '70' })).toMatchObject({
      scope: id,
      baseCurrency: 'USD',
      deal: '1000.00',
      nopCurrency: ['EUR=5.00', 'GBP=none'],
      warnPercent: '70',
    });
    expect(await set(id, { nop: '2000.5', deal: 'none', nopCurrency: ['EUR=default'] })).toMatchObject({
      deal: 'none',
      nop: '2000.50',
      nopCurrency: ['GBP=none'],
      warnPercent: '70',
    });
    const listed = await perform(on.services, 'listLimits', undefined, { scope: id });
    expect(listed).toMatchObject({ limits: [{ scope: id, nop: '2000.50' }] });
    expect(await perform(on.services, 'removeLimits', undefined, { scope: id })).toEqual({ scope: id });
    expect(await perform(on.services, 'removeLimits', undefined, { scope: id })).toMatchObject({
      refusal: 'WRONG_STATE',
    });
    expect(await perform(on.services, 'listLimits', undefined, {})).toEqual({ limits: [] });
  });

  test.each([
    ['unknown-1', { deal: '1' }, 'UNKNOWN_CLIENT'],
    ['*', {}, 'VALIDATION_FAILED'],
    ['*', { deal: '1.005' }, 'VALIDATION_FAILED'],
    ['*', { nopCurrency: ['VND=1'] }, 'VALIDATION_FAILED'],
    ['*', { dealsPerSecond: '0' }, 'VALIDATION_FAILED'],
    ['*', { warnPercent: '101' }, 'VALIDATION_FAILED'],
    ['house', { deal: '1' }, 'VALIDATION_FAILED'],
    ['house', { dailyLoss: '1' }, 'VALIDATION_FAILED'],
    ['a b', { deal: '1' }, 'VALIDATION_FAILED'],
  ])('%s %j: %s, and nothing is set', async (scope, given, code) => {
    expect(outcome(await set(scope, given))).toBe(code);
    expect((await on.services.store.limits.load()).size).toBe(0);
  });

  test('amounts of another base currency are not mixed with new ones', async () => {
    await on.services.store.limits.change('*', () => ({ base: 'EUR', deal: 5 }));
    expect(await set('*', { nop: '1' })).toMatchObject({ refusal: 'WRONG_STATE' });
  });

  test('two operators at once lose nothing', async () => {
    const id = await someone();
    const fields = ['deal', 'nop', 'settlement', 'dailyLoss', 'dealsPerSecond', 'warnPercent'];
    await Promise.all(fields.map((field) => perform(on.services, 'setLimits', undefined, { scope: id, [field]: '7' })));
    const rule = (await on.services.store.limits.load()).get(id)!;
    expect(Object.keys(rule).sort()).toEqual(['base', ...fields].sort());
  });

  test('another process has a change, also when its message was lost', async () => {
    const other = await on.testStore.another();
    const table = new LimitTable('USD');
    const stop = other.limits.onChange((rules) => table.replace(rules));
    await set('*', { deal: '5' });
    await vi.waitFor(() => expect(table.of('x')).toMatchObject({ deal: 500 }), 120_000);
    await on.keyspace.redis.hset('{limits}:rules', '*', '{"base":"USD","deal":6}');
    await on.keyspace.redis.incr('{limits}:version');
    await vi.waitFor(() => expect(table.of('x')).toMatchObject({ deal: 6 }), 120_000);
    stop();
  });
});

describe('the largest single deal', () => {
  // The mid of EUR/USD is 1.08161, of USD/JPY 151.2375.
  test.each([
    ['the sold leg at the mid', { sellAmount: 100 }, '108.16'],
    ['the bought leg, which is the smaller one here', { buyAmount: 100 }, '100.25'],
    ['the base currency itself', { sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 100 }, '100'],
    ['a scheduled one', { sellAmount: 100, type: 'SCHEDULED1' }, '108.16'],
    ['through the dollar', { sellCurrency: 'EUR', buyCurrency: 'JPY', sellAmount: 100 }, '108.16'],
  ])('%s', async (_what, input, limit) => {
    const id = await someone({ EUR: '1000.00', USD: '1000.00', JPY: '1' });
    await on.services.store.clients.setScheduledLimit(id, '1000');
    await set(id, { deal: limit });
    expect(outcome(await book(id, input))).toBe('done');
    await set(id, { deal: String((Number(limit) - 0.01).toFixed(2)) });
    const before = await on.keyspace.read();
    expect(await book(id, input)).toMatchObject({
      refusal: 'CREDIT_LIMIT',
      text: expect.stringMatching(/the largest single deal/),
    });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('a deal whose legs have no fresh mid is refused as in a halted pair', async () => {
    const id = await someone();
    const held = await on.hold(id, { ...EUR_USD, sellAmount: 10 });
    await set(id, { deal: '1000' });
    const empty = { ...on.services, book: new RateBook() };
    const answer = await book(id, { sellAmount: 10, quoteId: held.id }, empty);
    expect(answer).toMatchObject({ refusal: 'RATE_UNAVAILABLE', text: expect.stringMatching(/values this deal/) });
    expect(outcome(await book(id, { sellAmount: 10, quoteId: held.id }))).toBe('done');
  });

  test('nothing is valued for a client without limits', async () => {
    const id = await someone();
    await set('other-client', { deal: '1' });
    const held = await on.hold(id, { ...EUR_USD, sellAmount: 10 });
    // Nothing has a mid there.
    const empty = { ...on.services, book: new RateBook() };
    expect(outcome(await book(id, { sellAmount: 10, quoteId: held.id }, empty))).toBe('done');
  });

  test('a lock of more is refused, also of a two-way one; one without an amount is judged when it is booked', async () => {
    const id = await someone();
    await set(id, { deal: '108.16' });
    const lock = async (input: object, more: object = {}) => {
      const offer = await perform(on.services, 'getLockableRate', on.caller(id), { ...EUR_USD, ...input } as never);
      if ('refusal' in offer) throw new Error(String(offer.refusal));
      const { rateSignature } = offer as { rateSignature: string };
      return perform(on.services, 'lockRate', on.caller(id), { rateSignature, ...more });
    };
    expect(outcome(await lock({ sellAmount: 100 }))).toBe('done');
    expect(outcome(await lock({ sellAmount: 100.01 }))).toBe('CREDIT_LIMIT');
    expect(outcome(await lock({ sellAmount: 1_000, twoWay: true }, { twoWay: true }))).toBe('CREDIT_LIMIT');
    const open = (await lock({})) as { hold: { id: string } };
    expect(outcome(await book(id, { sellAmount: 100.01, quoteId: open.hold.id }))).toBe('CREDIT_LIMIT');
    expect(outcome(await book(id, { sellAmount: 100, quoteId: open.hold.id }))).toBe('done');
  });
});

describe('a payment', () => {
  const agreed = async (limit: object) => {
    const id = await someone({ EUR: '1.00', USD: '1000.00', JPY: '100000' });
    const client = (await on.services.store.clients.get(id))!;
    const accounts = await on.services.store.accounts.balances(client);
    for (const [i, currency] of ['USD', 'JPY'].entries()) {
      const { number } = accounts.find((account) => account.currency === currency)!;
      await on.ask('changeAccount', { accountNumber: number, autoBookFxSequence: i + 1 });
    }
    await set(id, limit);
    return client;
  };

  test('is refused where one of its conversions is larger, and made where it is not', async () => {
    const client = await agreed({ deal: '50' });
    const before = await on.keyspace.read();
    expect(await on.tryToPay(client, 'Max', { amount: euros(6_000n) })).toMatchObject({ refusal: 'CREDIT_LIMIT' });
    expect(await on.keyspace.read()).toEqual(before);
    expect(await on.tryToPay(client, 'Max', { amount: euros(4_000n) })).toMatchObject({ status: 'IN_PROCESS' });
  });

  test('counts all its conversions together, and one that waits waits on', async () => {
    const client = await agreed({ dealsPerSecond: '1' });
    // 1,000 USD are not enough: two conversions.
    const refused = await on.tryToPay(client, 'Max', { amount: euros(100_000n) });
    expect(refused).toMatchObject({ refusal: 'CREDIT_LIMIT', text: expect.stringMatching(/deals per second/) });
    const waits = await on.pay(client, 'Max', { amount: euros(900_000n) });
    expect(waits.status).toBe('AWAITING_FUNDS');
    await on.ask('creditAccount', {
      accountNumber: (await on.services.store.accounts.balances(client)).find(({ currency }) => currency === 'JPY')!
        .number,
      amount: '2000000',
    });
    await on.work();
    expect((await on.read(client, waits.id)).status).toBe('AWAITING_FUNDS');
    await perform(on.services, 'removeLimits', undefined, { scope: client.id });
    await on.loadLimits();
    await on.later(60_000);
    expect((await on.read(client, waits.id)).status).not.toBe('AWAITING_FUNDS');
    expect(await on.differences()).toEqual([]);
  });
});

describe('deals per second', () => {
  test('64 callers of two processes book as many as the limit, and no more, in each second', async () => {
    const id = await someone();
    await set(id, { dealsPerSecond: '5' });
    const another: Services = { ...on.services, store: await on.testStore.another() };
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) => book(id, { sellAmount: 1 }, i % 2 === 0 ? on.services : another)),
      );
      const outcomes = answers.map(outcome);
      expect([...new Set(outcomes)].filter((one) => one !== 'done' && one !== 'CREDIT_LIMIT')).toEqual([]);
      expect(outcomes.filter((one) => one === 'done').length).toBeGreaterThanOrEqual(round === 0 ? 5 : 0);
      for (const answer of answers)
        if ('refusal' in answer) expect(answer.text).toMatch(/your limit of deals per second/);
    }
    const { journal } = ledgerKeys((await on.services.store.clients.get(id))!);
    const entries = (await on.keyspace.redis.xrange(journal, '-', '+'))
      .map(asEntry)
      .filter(({ step }) => step === 'book-fx');
    const bySecond = new Map<number, number>();
    for (const { atMs } of entries)
      bySecond.set(Math.floor(atMs / 1_000), (bySecond.get(Math.floor(atMs / 1_000)) ?? 0) + 1);
    expect(Math.max(...bySecond.values())).toBe(5);
  });

  test('a repeated command is not counted, and is answered above the limit', async () => {
    const id = await someone();
    await set(id, { dealsPerSecond: '1' });
    const again = { requestId: `r-${++ids}`, sellAmount: 2 };
    expect(outcome(await book(id, again))).toBe('done');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => book(id, i % 2 === 0 ? again : { sellAmount: 2 })),
    );
    const outcomes = answers.map(outcome);
    expect(new Set(outcomes.filter((_, i) => i % 2 === 0))).toEqual(new Set(['done']));
    expect(outcomes.filter((_, i) => i % 2 === 1)).toContain('CREDIT_LIMIT');
  });
});

test('a deal that brings a limit to its warning makes an event, once until it is below again', async () => {
  const id = await someone();
  const client = (await on.services.store.clients.get(id))!;
  await on.services.store.events.enable(client);
  await set(id, { nopCurrency: ['EUR=1000'], settlement: '2000', warnPercent: '50' });
  // One euro is 1.08161 dollars.
  for (const sellAmount of [400, 100, 100]) expect(outcome(await book(id, { sellAmount }))).toBe('done');
  const back = { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 300 };
  expect(outcome(await book(id, back))).toBe('done');
  expect(outcome(await book(id, { sellAmount: 300 }))).toBe('done');
  expect(outcome(await book(id, { sellAmount: 400 }))).toBe('CREDIT_LIMIT');
  const listed = await perform(on.services, 'listEvents', on.caller(id), { type: 'limit.*' });
  const shown = (listed as { events: { resource: string; resourceThen: object }[] }).events;
  expect(shown.map(({ resource, resourceThen }) => [resource, resourceThen])).toEqual(
    ['nop-EUR', 'nop-EUR'].map((name) => [name, { now: { limit: 'nop', of: 'EUR', warn_percent: 50 } }]),
  );
});

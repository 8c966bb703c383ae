/** Net open positions and amounts to settle: the step that books never lets a client beyond its limit, and lets what reduces pass. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateBook } from '../../../engine/rates/rate-book.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { euros, type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { FRIDAY } from '../../service/money-rig.js';

// The mid of EUR/USD is 1.08161: 100 EUR are worth 108.16 USD.
let on: PaymentRig;
let ids = 0;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());

async function someone(limits: object, money: Record<string, string> = { EUR: '1000000.00', USD: '1000000.00' }) {
  const id = `client-${++ids}`;
  await on.client(id, money);
  await set(id, limits);
  return id;
}
const set = async (scope: string, given: object) => {
  const answer = await perform(on.services, 'setLimits', undefined, { scope, ...given } as never);
  if ('refusal' in answer) throw new Error(answer.text);
  await on.loadLimits();
};
const EUR_USD = { sellCurrency: 'EUR', buyCurrency: 'USD' };
const USD_EUR = { sellCurrency: 'USD', buyCurrency: 'EUR' };
const book = (id: string, input: object, services: Services = on.services) =>
  perform(services, 'bookFxByCurrency', on.caller(id), {
    ...EUR_USD,
    requestId: `r-${++ids}`,
    description: 'x',
    ...input,
  } as never);
const outcome = (answer: object): string => ('refusal' in answer ? String(answer.refusal) : 'done');
const clientOf = async (id: string) => (await on.services.store.clients.get(id))!;
const exposure = async (id: string) => on.keyspace.redis.hgetall(ledgerKeys(await clientOf(id)).exposure);
const forget = async (id: string) => on.keyspace.redis.del(ledgerKeys(await clientOf(id)).exposure);

describe('the net open position', () => {
  test('of a currency: up to the limit, and back', async () => {
    const id = await someone({ nopCurrency: ['EUR=108.16'] });
    expect(outcome(await book(id, { sellAmount: 60 }))).toBe('done');
    expect(await book(id, { sellAmount: 41 })).toMatchObject({
      refusal: 'CREDIT_LIMIT',
      text: expect.stringMatching(/the net open position in EUR/),
    });
    expect(outcome(await book(id, { sellAmount: 40 }))).toBe('done');
    // From the client's purchase the house is short: 100 long, then as much short, is 200 in the other direction.
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 201 }))).toBe('CREDIT_LIMIT');
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 200 }))).toBe('done');
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 1 }))).toBe('CREDIT_LIMIT');
    expect((await exposure(id)).EUR).toBe('-10816');
  });

  test('in total: the larger of the sums of long and of short currencies, without the base currency', async () => {
    const id = await someone({ nop: '216' }, { EUR: '1000.00', USD: '1000.00', JPY: '100000' });
    expect(outcome(await book(id, { sellAmount: 100 }))).toBe('done');
    // Long 108 EUR, short 100 USD in JPY: the larger sum is still 108.
    expect(outcome(await book(id, { sellCurrency: 'USD', buyCurrency: 'JPY', sellAmount: 100 }))).toBe('done');
    expect(await book(id, { sellAmount: 100 })).toMatchObject({
      refusal: 'CREDIT_LIMIT',
      text: expect.stringMatching(/your limit of the net open position:/),
    });
    expect(outcome(await book(id, { sellAmount: 99 }))).toBe('done');
    const { long, short, EUR, JPY } = await exposure(id);
    expect([long, Number(short)]).toEqual([EUR, -Number(JPY)]);
  });

  test('beyond a lowered limit only what reduces passes', async () => {
    const id = await someone({ nop: '1000' });
    expect(outcome(await book(id, { sellAmount: 500 }))).toBe('done');
    await set(id, { nop: '100' });
    expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 100 }))).toBe('done');
    // Through zero to a smaller figure is a reduction, to a larger one is not.
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 900 }))).toBe('CREDIT_LIMIT');
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 700 }))).toBe('done');
  });

  test('counts from the booking of a scheduled conversion, and its settlement changes nothing', async () => {
    const id = await someone({ nopCurrency: ['EUR=108.16'] });
    await on.services.store.clients.setScheduledLimit(id, '1000');
    expect(outcome(await book(id, { sellAmount: 100, type: 'SCHEDULED1' }))).toBe('done');
    expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
    await on.later(72 * 3_600_000);
    on.tick('EUR/USD', '1.08158', '1.08164');
    expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
  });

  test('is that of all deals since the first: it is made from the position where it is missing', async () => {
    const id = await someone({ nopCurrency: ['EUR=108.16'] });
    expect(outcome(await book(id, { sellAmount: 60 }))).toBe('done');
    const before = await exposure(id);
    await forget(id);
    expect(outcome(await book(id, { sellAmount: 41 }))).toBe('CREDIT_LIMIT');
    expect(await exposure(id)).toEqual(before);
  });

  test('a deal without limits forgets it, and so do a bust and a correction', async () => {
    const id = await someone({ nopCurrency: ['EUR=108.16'] });
    const booked = (await book(id, { sellAmount: 100 })) as { booking: { id: string } };
    await perform(on.services, 'removeLimits', undefined, { scope: id });
    await on.loadLimits();
    expect(outcome(await book(id, { sellAmount: 50 }))).toBe('done');
    expect(await exposure(id)).toEqual({});
    await set(id, { nopCurrency: ['EUR=108.16'] });
    expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
    // The operator is never refused for a limit.
    const correct = {
      clientId: id,
      confirmationId: booked.booking.id,
      reason: 'x',
      amount: '200',
      requestId: 'c-1',
    };
    await must(on.ask('correctBooking', correct));
    expect(await exposure(id)).toEqual({});
    expect(outcome(await book(id, { ...USD_EUR, buyAmount: 1 }))).toBe('done');
    expect(Number((await exposure(id)).EUR)).toBe(Math.round(24_900 * 1.08161));
    await must(
      on.ask('bustBooking', { clientId: id, confirmationId: booked.booking.id, reason: 'x', requestId: 'b-1' }),
    );
    expect(outcome(await book(id, { sellAmount: 50 }))).toBe('done');
    expect(outcome(await book(id, { sellAmount: 2 }))).toBe('CREDIT_LIMIT');
  });

  test('64 callers of two processes racing for the last unit never exceed it', async () => {
    const another: Services = { ...on.services, store: await on.testStore.another() };
    const id = await someone({ nopCurrency: ['EUR=1081.60'] });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => book(id, { sellAmount: 100 }, i % 2 === 0 ? on.services : another)),
    );
    const outcomes = answers.map(outcome);
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'CREDIT_LIMIT']));
    // The sum of ten rounded values, or, where the exposure has ended on a slow machine and was made anew, the rounded value of the sum.
    expect(['108160', '108161']).toContain((await exposure(id)).EUR);
    const { position } = await on.services.store.exposures.readPosition(await clientOf(id));
    expect(position.lines.map(({ baseBought }) => baseBought)).toEqual([100_000n]);
  });

  test('the same while the exposure ends again and again', async () => {
    const id = await someone({ nopCurrency: ['EUR=1082.00'] });
    let isRacing = true;
    const forgetting = (async () => {
      while (isRacing) await forget(id);
    })();
    const answers: string[] = [];
    for (let round = 0; round < 8; round++)
      answers.push(...(await Promise.all(Array.from({ length: 8 }, () => book(id, { sellAmount: 50 })))).map(outcome));
    isRacing = false;
    await forgetting;
    expect(answers.filter((one) => one === 'done').length).toBeLessThanOrEqual(20);
    for (let i = 0; i < 30; i++) answers.push(outcome(await book(id, { sellAmount: 50 })));
    expect(answers.filter((one) => one === 'done')).toHaveLength(20);
  });

  test('with a position that never had a price the client is refused as in a halted pair', async () => {
    const id = await someone({ nop: '1000' });
    expect(outcome(await book(id, { sellAmount: 10 }))).toBe('done');
    const held = await on.hold(id, { ...EUR_USD, sellAmount: 10 });
    const empty = { ...on.services, book: new RateBook() };
    expect(outcome(await book(id, { sellAmount: 10, quoteId: held.id }, empty))).toBe('RATE_UNAVAILABLE');
  });
});

test('a client in the state REDUCING deals what makes its total position smaller', async () => {
  const id = await someone({ deal: '100000' });
  expect(outcome(await book(id, { sellAmount: 100 }))).toBe('done');
  const restricted = { scope: 'client', name: id, state: 'REDUCING', by: 'x', reason: 'x', sinceMs: 1 } as const;
  on.services.states.replace([restricted]);
  expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 60 }))).toBe('done');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 81 }))).toBe('CREDIT_LIMIT');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 40 }))).toBe('done');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 1 }))).toBe('CREDIT_LIMIT');
  on.services.states.replace([]);
});

test('the amount to settle on a date: each pair net, and the pairs added', async () => {
  const id = await someone({ settlement: '216.32' }, { EUR: '1000.00', USD: '1000.00', JPY: '100000' });
  on.clock.now = FRIDAY;
  await on.testStore.turn();
  expect(outcome(await book(id, { sellAmount: 100 }))).toBe('done');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 50 }))).toBe('done');
  const yen = { sellCurrency: 'USD', buyCurrency: 'JPY', settlementDate: '2026-11-24' };
  expect(await book(id, { ...yen, sellAmount: 162.25 })).toMatchObject({
    refusal: 'CREDIT_LIMIT',
    text: expect.stringMatching(/the amount to settle on 2026-11-24/),
  });
  expect(outcome(await book(id, { ...yen, sellAmount: 162.24 }))).toBe('done');
  // Another date has a limit of its own.
  expect(outcome(await book(id, { sellAmount: 1, settlementDate: '2026-11-23' }))).toBe('done');
  expect(outcome(await book(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
  expect(outcome(await book(id, { ...USD_EUR, buyAmount: 50 }))).toBe('done');
  expect((await exposure(id))['20261124']).toBe('16224');
});

describe('a lock', () => {
  const lock = async (id: string, input: object, more: object = {}) => {
    const offer = await perform(on.services, 'getLockableRate', on.caller(id), { ...EUR_USD, ...input } as never);
    if ('refusal' in offer) throw new Error(String(offer.refusal));
    const { rateSignature } = offer as { rateSignature: string };
    return perform(on.services, 'lockRate', on.caller(id), { rateSignature, ...more });
  };

  test('is judged, reserves nothing, and its booking is judged again', async () => {
    const id = await someone({ nopCurrency: ['EUR=108.16'] });
    const [one, other] = [await lock(id, { sellAmount: 60 }), await lock(id, { sellAmount: 60 })];
    expect(await lock(id, { sellAmount: 101 })).toMatchObject({
      refusal: 'CREDIT_LIMIT',
      text: expect.stringMatching(/net open position in EUR/),
    });
    if (!('hold' in one) || !('hold' in other)) throw new Error('not held');
    expect(outcome(await book(id, { sellAmount: 60, quoteId: one.hold.id }))).toBe('done');
    expect(outcome(await book(id, { sellAmount: 60, quoteId: other.hold.id }))).toBe('CREDIT_LIMIT');
    // It is not used up by that.
    await set(id, { nopCurrency: ['EUR=200'] });
    expect(outcome(await book(id, { sellAmount: 60, quoteId: other.hold.id }))).toBe('done');
    await set(id, { nopCurrency: ['EUR=129.79'] });
    // Only one of its directions passes, which is enough; no hold is booked in the other one.
    const both = await lock(id, { sellAmount: 10, twoWay: true }, { twoWay: true });
    expect(outcome(both)).toBe('done');
    expect(outcome(await lock(id, { sellAmount: 1 }))).toBe('CREDIT_LIMIT');
  });
});

test('the conversions of a payment count together: a new one is refused, and one that waits waits on', async () => {
  const id = await someone({ nop: '1000' }, { EUR: '1.00', USD: '300.00', JPY: '100000' });
  const client = await clientOf(id);
  const accounts = await on.services.store.accounts.balances(client);
  for (const [i, currency] of ['USD', 'JPY'].entries()) {
    const { number } = accounts.find((account) => account.currency === currency)!;
    await on.ask('changeAccount', { accountNumber: number, autoBookFxSequence: i + 1 });
  }
  // All USD and some JPY: short of more EUR than the limit.
  await set(id, { nop: '500', nopCurrency: ['EUR=400'] });
  const before = await on.keyspace.read(/:exposure$/);
  const refused = await on.tryToPay(client, 'Max', { amount: euros(40_000n) });
  expect(refused).toMatchObject({ refusal: 'CREDIT_LIMIT', text: expect.stringMatching(/in EUR/) });
  expect(await on.keyspace.read(/:exposure$/)).toEqual(before);
  expect(await on.tryToPay(client, 'Max', { amount: euros(35_000n) })).toMatchObject({ status: 'IN_PROCESS' });
  const waits = await on.pay(client, 'Max', { amount: euros(90_000n) });
  expect(waits.status).toBe('AWAITING_FUNDS');
  const { number } = accounts.find(({ currency }) => currency === 'USD')!;
  await on.ask('creditAccount', { accountNumber: number, amount: '5000' });
  await on.work();
  expect((await on.read(client, waits.id)).status).toBe('AWAITING_FUNDS');
  await set(id, { nop: 'none', nopCurrency: ['EUR=none'] });
  await on.later(60_000);
  expect((await on.read(client, waits.id)).status).not.toBe('AWAITING_FUNDS');
  expect(await on.differences()).toEqual([]);
});

async function must(answer: Promise<object>): Promise<void> {
  const given = await answer;
  if ('refusal' in given) throw new Error(JSON.stringify(given));
}

/** There is no last look: an order is judged once, and what the market does while it is processed changes nothing, in favour of either side. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;
beforeAll(async () => {
  on = await startMoney();
  await perform(on.services, 'createClient', undefined, { id: 'acme', name: 'acme' });
  await on.open('acme', 'EUR', '100000000');
  await on.open('acme', 'USD', '100000000');
});
afterAll(() => on.stop());

/** Away from the client, towards it, and back where the order has arrived: between its arrival and the step of the store. */
const MOVES: Readonly<Record<string, readonly [bid: string, offer: string] | undefined>> = {
  none: undefined,
  'down by 1 percent': ['1.07076', '1.07082'],
  'up by 1 percent': ['1.09240', '1.09246'],
  'down by 0.0001': ['1.08148', '1.08154'],
  'up by 0.0001': ['1.08168', '1.08174'],
};
const START = ['1.08158', '1.08164'] as const;

/** The services, with a market that moves each time a step of the store begins, and again when it has ended. */
function moving(move: readonly [string, string] | undefined): Services {
  const { services, tick } = on;
  const { bookings } = services.store;
  const book: typeof bookings.book = async (client, step) => {
    if (move) tick('EUR/USD', ...move);
    const outcome = await bookings.book(client, step);
    tick('EUR/USD', ...START);
    return outcome;
  };
  const store = Object.assign(Object.create(services.store), { bookings: { ...bookings, book } });
  return { ...services, store };
}

let orders = 0;
async function outcome(input: object, move: readonly [string, string] | undefined) {
  on.tick('EUR/USD', ...START);
  const order = { requestId: `order${++orders}`, description: 'x', ...input };
  const answer = await perform(moving(move), 'bookFxByCurrency', on.caller('acme'), order);
  if ('refusal' in answer) return answer.refusal;
  const { price, providerPrice, marginPpm, sell, buy, margin } = answer.booking;
  return { price, providerPrice, marginPpm, sell, buy, margin };
}

const SELLS = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1_000 };
const BUYS = { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 1_000 };

describe.each([
  ['a market order that sells', SELLS, 'booked'],
  ['a market order that buys', BUYS, 'booked'],
  ['a limit order at its limit that sells', { ...SELLS, limitPrice: '1.078876' }, 'booked'],
  ['a limit order at its limit that buys', { ...BUYS, limitPrice: '1.0843509' }, 'booked'],
  ['a limit order beyond its limit that sells', { ...SELLS, limitPrice: '1.0788761' }, 'LIMIT_NOT_MET'],
  ['a limit order beyond its limit that buys', { ...BUYS, limitPrice: '1.0843508' }, 'LIMIT_NOT_MET'],
  ['an order with a maximum that it just needs', { ...BUYS, sellAmount: 1_084.36 }, 'booked'],
  ['an order with a maximum that it just exceeds', { ...BUYS, sellAmount: 1_084.35 }, 'RATE_MOVED'],
])('%s', (_, input, expected) => {
  test('has the same outcome however the market moves while it is processed', async () => {
    const still = await outcome(input, undefined);
    expect(typeof still === 'string' ? still : 'booked').toBe(expected);
    for (const [name, move] of Object.entries(MOVES)) expect([name, await outcome(input, move)]).toEqual([name, still]);
  });
});

test('the moves would have changed the outcome: each is a price of its own', async () => {
  const prices = new Set<unknown>();
  for (const move of Object.values(MOVES)) {
    on.tick('EUR/USD', ...(move ?? START));
    const order = { requestId: `order${++orders}`, description: 'x', ...SELLS };
    prices.add((await on.book('acme', order)).price);
  }
  expect(prices.size).toBe(Object.keys(MOVES).length);
});

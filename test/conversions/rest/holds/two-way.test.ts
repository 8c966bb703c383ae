/** A rate that is offered and held with `two_way=true`, and a hold that is read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  type Fields,
  GET_FX_RATE,
  LOCK,
  MONDAY,
  type MoneyDoor,
  openMoneyDoor,
  RELEASE,
} from '../../../rest/money-door.js';

const EUR_TO_USD = 'source_currency=EUR&destination_currency=USD';
const READ = '/api/v1/lockFx/hold';
/** What a two-way rate has and another has not: EUR/USD is 1.08431 to 1.08433, the margin 0.25 percent. */
const BOTH = {
  side: 'both',
  opposite_base_fx_rate: 0.9222284729,
  opposite_margin: 0.25,
  opposite_fx_rate: 0.9199229178,
};

let door: MoneyDoor;
let acme: Client;
let other: Client;
let eur: number;
let usd: number;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  other = await door.client('other');
  eur = await acme.account('EUR', 1_000_000_00n);
  usd = await acme.account('USD', 1_000_000_00n);
  await door.opened.store.clients.change('acme', { holdLimitUsd: 1_000_000_000 });
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

const offered = async (query: string): Promise<Fields> => (await acme.get(`${GET_FX_RATE}?${query}`)).body;
const signed = async (query: string): Promise<string> => String((await offered(query)).rate_signature);
const lock = async (query: string, more = ''): Promise<Fields> =>
  (await acme.get(`${LOCK}?rate_signature=${await signed(query)}${more}`)).body;
const read = async (hold: Fields): Promise<Fields> => (await acme.get(`${READ}/${hold.fx_hold_id}`)).body;
const bothOf = (body: Fields) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name === 'side' || name.startsWith('opposite_')));
const book = (more: Fields, path = BY_CURRENCY) =>
  acme.post(path, { request_id: `r-${++next}`, description: 'x', ...more });

describe('two_way=true', () => {
  test('in the rate: its offer and its hold have both directions', async () => {
    const query = `${EUR_TO_USD}&sell_amount=100&two_way=true`;
    expect(await offered(query)).toMatchObject({ ...BOTH, fx_rate: 1.0815992, sell_amount: 100, buy_amount: 108.15 });
    const hold = await lock(query);
    expect(hold).toMatchObject({ ...BOTH, fx_rate: 1.0815992, sell_amount: 100, status: 'OPEN' });
    expect(hold).not.toHaveProperty('buy_amount');
    expect(await read(hold)).toEqual(hold);
  });

  test.each<[string, (rate_signature: string) => Promise<{ body: Fields }>]>([
    ['GET', (text) => acme.get(`${LOCK}?rate_signature=${text}&two_way=true`)],
    ['POST', (rate_signature) => acme.post(LOCK, { rate_signature, two_way: true })],
    ['a form', (rate_signature) => acme.form(LOCK, { rate_signature, two_way: 'true' })],
  ])('in the lock alone, by %s: the hold has both directions', async (_how, ask) => {
    const offer = await offered(`${EUR_TO_USD}&sell_amount=100`);
    expect(bothOf(offer)).toEqual({});
    const { body } = await ask(String(offer.rate_signature));
    expect(body).toMatchObject({ ...BOTH, fx_rate: offer.fx_rate });
    // The first lock decides: one signature is one hold.
    expect((await acme.get(`${LOCK}?rate_signature=${offer.rate_signature}`)).body).toEqual(body);
  });

  test.each(['', '&two_way=', '&two_way=false'])('%j: one direction, and no field more', async (more) => {
    for (const body of [await offered(EUR_TO_USD + more), await lock(EUR_TO_USD, more)])
      expect(bothOf(body)).toEqual({});
  });

  test('what it counts is the larger side, once', async () => {
    const usdOf = async (query: string) => {
      const { fx_hold_id } = await lock(query);
      const client = (await door.opened.store.clients.get('acme'))!;
      return Number((await door.opened.store.holds.read(client, String(fx_hold_id)))!.usd);
    };
    door.price('GBP/USD', '1.25', '1.26');
    const [sells, buys] = [
      await usdOf('source_currency=EUR&destination_currency=GBP&buy_amount=1000'),
      await usdOf('source_currency=GBP&destination_currency=EUR&sell_amount=1000'),
    ];
    const both = await usdOf('source_currency=EUR&destination_currency=GBP&buy_amount=1000&two_way=true');
    expect(both).toBe(Math.max(sells, buys));
    // Without an amount: the most that a hold without one is for.
    expect(await usdOf(`${EUR_TO_USD}&two_way=true`)).toBe(500_000_00);
  });
});

describe('the currencies of the conversion decide its side', () => {
  const sells = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };
  const buys = { sell_currency: 'USD', buy_currency: 'EUR', buy_amount: 100 };
  test.each([
    ['sells', sells, buys, { instarem_fx_rate: 1.0815992, fx_rate: 1.08431, sell_amount: 100, buy_amount: 108.15 }],
    [
      'buys',
      buys,
      sells,
      { instarem_fx_rate: 0.9199229178, fx_rate: 0.9222284729, sell_amount: 108.71, buy_amount: 100 },
    ],
  ])('%s the first currency of the pair', async (_what, command, opposite, booked) => {
    const hold = await lock(`${EUR_TO_USD}&sell_amount=100&two_way=true`);
    const { fx_hold_id } = hold;
    door.price('EUR/USD', '1.09431', '1.09433');
    const answer = await book({ ...command, fx_hold_id });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(booked)]);
    for (const again of [command, opposite]) expect((await book({ ...again, fx_hold_id })).body.code).toBe('HOLD_USED');
    expect(await read(hold)).toEqual({ ...hold, status: 'USED' });
  });

  test('by the accounts too', async () => {
    const { fx_hold_id } = await lock(`${EUR_TO_USD}&two_way=true`);
    const { body } = await book({ from_account: eur, to_account: usd, sell_amount: 100, fx_hold_id }, BY_ACCOUNT);
    expect(body).toMatchObject({ sell_currency: 'USD', instarem_fx_rate: 0.9199229178 });
  });

  test.each<[string, Fields, string]>([
    ['another amount', { ...buys, buy_amount: 101 }, 'HOLD_MISMATCH'],
    ['the amount in the other currency', { ...buys, buy_amount: undefined, sell_amount: 100 }, 'HOLD_MISMATCH'],
    ['another pair', { ...sells, buy_currency: 'GBP' }, 'HOLD_MISMATCH'],
    ['another type', { ...buys, book_fx_type: 'SCHEDULED1' }, 'HOLD_MISMATCH'],
  ])('%s: refused, and the hold stays', async (_what, command, code) => {
    await acme.account('GBP');
    await door.opened.store.clients.setScheduledLimit('acme', '1000000');
    const hold = await lock(`${EUR_TO_USD}&sell_amount=100&two_way=true`);
    const { status, body } = await book({ ...command, fx_hold_id: hold.fx_hold_id });
    expect([status, body.code]).toEqual([400, code]);
    expect((await read(hold)).status).toBe('OPEN');
  });

  test('a hold of one direction is none of the other', async () => {
    const { fx_hold_id } = await lock(`${EUR_TO_USD}&sell_amount=100`);
    expect((await book({ ...buys, fx_hold_id })).body.code).toBe('HOLD_MISMATCH');
  });

  test('above the maximum of a hold without an amount', async () => {
    const { fx_hold_id } = await lock(`${EUR_TO_USD}&two_way=true`);
    const { body } = await book({ ...buys, buy_amount: 480_000, fx_hold_id });
    expect(body.code).toBe('AMOUNT_ABOVE_LIMIT');
  });
});

describe('refused, and nothing is held', () => {
  test.each([
    // The minimum and the limit of the pair are euros: 1 and 5,000,000.
    ['buy_amount=1.08', 'AMOUNT_BELOW_MIN'],
    ['buy_amount=5410000', 'AMOUNT_ABOVE_LIMIT'],
  ])('%s is outside the limits in one direction', async (amount, code) => {
    const before = await door.kept('acme');
    const [one, opposite] = await Promise.all([
      acme.get(`${GET_FX_RATE}?${EUR_TO_USD}&${amount}`),
      acme.get(`${GET_FX_RATE}?source_currency=USD&destination_currency=EUR&${amount.replace('buy', 'sell')}`),
    ]);
    expect([one.status, opposite.status].sort()).toEqual([200, 400]);
    const [good, query] =
      one.status === 200 ? [one, EUR_TO_USD] : [opposite, 'source_currency=USD&destination_currency=EUR'];
    const asked = one.status === 200 ? amount : amount.replace('buy', 'sell');
    const both = await acme.get(`${GET_FX_RATE}?${query}&${asked}&two_way=true`);
    expect([both.status, both.body.code]).toEqual([400, code]);
    const locked = await acme.get(`${LOCK}?rate_signature=${good.body.rate_signature}&two_way=true`);
    expect([locked.status, locked.body.code]).toEqual([400, code]);
    expect(await door.kept('acme')).toEqual(before);
  });

  test('more than the providers quote in one direction', async () => {
    door.levels('EUR/USD', '1.08431x1000000 1.08430x4000000', '1.08433x1000000');
    const query = `${EUR_TO_USD}&sell_amount=2000000`;
    const locked = await acme.get(`${LOCK}?rate_signature=${await signed(query)}&two_way=true`);
    const both = await acme.get(`${GET_FX_RATE}?${query}&two_way=true`);
    for (const { status, body } of [both, locked]) expect([status, body.code]).toEqual([400, 'INSUFFICIENT_LIQUIDITY']);
    expect((await lock(query)).status).toBe('OPEN');
  });

  test.each([
    ['GET rate', () => acme.get(`${GET_FX_RATE}?${EUR_TO_USD}&two_way=yes`), 'incorrect_format'],
    ['GET rate, twice', () => acme.get(`${GET_FX_RATE}?${EUR_TO_USD}&two_way=true&two_way=true`), 'incorrect_format'],
    ['GET', () => acme.get(`${LOCK}?rate_signature=a&two_way=1`), 'incorrect_format'],
    ['POST', () => acme.post(LOCK, { rate_signature: 'a', two_way: 'true' }), 'incorrect_format'],
    ['POST of a number', () => acme.post(LOCK, { rate_signature: 'a', two_way: 1 }), 'incorrect_format'],
  ] as const)('%s: two_way is neither true nor false', async (_how, ask, code) => {
    const { status, body } = await ask();
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([
      { field: 'two_way', code, message: expect.stringMatching(/^true or false: a (text|list|number) was sent$/) },
    ]);
  });
});

describe('a hold is read', () => {
  test('of one direction: as its lock answered', async () => {
    const hold = await lock(`${EUR_TO_USD}&sell_amount=100`);
    expect(await read(hold)).toEqual(hold);
    await acme.post(RELEASE, { fx_hold_id: hold.fx_hold_id });
    expect(await read(hold)).toEqual({ ...hold, status: 'RELEASED' });
    const later = await lock(`${EUR_TO_USD}&two_way=true`);
    door.services.nowMs += 900_001;
    expect(await read(later)).toEqual({ ...later, status: 'EXPIRED' });
  });

  test.each([
    ['an unknown one', async () => 'HLD0000000000000'],
    ['what is no id of a hold', async () => 'nothing'],
    ["another client's", () => other.hold(EUR_TO_USD)],
  ])('%s: 404', async (_what, id) => {
    const { status, body } = await acme.get(`${READ}/${await id()}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

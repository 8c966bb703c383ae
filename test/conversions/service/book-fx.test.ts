/** Book FX through the service: which moves are posted, and that they are posted once. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { shardFor } from '../../../engine/store/keys/redis-keys.js';
import { FRIDAY, HOUR_MS, type MoneyRig, outcomeOf, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;
let ids = 0;

beforeAll(async () => {
  on = await startMoney();
});
afterAll(() => on.stop());

async function someone(
  money: Record<string, string | undefined> = { EUR: '1000000', USD: '1000000', JPY: '100000000' },
) {
  const id = `client-${++ids}`;
  await perform(on.services, 'createClient', undefined, { id, name: id });
  const number: Record<string, string> = {};
  for (const [currency, funds] of Object.entries(money)) number[currency] = (await on.open(id, currency, funds)).number;
  return { id, number };
}
const order = (more: object) => ({ requestId: `order-${++ids}`, description: 'Invoice 8841', ...more });
const ask = (id: string, input: object, services: Services = on.services) =>
  perform(services, 'bookFxByCurrency', on.caller(id), input as never);

describe('postings', () => {
  // EUR/USD 1.08158 / 1.08164, the client's 1.0788760 / 1.0843509; USD/JPY 151.234 / 151.241, the client's 150.85592 /
  // 151.62005.
  test.each([
    // requested, sells, buys, margin, and the moves of the journal: E, U, J are the accounts
    [
      'the golden order: 250,000 EUR bought',
      { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 250_000 },
      ['USD E:U house:fx 27108773', 'EUR house:fx E:E 25000000', 'USD house:fx house:margin 67773'],
    ],
    [
      'sell given, base sold: the margin is in the quote currency',
      { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 250_000 },
      ['EUR E:E house:fx 25000000', 'USD house:fx E:U 26971900', 'USD house:fx house:margin 67600'],
    ],
    [
      'buy given, base sold: the margin is in the base currency',
      { sellCurrency: 'EUR', buyCurrency: 'USD', buyAmount: 1_000 },
      ['EUR E:E house:fx 92690', 'USD house:fx E:U 100000', 'EUR house:fx house:margin 232'],
    ],
    [
      'sell given, quote sold: the margin is in the base currency',
      { sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 1_000 },
      ['USD E:U house:fx 100000', 'EUR house:fx E:E 92221', 'EUR house:fx house:margin 231'],
    ],
    [
      'one unit: the margin is one cent',
      { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1 },
      ['EUR E:E house:fx 100', 'USD house:fx E:U 107', 'USD house:fx house:margin 1'],
    ],
    [
      'a currency without decimals, and too little for a margin: no entry',
      { sellCurrency: 'JPY', buyCurrency: 'USD', buyAmount: 1 },
      ['JPY E:J house:fx 152', 'USD house:fx E:U 100'],
    ],
    [
      'both given: the buy amount is exact, and what it takes is sold',
      { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 250_000, sellAmount: 271_087.73 },
      ['USD E:U house:fx 27108773', 'EUR house:fx E:E 25000000', 'USD house:fx house:margin 67773'],
    ],
  ] as const)('%s', async (_, asked, moves) => {
    const { id, number } = await someone();
    const before = await on.balances(id);
    const booking = await on.book(id, order(asked));
    const named = moves.map((move) =>
      move.replace(/E:([EUJ])/, (_, of) => number[{ E: 'EUR', U: 'USD', J: 'JPY' }[of as 'E']]!),
    );
    expect((await on.journal(id)).at(-1)).toEqual(['book-fx', named.join(';')]);
    const after = await on.balances(id);
    const expected = new Map(Object.entries(before).map(([name, minor]) => [name, BigInt(minor)]));
    for (const move of named) {
      const [currency, from, to, amount] = move.split(' ') as [string, string, string, string];
      expected.set(`${currency}/${from}`, (expected.get(`${currency}/${from}`) ?? 0n) - BigInt(amount));
      expected.set(`${currency}/${to}`, (expected.get(`${currency}/${to}`) ?? 0n) + BigInt(amount));
    }
    expect(after).toEqual(Object.fromEntries([...expected].map(([name, minor]) => [name, String(minor)])));
    for (const currency of ['EUR', 'USD', 'JPY']) {
      const own = Object.entries(after).filter(([name]) => name.startsWith(currency));
      expect(own.reduce((sum, [, minor]) => sum + BigInt(minor), 0n)).toBe(0n);
    }
    const [, , , margin = '0'] = moves[2]?.split(' ') ?? [];
    expect(booking).toMatchObject({ status: 'SETTLED', margin, createdAtMs: FRIDAY, expiryMs: FRIDAY + 12 * HOUR_MS });
  });

  test('posts nothing when either amount exceeds the balance by one minor unit', async () => {
    const { id } = await someone({ USD: '271087.72', EUR: undefined });
    const before = await on.keyspace.read();
    const buy = { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 250_000 };
    expect(await ask(id, order(buy))).toMatchObject({
      refusal: 'INSUFFICIENT_BALANCE',
      text: 'Balance 271087.72 USD, needed 271087.73: fund the account or send less',
      details: { availableAmount: 271_087.72, neededAmount: 271_087.73 },
    });
    expect(outcomeOf(await ask(id, order({ ...buy, sellAmount: 271_087.72 })))).toBe('RATE_MOVED');
    expect(await on.keyspace.read()).toEqual(before);
  });
});

describe('one request makes one booking', () => {
  const EUR_USD = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 100 };

  test('a request repeated a hundred times concurrently by two engines, FIX and REST books once', async () => {
    const { id } = await someone();
    const another: Services = { ...on.services, store: await on.testStore.another() };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const input = {
          requestId: 'same',
          description: `call ${i}`,
          ...EUR_USD,
          ...(i % 3 === 0 && { session: 'DESK1' }),
        };
        return ask(id, input, i % 2 === 0 ? on.services : another);
      }),
    );
    const booked = answers.flatMap((answer) => ('booking' in answer ? [answer] : []));
    expect(booked).toHaveLength(100);
    expect(booked.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const stored = booked.map(({ booking }) => inspect(JSON.parse(JSON.stringify(booking)), { sorted: true }));
    expect(new Set(stored).size).toBe(1);
    expect((await on.journal(id)).map(([step]) => step)).toEqual(['deposit', 'deposit', 'deposit', 'book-fx']);
  });

  test('a repeated request gets its first answer after everything has changed', async () => {
    const { id, number } = await someone({ EUR: '100', USD: undefined });
    await perform(on.services, 'setScheduledLimit', undefined, { clientId: id, limit: '100' });
    const input = order({ ...EUR_USD, type: 'SCHEDULED1' });
    const first = await ask(id, input);
    await perform(on.services, 'setScheduledLimit', undefined, { clientId: id, limit: '0' });
    await perform(on.services, 'changeAccount', undefined, { accountNumber: number.EUR, active: false });
    const shut: Services = {
      ...on.services,
      settings: { ...on.services.settings, marketHours: { isOpen: () => false } },
    };
    expect(await ask(id, { ...input, description: 'in other words' }, shut)).toEqual({
      ...first,
      replayed: true,
      outboxEntry: undefined,
      current: expect.objectContaining({ status: 'OPEN' }),
    });
    if (!('booking' in first)) throw new Error('not booked');
    await perform(on.services, 'cancelBooking', undefined, { clientId: id, confirmationId: first.booking.id });
    expect(await ask(id, input)).toEqual({
      ...first,
      replayed: true,
      outboxEntry: undefined,
      current: expect.objectContaining({ status: 'CANCELLED' }),
    });
    expect(await on.services.store.bookings.receipt({ id, shard: shardFor(id) }, input.requestId)).toMatchObject({
      booking: { status: 'CANCELLED' },
    });
    for (const other of [{ sellAmount: 100.01 }, { buyAmount: 1 }, { limitPrice: '1' }, { quoteId: 'HLD1' }])
      expect(outcomeOf(await ask(id, { ...input, ...other }))).toBe('REQUEST_ID_REUSED');
    expect(outcomeOf(await ask((await someone()).id, { ...input, type: '' }))).toBe('booked');
  });
});

describe('a hold', () => {
  const USD_EUR = { sellCurrency: 'USD', buyCurrency: 'EUR' };

  test.each([
    [-120_000, 'booked'],
    [1, 'HOLD_EXPIRED'],
    [HOUR_MS, 'HOLD_EXPIRED'],
  ])('booked %d ms after its expiry: %s', async (after, outcome) => {
    const { id } = await someone();
    try {
      const hold = await on.hold(id, { ...USD_EUR, holdUntilMs: FRIDAY + 300_000 }, 'DESK1');
      on.clock.now = hold.expiryMs + after;
      const answer = await ask(id, order({ ...USD_EUR, buyAmount: 250_000, quoteId: hold.id }));
      expect(outcomeOf(answer)).toBe(outcome);
      if ('refusal' in answer) expect(answer.text).toBe(`Hold ${hold.id} expired at 20261120-08:06:00.000`);
    } finally {
      on.clock.now = FRIDAY;
    }
  });

  test('a hundred concurrent orders by two engines and two account names book one hold once', async () => {
    const { id, number } = await someone();
    const { id: holdId } = await on.hold(id, USD_EUR);
    const another: Services = { ...on.services, store: await on.testStore.another() };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const services = i % 2 === 0 ? on.services : another;
        const input = order({ buyAmount: 1_000, quoteId: holdId });
        if (i % 3 > 0) return ask(id, { ...input, ...USD_EUR, ...(i % 3 > 1 && { session: 'DESK1' }) }, services);
        const accounts = { sellAccount: Number(number.USD), buyAccount: Number(number.EUR) };
        return perform(services, 'bookFxByAccount', on.caller(id), { ...input, ...accounts } as never);
      }),
    );
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'HOLD_USED')).toHaveLength(99);
    expect((await on.balances(id))[`EUR/${number.EUR}`]).toBe('100100000');
  });

  test('with an amount, it books exactly that amount of that currency at its own price', async () => {
    const { id } = await someone();
    const other = await someone();
    const hold = await on.hold(id, { ...USD_EUR, buyAmount: 250_000, holdPeriod: '4_hours' });
    const before = await on.keyspace.read();
    for (const asked of [
      { ...USD_EUR, buyAmount: 250_000.01 },
      { ...USD_EUR, sellAmount: 250_000 },
      { ...USD_EUR, sellAmount: 271_223.44 },
      { sellCurrency: 'EUR', buyCurrency: 'USD', buyAmount: 250_000 },
      { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 250_000 },
      { ...USD_EUR, buyAmount: 250_000, type: 'SCHEDULED1' },
      { ...USD_EUR, buyAmount: 250_000, settlementDate: '2026-11-23' },
    ])
      expect(outcomeOf(await ask(id, order({ ...asked, quoteId: hold.id }))), JSON.stringify(asked)).toMatch(
        'type' in asked ? 'AMOUNT_ABOVE_LIMIT' : 'HOLD_MISMATCH',
      );
    const foreign = await ask(other.id, order({ ...USD_EUR, buyAmount: 250_000, quoteId: hold.id }));
    expect(outcomeOf(foreign)).toBe('HOLD_NOT_FOUND');
    expect(await on.keyspace.read()).toEqual(before);
    on.tick('EUR/USD', '1.09158', '1.09164');
    try {
      const booking = await on.book(id, order({ ...USD_EUR, buyAmount: 250_000, quoteId: hold.id }));
      // 0.25 percent and 0.05 for four hours: 1.08164 / 0.997.
      expect(booking).toMatchObject({ price: 10_848_947, sell: '27122368', buy: '25000000', margin: '81368' });
      expect(booking).toMatchObject({ holdId: hold.id, marginPpm: 3_000, order: { kind: 'quoted' } });
    } finally {
      on.tick('EUR/USD', '1.08158', '1.08164');
    }
  });

  test.each([
    // type, booked after hours, value date, settles after hours
    ['PREFUNDING', 23, '20261118', 23 + 12],
    ['SCHEDULED1', 23, '20261117', 24],
    ['SCHEDULED2', 23, '20261118', 48],
  ] as const)(
    'of %s locked for a day and booked after %d h has its own settlement date',
    async (type, later, valueDate, settles) => {
      const { id } = await someone();
      await perform(on.services, 'setScheduledLimit', undefined, { clientId: id, limit: '1000' });
      const monday = FRIDAY - 4 * 24 * HOUR_MS;
      on.clock.now = monday;
      try {
        const asked = { ...USD_EUR, type, holdPeriod: '24_hours' };
        const [named, unnamed] = [await on.hold(id, asked), await on.hold(id, asked)];
        expect(named.valueDate).toBe(valueDate);
        on.clock.now += later * HOUR_MS;
        const book = (settlementDate?: string) =>
          ask(id, order({ ...USD_EUR, buyAmount: 10, quoteId: named.id, settlementDate }));
        // Business days, a weekend, the past, a date beyond spot.
        for (const date of ['2026-11-16', '2026-11-19', '2026-11-21', '2020-01-01', '2031-06-30'])
          expect(await book(date), date).toMatchObject({
            refusal: 'HOLD_MISMATCH',
            text: expect.stringMatching(/2026-11-1\d/),
          });
        for (const text of ['2026-02-29', '2026-00-10', '2026-11-31'])
          expect(await book(text), text).toMatchObject({ refusal: 'BAD_SETTLEMENT_DATE' });
        const iso = valueDate.replace(/(....)(..)(..)/, '$1-$2-$3');
        const facts = { valueDate, expiryMs: monday + settles * HOUR_MS };
        expect(await book(iso)).toMatchObject({ booking: facts });
        expect(await on.book(id, order({ ...USD_EUR, buyAmount: 10, quoteId: unnamed.id }))).toMatchObject(facts);
      } finally {
        on.clock.now = FRIDAY;
      }
    },
  );

  test('of SCHEDULED1 settles at once when the lock time on its date has passed', async () => {
    const { id } = await someone();
    await perform(on.services, 'setScheduledLimit', undefined, { clientId: id, limit: '1000' });
    const midnight = Date.UTC(2026, 10, 17);
    on.clock.now = midnight - 5_000;
    try {
      const caller = on.caller(id);
      const asked = { ...USD_EUR, type: 'SCHEDULED1', holdPeriod: '1_hour' } as const;
      const offer = await perform(on.services, 'getLockableRate', caller, asked);
      if ('refusal' in offer) throw new Error(offer.text);
      on.clock.now = midnight + 10_000;
      const locked = await perform(on.services, 'lockRate', caller, { rateSignature: offer.rateSignature });
      if ('refusal' in locked) throw new Error(locked.text);
      expect(locked.hold.valueDate).toBe('20261117');
      on.clock.now += HOUR_MS / 2;
      const booked = await on.book(id, order({ ...USD_EUR, buyAmount: 10, quoteId: locked.hold.id }));
      expect(booked).toMatchObject({ status: 'OPEN', valueDate: '20261117', expiryMs: on.clock.now });
      expect(await settleDue(on.services, 100)).toMatchObject({ settled: 1 });
    } finally {
      on.clock.now = FRIDAY;
    }
  });

  test('rejects a released hold with its own code', async () => {
    const { id } = await someone();
    const { id: holdId } = await on.hold(id, USD_EUR);
    await perform(on.services, 'releaseHold', on.caller(id), { holdId });
    expect(await ask(id, order({ ...USD_EUR, buyAmount: 1, quoteId: holdId }))).toMatchObject({
      refusal: 'HOLD_EXPIRED',
      text: `Hold ${holdId} was released`,
    });
  });

  test('rejects the opposite direction before any other mismatch', async () => {
    const { id } = await someone();
    const { id: holdId } = await on.hold(id, { ...USD_EUR, buyAmount: 250_000 });
    const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 250_000, holdId };
    const text = 'The hold sells USD and buys EUR';
    expect(await ask(id, order(command))).toMatchObject({ refusal: 'HOLD_MISMATCH', text });
  });
});

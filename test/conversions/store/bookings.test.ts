/** The booking step: amounts at their limits, refusals in their order, and one booking for one request. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BookFxStep, Stage } from '../../../engine/store/conversions/bookings.js';
import { type ClientSteps, type LedgerSteps, NOW, OFFERED, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { about } from '../../support/store.js';

let on: LedgerSteps;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const MAX = 999_999_999_999_999n;
const RETRY_MS = 3_600_000;
const someone = () => on.client(`client-${++clients}`);
const book = (client: ClientSteps, step: BookFxStep) => on.store.bookings.book(client.of, step);

describe('amounts of 14 and 15 digits', () => {
  test.each([
    // in the sell account, sold, in the buy account, bought, margin
    [MAX, MAX, 0n, 100_000_000_000_000n, 0n],
    [MAX, 100_000_000_000_001n, 0n, MAX, 123_456_789_012_345n],
    [123_456_789_012_345n, 123_456_789_012_344n, 1n, 999_999_999_999_998n, 99_999_999_999_999n],
    [100_000_000_000_000n, 100_000_000_000_000n, 0n, 10_000_000_000_000n, 1n],
  ])('%d: sells %d; %d: buys %d; margin %d', async (funds, sell, bought, buy, margin) => {
    const client = await someone();
    const eur = await client.open('EUR', funds);
    const usd = await client.open('USD', bought);
    const amounts = { sell: String(sell), buy: String(buy), margin: String(margin) };
    const booked = await book(client, client.step({}, amounts));
    expect(booked).toMatchObject({ kind: 'booked', booking: { ...amounts, status: 'SETTLED', settledAtMs: NOW } });
    expect(await client.balances()).toEqual({
      ...{ [`EUR/${eur}`]: String(funds - sell), 'EUR/house:fx': String(sell), 'EUR/nostro': String(-funds) },
      ...{ [`USD/${usd}`]: String(bought + buy), 'USD/house:fx': String(-buy - margin) },
      ...(margin > 0n && { 'USD/house:margin': String(margin) }),
      ...(bought > 0n && { 'USD/nostro': String(-bought) }),
    });
    const moves = [`EUR ${eur} house:fx ${sell}`, `USD house:fx ${usd} ${buy}`];
    if (margin > 0n) moves.push(`USD house:fx house:margin ${margin}`);
    expect((await client.journal()).at(-1)?.[2]).toBe(moves.join(';'));
  });

  test('no step writes a number with an exponent', async () => {
    const client = await someone();
    await client.open('EUR', MAX);
    await client.open('USD');
    const big = {
      sell: '100000000000000',
      buy: '100000000000000',
      margin: '100000000000000',
      type: 'SCHEDULED1' as const,
    };
    const open = { settlesAtMs: NOW + 100_000_000_000, scheduledRoom: MAX };
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const booked = await book(client, client.step({ ...open, session: 'DESK1' }, big));
      if (booked.kind !== 'booked') throw new Error(booked.kind);
      ids.push(booked.booking.id);
    }
    const [first, second, third] = await Promise.all(ids.map((id) => on.store.bookings.read(client.of, id)));
    const { dueQueue, holds } = on.store;
    const far = 9_999_999_999_999;
    on.now = NOW + 100_000_000_000;
    expect(await dueQueue.settle(client.of, first!, RETRY_MS)).toBe('settled');
    expect((await dueQueue.cancel(client.of, second!, { actor: 'operator', reason: '' })).kind).toBe('cancelled');
    await book(client, client.step({}, { ...big, sell: '800000000000000', type: 'PREFUNDING' }));
    expect(await dueQueue.settle(client.of, third!, RETRY_MS)).toBe('overdue');
    on.now = NOW;
    const hold = client.hold('HLD0000000000001', { expiryMs: far });
    await holds.lock(client.of, { hold, ...OFFERED });

    const kept = await on.keyspace.read();
    const own = Object.entries(kept).filter(
      ([key]) => key.includes(client.of.id) || key.endsWith(':due') || key.includes(':fix:'),
    );
    expect(own.length).toBeGreaterThan(8);
    const amounts = (value: unknown) => JSON.stringify(value).replaceAll(/\|[0-9a-f]{16}\b/g, '');
    for (const [key, value] of own) expect(amounts(value), key).not.toMatch(/\de[+-]?\d|\d\.\d+e/i);
    expect(Number(await client.due(`settle:${client.of.id}:${third!.id}`))).toEqual(
      about(NOW + 100_000_000_000 + RETRY_MS),
    );
    expect(await client.due(`hold:${client.of.id}:${hold.id}`)).toBe(String(far));
    expect(await on.keyspace.redis.zscore(client.keys.openHolds, `DESK1|${hold.id}`)).toBe(String(far));
    expect(await on.keyspace.redis.hgetall(client.keys.scheduled)).toEqual({ EUR: '100000000000000' });
  });
});

describe('the limits of balances', () => {
  test.each([
    // sell account, sells, buy account, buys, outcome
    [100n, 100n, 0n, 1n, 'booked'],
    [99n, 100n, 0n, 1n, 'INSUFFICIENT_BALANCE'],
    [MAX, MAX, 0n, MAX, 'booked'],
    [MAX - 1n, MAX, 0n, MAX, 'INSUFFICIENT_BALANCE'],
    [100n, 1n, MAX - 5n, 5n, 'booked'],
    [100n, 1n, MAX - 5n, 6n, 'BALANCE_LIMIT'],
    [100n, 1n, MAX, 1n, 'BALANCE_LIMIT'],
    [0n, 1n, MAX, 1n, 'INSUFFICIENT_BALANCE'],
  ] as const)('%d sells %d, %d buys %d: %s', async (funds, sell, bought, buy, outcome) => {
    const client = await someone();
    await client.open('EUR', funds);
    await client.open('USD', bought);
    const before = await on.keyspace.read();
    const answer = await book(client, client.step({}, { sell: String(sell), buy: String(buy), margin: '0' }));
    if (outcome === 'booked') return expect(answer.kind).toBe('booked');
    const more = outcome === 'INSUFFICIENT_BALANCE' ? `${funds} ${sell} EUR` : '';
    expect(answer).toEqual({ kind: 'refused', code: outcome, text: '', more });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test.each(['EUR/house:fx', 'USD/house:fx', 'USD/house:margin'])(
    'where %s has no room left for 64 bits, nothing is moved',
    async (name) => {
      const client = await someone();
      await client.open('EUR', 10_000n);
      await client.open('USD');
      await on.keyspace.redis.hset(client.keys.balances, name, '-9223372036854775000');
      const before = await on.keyspace.read();
      expect(await book(client, client.step())).toMatchObject({ kind: 'refused', code: 'BALANCE_LIMIT' });
      expect(await on.keyspace.read()).toEqual(before);
      await on.keyspace.redis.hset(client.keys.balances, name, '999999999999999999');
      expect((await book(client, client.step())).kind).toBe('booked');
    },
  );
});

describe('the order of refusals', () => {
  const ROWS = [
    ['reused', 'REQUEST_ID_REUSED'],
    ['unknown', 'UNKNOWN_ACCOUNT'],
    ['inactive', 'ACCOUNT_INACTIVE'],
    ['currency', 'ACCOUNT_CURRENCY'],
    ['amount', 'SAME_CURRENCY'],
    ['scheduled', 'AMOUNT_ABOVE_LIMIT'],
    ['date', 'MARKET_CLOSED'],
    ['no hold', 'HOLD_NOT_FOUND'],
    ['used', 'HOLD_USED'],
    ['expired', 'HOLD_EXPIRED'],
    ['price', 'RATE_MOVED'],
    ['funds', 'INSUFFICIENT_BALANCE'],
    ['room', 'BALANCE_LIMIT'],
  ] as const;
  type Row = (typeof ROWS)[number][0];
  const STAGES: readonly Row[] = ['amount', 'date', 'price'];
  const HOLDS: readonly Row[] = ['no hold', 'used', 'expired'];
  const holdIds = { 'no hold': 'HLD0000000000009', used: 'HLD0000000000001', expired: 'HLD0000000000002' };
  let client: ClientSteps;
  let number: Record<string, string>;

  beforeAll(async () => {
    client = await on.client('orderly');
    number = { EUR: await client.open('EUR', 1_000_000n), USD: await client.open('USD') };
    number.poor = await client.open('EUR');
    number.full = await client.open('USD', MAX);
    number.closed = await client.open('EUR');
    await on.store.accounts.change(client.of, number.closed, { active: false });
    await book(client, client.step({ requestId: 'taken', fingerprint: 'another' }));
    for (const id of [holdIds.used, holdIds.expired])
      await on.store.holds.lock(client.of, { hold: client.hold(id), ...OFFERED });
    await book(client, client.step({ holdId: holdIds.used }));
  });

  function stepWith(rows: readonly Row[]): BookFxStep {
    const has = (row: Row) => rows.includes(row);
    const stage = rows.find((row) => STAGES.includes(row)) as Stage | undefined;
    const code = ROWS.find(([row]) => row === stage)?.[1];
    const held = rows.find((row) => HOLDS.includes(row)) as keyof typeof holdIds | undefined;
    const sellAccount = has('unknown') ? '999999999999' : has('inactive') ? 'closed' : has('funds') ? 'poor' : 'EUR';
    return client.step({
      ...(has('reused') && { requestId: 'taken' }),
      sellAccount: number[sellAccount] ?? sellAccount,
      buyAccount: number[has('room') ? 'full' : 'USD'],
      ...(has('currency') && { buyCurrency: 'JPY' }),
      ...(stage && code && { refusal: { stage, code, text: 'found before' }, facts: undefined }),
      ...(has('scheduled') && { scheduledRoom: -1n }),
      ...(held && { holdId: holdIds[held] }),
    });
  }
  const isOne = (rows: readonly Row[], one: Row, other: Row) => rows.includes(one) && rows.includes(other);

  test.each(ROWS.map(([row, code], place) => [row, code, place] as const))('%s: %s', async (row, code, place) => {
    on.now = NOW + 60_000;
    const before = await on.keyspace.read();
    const later = ROWS.slice(place + 1).filter(
      ([other]) =>
        !isOne(STAGES, row, other) && !isOne(HOLDS, row, other) && !isOne(['unknown', 'inactive', 'funds'], row, other),
    );
    for (const rows of [[row], ...later.map(([other]) => [row, other])])
      expect(await book(client, stepWith(rows)), rows.join()).toMatchObject({ kind: 'refused', code });
    expect(await on.keyspace.read()).toEqual(before);
  });
});

describe('one request makes one booking', () => {
  test('a hundred concurrent repetitions by two processes book once, and all get that booking', async () => {
    const client = await someone();
    const eur = await client.open('EUR', 1_000_000n);
    await client.open('USD');
    const stores = [on.store, await on.testStore.another()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => stores[i % 2]!.bookings.book(client.of, client.step({ requestId: 'one' }))),
    );
    expect(answers.filter(({ kind }) => kind === 'booked')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'replayed')).toHaveLength(99);
    expect(
      new Set(answers.map((answer) => ('booking' in answer ? inspect(answer.booking, { sorted: true }) : ''))).size,
    ).toBe(1);
    expect((await client.balances())[`EUR/${eur}`]).toBe('990000');
    expect(await client.journal()).toHaveLength(2);
  });

  test('a receipt is kept seven days, a booking for ever', async () => {
    const client = await someone();
    await client.open('EUR', 10_000n);
    await client.open('USD');
    const step = client.step({ session: 'DESK1', rememberRefusal: true });
    await book(client, step);
    await book(client, client.step({ requestId: 'refused', rememberRefusal: true }));
    for (const id of [step.requestId, 'refused']) {
      const left = await on.keyspace.redis.pttl(client.keys.receipt(id));
      // Its key stays seven days longer than it counts: the server's clock may be turned.
      expect(left).toBeGreaterThan(14 * 86_400_000 - 60_000);
      expect(left).toBeLessThanOrEqual(14 * 86_400_000);
    }
    expect(await on.keyspace.redis.pttl(client.keys.bookings)).toBe(-1);
    expect(await on.store.bookings.receipt(client.of, 'refused')).toEqual({
      ...{ kind: 'refused', code: 'INSUFFICIENT_BALANCE', text: '', more: '0 10000 EUR' },
    });
  });

  test('open scheduled sells stay within the limit, whatever the time', async () => {
    const client = await someone();
    await client.open('EUR');
    await client.open('USD');
    const limit = 20_000n;
    const one = () => client.step({ settlesAtMs: NOW + 1, scheduledRoom: limit - 10_000n }, { type: 'SCHEDULED1' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => book(client, one())));
    expect(answers.filter(({ kind }) => kind === 'booked')).toHaveLength(2);
    expect(answers.filter((answer) => 'code' in answer && answer.code === 'AMOUNT_ABOVE_LIMIT')).toHaveLength(18);
    expect(await on.keyspace.redis.hgetall(client.keys.scheduled)).toEqual({ EUR: '20000' });
  });
});

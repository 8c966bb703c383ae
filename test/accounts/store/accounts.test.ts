import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAccountNumber } from '../../../engine/domain/core/ids.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { about } from '../../support/store.js';

let on: LedgerSteps;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const MAX = 999_999_999_999_999n;
const someone = () => on.client(`client-${++clients}`);
const credit = (client: ClientSteps, reference: string, number: string, minor: bigint) =>
  on.store.accounts.credit(client.of, reference, number, minor);
const account = (currency: string, more: object = {}) => ({
  ...{ currency, label: '', autoBookFxSequence: 0, makeDefault: false },
  ...more,
});

describe('accounts', () => {
  test('the first of a currency is its default until another is made the default', async () => {
    const client = await someone();
    const { accounts } = on.store;
    const first = (await accounts.open(
      client.of,
      account('EUR', { label: 'Höchst % %s "x"', autoBookFxSequence: 12 }),
    ))!;
    expect(first).toMatchObject({ currency: 'EUR', active: true, isDefault: true, autoBookFxSequence: 12 });
    expect(first.label).toBe('Höchst % %s "x"');
    expect(isAccountNumber(first.number)).toBe(true);
    expect(await accounts.holderOf(first.number)).toBe(client.of.id);
    const second = (await accounts.open(client.of, account('EUR')))!;
    const third = (await accounts.open(client.of, account('EUR', { makeDefault: true })))!;
    await accounts.open(client.of, account('USD'));
    const defaults = async () =>
      (await accounts.list(client.of)).filter(({ isDefault }) => isDefault).map(({ number }) => number);
    expect(await defaults()).toContain(third.number);
    expect(await accounts.change(client.of, second.number, { makeDefault: true, active: false })).toBe(true);
    expect(await defaults()).toContain(second.number);
    expect(await defaults()).toHaveLength(2);
    const changed = (await accounts.list(client.of)).find(({ number }) => number === first.number);
    expect(changed).toEqual({ ...first, isDefault: false });
    expect(await accounts.change(client.of, first.number, { label: '', autoBookFxSequence: 0 })).toBe(true);
    const emptied = (await accounts.list(client.of)).find(({ number }) => number === first.number);
    expect(emptied).toEqual({ ...first, isDefault: false, label: '', autoBookFxSequence: 0 });
  });

  test('an account of another client changes nothing', async () => {
    const [client, other] = [await someone(), await someone()];
    const foreign = await other.open('EUR');
    await client.open('EUR');
    const before = await on.keyspace.read();
    for (const number of [foreign, '100000000000', 'default:EUR', ''])
      expect(await on.store.accounts.change(client.of, number, { active: false })).toBe(false);
    for (const number of [foreign, '100000000000', 'default:EUR', ''])
      expect(await on.store.accounts.currencyOf(client.of, number)).toBeUndefined();
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('a client has at most ten thousand', async () => {
    const client = await someone();
    await client.open('EUR');
    const fill = Array.from({ length: 9_998 }, (_, i) => [`${100_000_000_000 + i}`, 'EUR 1 0 ']).flat();
    await on.keyspace.redis.hset(client.keys.accounts, ...(fill as [string, string]));
    const before = await on.keyspace.redis.hgetall(client.keys.balances);
    expect(await on.store.accounts.open(client.of, account('EUR'))).toBeUndefined();
    expect(await on.keyspace.redis.hlen(client.keys.accounts)).toBe(10_000);
    expect(await on.keyspace.redis.hgetall(client.keys.balances)).toEqual(before);
    await on.keyspace.redis.del(client.keys.accounts);
  });
});

describe('deposits', () => {
  test('come from nostro, once for each reference', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    expect(await credit(client, 'wire-1', eur, 100_000_000_000_001n)).toEqual({
      ...{ balance: 100_000_000_000_001n, replayed: false },
    });
    expect(await credit(client, 'wire-1', eur, 100_000_000_000_001n)).toEqual({
      ...{ balance: 100_000_000_000_001n, replayed: true },
    });
    expect(await client.balances()).toEqual({ [`EUR/${eur}`]: '100000000000001', 'EUR/nostro': '-100000000000001' });
    expect(await client.journal()).toEqual([['deposit', 'wire-1', `EUR nostro ${eur} 100000000000001`]]);
  });

  test('fifty concurrent repetitions by two processes credit once', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    const stores = [on.store, await on.testStore.another()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => stores[i % 2]!.accounts.credit(client.of, 'wire', eur, 5n)),
    );
    expect(answers.filter((answer) => typeof answer === 'object' && !answer.replayed)).toHaveLength(1);
    expect((await client.balances())[`EUR/${eur}`]).toBe('5');
  });

  test('fill an account to its limit and not beyond', async () => {
    const client = await someone();
    const jpy = await client.open('JPY', 1n);
    const before = await on.keyspace.read();
    expect(await credit(client, 'too-much', jpy, MAX)).toBe('BALANCE_LIMIT');
    expect(await on.keyspace.read()).toEqual(before);
    expect(await credit(client, 'fits', jpy, MAX - 1n)).toEqual({ balance: MAX, replayed: false });
    expect(await credit(client, 'one-more', jpy, 1n)).toBe('BALANCE_LIMIT');
  });

  test('where nostro has no room left for 64 bits, nothing is moved', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    await on.keyspace.redis.hset(client.keys.balances, 'EUR/nostro', '-9223372036854775000');
    const before = await on.keyspace.read();
    expect(await credit(client, 'wire', eur, MAX)).toBe('BALANCE_LIMIT');
    expect(await on.keyspace.read()).toEqual(before);
  });

  // Each row's credit also meets the conditions of the later rows, where they can apply at once.
  test.each([
    ['another amount for a known reference', 'known', 'closed', MAX, 'REQUEST_ID_REUSED'],
    ['a known reference for another account', 'known', 'other', 7n, 'REQUEST_ID_REUSED'],
    ["another client's account", 'new', 'foreign', MAX, 'UNKNOWN_ACCOUNT'],
    ['a closed account', 'new', 'closed', MAX, 'ACCOUNT_INACTIVE'],
    ['no room', 'new', 'other', MAX, 'BALANCE_LIMIT'],
  ] as const)('%s', async (_, reference, which, minor, code) => {
    const client = await someone();
    const number = {
      closed: await client.open('EUR'),
      other: await client.open('EUR', 1n),
      foreign: await (await someone()).open('EUR'),
    };
    await credit(client, 'known', number.closed, 7n);
    await on.store.accounts.change(client.of, number.closed, { active: false });
    const before = await on.keyspace.read();
    expect(await credit(client, reference, number[which], minor)).toBe(code);
    expect(await on.keyspace.read()).toEqual(before);
    // A deposit that was made while the account was active gets its first answer.
    expect(await credit(client, 'known', number.closed, 7n)).toEqual({ balance: 7n, replayed: true });
  });

  test('are journalled at the time of the clock', async () => {
    const client = await someone();
    await client.open('EUR', 1n);
    const [entry] = await on.store.journal.latest(client.of, 1);
    expect(entry?.atMs).toEqual(about(NOW));
  });
});

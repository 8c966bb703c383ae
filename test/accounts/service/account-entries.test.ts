import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../../engine/store/ledger/journal.js';
import { FRIDAY, HOUR_MS, type MoneyRig, startMoney } from '../../service/money-rig.js';
import { entryFields } from '../../support/stored.js';

type Statement = OutputOf<'listAccountEntries'>;
type Entry = Statement['items'][number];

/** Account entries as the store keeps them, read straight from the journal. */
interface Kept {
  readonly entry: string;
  readonly step: string;
  readonly id: string;
  readonly at: number;
  readonly moves: readonly (readonly [from: string, to: string, amount: bigint])[];
}

let rig: MoneyRig;
let requests = 0;

beforeAll(async () => {
  rig = await startMoney();
});
afterAll(() => rig.stop());

const ask = (id: string, accountNumber: string, input: object = {}) =>
  perform(rig.services, 'listAccountEntries', rig.caller(id), { accountNumber, ...input });

async function page(id: string, accountNumber: string, input: object = {}): Promise<Statement> {
  const answer = await ask(id, accountNumber, input);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${JSON.stringify(answer.fields)}`);
  return answer;
}

async function all(id: string, accountNumber: string, input: object = {}): Promise<{ items: Entry[]; pages: number }> {
  const items: Entry[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const found = await page(id, accountNumber, { ...input, cursor });
    items.push(...found.items);
    cursor = found.nextCursor;
    pages++;
  } while (cursor);
  return { items, pages };
}

const keysOf = async (id: string) => ledgerKeys((await rig.services.store.clients.get(id))!);

async function journal(id: string): Promise<Kept[]> {
  const entries = await rig.keyspace.redis.xrange((await keysOf(id)).journal, '-', '+');
  return entries.map(asEntry).map(({ entry, step, id, atMs, moves }) => {
    return {
      ...{ entry, step, id, at: atMs },
      moves: (moves === '' ? [] : moves.split(';')).map((move) => {
        const [, from = '', to = '', amount = ''] = move.split(' ');
        return [from, to, BigInt(amount)] as const;
      }),
    };
  });
}

/** The expected statement, summed from the first journal entry. */
async function expected(id: string, account: string): Promise<object[]> {
  let balance = 0n;
  const found: object[] = [];
  for (const { entry, id: reference, at, moves } of await journal(id)) {
    const before = balance;
    for (const [from, to, amount] of moves) {
      if (from === account) balance -= amount;
      if (to === account) balance += amount;
    }
    if (moves.some(([from, to]) => from === account || to === account))
      found.push({ id: entry, createdAtMs: at, reference, amount: balance - before, balance, paysOn: '' });
  }
  return found.reverse();
}

const withoutType = ({ type: _type, receivable: _owed, ...entry }: Entry) => entry;

describe('the statement of an account', () => {
  let accounts: Record<string, string>;

  beforeAll(async () => {
    await perform(rig.services, 'createClient', undefined, { id: 'acme', name: 'acme' });
    await perform(rig.services, 'setScheduledLimit', undefined, { clientId: 'acme', limit: '1000000' });
    const open = async (currency: string, funds?: string) => (await rig.open('acme', currency, funds)).number;
    accounts = {
      EUR: await open('EUR', '10000.00'),
      USD: await open('USD', '10000.00'),
      JPY: await open('JPY', '1000000'),
      idle: await open('CHF'),
    };
    const ways = [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
      ['USD', 'JPY'],
      ['JPY', 'EUR'],
    ] as const;
    rig.clock.now = FRIDAY;
    for (let i = 0; i < 120; i++) {
      rig.clock.now += i % 4 ? 1_000 : 0;
      const [sellCurrency, buyCurrency] = ways[(i * 7) % 4]!;
      const amount = sellCurrency === 'JPY' ? { sellAmount: 1_000 + i } : { sellAmount: (1_000 + i) / 100 };
      const type = i % 10 === 3 ? 'SCHEDULED1' : 'PREFUNDING';
      const request = { requestId: `entries-${++requests}`, description: 'a test', sellCurrency, buyCurrency, type };
      await rig.book('acme', { ...request, ...amount });
      if (i % 15 === 0)
        await perform(rig.services, 'creditAccount', undefined, { accountNumber: accounts.EUR!, amount: '12.34' });
    }
    rig.clock.now += 96 * HOUR_MS;
    await settleDue(rig.services, 100);
  });

  test.each(['EUR', 'USD', 'JPY'])(
    '%s: lists every entry with the balance that the journal sums up to',
    async (name) => {
      const account = accounts[name]!;
      const must = await expected('acme', account);
      expect(must.length).toBeGreaterThan(30);
      for (const limit of [200, 7, 1]) {
        const { items } = await all('acme', account, { limit });
        expect(items.map(withoutType)).toEqual(must);
      }
      const { items } = await page('acme', account);
      const balances = await rig.balances('acme');
      expect(items[0]!.balance).toBe(BigInt(balances[`${name}/${account}`]!));
    },
  );

  test('an entry names its kind and its references', async () => {
    const { items } = await all('acme', accounts.EUR!);
    const steps = new Map((await journal('acme')).map(({ entry, step }) => [entry, step]));
    expect(new Set(items.map(({ id, type }) => `${steps.get(id)} ${type}`))).toEqual(
      new Set(['book-fx book-fx', 'settle-fx book-fx', 'deposit deposit']),
    );
    const [booked] = items.filter(({ type }) => type === 'book-fx');
    const read = await perform(rig.services, 'readBooking', rig.caller('acme'), { confirmationId: booked!.reference });
    expect(read).toMatchObject({ booking: { id: booked!.reference } });
  });

  test('balances stay exact and no entry is repeated while the account is in use', async () => {
    const account = accounts.USD!;
    const must = await expected('acme', account);
    const first = await page('acme', account, { limit: 10 });
    const items = [...first.items];
    let cursor = first.nextCursor;
    while (cursor) {
      await perform(rig.services, 'creditAccount', undefined, { accountNumber: account, amount: '1.00' });
      const next = await page('acme', account, { limit: 10, cursor });
      items.push(...next.items);
      cursor = next.nextCursor;
    }
    expect(items.map(withoutType)).toEqual(must);
  });

  test('filters by period and type keep the balances of the unfiltered list', async () => {
    const account = accounts.EUR!;
    const { items } = await all('acme', account);
    const from = items[Math.floor(items.length * 0.8)]!.createdAtMs;
    const to = items[Math.floor(items.length * 0.3)]!.createdAtMs;
    const iso = (ms: number) => new Date(ms).toISOString();
    const cases: [object, (entry: Entry) => boolean][] = [
      [{ from: iso(from) }, ({ createdAtMs }) => createdAtMs >= from],
      [{ to: iso(to) }, ({ createdAtMs }) => createdAtMs <= to],
      [{ from: iso(from), to: iso(to) }, ({ createdAtMs }) => createdAtMs >= from && createdAtMs <= to],
      [{ from: iso(to), to: iso(to) }, ({ createdAtMs }) => createdAtMs === to],
      [{ type: 'deposit' }, ({ type }) => type === 'deposit'],
      [{ type: 'deposit,book-fx' }, () => true],
      [{ type: 'payment' }, () => false],
      [{ type: 'book-fx', to: iso(to) }, ({ type, createdAtMs }) => type === 'book-fx' && createdAtMs <= to],
    ];
    for (const [input, matches] of cases)
      for (const limit of [3, 200]) {
        const found = await all('acme', account, { ...input, limit });
        expect([input, found.items]).toEqual([input, items.filter(matches)]);
      }
  });

  test('lists nothing for an account without entries and rejects an unknown or foreign account', async () => {
    expect(await page('acme', accounts.idle!)).toEqual({ currency: 'CHF', items: [], nextCursor: '' });
    await perform(rig.services, 'createClient', undefined, { id: 'other', name: 'other' });
    const foreign = await rig.open('other', 'EUR', '1.00');
    for (const number of ['999999999999', 'EUR', '', foreign.number])
      expect(await ask('acme', number)).toMatchObject({ refusal: 'NOT_FOUND' });
    expect(await page('other', foreign.number)).toMatchObject({
      items: [{ type: 'deposit', amount: 100n, balance: 100n }],
    });
    expect(await ask('other', accounts.EUR!)).toMatchObject({ refusal: 'NOT_FOUND' });
  });

  test('rejects a cursor of another account', async () => {
    const { nextCursor: cursor } = await page('acme', accounts.EUR!, { limit: 1 });
    expect(await ask('acme', accounts.USD!, { limit: 1, cursor })).toMatchObject({ fields: [{ field: 'cursor' }] });
    expect(await ask('acme', accounts.EUR!, { limit: 1, cursor, type: 'deposit' })).toMatchObject({
      fields: [{ field: 'cursor' }],
    });
  });
});

test('a funding appears when completed and when reversed, and not otherwise', async () => {
  await perform(rig.services, 'createClient', undefined, { id: 'funder', name: 'funder' });
  const { number } = await rig.open('funder', 'EUR');
  const caller = rig.caller('funder');
  const command = { accountNumber: Number(number), amount: 25.5, depositAccount: 'DBS-1-EUR', reference: 'MANUAL' };
  const created = async () => {
    const answer = await perform(rig.services, 'createFunding', caller, command);
    if ('refusal' in answer) throw new Error(`${answer.refusal} ${JSON.stringify(answer.fields)}`);
    return answer.funding.id;
  };
  const [kept, rejected] = [await created(), await created()];
  await perform(rig.services, 'completeFunding', undefined, { fundingId: kept, reason: 'seen' });
  await perform(rig.services, 'rejectFunding', undefined, { fundingId: rejected, reason: 'not there' });
  await perform(rig.services, 'reverseFunding', undefined, { fundingId: kept, reason: 'called back' });
  const { items } = await page('funder', number);
  expect(items.map(({ type, amount, balance, reference }) => [type, amount, balance, reference])).toEqual([
    ['funding-reversal', -2_550n, 0n, kept],
    ['funding', 2_550n, 2_550n, kept],
  ]);
  const listed = await perform(rig.services, 'listFundings', caller, { status: 'REVERSED,REJECTED' });
  expect(listed).toMatchObject({ items: { length: 2 }, nextCursor: '' });
  expect(await perform(rig.services, 'listFundings', caller, { status: 'REVERSED' })).toMatchObject({
    items: [{ id: kept }],
  });
});

describe('entries of a payment', () => {
  test('amount and fee leave in one entry, and a returned amount is a refund', async () => {
    await perform(rig.services, 'createClient', undefined, { id: 'payer', name: 'payer' });
    const { number } = await rig.open('payer', 'USD', '100.00');
    const { journal: stream, balances } = await keysOf('payer');
    // The entries that each step of a payment writes.
    const step = async (status: string, moves: string, change: number) => {
      await rig.keyspace.redis.hincrby(balances, `USD/${number}`, change);
      const entry = { step: 'payment', id: 'PAY1', atMs: FRIDAY, moves, to: status };
      await rig.keyspace.redis.xadd(stream, '*', ...entryFields(entry));
    };
    await step('IN_PROCESS', `USD ${number} transit 5000;USD ${number} house:fees 250`, -5_250);
    await step('COMPLIANCE_APPROVED', '', 0);
    await step('CANCELLED', `USD transit ${number} 5000;USD house:fees ${number} 250`, 5_250);
    const { items } = await page('payer', number);
    expect(items.map(({ type, amount, balance, reference }) => [type, amount, balance, reference])).toEqual([
      ['refund', 5_250n, 10_000n, 'PAY1'],
      ['payment', -5_250n, 4_750n, 'PAY1'],
      ['deposit', 10_000n, 10_000n, expect.any(String)],
    ]);
  });
});

describe('a request reads at most 1,000 entries', () => {
  let busy: string;
  let quiet: string;

  beforeAll(async () => {
    await perform(rig.services, 'createClient', undefined, { id: 'busy', name: 'busy' });
    rig.clock.now = FRIDAY;
    quiet = (await rig.open('busy', 'EUR', '1.00')).number;
    busy = (await rig.open('busy', 'USD')).number;
    rig.clock.now = FRIDAY + HOUR_MS;
    for (let i = 0; i < 1_500; i += 100)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          perform(rig.services, 'creditAccount', undefined, { accountNumber: busy, amount: '0.01' }),
        ),
      );
  });

  test('returns an empty page with a cursor where other accounts fill the scanned entries', async () => {
    const first = await page('busy', quiet, { limit: 5 });
    expect(first.items).toEqual([]);
    const second = await page('busy', quiet, { limit: 5, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ amount: 100n, balance: 100n }], nextCursor: '' });
  });

  test('scans past entries after the end of the period', async () => {
    const input = { to: new Date(FRIDAY + 60_000).toISOString() };
    const { items, pages } = await all('busy', quiet, input);
    expect([items.length, pages]).toEqual([1, 2]);
    expect(await all('busy', busy, input)).toEqual({ items: [], pages: 2 });
  });

  test('does not scan entries before the period', async () => {
    rig.clock.now = FRIDAY + 3 * HOUR_MS;
    await perform(rig.services, 'creditAccount', undefined, { accountNumber: busy, amount: '0.01' });
    const input = { from: new Date(FRIDAY + 2 * HOUR_MS).toISOString() };
    expect(await all('busy', busy, input)).toMatchObject({ items: [{ balance: 1_501n }], pages: 1 });
    expect(await all('busy', quiet, input)).toEqual({ items: [], pages: 1 });
  });

  test('500 entries in pages of 200 are exact', async () => {
    const { items } = await all('busy', busy, { limit: 200 });
    expect(items.map(withoutType)).toEqual(await expected('busy', busy));
  });
});

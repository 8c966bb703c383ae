import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import type { FieldFault } from '../../../engine/domain/core/refusal.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { FRIDAY, HOUR_MS, type MoneyRig, startMoney } from '../money-rig.js';

type ListedBookings = OutputOf<'listBookings'>;

let rig: MoneyRig;
let requests = 0;

beforeAll(async () => {
  rig = await startMoney();
});
afterAll(() => rig.stop());

async function client(id: string, scheduledLimit = '1000000'): Promise<void> {
  await perform(rig.services, 'createClient', undefined, { id, name: id });
  await perform(rig.services, 'setScheduledLimit', undefined, { clientId: id, limit: scheduledLimit });
  await rig.open(id, 'EUR', '1000000.00');
  await rig.open(id, 'USD', '1000000.00');
  await rig.open(id, 'JPY', '1000000');
}

const book = (id: string, more: object = {}): Promise<Booking> =>
  rig.book(id, {
    requestId: `list-${++requests}`,
    description: 'a test',
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    sellAmount: 10,
    ...more,
  });

const list = (id: string, input: object = {}) => perform(rig.services, 'listBookings', rig.caller(id), input);

async function page(id: string, input: object = {}): Promise<ListedBookings> {
  const answer = await list(id, input);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${JSON.stringify(answer.fields)}`);
  return answer;
}

const ids = ({ items }: ListedBookings) => items.map((booking) => booking.id);

async function faults(id: string, input: object): Promise<readonly FieldFault[]> {
  const answer = await list(id, input);
  if (!('refusal' in answer)) throw new Error('not refused');
  expect(answer.refusal).toBe('VALIDATION_FAILED');
  return answer.fields ?? [];
}

describe('paging', () => {
  test('500 bookings in pages of 7 during bookings: each once, the newest first', async () => {
    await client('pages');
    rig.clock.now = FRIDAY;
    const booked: Booking[] = [];
    for (let i = 0; i < 500; i++) {
      // Every third one in the same millisecond as its predecessor.
      if (i % 3) rig.clock.now += 1;
      booked.push(await book('pages', { sellAmount: 5 }));
    }
    const expected = booked.map(({ createdAtMs, id }) => `${createdAtMs}|${id}`).sort();
    expect(new Set(booked.map(({ createdAtMs }) => createdAtMs)).size).toBeLessThan(400);

    const found: string[] = [];
    let cursor = '';
    do {
      const { items, nextCursor } = await page('pages', { limit: 7, cursor });
      expect(items.length).toBeLessThanOrEqual(7);
      found.push(...items.map(({ createdAtMs, id }) => `${createdAtMs}|${id}`));
      cursor = nextCursor;
      rig.clock.now += 1;
      await book('pages', { sellAmount: 5 });
    } while (cursor);
    expect(found).toEqual(expected.reverse());
    rig.clock.now = FRIDAY;
  });

  test('the last page has no cursor, even when it is full', async () => {
    await client('full');
    const first = await book('full');
    rig.clock.now += 1;
    const second = await book('full');
    expect(await page('full', { limit: 2 })).toMatchObject({
      items: [{ id: second.id }, { id: first.id }],
      nextCursor: '',
    });
    const { nextCursor } = await page('full', { limit: 1 });
    expect(nextCursor).not.toBe('');
    // The limit may change from page to page.
    expect(await page('full', { limit: 200, cursor: nextCursor })).toMatchObject({
      items: [{ id: first.id }],
      nextCursor: '',
    });
    expect(await page('pages', {})).toMatchObject({ items: { length: 50 } });
  });

  test('lists nothing for a client without bookings, and nothing of another client', async () => {
    await client('none');
    expect(await page('none')).toEqual({ items: [], nextCursor: '' });
  });

  test('a request reads at most 1,000 records: the page is short and has a cursor', async () => {
    await client('many');
    rig.clock.now = FRIDAY;
    const first = await book('many', { type: 'SCHEDULED1' });
    rig.clock.now += 1;
    for (let i = 0; i < 1_001; i++) await book('many', { sellAmount: 5 });
    const { items, nextCursor } = await page('many', { status: 'OPEN', limit: 200 });
    expect(items).toEqual([]);
    expect(await page('many', { status: 'OPEN', limit: 3, cursor: nextCursor })).toEqual({
      items: [first],
      nextCursor: '',
    });
    rig.clock.now = FRIDAY;
  });
});

test('filtered pages of any size together equal the filtered whole list', async () => {
  await client('sparse');
  rig.clock.now = FRIDAY;
  const kinds = ['SCHEDULED1', 'SCHEDULED1', 'PREFUNDING', 'PREFUNDING', 'SCHEDULED1', ...Array(9).fill('PREFUNDING')];
  for (const type of [...kinds, 'SCHEDULED1', ...kinds]) {
    rig.clock.now += 1;
    await book('sparse', { type });
  }
  rig.clock.now = FRIDAY;
  const whole = (await page('sparse')).items;
  for (const status of ['OPEN', 'SETTLED'])
    for (const limit of [1, 2, 3, 5, 8]) {
      const found: Booking[] = [];
      let cursor = '';
      do {
        const next = await page('sparse', { status, limit, cursor });
        expect(next.items.length).toBeLessThanOrEqual(limit);
        found.push(...next.items);
        cursor = next.nextCursor;
      } while (cursor);
      expect([status, limit, found]).toEqual([status, limit, whole.filter((booking) => booking.status === status)]);
    }
});

describe('filters', () => {
  let made: Record<'settled' | 'open' | 'yen' | 'late', Booking>;

  beforeAll(async () => {
    await client('filters');
    rig.clock.now = FRIDAY;
    const settled = await book('filters');
    rig.clock.now = FRIDAY + HOUR_MS;
    const open = await book('filters', { type: 'SCHEDULED1' });
    rig.clock.now = FRIDAY + 2 * HOUR_MS;
    const yen = await book('filters', { sellCurrency: 'USD', buyCurrency: 'JPY' });
    rig.clock.now = Date.UTC(2026, 10, 23, 8);
    const late = await book('filters', { sellCurrency: 'JPY', buyCurrency: 'EUR', sellAmount: 5_000 });
    made = { settled, open, yen, late };
    rig.clock.now = FRIDAY;
  });

  test.each<[string, object, readonly (keyof typeof made)[]]>([
    ['none', {}, ['late', 'yen', 'open', 'settled']],
    ['one status', { status: 'OPEN' }, ['open']],
    ['several', { status: 'OPEN,CANCELLED,SETTLED' }, ['late', 'yen', 'open', 'settled']],
    ['a status of none', { status: 'OVERDUE' }, []],
    ['a currency that is sold or bought', { currency: 'EUR' }, ['late', 'open', 'settled']],
    ['another', { currency: 'JPY' }, ['late', 'yen']],
    ['one of none', { currency: 'GBP' }, []],
    ['status and currency', { status: 'SETTLED', currency: 'USD' }, ['yen', 'settled']],
    ['from its very millisecond', { from: '2026-11-20T10:01:00.000Z' }, ['late', 'yen']],
    ['from behind it', { from: '2026-11-20T10:01:00.001Z' }, ['late']],
    ['to its very millisecond', { to: '2026-11-20T09:01:00.000Z' }, ['open', 'settled']],
    ['to before it', { to: '2026-11-20T09:00:59.999Z' }, ['settled']],
    ['an offset', { from: '2026-11-20T14:31:00+05:30', to: '2026-11-20T05:01:00-05:00' }, ['yen', 'open']],
    ['days', { from: '2026-11-20', to: '2026-11-20' }, ['yen', 'open', 'settled']],
    ['a day without any', { from: '2026-11-21', to: '2026-11-22' }, []],
    ['from the last day', { from: '2026-11-23' }, ['late']],
    ['before all time', { to: '0001-01-01' }, []],
    ['after all time', { from: '9999-12-31' }, []],
    ['all time', { from: '0001-01-01', to: '9999-12-31' }, ['late', 'yen', 'open', 'settled']],
    ['a leap day', { to: '2028-02-29' }, ['late', 'yen', 'open', 'settled']],
  ])('%s', async (_name, input, expected) => {
    expect(ids(await page('filters', input))).toEqual(expected.map((name) => made[name].id));
  });

  test.each<[string, object, object]>([
    ['limit 0', { limit: 0 }, { field: 'limit', code: 'incorrect_value', message: 'a whole number from 1 to 200' }],
    ['limit 201', { limit: 201 }, { field: 'limit', code: 'incorrect_value' }],
    ['limit as text', { limit: '5' }, { field: 'limit', code: 'incorrect_format' }],
    ['no status', { status: 'PAID' }, { field: 'status', code: 'incorrect_value' }],
    ['an empty part', { status: 'OPEN,' }, { field: 'status', code: 'incorrect_value' }],
    ['lower case', { status: 'open' }, { field: 'status', code: 'incorrect_value' }],
    ['sent twice', { status: ['OPEN', 'SETTLED'] }, { field: 'status', code: 'incorrect_format' }],
    ['no currency', { currency: 'QQQ' }, { field: 'currency', code: 'incorrect_value' }],
    ['no code', { currency: 'eur' }, { field: 'currency', code: 'incorrect_format' }],
    ['no time', { from: 'yesterday' }, { field: 'from', code: 'incorrect_format' }],
    ['a time without an offset', { to: '2026-11-20T10:01:00' }, { field: 'to', code: 'incorrect_format' }],
    [
      'no such day',
      { from: '2026-02-30' },
      { field: 'from', code: 'incorrect_value', message: 'there is no such day' },
    ],
    ['no such day with a time', { to: '2027-02-29T00:00:00Z' }, { field: 'to', code: 'incorrect_value' }],
    ['no such hour', { to: '2026-11-20T24:00:00Z' }, { field: 'to', code: 'incorrect_format' }],
    ['no period', { from: '2026-11-21', to: '2026-11-20' }, { field: 'to', code: 'invalid_combination' }],
    ['an unknown field', { sort: 'up' }, { field: 'sort', code: 'unsupported_field' }],
    ['a cursor too long', { cursor: 'A'.repeat(257) }, { field: 'cursor', code: 'incorrect_value' }],
    ['no cursor', { cursor: 'next' }, { field: 'cursor', code: 'incorrect_value' }],
  ])('rejects %s', async (_name, input, fault) => {
    expect(await faults('filters', input)).toEqual([expect.objectContaining(fault)]);
  });

  test('rejects with all faults at once', async () => {
    const found = await faults('filters', { limit: 0, status: 'X', from: '2026', sort: 'up', order: 'down' });
    expect(found.map(({ field }) => field).sort()).toEqual(['from', 'limit', 'order', 'sort', 'status']);
  });
});

describe('cursors', () => {
  test('are valid for their client, list and filters only', async () => {
    const input = { limit: 1, currency: 'EUR', from: '2026-11-20', status: 'SETTLED,OPEN' };
    const { nextCursor: cursor } = await page('filters', input);
    expect(cursor.length).toBeLessThan(150);
    expect(ids(await page('filters', { ...input, cursor }))).toHaveLength(1);
    // The same filters, written differently.
    const same = { ...input, from: '2026-11-20T01:00:00+01:00', status: 'OPEN,SETTLED' };
    expect(ids(await page('filters', { ...same, cursor }))).toEqual(ids(await page('filters', { ...input, cursor })));

    const fault = { field: 'cursor', code: 'incorrect_value', message: expect.stringContaining('next_cursor') };
    for (const other of [
      { ...input, currency: 'USD' },
      { ...input, currency: undefined },
      { ...input, from: '2026-11-19' },
      { ...input, to: '2026-11-30' },
      { ...input, status: 'SETTLED' },
    ])
      expect(await faults('filters', { ...other, cursor })).toEqual([fault]);
    expect(await faults('pages', { ...input, cursor })).toEqual([fault]);
    const [account] = await rig.services.store.accounts.list((await rig.services.store.clients.get('filters'))!);
    const entries = { accountNumber: account!.number, from: '2026-11-20', cursor };
    expect(await perform(rig.services, 'listAccountEntries', rig.caller('filters'), entries)).toMatchObject({
      refusal: 'VALIDATION_FAILED',
      fields: [fault],
    });
  });

  test('are valid in another process with the same master key', async () => {
    const { nextCursor: cursor } = await page('filters', { limit: 1 });
    const store = await rig.testStore.another();
    const answer = await perform({ ...rig.services, store }, 'listBookings', rig.caller('filters'), {
      limit: 3,
      cursor,
    });
    expect(ids(answer as ListedBookings)).toEqual(ids(await page('filters')).slice(1));
  });

  test('are rejected when altered', async () => {
    const { nextCursor: cursor } = await page('filters', { limit: 1 });
    const changed = fc.oneof(
      fc
        .tuple(fc.nat(cursor.length - 1), fc.constantFrom(...'ABCXYZabcxyz0189-_'))
        .map(([at, digit]) => cursor.slice(0, at) + digit + cursor.slice(at + 1)),
      fc.nat(cursor.length - 1).map((length) => cursor.slice(0, length)),
      fc.string({ minLength: 1, maxLength: 300, unit: 'binary' }),
      fc.string({ minLength: 1, maxLength: 8 }).map((more) => cursor + more),
      fc.base64String({ minLength: 4, maxLength: 256 }),
    );
    await fc.assert(
      fc.asyncProperty(
        changed.filter((text) => text !== cursor && text !== ''),
        async (text) => {
          expect(await faults('filters', { limit: 1, cursor: text })).toMatchObject([{ field: 'cursor' }]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The many reasons behind one refusal of Book FX, each with nothing moved. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  type Fields,
  MONDAY,
  type MoneyDoor,
  openMoneyDoor,
} from '../../rest/money-door.js';

const MAX_MINOR = 999_999_999_999_999n;
const EUR_TO_USD = 'source_currency=EUR&destination_currency=USD';

let door: MoneyDoor;
let acme: Client;
let other: Client;
let next = 0;

/** Accounts and holds by what is special about them. */
let eur: number;
let usd: number;
let closedEur: number;
let fullUsd: number;
let foreignUsd: number;
let usedHold: string;
let expiredHold: string;
let releasedHold: string;
let foreignHold: string;
let holdOf77: string;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  eur = await acme.account('EUR', 10_000_000_00n);
  usd = await acme.account('USD', 100n);
  closedEur = await acme.account('EUR');
  fullUsd = await acme.account('USD', MAX_MINOR);
  const { store } = door.opened;
  await store.accounts.change((await store.clients.get('acme'))!, String(closedEur), { active: false });
  other = await door.client('other');
  foreignUsd = await other.account('USD', 100n);

  door.freshPrices();
  usedHold = await acme.hold(EUR_TO_USD);
  expect((await acme.post(BY_ACCOUNT, valid({ fx_hold_id: usedHold, sell_amount: 50 }))).status).toBe(200);
  expiredHold = await acme.hold(`${EUR_TO_USD}&hold_period=5_mins`);
  door.services.nowMs = MONDAY + 300_001;
  door.freshPrices();
  releasedHold = await acme.hold(EUR_TO_USD);
  expect((await acme.post('/api/v1/lockFx/releaseFxRate', { fx_hold_id: releasedHold })).status).toBe(200);
  holdOf77 = await acme.hold(`${EUR_TO_USD}&sell_amount=77`);
  foreignHold = await other.hold(EUR_TO_USD);
});
afterAll(() => door.stop());
beforeEach(() => {
  door.freshPrices();
  door.services.isOpen = true;
});

const nextId = () => `r-${++next}`;
const valid = (more: Fields = {}): Fields => ({
  request_id: nextId(),
  description: 'Rent, July',
  to_account: eur,
  from_account: usd,
  sell_amount: 100,
  ...more,
});

/** Refused, and all that is kept of the client's money stays as it was. */
async function refused(path: string, fields: Fields, client = acme) {
  const before = await door.kept(client.id);
  const answer = await client.post(path, fields);
  expect(await door.kept(client.id)).toEqual(before);
  return answer;
}

type Row = readonly [what: string, fields: () => Fields, code: string, detail: RegExp];

describe('accounts', () => {
  test.each<Row>([
    [
      'another client’s to buy into',
      () => ({ from_account: foreignUsd }),
      'UNKNOWN_ACCOUNT',
      /check the account number/,
    ],
    [
      'another client’s to sell from',
      () => ({ to_account: foreignUsd }),
      'UNKNOWN_ACCOUNT',
      /check the account number/,
    ],
    ['two unknown ones', () => ({ from_account: 1, to_account: 2 }), 'UNKNOWN_ACCOUNT', /check the account number/],
    ['the same one twice', () => ({ from_account: eur, to_account: eur }), 'SAME_CURRENCY', /nothing to convert/],
    ['two of one currency', () => ({ from_account: fullUsd, to_account: usd }), 'SAME_CURRENCY', /nothing to convert/],
    [
      'a closed one to buy into',
      () => ({ from_account: closedEur, to_account: usd }),
      'ACCOUNT_INACTIVE',
      /closed or blocked/,
    ],
  ])('%s', async (_what, fields, code, detail) => {
    const { status, body } = await refused(BY_ACCOUNT, valid(fields()));
    expect([status, body.code]).toEqual([400, code]);
    expect(body.detail).toMatch(detail);
  });

  test('answers the same for an unknown one and for another client’s', async () => {
    const [foreign, unknown] = await Promise.all(
      [foreignUsd, 123456789018].map((from_account) => acme.post(BY_ACCOUNT, valid({ from_account }))),
    );
    const without = ({ body, headers }: typeof foreign) =>
      JSON.stringify({ ...body, request_id: '', ...headers, date: '', 'x-request-id': '' });
    expect(without(foreign)).toBe(without(unknown));
  });

  test('by currency without an account in it', async () => {
    const { status, body } = await refused(BY_CURRENCY, byCurrency({ buy_currency: 'CAD' }));
    expect([status, body.code]).toEqual([400, 'UNKNOWN_ACCOUNT']);
  });

  test('by one currency', async () => {
    expect((await refused(BY_CURRENCY, byCurrency({ buy_currency: 'EUR' }))).body.code).toBe('SAME_CURRENCY');
  });
});

const byCurrency = (more: Fields = {}): Fields => {
  const { to_account, from_account, ...rest } = valid();
  return { ...rest, sell_currency: 'EUR', buy_currency: 'USD', ...more };
};

describe('amounts', () => {
  const only = (amounts: Fields) => () => ({ sell_amount: undefined, ...amounts });
  test.each<Row>([
    ['0 sold', only({ sell_amount: 0 }), 'BAD_AMOUNT', /above 0/],
    ['0 bought', only({ buy_amount: 0 }), 'BAD_AMOUNT', /above 0/],
    ['below 0', only({ sell_amount: -100 }), 'BAD_AMOUNT', /without sign/],
    ['three decimals', only({ sell_amount: 1.001 }), 'BAD_AMOUNT', /3 decimals and EUR has 2/],
    ['three decimals bought', only({ buy_amount: 1.001 }), 'BAD_AMOUNT', /3 decimals and USD has 2/],
    ['15 digits before the point', only({ sell_amount: 999_999_999_999_999 }), 'BAD_AMOUNT', /minor units/],
    ['one wrong of two', only({ sell_amount: 100, buy_amount: 0.001 }), 'BAD_AMOUNT', /USD has 2/],
    ['a cent too little', only({ sell_amount: 0.99 }), 'AMOUNT_BELOW_MIN', /pair minimum 1$/],
    ['bought for less', only({ buy_amount: 1.07 }), 'AMOUNT_BELOW_MIN', /pair minimum 1$/],
    ['a cent too much', only({ sell_amount: 5_000_000.01 }), 'AMOUNT_ABOVE_LIMIT', /pair limit 5000000$/],
    ['bought for more', only({ buy_amount: 5_500_000 }), 'AMOUNT_ABOVE_LIMIT', /pair limit 5000000$/],
    [
      'scheduled above the client’s limit',
      () => ({ book_fx_type: 'SCHEDULED2' }),
      'AMOUNT_ABOVE_LIMIT',
      /your limit in EUR/,
    ],
    ['both, and more to be sold', only({ sell_amount: 92.45, buy_amount: 100 }), 'RATE_MOVED', /needs 92.46 EUR/],
  ])('%s', async (_what, fields, code, detail) => {
    for (const request of [valid(fields()), byCurrency(fields())]) {
      const path = 'to_account' in request ? BY_ACCOUNT : BY_CURRENCY;
      const { status, body } = await refused(path, request);
      expect([status, body.code]).toEqual([400, code]);
      expect(body.detail).toMatch(detail);
    }
  });

  test.each([['0.99'], ['99.5']])('yen have no decimals: %s', async (text) => {
    const { body } = await refused(
      BY_CURRENCY,
      byCurrency({ sell_currency: 'USD', buy_currency: 'EUR', sell_amount: 1 }),
    );
    expect(body.code).toBe('AMOUNT_BELOW_MIN');
    await acme.account('JPY');
    const yen = await refused(
      BY_CURRENCY,
      byCurrency({ sell_currency: 'USD', buy_currency: 'JPY', sell_amount: undefined, buy_amount: Number(text) }),
    );
    expect([yen.body.code, yen.body.detail]).toEqual(['BAD_AMOUNT', expect.stringMatching(/JPY has 0/)]);
  });

  test('scheduled up to the limit, and a cent more', async () => {
    const client = await door.client('scheduler');
    const { store } = door.opened;
    await store.margins.set({ clientId: 'scheduler', pair: '*', type: '*', marginPpm: 2_500 });
    await client.account('EUR');
    await client.account('USD');
    await store.clients.setScheduledLimit('scheduler', '100');
    await store.clients.cached('scheduler');
    const margins = await store.margins.load();
    door.services.margins.replace(margins);
    const scheduled = (sell_amount: number) => byCurrency({ book_fx_type: 'SCHEDULED1', sell_amount });
    expect((await client.post(BY_CURRENCY, scheduled(60))).body.status).toBe('OPEN');
    expect((await refused(BY_CURRENCY, scheduled(40.01), client)).body.code).toBe('AMOUNT_ABOVE_LIMIT');
    expect((await client.post(BY_CURRENCY, scheduled(40))).body.status).toBe('OPEN');
    expect((await refused(BY_CURRENCY, scheduled(1), client)).body.code).toBe('AMOUNT_ABOVE_LIMIT');
  });
});

describe('settlement dates: the reason, and the next good date', () => {
  test.each([
    ['2028-07-04', /^2028-07-04 is no good day, .*Independence Day.*: use 2028-07-05$/],
    ['2028-07-03', /past or today: use 2028-07-05$/],
    ['2027-07-05', /past or today: use 2028-07-05$/],
    ['2028-07-06', /beyond spot 2028-07-05, and there are no forwards: use 2028-07-05$/],
    ['2028-07-08', /beyond spot/],
    ['2028-02-30', /2028-02-30 is no date: send YYYY-MM-DD$/],
    ['0000-00-00', /is no date/],
  ])('%s', async (settlement_date, detail) => {
    const { status, body } = await refused(BY_CURRENCY, byCurrency({ settlement_date }));
    expect([status, body.code]).toEqual([400, 'BAD_SETTLEMENT_DATE']);
    expect(body.detail).toMatch(detail);
  });

  test.each(['soon', '20280705', '2028-07-05T00:00:00Z'])(
    'without a hold, %s is a fault of the field',
    async (text) => {
      const { status, body } = await refused(BY_CURRENCY, byCurrency({ settlement_date: text }));
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors).toEqual([
        expect.objectContaining({ field: 'settlement_date', code: 'incorrect_format', message: 'a date, YYYY-MM-DD' }),
      ]);
    },
  );

  test('a scheduled one settles on its own day and no other', async () => {
    await door.opened.store.clients.setScheduledLimit('acme', '100');
    const scheduled = byCurrency({ book_fx_type: 'SCHEDULED1', settlement_date: '2028-07-06' });
    const { body } = await refused(BY_CURRENCY, scheduled);
    expect([body.code, body.detail]).toEqual(['BAD_SETTLEMENT_DATE', expect.stringContaining('settles on 2028-07-05')]);
    await door.opened.store.clients.setScheduledLimit('acme', '0');
  });
});

describe('holds', () => {
  test.each<Row>([
    ['that is none', () => ({ fx_hold_id: 'nothing' }), 'HOLD_NOT_FOUND', /check the hold id/],
    [
      'that reads like an indicative quote',
      () => ({ fx_hold_id: 'IND0000000000000' }),
      'HOLD_NOT_FOUND',
      /check the hold id/,
    ],
    ['another client’s', () => ({ fx_hold_id: foreignHold }), 'HOLD_NOT_FOUND', /check the hold id/],
    ['booked before', () => ({ fx_hold_id: usedHold }), 'HOLD_USED', /lock a new rate/],
    ['past its end', () => ({ fx_hold_id: expiredHold }), 'HOLD_EXPIRED', /expired at 20280703-10:05:00.000$/],
    ['released', () => ({ fx_hold_id: releasedHold }), 'HOLD_EXPIRED', /was released$/],
    ['of another amount', () => ({ fx_hold_id: holdOf77 }), 'HOLD_MISMATCH', /amount differs/],
    [
      'of the other side’s amount',
      () => ({ fx_hold_id: holdOf77, sell_amount: undefined, buy_amount: 77 }),
      'HOLD_MISMATCH',
      /amount differs/,
    ],
    [
      'of the other direction',
      () => ({ fx_hold_id: holdOf77, sell_amount: 77, from_account: eur, to_account: usd }),
      'HOLD_MISMATCH',
      /sells EUR and buys USD/,
    ],
    [
      'of another type',
      () => ({ fx_hold_id: holdOf77, sell_amount: 77, book_fx_type: 'SCHEDULED2' }),
      'AMOUNT_ABOVE_LIMIT',
      /your limit/,
    ],
  ])('%s', async (_what, fields, code, detail) => {
    const { status, body } = await refused(BY_ACCOUNT, valid(fields()));
    expect([status, body.code]).toEqual([400, code]);
    expect(body.detail).toMatch(detail);
  });

  test('of another type, or for another date', async () => {
    await door.opened.store.clients.setScheduledLimit('acme', '100');
    const fields = { fx_hold_id: holdOf77, sell_amount: 77 };
    const { body } = await refused(BY_ACCOUNT, valid({ ...fields, book_fx_type: 'SCHEDULED2' }));
    expect([body.code, body.detail]).toEqual(['HOLD_MISMATCH', 'The hold is for PREFUNDING']);
    await door.opened.store.clients.setScheduledLimit('acme', '0');

    // A day on, spot is a day on as well, and the hold keeps its own.
    const dayLong = await acme.hold(`${EUR_TO_USD}&hold_period=24_hours`);
    const before = door.services.nowMs;
    door.services.nowMs += 20 * 3_600_000;
    const late = await refused(BY_ACCOUNT, valid({ fx_hold_id: dayLong, settlement_date: '2028-07-06' }));
    expect([late.body.code, late.body.detail]).toEqual(['HOLD_MISMATCH', expect.stringContaining('2028-07-05')]);
    const { body: booked } = await acme.post(BY_ACCOUNT, valid({ fx_hold_id: dayLong, settlement_date: '2028-07-05' }));
    expect(booked.settlement_date).toBe('2028-07-05');
    door.services.nowMs = before;
  });

  test.each(['SCHEDULED1', 'SCHEDULED2'])('a hold of %s keeps its date', async (book_fx_type) => {
    const own = '2028-07-05';
    await door.opened.store.clients.setScheduledLimit('acme', '100000');
    const before = door.services.nowMs;
    const fx_hold_id = await acme.hold(`${EUR_TO_USD}&hold_period=24_hours&schedule=${book_fx_type}`);
    door.services.nowMs += 23 * 3_600_000;
    const asked = async (settlement_date: string) => {
      const { body } = await refused(BY_ACCOUNT, valid({ fx_hold_id, settlement_date }));
      return body.code;
    };
    for (const date of ['2028-07-06', '2028-07-08', '2028-07-03', '2030-01-01'])
      expect(await asked(date), date).toBe('HOLD_MISMATCH');
    for (const text of ['2028-02-30', '2028-13-01', 'soon', '20280705', '2028-07-05T00:00:00Z'])
      expect(await asked(text), text).toBe('BAD_SETTLEMENT_DATE');
    const { body } = await acme.post(BY_ACCOUNT, valid({ fx_hold_id, settlement_date: own }));
    expect([body.settlement_date, body.expiry_at]).toEqual([own, expect.stringMatching(`^${own}T`)]);
    await door.opened.store.clients.setScheduledLimit('acme', '0');
    door.services.nowMs = before;
  });

  test('answers the same for an unknown one and for another client’s', async () => {
    const [foreign, unknown] = await Promise.all(
      [foreignHold, 'HLD0000000000000'].map((fx_hold_id) => acme.post(BY_ACCOUNT, valid({ fx_hold_id }))),
    );
    const without = ({ body, headers }: typeof foreign) =>
      JSON.stringify({ ...body, request_id: '', ...headers, date: '', 'x-request-id': '' });
    expect(without(foreign)).toBe(without(unknown));
  });
});

test('INSUFFICIENT_BALANCE has both amounts, for a program and for a person', async () => {
  const short = await acme.account('EUR', 99_99n);
  const { body } = await refused(BY_ACCOUNT, valid({ to_account: short }));
  expect([body.available_amount, body.needed_amount]).toEqual([99.99, 100]);
  expect(body.detail).toBe('Balance 99.99 EUR, needed 100.00: fund the account or send less');
});

test('a pair that is not offered to the client: 403', async () => {
  const client = await door.client('unpriced');
  await client.account('EUR', 100_000n);
  await client.account('USD');
  const { status, body } = await refused(BY_CURRENCY, byCurrency(), client);
  expect([status, body.code, body.detail]).toEqual([
    403,
    'NOT_ENTITLED',
    expect.stringMatching(/^EUR\/USD is not offered/),
  ]);
});

test('without the right to trade: 403, before the body is looked at', async () => {
  const { token } = await door.opened.store.tokens.issue('acme', 'CK_X', ['read', 'rates']);
  for (const path of [BY_CURRENCY, BY_ACCOUNT]) {
    const { status, body } = await acme.post(path, {}, { authorization: `Bearer ${token}` });
    expect([status, body.detail]).toEqual([403, 'Not entitled: this key lacks the right trade']);
  }
});

/** Changes of conversions over REST: quotes, commands, their refusals, and what lists and reads show of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BY_CURRENCY, type Client, type Fields, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

let door: MoneyDoor;
let acme: Client;
let stranger: Client;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor({ reads: 2_000, writes: 2_000 });
  [acme, stranger] = [await door.client('acme'), await door.client('other')];
  await acme.account('EUR', 10_000_00n);
  await acme.account('USD', 10_000_00n);
  await door.opened.store.clients.setScheduledLimit('acme', '100000000');
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

const path = (id: unknown, rest: string) => `/api/v1/bookfx/${id}/${rest}`;

async function scheduled(): Promise<Fields> {
  const { status, body } = await acme.post(BY_CURRENCY, {
    ...{ request_id: `book-${++next}`, description: 'changes', sell_amount: 1000, book_fx_type: 'SCHEDULED1' },
    ...{ sell_currency: 'EUR', buy_currency: 'USD' },
  });
  expect([status, body.status]).toEqual([200, 'OPEN']);
  return body as Fields;
}

async function quoted(id: unknown, change: string, body: Fields = {}): Promise<Fields> {
  const answer = await acme.post(path(id, `${change}/quote`), body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body as Fields;
}
const command = ({ quote_id }: Fields, more: Fields = {}) => ({ quote_id, request_id: `change-${++next}`, ...more });
const codes = ({ status, body }: { status: number; body: Fields }) => [status, body.code];
const fields = ({ body }: { body: Fields }) =>
  ((body.errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`).sort();

test('a cancellation: its quote, its answer, the same answer again, and what reads show of it', async () => {
  const { confirmation_id } = await scheduled();
  const quote = await quoted(confirmation_id, 'cancel');
  expect(quote).toMatchObject({
    confirmation_id,
    type: 'cancel',
    kind: 'charge',
    currency: 'EUR',
    margin_percent: 0.5,
  });
  expect(Date.parse(String(quote.expires_at))).toBe(MONDAY + 30_000);
  const sent = command(quote, { reason: 'the order was withdrawn' });
  const answer = await acme.post(path(confirmation_id, 'cancel'), sent);
  expect(answer.status).toBe(200);
  const { quote_id: _, expires_at: _at, children: _children, ...terms } = quote;
  expect(answer.body).toEqual({
    ...terms,
    request_id: sent.request_id,
    reason: 'the order was withdrawn',
    status: 'CANCELLED',
    receivable_amount: 0,
    children: [],
    created_at: expect.any(String),
  });
  const again = await acme.post(path(confirmation_id, 'cancel'), sent);
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', answer.body]);
  const read = (await acme.get(`/api/v1/bookfx/${confirmation_id}`)).body;
  expect(read).toMatchObject({ status: 'CANCELLED', changes: [answer.body] });
  const list = (await acme.get('/api/v1/conversion-changes?type=cancel&limit=1')).body;
  expect(list.data).toEqual([answer.body]);
  const entries = (await acme.get(`/api/v1/balance/account/${read.to_account}/entries?type=cancellation`)).body;
  expect(entries.data).toMatchObject([{ type: 'cancellation', amount: -Number(quote.amount) }]);
});

test('a cancellation after the market has moved: the answer has a new quote', async () => {
  const { confirmation_id } = await scheduled();
  const first = await quoted(confirmation_id, 'cancel');
  door.price('EUR/USD', '1.0846', '1.08462');
  const sent = command(first);
  const { status, body } = await acme.post(path(confirmation_id, 'cancel'), sent);
  expect([status, body.code]).toEqual([400, 'RATE_MOVED']);
  const now = await quoted(confirmation_id, 'cancel');
  expect(body).toMatchObject({
    quote_id: expect.any(String),
    fx_rate: now.fx_rate,
    instarem_fx_rate: now.instarem_fx_rate,
    lock_expiry_at: now.expires_at,
  });
  const done = await acme.post(path(confirmation_id, 'cancel'), { ...sent, quote_id: body.quote_id });
  expect([done.status, done.body.status, done.body.amount]).toEqual([200, 'CANCELLED', now.amount]);
});

test('another date, and a split: parents and children name each other', async () => {
  const booked = await scheduled();
  const id = booked.confirmation_id;
  door.services.nowMs = MONDAY + 12 * 3_600_000;
  door.freshPrices();
  const date = await quoted(id, 'date', { settlement_date: '2028-07-06' });
  expect(date).toMatchObject({ type: 'date', kind: 'none', amount: 0, settlement_date: '2028-07-06' });
  expect([date.fx_rate, date.instarem_fx_rate]).toEqual([booked.fx_rate, booked.instarem_fx_rate]);
  expect((await acme.post(path(id, 'date'), command(date))).body).toMatchObject({ status: 'OPEN', kind: 'none' });
  expect((await acme.get(`/api/v1/bookfx/${id}`)).body).toMatchObject({
    status: 'OPEN',
    settlement_date: '2028-07-06',
  });

  const preview = await quoted(id, 'split', { sell_amounts: [600.01, 399.99] });
  const { body } = await acme.post(path(id, 'split'), command(preview));
  const children = body.children as Fields[];
  expect(children.map(({ confirmation_id: _, ...amounts }) => amounts)).toEqual(preview.children);
  const [first, second] = children;
  expect(Number(first!.buy_amount) + Number(second!.buy_amount)).toBeCloseTo(Number(booked.buy_amount), 6);
  const child = (await acme.get(`/api/v1/bookfx/${first!.confirmation_id}`)).body;
  expect(child).toMatchObject({
    parent_id: id,
    status: 'OPEN',
    settlement_date: '2028-07-06',
    instarem_fx_rate: booked.instarem_fx_rate,
    sell_amount: 600.01,
  });
  const parent = (await acme.get(`/api/v1/bookfx/${id}`)).body;
  expect([parent.status, (parent.changes as Fields[]).map(({ type }) => type)]).toEqual(['SPLIT', ['date', 'split']]);
  const split = (await acme.get('/api/v1/bookfx?status=SPLIT')).body;
  expect((split.data as Fields[]).map(({ confirmation_id }) => confirmation_id)).toContain(id);
});

test('by the amounts of the bought currency, also as a form', async () => {
  const { confirmation_id, buy_amount } = await scheduled();
  const rest = Number((Number(buy_amount) - 100).toFixed(2));
  const preview = await quoted(confirmation_id, 'split', { buy_amounts: [100, rest] });
  const form = await acme.form(path(confirmation_id, 'split/quote'), { 'buy_amounts[0]': 100, 'buy_amounts[1]': rest });
  expect([form.status, form.body.children]).toEqual([200, preview.children]);
});

const QUOTES = ['cancel/quote', 'date/quote', 'split/quote'] as const;
const COMMANDS = ['cancel', 'date', 'split'] as const;
const BODIES: Readonly<Record<string, Fields>> = {
  'cancel/quote': {},
  'date/quote': { settlement_date: '2028-07-05' },
  'split/quote': { sell_amounts: [600, 400] },
};

describe.each([...QUOTES, ...COMMANDS])('%s', (change) => {
  const body = () => BODIES[change] ?? { quote_id: 'x', request_id: `refused-${++next}` };

  test('an id that is unknown, foreign or none of ours is 404', async () => {
    const { confirmation_id } = await scheduled();
    for (const id of ['BFX0000000000000000', 'x', '__proto__', '%00'])
      expect(codes(await acme.post(path(id, change), body()))).toEqual([404, 'NOT_FOUND']);
    expect(codes(await stranger.post(path(confirmation_id, change), body()))).toEqual([404, 'NOT_FOUND']);
  });

  test('a key without the right to trade is 403', async () => {
    const { confirmation_id } = await scheduled();
    const { store } = door.opened;
    const { clientKey } = (await store.keys.issue('acme', ['read']))!;
    const { token } = await store.tokens.issue('acme', clientKey, ['read']);
    const answer = await acme.post(path(confirmation_id, change), body(), { authorization: `Bearer ${token}` });
    expect(codes(answer)).toEqual([403, 'NOT_ENTITLED']);
  });

  test('one that has settled is NOT_CHANGEABLE', async () => {
    const request = { request_id: `paid-${++next}`, description: 'x', sell_amount: 100 };
    const { body: paid } = await acme.post(BY_CURRENCY, { ...request, sell_currency: 'EUR', buy_currency: 'USD' });
    expect(codes(await acme.post(path(paid.confirmation_id, change), body()))).toEqual([400, 'NOT_CHANGEABLE']);
  });
});

test.each<[change: string, body: Fields, faults: string[]]>([
  ['date/quote', {}, ['settlement_date field_missing']],
  ['date/quote', { settlement_date: 5 }, ['settlement_date incorrect_format']],
  ['split/quote', {}, ['buy_amounts field_missing', 'sell_amounts field_missing']],
  ['split/quote', { sell_amounts: ['600', 400] }, ['sell_amounts.0 incorrect_format']],
  ['split/quote', { sell_amounts: [600] }, ['sell_amounts incorrect_value']],
  [
    'split/quote',
    { sell_amounts: [1, 2], buy_amounts: [1, 2] },
    ['buy_amounts invalid_combination', 'sell_amounts invalid_combination'],
  ],
  ['cancel', {}, ['quote_id field_missing', 'request_id field_missing']],
  [
    'cancel',
    { quote_id: 7, request_id: 'a b', reason: '' },
    ['quote_id incorrect_format', 'reason incorrect_value', 'request_id incorrect_format'],
  ],
  ['split', { quote_id: 'x', request_id: 'r', reason: 'x'.repeat(141) }, ['reason incorrect_value']],
])('all faults of %s %j at once', async (change, body, faults) => {
  const { confirmation_id } = await scheduled();
  const answer = await acme.post(path(confirmation_id, change), body);
  expect(codes(answer)).toEqual([400, 'VALIDATION_FAILED']);
  expect(fields(answer)).toEqual(faults);
});

test('a quote is for one change of one conversion, and for 30 seconds', async () => {
  const [one, other] = [await scheduled(), await scheduled()];
  const quote = await quoted(one.confirmation_id, 'cancel');
  const invalid = [400, 'QUOTE_INVALID'];
  expect(codes(await acme.post(path(other.confirmation_id, 'cancel'), command(quote)))).toEqual(invalid);
  expect(codes(await acme.post(path(one.confirmation_id, 'split'), command(quote)))).toEqual(invalid);
  door.services.nowMs = MONDAY + 31_000;
  door.freshPrices();
  expect(codes(await acme.post(path(one.confirmation_id, 'cancel'), command(quote)))).toEqual([400, 'QUOTE_EXPIRED']);
});

test('the list: an unknown filter and a foreign cursor are refused', async () => {
  expect(codes(await acme.get('/api/v1/conversion-changes?type=bust'))).toEqual([400, 'VALIDATION_FAILED']);
  expect(codes(await acme.get('/api/v1/conversion-changes?status=OPEN'))).toEqual([400, 'VALIDATION_FAILED']);
  expect(codes(await acme.get('/api/v1/conversion-changes?cursor=abc'))).toEqual([400, 'VALIDATION_FAILED']);
  expect((await stranger.get('/api/v1/conversion-changes')).body).toEqual({ data: [], next_cursor: '' });
});

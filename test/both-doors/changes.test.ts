/** The whole program: what a client, or a platform for its sub-client, changes over REST of a conversion of either door, and how a desk gets it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Received, TestDesk } from '../support/desk.js';
import { type Ratewire, ratewireOn } from '../support/ratewire.js';
import { openTwoDoors, type TwoDoors } from './two-doors.js';

let doors: TwoDoors;
let ratewire: Ratewire;
let requests = 0;
beforeAll(async () => {
  doors = await openTwoDoors();
  ratewire = ratewireOn(doors.dataDir);
  doors.tick('EUR/GBP', '0.85731', '0.85734');
  await doors.untilRate('EUR', 'GBP', 0.85731);
});
afterAll(() => doors.stop());

const REASON = 'the order was withdrawn';
const PAIR = { sell_amount: 1000, sell_currency: 'EUR', buy_currency: 'USD', book_fx_type: 'SCHEDULED2' };
const read = async (id: string) => (await doors.ask('GET', `bookfx/${id}`)).body;

/** By its quote, sent twice: the second time it is the first answer. */
async function change(id: string, kind: string, terms: object = {}) {
  const quoted = await doors.ask('POST', `bookfx/${id}/${kind}/quote`, terms);
  expect([quoted.status, quoted.body.detail]).toEqual([200, undefined]);
  const command = { quote_id: quoted.body.quote_id, request_id: `change-${++requests}`, reason: REASON };
  const first = await doors.ask('POST', `bookfx/${id}/${kind}`, command);
  const again = await doors.ask('POST', `bookfx/${id}/${kind}`, command);
  expect([first.status, first.isReplay, again.isReplay, again.body]).toEqual([200, false, true, first.body]);
  return { quote: quoted.body, body: first.body };
}
const report = (is: (message: Received) => boolean): Promise<Received> => doors.desk.next('8', is);
const tags = (message: Received, ...wanted: number[]) => wanted.map((tag) => message.get(tag));

test('of a conversion of REST: a split and a cancellation reach the session with copies, with the reason', async () => {
  const { body: booked } = await doors.bookByRest('change-rest', PAIR);
  const id = String(booked.confirmation_id);
  expect(booked.status).toBe('OPEN');
  const { body: split } = await change(id, 'split', { sell_amounts: [600, 400] });
  const told = await report((one) => one.get(37) === id && one.get(150) === 'D');
  expect(tags(told, 39, 378, 797, 14)).toEqual(['4', '99', 'Y', '0']);
  expect(told.get(58)).toMatch(/^Split into BFX\w+ BFX\w+; the order was withdrawn$/);
  const [first] = split.children as { confirmation_id: string; sell_amount: number; buy_amount: number }[];
  const part = await report((one) => one.get(37) === first!.confirmation_id);
  expect(tags(part, 150, 39, 378, 198, 11)).toEqual(['D', '2', '99', id, 'change-rest']);
  expect([part.get(20016), part.get(20015)].map(Number).sort((a, b) => a - b)).toEqual(
    [first!.sell_amount, first!.buy_amount].sort((a, b) => a - b),
  );

  const before = await doors.balances();
  const { quote, body } = await change(first!.confirmation_id, 'cancel');
  const ended = await report((one) => one.get(37) === first!.confirmation_id && one.get(150) === 'H');
  expect(tags(ended, 39, 14, 151, 6)).toEqual(['4', '0', '0', '0']);
  expect(ended.get(58)).toBe(
    `Cancelled by the client: ${quote.kind} ${Number(quote.amount).toFixed(2)} ${quote.currency}; ${REASON}`,
  );
  expect([body.status, body.amount]).toEqual(['CANCELLED', quote.amount]);
  const { EUR } = await doors.balances();
  expect(EUR).toBe(Number((before.EUR! - Number(quote.amount)).toFixed(2)));
  expect((await read(id)).status).toBe('SPLIT');
});

test('of an order of the desk: another date, and the list of REST has what the desk was sent', async () => {
  doors.desk.send('D', [
    [11, 'change-fix'],
    [55, 'EUR/GBP'],
    [54, 2],
    [60, new Date().toISOString().replace(/-/g, '').replace('T', '-').slice(0, -1)],
    [38, 1000],
    [40, 1],
    [15, 'EUR'],
    [20005, 'SCHEDULED1'],
    [20001, doors.token],
  ]);
  const booked = await report((one) => one.get(11) === 'change-fix' && one.get(150) === 'F');
  const id = booked.get(37)!;
  // To the day of spot. With the dollar there may be no day before it that is good.
  const { body: spot } = await doors.bookByRest('change-spot', {
    ...PAIR,
    buy_currency: 'GBP',
    book_fx_type: 'PREFUNDING',
  });
  const date = spot.settlement_date;
  await change(id, 'date', { settlement_date: date });
  const moved = await report((one) => one.get(37) === id && one.get(150) === 'D');
  expect(tags(moved, 11, 39, 378, 64, 797)).toEqual([
    'change-fix',
    '2',
    '99',
    String(date).replaceAll('-', ''),
    undefined,
  ]);
  expect(moved.get(58)).toMatch(/^Settlement date \d{8} moved to \d{8}; the order was withdrawn$/);
  const { body } = await doors.ask('GET', 'conversion-changes');
  expect((body.data as { type: string }[]).map(({ type }) => type)).toEqual(['date', 'cancel', 'split']);
  expect(await ratewire.json('reconcile')).toMatchObject({ differences: [] });
});

test('by a platform for its sub-client: the desk of the sub-client gets it, that of the platform nothing', async () => {
  await ratewire.json('clients', 'change', 'demo', '--platform', 'yes');
  const shop = { name: 'shop', title: 'Shop', currencies: ['EUR', 'USD'] };
  // The sidecar knows the change within a second.
  await vi.waitUntil(async () => (await doors.ask('POST', 'sub-clients', shop)).status === 200, 120_000);
  const id = 'demo~shop';
  const accounts = await ratewire.json<{ number: string; currency: string }[]>('accounts', 'list', id);
  const euros = accounts.find(({ currency }) => currency === 'EUR')!.number;
  await ratewire.json('accounts', 'credit', euros, '5000.00', '--reference', 'first');
  await ratewire.json('clients', 'limit', id, '100000');
  await ratewire.json('compids', 'assign', 'SHOP1', id, '--drop-copy');
  const key = await ratewire.json('keys', 'issue', id);
  const desk = new TestDesk({
    port: Number(doors.addresses.fix!.split(':').at(-1)),
    compId: 'SHOP1',
    clientKey: String(key.client_key),
    clientSecret: String(key.client_secret),
  });
  await desk.logon();

  const ofPlatform = doors.desk.received.length;
  const onBehalf = async (path: string, body: object) => {
    const answer = await fetch(`http://${doors.addresses.rest}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${doors.token}`,
        'content-type': 'application/json',
        'x-on-behalf-of': id,
      },
      body: JSON.stringify(body),
    });
    const shown = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, shown.detail]).toEqual([200, undefined]);
    return shown;
  };
  const booked = await onBehalf('bookfx/currency/create', { ...PAIR, request_id: 'shop-1', description: 'x' });
  const confirmationId = String(booked.confirmation_id);
  const path = `bookfx/${confirmationId}/cancel`;
  const { quote_id } = await onBehalf(`${path}/quote`, {});
  await onBehalf(path, { quote_id, request_id: 'shop-cancel', reason: REASON });
  const ended = await desk.next('8', (one) => one.get(37) === confirmationId && one.get(150) === 'H');
  expect(ended.get(58)).toMatch(/^Cancelled by the client: charge .* EUR; the order was withdrawn$/);
  expect(doors.desk.received.slice(ofPlatform).filter((one) => one.get(35) === '8')).toEqual([]);
  const statement = await ratewire.json<{ type: string }[]>('accounts', 'statement', euros);
  expect(statement.map(({ type }) => type)).toEqual(['cancellation', 'deposit']);
  // It is its own: the platform reads it by the header alone.
  expect((await doors.ask('GET', `bookfx/${confirmationId}`)).status).toBe(404);
  expect(await ratewire.json('reconcile')).toMatchObject({ differences: [] });
  desk.close();
});

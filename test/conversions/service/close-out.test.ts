/** An operator cancels an overdue conversion with a close-out at the current market price. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Booking, CloseOut } from '../../../engine/domain/conversions/booking.js';
import { ENGINE_COMP_ID } from '../../../engine/domain/core/ids.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { scaledFromText } from '../../../engine/domain/money/rate.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys, outboxKey, sessionKey } from '../../../engine/store/keys/redis-keys.js';
import { quoteLadder } from '../../rates/clock.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { alterBooking, readStoredBooking } from '../../support/stored.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const REASON = 'not funded for two days';

let rig: LedgerRig;
let acme: RigClient;
let clients = 0;

beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
});
afterAll(() => rig.stop());
beforeEach(() => {
  rig.now = MONDAY;
  market('1.08431', '1.08433');
});

function market(bid: string, offer: string): void {
  const { index, priceDigits } = pairBySymbol('EUR/USD')!;
  const [low = 0, high = 0] = [bid, offer].map((text) => scaledFromText(text, priceDigits, 'down'));
  rig.services.book.tick(rig.services.book.registerProvider('test'), index, low, high, 0, 0, 0, 0);
}

/** A conversion that sells 1,000.00 of the first currency without the balance on its due date. */
async function overdue(pair: string, money: Readonly<Record<string, string>>): Promise<Booking> {
  acme = await rig.client(`acme-${++clients}`, money, '1000000');
  const booking = await acme.book(pair, 1_000, { type: 'SCHEDULED1' });
  rig.now = booking.expiryMs;
  expect(await settleDue(rig.services, 100)).toMatchObject({ overdue: 1 });
  return booking;
}

const cancel = ({ id: confirmationId }: Booking, more: object = {}) =>
  perform(rig.services, 'cancelBooking', undefined, { clientId: acme.id, confirmationId, ...more });
const closeOut = (booking: Booking, more: object = {}) => cancel(booking, { closeOut: true, reason: REASON, ...more });
const differences = async () => (await rig.ask('reconcile', { clientId: acme.id })).differences;
const owed = async () => (await rig.ask('listReceivables', { clientId: acme.id })).receivables.map(({ owed }) => owed);

async function statement(currency: string): Promise<string[]> {
  const caller = { clientId: acme.id, keyId: 'CK_X', rights: new Set(RIGHTS) };
  const accountNumber = await acme.account(currency);
  const answer = await perform(rig.services, 'listAccountEntries', caller, { accountNumber });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.items.map(({ type, amount, balance, receivable }) => `${type} ${amount} ${balance} ${receivable}`);
}

test('what was sold of the second currency is bought back from the levels that carry it', async () => {
  const booking = await overdue('USD/EUR', { USD: '0', EUR: '100.00' });
  const { book } = rig.services;
  quoteLadder(book, book.registerProvider('test'), ['EUR/USD', '1.05x500 1.04x100000', '1.06x500']);
  // 525.00 USD for 500.00 EUR, and 475.00 USD at 1.04: 956.74 EUR.
  expect(await closeOut(booking)).toMatchObject({ booking: { closeOut: { kind: 'charge', cost: '95674' } } });
  market('1.08431', '1.08433');
});

test.each<
  [
    what: string,
    pair: string,
    money: Record<string, string>,
    market: [bid: string, offer: string],
    closed: object,
    entry: string[],
    owed: bigint[],
  ]
>([
  [
    // 1,081.59 USD were agreed on, and 1,000.00 EUR cost 1,101.00.
    'a rise of what was sold is charged',
    'EUR/USD',
    { EUR: '0', USD: '50.00' },
    ['1.1', '1.101'],
    { kind: 'charge', currency: 'USD', amount: '1941', cost: '110100', receivable: '0' },
    ['close-out -1941 3059 0'],
    [],
  ],
  [
    'what the account does not have, the client owes',
    'EUR/USD',
    { EUR: '0', USD: '5.00' },
    ['1.1', '1.101'],
    { kind: 'charge', currency: 'USD', amount: '1941', cost: '110100', receivable: '1441' },
    ['close-out -500 0 1441'],
    [1_441n],
  ],
  [
    'of an empty account all is owed',
    'EUR/USD',
    { EUR: '0', USD: '0' },
    ['1.1', '1.101'],
    { kind: 'charge', currency: 'USD', amount: '1941', cost: '110100', receivable: '1941' },
    ['close-out 0 0 1941'],
    [1_941n],
  ],
  [
    'a fall of what was sold is credited',
    'EUR/USD',
    { EUR: '0', USD: '0' },
    ['1.05', '1.051'],
    { kind: 'credit', currency: 'USD', amount: '3059', cost: '105100', receivable: '0' },
    ['close-out 3059 3059 0'],
    [],
  ],
  [
    // 919.92 EUR were agreed on; 1,000.00 USD cost 1,000 / 1.05, rounded up.
    'the other way round, at the bid',
    'USD/EUR',
    { USD: '0', EUR: '100.00' },
    ['1.05', '1.051'],
    { kind: 'charge', currency: 'EUR', amount: '3247', cost: '95239', receivable: '0' },
    ['close-out -3247 6753 0'],
    [],
  ],
  [
    'at the price of the conversion nothing is booked',
    'EUR/USD',
    { EUR: '0', USD: '1.00' },
    ['1.0815', '1.08159'],
    { kind: 'credit', currency: 'USD', amount: '0', cost: '108159', receivable: '0' },
    [],
    [],
  ],
])('%s', async (_what, pair, money, [bid, offer], closed, entry, owes) => {
  const booking = await overdue(pair, money);
  market(bid, offer);
  const before = await statement(booking.buyCurrency);
  const answer = await closeOut(booking);
  expect(answer).toMatchObject({ booking: { status: 'CANCELLED', closeOut: closed } });
  expect(await acme.read(booking.id)).toMatchObject({ status: 'CANCELLED', closeOut: closed });

  expect(await statement(booking.buyCurrency)).toEqual([...entry, ...before]);
  expect(await owed()).toEqual(owes);
  const { entries } = await rig.ask('readJournal', { clientId: acme.id, limit: 1 });
  expect(entries).toMatchObject([{ step: 'close-out-fx', id: booking.id, actor: 'operator', reason: REASON }]);
  expect(await differences()).toEqual([]);
  const { changes } = await rig.ask('readAudit', { limit: 1 });
  expect(changes).toMatchObject([
    { operation: 'cancelBooking', input: { closeOut: true, reason: REASON }, before: { status: 'OVERDUE' } },
  ]);
  expect(changes[0]?.after).toMatchObject({ status: 'CANCELLED', currency: booking.buyCurrency });

  // Once: nothing remains to settle or close out, and its sell no longer counts against the limit.
  expect(await closeOut(booking)).toMatchObject({ refusal: 'NOT_CANCELLABLE' });
  expect(await rig.redis.hget(acme.key('scheduled'), booking.sellCurrency)).toBe('0');
  await acme.credit(booking.sellCurrency, '1000.00');
  expect((await acme.read(booking.id))?.status).toBe('CANCELLED');
});

test('moves no money without a close-out', async () => {
  const booking = await overdue('EUR/USD', { EUR: '0', USD: '50.00' });
  market('1.1', '1.101');
  expect(await cancel(booking, { reason: REASON })).toMatchObject({ booking: { status: 'CANCELLED' } });
  expect(await acme.balance('USD')).toBe(5_000n);
  const { entries } = await rig.ask('readJournal', { clientId: acme.id, limit: 1 });
  expect(entries).toMatchObject([{ step: 'cancel-fx', moves: [], actor: 'operator', reason: REASON }]);
  expect((await acme.read(booking.id))?.closeOut).toBeUndefined();
});

test.each<[string, (booking: Booking) => Promise<unknown>, string]>([
  ['without a reason', (booking) => cancel(booking, { closeOut: true }), 'VALIDATION_FAILED'],
  [
    'without a price',
    async (booking) => {
      rig.services.book.providerDown(rig.services.book.registerProvider('test'));
      return closeOut(booking);
    },
    'RATE_UNAVAILABLE',
  ],
  [
    'while the account bought into is inactive',
    async (booking) => {
      await rig.ask('changeAccount', { accountNumber: booking.buyAccount, active: false });
      return closeOut(booking);
    },
    'ACCOUNT_INACTIVE',
  ],
  [
    'while the account has no room',
    async (booking) => {
      market('1.05', '1.051');
      await acme.credit('USD', '9999999999899.99');
      return closeOut(booking);
    },
    'BALANCE_LIMIT',
  ],
])('rejects a close-out %s, and the conversion stays overdue', async (_what, ask, code) => {
  const booking = await overdue('EUR/USD', { EUR: '0', USD: '100.00' });
  try {
    const answer = await ask(booking);
    expect(answer).toMatchObject({ refusal: code });
    expect((await acme.read(booking.id))?.status).toBe('OVERDUE');
    expect(await differences()).toEqual([]);
  } finally {
    rig.services.book.providerUp(rig.services.book.registerProvider('test'));
    await cancel(booking);
  }
});

test('an OPEN conversion is cancelled without a close-out', async () => {
  acme = await rig.client(`acme-${++clients}`, { EUR: '0', USD: '0' }, '1000000');
  const booking = await acme.book('EUR/USD', 1_000, { type: 'SCHEDULED2' });
  expect(await closeOut(booking)).toMatchObject({
    refusal: 'NOT_CANCELLABLE',
    text: expect.stringContaining('without --close-out'),
  });
  expect(await cancel(booking)).toMatchObject({ booking: { status: 'CANCELLED' } });
});

test('reconciliation names a record without its close-out, and an altered amount', async () => {
  const booking = await overdue('EUR/USD', { EUR: '0', USD: '50.00' });
  market('1.1', '1.101');
  await closeOut(booking);
  const keys = ledgerKeys((await rig.services.store.clients.get(`acme-${clients}`))!);
  const { closeOut: kept } = (await readStoredBooking(rig.redis, keys, booking.id))!.booking;
  const altered = JSON.parse(JSON.stringify(kept).replace('1941', '1940')) as CloseOut;
  await alterBooking(rig.redis, keys, booking.id, { closeOut: altered });
  expect(await differences()).toMatchObject([
    { expected: expect.stringContaining('house:fx 1940') },
    { what: `position: close-outs in USD, ${booking.valueDate}` },
  ]);
  await alterBooking(rig.redis, keys, booking.id, { closeOut: undefined });
  expect(await differences()).toHaveLength(2);
});

test('the session that booked it and those with copies get a report, in the same step', async () => {
  acme = await rig.client(`acme-${++clients}`, { EUR: '0', USD: '0' }, '1000000');
  const booking = await acme.book('EUR/USD', 1_000, { type: 'SCHEDULED1', session: 'DESK1' });
  rig.now = booking.expiryMs;
  await settleDue(rig.services, 100);
  await rig.redis.sadd(acme.key('drop-copies'), 'OFFICE1', 'DESK1');
  const answer = await closeOut(booking);
  if (!('booking' in answer)) throw new Error(answer.text);
  const { cancelledAtMs } = answer.booking;
  expect(cancelledAtMs).toBeGreaterThanOrEqual(rig.now);
  const reports = async (compId: string) => {
    const { shard } = (await rig.services.store.clients.get(acme.id))!;
    const entries = await rig.redis.xrange(outboxKey(sessionKey(shard, ENGINE_COMP_ID, compId)), '-', '+');
    return entries.map(([, fields]) => fields.join(' ')).filter((entry) => entry.includes('amendment'));
  };
  expect(await reports('DESK1')).toEqual([`kind amendment data ${booking.id} 1`]);
  expect(await reports('OFFICE1')).toEqual([`kind amendment-copy data ${booking.id} 1`]);
  expect(await acme.read(booking.id)).toMatchObject({ cancelledAtMs, settledAtMs: undefined });
});

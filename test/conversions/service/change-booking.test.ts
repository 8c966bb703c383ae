/** A client cancels, moves or splits a conversion that has not settled, by a quote. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { isRefusal, type Refusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { convert } from '../../../engine/domain/money/conversion.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { clientOffer, scaledFromText } from '../../../engine/domain/money/rate.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 86_400_000;

let rig: LedgerRig;
let acme: RigClient;
let clients = 0;
let requests = 0;

beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
});
afterAll(() => rig.stop());
beforeEach(async () => {
  rig.now = MONDAY;
  market('1.08431', '1.08433');
  acme = await rig.client(`client-${++clients}`, { EUR: '5000.00', USD: '0' }, '1000000');
});

function market(bid: string, offer: string): void {
  const { index, priceDigits } = pairBySymbol('EUR/USD')!;
  const [low = 0, high = 0] = [bid, offer].map((text) => scaledFromText(text, priceDigits, 'down'));
  rig.services.book.tick(rig.services.book.registerProvider('test'), index, low, high, 0, 0, 0, 0);
}

const callerOf = (id: string) => ({ clientId: id, keyId: 'CK_X', rights: new Set(RIGHTS) });
const ask = <
  Name extends
    | 'quoteCancellation'
    | 'quoteDateChange'
    | 'quoteSplit'
    | 'cancelConversion'
    | 'changeConversionDate'
    | 'splitConversion'
    | 'listConversionChanges',
>(
  name: Name,
  input: object,
  id = acme.id,
): Promise<OutputOf<Name> | Refusal> => perform(rig.services, name, callerOf(id), input);

async function done<Name extends Parameters<typeof ask>[0]>(name: Name, input: object): Promise<OutputOf<Name>> {
  const answer = await ask(name, input);
  if (isRefusal(answer)) throw new Error(`${answer.refusal}: ${answer.text}`);
  return answer as OutputOf<Name>;
}
const codeOf = (answer: object): string => (isRefusal(answer) ? answer.refusal : 'none');
const scheduled = (amount = 1_000, more: object = {}) => acme.book('EUR/USD', amount, { type: 'SCHEDULED1', ...more });
const command = (booking: Booking, { quoteId }: { quoteId: string }, more: object = {}) => ({
  confirmationId: booking.id,
  quoteId,
  requestId: `${acme.id}-change-${++requests}`,
  ...more,
});
const cancel = async (booking: Booking, more: object = {}) =>
  done('cancelConversion', command(booking, await done('quoteCancellation', { confirmationId: booking.id }), more));
const moveTo = (booking: Booking, settlementDate: string) =>
  ask('quoteDateChange', { confirmationId: booking.id, settlementDate });
const split = async (booking: Booking, sellAmounts: readonly number[]) =>
  done('splitConversion', command(booking, await done('quoteSplit', { confirmationId: booking.id, sellAmounts })));
const differences = async () => (await rig.ask('reconcile', { clientId: acme.id })).differences;

async function statement(currency: string): Promise<string[]> {
  const accountNumber = await acme.account(currency);
  const answer = await perform(rig.services, 'listAccountEntries', callerOf(acme.id), { accountNumber });
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer.items.map(({ type, amount, balance, receivable, paysOn }) =>
    `${type} ${amount} ${balance} ${receivable} ${paysOn}`.trimEnd(),
  );
}

/** What the opposite deal brings at the market's offer with the client's margin of 0.25 %. */
function broughtBack(booking: Booking, offer: string): bigint {
  const pair = pairBySymbol('EUR/USD')!;
  const providerPrice = scaledFromText(offer, pair.priceDigits, 'down');
  const price = clientOffer(providerPrice, 2_500);
  const back = convert({
    pair,
    sell: 'USD',
    price,
    providerPrice,
    amount: { side: 'sell', minor: BigInt(booking.buy) },
  });
  if (isRefusal(back)) throw new Error(back.text);
  return back.buyMinor;
}

test.each([
  ['a market that stands still costs both margins', ['1.08431', '1.08433'], 'charge'],
  ['a dearer euro is charged', ['1.2', '1.2001'], 'charge'],
  ['a cheaper euro is a gain', ['1.05', '1.0501'], 'credit'],
] as const)('%s, to the account that is sold from', async (_what, [bid, offer], kind) => {
  const booking = await scheduled();
  market(bid, offer);
  const difference = broughtBack(booking, offer) - BigInt(booking.sell);
  const quoted = await done('quoteCancellation', { confirmationId: booking.id });
  const due = difference < 0n ? -difference : difference;
  expect(quoted.terms.reversal).toMatchObject({ kind, currency: 'EUR', amount: String(due), marginPpm: 2_500 });
  expect(quoted.terms.untilMs).toBe(MONDAY + 30_000);
  expect(await acme.balance('EUR')).toBe(500_000n);
  const changed = await done('cancelConversion', command(booking, quoted, { reason: 'order | withdrawn' }));
  expect(changed).toMatchObject({ replayed: false, booking: { status: 'CANCELLED' }, change: { receivable: '0' } });
  const isGain = kind === 'credit';
  const atOnce = isGain ? 0n : difference;
  expect(await acme.balance('EUR')).toBe(500_000n + atOnce);
  expect((await statement('EUR'))[0]).toBe(`cancellation ${atOnce} ${500_000n + atOnce} 0${isGain ? ' 20280627' : ''}`);
  // A gain at the end of its value date, behind what settles on it.
  rig.now = Date.UTC(2028, 5, 28) - 60_000;
  await settleDue(rig.services, 100);
  expect(await acme.balance('EUR')).toBe(500_000n + atOnce);
  rig.now = Date.UTC(2028, 5, 28) - 1;
  await settleDue(rig.services, 100);
  expect(await acme.balance('EUR')).toBe(500_000n + difference);
  expect((await statement('EUR'))[0]).toBe(`cancellation ${difference} ${500_000n + difference} 0`);
  expect(await acme.read(booking.id)).toMatchObject({
    status: 'CANCELLED',
    cancelledAtMs: expect.any(Number),
    amendments: [{ kind: 'cancel', reason: 'order | withdrawn', reversal: { amount: String(due) } }],
  });
  expect(await differences()).toEqual([]);
});

test('what the account lacks of a charge is owed', async () => {
  const booking = await scheduled();
  market('1.2', '1.2001');
  const charge = BigInt(booking.sell) - broughtBack(booking, '1.2001');
  const account = await acme.account('EUR');
  await rig.ask('adjustAccount', {
    accountNumber: account,
    direction: 'debit',
    amount: '4990.00',
    reference: 'r',
    reason: 'x',
  });
  const { change } = await cancel(booking);
  expect(change.receivable).toBe(String(charge - 1_000n));
  expect(await acme.balance('EUR')).toBe(0n);
  expect((await statement('EUR'))[0]).toBe(`cancellation -1000 0 ${charge - 1_000n}`);
  expect((await rig.ask('listReceivables', { clientId: acme.id })).receivables).toMatchObject([
    { owed: charge - 1_000n },
  ]);
  expect(await differences()).toEqual([]);
});

test('a client without gains gets none, but is charged', async () => {
  await rig.ask('changeClient', { id: acme.id, cancel: 'worse' });
  await rig.services.store.clients.get(acme.id);
  const [one, other] = [await scheduled(), await scheduled()];
  market('1.05', '1.0501');
  const { change } = await cancel(one);
  expect(change.reversal).toMatchObject({ kind: 'credit', amount: '0' });
  expect(await acme.balance('EUR')).toBe(500_000n);
  market('1.2', '1.2001');
  expect((await cancel(other)).change.reversal).toMatchObject({ kind: 'charge' });
  expect(await differences()).toEqual([]);
});

// The tolerance is 200 parts per million: of an offer of 1.08433 with a margin of 0.25 percent, 0.0002174.
test.each([
  ['within the tolerance', '1.08453', 'none'],
  ['within it, the other way', '1.08413', 'none'],
  ['beyond it, against the client', '1.08456', 'RATE_MOVED'],
  ['beyond it, for the client', '1.0841', 'RATE_MOVED'],
])('a cancellation is priced again: %s, %s', async (_what, offer, code) => {
  const booking = await scheduled();
  const quoted = await done('quoteCancellation', { confirmationId: booking.id });
  market('1.0838', offer);
  const requestId = `moves-${++requests}`;
  const answer = await ask('cancelConversion', command(booking, quoted, { requestId }));
  expect(codeOf(answer)).toBe(code);
  if (!isRefusal(answer)) {
    expect(answer.change.reversal).toEqual(quoted.terms.reversal);
    market('1.05', '1.0501');
    // What was done is answered first.
    const again = command(booking, quoted, { requestId });
    expect(await ask('cancelConversion', again)).toMatchObject({ replayed: true });
    return;
  }
  expect(await acme.read(booking.id)).toMatchObject({ status: 'OPEN' });
  const now = await done('quoteCancellation', { confirmationId: booking.id });
  const { quoteId, ...details } = answer.details!;
  expect(details).toEqual({
    fxRate: expect.closeTo(1e7 / now.terms.reversal!.providerPrice, 9),
    instaremFxRate: expect.closeTo(1e7 / now.terms.reversal!.price, 9),
    lockExpiryAt: new Date(MONDAY + 30_000).toISOString(),
  });
  // With the same request id: the refusal is not kept.
  const change = await done('cancelConversion', command(booking, { quoteId: String(quoteId) }, { requestId }));
  // Its proof has another age.
  const { proof: _, paysAtMs, ...reversal } = now.terms.reversal!;
  expect(paysAtMs).toBeUndefined();
  expect(change.change.reversal).toMatchObject(reversal);
  expect(await differences()).toEqual([]);
});

test('an OVERDUE one is cancelled and split, and keeps its date, as its children do', async () => {
  acme = await rig.client(`poor-${clients}`, { EUR: '0', USD: '0' }, '1000000');
  const [one, two, three] = [await scheduled(), await scheduled(), await scheduled()];
  const quoted = await done('quoteDateChange', { confirmationId: two.id, settlementDate: '2028-06-28' });
  rig.now = one.expiryMs;
  await settleDue(rig.services, 100);
  expect((await acme.read(one.id))!.status).toBe('OVERDUE');
  await cancel(one);
  expect(codeOf(await moveTo(two, '2028-06-29'))).toBe('NOT_CHANGEABLE');
  // Also by a quote of the time before.
  expect(codeOf(await ask('changeConversionDate', command(two, quoted)))).toBe('NOT_CHANGEABLE');
  const { change } = await split(three, [400, 600]);
  for (const { id } of change.children!) {
    const child = (await acme.read(id))!;
    expect([child.status, codeOf(await moveTo(child, '2028-06-29'))]).toEqual(['OPEN', 'NOT_CHANGEABLE']);
  }
  expect(await differences()).toEqual([]);
  // The part whose money is there settles by itself.
  await acme.credit('EUR', '450.00');
  await settleDue(rig.services, 100);
  const { children = [] } = (await acme.read(three.id))!.amendments![0]!;
  const states = await Promise.all(children.map(async ({ id }) => (await acme.read(id))!.status));
  expect(states).toEqual(['SETTLED', 'OVERDUE']);
  expect(await differences()).toEqual([]);
});

test('at its settlement time a conversion keeps its date, before the store has settled it', async () => {
  const booking = await scheduled();
  rig.now = booking.expiryMs - 1_000;
  const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-29' });
  rig.now = booking.expiryMs;
  expect(codeOf(await ask('changeConversionDate', command(booking, quoted)))).toBe('NOT_CHANGEABLE');
  const again = await moveTo(booking, '2028-06-29');
  expect(again).toMatchObject({
    refusal: 'NOT_CHANGEABLE',
    text: expect.stringMatching(/fund it, cancel it or split it/),
  });
  expect(await differences()).toEqual([]);
});

test('a gain settles what waits for the account that it is credited to', async () => {
  acme = await rig.client(`gains-${clients}`, { EUR: '0', USD: '0' }, '1000000');
  const [one, other] = [await scheduled(10), await scheduled(1_000)];
  rig.now = one.expiryMs;
  market('1.05', '1.0501');
  await settleDue(rig.services, 100);
  expect((await acme.read(one.id))!.status).toBe('OVERDUE');
  await cancel(other);
  rig.now += DAY_MS;
  await settleDue(rig.services, 100);
  await settleDue(rig.services, 100);
  expect((await acme.read(one.id))!.status).toBe('SETTLED');
  expect(await differences()).toEqual([]);
});

test('an OVERDUE one has nothing to settle on its date: a limit of dates does not bind its cancellation', async () => {
  acme = await rig.client(`late-${clients}`, { EUR: '0', USD: '0' }, '1000000');
  const booking = await scheduled();
  rig.now = booking.expiryMs + DAY_MS;
  await settleDue(rig.services, 100);
  const { limits } = rig.services;
  try {
    limits.replace(new Map([[acme.id, { base: limits.base, settlement: 0 }]]));
    await cancel(booking);
  } finally {
    limits.replace(new Map());
  }
  expect(await differences()).toEqual([]);
});

test('another date: the due entry and the position move, nothing is charged, and it settles then', async () => {
  const booking = await scheduled(1_000, { type: 'SCHEDULED1' });
  expect(booking.valueDate).toBe('20280627');
  const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-28' });
  expect(quoted.terms).toMatchObject({
    kind: 'date',
    date: { valueDate: '20280628', settlesAtMs: MONDAY + 2 * DAY_MS },
  });
  const { change, booking: moved } = await done('changeConversionDate', command(booking, quoted));
  expect([change.kind, moved.status]).toEqual(['date', 'OPEN']);
  const fields = await rig.redis.hgetall(acme.key('position'));
  expect(fields['EUR/USD|20280627|Bq']).toBe('0 0 0');
  expect(fields['EUR/USD|20280628|Bq']).toBe(`${booking.sell} ${booking.buy} ${booking.margin}`);
  expect(await differences()).toEqual([]);
  rig.now = booking.expiryMs;
  await settleDue(rig.services, 100);
  expect((await acme.read(booking.id))!.status).toBe('OPEN');
  rig.now = MONDAY + 2 * DAY_MS;
  await settleDue(rig.services, 100);
  expect((await acme.read(booking.id))!.status).toBe('SETTLED');
  expect(await differences()).toEqual([]);
});

test('a moved one is cancelled on its new date, and the operator may close it out or bust it', async () => {
  const bookings = [await scheduled(), await scheduled(), await scheduled()];
  for (const booking of bookings) {
    const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-28' });
    await done('changeConversionDate', command(booking, quoted));
  }
  const [one, two, three] = bookings as [Booking, Booking, Booking];
  await cancel(one);
  await rig.ask('cancelBooking', { clientId: acme.id, confirmationId: two.id });
  await rig.ask('correctBooking', { clientId: acme.id, confirmationId: three.id, amount: '900', reason: 'x' });
  expect(await differences()).toEqual([]);
  await rig.ask('bustBooking', { clientId: acme.id, confirmationId: three.id, reason: 'x' });
  expect(await differences()).toEqual([]);
});

test('the children of a split have the amounts exactly, the rate, the date and the type, and settle by themselves', async () => {
  const booking = await scheduled(1_000);
  const before = await rig.redis.hgetall(acme.key('position'));
  const quoted = await done('quoteSplit', { confirmationId: booking.id, sellAmounts: [333.33, 333.33, 333.34] });
  const { booking: parent, change } = await done('splitConversion', command(booking, quoted));
  expect(parent.status).toBe('SPLIT');
  const children = await Promise.all(change.children!.map(async ({ id }) => (await acme.read(id))!));
  const sum = (what: 'sell' | 'buy' | 'margin') => children.reduce((all, child) => all + BigInt(child[what]), 0n);
  expect([sum('sell'), sum('buy'), sum('margin')].map(String)).toEqual([booking.sell, booking.buy, booking.margin]);
  for (const child of children) {
    const { pair, price, providerPrice, marginPpm, type, valueDate, expiryMs, sellAccount, buyAccount } = booking;
    expect(child).toMatchObject({
      pair,
      price,
      providerPrice,
      marginPpm,
      type,
      valueDate,
      expiryMs,
      sellAccount,
      buyAccount,
    });
    expect(child).toMatchObject({ parentId: booking.id, status: 'OPEN' });
  }
  expect(await rig.redis.hgetall(acme.key('position'))).toEqual(before);
  expect(await differences()).toEqual([]);
  rig.now = booking.expiryMs;
  await settleDue(rig.services, 100);
  expect(await acme.balance('USD')).toBe(BigInt(booking.buy));
  expect(await acme.balance('EUR')).toBe(500_000n - BigInt(booking.sell));
  expect(await differences()).toEqual([]);
});

test('a child is changed like any other, and a split one no more', async () => {
  const booking = await scheduled(1_000);
  const { change } = await split(booking, [600, 400]);
  const [one, two] = (await Promise.all(change.children!.map(({ id }) => acme.read(id)))) as [Booking, Booking];
  await cancel(one);
  await split(two, [300, 100]);
  expect(await differences()).toEqual([]);
  expect(codeOf(await ask('quoteCancellation', { confirmationId: booking.id }))).toBe('NOT_CHANGEABLE');
  const bust = { clientId: acme.id, confirmationId: booking.id, reason: 'x' };
  expect(codeOf(await perform(rig.services, 'bustBooking', undefined, bust))).toBe('WRONG_STATE');
});

test('the same command again is the first answer, another one with its id is refused', async () => {
  const [booking, other] = [await scheduled(), await scheduled()];
  const [quoted, second] = [
    await done('quoteCancellation', { confirmationId: booking.id }),
    await done('quoteCancellation', { confirmationId: other.id }),
  ];
  const first = command(booking, quoted);
  const { replayed: _, ...answer } = await done('cancelConversion', first);
  rig.now = MONDAY + 3_600_000;
  expect(await done('cancelConversion', first)).toEqual({ ...answer, replayed: true });
  const reused = { ...command(other, second), requestId: first.requestId };
  expect(codeOf(await ask('cancelConversion', reused))).toBe('REQUEST_ID_REUSED');
  // One namespace with those of bookings.
  expect(codeOf(await ask('cancelConversion', { ...command(other, second), requestId: booking.requestId }))).toBe(
    'REQUEST_ID_REUSED',
  );
  const again = await acme.tryToBook('EUR/USD', 10, { requestId: first.requestId });
  expect(codeOf(again)).toBe('REQUEST_ID_REUSED');
});

test('reasons against a change, in the order of checks', async () => {
  const booking = await scheduled();
  const quoted = await done('quoteCancellation', { confirmationId: booking.id });
  const asked = (more: object) => ask('cancelConversion', command(booking, quoted, more));
  expect(codeOf(await asked({ confirmationId: 'BFX01K4M2V7Q8Z3X5YAB' }))).toBe('NOT_FOUND');
  expect(codeOf(await asked({ quoteId: 'x'.repeat(80) }))).toBe('QUOTE_INVALID');
  // Of another kind, of another conversion, of another client.
  expect(codeOf(await ask('splitConversion', command(booking, quoted)))).toBe('QUOTE_INVALID');
  const other = await scheduled();
  expect(codeOf(await ask('cancelConversion', command(other, quoted)))).toBe('QUOTE_INVALID');
  const stranger = await rig.client(`stranger-${clients}`, { EUR: '5.00', USD: '0' });
  expect(codeOf(await ask('cancelConversion', command(booking, quoted), stranger.id))).toBe('NOT_FOUND');
  expect(codeOf(await ask('quoteCancellation', { confirmationId: booking.id }, stranger.id))).toBe('NOT_FOUND');

  rig.now = MONDAY + 30_001;
  expect(codeOf(await asked({}))).toBe('QUOTE_EXPIRED');
  rig.now = MONDAY;
  await rig.ask('changeAccount', { accountNumber: booking.sellAccount, active: false });
  expect(codeOf(await asked({}))).toBe('ACCOUNT_INACTIVE');
  await rig.ask('changeAccount', { accountNumber: booking.sellAccount, active: true });
  await rig.ask('haltClient', { clientId: acme.id, reason: 'x' });
  await expect.poll(async () => codeOf(await asked({}))).toBe('TRADING_HALTED');
  expect(codeOf(await ask('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-28' }))).toBe(
    'TRADING_HALTED',
  );
  expect(codeOf(await ask('quoteSplit', { confirmationId: booking.id, sellAmounts: [1, 999] }))).toBe('TRADING_HALTED');
  await rig.ask('resumeClient', { clientId: acme.id, reason: 'x' });
  await expect.poll(async () => codeOf(await ask('quoteCancellation', { confirmationId: booking.id }))).toBe('none');

  // It has changed since its quote.
  const date = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-28' });
  await done('changeConversionDate', command(booking, date));
  expect(codeOf(await asked({}))).toBe('QUOTE_INVALID');
  const fresh = await done('quoteCancellation', { confirmationId: booking.id });
  await done('cancelConversion', command(booking, fresh));
  expect(codeOf(await asked({}))).toBe('NOT_CHANGEABLE');
  const paid = await acme.book('EUR/USD', 10, { type: 'PREFUNDING' });
  expect(codeOf(await ask('quoteCancellation', { confirmationId: paid.id }))).toBe('NOT_CHANGEABLE');
  expect(await differences()).toEqual([]);
});

test.each([
  ['2028-06-26', 'BAD_SETTLEMENT_DATE'],
  ['2028-06-29', 'BAD_SETTLEMENT_DATE'],
  ['2028-07-01', 'BAD_SETTLEMENT_DATE'],
  // Its own date: a quote would use up one of five changes.
  ['2028-06-27', 'BAD_SETTLEMENT_DATE'],
  ['2028-06-28', 'none'],
])('a date up to spot alone: %s %s', async (settlementDate, code) => {
  const booking = await scheduled();
  expect(codeOf(await ask('quoteDateChange', { confirmationId: booking.id, settlementDate }))).toBe(code);
});

test('a date is moved five times at most', async () => {
  const booking = await scheduled();
  for (const day of ['28', '27', '28', '27', '28']) {
    const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: `2028-06-${day}` });
    await done('changeConversionDate', command(booking, quoted));
  }
  const sixth = await ask('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-27' });
  expect(codeOf(sixth)).toBe('NOT_CHANGEABLE');
  expect(await differences()).toEqual([]);
});

test('a split gives its children the changes of date that there were', async () => {
  let booking = await scheduled();
  for (const day of ['28', '27', '28', '27']) {
    const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: `2028-06-${day}` });
    await done('changeConversionDate', command(booking, quoted));
  }
  for (const amounts of [
    [500, 500],
    [250, 250],
  ]) {
    const { change } = await split(booking, amounts);
    booking = (await acme.read(change.children![0]!.id))!;
  }
  const quoted = await done('quoteDateChange', { confirmationId: booking.id, settlementDate: '2028-06-28' });
  await done('changeConversionDate', command(booking, quoted));
  const sixth = await moveTo(booking, '2028-06-27');
  expect(sixth).toMatchObject({ refusal: 'NOT_CHANGEABLE', text: expect.stringMatching(/changed 5 times/) });
  const { change } = await split(booking, [100, 150]);
  for (const { id } of change.children!)
    expect(codeOf(await moveTo((await acme.read(id))!, '2028-06-27'))).toBe('NOT_CHANGEABLE');
  expect(await differences()).toEqual([]);
});

test.each<[what: string, amounts: object, code: string]>([
  ['a sum below', { sellAmounts: [600, 399.99] }, 'BAD_AMOUNT'],
  ['a sum above', { sellAmounts: [600, 400.01] }, 'BAD_AMOUNT'],
  ['an amount of nothing', { sellAmounts: [1_000, 0] }, 'BAD_AMOUNT'],
  ['more decimals than the currency has', { sellAmounts: [999.999, 0.001] }, 'BAD_AMOUNT'],
  ['a part below the smallest of the pair', { sellAmounts: [999.99, 0.01] }, 'AMOUNT_BELOW_MIN'],
  ['one amount', { sellAmounts: [1_000] }, 'VALIDATION_FAILED'],
  ['eleven amounts', { sellAmounts: [...Array.from({ length: 10 }, () => 90), 100] }, 'VALIDATION_FAILED'],
  ['both lists', { sellAmounts: [500, 500], buyAmounts: [500, 500] }, 'VALIDATION_FAILED'],
  ['neither list', {}, 'VALIDATION_FAILED'],
])('amounts of a split: %s', async (_what, amounts, code) => {
  const booking = await scheduled(1_000);
  expect(codeOf(await ask('quoteSplit', { confirmationId: booking.id, ...amounts }))).toBe(code);
});

test('the list of changes: newest first, by kind and by time, a page at a time', async () => {
  const [one, two] = [await scheduled(), await scheduled()];
  await cancel(one);
  rig.now = MONDAY + 60_000;
  await split(two, [500, 500]);
  const { items } = await done('listConversionChanges', {});
  expect(items.map(({ change, before }) => [change.kind, before.id])).toEqual([
    ['split', two.id],
    ['cancel', one.id],
  ]);
  const first = await done('listConversionChanges', { limit: 1 });
  expect(first.items.map(({ change }) => change.kind)).toEqual(['split']);
  const rest = await done('listConversionChanges', { limit: 1, cursor: first.nextCursor });
  expect([rest.items.map(({ change }) => change.kind), rest.nextCursor]).toEqual([['cancel'], '']);
  const cancelled = await done('listConversionChanges', { type: 'cancel' });
  expect(cancelled.items.map(({ before }) => before.id)).toEqual([one.id]);
  const to = new Date(MONDAY + 50_000).toISOString();
  expect((await done('listConversionChanges', { to })).items.map(({ before }) => before.id)).toEqual([one.id]);
});

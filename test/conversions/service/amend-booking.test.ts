/** An operator busts or corrects a conversion. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { readStoredBooking } from '../../support/stored.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
const REASON = 'off-market rate';

let rig: LedgerRig;
let acme: RigClient;
let clients = 0;

beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
});
afterAll(() => rig.stop());
beforeEach(async () => {
  rig.now = MONDAY;
  acme = await rig.client(`acme-${++clients}`, { EUR: '2000.00', USD: '100.00' }, '1000000');
});

// 1,000.00 EUR at 1.0815992 are 1,081.59 USD, and 2.72 USD are the margin.
const book = (more: Readonly<Record<string, unknown>> = {}) => acme.book('EUR/USD', 1_000, more);
const bust = (confirmationId: string, more: object = {}) =>
  perform(rig.services, 'bustBooking', undefined, { clientId: acme.id, confirmationId, reason: REASON, ...more });
const correct = (confirmationId: string, more: object) =>
  perform(rig.services, 'correctBooking', undefined, { clientId: acme.id, confirmationId, reason: REASON, ...more });
const differences = async () => (await rig.ask('reconcile', { clientId: acme.id })).differences;
const money = async () => [await acme.balance('EUR'), await acme.balance('USD')];
const house = () => rig.redis.hmget(acme.key('balances'), 'EUR/house:fx', 'USD/house:fx', 'USD/house:margin');
const caller = () => ({ clientId: acme.id, keyId: 'CK_X', rights: new Set(RIGHTS) });
const lastEntry = async () => (await rig.ask('readJournal', { clientId: acme.id, limit: 1 })).entries[0]!;

async function statement(currency: string): Promise<string[]> {
  const accountNumber = await acme.account(currency);
  const answer = await perform(rig.services, 'listAccountEntries', caller(), { accountNumber });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.items.map(({ type, amount, balance }) => `${type} ${amount} ${balance}`);
}

describe('a bust', () => {
  test('moves everything back, in one entry, once', async () => {
    const booking = await book();
    expect(await money()).toEqual([100_000n, 118_159n]);
    rig.now += 60_000;
    const answer = await bust(booking.id, { requestId: 'ticket-1' });
    expect(answer).toMatchObject({ booking: { status: 'CANCELLED' }, replayed: false, amendmentId: 'ticket-1' });
    expect(await money()).toEqual([200_000n, 10_000n]);
    expect(await house()).toEqual(['0', '0', '0']);
    const { sellAccount, buyAccount } = booking;
    expect(await lastEntry()).toMatchObject({
      step: 'bust-fx',
      id: booking.id,
      actor: 'operator',
      reason: REASON,
      moves: [
        { currency: 'EUR', from: 'house:fx', to: sellAccount, amount: 100_000n },
        { currency: 'USD', from: buyAccount, to: 'house:fx', amount: 108_159n },
        { currency: 'USD', from: 'house:margin', to: 'house:fx', amount: 272n },
      ],
    });
    expect(await statement('USD')).toEqual(['bust -108159 10000', 'book-fx 108159 118159', 'deposit 10000 10000']);
    expect(await bust(booking.id, { requestId: 'ticket-1' })).toMatchObject({ replayed: true });
    expect(await bust(booking.id, { requestId: 'ticket-2' })).toMatchObject({ refusal: 'WRONG_STATE' });
    expect(await correct(booking.id, { rate: '1.08' })).toMatchObject({ refusal: 'WRONG_STATE' });
    expect(await money()).toEqual([200_000n, 10_000n]);
    expect(await differences()).toEqual([]);
    const read = await perform(rig.services, 'readBooking', caller(), { confirmationId: booking.id });
    expect(read).toMatchObject({ booking: { status: 'CANCELLED', amendments: [{ kind: 'bust', id: 'ticket-1' }] } });
    const listed = await perform(rig.services, 'listBookings', caller(), { status: 'CANCELLED' });
    expect(listed).toMatchObject({ items: [{ id: booking.id }] });
  });

  test('finds the client by itself, and is written down', async () => {
    const booking = await book();
    expect(await bust(booking.id, { clientId: undefined })).toMatchObject({ clientId: acme.id });
    const { changes } = await rig.ask('readAudit', { limit: 1 });
    expect(changes).toMatchObject([
      {
        operation: 'bustBooking',
        subject: `conversion ${booking.id} of client ${acme.id}`,
        before: { status: 'SETTLED', sold: '1000.00 EUR', bought: '1081.59 USD', rate: '1.0815992' },
        after: { status: 'CANCELLED', amendments: 1 },
        outcome: 'done',
      },
    ]);
  });

  test('of a conversion that has not settled moves nothing, and ends it', async () => {
    const open = await book({ type: 'SCHEDULED1' });
    const overdue = await acme.book('EUR/USD', 5_000, { type: 'SCHEDULED1' });
    rig.now = overdue.expiryMs;
    await acme.book('EUR/USD', 2_000);
    await settleDue(rig.services, 100);
    expect((await acme.read(open.id))?.status).toBe('OVERDUE');
    rig.now = MONDAY;
    const another = await book({ type: 'SCHEDULED1' });
    for (const { id } of [open, overdue, another]) {
      expect(await bust(id)).toMatchObject({ booking: { status: 'CANCELLED' } });
      expect(await lastEntry()).toMatchObject({ step: 'bust-fx', moves: [] });
    }
    expect(await rig.redis.hget(acme.key('scheduled'), 'EUR')).toBe('0');
    expect(await rig.redis.zcard(acme.key('overdue'))).toBe(0);
    expect(await differences()).toEqual([]);
  });

  test('of one that settled at its time moves everything back', async () => {
    const booking = await book({ type: 'SCHEDULED1' });
    rig.now = booking.expiryMs;
    await settleDue(rig.services, 100);
    expect(await bust(booking.id)).toMatchObject({ booking: { status: 'CANCELLED' } });
    expect(await money()).toEqual([200_000n, 10_000n]);
    expect(await differences()).toEqual([]);
  });

  test('gives overdue conversions and waiting payments the money that comes back', async () => {
    const booking = await acme.book('EUR/USD', 2_000);
    const later = await book({ type: 'SCHEDULED1' });
    rig.now = later.expiryMs;
    await settleDue(rig.services, 100);
    expect((await acme.read(later.id))?.status).toBe('OVERDUE');
    await bust(booking.id);
    await settleDue(rig.services, 100);
    expect((await acme.read(later.id))?.status).toBe('SETTLED');
    expect(await differences()).toEqual([]);
  });
});

describe('a correction', () => {
  test.each<[what: string, more: object, terms: object, euro: bigint, dollars: bigint, margin: string]>([
    [
      'of the rate',
      { rate: '1.08' },
      { sell: '100000', buy: '108000', margin: '431', price: 10_800_000, marginPpm: 3_975 },
      100_000n,
      118_000n,
      '431',
    ],
    [
      'of the amount',
      { amount: '500' },
      { sell: '50000', buy: '54079', margin: '136', price: 10_815_992, marginPpm: 2_500 },
      150_000n,
      64_079n,
      '136',
    ],
    [
      'of both',
      { rate: '1.09', providerRate: '1.1', amount: '1500.50' },
      { sell: '150050', buy: '163554', margin: '1501', providerPrice: 11_000_000 },
      49_950n,
      173_554n,
      '1501',
    ],
  ])('%s moves the difference, in one entry', async (_what, more, terms, euro, dollars, margin) => {
    const booking = await book();
    expect(await correct(booking.id, more)).toMatchObject({ booking: { status: 'SETTLED', ...terms } });
    expect(await money()).toEqual([euro, dollars]);
    expect((await house())[2]).toBe(margin);
    const { moves } = await lastEntry();
    expect(moves).toHaveLength(6);
    expect(await differences()).toEqual([]);
    const read = await perform(rig.services, 'readBooking', caller(), { confirmationId: booking.id });
    expect(read).toMatchObject({ booking: { ...terms, amendments: [{ kind: 'correct' }] } });
  });

  test('of an amount that was given in the currency bought', async () => {
    const booking = await acme.book('EUR/USD', 0, { sellAmount: undefined, buyAmount: 1_000 });
    expect(await correct(booking.id, { amount: '900' })).toMatchObject({ booking: { buy: '90000', sell: '83211' } });
    expect(await differences()).toEqual([]);
  });

  test('follows another one, and a bust undoes the last', async () => {
    const booking = await book();
    await correct(booking.id, { rate: '1.08', requestId: 'c1' });
    await correct(booking.id, { amount: '2000', requestId: 'c2' });
    expect(await money()).toEqual([0n, 226_000n]);
    // What was asked for is what counts, not what became of it.
    expect(await correct(booking.id, { rate: '1.08', requestId: 'c1' })).toMatchObject({ replayed: true });
    expect(await correct(booking.id, { rate: '1.07', requestId: 'c1' })).toMatchObject({
      refusal: 'REQUEST_ID_REUSED',
    });
    expect(await bust(booking.id, { requestId: 'c1' })).toMatchObject({ refusal: 'REQUEST_ID_REUSED' });
    expect(await bust(booking.id)).toMatchObject({ booking: { status: 'CANCELLED' } });
    expect(await money()).toEqual([200_000n, 10_000n]);
    expect(await house()).toEqual(['0', '0', '0']);
    expect(await differences()).toEqual([]);
  });

  describe('of a conversion that has not settled', () => {
    const scheduled = () => rig.redis.hget(acme.key('scheduled'), 'EUR');
    async function settle(): Promise<void> {
      rig.now += 3 * DAY_MS;
      await settleDue(rig.services, 100);
    }

    test('moves nothing, and it settles with the new terms', async () => {
      const { id } = await book({ type: 'SCHEDULED1' });
      const before = await money();
      expect(await correct(id, { rate: '1.08', amount: '500' })).toMatchObject({
        booking: { status: 'OPEN', sell: '50000', buy: '54000' },
      });
      expect(await lastEntry()).toMatchObject({ step: 'correct-fx', moves: [] });
      expect([await money(), await scheduled()]).toEqual([before, '50000']);
      expect(await differences()).toEqual([]);
      await correct(id, { amount: '2000' });
      expect(await scheduled()).toBe('200000');
      expect(await differences()).toEqual([]);
      await settle();
      expect((await acme.read(id))?.status).toBe('SETTLED');
      expect([await money(), await scheduled()]).toEqual([[0n, 226_000n], '0']);
      expect(await differences()).toEqual([]);
      // What it moved is what a later correction and a bust reverse.
      await correct(id, { amount: '1000' });
      expect(await money()).toEqual([100_000n, 118_000n]);
      await bust(id);
      expect(await money()).toEqual([200_000n, 10_000n]);
      expect(await house()).toEqual(['0', '0', '0']);
      expect(await differences()).toEqual([]);
    });

    test('which is overdue has it tried again at once', async () => {
      const { id } = await acme.book('EUR/USD', 5_000, { type: 'SCHEDULED1' });
      await settle();
      expect((await acme.read(id))?.status).toBe('OVERDUE');
      expect(await correct(id, { amount: '2000' })).toMatchObject({ booking: { status: 'OVERDUE' } });
      expect(await differences()).toEqual([]);
      await settleDue(rig.services, 100);
      expect((await acme.read(id))?.status).toBe('SETTLED');
      expect(await money()).toEqual([0n, 226_319n]);
      expect(await differences()).toEqual([]);
    });

    test('counts when it is busted, cancelled or closed out', async () => {
      const [one, two, three] = [
        await book({ type: 'SCHEDULED1' }),
        await book({ type: 'SCHEDULED1' }),
        await book({ type: 'SCHEDULED1' }),
      ];
      for (const { id } of [one, two, three]) await correct(id, { amount: '1500' });
      expect(await scheduled()).toBe('450000');
      await bust(one.id);
      await rig.ask('cancelBooking', { clientId: acme.id, confirmationId: two.id });
      expect(await scheduled()).toBe('150000');
      await acme.book('EUR/USD', 2_000);
      await settle();
      const closeOut = { clientId: acme.id, confirmationId: three.id, closeOut: true, reason: REASON };
      const { booking } = await rig.ask('cancelBooking', closeOut);
      // 1,500.00 EUR cost what the book asks for them.
      expect(booking).toMatchObject({ status: 'CANCELLED', sell: '150000', closeOut: { currency: 'USD' } });
      const { cost, amount } = booking.closeOut!;
      expect(BigInt(cost) - 162_239n).toBe(BigInt(amount));
      expect(await acme.read(three.id)).toMatchObject({
        amendments: [{ kind: 'correct' }],
        closeOut: booking.closeOut,
      });
      expect(await scheduled()).toBe('0');
      expect(await differences()).toEqual([]);
    });

    test('between reading and settling: it is read again', async () => {
      const { id } = await book({ type: 'SCHEDULED1' });
      const client = (await rig.services.store.clients.get(acme.id))!;
      const read = (await acme.read(id))!;
      await correct(id, { rate: '1.08' });
      rig.now += 3 * DAY_MS;
      expect(await rig.services.store.dueQueue.settle(client, read, 1)).toBe('changed');
      const cancellation = { actor: 'operator', reason: '' };
      expect(await rig.services.store.dueQueue.cancel(client, read, cancellation)).toEqual({ kind: 'changed' });
      await settleDue(rig.services, 100);
      expect(await money()).toEqual([100_000n, 118_000n]);
    });
  });

  test('has an id that no other conversion and no adjustment of the client has', async () => {
    const [one, other] = [await book({ requestId: 'one' }), await book({ requestId: 'other' })];
    await bust(one.id, { requestId: 'ticket-1' });
    expect(await bust(other.id, { requestId: 'ticket-1' })).toMatchObject({ refusal: 'REQUEST_ID_REUSED' });
    expect(await correct(other.id, { requestId: 'ticket-1', rate: '1.08' })).toMatchObject({
      refusal: 'REQUEST_ID_REUSED',
    });
    expect(await bust(one.id, { requestId: 'ticket-1' })).toMatchObject({ replayed: true });
    const accountNumber = await acme.account('EUR');
    const adjusted = { accountNumber, direction: 'debit', amount: '1', reference: 'x', reason: 'x' } as const;
    expect(await perform(rig.services, 'adjustAccount', undefined, { ...adjusted, id: 'ticket-1' })).toMatchObject({
      refusal: 'REQUEST_ID_REUSED',
    });
    await rig.ask('adjustAccount', { ...adjusted, id: 'ticket-2' });
    expect(await bust(other.id, { requestId: 'ticket-2' })).toMatchObject({ refusal: 'REQUEST_ID_REUSED' });
    expect((await acme.read(other.id))?.status).toBe('SETTLED');
    expect(await differences()).toEqual([]);
  });

  test('given twice at the same moment is made once', async () => {
    const booking = await book();
    const answers = await Promise.all([1, 2, 3].map(() => correct(booking.id, { rate: '1.08', requestId: 'at-once' })));
    expect(answers.map((answer) => 'replayed' in answer && answer.replayed).sort()).toEqual([false, true, true]);
    expect(await money()).toEqual([100_000n, 118_000n]);
  });

  test('the first answer of the request stays the first answer', async () => {
    const request = {
      requestId: 'first',
      description: 'a test',
      sellCurrency: 'EUR',
      buyCurrency: 'USD',
      sellAmount: 1_000,
    };
    const first = await perform(rig.services, 'bookFxByCurrency', caller(), request);
    const { booking } = first as { booking: Booking };
    await correct(booking.id, { rate: '1.08' });
    const again = await perform(rig.services, 'bookFxByCurrency', caller(), request);
    expect(again).toMatchObject({
      replayed: true,
      booking: { status: 'SETTLED', buy: booking.buy, amendments: undefined },
    });
  });

  test('twenty at most', async () => {
    const booking = await book();
    for (let i = 0; i < 20; i++)
      await rig.ask('correctBooking', {
        clientId: acme.id,
        confirmationId: booking.id,
        reason: REASON,
        rate: `1.07${10 + i}`,
      });
    expect(await correct(booking.id, { rate: '1.08' })).toMatchObject({ refusal: 'WRONG_STATE' });
    expect(await bust(booking.id)).toMatchObject({ booking: { status: 'CANCELLED' } });
    expect(await differences()).toEqual([]);
  });
});

describe('is refused', () => {
  const spend = (currency: string, amount: string) =>
    acme
      .account(currency)
      .then((accountNumber) =>
        rig.ask('adjustAccount', { accountNumber, direction: 'debit', amount, reference: 'x', reason: 'spent' }),
      );

  test.each<[what: string, ask: (booking: Booking) => Promise<unknown>, code: string]>([
    ['without a reason', ({ id }) => bust(id, { reason: '' }), 'VALIDATION_FAILED'],
    ['of an unknown client', ({ id }) => bust(id, { clientId: 'unknown' }), 'UNKNOWN_CLIENT'],
    ['of an unknown conversion', () => bust('BFX0000000000000000'), 'NOT_FOUND'],
    ['of an unknown conversion of any client', () => bust('BFX0000000000000000', { clientId: undefined }), 'NOT_FOUND'],
    ['without a rate and an amount', ({ id }) => correct(id, {}), 'VALIDATION_FAILED'],
    ['at a rate that is none', ({ id }) => correct(id, { rate: '1.0x' }), 'VALIDATION_FAILED'],
    ['at rate 0', ({ id }) => correct(id, { rate: '0' }), 'VALIDATION_FAILED'],
    ['at a rate of too many decimals', ({ id }) => correct(id, { rate: '1.08000001' }), 'VALIDATION_FAILED'],
    ['at a rate better than the provider’s', ({ id }) => correct(id, { rate: '1.09' }), 'BAD_MARGIN'],
    ['for an amount of 0', ({ id }) => correct(id, { amount: '0' }), 'BAD_AMOUNT'],
    ['for an amount of too many decimals', ({ id }) => correct(id, { amount: '1.001' }), 'BAD_AMOUNT'],
    ['below the minimum of the pair', ({ id }) => correct(id, { amount: '0.50' }), 'AMOUNT_BELOW_MIN'],
    ['above the maximum of the pair', ({ id }) => correct(id, { amount: '5000001' }), 'AMOUNT_ABOVE_LIMIT'],
    ['where nothing would change', ({ id }) => correct(id, { amount: '1000.00' }), 'WRONG_STATE'],
    ['for more than there is', ({ id }) => correct(id, { amount: '2000.01' }), 'INSUFFICIENT_BALANCE'],
    [
      'when what was bought is spent',
      async ({ id }) => {
        await spend('USD', '200.00');
        return bust(id);
      },
      'INSUFFICIENT_BALANCE',
    ],
    [
      'while an account is inactive',
      async ({ id, sellAccount }) => {
        await rig.ask('changeAccount', { accountNumber: sellAccount, active: false });
        return bust(id);
      },
      'ACCOUNT_INACTIVE',
    ],
    [
      'while the account has no room',
      async ({ id }) => {
        await acme.credit('EUR', '9999999998900.00');
        return bust(id);
      },
      'BALANCE_LIMIT',
    ],
    [
      'after it was cancelled',
      async () => {
        const { id } = await book({ type: 'SCHEDULED1' });
        await rig.ask('cancelBooking', { clientId: acme.id, confirmationId: id });
        return bust(id);
      },
      'WRONG_STATE',
    ],
  ])('%s, and nothing changes', async (_what, ask, code) => {
    const booking = await book();
    expect(await ask(booking)).toMatchObject({ refusal: code });
    const now = await acme.read(booking.id);
    expect([now?.status, now?.buy, now?.amendments]).toEqual(['SETTLED', '108159', undefined]);
    expect(await differences()).toEqual([]);
  });

  test('states what is missing', async () => {
    const booking = await book();
    await spend('USD', '200.00');
    const text = 'Balance 981.59 USD, needed 1081.59: the client has spent what would be taken back';
    expect(await bust(booking.id)).toMatchObject({ text });
  });
});

describe('reconcile', () => {
  async function corrected() {
    const booking = await book();
    await correct(booking.id, { rate: '1.08' });
    const keys = ledgerKeys((await rig.services.store.clients.get(acme.id))!);
    const { entry } = await lastEntry();
    const [member] = await rig.redis.zrange(acme.key('bookings'), '0', '0');
    const alter = async (change: (member: string) => string) => {
      await rig.redis.zrem(acme.key('bookings'), member!);
      await rig.redis.zadd(acme.key('bookings'), 0, change(member!));
    };
    return { booking, keys, entry, alter };
  }
  const whatDiffers = async () => (await differences()).map(({ what }) => what);

  test('finds amended terms that were altered', async () => {
    const { booking, alter, entry } = await corrected();
    await alter((member) => member.replace('"buy":"108000"', '"buy":"107000"'));
    expect(await whatDiffers()).toEqual([
      `booking ${booking.id}: hash of amendment of journal ${entry} (correct-fx ${booking.id})`,
      `journal ${entry} (correct-fx ${booking.id}): moves`,
      `booking ${booking.id}: sell, buy, margin, minor units`,
      `position EUR/USD ${booking.valueDate}, bought`,
    ]);
  });

  test('finds amended terms of a conversion that has not settled, altered to others that agree', async () => {
    const [one, other] = [await book({ type: 'SCHEDULED1' }), await book({ type: 'SCHEDULED1' })];
    await correct(one.id, { rate: '1.08' });
    const { entry } = await lastEntry();
    await correct(other.id, { rate: '1.07' });
    const members = await rig.redis.zrange(acme.key('bookings'), '0', '-1');
    const [terms, others] = members.map((member) => /"terms":\{.*?\}/.exec(member)![0]);
    await rig.redis.zrem(acme.key('bookings'), members[0]!);
    await rig.redis.zadd(acme.key('bookings'), 0, members[0]!.replace(terms!, others!));
    expect(await whatDiffers()).toEqual([
      `booking ${one.id}: hash of amendment of journal ${entry} (correct-fx ${one.id})`,
      `position EUR/USD ${one.valueDate}, bought`,
    ]);
  });

  test('finds an amendment whose journal entry was erased', async () => {
    const { booking, entry } = await corrected();
    await acme.credit('EUR', '1.00');
    await rig.redis.xdel(acme.key('journal'), entry);
    expect(await whatDiffers()).toContain(`booking ${booking.id}: journal entry`);
  });

  test('finds an amendment that was erased from its record', async () => {
    const { booking, alter, entry } = await corrected();
    await alter((member) => member.replace(/\[.*\]\|/, '|'));
    expect(await whatDiffers()).toEqual([
      `booking ${booking.id}: amendment of journal ${entry} (correct-fx ${booking.id})`,
      `position EUR/USD ${booking.valueDate}, bought`,
    ]);
  });

  test('reports a record whose amendments cannot be read', async () => {
    const { booking, alter } = await corrected();
    await alter((member) => member.replace('"kind":"correct"', '"kind":"other"'));
    expect(await whatDiffers()).toContain(`booking ${booking.id}`);
  });

  test('reads the terms of the booking beside those of its amendments', async () => {
    const { booking } = await corrected();
    const state = await readStoredBooking(
      rig.redis,
      ledgerKeys((await rig.services.store.clients.get(acme.id))!),
      booking.id,
    );
    expect(state?.booking).toMatchObject({ buy: '108159', amendments: [{ terms: { buy: '108000' } }] });
    expect(await differences()).toEqual([]);
    await bust(booking.id);
    expect(await differences()).toEqual([]);
  });
});

/** Every step that writes a client's money, bookings, holds, payments, fundings or journal, as the store runs it. */

import type { Booking } from '../../../engine/domain/conversions/booking.js';
import type { FundingFacts } from '../../../engine/domain/fundings/funding.js';
import { BatchSteps, queuedItem } from '../../batches/store/batch-steps.js';
import {
  along,
  created,
  createStep,
  move,
  PLAN,
  paymentFacts,
  plannedSell,
} from '../../payments/store/payment-steps.js';
import { PROOF } from '../../support/proof.js';
import { type ClientSteps, type LedgerSteps, NOW, OFFERED } from './ledger-steps.js';

let on: LedgerSteps;
let numbers = 0;

/** Sets the store on which the rows run their steps: called once, before the first. */
export const takenOn = (steps: LedgerSteps): void => {
  on = steps;
};
const batchesOf = (client: ClientSteps) => new BatchSteps(on.store, client);
export const nextNumber = (): number => ++numbers;

/** Creates the state, and returns a function that runs the step. */
type Prepare = (client: ClientSteps, accounts: { eur: string; usd: string }) => Promise<() => Promise<unknown>>;
const SCHEDULED = { settlesAtMs: NOW + 86_400_000, scheduledRoom: 10n ** 15n } as const;

/** The steps' clock advances while the keys are tested one after the other. */
export const HELD_UNTIL = NOW + 3_600_000;

async function booked(client: ClientSteps, more: object = {}) {
  const outcome = await on.store.bookings.book(client.of, client.step(more, { type: 'SCHEDULED1' }));
  if (outcome.kind !== 'booked') throw new Error(JSON.stringify(outcome));
  return outcome.booking;
}

/** A hold: a step with one is not too late, however long it is repeated. */
export async function held(client: ClientSteps, more: object = {}) {
  const id = `HLD${String(nextNumber()).padStart(13, '0')}`;
  const request = { ...OFFERED, hold: client.hold(id, { expiryMs: HELD_UNTIL }), untilMs: HELD_UNTIL, ...more };
  const outcome = await on.store.holds.lock(client.of, request as never);
  if (outcome.kind !== 'held') throw new Error(JSON.stringify(outcome));
  return id;
}

/** With a waiting payment, which a credit triggers, and with a session that gets drop copies of conversions. */
async function waitedFor(client: ClientSteps) {
  await on.keyspace.redis.sadd(client.keys.dropCopies, 'DESK8', 'DESK9');
  const facts = paymentFacts();
  const outcome = await on.store.payments.create(client.of, createStep(facts, { plan: undefined }));
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  await on.keyspace.redis.del(client.keys.woken);
  return facts;
}

async function funding(client: ClientSteps, account: string, sandbox = {}) {
  const id = `GLR${String(nextNumber()).padStart(13, '0')}`;
  const facts: FundingFacts = {
    ...{ id, account, currency: 'EUR', amount: '2500', depositAccount: 'Bank-1-EUR', reference: '' },
    ...{ requestId: `F${id}`, createdAtMs: NOW },
  };
  const asked = { id, account, facts, fingerprint: 'print', actor: 'client', requestId: `F${id}`, ...sandbox };
  return on.store.fundings.create(client.of, asked as never);
}
async function pendingFunding(client: ClientSteps, account: string) {
  const made = await funding(client, account);
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.funding;
}

const adjust =
  (kind: 'credit' | 'debit'): Prepare =>
  async (client, { eur }) => {
    await waitedFor(client);
    const asked = { id: 'ADJ1', kind, account: eur, amount: 100n, reference: 'bank-1', actor: 'operator', reason: 'x' };
    return () => on.store.accounts.adjust(client.of, asked);
  };

const moved =
  (to: 'COMPLETED' | 'REVERSED'): Prepare =>
  async (client, { eur }) => {
    await waitedFor(client);
    let made = await pendingFunding(client, eur);
    const go = (next: 'COMPLETED' | 'REVERSED') =>
      on.store.fundings.move(client.of, made, { to: next, actor: 'operator', reason: '' });
    if (to === 'REVERSED') {
      await go('COMPLETED');
      made = (await on.store.fundings.read(client.of, made.id))!;
    }
    return () => go(to);
  };

const cancelled =
  (kind: 'charge' | 'credit'): Prepare =>
  async (client, { usd }) => {
    const booking = await booked(client, SCHEDULED);
    await waitedFor(client);
    await on.store.accounts.change(client.of, usd, { active: false });
    on.now = SCHEDULED.settlesAtMs;
    await on.store.dueQueue.settle(client.of, booking, 1);
    await on.store.accounts.change(client.of, usd, { active: true });
    await on.keyspace.redis.del(client.keys.woken);
    const closeOut = { kind, currency: 'USD', amount: '500', cost: '11300', price: 11_300_000 };
    return () => on.store.dueQueue.cancel(client.of, booking, { actor: 'operator', reason: 'not funded', closeOut });
  };

const changed =
  (what: 'charge' | 'credit' | 'date' | 'split', isOverdue: boolean): Prepare =>
  async (client, { usd }) => {
    const booking = await booked(client, { ...SCHEDULED, session: 'DESK1' });
    await waitedFor(client);
    if (isOverdue) {
      await on.store.accounts.change(client.of, usd, { active: false });
      on.now = SCHEDULED.settlesAtMs;
      await on.store.dueQueue.settle(client.of, booking, 1);
      await on.store.accounts.change(client.of, usd, { active: true });
    }
    await on.keyspace.redis.del(client.keys.woken);
    const stored = (await on.store.bookings.read(client.of, booking.id))!;
    const step = { requestId: `C${nextNumber()}`, fingerprint: 'print', reason: 'withdrawn' };
    return () => on.store.changes.make(client.of, stored, { ...step, ...changeTerms(stored, what) });
  };

/** Of a conversion of 100.00 EUR into 108.00 USD. */
export function changeTerms(booking: Booking, what: 'charge' | 'credit' | 'date' | 'split') {
  const priced = { price: 11_300_000, providerPrice: 11_290_000, marginPpm: 900, proof: PROOF };
  if (what === 'date') {
    const date = { valueDate: '20261124', settlesAtMs: NOW + 4 * 86_400_000 };
    return { kind: 'date', terms: { kind: 'date', date } } as const;
  }
  if (what === 'split') {
    const number = (i: number) => `BFX${String(nextNumber()).padStart(12, '0')}${i}`;
    const part = (i: number, sell: string, buy: string, margin: string) => ({
      ...booking,
      ...{ id: number(i), parentId: booking.id, sell, buy, margin },
    });
    const children = [part(1, '6000', '6480', '15'), part(2, '4000', '4320', '10')];
    return { kind: 'split', terms: { kind: 'split', children } } as const;
  }
  const reversal = { kind: what, currency: 'EUR', amount: '500', margin: '9', ...priced, paysAtMs: NOW };
  return { kind: 'cancel', terms: { kind: 'cancel', reversal } } as const;
}

/** Steps that write a client's money, bookings, holds, payments, fundings or journal: as the store runs them. */
export const MONEY_STEPS: readonly (readonly [step: string, what: string, prepare: Prepare])[] = [
  [
    'book-fx',
    'at once',
    async (client) => {
      await waitedFor(client);
      const step = client.step({ session: 'DESK1', holdId: await held(client) });
      return () => on.store.bookings.book(client.of, step);
    },
  ],
  [
    'book-fx',
    'scheduled',
    async (client) => {
      const step = client.step({ ...SCHEDULED, holdId: await held(client) }, { type: 'SCHEDULED1' });
      return () => on.store.bookings.book(client.of, step);
    },
  ],
  [
    'book-fx',
    'a refusal is remembered',
    async (client) => {
      const step = client.step({ rememberRefusal: true, sellAccount: '999999999999' });
      return () => on.store.bookings.book(client.of, step);
    },
  ],
  [
    'settle-fx',
    'settled',
    async (client) => {
      const booking = await booked(client, SCHEDULED);
      await waitedFor(client);
      on.now = SCHEDULED.settlesAtMs;
      return () => on.store.dueQueue.settle(client.of, booking, 1);
    },
  ],
  [
    'settle-fx',
    'overdue',
    async (client, { usd }) => {
      const booking = await booked(client, SCHEDULED);
      await on.store.accounts.change(client.of, usd, { active: false });
      on.now = SCHEDULED.settlesAtMs;
      return () => on.store.dueQueue.settle(client.of, booking, 1);
    },
  ],
  ['cancel-booking', 'a close-out is charged', cancelled('charge')],
  ['cancel-booking', 'a close-out is credited', cancelled('credit')],
  ['change-booking', 'cancelled with a charge', changed('charge', false)],
  ['change-booking', 'an overdue one is cancelled with a gain', changed('credit', true)],
  [
    'pay-gain',
    'of a cancellation',
    async (client, accounts) => {
      await (await changed('credit', false)(client, accounts))();
      const [booking] = (await on.store.lists.page(client.of, 'bookings', {}, undefined, 1)).map(({ id }) => id);
      const cancelled = (await on.store.bookings.read(client.of, booking!))!;
      on.now = NOW;
      const { changes } = await on.store.dueQueue.readGroup(client.of);
      return () => on.store.dueQueue.payGain(client.of, cancelled, { heldMinor: 0n, retryMs: 1, changes });
    },
  ],
  ['change-booking', 'split', changed('split', false)],
  ['change-booking', 'an overdue one is split', changed('split', true)],
  [
    'amend-booking',
    'a settled conversion is busted',
    async (client) => {
      await waitedFor(client);
      const outcome = await on.store.bookings.book(client.of, client.step({ session: 'DESK1' }, { session: 'DESK1' }));
      if (outcome.kind !== 'booked') throw new Error(JSON.stringify(outcome));
      await on.keyspace.redis.del(client.keys.woken);
      const bust = { kind: 'bust', id: 'B1', actor: 'operator', reason: 'x' } as const;
      return () => on.store.amendments.amend(client.of, outcome.booking, bust);
    },
  ],
  [
    'amend-booking',
    'an open conversion is busted',
    async (client) => {
      const booking = await booked(client, SCHEDULED);
      await waitedFor(client);
      const bust = { kind: 'bust', id: 'B1', actor: 'operator', reason: 'x' } as const;
      return () => on.store.amendments.amend(client.of, booking, bust);
    },
  ],
  [
    'amend-booking',
    'an open conversion is corrected',
    async (client) => {
      const booking = await booked(client, SCHEDULED);
      await waitedFor(client);
      const terms = { ...booking, sell: '5000' };
      const correct = { kind: 'correct', id: 'C1', terms, actor: 'operator', reason: 'x' } as const;
      return () => on.store.amendments.amend(client.of, booking, correct);
    },
  ],
  ['adjust-account', 'credit', adjust('credit')],
  ['adjust-account', 'debit', adjust('debit')],
  [
    'credit-account',
    'credited',
    async (client, { eur }) => {
      await waitedFor(client);
      return () => on.store.accounts.credit(client.of, 'late', eur, 100n);
    },
  ],
  ['open-account', 'opened', async (client) => () => client.open('GBP')],
  [
    'change-account',
    'activated',
    async (client, { usd }) => {
      const booking = await booked(client, SCHEDULED);
      await waitedFor(client);
      await on.store.accounts.change(client.of, usd, { active: false });
      on.now = SCHEDULED.settlesAtMs;
      await on.store.dueQueue.settle(client.of, booking, 1);
      await on.keyspace.redis.del(client.keys.woken);
      return () => on.store.accounts.change(client.of, usd, { active: true });
    },
  ],
  [
    'create-funding',
    'created',
    async (client, { eur }) =>
      () =>
        funding(client, eur),
  ],
  ['move-funding', 'completed', moved('COMPLETED')],
  ['move-funding', 'reversed', moved('REVERSED')],
  [
    'lock-rate',
    'held',
    async (client) => {
      await held(client);
      return () => held(client);
    },
  ],
  [
    'release-hold',
    'released',
    async (client) => {
      const id = await held(client);
      await waitedFor(client);
      return () => on.store.holds.release(client.of, id);
    },
  ],
  [
    'revoke-hold',
    'withdrawn',
    async (client) => {
      const id = await held(client);
      await waitedFor(client);
      return () => on.store.holds.revoke(client.of, id, 'DESK1', 'TRADING_HALTED');
    },
  ],
  [
    'advance-clock',
    'with what is due',
    async (client) => {
      await booked(client, SCHEDULED);
      return () => on.store.clock.advanceOwn(client.of, { ms: 1_000 });
    },
  ],
  [
    'expire-hold',
    'expired',
    async (client) => {
      const id = await held(client);
      on.now = HELD_UNTIL + 60_000;
      return () => on.store.dueQueue.expireHold(client.of, id, 'DESK1');
    },
  ],
  [
    'pay',
    'created with its funds, from a held rate',
    async (client, { usd }) => {
      await waitedFor(client);
      await on.keyspace.redis.del(client.keys.waiting);
      const holdId = await held(client);
      const plan = { ...PLAN, sells: [plannedSell(usd, { hold: holdId })] };
      return () => on.store.payments.create(client.of, createStep({ holdId }, { plan, draws: ['EUR', 'USD'] }));
    },
  ],
  [
    'pay',
    'it waits, and opens an account',
    async (client) => {
      await waitedFor(client);
      const step = createStep({ currency: 'CHF' }, { plan: undefined, sealedCards: 'sealed' });
      return () => on.store.payments.create(client.of, step);
    },
  ],
  [
    'pay',
    'a waiting one is given its funds',
    async (client) => {
      const facts = await waitedFor(client);
      return () => on.store.payments.fund(client.of, createStep(facts));
    },
  ],
  [
    'move-payment',
    'approved',
    async (client) => {
      const payment = await created(on.store, client);
      return () => move(on.store, client, payment, 'COMPLIANCE_APPROVED', { next: 'now' });
    },
  ],
  [
    'move-payment',
    'returned',
    async (client) => {
      const payment = await along(
        on.store,
        client,
        await created(on.store, client),
        'COMPLIANCE_APPROVED',
        'PG_PROCESSING',
      );
      await waitedFor(client);
      return () => move(on.store, client, payment, 'RETURNED');
    },
  ],
  [
    'move-payment',
    'a waiting one is cancelled',
    async (client) => {
      const { id } = await waitedFor(client);
      await waitedFor(client);
      const payment = (await on.store.payments.read(client.of, id))!;
      return () => move(on.store, client, payment, 'CANCELLED', { moves: 'none' });
    },
  ],
  [
    'create-batch',
    'created',
    async (client, { eur }) =>
      () =>
        batchesOf(client).create(eur),
  ],
  [
    'change-items',
    'added',
    async (client, { eur }) => {
      const batch = await batchesOf(client).create(eur);
      await batchesOf(client).add(batch, ['a', 'b']);
      return () => batchesOf(client).add(batch, ['b', 'c']);
    },
  ],
  [
    'change-items',
    'removed',
    async (client, { eur }) => {
      const batch = await batchesOf(client).create(eur);
      await batchesOf(client).add(batch, ['a', 'b']);
      return () => batchesOf(client).remove(batch, 'a');
    },
  ],
  [
    'move-batch',
    'validated',
    async (client, { eur }) => {
      const batch = await batchesOf(client).create(eur);
      return () => on.store.batches.move(client.of, batch.id, 'VALIDATED', undefined);
    },
  ],
  [
    'fund-batch',
    'funded',
    async (client, { eur }) => {
      const batch = await batchesOf(client).closed(eur, ['a', 'b']);
      return () => on.store.batches.fund(client.of, batch, [queuedItem(1, 'a'), queuedItem(2, 'b')]);
    },
  ],
  [
    'pay',
    'the last item of a batch',
    async (client, { eur }) => {
      const { batch, items } = await batchesOf(client).funded(eur, ['a']);
      return () => batchesOf(client).draw(batch, items[0]!);
    },
  ],
  [
    'refuse-item',
    'the last item of a batch',
    async (client, { eur }) => {
      const { batch, items } = await batchesOf(client).funded(eur, ['a']);
      await waitedFor(client);
      return () => batchesOf(client).refuse(batch, items[0]!);
    },
  ],
  [
    'cancel-batch',
    'with a reserve',
    async (client, { eur }) => {
      const { batch } = await batchesOf(client).funded(eur, ['a', 'b']);
      await waitedFor(client);
      return () => on.store.batches.cancel(client.of, batch, { actor: 'client', reason: '', version: undefined });
    },
  ],
  [
    'enqueue-work',
    'a wake',
    async (client) => {
      await on.store.work.wakeAfter(client.of, 1);
      // The store's clock runs on while the rows before are tested.
      on.now = NOW + 3_600_000;
      return () => on.store.work.moveDue(client.of, `wake:${client.of.id}:later`, {});
    },
  ],
  [
    'finish-work',
    'done',
    async (client) => {
      const payment = await created(on.store, client);
      const [entry] = await on.store.work.take(client.of.shard, 'one', 100);
      return () => on.store.work.done(entry!, client.of).then(() => payment);
    },
  ],
];

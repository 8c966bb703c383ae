/**
 * Compares the journal's entries about payments with the payments: each step is an allowed transition, has the payment's moves, and is the
 * one that the payment names. Money in transit and the waiting queue are compared with the store.
 */
import {
  hasArrived,
  mayMove,
  movesOf,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../domain/payments/payment-status.js';
import type { KeptPayment } from '../../store/audit/kept-records.js';
import type { Evidence } from '../../store/audit/ledger-audit.js';
import type { LedgerSnapshot } from '../../store/audit/ledger-snapshot.js';
import type { JournalEntry } from '../../store/ledger/journal.js';
import { type Differing, difference, NONE, PendingSteps, paymentAmountsDiffer } from './recompute.js';

interface OnItsWay {
  readonly status: PaymentStatus;
  readonly currency: string;
  /** Minor units in transit. */
  readonly transit: bigint;
}

export interface PaymentReplayState {
  readonly underWay: readonly (readonly [id: string, status: PaymentStatus, currency: string, transit: string])[];
  readonly ahead: PendingSteps['state'];
}

export class PaymentReplay {
  readonly #client: string;
  /** By id: payments that have not ended by the journal so far. A PAID one has nothing in transit, and may still be returned. */
  readonly #underWay = new Map<string, OnItsWay>();
  readonly #ahead: PendingSteps;

  constructor(client: string, state?: PaymentReplayState) {
    this.#client = client;
    this.#ahead = new PendingSteps('payment', state?.ahead);
    for (const [id, status, currency, transit] of state?.underWay ?? [])
      this.#underWay.set(id, { status, currency, transit: minorOf(transit) });
  }

  /** State for a replay that continues from here. */
  get state(): PaymentReplayState {
    const underWay = [...this.#underWay].map(
      ([id, { status, currency, transit }]) => [id, status, currency, String(transit)] as const,
    );
    return { underWay, ahead: this.#ahead.state };
  }

  /** `name` is the entry's; with `mayHaveEnded` the receipt may be missing. */
  check({ entry, payment, receipt, bought }: Evidence, name: string, mayHaveEnded: boolean): Differing[] {
    const { id, from, to } = entry;
    if (payment === undefined) return [[`payment ${id}`, `as in ${name}`, NONE]];
    const found: Differing[] = [];
    const differs = (...places: Parameters<typeof difference>) => found.push(...difference(...places));
    const place = payment.entries.indexOf(entry.entry);
    if (place < 0) found.push([`payment ${id}: journal entries`, entry.entry, NONE]);
    const before = place === 0 ? '' : (this.#underWay.get(id)?.status ?? 'PAID');
    differs(`${name}: from`, before, from);
    if (!isStep(from, to)) found.push([`${name}: step`, 'one that there is', `${from || NONE} to ${to || NONE}`]);
    else differs(`${name}: moves`, movesOfPayment(entry, payment), entry.moves);

    this.#keep(entry, payment);
    const last = payment.entries.at(-1) ?? '';
    this.#ahead.played(id, entry.entry, last);
    if (last === entry.entry) {
      differs(`payment ${id}: status`, to, payment.status);
      // HOLD_EXPIRED is set on a waiting payment without a journal step.
      if (payment.subStatus !== 'HOLD_EXPIRED') differs(`payment ${id}: sub status`, entry.sub, payment.subStatus);
      differs(`payment ${id}: steps`, String(payment.entries.length), String(payment.step));
    }
    if (place !== 0) return found;

    differs(`payment ${id}: hash of its facts`, entry.hash, payment.factsHash);
    if (!payment.isListed) found.push([`list of payments: ${id}`, 'there', NONE]);
    differs(`transaction ${payment.transactionNumber}`, id, payment.ofTransaction);
    differs(`client of payment ${id}`, this.#client, payment.holder);
    if (!mayHaveEnded) differs(`receipt ${payment.requestId}`, id, receipt);
    return [...found, ...paymentAmountsDiffer(payment, bought)];
  }

  /** Payments that have not ended by the journal so far. */
  get underWay(): Iterable<string> {
    return this.#underWay.keys();
  }

  /** When all entries up to the snapshot's last have been played. */
  compare({ lastEntry, balances, waiting }: LedgerSnapshot): Differing[] {
    const found = this.#ahead.compare(lastEntry);
    const transit = new Map<string, bigint>();
    for (const { currency, transit: minor } of this.#underWay.values())
      transit.set(currency, (transit.get(currency) ?? 0n) + minor);
    const held = Object.keys(balances).filter((name) => name.endsWith('/transit'));
    for (const currency of new Set([...transit.keys(), ...held.map((name) => name.slice(0, 3))])) {
      const expected = String(transit.get(currency) ?? 0n);
      const what = `payments on their way in ${currency}, minor units`;
      found.push(...difference(what, expected, balances[`${currency}/transit`] ?? '0'));
    }
    const waits = new Set(waiting);
    for (const [id, { status }] of this.#underWay) {
      if (status === 'AWAITING_FUNDS' && !waits.delete(id)) found.push([`queue of payments: ${id}`, 'there', NONE]);
    }
    for (const id of waits) found.push([`queue of payments: ${id}`, NONE, 'there']);
    return found;
  }

  #keep({ id, to }: JournalEntry, { currency, toTransit }: KeptPayment): void {
    const status = to as PaymentStatus;
    if (isStatus(to) && hasArrived(to)) this.#underWay.delete(id);
    else
      this.#underWay.set(id, {
        status,
        currency,
        transit: status === 'AWAITING_FUNDS' ? 0n : minorOf(toTransit),
      });
  }
}

// Stored text may have been altered.
const minorOf = (text: string): bigint => BigInt(/^\d{1,15}$/.test(text) ? text : 0);

const isStatus = (text: string): text is PaymentStatus => (PAYMENT_STATUSES as readonly string[]).includes(text);

/** A payment is created, changes status, or changes its sub status only while it is at the bank. */
function isStep(from: string, to: string): boolean {
  if (!isStatus(to)) return false;
  if (from === '') return to === 'IN_PROCESS' || to === 'AWAITING_FUNDS';
  return isStatus(from) && (mayMove(from, to) || (from === to && to === 'PG_PROCESSING'));
}

/** The moves of a step, as its journal entry must have them. */
function movesOfPayment({ from, to }: JournalEntry, { currency, account, toTransit, toFees }: KeptPayment): string {
  const movesText = (...moves: readonly (readonly [from: string, to: string, amount: string])[]) =>
    moves
      .filter(([, , amount]) => amount !== '0')
      .map((move) => [currency, ...move].join(' '))
      .join(';');
  if (to === 'IN_PROCESS') return movesText([account, 'transit', toTransit], [account, 'house:fees', toFees]);
  if (from === '' || from === to) return '';
  const moves = movesOf(from as PaymentStatus, to as PaymentStatus);
  if (moves === 'paid') return movesText(['transit', 'nostro', toTransit]);
  if (moves === 'return') return movesText([from === 'PAID' ? 'nostro' : 'transit', account, toTransit]);
  return moves === 'refund' ? movesText(['transit', account, toTransit], ['house:fees', account, toFees]) : '';
}

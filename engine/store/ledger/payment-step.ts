/** What the two steps of payments are given, as pay.lua and move-payment.lua take it. */
import { ENGINE_COMP_ID, HOLD_ID, PAYMENT_ID } from '../../domain/ids.js';
import { AWAITING_FUNDS_DAYS, type PaymentFacts } from '../../domain/payment.js';
import type { PaymentMoves, PaymentStatus, PaymentSubStatus } from '../../domain/payment-status.js';
import type { RefusalCode } from '../../domain/refusal.js';
import { mustMatch } from '../keys/ids.js';
import { ledgerKeys, type MoneyOf, sessionsKey } from '../keys/ledger-keys.js';
import { KEPT_MS } from './bookings.js';

/** A conversion that is made for a payment, in the same step; amounts are minor units as text. */
export interface PlannedSell {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
  readonly marginCurrency: string;
  /** The booking's facts as they are kept. */
  readonly facts: string;
  /** '' without one. */
  readonly hold: string;
}

/** What leaves which account, when a payment has its funds. */
export interface PaymentPlan {
  /** What the payment is for, what leaves its account, what is on its way, what the house keeps. */
  readonly amount: string;
  readonly total: string;
  readonly transit: string;
  readonly fees: string;
  readonly sells: readonly PlannedSell[];
}

export interface PayStep {
  /** When it was planned, epoch ms by the store's clock: createdAtMs of its conversions, and of a new payment. */
  readonly now: number;
  readonly facts: PaymentFacts;
  /** Card numbers, encrypted; '' or absent: none, or kept already. */
  readonly sealedCards?: string | undefined;
  /** Number for an account in the payment's currency, if the client has none. */
  readonly newAccount: string;
  /** Undefined: the money is not there, and the payment waits for it. */
  readonly plan: PaymentPlan | undefined;
  /** What it may be paid from, as the queue names it: accounts, `own` for one that is not open yet, `agreement-EUR`, `none`. */
  readonly draws: readonly string[];
}

export interface CreatePaymentStep extends PayStep {
  /** The first refusal that was found without the store; it is given in its turn, after what the store finds earlier. */
  readonly refusal?:
    | { readonly stage: 'amount' | 'price'; readonly code: RefusalCode; readonly text: string }
    | undefined;
}

export interface PaymentMove {
  /** The step that it must have taken last; undefined: whichever. */
  readonly after?: number | undefined;
  readonly from: readonly PaymentStatus[];
  readonly to: PaymentStatus;
  readonly subStatus?: PaymentSubStatus | undefined;
  readonly description?: string | undefined;
  readonly moves: PaymentMoves;
  /** `service`, `client`, `operator`, `compliance`, `bank`. */
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly bankReference?: string | undefined;
  /** The entry of the work stream that is done by this. */
  readonly entry?: string | undefined;
  /** When a worker has to look at it next: at once, or after so many ms; undefined: when something happens to it. */
  readonly next?: 'now' | number | undefined;
  /** Counts as an attempt to send it. */
  readonly isAttempt?: boolean | undefined;
  /** The entry of the due list whose time must have come. */
  readonly dueEntry?: string | undefined;
}

/** So many payments of one client may await their funds. */
const WAITING_MAX = 1_000;

export function payCall(
  of: MoneyOf,
  mode: 'create' | 'fund',
  step: CreatePaymentStep,
  latestMs?: number,
): [keys: string[], args: string[]] {
  const keys = ledgerKeys(of);
  const { facts, now, plan, refusal } = step;
  const { id, holdId } = facts;
  const isAtMarket = plan?.sells.some(({ hold }) => hold === '') ?? false;
  return [
    [
      keys.transaction(facts.transactionNumber),
      keys.receipt(facts.requestId),
      keys.accounts,
      keys.balances,
      keys.payment(id),
      keys.journal,
      keys.waiting,
      keys.due,
      keys.overdue,
      HOLD_ID.test(holdId) ? keys.hold(holdId) : keys.none,
      keys.openHolds,
      keys.dropCopies,
      keys.work,
      keys.index('payments'),
      keys.index('bookings'),
    ],
    [
      mode,
      String(now),
      of.id,
      id,
      facts.requestId,
      facts.sourceAccount,
      facts.sourceCurrency,
      facts.currency,
      step.newAccount,
      refusal?.stage ?? '',
      refusal?.code ?? '',
      refusal?.text ?? '',
      holdId,
      JSON.stringify(facts),
      plan ? JSON.stringify(plan) : '',
      step.draws.join(','),
      String(facts.createdAtMs + AWAITING_FUNDS_DAYS * 24 * 60 * 60 * 1_000),
      String(KEPT_MS),
      keys.bookings,
      sessionsKey(of.shard, ENGINE_COMP_ID),
      String(WAITING_MAX),
      isAtMarket && latestMs !== undefined ? String(latestMs) : '',
      step.sealedCards ?? '',
    ],
  ];
}

export function moveCall(of: MoneyOf, paymentId: string, move: PaymentMove): [keys: string[], args: string[]] {
  const keys = ledgerKeys(of);
  return [
    [
      keys.payment(mustMatch(PAYMENT_ID, 'payment id', paymentId)),
      keys.balances,
      keys.journal,
      keys.waiting,
      keys.due,
      keys.work,
      keys.overdue,
      keys.accounts,
    ],
    [
      of.id,
      paymentId,
      move.after === undefined ? '' : String(move.after),
      move.from.join(','),
      move.to,
      move.subStatus ?? '',
      move.description ?? '',
      move.moves,
      move.actor,
      move.reason ?? '',
      move.bankReference ?? '',
      move.entry ?? '',
      move.next === undefined ? '' : String(move.next),
      move.isAttempt ? '1' : '',
      move.dueEntry ?? '',
    ],
  ];
}

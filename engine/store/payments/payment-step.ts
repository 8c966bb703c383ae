/** The two payment steps, pay.lua and move-payment.lua, and their arguments. */
import { ENGINE_COMP_ID, HOLD_ID } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import { AWAITING_FUNDS_DAYS, type PaymentFacts, verificationText } from '../../domain/payments/payment.js';
import type { PaymentMoves, PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import { type CallOf, step } from '../connection/scripts.js';
import { KEPT_MS } from '../conversions/bookings.js';
import { ledgerKeys, type MoneyOf, sessionsKey } from '../keys/redis-keys.js';
import type { StepLimits } from '../risk/limits.js';
import { paymentFactsText } from './payment-record.js';

/** A conversion for a payment, in the same step; amounts are minor units as text. */
export interface PlannedSell {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
  readonly marginCurrency: string;
  /** Of the margin the part of the sub-client's platform; absent: none. */
  readonly share?: string;
  /** The booking's facts as stored. */
  readonly facts: string;
  /** Its field in the house's positions, of positionField. */
  readonly position: string;
  /** '' without one. */
  readonly hold: string;
}

/** The amounts and accounts of a funded payment. */
export interface PaymentPlan {
  /** The payment's amount, the total debit, the amount in transit, the fee. */
  readonly amount: string;
  readonly total: string;
  readonly transit: string;
  readonly fees: string;
  readonly sells: readonly PlannedSell[];
  /** Of its conversions, which are judged together; absent: none. */
  readonly limits?: StepLimits | undefined;
}

export interface PayStep {
  /** When it was planned, epoch ms by the store's clock: createdAtMs of its conversions, and of a new payment. */
  readonly now: number;
  readonly facts: PaymentFacts;
  /** Card numbers, encrypted; '' or absent: none, or stored already. */
  readonly sealedCards?: string | undefined;
  /** Number for an account in the payment's currency, if the client has none. */
  readonly newAccount: string;
  /** Undefined: insufficient funds, and the payment waits for them. */
  readonly plan: PaymentPlan | undefined;
  /** What may pay it, as the queue names it: accounts, `own` for one that is not open yet, `agreement-EUR`, `none`. */
  readonly draws: readonly string[];
  /** The caller takes its next step, and others after this many ms; undefined: a worker takes it from the stream. */
  readonly leasedMs?: number | undefined;
  /** It is this item of a batch, by the member of its queue: paid from the batch's reserve, once. */
  readonly item?: { readonly batchId: string; readonly queued: string } | undefined;
}

export interface CreatePaymentStep extends PayStep {
  /** The first refusal determined without the store; the step returns it after its own earlier checks. */
  readonly refusal?:
    | { readonly stage: 'amount' | 'price'; readonly code: RefusalCode; readonly text: string }
    | undefined;
}

export interface PaymentMove {
  /** The payment's last step must be this one; undefined: any. */
  readonly after?: number | undefined;
  readonly from: readonly PaymentStatus[];
  readonly to: PaymentStatus;
  readonly subStatus?: PaymentSubStatus | undefined;
  readonly description?: string | undefined;
  readonly moves: PaymentMoves;
  /** `service`, `client`, `operator`, `compliance`, `bank`, `sandbox`. */
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly bankReference?: string | undefined;
  /** The entry of the work stream that this step completes. */
  readonly entry?: string | undefined;
  /** When a worker has to process it next: at once, or after this many ms; undefined: on its next event. */
  readonly next?: 'now' | number | undefined;
  /** A step that follows in the same call. No outside party is asked between the two. */
  readonly followedBy?: { readonly to: PaymentStatus; readonly actor: string } | undefined;
  /** Counts as an attempt to send it. */
  readonly isAttempt?: boolean | undefined;
  /** The entry of the due list whose time must have come. */
  readonly dueEntry?: string | undefined;
}

/** Maximum payments of one client that await funds. */
const WAITING_MAX = 1_000;

export const PAY = step(import.meta.url, 'pay', {
  keys: [
    'transaction',
    'receipt',
    'accounts',
    'balances',
    'payment',
    'journal',
    'waiting',
    'due',
    'overdue',
    'hold?',
    'openHolds',
    'dropCopies',
    'work',
    'paymentIndex',
    'bookings',
  ],
  args: [
    // `create` or `fund`.
    'mode',
    // Of new facts: those of its conversions, and of a new payment.
    'createdAtMs',
    'client',
    'paymentId',
    // The currency is absent where the account is not the client's.
    'sourceAccount?',
    'sourceCurrency?',
    'currency',
    // Number for an account in that currency, if the client has none.
    'newAccount',
    // A refusal determined before the step: its stage, `amount` or `price`, its code, its text.
    'stage?',
    'refusalCode?',
    'refusalText?',
    'holdId?',
    'facts',
    // Absent: it has to wait.
    'planText?',
    // What it may draw on, as in payments.lua; `own` for the account that pays.
    'draws',
    // When a waiting payment expires.
    'expiresAtMs',
    // How long receipts are kept.
    'keptMs',
    // Prefix of the keys of the client's sessions.
    'sessions',
    // Maximum waiting payments of the client.
    'waitingMax',
    // By the server's clock, when the prices of its conversions are too old; absent: no conversions, held prices, or not known.
    'latestMs?',
    // Card numbers, encrypted.
    'cards?',
    // After how many ms its next step is for any worker; absent: at once.
    'leasedMs?',
    // Of an item of a batch: the batch, and the member of its queue.
    'batchId?',
    'queued?',
    // Of a new payment, for the journal: how its payee was verified.
    'note?',
  ],
  uses: ['holds', 'groups', 'limits', 'payments', 'positions', 'platforms', 'batches'],
});
export const MOVE_PAYMENT = step(import.meta.url, 'move-payment', {
  inReserve: true,
  keys: ['payment', 'balances', 'journal', 'waiting', 'due', 'work', 'overdue', 'accounts'],
  args: [
    'client',
    'paymentId',
    // The payment's last step must be this one; absent: any.
    'lastStep?',
    // Statuses, comma separated.
    'from',
    'to',
    'subStatus?',
    'description?',
    // One of PaymentMoves.
    'money',
    'actor',
    'reason?',
    'bankReference?',
    // The entry of the work stream that is done by this.
    'workEntry?',
    // `now`, or after how many ms; absent: no automatic step.
    'next?',
    // It counts as an attempt to send it.
    'isAttempt',
    // The entry of the due list whose time must have come.
    'dueEntry?',
    // A step that follows at once.
    'thenTo?',
    'thenActor?',
  ],
  uses: ['groups', 'payments', 'receivables', 'platforms'],
});

export function payCall(
  of: MoneyOf,
  mode: 'create' | 'fund',
  step: CreatePaymentStep,
  latestMs?: number,
): CallOf<typeof PAY> {
  const keys = ledgerKeys(of);
  const { accounts, balances, journal, waiting, due, overdue, openHolds, dropCopies, work, bookings } = keys;
  const { facts, now, plan, refusal, newAccount } = step;
  const { id, requestId, sourceAccount, sourceCurrency, currency, holdId } = facts;
  const isAtMarket = plan?.sells.some(({ hold }) => hold === '') ?? false;
  return [
    {
      transaction: keys.transaction(facts.transactionNumber),
      receipt: keys.receipt(requestId),
      accounts,
      balances,
      payment: keys.payment(id),
      journal,
      waiting,
      due,
      overdue,
      hold: HOLD_ID.test(holdId) ? keys.hold(holdId) : undefined,
      openHolds,
      dropCopies,
      work,
      paymentIndex: keys.index('payments'),
      bookings,
    },
    {
      mode,
      createdAtMs: now,
      client: of.id,
      paymentId: id,
      sourceAccount,
      sourceCurrency,
      currency,
      newAccount,
      stage: refusal?.stage,
      refusalCode: refusal?.code,
      refusalText: refusal?.text,
      holdId,
      facts: paymentFactsText(facts),
      planText: plan && JSON.stringify(plan),
      draws: step.draws.join(','),
      expiresAtMs: facts.createdAtMs + AWAITING_FUNDS_DAYS * 24 * 60 * 60 * 1_000,
      keptMs: KEPT_MS,
      sessions: sessionsKey(of.shard, ENGINE_COMP_ID),
      waitingMax: WAITING_MAX,
      latestMs: isAtMarket ? latestMs : undefined,
      cards: step.sealedCards,
      leasedMs: step.leasedMs,
      batchId: step.item?.batchId,
      queued: step.item?.queued,
      note: mode === 'create' && facts.payee ? verificationText(facts.payee) : undefined,
    },
  ];
}

export function moveCall(of: MoneyOf, paymentId: string, move: PaymentMove): CallOf<typeof MOVE_PAYMENT> {
  const { payment, balances, journal, waiting, due, work, overdue, accounts } = ledgerKeys(of);
  const { to, subStatus, description, actor, reason, bankReference, next, dueEntry } = move;
  return [
    { payment: payment(paymentId), balances, journal, waiting, due, work, overdue, accounts },
    {
      client: of.id,
      paymentId,
      lastStep: move.after,
      from: move.from.join(','),
      to,
      subStatus,
      description,
      money: move.moves,
      actor,
      reason,
      bankReference,
      workEntry: move.entry,
      next,
      isAttempt: move.isAttempt === true,
      dueEntry,
      thenTo: move.followedBy?.to,
      thenActor: move.followedBy?.actor,
    },
  ];
}

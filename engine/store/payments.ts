/** Payments: created, given their funds and taken from status to status, by one atomic step each, and read. */
import { ENGINE_COMP_ID } from '../domain/comp-id.js';
import { AWAITING_FUNDS_DAYS, type Payment, type PaymentFacts } from '../domain/payment.js';
import {
  PAYMENT_STATUSES,
  type PaymentMoves,
  type PaymentStatus,
  type PaymentSubStatus,
} from '../domain/payment-status.js';
import type { RefusalCode } from '../domain/refusal.js';
import { KEPT_MS, type StepRefusal } from './bookings.js';
import type { Connection } from './connection.js';
import { mustMatch, shardTag } from './ids.js';
import { asEntry, type JournalEntry } from './journal.js';
import { HOLD_ID, ledgerKeys, type MoneyOf, PAYMENT_ID, REQUEST_ID } from './ledger-keys.js';
import { ringOutboxes } from './outbox-bell.js';
import { script } from './scripts.js';

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

interface PayStep {
  /** Epoch ms, taken just before the call. */
  readonly now: number;
  readonly facts: PaymentFacts;
  /** Number for an account in the payment's currency, if the client has none. */
  readonly newAccount: string;
  /** Undefined: the money is not there, and the payment waits for it. */
  readonly plan: PaymentPlan | undefined;
  /** Currencies that it may be paid from. */
  readonly draws: readonly string[];
}

export interface CreatePaymentStep extends PayStep {
  /** The first refusal that was found without the store; it is given in its turn, after what the store finds earlier. */
  readonly refusal?:
    | { readonly stage: 'amount' | 'price'; readonly code: RefusalCode; readonly text: string }
    | undefined;
}

export type CreatedPayment =
  | { readonly kind: 'created'; readonly status: PaymentStatus; readonly account: string }
  /** The transaction number has a payment. */
  | {
      readonly kind: 'duplicate';
      readonly paymentId: string;
      readonly status: PaymentStatus;
      readonly requestId: string;
    }
  /** An account does not cover its part any more: plan again. */
  | { readonly kind: 'stale' }
  | ({ readonly kind: 'refused' } & StepRefusal);

/** `short`: it waits on. `blocked`: somebody older waits for the same money. `hold-over`: it waits for ever, for the hold has ended. `gone`: it waits no more. */
export type FundedPayment =
  | { readonly kind: 'paid' | 'short' | 'stale' | 'blocked' | 'hold-over' | 'gone' }
  | ({ readonly kind: 'refused' } & StepRefusal);

export interface PaymentMove {
  readonly now: number;
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
  /** When somebody has to look at it next: at once, or at a time (epoch ms); undefined: when something happens to it. */
  readonly next?: 'now' | number | undefined;
  /** Counts as an attempt to send it. */
  readonly isAttempt?: boolean | undefined;
}

export type MovedPayment =
  | { readonly kind: 'moved'; readonly step: number }
  /** Its status does not allow this; undefined: no such payment. */
  | { readonly kind: 'status'; readonly status: PaymentStatus | undefined }
  /** It has taken this step before. */
  | { readonly kind: 'done' }
  /** What would come back has no room in its account. */
  | { readonly kind: 'limit' };

export interface Payments {
  /** How often this process took a payment to which status. */
  readonly moved: ReadonlyMap<string, number>;
  create(of: MoneyOf, step: CreatePaymentStep): Promise<CreatedPayment>;
  /** Without a plan it waits on, and is told when its hold has ended. */
  fund(of: MoneyOf, step: PayStep): Promise<FundedPayment>;
  move(of: MoneyOf, paymentId: string, move: PaymentMove): Promise<MovedPayment>;
  read(of: MoneyOf, paymentId: string): Promise<Payment | undefined>;
  byTransaction(of: MoneyOf, transactionNumber: string): Promise<Payment | undefined>;
  /** Those that await their funds, in order of creation, with the currencies that each draws on: none when its hold has ended. */
  waiting(of: MoneyOf): Promise<readonly { readonly paymentId: string; readonly draws: readonly string[] }[]>;
  /** Its journal entries, oldest first. */
  history(of: MoneyOf, paymentId: string): Promise<readonly JournalEntry[]>;
  /** Whose payment; undefined: nobody's. */
  holderOf(paymentId: string): Promise<string | undefined>;
}

/** So many payments of one client may await their funds. */
const WAITING_MAX = 1_000;
const PAY = script('pay', 'payments');
const MOVE = script('move-payment', 'payments');

/** With the facts, everything of a payment. */
export const PAYMENT_FIELDS = [
  'facts',
  'status',
  'subStatus',
  'description',
  'bankReference',
  'step',
  'attempts',
  'bookings',
  'account',
  'amount',
  'toTransit',
  'toFees',
  'updatedAt',
] as const;

export function payments(connection: Connection): Payments {
  const moved = new Map<string, number>(PAYMENT_STATUSES.map((status) => [status, 0]));
  const count = (status: string): void => void moved.set(status, (moved.get(status) ?? 0) + 1);

  const pay = async (of: MoneyOf, mode: 'create' | 'fund', step: CreatePaymentStep): Promise<string[]> => {
    const [keys, args] = payCall(of, mode, step);
    const answer = (await connection.step(PAY, keys, args)) as string[];
    const [kind, , , ...copied] = answer;
    if (kind === 'paid') ringOutboxes(connection, copied);
    if (kind === 'paid' || kind === 'waits') count(kind === 'paid' ? 'IN_PROCESS' : 'AWAITING_FUNDS');
    return answer;
  };
  const read = async (of: MoneyOf, paymentId: string): Promise<Payment | undefined> => {
    if (!PAYMENT_ID.test(paymentId)) return undefined;
    const key = ledgerKeys(of).payment(paymentId);
    return asPayment(await connection.read((redis) => redis.hmget(key, ...PAYMENT_FIELDS)));
  };

  return {
    moved,
    async create(of, step) {
      const { id } = step.facts;
      // In another slot, so not within the step; sent before it on the same connection: an id that is answered leads to its client.
      const named = connection.write((redis) => redis.set(holderKey(id), of.id));
      const [[kind, ...rest]] = await Promise.all([pay(of, 'create', step), named]);
      // A name that leads to nothing does no harm: an answer that is known is not given up for it.
      if (kind !== 'paid' && kind !== 'waits')
        await connection.write((redis) => redis.del(holderKey(id))).catch(() => {});
      const [first = '', second = '', third = ''] = rest;
      if (kind === 'paid') return { kind: 'created', status: 'IN_PROCESS', account: first };
      if (kind === 'waits') return { kind: 'created', status: 'AWAITING_FUNDS', account: first };
      if (kind === 'duplicate') return { kind, paymentId: first, status: second as PaymentStatus, requestId: third };
      if (kind === 'stale') return { kind };
      return { kind: 'refused', code: first as RefusalCode, text: second, more: third };
    },
    async fund(of, step) {
      const [kind, code = '', text = '', more = ''] = await pay(of, 'fund', step);
      if (kind === 'refused') return { kind, code: code as RefusalCode, text, more };
      return { kind: kind as Exclude<FundedPayment['kind'], 'refused'> };
    },
    async move(of, paymentId, move) {
      const [keys, args] = moveCall(of, paymentId, move);
      const [kind, answer = ''] = (await connection.step(MOVE, keys, args)) as string[];
      if (kind === 'moved') {
        count(move.to);
        return { kind, step: Number(answer) };
      }
      if (kind === 'status') return { kind, status: answer === '' ? undefined : (answer as PaymentStatus) };
      return { kind: kind as 'done' | 'limit' };
    },
    read,
    async byTransaction(of, transactionNumber) {
      if (!REQUEST_ID.test(transactionNumber)) return undefined;
      const key = ledgerKeys(of).transaction(transactionNumber);
      const paymentId = await connection.read((redis) => redis.get(key));
      return paymentId === null ? undefined : read(of, paymentId);
    },
    async waiting(of) {
      const members = await connection.read((redis) => redis.zrange(ledgerKeys(of).waiting, '0', '-1'));
      return members.map((member) => {
        const [paymentId = '', draws = ''] = member.split('|');
        return { paymentId, draws: draws === '' ? [] : draws.split(',') };
      });
    },
    async history(of, paymentId) {
      if (!PAYMENT_ID.test(paymentId)) return [];
      const keys = ledgerKeys(of);
      const entries = await connection.read((redis) => redis.hget(keys.payment(paymentId), 'entries'));
      const places = entries ? entries.split(' ') : [];
      const found = await Promise.all(
        places.map((place) => connection.read((redis) => redis.xrange(keys.journal, place, place))),
      );
      return found.flat().map(asEntry);
    },
    async holderOf(paymentId) {
      if (!PAYMENT_ID.test(paymentId)) return undefined;
      return (await connection.read((redis) => redis.get(holderKey(paymentId)))) ?? undefined;
    },
  };
}

/** Names the client of a payment. */
export const holderKey = (paymentId: string): string => `payment:${mustMatch(PAYMENT_ID, 'payment id', paymentId)}`;

function payCall(of: MoneyOf, mode: 'create' | 'fund', step: CreatePaymentStep): [keys: string[], args: string[]] {
  const keys = ledgerKeys(of);
  const { facts, now, plan, refusal } = step;
  const { id, holdId } = facts;
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
      `${shardTag(of.shard)}:fix:${ENGINE_COMP_ID}:`,
      String(WAITING_MAX),
    ],
  ];
}

function moveCall(of: MoneyOf, paymentId: string, move: PaymentMove): [keys: string[], args: string[]] {
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
      String(move.now),
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
    ],
  ];
}

/** From the values of PAYMENT_FIELDS. */
export function asPayment(fields: readonly (string | null)[]): Payment | undefined {
  const [facts, status, subStatus, description, bankReference, step, attempts, bookings, ...money] = fields;
  const [account, amount, toTransit, toFees, updatedAt] = money;
  if (!facts || !status) return undefined;
  return {
    ...(JSON.parse(facts) as PaymentFacts),
    status: status as PaymentStatus,
    subStatus: (subStatus ?? '') as PaymentSubStatus,
    description: description ?? '',
    bankReference: bankReference ?? '',
    step: Number(step),
    attempts: Number(attempts),
    bookingIds: bookings ? bookings.split(' ') : [],
    account: account ?? '',
    amount: amount ?? '',
    toTransit: toTransit ?? '',
    toFees: toFees ?? '',
    updatedAtMs: Number(updatedAt),
  };
}

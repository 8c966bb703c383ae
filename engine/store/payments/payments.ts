/** Payments: created, funded and moved from status to status, by one atomic step each, and read. */
import { PAYMENT_ID, REQUEST_ID } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { Payment } from '../../domain/payments/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payments/payment-status.js';
import type { Connection } from '../connection/connection.js';
import { wroteNothing } from '../connection/errors.js';
import type { StepRefusal } from '../conversions/bookings.js';
import { ledgerKeys, type MoneyOf, mustMatch } from '../keys/redis-keys.js';
import { asEntry, type JournalEntry } from '../ledger/journal.js';
import { notifyOutboxes } from '../sessions/fix-sessions.js';
import { PAYMENT_FIELDS, stateOf, storedPayment } from './payment-record.js';
import {
  type CreatePaymentStep,
  MOVE_PAYMENT,
  moveCall,
  PAY,
  type PaymentMove,
  type PayStep,
  payCall,
} from './payment-step.js';

export type CreatedPayment =
  | {
      readonly kind: 'created';
      readonly status: PaymentStatus;
      readonly account: string;
      readonly atMs: number;
      readonly bookingIds: readonly string[];
    }
  /** The transaction number has a payment. */
  | {
      readonly kind: 'duplicate';
      readonly paymentId: string;
      readonly status: PaymentStatus;
      readonly requestId: string;
    }
  /** An account no longer covers its part, or a price has become stale meanwhile: plan again. */
  | { readonly kind: 'stale' }
  /** The exposure that the limits compare is to be seeded, and the step repeated. */
  | { readonly kind: 'no-exposure' }
  /** The shard lacks room under the house's limits: the risk role has been asked for more. */
  | { readonly kind: 'no-room' }
  /** The item of a batch has been drawn before, or the batch is cancelled. */
  | { readonly kind: 'gone' }
  | ({ readonly kind: 'refused' } & StepRefusal);

/**
 * `short`: it keeps waiting. `blocked`: an older payment waits for the same money. `hold-over`: its hold has expired, so it waits for ever.
 * `gone`: it no longer waits.
 */
export type FundedPayment =
  | { readonly kind: 'paid' | 'short' | 'stale' | 'blocked' | 'hold-over' | 'gone' }
  | { readonly kind: 'no-exposure' }
  /** The shard lacks room under the house's limits: the risk role has been asked for more. */
  | { readonly kind: 'no-room' }
  | ({ readonly kind: 'refused' } & StepRefusal);

export type MovedPayment =
  | { readonly kind: 'moved'; readonly step: number; readonly atMs: number }
  /** Its status does not allow this; undefined: no such payment. */
  | { readonly kind: 'status'; readonly status: PaymentStatus | undefined }
  /** It has taken this step before. */
  | { readonly kind: 'done' }
  /** The account has no room for the refund. */
  | { readonly kind: 'limit' }
  /** The time of its due entry has not come. */
  | { readonly kind: 'early' };

export interface Payments {
  /** How often this process has moved a payment to each status. */
  readonly steps: ReadonlyMap<PaymentStatus, number>;
  create(of: MoneyOf, step: CreatePaymentStep): Promise<CreatedPayment>;
  /** Without a plan it keeps waiting, and an expired hold is recorded. */
  fund(of: MoneyOf, step: PayStep): Promise<FundedPayment>;
  move(of: MoneyOf, paymentId: string, move: PaymentMove): Promise<MovedPayment>;
  read(of: MoneyOf, paymentId: string): Promise<Payment | undefined>;
  /** Of each payment; undefined: no such payment. */
  statuses(of: MoneyOf, paymentIds: readonly string[]): Promise<readonly (PaymentStatus | undefined)[]>;
  /** Whether a payment has this transaction number. */
  isKnown(of: MoneyOf, transactionNumber: string): Promise<boolean>;
  byTransaction(of: MoneyOf, transactionNumber: string): Promise<Payment | undefined>;
  /** Those that await funds, in order of creation, with what each may draw on: nothing when its hold has expired. */
  waiting(of: MoneyOf): Promise<readonly { readonly paymentId: string; readonly draws: readonly string[] }[]>;
  /** Its journal entries, oldest first. */
  history(of: MoneyOf, paymentId: string): Promise<readonly JournalEntry[]>;
  /** The client that owns the payment; undefined: unknown payment. */
  holderOf(paymentId: string): Promise<string | undefined>;
}

export function payments(connection: Connection): Payments {
  const steps = new Map<PaymentStatus, number>(PAYMENT_STATUSES.map((status) => [status, 0]));
  const count = (status: PaymentStatus): void => void steps.set(status, steps.get(status)! + 1);

  const pay = async (of: MoneyOf, mode: 'create' | 'fund', step: CreatePaymentStep): Promise<string[]> => {
    const call = payCall(of, mode, step, connection.waitEndsAt(ledgerKeys(of).balances));
    const answer = (await connection.step(PAY, ...call)) as string[];
    const [kind, , , , ...copied] = answer;
    if (kind === 'paid') notifyOutboxes(connection, copied);
    if (kind === 'paid' || kind === 'waits') count(kind === 'paid' ? 'IN_PROCESS' : 'AWAITING_FUNDS');
    return answer;
  };
  const read = async (of: MoneyOf, paymentId: string): Promise<Payment | undefined> => {
    if (!PAYMENT_ID.test(paymentId)) return undefined;
    const key = ledgerKeys(of).payment(paymentId);
    const values = await connection.read((redis) => redis.hmget(key, ...PAYMENT_FIELDS));
    return storedPayment(paymentId, values)?.payment;
  };

  return {
    steps,
    async create(of, step) {
      const { id } = step.facts;
      // In another slot, so not within the step; sent before it on the same connection: every returned id leads to its client.
      const named = connection.write((redis) => redis.set(holderKey(id), of.id));
      // A key that stays leads to no record, which does no harm: a known answer is not lost for it.
      const remove = () => connection.write((redis) => redis.del(holderKey(id))).catch(() => {});
      const creating = pay(of, 'create', step).catch(async (error: unknown) => {
        if (wroteNothing(error)) await remove();
        throw error;
      });
      const [[kind, ...rest]] = await Promise.all([creating, named]);
      if (kind !== 'paid' && kind !== 'waits') await remove();
      const [first = '', second = '', third = ''] = rest;
      if (kind === 'paid' || kind === 'waits') {
        const status = kind === 'paid' ? 'IN_PROCESS' : 'AWAITING_FUNDS';
        const bookingIds = third === '' ? [] : third.split(' ');
        return { kind: 'created', status, account: first, atMs: Number(second), bookingIds };
      }
      if (kind === 'duplicate') return { kind, paymentId: first, status: second as PaymentStatus, requestId: third };
      if (kind === 'stale' || kind === 'no-exposure' || kind === 'no-room' || kind === 'gone') return { kind };
      return { kind: 'refused', code: first as RefusalCode, text: second, more: third };
    },
    async fund(of, step) {
      const [kind, code = '', text = '', more = ''] = await pay(of, 'fund', step);
      if (kind === 'refused') return { kind, code: code as RefusalCode, text, more };
      if (kind === 'no-exposure' || kind === 'no-room') return { kind };
      return { kind: kind as Exclude<FundedPayment['kind'], 'refused' | 'no-exposure' | 'no-room'> };
    },
    async move(of, paymentId, move) {
      const reply = await connection.step(MOVE_PAYMENT, ...moveCall(of, paymentId, move));
      const [kind, answer = '', at = ''] = reply as string[];
      if (kind === 'moved') {
        count(move.to);
        if (move.followedBy) count(move.followedBy.to);
        return { kind, step: Number(answer), atMs: Number(at) };
      }
      if (kind === 'status') return { kind, status: answer === '' ? undefined : (answer as PaymentStatus) };
      return { kind: kind as 'done' | 'limit' | 'early' };
    },
    read,
    async statuses(of, paymentIds) {
      const keys = ledgerKeys(of);
      const states = await Promise.all(
        paymentIds.map((id) => connection.read((redis) => redis.hget(keys.payment(id), 's'))),
      );
      return states.map((state) => (state ? stateOf(state).status : undefined));
    },
    async isKnown(of, transactionNumber) {
      const key = ledgerKeys(of).transaction(transactionNumber);
      return (await connection.read((redis) => redis.exists(key))) === 1;
    },
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
      const state = await connection.read((redis) => redis.hget(keys.payment(paymentId), 's'));
      const places = state ? stateOf(state).entries : [];
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

/** Key with the client of a payment. */
export const holderKey = (paymentId: string): string => `payment:${mustMatch(PAYMENT_ID, 'payment id', paymentId)}`;

/**
 * The due queue: scheduled conversions that settle, gains that are paid, held rates that expire, fundings that a sandbox completes, payments whose next step was
 * rescheduled or that have awaited funds for too long. Each shard has one set, ordered by time.
 */

import { asAmended } from '../../domain/conversions/amendment.js';
import type { Booking, BookingStatus, CloseOut } from '../../domain/conversions/booking.js';
import {
  BATCH_ID,
  BOOKING_ID,
  CLIENT_ID,
  COMP_ID,
  ENGINE_COMP_ID,
  FUNDING_ID,
  HOLD_ID,
  PAYMENT_ID,
} from '../../domain/core/ids.js';
import { platformShare } from '../../domain/platforms/platform-share.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { readAllShards } from '../connection/shards.js';
import { REST_OWNER } from '../conversions/holds.js';
import type { StoreClock } from '../coordination/store-clock.js';
import { dueKey, ledgerKeys, type MoneyOf, outboxKey, sessionKey, sessionsKey } from '../keys/redis-keys.js';
import { closeOutField, positionField } from '../risk/positions.js';
import { notifyOutboxes } from '../sessions/fix-sessions.js';
import { amendmentsText } from './records.js';

export interface Due {
  readonly shard: number;
  /** The member of the shard's set. */
  readonly entry: string;
  /** Undefined: an unknown form of entry. */
  readonly names: DueNames | undefined;
}

/** The client, and the subject: a confirmation id, a hold id, the reference of a funding, or a payment id. */
type DueNames =
  | { readonly kind: 'settle' | 'gain' | 'hold' | 'fund'; readonly clientId: string; readonly id: string }
  /** A batch whose next items could not be drawn for the moment. */
  | { readonly kind: 'batch'; readonly clientId: string; readonly id: string }
  /** A payment that was not funded. */
  | { readonly kind: 'expire'; readonly clientId: string; readonly id: string }
  /** Rescheduled work of a payment, after the step that it had taken. */
  | { readonly kind: 'work'; readonly clientId: string; readonly id: string; readonly step: number }
  /** The client's payments that await funds; without a payment id. */
  | { readonly kind: 'wake'; readonly clientId: string; readonly id: 'later' };

export interface ForcedSettle {
  readonly to: 'settled' | 'overdue';
  readonly reason: string;
}
type SettleLacks = 'ACCOUNT_INACTIVE' | 'INSUFFICIENT_BALANCE' | 'BALANCE_LIMIT';

/** `partly` and `later`: a part of it, or all, is held back, or its account cannot take it. */
export type GainPaid = 'paid' | 'partly' | 'later' | 'early' | 'done' | 'changed';

export interface GainTerms {
  /** What is held back of the gain and of the share, minor units. */
  readonly heldMinor: bigint;
  readonly retryMs: number;
  /** Of the reading that it was computed from: with another one nothing is done. */
  readonly changes: string;
}

/** Of a client, or of a platform with its sub-clients. */
export interface GroupReading {
  readonly changes: string;
  /** Ids of the clients that owe. */
  readonly owing: readonly string[];
  /** Its scheduled conversions that have not settled. */
  readonly open: readonly { readonly clientId: string; readonly id: string }[];
}

type Settled = 'settled' | 'overdue' | 'done' | 'early' | 'changed';

export interface DueQueue {
  /** What is due by the store's clock in any shard, oldest first within a shard, at most `limit` of each. */
  due(limit: number): Promise<readonly Due[]>;
  /**
   * Once: `done` when nothing was left to do, `early` when it is not due, `changed` when it was amended since it was read. A conversion without the money, or with an inactive account, is
   * retried after `retryMs`, at the next credit of the sell account, and at the activation of either account.
   */
  settle(of: MoneyOf, booking: Booking, retryMs: number): Promise<Settled>;
  /** The same by a sandbox, whatever its time: `overdue` also with the money. A code: what one that is to settle lacks; nothing was done. */
  forceSettle(of: MoneyOf, booking: Booking, retryMs: number, forced: ForcedSettle): Promise<Settled | SettleLacks>;
  /** The gain of a cancelled conversion, once its date has come: `later` and `partly` are retried after `retryMs`. */
  payGain(of: MoneyOf, booking: Booking, terms: GainTerms): Promise<GainPaid>;
  /** What of a gain is held back depends on it, at one moment. */
  readGroup(of: MoneyOf): Promise<GroupReading>;
  /** True when the hold has just expired; its session, if any, then has an entry in its outbox. */
  expireHold(of: MoneyOf, holdId: string, owner: string): Promise<boolean>;
  /** Removes an entry whose subject no longer exists. */
  drop(due: Due): Promise<void>;
  /** Reschedules an entry in `ms`, if it still exists. */
  postpone(due: Due, ms: number): Promise<void>;
  /** By an operator. With a close-out only an OVERDUE conversion. */
  cancel(of: MoneyOf, booking: Booking, cancellation: Cancellation): Promise<CancelOutcome>;
}

export interface Cancellation {
  readonly actor: string;
  /** '' without one. */
  readonly reason: string;
  readonly closeOut?: Omit<CloseOut, 'receivable'> | undefined;
}

export type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly booking: Booking }
  /** The status that does not allow it; undefined: no such booking. */
  | { readonly kind: 'status'; readonly status: BookingStatus | undefined }
  /** It was amended since it was read. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly code: 'ACCOUNT_INACTIVE' | 'BALANCE_LIMIT' };

const SETTLE_FX = step(import.meta.url, '../conversions/settle-fx', {
  inReserve: true,
  keys: ['bookings', 'balances', 'journal', 'scheduled', 'due', 'overdue', 'accounts', 'overdueInto'],
  args: [
    'client',
    'confirmationId',
    'sellCurrency',
    'sell',
    'buyCurrency',
    'buy',
    'marginCurrency',
    'margin',
    // After how long it is retried.
    'retryMs',
    // Its amendments, as stored.
    'before?',
    // Of the margin the part of the sub-client's platform.
    'share?',
    // By a sandbox, before its time: `settled` or `overdue`, and why.
    'forced?',
    'reason?',
  ],
  uses: ['groups', 'positions', 'platforms', 'receivables'],
});
const PAY_GAIN = step(import.meta.url, '../conversions/pay-gain', {
  inReserve: true,
  keys: ['gains', 'balances', 'journal', 'accounts', 'due', 'overdue'],
  // `held` is what is kept back of the gain and of the share, minor units.
  args: ['client', 'confirmationId', 'account', 'held', 'retryMs', 'changes'],
  uses: ['groups', 'receivables', 'platforms'],
});
export const READ_GROUP = step(import.meta.url, '../platforms/read-group', {
  readsOnly: true,
  keys: ['scheduled', 'owing', 'open'],
});
const EXPIRE_HOLD = step(import.meta.url, '../conversions/expire-hold', {
  inReserve: true,
  keys: ['hold', 'openHolds', 'due', 'outbox?'],
  args: ['holdId', 'dueEntry', 'isOfSession'],
  uses: ['holds'],
});
const CANCEL_BOOKING = step(import.meta.url, '../conversions/cancel-booking', {
  inReserve: true,
  keys: ['bookings', 'journal', 'scheduled', 'due', 'overdue', 'overdueInto', 'accounts', 'balances', 'dropCopies'],
  args: [
    'client',
    'confirmationId',
    'sellCurrency',
    'sell',
    'buy',
    'margin',
    // Its field in the house's positions.
    'position',
    'actor',
    'reason',
    // Of the report: it counts as the amendment behind the last one.
    'number',
    // Prefix of the keys of the client's sessions.
    'sessions',
    // Of a close-out: `charge` or `credit`, and its facts as JSON, without the receivable.
    'kind?',
    'currency?',
    'amount?',
    'closeOut?',
    'closeOutPosition?',
    // CompID of the session that booked it.
    'reportTo?',
    // Its amendments, as stored.
    'before?',
  ],
  uses: ['groups', 'limits', 'positions', 'receivables', 'platforms'],
});

/** The server's other shards, where that is no cluster. */
export const READ_DUE = step(import.meta.url, 'read-due', {
  readsOnly: true,
  keys: ['due'],
  args: ['nowMs', 'most'],
  rest: 'others',
});

export function dueQueue(connection: Connection, clock: Pick<StoreClock, 'steps'>): DueQueue {
  const settle = async (of: MoneyOf, booking: Booking, retryMs: number, forced?: ForcedSettle) => {
    const { bookings, balances, journal, scheduled, due, overdue, accounts, overdueInto } = ledgerKeys(of);
    const amended = asAmended(booking);
    const { sellCurrency, sell, buyCurrency, buy, marginCurrency, margin } = amended;
    const outcome = await connection.step(
      SETTLE_FX,
      { bookings, balances, journal, scheduled, due, overdue, accounts, overdueInto },
      {
        client: of.id,
        confirmationId: booking.id,
        sellCurrency,
        sell,
        buyCurrency,
        buy,
        marginCurrency,
        margin,
        retryMs,
        before: amendmentsText(booking.amendments),
        share: platformShare(amended),
        forced: forced?.to,
        reason: forced?.reason,
      },
    );
    return outcome as Settled | SettleLacks;
  };
  return {
    async due(limit) {
      const found = await readAllShards(connection, dueKey, async (shard, others) => {
        const args = { nowMs: clock.steps({ shard }), most: limit, others };
        const found = await connection.runUnreplicated(READ_DUE, { due: dueKey(shard) }, args);
        return (found as string[][]).map((entries) => ({ entries }));
      });
      return found.flatMap(({ shard, entries }) => entries.map((entry) => ({ shard, entry, names: namesOf(entry) })));
    },
    settle: (of, booking, retryMs) => settle(of, booking, retryMs) as Promise<Settled>,
    forceSettle: settle,
    async payGain(of, { id, sellAccount }, { heldMinor, retryMs, changes }) {
      const { gains, balances, journal, accounts, due, overdue } = ledgerKeys(of);
      const outcome = await connection.step(
        PAY_GAIN,
        { gains, balances, journal, accounts, due, overdue },
        { client: of.id, confirmationId: id, account: sellAccount, held: heldMinor, retryMs, changes },
      );
      return outcome as GainPaid;
    },
    async readGroup(of) {
      const { groupScheduled, groupOwing, groupOpen } = ledgerKeys(of);
      const read = await connection.step(
        READ_GROUP,
        { scheduled: groupScheduled, owing: groupOwing, open: groupOpen },
        {},
      );
      const [changes, owing, open] = read as [string, string[], string[]];
      return {
        changes,
        owing,
        open: open.map((member) => {
          const [clientId = '', id = ''] = member.split('|');
          return { clientId, id };
        }),
      };
    },
    async expireHold(of, holdId, owner) {
      const { hold, openHolds, due } = ledgerKeys(of);
      const isOfSession = owner !== REST_OWNER;
      const outbox = isOfSession ? outboxKey(sessionKey(of.shard, ENGINE_COMP_ID, owner)) : undefined;
      const reply = await connection.step(
        EXPIRE_HOLD,
        { hold: hold(holdId), openHolds, due, outbox },
        { holdId, dueEntry: `hold:${of.id}:${holdId}`, isOfSession },
      );
      const expired = reply === 1;
      if (expired && isOfSession) notifyOutboxes(connection, [owner]);
      return expired;
    },
    async drop({ shard, entry }) {
      await connection.write((redis) => redis.zrem(dueKey(shard), entry));
    },
    async postpone({ shard, entry }, ms) {
      const atMs = clock.steps({ shard }) + ms;
      await connection.write((redis) => redis.zadd(dueKey(shard), 'XX', atMs, entry));
    },
    async cancel(of, booking, { actor, reason, closeOut }) {
      const keys = ledgerKeys(of);
      const { bookings, journal, scheduled, due, overdue, overdueInto, accounts, balances, dropCopies } = keys;
      const current = asAmended(booking);
      const { id, sellCurrency, sell, buy, margin, session = '', amendments = [] } = current;
      const [kind, answer = '', atMs, ...notified] = (await connection.step(
        CANCEL_BOOKING,
        { bookings, journal, scheduled, due, overdue, overdueInto, accounts, balances, dropCopies },
        {
          client: of.id,
          confirmationId: id,
          sellCurrency,
          sell,
          buy,
          margin,
          position: positionField(current),
          actor,
          reason,
          number: amendments.length + 1,
          sessions: sessionsKey(of.shard, ENGINE_COMP_ID),
          kind: closeOut?.kind,
          currency: closeOut?.currency,
          amount: closeOut?.amount,
          closeOut: closeOut && JSON.stringify(closeOut),
          closeOutPosition: closeOut && closeOutField(closeOut.currency, current.valueDate),
          reportTo: COMP_ID.test(session) ? session : undefined,
          before: amendmentsText(amendments),
        },
      )) as string[];
      if (kind === 'changed') return { kind };
      if (kind === 'refused') return { kind, code: answer as 'ACCOUNT_INACTIVE' | 'BALANCE_LIMIT' };
      if (kind === 'status') return { kind, status: answer === '' ? undefined : (answer as BookingStatus) };
      notifyOutboxes(connection, notified);
      const closedOut = closeOut && { closeOut: { ...closeOut, receivable: answer } };
      return {
        kind: 'cancelled',
        booking: { ...booking, status: 'CANCELLED', cancelledAtMs: Number(atMs), ...closedOut },
      };
    },
  };
}

function namesOf(entry: string): DueNames | undefined {
  const [kind, clientId = '', id = '', more] = entry.split(':');
  if (!CLIENT_ID.test(clientId) || more !== undefined) return undefined;
  if (kind === 'settle' && BOOKING_ID.test(id)) return { kind, clientId, id };
  if (kind === 'gain' && BOOKING_ID.test(id)) return { kind, clientId, id };
  if (kind === 'hold' && HOLD_ID.test(id)) return { kind, clientId, id };
  if (kind === 'fund' && FUNDING_ID.test(id)) return { kind, clientId, id };
  if (kind === 'expire' && PAYMENT_ID.test(id)) return { kind, clientId, id };
  if (kind === 'batch' && BATCH_ID.test(id)) return { kind, clientId, id };
  if (kind === 'wake' && id === 'later') return { kind, clientId, id };
  const [paymentId = '', step = ''] = id.split('.');
  if (kind === 'work' && PAYMENT_ID.test(paymentId) && /^\d{1,9}$/.test(step))
    return { kind, clientId, id: paymentId, step: Number(step) };
  return undefined;
}

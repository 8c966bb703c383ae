/** Conversions: booked by one atomic step each, and read. */

import type { Booking, BookingFacts, BookingStatus } from '../../domain/conversions/booking.js';
import { BOOKING_ID, CL_ORD_ID, ENGINE_COMP_ID, HOLD_ID, platformOf } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import { BOOK_FX_TYPES, type BookFxType } from '../../domain/money/value-date.js';
import { platformShare } from '../../domain/platforms/platform-share.js';
import type { Connection } from '../connection/connection.js';
import { StoreFault } from '../connection/errors.js';
import { countingValue } from '../connection/fields.js';
import { type CallOf, step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, outboxKey, sessionKey, sessionsKey } from '../keys/redis-keys.js';
import { bookingFactsText, memberOf, pastBooking, storedBooking, storedReceipt } from '../ledger/records.js';
import type { StepLimits } from '../risk/limits.js';
import { positionField } from '../risk/positions.js';
import { notifyOutboxes, type SessionClaims } from '../sessions/fix-sessions.js';

/** The position in the order of checks of a refusal that was determined before the step. */
export type Stage = 'amount' | 'date' | 'price';

/** A conversion to be booked. Absent accounts are the default ones of their currency. */
export interface BookFxStep {
  readonly fingerprint: string;
  /** The type that was requested, or else that of the hold, the price or the client. */
  readonly type: BookFxType;
  readonly requestId: string;
  /** The step books under another one where a conversion of the client has this one or a later one. */
  readonly confirmationId: string;
  readonly sellAccount: string | undefined;
  readonly buyAccount: string | undefined;
  /** Undefined where an account is not the client's: the step refuses. */
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
  readonly holdId: string | undefined;
  /** The first refusal determined without the store; the step returns it after its own earlier checks. */
  readonly refusal?: { readonly stage: Stage; readonly code: RefusalCode; readonly text: string } | undefined;
  /** A refusal is kept under the request id, and returned again. */
  readonly rememberRefusal: boolean;
  /** CompID of the requesting FIX session: its outbox gets the report. */
  readonly session: string | undefined;
  /** Absent with a refusal. */
  readonly facts?: BookingFacts | undefined;
  /** When it settles; absent: at once. */
  readonly settlesAtMs?: number | undefined;
  /** Limit for scheduled sells open before this one, minor units of the sell currency; below 0: none allowed. Set with a refusal too. */
  readonly scheduledRoom?: bigint | undefined;
  /** The same of a platform and its sub-clients together; absent of any other client. */
  readonly groupRoom?: bigint | undefined;
  /** The limits that the step judges; absent: none. */
  readonly limits?: StepLimits | undefined;
}

/** A refusal as the step returns and stores it. */
export interface StepRefusal {
  readonly code: RefusalCode;
  /** '' where the code's standard text applies, or `more` has the details. */
  readonly text: string;
  /** Of REQUEST_ID_REUSED '<fingerprint of the first command> <its type>'; of INSUFFICIENT_BALANCE '<balance> <needed> <currency>' in minor units; of CREDIT_LIMIT the limit's name; of HOLD_EXPIRED '<hold id> <its end, ms>' or its status. */
  readonly more: string;
}

export type BookFxOutcome =
  /** `outboxEntry` is the report to the requesting session. */
  | { readonly kind: 'booked'; readonly booking: Booking; readonly outboxEntry: string | undefined }
  | { readonly kind: 'replayed'; readonly booking: Booking }
  /** Another engine has the requesting session. */
  | { readonly kind: 'taken-over' }
  /** The exposure that the limits compare is to be seeded, and the step repeated. */
  | { readonly kind: 'no-exposure' }
  /** The shard lacks room under the house's limits: the risk role has been asked for more. */
  | { readonly kind: 'no-room' }
  | ({ readonly kind: 'refused' | 'refused-before' } & StepRefusal);

/** The outcome of a request: a booking, a stored refusal, or unknown. */
export type Receipt =
  | { readonly kind: 'booked'; readonly booking: Booking }
  | ({ readonly kind: 'refused' } & StepRefusal);

export interface Bookings {
  /** How often this process got each answer: `<type> <outcome>`, with type `none` where a refusal came before the type was known. */
  readonly outcomes: ReadonlyMap<string, number>;
  book(of: MoneyOf, step: BookFxStep): Promise<BookFxOutcome>;
  read(of: MoneyOf, confirmationId: string): Promise<Booking | undefined>;
  /** As it was, by states that events.lua has written: status, settled at, length of what was done afterwards. Undefined: no such conversion. */
  past(
    of: MoneyOf,
    confirmationId: string,
    states: readonly (readonly string[])[],
  ): Promise<readonly Booking[] | undefined>;
  receipt(of: MoneyOf, requestId: string): Promise<Receipt | undefined>;
}

/** How long request ids and ended holds are kept. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** @public The booking benchmark calls it without the store around it. */
export const BOOK_FX = step(import.meta.url, 'book-fx', {
  keys: ['receipt', 'hold?', 'outbox?', 'session?'],
  derived: [
    'accounts',
    'balances',
    'bookings',
    'journal',
    'openHolds',
    'scheduled',
    'due',
    'overdue',
    'dropCopies',
    'exposure',
    'events',
  ],
  // Those that are usually absent come last: they are not sent then.
  args: [
    'fingerprint',
    'confirmationId',
    'client',
    'rememberRefusal',
    'sell',
    'buy',
    'margin',
    // How long receipts are kept.
    'keptMs',
    // Prefix of the keys of the client's sessions.
    'sessions',
    // The type that it settles as.
    'type',
    'sellCurrency?',
    'buyCurrency?',
    'marginCurrency?',
    'facts?',
    // Its field in the house's positions.
    'position?',
    // By the server's clock, when the price is too old; absent: a held price, or not known.
    'latestMs?',
    'sellAccount?',
    'buyAccount?',
    // CompID of the requesting session, and the epoch of the caller's claim of it; without an epoch it has released the session.
    'askingCompId?',
    'epoch?',
    'holdId?',
    // Absent: at once.
    'settlesAtMs?',
    // Minor units; absent: at once, or not known.
    'scheduledRoom?',
    // The same of a platform and its sub-clients together.
    'groupRoom?',
    // A refusal determined earlier: its stage, one of Stage, its code, its text.
    'stage?',
    'refusalCode?',
    'refusalText?',
    // JSON of StepLimits.
    'limits?',
    // Of the margin the part of the sub-client's platform.
    'share?',
  ],
  uses: ['holds', 'groups', 'limits', 'positions', 'platforms', 'receivables'],
});

export function bookings(connection: Connection, claims: SessionClaims): Bookings {
  const memberAt = async (of: MoneyOf, confirmationId: string): Promise<string | undefined> => {
    if (!BOOKING_ID.test(confirmationId)) return undefined;
    const key = ledgerKeys(of).bookings;
    return (await connection.read((redis) => redis.zrange(key, ...memberOf(confirmationId))))[0];
  };
  const read = async (of: MoneyOf, confirmationId: string): Promise<Booking | undefined> => {
    const member = await memberAt(of, confirmationId);
    return member === undefined ? undefined : storedBooking(member).booking;
  };
  const outcomes = new Map(BOOK_FX_TYPES.map((type) => [`${type} booked`, 0]));
  const count = (type: string, outcome: string): void => {
    const name = `${type} ${outcome}`;
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  };
  return {
    outcomes,
    async book(of, step) {
      const { facts, session } = step;
      const asking = session === undefined ? '' : sessionKey(of.shard, ENGINE_COMP_ID, session);
      const epoch = claims.epochOf(asking);
      const call = bookFxCall(of, step, connection.waitEndsAt(ledgerKeys(of).balances), epoch);
      const [kind, ...rest] = (await connection.step(BOOK_FX, ...call)) as string[];
      count(facts?.type ?? 'none', kind.startsWith('refused') ? rest[0] : kind);
      if (kind === 'taken-over') {
        claims.takenOver(asking, epoch);
        return { kind };
      }
      if (kind === 'booked' && facts) {
        const [entry, sellAccount, buyAccount, status, id, ...copied] = rest;
        notifyOutboxes(connection, copied);
        const settledAtMs = status === 'SETTLED' ? facts.createdAtMs : undefined;
        const state = { id, sellAccount, buyAccount, status: status as BookingStatus, settledAtMs };
        const booking: Booking = { ...facts, ...state };
        return { kind, booking, outboxEntry: entry || undefined };
      }
      if (kind === 'no-exposure' || kind === 'no-room') return { kind };
      if (kind === 'replayed') return { kind, booking: replayed(rest[0]) };
      const [code, text, more = ''] = rest;
      return { kind: kind as 'refused' | 'refused-before', code: code as RefusalCode, text, more };
    },
    read,
    async past(of, confirmationId, states) {
      const member = await memberAt(of, confirmationId);
      if (member === undefined) return undefined;
      return states.map(([status = '', settledAt = '', length]) =>
        pastBooking(member, { status, settledAt, length: Number(length) }),
      );
    },
    async receipt(of, requestId) {
      if (!CL_ORD_ID.test(requestId)) return undefined;
      const key = ledgerKeys(of).receipt(requestId);
      // On the connection for money: what is returned has reached the replicas that a booking waits for.
      const kept = storedReceipt(await countingValue(connection, key));
      if (kept?.kind === 'refusal') return { ...kept, kind: 'refused' };
      const booking = kept?.kind === 'booking' ? await read(of, kept.id) : undefined;
      return booking && { kind: 'booked', booking };
    },
  };
}

/**
 * The arguments of BOOK_FX; a benchmark sends the same without this module. By the server's clock, a price that is not held is too old
 * after `latestMs`. `epoch` is that of the caller's claim of the requesting session.
 * @public
 */
export function bookFxCall(of: MoneyOf, step: BookFxStep, latestMs?: number, epoch = ''): CallOf<typeof BOOK_FX> {
  const keys = ledgerKeys(of);
  const { facts, refusal, holdId, session: askingCompId } = step;
  const { fingerprint, confirmationId, sellAccount, sellCurrency, buyAccount, buyCurrency } = step;
  const { rememberRefusal, settlesAtMs, scheduledRoom, groupRoom, type, limits } = step;
  if (facts === undefined && refusal === undefined)
    throw new TypeError('a conversion without amounts is no conversion');
  const session = askingCompId === undefined ? undefined : sessionKey(of.shard, ENGINE_COMP_ID, askingCompId);
  return [
    {
      session,
      receipt: keys.receipt(step.requestId),
      hold: holdId !== undefined && HOLD_ID.test(holdId) ? keys.hold(holdId) : undefined,
      outbox: session && outboxKey(session),
    },
    {
      fingerprint,
      confirmationId,
      sellAccount,
      sellCurrency,
      buyAccount,
      buyCurrency,
      rememberRefusal,
      settlesAtMs,
      scheduledRoom,
      groupRoom,
      type,
      holdId,
      askingCompId,
      epoch,
      client: of.id,
      stage: refusal?.stage,
      refusalCode: refusal?.code,
      refusalText: refusal?.text,
      sell: facts?.sell ?? '0',
      buy: facts?.buy ?? '0',
      margin: facts?.margin ?? '0',
      marginCurrency: facts?.marginCurrency,
      facts: facts && bookingFactsText(facts),
      position: facts && positionField(facts),
      keptMs: KEPT_MS,
      sessions: sessionsKey(of.shard, ENGINE_COMP_ID),
      latestMs: holdId === undefined ? latestMs : undefined,
      limits: limits && JSON.stringify(limits),
      share: facts && platformOf(of.id) !== undefined ? platformShare(facts) : undefined,
    },
  ];
}

/** The conversion that a receipt names. Throws StoreFault where its record is missing. */
function replayed(member: string): Booking {
  if (member !== '') return storedBooking(member).booking;
  throw new StoreFault(
    'a receipt names a conversion that is missing: restore the store (docs/operations.md), then run: ratewire reconcile',
  );
}

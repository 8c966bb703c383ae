/** Conversions: booked by one atomic step each, and read. */

import { BOOK_FX_TYPES, type BookFxType } from '../../domain/book-fx-type.js';
import type { Booking, BookingFacts, BookingStatus, CloseOut } from '../../domain/booking.js';
import { BOOKING_ID, ENGINE_COMP_ID, HOLD_ID, REQUEST_ID } from '../../domain/ids.js';
import type { RefusalCode } from '../../domain/refusal.js';
import type { Connection } from '../connection/connection.js';
import { script } from '../connection/scripts.js';
import { mustMatch } from '../keys/ids.js';
import { ledgerKeys, type MoneyOf, outboxKey, sessionKey, sessionsKey } from '../keys/ledger-keys.js';
import type { SessionClaims } from '../sessions/fix-sessions.js';
import { ringOutboxes } from '../sessions/outbox-bell.js';

/** Where in the order of checks a refusal belongs that was found before the store was asked. */
export type Stage = 'amount' | 'date' | 'price';

/** A conversion to be booked. Absent accounts are the default ones of their currency. */
export interface BookFxStep {
  readonly fingerprint: string;
  /** What it settles as: the type that was asked for, or that of the hold, the price or the client where none was. */
  readonly type: BookFxType;
  readonly requestId: string;
  readonly confirmationId: string;
  readonly sellAccount: string | undefined;
  readonly buyAccount: string | undefined;
  /** Undefined where an account is not the client's: the step refuses. */
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
  readonly holdId: string | undefined;
  /** The first refusal that was found without the store; it is given in its turn, after what the store finds earlier. */
  readonly refusal?: { readonly stage: Stage; readonly code: RefusalCode; readonly text: string } | undefined;
  /** A refusal is remembered under the request id, and given again. */
  readonly rememberRefusal: boolean;
  /** CompID of the FIX session that asks: it is told by its outbox. */
  readonly session: string | undefined;
  /** Absent with a refusal. */
  readonly facts?: BookingFacts | undefined;
  /** When it settles; absent: at once. */
  readonly settlesAtMs?: number | undefined;
  /** Minor units of the sell currency that may be open in scheduled conversions before this one; below 0: none. Known with a refusal too. */
  readonly scheduledRoom?: bigint | undefined;
}

/** A refusal as the step gives it and remembers it. */
export interface StepRefusal {
  readonly code: RefusalCode;
  /** '' where the code's own line will do, or `more` says it. */
  readonly text: string;
  /** Of REQUEST_ID_REUSED '<fingerprint of the first command> <its type>'; of INSUFFICIENT_BALANCE '<balance> <needed> <currency>' in minor units; of HOLD_EXPIRED '<hold id> <its end, ms>' or its status. */
  readonly more: string;
}

export type BookFxOutcome =
  /** `outboxEntry` names what the asking session is to be told. */
  | { readonly kind: 'booked'; readonly booking: Booking; readonly outboxEntry: string | undefined }
  | { readonly kind: 'replayed'; readonly booking: Booking }
  /** Another engine has the session that asks. */
  | { readonly kind: 'taken-over' }
  | ({ readonly kind: 'refused' | 'refused-before' } & StepRefusal);

/** What became of a request: a booking, a refusal that is remembered, or nothing that is known. */
export type Receipt =
  | { readonly kind: 'booked'; readonly booking: Booking }
  | ({ readonly kind: 'refused' } & StepRefusal);

export interface Bookings {
  /** How often this process was answered what: `<type> <outcome>`, the type `none` where a refusal came before it was known. */
  readonly outcomes: ReadonlyMap<string, number>;
  book(of: MoneyOf, step: BookFxStep): Promise<BookFxOutcome>;
  read(of: MoneyOf, confirmationId: string): Promise<Booking | undefined>;
  receipt(of: MoneyOf, requestId: string): Promise<Receipt | undefined>;
}

/** Request ids and ended holds are kept this long. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

const BOOK = script('book-fx');
export const BOOKING_FIELDS = ['facts', 'status', 'sellAccount', 'buyAccount', 'settledAt', 'closeOut'] as const;

export function bookings(connection: Connection, claims: SessionClaims): Bookings {
  const read = async (of: MoneyOf, confirmationId: string): Promise<Booking | undefined> => {
    if (!BOOKING_ID.test(confirmationId)) return undefined;
    const key = ledgerKeys(of).booking(confirmationId);
    return asBooking(await connection.read((redis) => redis.hmget(key, ...BOOKING_FIELDS)));
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
      const [keys, args] = bookFxCall(of, step, connection.waitEndsAt(ledgerKeys(of).balances), epoch);
      const [kind, ...rest] = (await connection.step(BOOK, keys, args)) as string[];
      count(facts?.type ?? 'none', kind.startsWith('refused') ? rest[0] : kind);
      if (kind === 'taken-over') {
        claims.takenOver(asking, epoch);
        return { kind };
      }
      if (kind === 'booked' && facts) {
        const [entry, sellAccount, buyAccount, status, ...copied] = rest;
        ringOutboxes(connection, copied);
        const settledAtMs = status === 'SETTLED' ? facts.createdAtMs : undefined;
        const booking = { ...facts, sellAccount, buyAccount, status: status as BookingStatus, settledAtMs };
        return { kind, booking, outboxEntry: entry || undefined };
      }
      if (kind === 'replayed') return { kind, booking: asBooking(rest)! };
      const [code, text, more = ''] = rest;
      return { kind: kind as 'refused' | 'refused-before', code: code as RefusalCode, text, more };
    },
    read,
    async receipt(of, requestId) {
      if (!REQUEST_ID.test(requestId)) return undefined;
      const key = ledgerKeys(of).receipt(requestId);
      // On the connection for money: what is told of it has reached the replicas that a booking waits for.
      const kept = await connection.write((redis) => redis.hmget(key, 'booking', 'refusal', 'text', 'more'));
      const [id, code, text, more] = kept;
      if (code) return { kind: 'refused', code: code as RefusalCode, text: text ?? '', more: more ?? '' };
      const booking = id ? await read(of, id) : undefined;
      return booking && { kind: 'booked', booking };
    },
  };
}

/**
 * Keys and arguments as book-fx.lua lists them; a benchmark sends the same past this folder. By the server's clock, after `latestMs` a
 * price that nobody holds is too old. `epoch` is that of the caller's claim of the session that asks.
 */
export function bookFxCall(
  of: MoneyOf,
  step: BookFxStep,
  latestMs?: number,
  epoch = '',
): [keys: string[], args: string[]] {
  const keys = ledgerKeys(of);
  const { facts, refusal, holdId, session } = step;
  if (facts === undefined && refusal === undefined)
    throw new TypeError('a conversion without amounts is no conversion');
  const asking = session === undefined ? undefined : sessionKey(of.shard, ENGINE_COMP_ID, session);
  const isHold = holdId !== undefined && HOLD_ID.test(holdId);
  return [
    [
      keys.receipt(step.requestId),
      keys.accounts,
      keys.balances,
      keys.booking(step.confirmationId),
      keys.journal,
      isHold ? keys.hold(holdId) : keys.none,
      keys.openHolds,
      keys.scheduled,
      keys.due,
      keys.overdue,
      keys.dropCopies,
      asking === undefined ? keys.none : outboxKey(asking),
      keys.index('bookings'),
      asking ?? keys.none,
    ],
    [
      String(facts?.createdAtMs ?? ''),
      step.fingerprint,
      step.requestId,
      mustMatch(BOOKING_ID, 'confirmation id', step.confirmationId),
      of.id,
      step.sellAccount ?? '',
      step.sellCurrency ?? '',
      step.buyAccount ?? '',
      step.buyCurrency ?? '',
      refusal?.stage ?? '',
      refusal?.code ?? '',
      refusal?.text ?? '',
      step.rememberRefusal ? '1' : '',
      step.settlesAtMs === undefined ? '' : String(step.settlesAtMs),
      facts?.sell ?? '0',
      facts?.buy ?? '0',
      facts?.margin ?? '0',
      facts?.marginCurrency ?? '',
      String(step.scheduledRoom ?? ''),
      holdId ?? '',
      facts ? JSON.stringify(facts) : '',
      String(KEPT_MS),
      sessionsKey(of.shard, ENGINE_COMP_ID),
      session ?? '',
      keys.bookings,
      holdId === undefined ? String(latestMs ?? '') : '',
      epoch,
      step.type,
    ],
  ];
}

/** From the values of BOOKING_FIELDS. */
export function asBooking(fields: readonly (string | null)[]): Booking | undefined {
  const [facts, status, sellAccount, buyAccount, settledAt, closeOut] = fields;
  if (!facts || !sellAccount || !buyAccount) return undefined;
  return {
    ...(JSON.parse(facts) as BookingFacts),
    sellAccount,
    buyAccount,
    status: status as BookingStatus,
    settledAtMs: settledAt ? Number(settledAt) : undefined,
    ...(closeOut ? { closeOut: JSON.parse(closeOut) as CloseOut } : {}),
  };
}

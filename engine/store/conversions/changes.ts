/**
 * Changes of conversions that have not settled, as their client asks for them by a quote: a cancellation, another date, a split, by one atomic
 * step each. A change is an amendment of the conversion.
 */
import { asAmended, atDateOf, chargedMargins, paysOn } from '../../domain/conversions/amendment.js';
import type { Booking, BookingFacts, BookingStatus } from '../../domain/conversions/booking.js';
import {
  type Amendment,
  type ChangeKind,
  type NewDate,
  type Reversal,
  STATUS_AFTER,
} from '../../domain/conversions/booking.js';
import { COMP_ID, ENGINE_COMP_ID } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { Connection } from '../connection/connection.js';
import { StoreFault } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, sessionsKey } from '../keys/redis-keys.js';
import { amendmentsText, bookingFactsText, storedBooking, withoutBars } from '../ledger/records.js';
import type { StepLimits } from '../risk/limits.js';
import { closeOutField, positionField } from '../risk/positions.js';
import { notifyOutboxes } from '../sessions/fix-sessions.js';
import { KEPT_MS } from './bookings.js';

/** What the quote was for; of a split the facts of its children, in ascending order of their ids. */
export type ChangeTerms =
  | { readonly kind: 'cancel'; readonly reversal: Reversal }
  | { readonly kind: 'date'; readonly date: NewDate }
  | { readonly kind: 'split'; readonly children: readonly BookingFacts[] };

export interface ChangeStep {
  readonly requestId: string;
  readonly fingerprint: string;
  /** '' without one. */
  readonly reason: string;
  readonly kind: ChangeKind;
  /** Absent with a refusal of the quote: there is nothing to be changed. */
  readonly terms?: ChangeTerms | undefined;
  /** Until when the quote binds, epoch ms. */
  readonly untilMs?: number | undefined;
  /** The first refusal determined without the store: the step returns it in its place in the order. */
  readonly refusal?:
    | { readonly stage: 'quote' | 'deal'; readonly code: RefusalCode; readonly text: string }
    | undefined;
  readonly limits?: StepLimits | undefined;
}

export type ChangeOutcome =
  /** `number` of the amendment, from 1. */
  | { readonly kind: 'changed-to'; readonly booking: Booking; readonly number: number }
  | { readonly kind: 'replayed'; readonly booking: Booking; readonly number: number }
  /** The status that does not allow it; undefined: no such booking. */
  | { readonly kind: 'status'; readonly status: BookingStatus | undefined }
  /** It was amended since it was read. */
  | { readonly kind: 'changed' }
  /** As of a booking. */
  | { readonly kind: 'no-exposure' }
  | { readonly kind: 'no-room' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly text: string; readonly more: string };

export interface Changes {
  /** `booking` is as `bookings.read` returns it. */
  make(of: MoneyOf, booking: Booking, change: ChangeStep): Promise<ChangeOutcome>;
}

const CHANGE_BOOKING = step(import.meta.url, 'change-booking', {
  inReserve: true,
  keys: ['receipt'],
  derived: [
    'accounts',
    'balances',
    'bookings',
    'journal',
    'scheduled',
    'due',
    'overdue',
    'overdueInto',
    'dropCopies',
    'changes',
    'gains',
  ],
  args: [
    'client',
    'confirmationId',
    // `cancel`, `date` or `split`, and the number of the amendment, from 1.
    'kind',
    'number',
    'fingerprint',
    // How long receipts are kept.
    'keptMs',
    'sellCurrency',
    'sell',
    'buy',
    'margin',
    // When it is to settle, epoch ms.
    'expiryMs',
    // Its field in the house's positions.
    'position',
    // Prefix of the keys of the client's sessions.
    'sessions',
    // Of the margins that a charge pays the part of the sub-client's platform; '0' of any other client.
    'share',
    // As JSON, without its time, its journal entry, and its children.
    'amendment?',
    'reason?',
    // Its amendments, as stored.
    'before?',
    'untilMs?',
    // CompID of the session that booked it.
    'reportTo?',
    // The field of the charge or gain, or of the new date.
    'newPosition?',
    // Of a cancellation: `charge` or `credit`, minor units of it, and of the margins that a charge pays.
    'way?',
    'amount?',
    'dealMargin?',
    // What is paid and posted at its date: the gain, the house's margin and the platform's share, the time, and the date, YYYYMMDD.
    'gain?',
    'gainMargin?',
    'gainShare?',
    'paysAtMs?',
    'paysOn?',
    // Of a change of date.
    'settlesAtMs?',
    // Of a split, as JSON: id, sell, buy, margin and facts of each.
    'children?',
    // A refusal determined earlier: its stage, its code, its text.
    'stage?',
    'refusalCode?',
    'refusalText?',
    // JSON of StepLimits.
    'limits?',
  ],
  uses: ['groups', 'limits', 'positions', 'receivables', 'platforms'],
});

export function changes(connection: Connection): Changes {
  return {
    async make(of, booking, { requestId, fingerprint, reason, kind, terms, untilMs, refusal, limits }) {
      const { id, session = '', amendments = [] } = booking;
      const now = asAmended(booking);
      const { sellCurrency, sell, buy, margin, expiryMs } = now;
      const [reversal, date, children] = [
        terms?.kind === 'cancel' ? terms.reversal : undefined,
        terms?.kind === 'date' ? terms.date : undefined,
        terms?.kind === 'split' ? terms.children : undefined,
      ];
      const [charged, later] = reversal ? [chargedMargins(reversal), atDateOf(reversal)] : [];
      const amendment = { kind, id: requestId, reason: reason || undefined, reversal, date };
      const [answer, ...rest] = (await connection.step(
        CHANGE_BOOKING,
        { receipt: ledgerKeys(of).receipt(requestId) },
        {
          client: of.id,
          confirmationId: id,
          kind,
          number: amendments.length + 1,
          fingerprint,
          keptMs: KEPT_MS,
          sellCurrency,
          sell,
          buy,
          margin,
          expiryMs,
          position: positionField(now),
          sessions: sessionsKey(of.shard, ENGINE_COMP_ID),
          share: charged ? charged.share : '0',
          amendment: withoutBars(amendment),
          reason,
          before: amendmentsText(amendments),
          untilMs,
          reportTo: COMP_ID.test(session) ? session : undefined,
          newPosition: reversal
            ? closeOutField(reversal.currency, now.valueDate)
            : date && positionField({ ...now, valueDate: date.valueDate }),
          way: reversal?.kind,
          amount: reversal?.amount,
          dealMargin: charged && charged.margin + charged.share,
          gain: later?.amount,
          gainMargin: later?.margin,
          gainShare: later?.share,
          paysAtMs: reversal?.paysAtMs,
          paysOn: paysOn(reversal),
          settlesAtMs: date?.settlesAtMs,
          children: children && JSON.stringify(children.map(childText)),
          stage: refusal?.stage,
          refusalCode: refusal?.code,
          refusalText: refusal?.text,
          limits: limits && JSON.stringify(limits),
        },
      )) as string[];
      if (answer === 'changed' || answer === 'no-exposure' || answer === 'no-room') return { kind: answer };
      if (answer === 'status') return { kind: 'status', status: (rest[0] || undefined) as BookingStatus | undefined };
      if (answer === 'refused') {
        const [code, text = '', more = ''] = rest;
        return { kind: 'refused', code: code as RefusalCode, text, more };
      }
      if (answer === 'replayed') return { kind: 'replayed', number: Number(rest[0]), booking: replayed(rest[1]) };
      const [atMs, entry = '', owed, ids = '', ...notified] = rest;
      notifyOutboxes(connection, notified);
      const made: Amendment = {
        ...amendment,
        ...(children && { children: ids.split(' ').map((id, i) => childOf({ ...children[i]!, id })) }),
        atMs: Number(atMs),
        entry,
        ...(reversal && { receivable: owed }),
      };
      const state = {
        status: STATUS_AFTER[kind],
        amendments: [...amendments, made],
        ...(kind === 'cancel' && { cancelledAtMs: made.atMs }),
      };
      return { kind: 'changed-to', number: amendments.length + 1, booking: { ...booking, ...state } };
    },
  };
}

const childOf = ({ id, sell, buy, margin }: BookingFacts) => ({ id, sell, buy, margin });

const childText = (facts: BookingFacts) => ({ ...childOf(facts), facts: bookingFactsText(facts) });

/** The conversion that a receipt names. Throws StoreFault where its record is missing. */
function replayed(member = ''): Booking {
  if (member !== '') return storedBooking(member).booking;
  throw new StoreFault(
    'a receipt names a conversion that is missing: restore the store (docs/operations.md), then run: ratewire reconcile',
  );
}

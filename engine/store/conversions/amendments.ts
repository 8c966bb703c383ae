/** Busts and corrections of conversions, by one atomic step each. */
import { asAmended } from '../../domain/conversions/amendment.js';
import type { Amendment, Booking, BookingStatus } from '../../domain/conversions/booking.js';
import { COMP_ID, ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { platformShare } from '../../domain/platforms/platform-share.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, sessionsKey } from '../keys/redis-keys.js';
import { amendmentsText } from '../ledger/records.js';
import { positionField } from '../risk/positions.js';
import { notifyOutboxes } from '../sessions/fix-sessions.js';

export type NewAmendment = Omit<Amendment, 'atMs' | 'entry'> & { readonly actor: string; readonly reason: string };

export type Amended =
  | { readonly kind: 'amended'; readonly booking: Booking }
  /** It is no longer as it was read. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'refused';
      readonly code: 'REQUEST_ID_REUSED' | 'ACCOUNT_INACTIVE' | 'INSUFFICIENT_BALANCE' | 'BALANCE_LIMIT';
      /** Of INSUFFICIENT_BALANCE '<balance> <needed> <currency>' in minor units. */
      readonly more: string;
    };

export interface Amendments {
  /** `booking` is as `bookings.read` returns it; the caller has checked that its state allows the amendment. */
  amend(of: MoneyOf, booking: Booking, amendment: NewAmendment): Promise<Amended>;
}

const AMEND_BOOKING = step(import.meta.url, 'amend-booking', {
  inReserve: true,
  keys: [
    'bookings',
    'journal',
    'accounts',
    'balances',
    'scheduled',
    'due',
    'overdue',
    'overdueInto',
    'dropCopies',
    'adjustment',
  ],
  args: [
    'client',
    'confirmationId',
    // `bust` or `correct`, and the number of the amendment, from 1.
    'kind',
    'number',
    'actor',
    'reason',
    'sellCurrency',
    'sell',
    'buyCurrency',
    'buy',
    'marginCurrency',
    'margin',
    // Its field in the house's positions.
    'position',
    // As JSON, without its time and its journal entry.
    'amendment',
    // Prefix of the keys of the client's sessions.
    'sessions',
    'status',
    // Of the margin the part of the sub-client's platform; '0' of any other client.
    'share',
    // The amendments before it, as stored.
    'before?',
    // Of a correction.
    'newSell?',
    'newBuy?',
    'newMargin?',
    'newShare?',
    // CompID of the session that booked it.
    'reportTo?',
  ],
  uses: ['groups', 'limits', 'positions', 'platforms', 'receivables'],
});

export function amendments(connection: Connection): Amendments {
  return {
    async amend(of, booking, { actor, reason, ...amendment }) {
      const { bookings, journal, accounts, balances, scheduled, due, overdue, overdueInto, dropCopies, adjustment } =
        ledgerKeys(of);
      const { id, status, session = '', amendments: earlier = [] } = booking;
      const before = asAmended(booking);
      const { sellCurrency, sell, buyCurrency, buy, marginCurrency, margin } = before;
      const { kind, terms } = amendment;
      const [answer, ...rest] = (await connection.step(
        AMEND_BOOKING,
        {
          bookings,
          journal,
          accounts,
          balances,
          scheduled,
          due,
          overdue,
          overdueInto,
          dropCopies,
          adjustment: adjustment(amendment.id),
        },
        {
          client: of.id,
          confirmationId: id,
          kind,
          number: earlier.length + 1,
          actor,
          reason,
          sellCurrency,
          sell,
          buyCurrency,
          buy,
          marginCurrency,
          margin,
          position: positionField(before),
          amendment: JSON.stringify(amendment),
          sessions: sessionsKey(of.shard, ENGINE_COMP_ID),
          status,
          share: platformShare(before),
          before: amendmentsText(earlier),
          newSell: terms?.sell,
          newBuy: terms?.buy,
          newMargin: terms?.margin,
          newShare: terms && platformShare({ ...before, ...terms }),
          reportTo: COMP_ID.test(session) ? session : undefined,
        },
      )) as string[];
      if (answer === 'changed') return { kind: 'changed' };
      if (answer === 'refused') {
        const [code, more = ''] = rest;
        return { kind: 'refused', code: code as 'ACCOUNT_INACTIVE', more };
      }
      const [atMs, entry = '', ...notified] = rest;
      notifyOutboxes(connection, notified);
      const state = {
        status: kind === 'bust' ? ('CANCELLED' as BookingStatus) : status,
        amendments: [...earlier, { ...amendment, atMs: Number(atMs), entry }],
      };
      return { kind: 'amended', booking: { ...booking, ...state } };
    },
  };
}

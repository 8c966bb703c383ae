/** Booking a conversion: what both ways of asking for it, by currencies and by accounts, have in common. */
import * as crypto from 'node:crypto';
import { isBookFxType } from '../../domain/book-fx-type.js';
import type { Booking } from '../../domain/booking.js';
import type { Refusal } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { BookFxStep, StepRefusal } from '../../store/ledger/bookings.js';
import { bookingRefusal } from '../core/booking-refusal.js';
import { newId } from '../core/id.js';
import type { Services } from '../core/services.js';
import { takenOver } from '../core/taken-over.js';
import type { BookFxCommand } from './book-fx-command.js';
import { draftConversion, resolvedType } from './draft-conversion.js';

export interface Booked {
  readonly booking: Booking;
  /** The same command was booked before: this is its first answer. */
  readonly replayed: boolean;
  /** What the asking FIX session is to be told under. */
  readonly outboxEntry: string | undefined;
}

/**
 * Refuses in this order: REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, ACCOUNT_CURRENCY, SAME_CURRENCY, BAD_AMOUNT,
 * AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, BAD_SETTLEMENT_DATE, MARKET_CLOSED, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED, HOLD_NOT_FIRM,
 * HOLD_MISMATCH, QUOTE_STALE or NOT_ENTITLED or RATE_UNAVAILABLE, PRICE_MISMATCH, LIMIT_NOT_MET, RATE_MOVED, INSUFFICIENT_BALANCE,
 * BALANCE_LIMIT. What can be known without the store is found first and given in its turn by the step.
 */
export async function bookFx(services: Services, client: Client, command: BookFxCommand): Promise<Booked | Refusal> {
  const { store } = services;
  const { quoteId = '' } = command;
  const holdId = command.holdId || (quoteId.startsWith('HLD') ? quoteId : undefined);
  const hold = holdId === undefined ? undefined : await store.holds.read(client, holdId);

  const now = store.clock.now(client);
  const confirmationId = newId('BFX', now);
  const streamed = holdId !== undefined || quoteId === '' ? undefined : services.streamed?.find(quoteId, client.id);
  const draft = draftConversion(services, { client, command, confirmationId, holdId, hold, streamed, now });
  const step: BookFxStep = {
    fingerprint: fingerprint(command),
    type: resolvedType(client, command, hold, streamed),
    requestId: command.requestId,
    confirmationId,
    sellAccount: command.sellAccount,
    buyAccount: command.buyAccount,
    sellCurrency: command.sellCurrency,
    buyCurrency: command.buyCurrency,
    holdId,
    rememberRefusal: command.session !== undefined,
    session: command.session,
    ...draft,
  };
  let outcome = await store.bookings.book(client, step);
  const first = outcome.kind === 'refused' ? sameCommand(command, outcome) : undefined;
  if (first !== undefined) outcome = await store.bookings.book(client, { ...step, fingerprint: first });
  if (outcome.kind === 'booked') return { booking: outcome.booking, replayed: false, outboxEntry: outcome.outboxEntry };
  if (outcome.kind === 'replayed')
    return { booking: firstAnswer(outcome.booking), replayed: true, outboxEntry: undefined };
  if (outcome.kind === 'taken-over') return takenOver();
  const refusal = bookingRefusal(outcome);
  const replayed = outcome.kind === 'refused-before';
  const kept = command.session !== undefined && refusal.refusal !== 'REQUEST_ID_REUSED';
  return { ...refusal, ...(replayed ? { replayed } : {}), ...(kept ? { kept } : {}) };
}

/** As it stood when it was booked; how it stands now is what reading it tells. */
function firstAnswer(booking: Booking): Booking {
  const isAtOnce = booking.type === 'PREFUNDING';
  return { ...booking, status: isAtOnce ? 'SETTLED' : 'OPEN', settledAtMs: isAtOnce ? booking.createdAtMs : undefined };
}

/**
 * The fingerprint of the first command under this request id, where it differs from this one only in that one of them names no type and the
 * other the type that the first resolved to, when it was executed: what the client's default is by now changes nothing.
 */
function sameCommand(command: BookFxCommand, { code, more }: StepRefusal): string | undefined {
  if (code !== 'REQUEST_ID_REUSED') return undefined;
  const [first, type = ''] = more.split(' ');
  if (first === undefined || !isBookFxType(type) || (command.type && command.type !== type)) return undefined;
  return fingerprint({ ...command, type: command.type ? '' : type }) === first ? first : undefined;
}

/** Over the command itself: neither who asks by which door, nor how it is described. */
function fingerprint(command: BookFxCommand): string {
  const { sellAccount, buyAccount, sellCurrency, buyCurrency, sellAmount, buyAmount } = command;
  const { type, holdId, quoteId, settlementDate, limitPrice, quotedPrice } = command;
  const legs = [sellAccount, sellCurrency, sellAmount, buyAccount, buyCurrency, buyAmount];
  const text = JSON.stringify([...legs, type || '', holdId || quoteId || '', settlementDate, limitPrice, quotedPrice]);
  return hashAtOnce?.('sha256', text, 'base64url') ?? crypto.createHash('sha256').update(text).digest('base64url');
}

/** Leaves no object behind; Node has it from 20.12 on. */
const hashAtOnce: typeof crypto.hash | undefined = crypto.hash;

/** A client changes a conversion that has not settled: it cancels it, moves its date or splits it, at the terms of a quote. */
import { z } from 'zod';
import { asAmended, dateChangesOf, originOf } from '../../domain/conversions/amendment.js';
import type { Booking, BookingFacts } from '../../domain/conversions/booking.js';
import { type Amendment, CHANGE_KINDS, type ChangeKind } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { limitRefusal } from '../../domain/risk/limits.js';
import type { Client } from '../../store/access/clients.js';
import type { ChangeStep, ChangeTerms } from '../../store/conversions/changes.js';
import { type Caller, clientOf } from '../core/caller.js';
import { fingerprintOf, newId } from '../core/ids.js';
import { ID, knownText, REASON, REQUEST_ID } from '../core/inputs.js';
import { listInput, type Page, readPage, someOf } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { takeLevels, withTaken } from '../prices/index.js';
import { readDailyLoss, withLimits } from '../risk/index.js';
import {
  dealtBy,
  judgeCancellation,
  judgeNewDate,
  KEEPS_DATE,
  MISSING,
  openQuote,
  QUOTE_LENGTH_MAX,
  type QuotedTerms,
  quoteCancellation,
  quoteDateChange,
  quoteSplit,
  refuseByStatus,
  refuseIfHalted,
  refuseIfReversalMoved,
} from './change-quotes.js';

/** A change that was made of a conversion. */
export interface BookingChange {
  /** As it is stored: with the terms of its booking. */
  readonly booking: Booking;
  readonly change: Amendment;
  /** As it was before the change. */
  readonly before: Booking;
}

interface ChangedBooking extends BookingChange {
  /** A repetition of an earlier command: this is its first answer. */
  readonly replayed: boolean;
}

/** The change of this number, from 1. */
function changeOf(booking: Booking, number: number): BookingChange | undefined {
  const change = booking.amendments?.[number - 1];
  return change && { booking, change, before: asAmended(booking, number - 1) };
}

const INPUT = z.object({
  confirmationId: ID,
  quoteId: knownText(QUOTE_LENGTH_MAX),
  requestId: REQUEST_ID,
  reason: REASON.optional(),
});

const CHANGED = refuse('QUOTE_INVALID', 'The conversion has changed since this quote: ask for a quote again');

/**
 * Refuses in this order: NOT_FOUND, REQUEST_ID_REUSED, NOT_CHANGEABLE, QUOTE_INVALID, QUOTE_EXPIRED, ACCOUNT_INACTIVE, MARKET_CLOSED,
 * as `refuseIfReversalMoved` does, CREDIT_LIMIT, BALANCE_LIMIT; those about accounts, prices and balances for a cancellation alone.
 */
async function change(
  services: Services,
  caller: Caller,
  kind: ChangeKind,
  { confirmationId, quoteId, requestId, reason = '' }: z.infer<typeof INPUT>,
): Promise<ChangedBooking | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { store } = services;
  const loss = readDailyLoss(services, client);
  if (loss) await loss;
  const booking = await store.bookings.read(client, confirmationId);
  if (booking === undefined) return MISSING;
  const quoted = openQuote(services, client.id, { confirmationId, kind, quoteId });
  const now = store.clock.now(client);
  const { details, ...draft } = drafted(services, client, booking, quoted, now);
  const step: ChangeStep = {
    requestId,
    fingerprint: fingerprintOf([kind, confirmationId, quoteId]),
    reason,
    kind,
    ...draft,
  };
  const { terms } = draft;
  const dealt = terms?.kind === 'cancel' ? dealtBy(asAmended(booking), terms.reversal) : undefined;
  const taken = dealt === undefined || isRefusal(dealt) ? dealt : takeLevels(services, dealt);
  if (isRefusal(taken)) return taken;
  const make = () => withLimits(services, client, [step.limits], () => store.changes.make(client, booking, step));
  const outcome = await withTaken(services, taken, make, (made) => !isRefusal(made) && made.kind === 'changed-to');
  if (isRefusal(outcome)) return outcome;
  if (outcome.kind === 'changed-to' || outcome.kind === 'replayed')
    return { ...changeOf(outcome.booking, outcome.number)!, replayed: outcome.kind === 'replayed' };
  if (outcome.kind === 'changed') return CHANGED;
  if (outcome.kind === 'status')
    return outcome.status === undefined ? MISSING : refuseByStatus({ status: outcome.status })!;
  const { code, text, more } = outcome;
  if (code === 'NOT_CHANGEABLE') return KEEPS_DATE;
  if (code === 'CREDIT_LIMIT' && more !== '') return limitRefusal(more);
  return refuse(code, text || undefined, code === draft.refusal?.code && details ? { details } : {});
}

/** The change as it would be made now, or the first reason against it that needs no store. */
function drafted(
  services: Services,
  client: Client,
  stored: Booking,
  quoted: QuotedTerms | undefined,
  now: number,
): Pick<ChangeStep, 'terms' | 'untilMs' | 'refusal' | 'limits'> & Pick<Refusal, 'details'> {
  const no = (stage: 'quote' | 'deal', { refusal, text, details }: Refusal) => ({
    refusal: { stage, code: refusal, text },
    ...(details && { details }),
  });
  if (quoted === undefined) return no('quote', refuse('QUOTE_INVALID'));
  if (quoted.number !== (stored.amendments?.length ?? 0) + 1) return no('quote', CHANGED);
  const booking = asAmended(stored);
  const { untilMs, reversal, date, parts } = quoted;
  if (reversal) {
    const judged = judgeCancellation(services, client, booking, now);
    if (isRefusal(judged)) return { ...no('deal', judged), untilMs };
    const moved = refuseIfReversalMoved(services, client, booking, { ...quoted, reversal }, now);
    if (moved) return { ...no('deal', moved), untilMs };
    return { terms: { kind: 'cancel', reversal }, untilMs, limits: judged.limits };
  }
  if (date) {
    const judged = judgeNewDate(services, client, booking, date.valueDate, now);
    if (isRefusal(judged)) return { ...no('deal', judged), untilMs };
    return { terms: { kind: 'date', date }, untilMs, limits: judged.limits };
  }
  const halted = refuseIfHalted(services, client, booking);
  if (halted) return { ...no('deal', halted), untilMs };
  return { terms: { kind: 'split', children: childrenOf(stored, parts!, now) }, untilMs };
}

/** Each keeps rate, date and type; the hold was used once, by the one that is split. */
function childrenOf(
  stored: Booking,
  parts: NonNullable<QuotedTerms['parts']>,
  now: number,
): Extract<ChangeTerms, { kind: 'split' }>['children'] {
  const [booking, origin] = [asAmended(stored), originOf(stored)];
  const ids = parts.map(() => newId('BFX', now)).sort();
  return parts.map(
    ([sell, buy, margin], i): BookingFacts => ({
      ...booking,
      id: ids[i]!,
      parentId: booking.id,
      dateChanges: dateChangesOf(booking) || undefined,
      origin,
      holdId: '',
      sell,
      buy,
      margin,
      createdAtMs: now,
    }),
  );
}

const operationOf = (kind: ChangeKind) =>
  defineOperation({
    input: INPUT,
    right: 'trade',
    // A cancellation is taken until the memory is full, and in the reserve.
    ...(kind !== 'cancel' && { grows: true as const }),
    execute: (services, caller, input) => change(services, caller, kind, input),
  });

/** The changes of the caller's conversions, newest first. */
const listConversionChanges = defineOperation({
  input: listInput({ type: someOf(CHANGE_KINDS, 'Only changes of this kind; several with commas between them') }),
  right: 'read',
  async execute(services, caller, { type, ...requested }): Promise<Page<BookingChange> | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { lists, bookings } = services.store;
    const { from: fromMs, to: toMs } = requested;
    const scope = { clientId: client.id, list: 'changes', filters: { type, from: fromMs, to: toMs } };
    return readPage(services, scope, requested, async (after, count) => {
      const found = await lists.page(client, 'changes', { fromMs, toMs }, after, count + 1);
      const changes = await Promise.all(
        found.slice(0, count).map(async ({ id }) => {
          const [confirmationId = '', number] = id.split('.');
          const booking = await bookings.read(client, confirmationId);
          return booking && changeOf(booking, Number(number));
        }),
      );
      return changes.map((one, at) => {
        const isAsked = one !== undefined && (type?.some((kind) => kind === one.change.kind) ?? true);
        return { item: isAsked ? one : undefined, next: found[at + 1] && found[at]!.place };
      });
    });
  },
});

/** What clients ask of conversions that have not settled. */
export const CHANGE_OPERATIONS = {
  quoteCancellation,
  quoteDateChange,
  quoteSplit,
  cancelConversion: operationOf('cancel'),
  changeConversionDate: operationOf('date'),
  splitConversion: operationOf('split'),
  listConversionChanges,
};

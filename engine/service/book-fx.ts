/** Booking a conversion: what both ways of asking for it, by currencies and by accounts, have in common. */
import * as crypto from 'node:crypto';
import { z } from 'zod';
import { BOOK_FX_TYPES } from '../domain/book-fx-type.js';
import type { Booking } from '../domain/booking.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import type { Client } from '../store/clients.js';
import { REQUEST_ID } from '../store/ledger-keys.js';
import { bookingRefusal } from './booking-refusal.js';
import type { Caller } from './caller.js';
import { draftConversion } from './draft-conversion.js';
import { newId } from './id.js';
import type { Services } from './services.js';

const AMOUNT = z.number({ error: 'a number' });
const NARRATION = { error: '1 to 140 characters' };
/** Empty is none. */
export const SETTLEMENT_DATE = z
  .string({ error: 'a date, YYYY-MM-DD' })
  .regex(/^(\d{4}-\d{2}-\d{2})?$/, { error: 'a date, YYYY-MM-DD' })
  .transform((date) => date || undefined);
const PRICE = z.string().regex(/^\d{1,12}(\.\d{1,12})?$/, { error: 'a decimal' });

/** What is asked for, however the accounts are named. Amounts are in units of their currency. */
export const BOOK_FX_INPUT = z.object({
  requestId: z.string().regex(REQUEST_ID, { error: '1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit' }),
  description: z.string().min(1, NARRATION).max(140, NARRATION),
  /** With both, the buy amount is exact and the sell amount the most that may be paid. */
  sellAmount: AMOUNT.optional(),
  buyAmount: AMOUNT.optional(),
  type: z.enum(['', ...BOOK_FX_TYPES], { error: `empty or one of ${BOOK_FX_TYPES.join(', ')}` }).optional(),
  /** A hold id; anything else is no hold. */
  holdId: z.string({ error: 'a hold id' }).max(64, { error: 'at most 64 characters' }).optional(),
  /** Instead: a hold id, or the QuoteEntryID(299) of a streamed price. */
  quoteId: z.string().max(64).optional(),
  /** YYYY-MM-DD, a good day up to spot. */
  settlementDate: SETTLEMENT_DATE.optional(),
  /** Market convention: the worst price that will do, or the price that was quoted. */
  limitPrice: PRICE.optional(),
  quotedPrice: PRICE.optional(),
  /** CompID of the FIX session that asks: it is told by its outbox, and a refusal is remembered. */
  session: z.string().optional(),
});

export type BookFxInput = z.infer<typeof BOOK_FX_INPUT>;

/** One of the two amounts is needed; reported under both names. */
export function needsAnAmount(input: BookFxInput, context: z.RefinementCtx): void {
  if (input.sellAmount !== undefined || input.buyAmount !== undefined) return;
  for (const path of ['sellAmount', 'buyAmount'])
    context.addIssue({
      code: 'custom',
      path: [path],
      message: 'required when the other amount is absent',
      input: undefined,
    });
}

/** Which accounts, and in which currencies; an account left out is the default one of its currency. */
export interface Legs {
  readonly sellAccount: string | undefined;
  readonly buyAccount: string | undefined;
  /** Undefined: the account is none of the client's. */
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
}

export interface BookFxCommand extends BookFxInput, Legs {}

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

  const now = services.now();
  const confirmationId = newId('BFX', now);
  const streamed = holdId !== undefined || quoteId === '' ? undefined : services.streamed?.find(quoteId, client.id);
  const draft = draftConversion(services, { client, command, confirmationId, holdId, hold, streamed, now });
  const outcome = await store.bookings.book(client, {
    now,
    fingerprint: fingerprint(command),
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
  });
  if (outcome.kind === 'booked') return { booking: outcome.booking, replayed: false, outboxEntry: outcome.outboxEntry };
  if (outcome.kind === 'replayed') return { booking: outcome.booking, replayed: true, outboxEntry: undefined };
  const refusal = bookingRefusal(outcome);
  const replayed = outcome.kind === 'refused-before';
  const kept = command.session !== undefined && refusal.refusal !== 'REQUEST_ID_REUSED';
  return { ...refusal, ...(replayed ? { replayed } : {}), ...(kept ? { kept } : {}) };
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

/** The caller's own record; it exists, because the token does. */
export async function clientOf({ store }: Services, { clientId }: Caller): Promise<Client | Refusal> {
  return (await store.clients.believed(clientId)) ?? refuse('NOT_ENTITLED');
}

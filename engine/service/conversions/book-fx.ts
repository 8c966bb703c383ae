/** Book FX: its input, the booking itself, and the two operations, by currencies and by accounts. */
import { z } from 'zod';
import { type Booking, holdSelling } from '../../domain/conversions/booking.js';
import { type FieldFault, isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { ID_MAX } from '../../domain/core/text.js';
import { isBookFxType } from '../../domain/money/value-date.js';
import type { Client } from '../../store/access/clients.js';
import type { BookFxStep, StepRefusal } from '../../store/conversions/bookings.js';
import { bookingRefusal, takenOver } from '../core/booking-refusal.js';
import { clientOf } from '../core/caller.js';
import { pricedAt, pricedBy, recordBooking, recordRefusal } from '../core/day-record.js';
import { fingerprintOf, newId } from '../core/ids.js';
import {
  ACCOUNT_NUMBER,
  amountsAboveZero,
  BESIDE_OTHER_FAULTS,
  BOOK_FX_TYPE,
  boundedText,
  CURRENCY,
  ID,
  ORDER_ID,
  patternText,
  requestIdOfRest,
  SETTLEMENT_DATE_TEXT,
  settlementDateOrHold,
} from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { takeLevels, withTaken } from '../prices/index.js';
import { readDailyLoss, withLimits } from '../risk/index.js';
import { draftConversion, refusedAtPrice, resolvedType } from './draft-conversion.js';

export interface Booked {
  readonly booking: Booking;
  /** Of a repetition: the conversion as it is now, with the terms of its booking. */
  readonly current?: Booking | undefined;
  /** A repetition of an earlier command: this is its first answer. */
  readonly replayed: boolean;
  /** Outbox entry of the report to the requesting FIX session. */
  readonly outboxEntry: string | undefined;
}

/**
 * Refuses in this order: REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, ACCOUNT_CURRENCY, SAME_CURRENCY, BAD_AMOUNT,
 * AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, BAD_SETTLEMENT_DATE, MARKET_CLOSED, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED, HOLD_NOT_FIRM,
 * HOLD_MISMATCH, QUOTE_STALE or NOT_ENTITLED or RATE_UNAVAILABLE, INSUFFICIENT_LIQUIDITY, PRICE_MISMATCH, LIMIT_NOT_MET, RATE_MOVED,
 * CREDIT_LIMIT, INSUFFICIENT_BALANCE, BALANCE_LIMIT. Reasons that need no store are determined first and passed to the step, which returns them in this order.
 */
async function bookFx(services: Services, client: Client, command: BookFxCommand): Promise<Booked | Refusal> {
  const { store, record } = services;
  const beganMs = record?.ms ?? 0;
  const tookUs = () => record && Math.round((record.ms - beganMs) * 1_000);
  const recorded = (refusal: Refusal): Refusal => {
    recordRefusal(services, 'book', refusal.refusal, client.id, command, tookUs());
    return refusal;
  };
  const loss = readDailyLoss(services, client);
  if (loss) await loss;
  const { quoteId = '' } = command;
  const holdId = command.holdId || (quoteId.startsWith('HLD') ? quoteId : undefined);
  const held = holdId === undefined ? undefined : await store.holds.read(client, holdId);
  const hold = held && holdSelling(held, command.sellCurrency ?? '');

  const now = store.clock.now(client);
  const confirmationId = newId('BFX', now);
  const streamed = holdId !== undefined || quoteId === '' ? undefined : services.streamed?.find(quoteId, client.id);
  const drafted = draftConversion(services, { client, command, confirmationId, holdId, hold, streamed, now });
  const at = pricedAt(services, command.sellCurrency, command.buyCurrency);
  const taken =
    drafted.facts === undefined || holdId !== undefined
      ? undefined
      : takeLevels(services, drafted.facts, streamed !== undefined);
  const draft = isRefusal(taken) ? refusedAtPrice(drafted, taken) : drafted;
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
  const book = (command: BookFxStep) =>
    withLimits(services, client, [command.limits], () => store.bookings.book(client, command));
  const perform = async () => {
    const outcome = await book(step);
    const first = !isRefusal(outcome) && outcome.kind === 'refused' ? sameCommand(command, outcome) : undefined;
    return first === undefined ? outcome : book({ ...step, fingerprint: first });
  };
  const isBooked = (made: Awaited<ReturnType<typeof book>>) => !isRefusal(made) && made.kind === 'booked';
  const outcome = await withTaken(services, isRefusal(taken) ? undefined : taken, perform, isBooked);
  if (isRefusal(outcome)) return recorded(outcome);
  if (outcome.kind === 'booked') {
    const { booking, outboxEntry } = outcome;
    if (record) {
      const isBase = booking.pair.startsWith(booking.sellCurrency);
      const priced = { ...pricedBy(services, at, holdId, streamed, isBase), quoted: command.quotedPrice };
      recordBooking(services, client.id, booking, priced, tookUs());
    }
    return { booking, replayed: false, outboxEntry };
  }
  if (outcome.kind === 'replayed')
    return { booking: firstAnswer(outcome.booking), current: outcome.booking, replayed: true, outboxEntry: undefined };
  if (outcome.kind === 'taken-over') return takenOver();
  const refused = bookingRefusal(outcome);
  const refusal = refused.refusal === 'UNKNOWN_ACCOUNT' ? await unknownAccount(services, client, command) : refused;
  const replayed = outcome.kind === 'refused-before';
  if (!replayed) recorded(refusal);
  const kept = command.session !== undefined && refusal.refusal !== 'REQUEST_ID_REUSED';
  return { ...refusal, ...(replayed ? { replayed } : {}), ...(kept ? { kept } : {}) };
}

/** Names the account that there is not; both where both are missing. */
async function unknownAccount({ store }: Services, client: Client, command: BookFxCommand): Promise<Refusal> {
  const accounts = await store.accounts.list(client);
  const fields = (['sell', 'buy'] as const).flatMap((side): FieldFault[] => {
    const [number, currency] = [command[`${side}Account`], command[`${side}Currency`]];
    const code = 'incorrect_value';
    if (number !== undefined) {
      const message = 'no account of yours has this number';
      return accounts.some((one) => one.number === number) ? [] : [{ field: `${side}Account`, code, message }];
    }
    const message = `you have no account in ${currency}: ask us to open one`;
    return accounts.some((one) => one.currency === currency) ? [] : [{ field: `${side}Currency`, code, message }];
  });
  const [first] = fields;
  if (first === undefined || first.field.endsWith('Account')) return refuse('UNKNOWN_ACCOUNT', undefined, { fields });
  return refuse('UNKNOWN_ACCOUNT', `${first.message[0]!.toUpperCase()}${first.message.slice(1)}`, { fields });
}

/** The state when it was booked; the current state is what `readBooking` returns. */
function firstAnswer(booking: Booking): Booking {
  const isAtOnce = booking.type === 'PREFUNDING';
  const status = isAtOnce ? ('SETTLED' as const) : ('OPEN' as const);
  const settledAtMs = isAtOnce ? booking.createdAtMs : undefined;
  const none = { amendments: undefined, cancelledAtMs: undefined, closeOut: undefined };
  return { ...booking, ...none, status, settledAtMs };
}

/**
 * The fingerprint of the first command with this request id, if it differs from this one only in the type: absent in one, and in the other
 * the type that the first resolved to when it was executed. The client's default type may have changed since.
 */
function sameCommand(command: BookFxCommand, { code, more }: StepRefusal): string | undefined {
  if (code !== 'REQUEST_ID_REUSED') return undefined;
  const [first, type = ''] = more.split(' ');
  if (first === undefined || !isBookFxType(type) || (command.type && command.type !== type)) return undefined;
  return fingerprint({ ...command, type: command.type ? '' : type }) === first ? first : undefined;
}

/** Of the command alone: neither the session or door nor the description is part of it. */
function fingerprint(command: BookFxCommand): string {
  const { sellAccount, buyAccount, sellCurrency, buyCurrency, sellAmount, buyAmount } = command;
  const { type, holdId, quoteId, settlementDate, limitPrice, quotedPrice } = command;
  const legs = [sellAccount, sellCurrency, sellAmount, buyAccount, buyCurrency, buyAmount];
  return fingerprintOf([...legs, type || '', holdId || quoteId || '', settlementDate, limitPrice, quotedPrice]);
}

const AMOUNT = z.number({ error: 'a number' });
const NARRATION = '1 to 140 characters';
const PRICE = patternText(
  /^\d{1,12}(\.\d{1,12})?$/,
  25,
  'a decimal of at most 12 digits before the point and 12 behind it',
);

/** The requested conversion, however the accounts are named. Amounts are in units of their currency. */
export const BOOK_FX_INPUT = z.object({
  requestId: ORDER_ID,
  description: boundedText(140, NARRATION).min(1, { error: NARRATION }),
  /** With both, the buy amount is exact and the sell amount is the maximum. */
  sellAmount: AMOUNT.optional(),
  buyAmount: AMOUNT.optional(),
  type: BOOK_FX_TYPE.optional(),
  /** A hold id; any other text is refused as an unknown hold. */
  holdId: boundedText(ID_MAX).optional(),
  /** Alternative: a hold id, or the QuoteEntryID(299) of a streamed price. */
  quoteId: boundedText(ID_MAX).optional(),
  /** YYYY-MM-DD, a business day up to spot. */
  settlementDate: SETTLEMENT_DATE_TEXT.optional(),
  /** Market convention: the worst acceptable price, or the quoted price. */
  limitPrice: PRICE.optional(),
  quotedPrice: PRICE.optional(),
  /** CompID of the requesting FIX session: its outbox gets the report, and a refusal is kept in the receipt. */
  session: ID.optional(),
  /** Routing of that session's reports, as FIX fields: each of the ten that an order may have. */
  route: z
    .array(z.tuple([z.number().int(), z.string().max(128)]))
    .max(10)
    .optional(),
});

export type BookFxInput = z.infer<typeof BOOK_FX_INPUT>;

/** One of the two amounts is required; the fault is reported under both names. */
function needsAnAmount(input: BookFxInput, context: z.RefinementCtx): void {
  if (input.sellAmount !== undefined || input.buyAmount !== undefined) return;
  for (const path of ['sellAmount', 'buyAmount'])
    context.addIssue({
      code: 'custom',
      path: [path],
      message: 'required when the other amount is absent',
      input: undefined,
    });
}

/** The accounts and their currencies; an absent account is the default one of its currency. */
export interface Legs {
  readonly sellAccount?: string | undefined;
  readonly buyAccount?: string | undefined;
  /** Undefined: the account is not the client's. */
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
}

export interface BookFxCommand extends BookFxInput, Legs {}

export const bookFxByCurrency = defineOperation({
  input: BOOK_FX_INPUT.extend({ sellCurrency: CURRENCY, buyCurrency: CURRENCY })
    .superRefine(requestIdOfRest, BESIDE_OTHER_FAULTS)
    .superRefine(needsAnAmount, BESIDE_OTHER_FAULTS)
    .superRefine(settlementDateOrHold, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'trade',
  grows: true,
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return bookFx(services, client, input);
  },
});

/**
 * Converts between two accounts of the caller. A given currency must be its account's; an absent account is the default one of the currency
 * given instead. Refuses as bookFx does.
 */
export const bookFxByAccount = defineOperation({
  input: BOOK_FX_INPUT.extend({
    sellAccount: ACCOUNT_NUMBER.optional(),
    buyAccount: ACCOUNT_NUMBER.optional(),
    sellCurrency: CURRENCY.optional(),
    buyCurrency: CURRENCY.optional(),
  })
    .superRefine(requestIdOfRest, BESIDE_OTHER_FAULTS)
    .superRefine(needsAnAmount, BESIDE_OTHER_FAULTS)
    .superRefine(settlementDateOrHold, BESIDE_OTHER_FAULTS)
    .superRefine((input, context) => {
      for (const side of ['sell', 'buy'] as const) {
        if (input[`${side}Account`] !== undefined || input[`${side}Currency`] !== undefined) continue;
        context.addIssue({ code: 'custom', path: [`${side}Account`], message: 'required', input: undefined });
      }
    }, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'trade',
  grows: true,
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const leg = async (number: number | undefined, currency: string | undefined) => {
      const account = number === undefined ? undefined : String(number);
      if (account === undefined || currency !== undefined) return [account, currency] as const;
      return [account, await services.store.accounts.currencyOf(client, account)] as const;
    };
    const [sellAccount, sellCurrency] = await leg(input.sellAccount, input.sellCurrency);
    const [buyAccount, buyCurrency] = await leg(input.buyAccount, input.buyCurrency);
    return bookFx(services, client, { ...input, sellAccount, buyAccount, sellCurrency, buyCurrency });
  },
});

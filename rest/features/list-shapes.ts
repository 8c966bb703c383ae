/** Lists by the interface's names: pages of the same objects that a single read answers. */
import type { Request } from 'express';
import { z } from 'zod';
import { minorToNumber } from '../../engine/domain/money.js';
import { ENTRY_TYPES } from '../../engine/service/accounts/account-entries.js';
import { CURSOR_LENGTH_MAX } from '../../engine/service/core/cursor.js';
import type { OutputOf } from '../../engine/service/core/operations.js';
import { choiceField, currencyField, numberField, textField, utcField } from './answer-fields.js';
import { CONFIRMATION_ANSWER, confirmationBody } from './book-fx/book-fx-shapes.js';
import { FUNDING_ANSWER, fundingBody } from './fundings/funding-shapes.js';
import { PAYMENT_ANSWER, paymentBody } from './payments/payment-answers.js';
import { type Names, oneOf, utc } from './shapes.js';

/** Any other name stays as it is: the operation refuses it. */
const FILTERS: ReadonlySet<string> = new Set(['from', 'to', 'status', 'currency', 'type', 'limit', 'cursor']);

/** Our input from a query, which has texts alone; a filter that is empty counts as absent. */
export function listInput({ query }: Pick<Request, 'query'>): object {
  const given = Object.entries(query).filter(([name, value]) => value !== '' || !FILTERS.has(name));
  const input: Record<string, unknown> = Object.fromEntries(given);
  return { ...input, limit: countOf(input.limit), from: timeOf(input.from), to: timeOf(input.to) };
}

export const ENTRIES_NAMES: Names = { accountNumber: 'account_number' };

export function entriesInput({ query, params }: Request): object {
  return { ...listInput({ query }), accountNumber: oneOf(query.accountNumber, params.account_number) };
}

/** What is no whole number stays a text, which the operation refuses. */
function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** A plus sign that was not escaped comes as a space: our own times have one. */
function timeOf(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+') : value;
}

const page = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z
    .strictObject({
      data: z
        .array(item)
        .meta({ description: 'The newest first; with filters a page may be short, or empty, before the end' }),
      next_cursor: z.string().meta({
        description:
          'To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list',
        maxLength: CURSOR_LENGTH_MAX,
        examples: [''],
      }),
    })
    .meta({ id, description });

export const BOOKINGS_ANSWER = page(CONFIRMATION_ANSWER, 'BookFxList', 'Conversions of the client');

export function bookingsBody({ items, nextCursor }: OutputOf<'listBookings'>): z.infer<typeof BOOKINGS_ANSWER> {
  return { data: items.map((booking) => confirmationBody({ booking })), next_cursor: nextCursor };
}

export const FUNDINGS_ANSWER = page(FUNDING_ANSWER, 'FundingList', 'Funding entries of the client');

export function fundingsBody({ items, nextCursor }: OutputOf<'listFundings'>): z.infer<typeof FUNDINGS_ANSWER> {
  return { data: items.map((funding) => fundingBody({ funding })), next_cursor: nextCursor };
}

export const PAYMENTS_ANSWER = page(PAYMENT_ANSWER, 'PaymentList', 'Payments of the client');

export function paymentsBody({ items, nextCursor }: OutputOf<'listPayments'>): z.infer<typeof PAYMENTS_ANSWER> {
  return { data: items.map((payment) => paymentBody({ payment })), next_cursor: nextCursor };
}

const ENTRY = z
  .strictObject({
    entry_id: textField('Id of the entry, unique within the account', '1795161660000-0'),
    created_at: utcField('When it happened'),
    type: choiceField(ENTRY_TYPES, 'What it is about', 'book-fx'),
    reference: textField(
      'Confirmation id of a conversion, id of a payment, ledger reference of a funding, reference of a deposit, or what an adjustment corrects',
      'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ',
    ),
    amount: numberField('What came in, or below 0 what went out', -1000),
    currency: currencyField('Currency of the account', 'EUR'),
    balance: numberField('What was in the account after this entry', 999000),
    receivable: numberField('What is owed beyond the balance since this entry, or below 0 what was repaid of it', 0),
  })
  .meta({ id: 'AccountEntry', description: 'What came into an account, or went out of it' });

export const ENTRIES_ANSWER = page(ENTRY, 'AccountEntryList', 'Statement of one account');

export function entriesBody({
  items,
  currency,
  nextCursor,
}: OutputOf<'listAccountEntries'>): z.infer<typeof ENTRIES_ANSWER> {
  const data = items.map(({ id, createdAtMs, type, reference, amount, balance, receivable }) => ({
    entry_id: id,
    created_at: utc(createdAtMs),
    type,
    reference,
    amount: minorToNumber(amount, currency),
    currency,
    balance: minorToNumber(balance, currency),
    receivable: minorToNumber(receivable, currency),
  }));
  return { data, next_cursor: nextCursor };
}

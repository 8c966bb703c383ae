/** Changes of conversions that have not settled: quotes, the commands that execute them, and the list of what they cost or brought. */
import { z } from 'zod';
import { CHILDREN_MAX } from '../../../engine/domain/conversions/amendment.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Body } from '../../http/body.js';
import type { Reference } from '../../openapi/reference.js';
import { listInput, PAGES, page, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import { textField, utc, utcField } from '../shapes.js';
import { replayHeaders } from './book-fx.js';
import { amountsBody, CHANGE_SHAPE, changeBody, PARTS, TERMS, termsBody } from './change-shapes.js';

const QUOTE_RESPONSE = z
  .strictObject({
    quote_id: textField('To be sent with the command, as it is', 'wJ3n4XvQZ0m7Lh0q8k3yZr1p', 2_048),
    expires_at: utcField('Until when the quote binds: 30 seconds', '2026-11-20T08:01:30.000Z'),
    ...TERMS,
    children: PARTS,
  })
  .meta({ id: 'ConversionChangeQuote', description: 'What a change of a conversion comes to, for 30 seconds' });

function quoteBody({ quoteId, terms, booking }: OutputOf<'quoteSplit'>): z.infer<typeof QUOTE_RESPONSE> {
  const children = (terms.parts ?? []).map(([sell, buy]) => amountsBody(booking, { sell, buy }));
  return {
    quote_id: quoteId,
    expires_at: utc(terms.untilMs),
    ...termsBody(terms.kind, booking, terms),
    children,
  };
}

const NAMES = {
  confirmationId: 'confirmation_id',
  quoteId: 'quote_id',
  requestId: 'request_id',
  reason: 'reason',
  settlementDate: 'settlement_date',
  sellAmounts: 'sell_amounts',
  buyAmounts: 'buy_amounts',
  fxRate: 'fx_rate',
  instaremFxRate: 'instarem_fx_rate',
  lockExpiryAt: 'lock_expiry_at',
  ...Object.fromEntries(
    Array.from({ length: CHILDREN_MAX }, (_, i) => [
      [`sellAmounts.${i}`, `sell_amounts.${i}`],
      [`buyAmounts.${i}`, `buy_amounts.${i}`],
    ]).flat(),
  ),
};

const CONFIRMATION_ID = { confirmation_id: 'Id returned by the booking' };
const EXAMPLE = { confirmation_id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ' };
const ONLY_OPEN =
  'Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE.';
const BINDS = 'The quote binds for 30 seconds, unless the conversion changes before.';
const REPEATS =
  'The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.';

const quoteReference = (summary: string, description: string, more: Partial<Reference> = {}): Reference => ({
  tag: 'Conversion changes',
  summary,
  description: `${description} ${ONLY_OPEN} ${BINDS}`,
  ...more,
  example: { ...EXAMPLE, ...more.example },
  fields: { ...CONFIRMATION_ID, ...more.fields },
});

const commandReference = (summary: string, description: string): Reference => ({
  tag: 'Conversion changes',
  summary,
  description: `${description} ${REPEATS}`,
  example: {
    ...EXAMPLE,
    quote_id: 'wJ3n4XvQZ0m7Lh0q8k3yZr1p',
    request_id: 'change-2026-11-20-1',
    reason: 'the order was withdrawn',
  },
  fields: {
    ...CONFIRMATION_ID,
    quote_id: 'quote_id of the quote of this change',
    request_id: 'Unique id of your own; kept for 7 days, in one namespace with those of bookings',
    reason: 'Your own words, 1 to 140 characters; FIX sessions are sent them too',
  },
});

const commandInput = (confirmationId: unknown, body: Body = {}): object => ({
  confirmationId,
  quoteId: body.quote_id,
  requestId: body.request_id,
  reason: body.reason,
});

const AMOUNT_LISTS = ['sell_amounts', 'buy_amounts'];

export const CHANGE_ROUTES = {
  quoteCancellation: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/cancel/quote',
    limit: 'reads',
    input: ({ params }) => ({ confirmationId: params.confirmation_id }),
    response: QUOTE_RESPONSE,
    reference: quoteReference(
      'Quote a cancellation',
      'What it costs or brings to cancel a conversion now: the difference to the opposite deal at the client’s rate of this moment. A client may be set to gain nothing by it.',
    ),
    body: quoteBody,
    names: NAMES,
  },
  cancelConversion: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/cancel',
    limit: 'writes',
    input: ({ params }, body) => commandInput(params.confirmation_id, body),
    response: CHANGE_SHAPE,
    reference: commandReference(
      'Cancel a conversion',
      'Cancels the conversion at the terms of a quote. The account sold from is charged or credited; what it lacks of a charge is owed. RATE_MOVED: the market has moved by more than 200 parts per million since the quote, in either direction; the answer has a new quote.',
    ),
    body: changeBody,
    headers: replayHeaders,
    names: NAMES,
  },
  quoteDateChange: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/date/quote',
    limit: 'reads',
    input: ({ params }, body) => ({ confirmationId: params.confirmation_id, settlementDate: body?.settlement_date }),
    response: QUOTE_RESPONSE,
    reference: quoteReference(
      'Quote another settlement date',
      'Moves the settlement to another good day, from the next one to spot. Nothing is charged: there are no forward points. At most five times, and before its settlement time alone.',
      {
        example: { settlement_date: '2026-11-25' },
        fields: { settlement_date: 'The new date, YYYY-MM-DD: a good day up to spot' },
      },
    ),
    body: quoteBody,
    names: NAMES,
  },
  changeConversionDate: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/date',
    limit: 'writes',
    input: ({ params }, body) => commandInput(params.confirmation_id, body),
    response: CHANGE_SHAPE,
    reference: commandReference(
      'Move the settlement date of a conversion',
      'The conversion settles on the date of the quote; an OVERDUE one is OPEN again.',
    ),
    body: changeBody,
    headers: replayHeaders,
    names: NAMES,
  },
  quoteSplit: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/split/quote',
    limit: 'reads',
    input: ({ params }, body) => ({
      confirmationId: params.confirmation_id,
      sellAmounts: body?.sell_amounts,
      buyAmounts: body?.buy_amounts,
    }),
    response: QUOTE_RESPONSE,
    reference: quoteReference(
      'Preview a split',
      'The conversions that a split makes, from the amounts of one currency: their sums are those of the conversion, in both currencies. Each keeps its rate, date and type.',
      {
        example: { sell_amounts: [600, 400] },
        fields: {
          sell_amounts: 'What each part sells, 2 to 10 amounts; needed where buy_amounts is absent',
          buy_amounts: 'What each part buys, 2 to 10 amounts; needed where sell_amounts is absent',
        },
        needsOneOf: [['sell_amounts', 'buy_amounts']],
      },
    ),
    body: quoteBody,
    names: NAMES,
    lists: AMOUNT_LISTS,
    numbers: AMOUNT_LISTS,
  },
  splitConversion: {
    method: 'post',
    path: '/api/v1/bookfx/:confirmation_id/split',
    limit: 'writes',
    input: ({ params }, body) => commandInput(params.confirmation_id, body),
    response: CHANGE_SHAPE,
    reference: commandReference(
      'Split a conversion',
      'Makes the conversions of the preview; the one that is split is SPLIT, and settles nothing. The parts of an OVERDUE one settle at once where their money is there.',
    ),
    body: changeBody,
    headers: replayHeaders,
    names: NAMES,
  },
  listConversionChanges: {
    method: 'get',
    path: '/api/v1/conversion-changes',
    limit: 'reads',
    input: listInput,
    response: page(CHANGE_SHAPE, 'ConversionChangeList', 'Changes of conversions'),
    reference: {
      tag: 'Conversion changes',
      summary: 'List changes, with their gains and charges',
      description: `What the client has changed of its conversions, and what it cost or brought. ${PAGES}`,
      example: { from: '2026-11-20', type: 'cancel', limit: 50 },
    },
    body: pageBody(changeBody),
    names: {},
  },
} satisfies Partial<Routes>;

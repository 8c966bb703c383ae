/** Rates and conversions: shapes, reference texts and routes. */
import { z } from 'zod';
import { isChange } from '../../../engine/domain/conversions/amendment.js';
import { BOOKING_STATUSES, type Booking } from '../../../engine/domain/conversions/booking.js';
import { formatMargin, minorToNumber } from '../../../engine/domain/money/money.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/money/rate.js';
import type { Body } from '../../http/body.js';
import { REPLAYED } from '../../http/responses.js';
import type { Reference } from '../../openapi/reference.js';
import { listInput, PAGES, page, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import {
  accountNumberField,
  amountOf,
  choiceField,
  currencyField,
  dateField,
  isoDate,
  type Names,
  nameSent,
  numberField,
  oneOf,
  RATE_NAMES,
  RATE_RESPONSE,
  rateBody,
  textField,
  utc,
  utcField,
} from '../shapes.js';
import { CHANGE_SHAPE, changesOf } from './change-shapes.js';

/** Fields that a form has as texts and the interface as numbers. */
const BOOK_FX_NUMBERS = ['buy_amount', 'sell_amount'];
const ACCOUNT_NUMBERS = [...BOOK_FX_NUMBERS, 'from_account', 'to_account', 'buy_account', 'sell_account'];

const BOOK_FX_NAMES: Names = {
  requestId: 'request_id',
  buyAmount: 'buy_amount',
  sellAmount: 'sell_amount',
  type: 'book_fx_type',
  holdId: 'fx_hold_id',
  settlementDate: 'settlement_date',
  buyCurrency: 'buy_currency',
  sellCurrency: 'sell_currency',
  availableAmount: 'available_amount',
  neededAmount: 'needed_amount',
};

interface SentLegs {
  readonly buyCurrency?: unknown;
  readonly sellCurrency?: unknown;
  readonly buyAccount?: unknown;
  readonly sellAccount?: unknown;
}

function byCurrencyInput(body: Body = {}): object {
  return conversionInput(body, { buyCurrency: body.buy_currency, sellCurrency: body.sell_currency });
}

function byAccountInput(body: Body = {}): object {
  return conversionInput(body, {
    buyAccount: oneOf(body.from_account, body.buy_account),
    sellAccount: oneOf(body.to_account, body.sell_account),
  });
}

function byAccountNames(body: Body = {}): Names {
  return {
    ...BOOK_FX_NAMES,
    buyAccount: nameSent(body, 'from_account', 'buy_account'),
    sellAccount: nameSent(body, 'to_account', 'sell_account'),
  };
}

function conversionInput(body: Body, { buyCurrency, sellCurrency, buyAccount, sellAccount }: SentLegs): object {
  return {
    buyCurrency,
    sellCurrency,
    buyAccount,
    sellAccount,
    requestId: body.request_id,
    description: body.description,
    buyAmount: body.buy_amount,
    sellAmount: body.sell_amount,
    type: body.book_fx_type,
    holdId: body.fx_hold_id,
    settlementDate: body.settlement_date,
  };
}

const PARENT = 'The conversion that was split into this one and others; absent: it was booked by itself';

export const CONFIRMATION_RESPONSE = z
  .strictObject({
    confirmation_id: textField('Id of the conversion', 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
    buy_amount: numberField('What was bought', 1083.22),
    sell_amount: numberField('What was sold', 1000),
    from_account: accountNumberField('Account that was bought into', 400100000027),
    to_account: accountNumberField('Account that was sold from', 400100000019),
    buy_currency: currencyField('Currency that was bought', 'USD'),
    sell_currency: currencyField('Currency that was sold', 'EUR'),
    instarem_fx_rate: numberField('Rate of the client: units of the bought currency for one of the sold', 1.0832257),
    fx_rate: numberField('Rate of the provider', 1.08431),
    margin_percent: numberField('Margin of the client, percent', 0.1),
    margin_value: numberField('Distance between the two rates', 0.0010843),
    created_at: utcField('When it was booked'),
    expiry_at: utcField('When it settles; for one that settled at once, 12 hours on', '2026-11-20T20:01:00.000Z'),
    status: choiceField(BOOKING_STATUSES, 'Status of the conversion', 'SETTLED'),
    settlement_date: dateField('Value date', '2026-11-24'),
    buy_account: accountNumberField('Same as from_account', 400100000027),
    sell_account: accountNumberField('Same as to_account', 400100000019),
    parent_id: textField(PARENT, 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ').optional(),
    changes: z
      .array(CHANGE_SHAPE)
      .describe('What the client has changed of it, the oldest first; absent: nothing')
      .meta({ examples: [[]] })
      .optional(),
  })
  .meta({ id: 'BookFxConfirmation', description: 'A conversion between two accounts of the client' });

/** Book FX confirmation, with four fields of ours behind those of the interface. */
export function confirmationBody({ booking }: { readonly booking: Booking }): z.infer<typeof CONFIRMATION_RESPONSE> {
  const { providerRate, clientRate, marginValue } = agreedConversionRate(booking);
  const hasChanges = booking.amendments?.some(isChange) ?? false;
  return {
    confirmation_id: booking.id,
    buy_amount: minorToNumber(BigInt(booking.buy), booking.buyCurrency),
    sell_amount: minorToNumber(BigInt(booking.sell), booking.sellCurrency),
    from_account: Number(booking.buyAccount),
    to_account: Number(booking.sellAccount),
    buy_currency: booking.buyCurrency,
    sell_currency: booking.sellCurrency,
    instarem_fx_rate: jsonNumber(clientRate),
    fx_rate: jsonNumber(providerRate),
    margin_percent: Number(formatMargin(booking.marginPpm)),
    margin_value: jsonNumber(marginValue),
    created_at: utc(booking.createdAtMs),
    expiry_at: utc(booking.expiryMs),
    status: booking.status,
    settlement_date: isoDate(booking.valueDate),
    buy_account: Number(booking.buyAccount),
    sell_account: Number(booking.sellAccount),
    ...(booking.parentId !== undefined && { parent_id: booking.parentId }),
    ...(hasChanges && { changes: changesOf(booking) }),
  };
}

export function replayHeaders({ replayed }: { readonly replayed: boolean }): readonly string[] {
  return replayed ? REPLAYED : [];
}

const CURRENCIES = {
  sell_currency: 'Currency to be sold, three letters of ISO 4217',
  buy_currency: 'Currency to be bought, three letters of ISO 4217',
};

const RATE_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Rate of a currency pair',
  description:
    'The client’s rate of this moment: units of the bought currency for one of the sold. Larger amounts may have another rate: name the amount for its rate; without one it is that of the smallest amounts.',
  example: { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1000 },
  fields: {
    ...CURRENCIES,
    type: 'When a conversion would settle; empty or absent: PREFUNDING',
    sell_amount: 'What would be sold; send at most one amount',
    buy_amount: 'What would be bought; send at most one amount',
  },
};

const SAME_RESPONSE =
  'The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.';

const CONVERSION = {
  fields: {
    request_id: 'Unique id of your own; kept for 7 days',
    description: 'Narration, 1 to 140 characters',
    buy_amount: 'What to buy; needed where sell_amount is absent',
    sell_amount:
      'What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount',
    book_fx_type: 'When it settles; empty or absent: the client’s default type',
    fx_hold_id: 'Id of a held rate to be booked',
    settlement_date: 'Value date, YYYY-MM-DD: a good day up to spot',
  },
  hidden: ['quoteId', 'limitPrice', 'quotedPrice', 'session', 'route'],
  needsOneOf: [['sell_amount', 'buy_amount']],
};

const BY_CURRENCY_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Convert between the default accounts of two currencies',
  description: `Sells from the default account of one currency and buys into that of the other. ${SAME_RESPONSE}`,
  example: {
    request_id: 'convert-2026-11-20-1',
    description: 'Dollars for suppliers',
    sell_amount: 1000,
    sell_currency: 'EUR',
    buy_currency: 'USD',
  },
  fields: { ...CONVERSION.fields, ...CURRENCIES },
  hidden: CONVERSION.hidden,
  needsOneOf: CONVERSION.needsOneOf,
};

const BY_ACCOUNT_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Convert between two given accounts',
  description: `Note the names: from_account is the account bought into, to_account the account sold from. ${SAME_RESPONSE}`,
  example: {
    request_id: 'convert-2026-11-20-2',
    description: 'Dollars for suppliers',
    sell_amount: 1000,
    from_account: 400100000027,
    to_account: 400100000019,
  },
  fields: {
    ...CONVERSION.fields,
    from_account: 'Account to be bought into, 12 digits',
    to_account: 'Account to be sold from, 12 digits',
  },
  hidden: [...CONVERSION.hidden, 'sellCurrency', 'buyCurrency'],
  needsOneOf: [...CONVERSION.needsOneOf, ['from_account', 'buy_account'], ['to_account', 'sell_account']],
  aliases: { buy_account: 'from_account', sell_account: 'to_account' },
};

const BOOKING_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Read a conversion',
  description:
    'The current state of a conversion of the client, by its confirmation id. One that the operator has undone is CANCELLED; one that the operator has corrected has its new rate and amounts. `changes` has what the client has changed: a cancellation, another date, or a split, after which it is SPLIT and its children have its amounts.',
  example: { confirmation_id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { confirmation_id: 'Id returned by the booking' },
};

export const BOOKINGS_RESPONSE = page(CONFIRMATION_RESPONSE, 'BookFxList', 'Conversions of the client');

const BOOKINGS_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'List conversions',
  description: `The client’s conversions, also those that were made for a payment. ${PAGES}`,
  example: { from: '2026-11-20', status: 'OPEN,SETTLED', currency: 'EUR', limit: 50 },
};

export const BOOK_FX_ROUTES = {
  getRate: {
    method: 'get',
    path: '/api/v1/bookfx/rate',
    limit: 'reads',
    input: ({ query }) => ({
      sellCurrency: query.sell_currency,
      buyCurrency: query.buy_currency,
      type: query.type,
      sellAmount: amountOf(query.sell_amount),
      buyAmount: amountOf(query.buy_amount),
    }),
    response: RATE_RESPONSE,
    reference: RATE_REFERENCE,
    body: rateBody,
    names: RATE_NAMES,
  },
  bookFxByCurrency: {
    method: 'post',
    path: '/api/v1/bookfx/currency/create',
    limit: 'writes',
    input: (_request, body) => byCurrencyInput(body),
    response: CONFIRMATION_RESPONSE,
    reference: BY_CURRENCY_REFERENCE,
    body: confirmationBody,
    headers: replayHeaders,
    names: BOOK_FX_NAMES,
    numbers: BOOK_FX_NUMBERS,
  },
  bookFxByAccount: {
    method: 'post',
    path: '/api/v1/bookfx/account/create',
    limit: 'writes',
    input: (_request, body) => byAccountInput(body),
    response: CONFIRMATION_RESPONSE,
    reference: BY_ACCOUNT_REFERENCE,
    body: confirmationBody,
    headers: replayHeaders,
    names: (_request, body) => byAccountNames(body),
    numbers: ACCOUNT_NUMBERS,
  },
  readBooking: {
    method: 'get',
    path: '/api/v1/bookfx/:confirmation_id',
    limit: 'reads',
    input: ({ params }) => ({ confirmationId: params.confirmation_id }),
    response: CONFIRMATION_RESPONSE,
    reference: BOOKING_REFERENCE,
    body: confirmationBody,
    names: { confirmationId: 'confirmation_id' },
  },
  listBookings: {
    method: 'get',
    path: '/api/v1/bookfx',
    limit: 'reads',
    input: listInput,
    response: BOOKINGS_RESPONSE,
    reference: BOOKINGS_REFERENCE,
    body: pageBody((booking: Booking) => confirmationBody({ booking })),
    names: {},
  },
} satisfies Partial<Routes>;

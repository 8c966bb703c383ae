import type { Reference } from '../../openapi/reference.js';

const CURRENCIES = {
  sell_currency: 'Currency to be sold, three letters of ISO 4217',
  buy_currency: 'Currency to be bought, three letters of ISO 4217',
};

export const RATE_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Rate of a currency pair',
  description: 'The client’s rate of this moment: units of the bought currency for one of the sold.',
  example: { sell_currency: 'EUR', buy_currency: 'USD' },
  fields: { ...CURRENCIES, type: 'When a conversion would settle; empty or absent: PREFUNDING' },
};

const SAME_ANSWER =
  'The same request_id with the same command gives the first answer again, with `Idempotent-Replayed: true`; with another command it is refused by 409.';

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
  hidden: ['quoteId', 'limitPrice', 'quotedPrice', 'session'],
  needsOneOf: [['sell_amount', 'buy_amount']],
};

export const BY_CURRENCY_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Convert between the default accounts of two currencies',
  description: `Sells from the default account of one currency and buys into that of the other. ${SAME_ANSWER}`,
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

export const BY_ACCOUNT_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Convert between two given accounts',
  description: `Mind the names: from_account is bought into, to_account is sold from. ${SAME_ANSWER}`,
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

export const BOOKING_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Read a conversion',
  description: 'A conversion of the client as it stands, by its confirmation id.',
  example: { confirmation_id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { confirmation_id: 'Id that the booking answered' },
};

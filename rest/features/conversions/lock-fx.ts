/** Held rates: shapes, reference texts and routes. */
import type { Request } from 'express';
import { z } from 'zod';
import {
  type AgreedRate,
  HOLD_STATUSES,
  type Hold,
  type HoldStatus,
  holdSelling,
} from '../../../engine/domain/conversions/booking.js';
import { formatMargin, minorToNumber } from '../../../engine/domain/money/money.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/money/rate.js';
import { BOOK_FX_TYPES } from '../../../engine/domain/money/value-date.js';
import type { LockableRate } from '../../../engine/service/prices/get-lockable-rate.js';
import { SIGNATURE_LENGTH_MAX } from '../../../engine/service/prices/rate-signature.js';
import type { Reference } from '../../openapi/reference.js';
import type { Routes } from '../routes.js';
import {
  amountOf,
  choiceField,
  currencyField,
  dateField,
  isoDate,
  type Names,
  nameSent,
  numberField,
  oneOf,
  textField,
  utc,
  utcField,
} from '../shapes.js';

const LOCK_NAMES: Names = {
  rateSignature: 'rate_signature',
  twoWay: 'two_way',
  fxRate: 'fx_rate',
  lockExpiryAt: 'lock_expiry_at',
};
const RELEASE_NAMES: Names = { holdId: 'fx_hold_id' };

/** The interface writes a schedule in two ways. */
const TYPE_OF_SCHEDULE: Readonly<Record<string, string>> = { SCHEDULE1: 'SCHEDULED1', SCHEDULE2: 'SCHEDULED2' };

function lockableRateInput({ query }: Request): object {
  const schedule = query.schedule;
  return {
    sellCurrency: oneOf(query.source_currency, query.sell_currency),
    buyCurrency: oneOf(query.destination_currency, query.buy_currency),
    type: TYPE_OF_SCHEDULE[String(schedule)] ?? schedule,
    holdPeriod: query.hold_period,
    sellAmount: amountOf(query.sell_amount),
    buyAmount: amountOf(query.buy_amount),
    twoWay: flagOf(query.two_way),
  };
}

function lockableRateNames({ query }: Request): Names {
  return {
    sellCurrency: nameSent(query, 'source_currency', 'sell_currency'),
    buyCurrency: nameSent(query, 'destination_currency', 'buy_currency'),
    type: 'schedule',
    holdPeriod: 'hold_period',
    sellAmount: 'sell_amount',
    buyAmount: 'buy_amount',
    twoWay: 'two_way',
  };
}

/** A query has texts only: an empty flag counts as absent, and the operation rejects what is none. */
function flagOf(value: unknown): unknown {
  if (value === '') return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

const HELD_RATE = z.strictObject({
  source_currency: currencyField('Currency that is sold', 'EUR'),
  destination_currency: currencyField('Currency that is bought', 'USD'),
  base_fx_rate: numberField('Rate of the provider: units of the bought currency for one of the sold', 1.08431),
  margin: numberField('Margin of the client, percent, with what holding the rate adds', 0.11),
  fx_rate: numberField('Rate of the client', 1.0831173),
  schedule: choiceField(BOOK_FX_TYPES, 'When a conversion at this rate settles', 'PREFUNDING'),
  settlement_date: dateField('Value date', '2026-11-24'),
  side: choiceField(
    ['both'],
    'Of a two-way rate only: its one conversion may sell either of the two currencies',
    'both',
  ).optional(),
  opposite_base_fx_rate: numberField(
    'Of a two-way rate only, where the currency named as bought is sold: rate of the provider, units of the source currency for one of the destination currency',
    0.92222,
  ).optional(),
  opposite_margin: numberField('Likewise: margin of the client, percent', 0.11).optional(),
  opposite_fx_rate: numberField('Likewise: rate of the client', 0.9212055).optional(),
});

const LOCKABLE_RATE_RESPONSE = HELD_RATE.extend({
  rate_signature: textField(
    'To be sent to lockFxRate: the rate, signed',
    'the-signature-that-you-were-given',
    SIGNATURE_LENGTH_MAX,
  ),
  lock_expiry_at: utcField('Until when the rate can be locked', '2026-11-20T08:01:30.000Z'),
  hold_expiry_at: utcField('Until when a hold taken now lasts', '2026-11-20T08:16:00.000Z'),
  sell_amount: numberField('What would be sold; only where an amount was asked about', 1000).optional(),
  buy_amount: numberField('What would be bought; only where an amount was asked about', 1083.11).optional(),
}).meta({ id: 'LockableRate', description: 'A rate that can be locked' });

const HOLD_RESPONSE = HELD_RATE.extend({
  fx_hold_id: textField('Id of the hold', 'HLD01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
  hold_expiry_at: utcField('Until when the rate is held', '2026-11-20T08:16:00.000Z'),
  status: choiceField(
    HOLD_STATUSES.map((status) => status.toUpperCase() as Uppercase<HoldStatus>),
    'Status of the hold',
    'OPEN',
  ),
  sell_amount: numberField('The one amount that it is for, where it was asked for with one', 1000).optional(),
  buy_amount: numberField('The one amount that it is for, where it was asked for with one', 1083.11).optional(),
}).meta({ id: 'Hold', description: 'A rate that is held' });

function lockableRateBody({
  rate,
  conversion,
  opposite,
  rateSignature,
  lockExpiryAtMs,
  holdUntilMs,
}: LockableRate): z.infer<typeof LOCKABLE_RATE_RESPONSE> {
  return {
    ...rateBody(rate, opposite),
    rate_signature: rateSignature,
    lock_expiry_at: utc(lockExpiryAtMs),
    hold_expiry_at: utc(holdUntilMs),
    ...(conversion && {
      sell_amount: minorToNumber(conversion.sellMinor, rate.sellCurrency),
      buy_amount: minorToNumber(conversion.buyMinor, rate.buyCurrency),
    }),
  };
}

export function holdBody({
  hold,
}: {
  readonly hold: Hold & { readonly status: HoldStatus };
}): z.infer<typeof HOLD_RESPONSE> {
  const { amount } = hold;
  return {
    fx_hold_id: hold.id,
    ...rateBody(hold, hold.opposite && holdSelling(hold, hold.buyCurrency)),
    hold_expiry_at: utc(hold.expiryMs),
    status: hold.status.toUpperCase() as Uppercase<HoldStatus>,
    ...(amount?.side === 'sell' && { sell_amount: minorToNumber(BigInt(amount.minor), hold.sellCurrency) }),
    ...(amount?.side === 'buy' && { buy_amount: minorToNumber(BigInt(amount.minor), hold.buyCurrency) }),
  };
}

/** `opposite`: of a two-way rate. */
function rateBody(rate: AgreedRate, opposite: AgreedRate | undefined): z.infer<typeof HELD_RATE> {
  const { providerRate, clientRate } = agreedConversionRate(rate);
  const other = opposite && agreedConversionRate(opposite);
  return {
    source_currency: rate.sellCurrency,
    destination_currency: rate.buyCurrency,
    base_fx_rate: jsonNumber(providerRate),
    margin: Number(formatMargin(rate.marginPpm)),
    fx_rate: jsonNumber(clientRate),
    schedule: rate.type,
    settlement_date: isoDate(rate.valueDate),
    ...(opposite &&
      other && {
        side: 'both' as const,
        opposite_base_fx_rate: jsonNumber(other.providerRate),
        opposite_margin: Number(formatMargin(opposite.marginPpm)),
        opposite_fx_rate: jsonNumber(other.clientRate),
      }),
  };
}

const LOCKABLE_RATE_REFERENCE: Reference = {
  tag: 'Lock FX',
  summary: 'Rate that can be locked',
  description: 'The rate of this moment for a hold of some length, signed: it can be locked for 30 seconds.',
  example: { source_currency: 'EUR', destination_currency: 'USD', hold_period: '15_mins', sell_amount: 1000 },
  fields: {
    source_currency: 'Currency to be sold, three letters of ISO 4217',
    destination_currency: 'Currency to be bought, three letters of ISO 4217',
    hold_period: 'How long the rate is to be held; a longer hold costs more; empty or absent: 15_mins',
    sell_amount:
      'What will be sold: then the hold is for this amount alone; send at most one amount. Without one the hold is for at most 500,000 USD, or as agreed',
    buy_amount: 'What will be bought: then the hold is for this amount alone; send at most one amount',
    two_way:
      'true: a hold of this rate may be booked in either direction, once; an amount stays in its currency. Empty or absent: false',
  },
  hidden: ['holdUntilMs', 'settlementDate'],
  schemas: {
    schedule: z
      .enum(['', ...BOOK_FX_TYPES, ...Object.keys(TYPE_OF_SCHEDULE)])
      .optional()
      .describe('When a conversion at this rate settles; empty or absent: PREFUNDING'),
  },
  aliases: { sell_currency: 'source_currency', buy_currency: 'destination_currency' },
};

const LOCK = {
  tag: 'Lock FX',
  description:
    'Holds the rate of a signature from now on. The same signature always returns the same hold. RATE_MOVED: the market has moved by more than 200 parts per million since the offer, in either direction; the answer has a new offer. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars, or that of a platform with all its sub-clients; a two-way hold counts once, by its larger side.',
  example: { rate_signature: 'the-signature-that-you-were-given' },
  fields: {
    rate_signature: 'As returned by getFxRate, at most 30 seconds ago',
    two_way:
      'true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate',
  },
  hidden: ['session', 'quoteRequestId'],
} as const satisfies Partial<Reference>;

const LOCK_REFERENCE: Reference = { ...LOCK, summary: 'Lock a rate' };
const LOCK_BY_POST_REFERENCE: Reference = {
  ...LOCK,
  summary: 'Lock a rate, as a POST',
  operationId: 'lockRateByPost',
};

const HOLD_REFERENCE: Reference = {
  tag: 'Lock FX',
  summary: 'Read a held rate',
  description:
    'The current state of a hold of the client, of REST or of FIX, by its id. A two-way hold has `side: both`; its other fields name the direction of its request, and for FIX that which sells the first currency of the pair.',
  example: { fx_hold_id: 'HLD01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { fx_hold_id: 'Id of the hold: QuoteID(117) over FIX' },
};

const RELEASE_REFERENCE: Reference = {
  tag: 'Lock FX',
  summary: 'Release a held rate',
  description: 'Releases an unused hold; a repeated release returns the same answer.',
  example: { fx_hold_id: 'HLD01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { fx_hold_id: 'Id of the hold' },
  hidden: ['session'],
};

export const LOCK_ROUTES = {
  getLockableRate: {
    method: 'get',
    path: '/api/v1/lockFx/getFxRate',
    limit: 'reads',
    input: lockableRateInput,
    response: LOCKABLE_RATE_RESPONSE,
    reference: LOCKABLE_RATE_REFERENCE,
    body: lockableRateBody,
    names: lockableRateNames,
  },
  // One offer becomes one hold, however often it is sent: so a GET may write it.
  lockRate: [
    {
      method: 'get',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: ({ query }) => ({ rateSignature: query.rate_signature, twoWay: flagOf(query.two_way) }),
      response: HOLD_RESPONSE,
      reference: LOCK_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
    },
    {
      method: 'post',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: (_request, body) => ({ rateSignature: body?.rate_signature, twoWay: body?.two_way }),
      response: HOLD_RESPONSE,
      reference: LOCK_BY_POST_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
      booleans: ['two_way'],
    },
  ],
  releaseHold: {
    method: 'post',
    path: '/api/v1/lockFx/releaseFxRate',
    limit: 'writes',
    input: (_request, body) => ({ holdId: body?.fx_hold_id }),
    response: HOLD_RESPONSE,
    reference: RELEASE_REFERENCE,
    body: ({ hold }) => holdBody({ hold: { ...hold, status: 'released' } }),
    names: RELEASE_NAMES,
  },
  readHeldRate: {
    method: 'get',
    path: '/api/v1/lockFx/hold/:fx_hold_id',
    limit: 'reads',
    input: ({ params }) => ({ holdId: params.fx_hold_id }),
    response: HOLD_RESPONSE,
    reference: HOLD_REFERENCE,
    body: holdBody,
    names: RELEASE_NAMES,
  },
} satisfies Partial<Routes>;

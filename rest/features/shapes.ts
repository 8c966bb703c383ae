/** What the answers of several features share: schemas of their fields, notations of times and dates, and the names of the interface for ours. */

import type { Request } from 'express';
import { z } from 'zod';
import { type FieldFault, UNKNOWN_FIELD } from '../../engine/domain/core/refusal.js';
import { TEXT_MAX } from '../../engine/domain/core/text.js';
import type { Conversion } from '../../engine/domain/money/conversion.js';
import { minorToNumber } from '../../engine/domain/money/money.js';
import { jsonNumber } from '../../engine/domain/money/rate.js';
import { CONFLICTING } from '../../engine/service/core/input-faults.js';
import { decimalOf } from '../http/body.js';

// Fields that many answers have, as schemas; each use describes their meaning.

/** No text of an answer is longer than `maxLength` characters. */
export const textField = (description: string, example: string, maxLength = TEXT_MAX) =>
  z.string().meta({ description, maxLength, examples: [example] });

export const numberField = (description: string, example: number) =>
  z.number().meta({ description, examples: [example] });

export const flagField = (description: string, example: boolean) =>
  z.boolean().meta({ description, examples: [example] });

export const choiceField = <const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  example: Choice,
) => z.enum(choices).meta({ description, examples: [example] });

export const currencyField = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description, maxLength: 3, examples: [example] });

export const accountNumberField = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(100_000_000_000)
    .max(999_999_999_999)
    .meta({ description, examples: [example] });

/** ISO 8601 with Z. */
export const utcField = (description: string, example = '2026-11-20T08:01:00.000Z') =>
  timeField(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 24, 'date-time', description, example);

/** ISO 8601 with a numeric offset, as payments and fundings have it. */
export const offsetTimeField = (description: string, example = '2026-11-20T08:01:00.000+00:00') =>
  timeField(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/, 29, 'date-time', description, example);

/** YYYY-MM-DD. */
export const dateField = (description: string, example: string) =>
  timeField(/^\d{4}-\d{2}-\d{2}$/, 10, 'date', description, example);

const timeField = (form: RegExp, maxLength: number, format: string, description: string, example: string) =>
  z
    .string()
    .regex(form)
    .meta({ description, maxLength, format, examples: [example] });

/** Header of a platform's request for one of its sub-clients: the id of that. */
export const ON_BEHALF_OF = 'x-on-behalf-of';

/** Header of an answer: the id of the client that it was for, the caller's or its sub-client's. */
export const ACTING_FOR = 'x-acting-for';

/** Ours to theirs; `items.*.itemId` is a field of each item of a list. */
export type Names = Readonly<Record<string, string>>;

export const RATE_NAMES: Names = {
  sellCurrency: 'sell_currency',
  buyCurrency: 'buy_currency',
  type: 'type',
  sellAmount: 'sell_amount',
  buyAmount: 'buy_amount',
};

export interface RateAnswer {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly providerRate: string;
  readonly clientRate: string;
  readonly margin: string;
  readonly expiryAtMs: number;
  readonly validUntilMs: number;
  readonly conversion?: Conversion | undefined;
}

export const RATE_RESPONSE = z
  .strictObject({
    sell_currency: currencyField('Currency that is sold', 'EUR'),
    buy_currency: currencyField('Currency that is bought', 'USD'),
    fx_rate: numberField('Rate of the provider: units of the bought currency for one of the sold', 1.08431),
    margin: numberField('Margin of the client for this pair, percent', 0.1),
    instarem_fx_rate: numberField('Rate of the client: what a conversion booked now gets', 1.0832257),
    expiry_at: utcField('When a conversion booked now expires or settles', '2026-11-20T20:01:00.000Z'),
    valid_until: utcField('Until when the price itself holds', '2026-11-20T08:01:05.000Z'),
    sell_amount: numberField('What would be sold; only where an amount was asked about', 1000).optional(),
    buy_amount: numberField('What would be bought; only where an amount was asked about', 1083.22).optional(),
  })
  .meta({ id: 'FxRate', description: 'The client’s rate of this moment' });

/** FX rate: a JSON number that loses a digit is a fault, not an answer. */
export function rateBody(rate: RateAnswer): z.infer<typeof RATE_RESPONSE> {
  return {
    sell_currency: rate.sellCurrency,
    buy_currency: rate.buyCurrency,
    fx_rate: jsonNumber(rate.providerRate),
    margin: Number(rate.margin),
    instarem_fx_rate: jsonNumber(rate.clientRate),
    expiry_at: utc(rate.expiryAtMs),
    valid_until: utc(rate.validUntilMs),
    ...(rate.conversion && {
      sell_amount: minorToNumber(rate.conversion.sellMinor, rate.sellCurrency),
      buy_amount: minorToNumber(rate.conversion.buyMinor, rate.buyCurrency),
    }),
  };
}

/** A query has texts only; an empty one counts as absent, and the operation rejects one that is no number. */
export function amountOf(value: Request['query'][string]): unknown {
  if (value === '') return undefined;
  return typeof value === 'string' ? decimalOf(value) : value;
}

/**
 * The version that If-Match names, for a field `version` of the operation (a whole number from 1); undefined: absent, or `*`, so that the change
 * is made to any version. A weak tag never matches (RFC 9110, 13.1.1); another text is left to the operation, which refuses it.
 */
export function ifMatch({ headers }: Request): unknown {
  const tag = headers['if-match']?.trim();
  if (tag === undefined || tag === '*') return undefined;
  const [, digits] = /^"([1-9]\d{0,8})"$/.exec(tag) ?? [];
  return digits === undefined ? tag : Number(digits);
}

/** Field faults under the names that the client sent; what is no field has no other name than the client's own. */
export function renamed(faults: readonly FieldFault[], names: Names): FieldFault[] {
  // A client chooses the names of fields that there are not: `constructor` is one.
  return faults.map((fault) => {
    const { field, rule } = fault;
    if (rule === UNKNOWN_FIELD) return fault;
    if (Object.hasOwn(names, field)) return { ...fault, field: names[field]! };
    const [, list, at, inner] = /^(\w+)\.(\d+)\.(\w+)$/.exec(field) ?? [];
    const ofAll = `${list}.*.${inner}`;
    return at !== undefined && Object.hasOwn(names, ofAll)
      ? { ...fault, field: names[ofAll]!.replace('*', at) }
      : fault;
  });
}

/** A field that has two names: the value of the one that is given, or of both when they agree. */
export function oneOf(value: unknown, other: unknown): unknown {
  if (value === undefined || value === other) return other;
  return other === undefined ? value : CONFLICTING;
}

/** Which of its two names such a field was sent by; the first when by none or by both. */
export function nameSent(fields: Readonly<Record<string, unknown>>, name: string, other: string): string {
  return fields[name] === undefined && fields[other] !== undefined ? other : name;
}

export function renamedMembers<Value>(members: Readonly<Record<string, Value>>, names: Names): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [names[name] ?? name, value]));
}

/** ISO 8601 with Z. */
export function utc(ms: number): string {
  return new Date(ms).toISOString();
}

/** ISO 8601 with a numeric offset. */
export function offsetTime(ms: number): string {
  return `${utc(ms).slice(0, -1)}+00:00`;
}

/** 'YYYYMMDD' as YYYY-MM-DD. */
export function isoDate(date: string): string {
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
}

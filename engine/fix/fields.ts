import type { MessageView } from 'node-quickfix-ts';
import { type Refusal, refuse } from '../domain/core/refusal.js';
import * as Tag from '../domain/fix/tags.js';
import { formatScaled, minorToNumber } from '../domain/money/money.js';
import { type Pair, pairBySymbol, pairOf } from '../domain/money/pair.js';
import { type BookFxType, isBookFxType } from '../domain/money/value-date.js';
import { SESSION_REASON } from './refusals.js';

/** Fields of requests and reports: amounts and prices as text, and checks that several requests share. */

/** Decimal digits that a number keeps exactly. */
const DIGITS_MAX = 15;

/** A Qty as the number that an operation takes, and only when that number reads the same. Refuses with BAD_AMOUNT. */
export function quantityOf(text: string): number | Refusal {
  const parts = /^0*(\d*)(?:\.(\d*?)0*)?$/.exec(text);
  const [, whole = '', decimals = ''] = parts ?? [];
  if (parts === null || !/\d/.test(text) || whole.length + decimals.length > DIGITS_MAX) {
    return refuse('BAD_AMOUNT', `Amount must be a plain decimal of at most ${DIGITS_MAX} digits, without sign`);
  }
  return Number(text);
}

/** Minor units as a Qty, without idle zeros: 25000000n in EUR is '250000'. */
export const quantityText = (minor: bigint, currency: string): string => String(minorToNumber(minor, currency));

/** A price with all the decimals that a client's price has, as W shows it. */
export const priceText = (scaled: number, { priceDigits }: Pair): string => formatScaled(scaled, priceDigits);

/** A provider's price, without idle zeros: it has fewer decimals than a client's. */
export const providerPriceText = (scaled: number, pair: Pair): string =>
  priceText(scaled, pair).replace(/0+$/, '').replace(/\.$/, '');

/** A message that its own reply cannot answer: by Reject(3), or by BusinessMessageReject(j). */
export type Reject =
  | { readonly rejectWith: '3'; readonly reason: number; readonly tag: number; readonly text: string }
  | { readonly rejectWith: 'j'; readonly reason: number; readonly refusal: Refusal };

export const isReject = (parsed: object): parsed is Reject => 'rejectWith' in parsed;

export function requiredTagMissing(tag: number): Reject {
  return { rejectWith: '3', reason: SESSION_REASON.requiredTagMissing, tag, text: 'Required tag missing' };
}

export function incorrectValue(tag: number, text: string): Reject {
  return { rejectWith: '3', reason: SESSION_REASON.incorrectValue, tag, text };
}

/** The count of a group that must have an entry is 0. */
export function incorrectGroupCount(tag: number): Reject {
  const text = 'Incorrect NumInGroup count for repeating group';
  return { rejectWith: '3', reason: SESSION_REASON.incorrectGroupCount, tag, text };
}

/** Product(460) and SecurityType(167), where they were sent, are those of foreign exchange. */
export const isForeignExchange = (instrument: Pick<MessageView, 'string'>): boolean =>
  (instrument.string(Tag.Product) ?? '4') === '4' && (instrument.string(Tag.SecurityType) ?? 'FOR') === 'FOR';

/** The pair of an instrument. Refuses with UNKNOWN_SYMBOL, INVERSE_SYMBOL. */
export function pairOfInstrument(symbol: string, isFx: boolean): Pair | Refusal {
  return isFx
    ? pairOfSymbol(symbol)
    : refuse('UNKNOWN_SYMBOL', 'Product(460) must be 4 and SecurityType(167) FOR, or absent');
}

/** Symbol(55) of a message about no single one, as FIX has it. */
export const NO_SYMBOL = '[N/A]';

/** The pair of Symbol(55). Refuses with UNKNOWN_SYMBOL, INVERSE_SYMBOL. */
export function pairOfSymbol(symbol: string): Pair | Refusal {
  const pair = pairBySymbol(symbol);
  if (pair) return pair;
  const [base = '', quote = ''] = symbol.split('/', 2);
  const straight = symbol.length === 7 ? pairOf(base, quote) : undefined;
  if (straight) {
    const use = straight.pair.symbol;
    return refuse('INVERSE_SYMBOL', `${symbol} is quoted the other way round: use ${use}`);
  }
  // A value from the wire is returned short and printable.
  return refuse('UNKNOWN_SYMBOL', `Unknown symbol ${symbol.slice(0, 20).replace(/[^\x20-\x7e]/g, '?')}`);
}

/** Refuses with BAD_BOOKFX_TYPE. */
export function bookFxTypeOf(type: string): BookFxType | Refusal {
  if (isBookFxType(type)) return type;
  return refuse('BAD_BOOKFX_TYPE', `BookFxType(${Tag.BookFxType}) must be PREFUNDING, SCHEDULED1 or SCHEDULED2`);
}

import type { MessageView } from 'node-quickfix-ts';
import * as Tag from '../domain/fix/tags.js';
import { formatScaled, minorToNumber } from '../domain/money.js';
import { type Pair, pairBySymbol, pairOf } from '../domain/pair.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import { type BookFxType, isBookFxType } from '../domain/value-date.js';
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

/** Product(460) and SecurityType(167), where they were sent, are those of foreign exchange. */
export const isForeignExchange = (instrument: Pick<MessageView, 'string'>): boolean =>
  (instrument.string(Tag.Product) ?? '4') === '4' && (instrument.string(Tag.SecurityType) ?? 'FOR') === 'FOR';

/** The pair of an instrument. Refuses with UNKNOWN_SYMBOL, INVERSE_SYMBOL. */
export function pairOfInstrument(symbol: string, isFx: boolean): Pair | Refusal {
  return isFx
    ? pairOfSymbol(symbol)
    : refuse('UNKNOWN_SYMBOL', 'Product(460) must be 4 and SecurityType(167) FOR, or absent');
}

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

/**
 * Fields that would make another request of the message: ignoring one would change the request, so the message is rejected. By tag the
 * values that mean the same as an absent field.
 */
type UnsupportedFields = Readonly<Record<number, readonly string[]>>;

const NAMES = new Map(Object.entries(Tag).map(([name, tag]) => [Number(tag), name]));

/** Another quantity or price, a second leg, or a qualifier. */
export const UNSUPPORTED_IN_QUOTE_REQUEST: UnsupportedFields = {
  [Tag.OrdType]: ['1', '2', 'D'],
  [Tag.Price]: [],
  [Tag.CashOrderQty]: [],
  [Tag.OrderQty2]: [],
  [Tag.SettlDate2]: [],
  [Tag.OrderPercent]: [],
  [Tag.NoLegs]: [],
  [Tag.Price2]: [],
  [Tag.NoQuoteQualifiers]: [],
  [Tag.QtyType]: ['0'],
};

/** Instruments or quotes to be cancelled by name. */
export const UNSUPPORTED_IN_QUOTE_CANCEL: UnsupportedFields = { [Tag.NoQuoteEntries]: [] };

/** Another quantity, price or time, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  [Tag.ExecInst]: [],
  [Tag.NoAllocs]: [],
  [Tag.MinQty]: [],
  [Tag.MaxFloor]: [],
  [Tag.ExpireTime]: [],
  [Tag.EffectiveTime]: [],
  [Tag.MaxShow]: [],
  [Tag.PegOffsetValue]: [],
  [Tag.NoTradingSessions]: [],
  [Tag.DiscretionInst]: [],
  [Tag.DiscretionOffsetValue]: [],
  [Tag.PriceType]: ['2'],
  [Tag.ExpireDate]: [],
  [Tag.OrderPercent]: [],
  [Tag.Price2]: [],
  [Tag.TargetStrategy]: [],
  [Tag.TargetStrategyParameters]: [],
  [Tag.ParticipationRate]: [],
};

/** Another selection of trades. */
export const UNSUPPORTED_IN_TRADE_REQUEST: UnsupportedFields = {
  [Tag.ClOrdID]: [],
  [Tag.ExecID]: [],
  [Tag.OrderID]: [],
  [Tag.Side]: [],
  [Tag.Symbol]: ['[N/A]'],
  [Tag.TransactTime]: [],
  [Tag.ExecType]: [],
  [Tag.TradingSessionID]: [],
  [Tag.MultiLegReportingType]: ['1'],
  [Tag.NoPartyIDs]: [],
  [Tag.NoLegs]: [],
  [Tag.TradeReportID]: [],
  [Tag.MatchStatus]: ['0'],
  [Tag.TradeInputSource]: [],
  [Tag.TradeInputDevice]: [],
  [Tag.TradingSessionSubID]: [],
  [Tag.NoUnderlyings]: [],
  [Tag.ClearingBusinessDate]: [],
  [Tag.ResponseTransportType]: ['0'],
  [Tag.ResponseDestination]: [],
  [Tag.SecondaryTradeReportID]: [],
  [Tag.TradeLinkID]: [],
  [Tag.TrdType]: ['0'],
  [Tag.TrdSubType]: [],
  [Tag.TransferReason]: [],
  [Tag.SecondaryTrdType]: [],
  [Tag.TrdMatchID]: [],
  [Tag.TimeBracket]: [],
};

/** Another selection of orders. */
export const UNSUPPORTED_IN_MASS_STATUS: UnsupportedFields = {
  [Tag.Account]: [],
  [Tag.Side]: [],
  [Tag.UnderlyingSecurityID]: [],
  [Tag.UnderlyingSymbol]: [],
  [Tag.TradingSessionID]: [],
  [Tag.NoPartyIDs]: [],
  [Tag.TradingSessionSubID]: [],
};

/** What release 0.1.0 has refused with VALIDATION_FAILED already, which desks know: another quantity or price, or a second leg. */
const NOT_TAKEN_IN_ORDER: UnsupportedFields = {
  [Tag.StopPx]: [],
  [Tag.CashOrderQty]: [],
  [Tag.OrderQty2]: [],
  [Tag.SettlDate2]: [],
  [Tag.QtyType]: ['0'],
};

/** UNSUPPORTED_FIELD for the first such field in the order of the message, whatever its value, zero included; undefined: there is none. */
export function unsupportedField(message: MessageView, fields: UnsupportedFields): Refusal | undefined {
  const found = firstOf(message, fields);
  if (found === undefined) return undefined;
  const { accepted } = found;
  const remedy = accepted.length > 0 ? `send ${accepted.join(', ')}, or leave it out` : 'leave it out';
  return refuse('UNSUPPORTED_FIELD', `${found.label} is not supported: ${remedy}`);
}

/** VALIDATION_FAILED likewise. */
export function notTakenField(message: MessageView): Refusal | undefined {
  const found = firstOf(message, NOT_TAKEN_IN_ORDER);
  return found && refuse('VALIDATION_FAILED', `${found.label} is not taken: leave it out`);
}

function firstOf(message: MessageView, fields: UnsupportedFields) {
  for (let i = 0; i < message.count; i++) {
    const tag = message.tagAt(i);
    const accepted = fields[tag];
    if (accepted !== undefined && !accepted.includes(message.stringAt(i) ?? ''))
      return { label: `${NAMES.get(tag)}(${tag})`, accepted };
  }
  return undefined;
}

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

/** A field that would make another request of the message: ignoring it would change the request, so the message is rejected. */
interface UnsupportedField {
  readonly name: string;
  /** Values that mean the same as an absent field. */
  readonly accepted?: readonly string[];
}

/** By tag. */
type UnsupportedFields = Readonly<Record<number, UnsupportedField>>;

/** Another quantity or price, a second leg, or a qualifier. */
export const UNSUPPORTED_IN_QUOTE_REQUEST: UnsupportedFields = {
  [Tag.OrdType]: { name: 'OrdType', accepted: ['1', '2', 'D'] },
  [Tag.Price]: { name: 'Price' },
  [Tag.CashOrderQty]: { name: 'CashOrderQty' },
  [Tag.OrderQty2]: { name: 'OrderQty2' },
  [Tag.SettlDate2]: { name: 'SettlDate2' },
  [Tag.OrderPercent]: { name: 'OrderPercent' },
  [Tag.NoLegs]: { name: 'NoLegs' },
  [Tag.Price2]: { name: 'Price2' },
  [Tag.NoQuoteQualifiers]: { name: 'NoQuoteQualifiers' },
  [Tag.QtyType]: { name: 'QtyType', accepted: ['0'] },
};

/** Instruments or quotes to be cancelled by name. */
export const UNSUPPORTED_IN_QUOTE_CANCEL: UnsupportedFields = { [Tag.NoQuoteEntries]: { name: 'NoQuoteEntries' } };

/** Another quantity, price or time, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  [Tag.ExecInst]: { name: 'ExecInst' },
  [Tag.NoAllocs]: { name: 'NoAllocs' },
  [Tag.MinQty]: { name: 'MinQty' },
  [Tag.MaxFloor]: { name: 'MaxFloor' },
  [Tag.ExpireTime]: { name: 'ExpireTime' },
  [Tag.EffectiveTime]: { name: 'EffectiveTime' },
  [Tag.MaxShow]: { name: 'MaxShow' },
  [Tag.PegOffsetValue]: { name: 'PegOffsetValue' },
  [Tag.NoTradingSessions]: { name: 'NoTradingSessions' },
  [Tag.DiscretionInst]: { name: 'DiscretionInst' },
  [Tag.DiscretionOffsetValue]: { name: 'DiscretionOffsetValue' },
  [Tag.PriceType]: { name: 'PriceType', accepted: ['2'] },
  [Tag.ExpireDate]: { name: 'ExpireDate' },
  [Tag.OrderPercent]: { name: 'OrderPercent' },
  [Tag.Price2]: { name: 'Price2' },
  [Tag.TargetStrategy]: { name: 'TargetStrategy' },
  [Tag.TargetStrategyParameters]: { name: 'TargetStrategyParameters' },
  [Tag.ParticipationRate]: { name: 'ParticipationRate' },
};

/** Another selection of trades. */
export const UNSUPPORTED_IN_TRADE_REQUEST: UnsupportedFields = {
  [Tag.ClOrdID]: { name: 'ClOrdID' },
  [Tag.ExecID]: { name: 'ExecID' },
  [Tag.OrderID]: { name: 'OrderID' },
  [Tag.Side]: { name: 'Side' },
  [Tag.Symbol]: { name: 'Symbol', accepted: ['[N/A]'] },
  [Tag.TransactTime]: { name: 'TransactTime' },
  [Tag.ExecType]: { name: 'ExecType' },
  [Tag.TradingSessionID]: { name: 'TradingSessionID' },
  [Tag.MultiLegReportingType]: { name: 'MultiLegReportingType', accepted: ['1'] },
  [Tag.NoPartyIDs]: { name: 'NoPartyIDs' },
  [Tag.NoLegs]: { name: 'NoLegs' },
  [Tag.TradeReportID]: { name: 'TradeReportID' },
  [Tag.MatchStatus]: { name: 'MatchStatus', accepted: ['0'] },
  [Tag.TradeInputSource]: { name: 'TradeInputSource' },
  [Tag.TradeInputDevice]: { name: 'TradeInputDevice' },
  [Tag.TradingSessionSubID]: { name: 'TradingSessionSubID' },
  [Tag.NoUnderlyings]: { name: 'NoUnderlyings' },
  [Tag.ClearingBusinessDate]: { name: 'ClearingBusinessDate' },
  [Tag.ResponseTransportType]: { name: 'ResponseTransportType', accepted: ['0'] },
  [Tag.ResponseDestination]: { name: 'ResponseDestination' },
  [Tag.SecondaryTradeReportID]: { name: 'SecondaryTradeReportID' },
  [Tag.TradeLinkID]: { name: 'TradeLinkID' },
  [Tag.TrdType]: { name: 'TrdType', accepted: ['0'] },
  [Tag.TrdSubType]: { name: 'TrdSubType' },
  [Tag.TransferReason]: { name: 'TransferReason' },
  [Tag.SecondaryTrdType]: { name: 'SecondaryTrdType' },
  [Tag.TrdMatchID]: { name: 'TrdMatchID' },
  [Tag.TimeBracket]: { name: 'TimeBracket' },
};

/** Another selection of orders. */
export const UNSUPPORTED_IN_MASS_STATUS: UnsupportedFields = {
  1: { name: 'Account' },
  [Tag.Side]: { name: 'Side' },
  [Tag.UnderlyingSecurityID]: { name: 'UnderlyingSecurityID' },
  [Tag.UnderlyingSymbol]: { name: 'UnderlyingSymbol' },
  [Tag.TradingSessionID]: { name: 'TradingSessionID' },
  [Tag.NoPartyIDs]: { name: 'NoPartyIDs' },
  [Tag.TradingSessionSubID]: { name: 'TradingSessionSubID' },
};

/** What release 0.1.0 has refused with VALIDATION_FAILED already, which desks know: another quantity or price, or a second leg. */
const NOT_TAKEN_IN_ORDER: UnsupportedFields = {
  [Tag.StopPx]: { name: 'StopPx' },
  [Tag.CashOrderQty]: { name: 'CashOrderQty' },
  [Tag.OrderQty2]: { name: 'OrderQty2' },
  [Tag.SettlDate2]: { name: 'SettlDate2' },
  [Tag.QtyType]: { name: 'QtyType', accepted: ['0'] },
};

/** UNSUPPORTED_FIELD for the first such field in the order of the message, whatever its value, zero included; undefined: there is none. */
export function unsupportedField(message: MessageView, fields: UnsupportedFields): Refusal | undefined {
  const found = firstOf(message, fields);
  if (found === undefined) return undefined;
  const { accepted } = found;
  const remedy = accepted ? `send ${accepted.join(', ')}, or leave it out` : 'leave it out';
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
    const field = fields[tag];
    if (field !== undefined && !field.accepted?.includes(message.stringAt(i) ?? ''))
      return { label: `${field.name}(${tag})`, accepted: field.accepted };
  }
  return undefined;
}

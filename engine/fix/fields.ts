import type { MessageView } from 'node-quickfix-ts';
import { formatScaled, minorToNumber } from '../domain/money.js';
import { type Pair, pairBySymbol, pairOf } from '../domain/pair.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import { type BookFxType, isBookFxType } from '../domain/value-date.js';
import { SESSION_REASON } from './refusals.js';

/** Fields of requests and reports: user-defined tags, amounts and prices as text, and checks that several requests share. */

// User-defined fields of this interface: 20000 and above, at top level only.
export const AUTH_TOKEN = 20001;
export const AUTH_TOKEN_EXPIRE_TIME = 20002;
export const MARGIN_PERCENT = 20003;
export const PROVIDER_RATE = 20004;
export const BOOK_FX_TYPE = 20005;
export const HOLD_ID = 20006;
export const BUY_ACCOUNT = 20007;
export const SELL_ACCOUNT = 20008;
export const MARGIN_VALUE = 20009;
export const ERROR_CODE = 20011;
export const VALUE_DATE = 20012;
export const BUY_CURRENCY = 20013;
export const SELL_CURRENCY = 20014;
export const BUY_AMOUNT = 20015;
export const SELL_AMOUNT = 20016;
export const STREAM_QUOTES = 20018;
export const FROM_TRADE_NUMBER = 20019;

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
  (instrument.string(460) ?? '4') === '4' && (instrument.string(167) ?? 'FOR') === 'FOR';

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
  return refuse('BAD_BOOKFX_TYPE', `BookFxType(${BOOK_FX_TYPE}) must be PREFUNDING, SCHEDULED1 or SCHEDULED2`);
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
  40: { name: 'OrdType', accepted: ['1', '2', 'D'] },
  44: { name: 'Price' },
  152: { name: 'CashOrderQty' },
  192: { name: 'OrderQty2' },
  193: { name: 'SettlDate2' },
  516: { name: 'OrderPercent' },
  555: { name: 'NoLegs' },
  640: { name: 'Price2' },
  735: { name: 'NoQuoteQualifiers' },
  854: { name: 'QtyType', accepted: ['0'] },
};

/** Instruments or quotes to be cancelled by name. */
export const UNSUPPORTED_IN_QUOTE_CANCEL: UnsupportedFields = { 295: { name: 'NoQuoteEntries' } };

/** Another quantity, price or time, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  18: { name: 'ExecInst' },
  78: { name: 'NoAllocs' },
  110: { name: 'MinQty' },
  111: { name: 'MaxFloor' },
  126: { name: 'ExpireTime' },
  168: { name: 'EffectiveTime' },
  210: { name: 'MaxShow' },
  211: { name: 'PegOffsetValue' },
  386: { name: 'NoTradingSessions' },
  388: { name: 'DiscretionInst' },
  389: { name: 'DiscretionOffsetValue' },
  423: { name: 'PriceType', accepted: ['2'] },
  432: { name: 'ExpireDate' },
  516: { name: 'OrderPercent' },
  640: { name: 'Price2' },
  847: { name: 'TargetStrategy' },
  848: { name: 'TargetStrategyParameters' },
  849: { name: 'ParticipationRate' },
};

/** Another selection of trades. */
export const UNSUPPORTED_IN_TRADE_REQUEST: UnsupportedFields = {
  11: { name: 'ClOrdID' },
  17: { name: 'ExecID' },
  37: { name: 'OrderID' },
  54: { name: 'Side' },
  55: { name: 'Symbol', accepted: ['[N/A]'] },
  60: { name: 'TransactTime' },
  150: { name: 'ExecType' },
  336: { name: 'TradingSessionID' },
  442: { name: 'MultiLegReportingType', accepted: ['1'] },
  453: { name: 'NoPartyIDs' },
  555: { name: 'NoLegs' },
  571: { name: 'TradeReportID' },
  573: { name: 'MatchStatus', accepted: ['0'] },
  578: { name: 'TradeInputSource' },
  579: { name: 'TradeInputDevice' },
  625: { name: 'TradingSessionSubID' },
  711: { name: 'NoUnderlyings' },
  715: { name: 'ClearingBusinessDate' },
  725: { name: 'ResponseTransportType', accepted: ['0'] },
  726: { name: 'ResponseDestination' },
  818: { name: 'SecondaryTradeReportID' },
  820: { name: 'TradeLinkID' },
  828: { name: 'TrdType', accepted: ['0'] },
  829: { name: 'TrdSubType' },
  830: { name: 'TransferReason' },
  855: { name: 'SecondaryTrdType' },
  880: { name: 'TrdMatchID' },
  943: { name: 'TimeBracket' },
};

/** Another selection of orders. */
export const UNSUPPORTED_IN_MASS_STATUS: UnsupportedFields = {
  1: { name: 'Account' },
  54: { name: 'Side' },
  309: { name: 'UnderlyingSecurityID' },
  311: { name: 'UnderlyingSymbol' },
  336: { name: 'TradingSessionID' },
  453: { name: 'NoPartyIDs' },
  625: { name: 'TradingSessionSubID' },
};

/** What release 0.1.0 has refused with VALIDATION_FAILED already, which desks know: another quantity or price, or a second leg. */
const NOT_TAKEN_IN_ORDER: UnsupportedFields = {
  99: { name: 'StopPx' },
  152: { name: 'CashOrderQty' },
  192: { name: 'OrderQty2' },
  193: { name: 'SettlDate2' },
  854: { name: 'QtyType', accepted: ['0'] },
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

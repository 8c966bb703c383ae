import type { MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Pair } from '../../domain/money/pair.js';
import { type BookFxType, DEFAULT_BOOK_FX_TYPE } from '../../domain/money/value-date.js';
import { type AnswerTo, answerTo } from '../desk.js';
import {
  bookFxTypeOf,
  incorrectValue,
  isForeignExchange,
  pairOfInstrument,
  quantityOf,
  type Reject,
  requiredTagMissing,
} from '../fields.js';
import { LIMITS } from '../settings.js';
import { UNSUPPORTED_IN_QUOTE_REQUEST, unsupportedField } from '../unsupported-fields.js';

/** A QuoteRequest(R), copied out of its message, whose bytes are reused before the token has been read. */
export interface QuoteRequest extends AnswerTo {
  readonly symbol: string;
  /** Product(460) and SecurityType(167), where they were sent, are those of foreign exchange. */
  readonly isForeignExchange: boolean;
  readonly quoteType: string;
  readonly side: string | undefined;
  readonly quantity: string;
  readonly currency: string;
  readonly settlType: string | undefined;
  readonly settlDate: string | undefined;
  /** Epoch ms; NaN when absent. */
  readonly validUntilMs: number;
  readonly token: string | undefined;
  readonly type: string | undefined;
  /** It has a field that would change what is quoted. */
  readonly unsupported: Refusal | undefined;
  /** StreamQuotes(20018)=Y: a quote at each change, until ValidUntilTime(62). */
  readonly isStream: boolean;
  /** PossDupFlag(43) or PossResend(97): it may have been answered before. */
  readonly isAgain: boolean;
}

/**
 * Required in the one entry of NoRelatedSym(146), beside Symbol(55): OrderQty(38), Currency(15). Where a field that is not
 * supported replaces them, such as NoLegs(555), that field is refused.
 */
const REQUIRED = [Tag.OrderQty, Tag.Currency];

export function parseQuoteRequest(message: MessageView): QuoteRequest | Reject {
  if (message.int(Tag.NoRelatedSym) !== 1)
    return incorrectValue(Tag.NoRelatedSym, 'Value is incorrect: one pair in one request');
  const [instrument] = message.groups(Tag.NoRelatedSym);
  const request = readQuoteRequest(message);
  const missing = REQUIRED.find((tag) => !instrument?.has(tag));
  return missing === undefined || request.unsupported ? request : requiredTagMissing(missing);
}

export function readQuoteRequest(message: MessageView): QuoteRequest {
  const [instrument] = message.groups(Tag.NoRelatedSym);
  return {
    ...answerTo(message, Tag.QuoteReqID),
    symbol: instrument?.string(Tag.Symbol) ?? '',
    isForeignExchange: instrument === undefined || isForeignExchange(instrument),
    quoteType: instrument?.string(Tag.QuoteType) ?? '1',
    side: instrument?.string(Tag.Side),
    quantity: instrument?.string(Tag.OrderQty) ?? '',
    currency: instrument?.string(Tag.Currency) ?? '',
    settlType: instrument?.string(Tag.SettlType),
    settlDate: instrument?.string(Tag.SettlDate),
    validUntilMs: Math.floor(instrument?.time(Tag.ValidUntilTime) ?? Number.NaN),
    token: message.string(Tag.AuthToken),
    type: message.string(Tag.BookFxType),
    unsupported: unsupportedField(message, UNSUPPORTED_IN_QUOTE_REQUEST),
    isStream: message.flag(Tag.StreamQuotes),
    isAgain: message.flag(Tag.PossDupFlag) || message.flag(Tag.PossResend),
  };
}

/** One side of a pair, as the input of the operation. */
export interface RateRequest {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly sellAmount?: number;
  readonly buyAmount?: number;
  readonly type: BookFxType;
  readonly holdUntilMs: number;
  readonly settlementDate?: string;
}

/** The request in the terms of the service. */
export interface QuoteTerms {
  readonly pair: Pair;
  /** Tradeable: the rate is to be held. */
  readonly isFirm: boolean;
  readonly quantity: number;
  readonly currency: string;
  /** The requested sides: the client sells CCY1 at the bid and buys it at the offer. */
  readonly bid: RateRequest | undefined;
  readonly offer: RateRequest | undefined;
}

const BUY = '1';
const SELL = '2';

/**
 * What only FIX can get wrong is refused here, in this order: VALIDATION_FAILED, UNKNOWN_SYMBOL, INVERSE_SYMBOL, BAD_BOOKFX_TYPE,
 * UNSUPPORTED_FIELD, BAD_SIDE, BAD_CURRENCY, BAD_AMOUNT, BAD_VALUE_DATE.
 */
export function quoteTerms(request: QuoteRequest, nowMs: number): QuoteTerms | Refusal {
  const { quoteType, side, currency, settlType, settlDate, validUntilMs } = request;
  if (quoteType !== '0' && quoteType !== '1') {
    return refuse('VALIDATION_FAILED', 'QuoteType(537) must be 0 indicative or 1 tradeable');
  }
  const isFirm = quoteType === '1';
  if (request.isStream && !isFirm)
    return refuse('VALIDATION_FAILED', `StreamQuotes(${Tag.StreamQuotes}) Y goes with QuoteType(537) 1`);
  const pair = pairOfInstrument(request.symbol, request.isForeignExchange);
  if (isRefusal(pair)) return pair;
  const type = bookFxTypeOf(request.type ?? DEFAULT_BOOK_FX_TYPE);
  if (isRefusal(type)) return type;
  if (request.unsupported) return request.unsupported;
  if (side !== undefined && side !== BUY && side !== SELL)
    return refuse('BAD_SIDE', 'Side(54) must be 1 buy or 2 sell, or absent for both');
  const { base, quote } = pair;
  if (currency !== base && currency !== quote) {
    return refuse('BAD_CURRENCY', `Currency(15) must be ${base} or ${quote}, one of the pair`);
  }
  const quantity = quantityOf(request.quantity);
  if (isRefusal(quantity)) return quantity;
  if (settlType !== undefined && settlType !== '0') {
    return refuse('BAD_VALUE_DATE', 'SettlType(63) must be 0 or absent: name another date in SettlDate(64)');
  }

  // Side(54) says what happens to CCY1 of the pair, in whichever of the two the amount is given.
  const ask = (sellCurrency: string, buyCurrency: string): RateRequest => ({
    sellCurrency,
    buyCurrency,
    ...(currency === sellCurrency ? { sellAmount: quantity } : { buyAmount: quantity }),
    type,
    holdUntilMs: Number.isNaN(validUntilMs) ? nowMs + LIMITS.holdMs : validUntilMs,
    ...(settlDate === undefined ? {} : { settlementDate: isoDate(settlDate) }),
  });
  return {
    pair,
    isFirm,
    quantity,
    currency,
    bid: side === BUY ? undefined : ask(base, quote),
    offer: side === SELL ? undefined : ask(quote, base),
  };
}

/** A LocalMktDate as the service has dates. */
const isoDate = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;

/** A refusal of the service in the words of this message: it calls the settlement date value date, and writes dates without dashes. */
export function toQuoteReject(refusal: Refusal): Refusal {
  if (refusal.refusal !== 'BAD_SETTLEMENT_DATE') return refusal;
  return refuse('BAD_VALUE_DATE', refusal.text.replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, '$1$2$3'));
}

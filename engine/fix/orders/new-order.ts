import type { MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Pair } from '../../domain/money/pair.js';
import { type AnswerTo, answerTo } from '../desk.js';
import {
  bookFxTypeOf,
  isForeignExchange,
  pairOfInstrument,
  quantityOf,
  type Reject,
  requiredTagMissing,
} from '../fields.js';
import { BUSINESS_REASON } from '../refusals.js';
import { notTakenField, UNSUPPORTED_IN_ORDER, unsupportedField } from '../unsupported-fields.js';
import type { OrderAsSent } from './execution-report.js';

/** The order as its reports repeat it. */
export interface SentOrder extends AnswerTo, OrderAsSent {
  readonly quantity: string;
  readonly currency: string;
}

/** A NewOrderSingle(D), copied out of its message, whose bytes are reused before the token has been read. */
export interface NewOrder extends SentOrder {
  readonly token: string | undefined;
  /** The booking, or the refusal that answers the order when its caller may book. */
  readonly booking: BookingRequest | Refusal;
}

/** A booking as an input of the service: the same when the order is resent. */
export interface BookingRequest {
  readonly name: 'bookFxByCurrency' | 'bookFxByAccount';
  readonly input: object;
  readonly description: string;
}

const MARKET = '1';
const LIMIT = '2';
const PREVIOUSLY_QUOTED = 'D';
/** A longer one was never given out. */
const QUOTE_ID_MAX = 64;
/** The dictionary cannot require them: Symbol(55), OrderQty(38), Currency(15). */
const REQUIRED = [Tag.Symbol, Tag.OrderQty, Tag.Currency];

export function parseNewOrder(message: MessageView): NewOrder | Reject {
  const required = REQUIRED.find((tag) => !message.has(tag));
  if (required !== undefined) return requiredTagMissing(required);
  const sent = readNewOrder(message);
  if (sent.ordType === PREVIOUSLY_QUOTED && !message.has(Tag.QuoteID)) return conditionallyMissing('QuoteID(117)');
  if (sent.ordType === LIMIT && !message.has(Tag.Price)) return conditionallyMissing('Price(44)');
  // A spread that is not last costs a microsecond for each property behind it.
  return { token: message.string(Tag.AuthToken), booking: bookingOf(message, sent), ...sent };
}

function conditionallyMissing(field: string): Reject {
  const refusal = refuse('VALIDATION_FAILED', `Conditionally required field missing: ${field}`);
  return { rejectWith: 'j', reason: BUSINESS_REASON.conditionallyRequired, refusal };
}

export function readNewOrder(message: MessageView): SentOrder {
  const { id, route } = answerTo(message, Tag.ClOrdID);
  return {
    id,
    route,
    symbol: message.string(Tag.Symbol) ?? '',
    side: message.string(Tag.Side) ?? '',
    quantity: message.string(Tag.OrderQty) ?? '',
    currency: message.string(Tag.Currency) ?? '',
    ordType: message.string(Tag.OrdType),
    price: message.string(Tag.Price),
    quoteId: message.string(Tag.QuoteID),
    timeInForce: message.string(Tag.TimeInForce),
    account: message.string(Tag.Account),
  };
}

/**
 * What only FIX can get wrong is refused here, in this order: UNKNOWN_SYMBOL, INVERSE_SYMBOL, BAD_BOOKFX_TYPE, UNSUPPORTED_ORDTYPE,
 * UNSUPPORTED_TIF, UNSUPPORTED_FIELD, BAD_SIDE, BAD_CURRENCY, BAD_AMOUNT, BAD_SETTLEMENT_DATE, VALIDATION_FAILED; HOLD_NOT_FOUND and
 * QUOTE_STALE for a QuoteID(117) that is too long to be one.
 */
function bookingOf(message: MessageView, sent: SentOrder): BookingRequest | Refusal {
  const { side, ordType, timeInForce = '4' } = sent;
  const pair = pairOfInstrument(sent.symbol, isForeignExchange(message));
  if (isRefusal(pair)) return pair;
  const sentType = message.string(Tag.BookFxType) ?? '';
  const type = sentType === '' ? sentType : bookFxTypeOf(sentType);
  if (isRefusal(type)) return type;
  if (ordType !== MARKET && ordType !== LIMIT && ordType !== PREVIOUSLY_QUOTED) return refuse('UNSUPPORTED_ORDTYPE');
  if (timeInForce !== '3' && timeInForce !== '4') return refuse('UNSUPPORTED_TIF');
  const unsupported = unsupportedField(message, UNSUPPORTED_IN_ORDER);
  if (unsupported) return unsupported;
  if (side !== '1' && side !== '2') return refuse('BAD_SIDE');

  // Side(54) says what happens to CCY1 of the pair, in whichever of the two the amount is given.
  const [buyCurrency, sellCurrency] = side === '1' ? [pair.base, pair.quote] : [pair.quote, pair.base];
  const amount = amountOf(sent, pair, sellCurrency);
  if (isRefusal(amount)) return amount;
  const settlement = settlementOf(message);
  if (isRefusal(settlement)) return settlement;
  const price = priceOf(sent);
  if (isRefusal(price)) return price;
  const notTaken = notTakenField(message);
  if (notTaken) return notTaken;
  const accounts = accountsOf(message);
  if (isRefusal(accounts)) return accounts;
  return {
    name: accounts === undefined ? 'bookFxByCurrency' : 'bookFxByAccount',
    input: { requestId: sent.id, sellCurrency, buyCurrency, type, ...amount, ...settlement, ...price, ...accounts },
    description: message.string(Tag.Text) ?? `FIX ${sent.id}`,
  };
}

function amountOf({ quantity, currency }: SentOrder, { base, quote }: Pair, sellCurrency: string) {
  if (currency !== base && currency !== quote) {
    return refuse('BAD_CURRENCY', `Currency(15) must be ${base} or ${quote}, one of the pair`);
  }
  const amount = quantityOf(quantity);
  if (isRefusal(amount)) return amount;
  return currency === sellCurrency ? { sellAmount: amount } : { buyAmount: amount };
}

/** SettlDate(64) where there is one; without it spot, or the date of the hold. */
function settlementOf(message: MessageView) {
  const settlDate = message.string(Tag.SettlDate);
  if (settlDate !== undefined) {
    return { settlementDate: `${settlDate.slice(0, 4)}-${settlDate.slice(4, 6)}-${settlDate.slice(6)}` };
  }
  if ((message.string(Tag.SettlType) ?? '0') === '0') return {};
  return refuse('BAD_SETTLEMENT_DATE', 'SettlType(63) must be 0 or absent: name another date in SettlDate(64)');
}

/** A field of another kind of order is refused: the intent would be ambiguous. */
function priceOf({ ordType, quoteId, price }: SentOrder) {
  if (ordType === PREVIOUSLY_QUOTED) {
    if (quoteId !== undefined && quoteId.length > QUOTE_ID_MAX) {
      return refuse(quoteId.startsWith('HLD') ? 'HOLD_NOT_FOUND' : 'QUOTE_STALE');
    }
    return { quoteId, quotedPrice: price && plainDecimal(price) };
  }
  if (quoteId !== undefined) return refuse('VALIDATION_FAILED', 'QuoteID(117) goes with OrdType(40) D');
  if (ordType === LIMIT) return { limitPrice: price && plainDecimal(price) };
  if (price === undefined) return {};
  return refuse('VALIDATION_FAILED', 'Price(44) goes with OrdType(40) 2 or D');
}

/** The canonical decimal: the same price with other digits is the same order. */
function plainDecimal(text: string): string {
  const parts = /^0*(\d*)(?:\.(\d*?)0*)?$/.exec(text);
  if (parts === null) return text;
  const [, whole = '', decimals = ''] = parts;
  return decimals === '' ? whole || '0' : `${whole || '0'}.${decimals}`;
}

/** SellAccount(20008), else Account(1), is sold from, BuyAccount(20007) bought into; undefined: none is named. */
function accountsOf(message: MessageView) {
  const [account, sellAccount, buyAccount] = [Tag.Account, Tag.SellAccount, Tag.BuyAccount].map((tag) =>
    message.string(tag),
  );
  if (account !== undefined && sellAccount !== undefined && account !== sellAccount) {
    return refuse('VALIDATION_FAILED', `Account(1) and SellAccount(${Tag.SellAccount}) differ: send one of them`);
  }
  const sold = sellAccount ?? account;
  if (sold === undefined && buyAccount === undefined) return undefined;
  return {
    ...(sold === undefined ? {} : { sellAccount: accountNumber(sold) }),
    ...(buyAccount === undefined ? {} : { buyAccount: accountNumber(buyAccount) }),
  };
}

/** A text that is no account number becomes 0, which is no account. */
const accountNumber = (text: string): number => (/^[1-9]\d{11}$/.test(text) ? Number(text) : 0);

/** Input fields of the service by their FIX names. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  description: 'Text(58)',
  quoteId: 'QuoteID(117)',
  limitPrice: 'Price(44)',
  quotedPrice: 'Price(44)',
};

export function toOrderReject(refusal: Refusal): Refusal {
  const { fields = [] } = refusal;
  if (refusal.refusal === 'BAD_SETTLEMENT_DATE' || refusal.refusal === 'HOLD_MISMATCH') {
    return { ...refusal, text: refusal.text.replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, '$1$2$3') };
  }
  if (refusal.refusal !== 'VALIDATION_FAILED' || fields.length === 0) return refusal;
  if (fields.some(({ field }) => field === 'requestId')) return refuse('BAD_REQUEST_ID');
  return refuse(
    'VALIDATION_FAILED',
    fields.map(({ field, message }) => `${FIELD_NAMES[field] ?? field}: ${message}`).join('; '),
  );
}

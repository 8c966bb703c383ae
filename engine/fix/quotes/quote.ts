import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { type AgreedRate, type Hold, holdSelling } from '../../domain/booking.js';
import { convert } from '../../domain/conversion.js';
import { formatMargin, formatMinor } from '../../domain/money.js';
import { type Pair, pairBySymbol } from '../../domain/pair.js';
import { isRefusal } from '../../domain/refusal.js';
import {
  BOOK_FX_TYPE,
  BUY_AMOUNT,
  BUY_CURRENCY,
  MARGIN_PERCENT,
  PROVIDER_RATE,
  priceText,
  providerPriceText,
  quantityText,
  SELL_AMOUNT,
  SELL_CURRENCY,
} from '../fields.js';

/** A rate for an amount, of one side or of both. */
interface Quoted {
  readonly quoteId: string;
  readonly isFirm: boolean;
  readonly pair: Pair;
  readonly quantity: string;
  readonly currency: string;
  readonly bid: AgreedRate | undefined;
  readonly offer: AgreedRate | undefined;
  /** Of one side: what is bought and sold. */
  readonly amounts: { readonly sellMinor: bigint; readonly buyMinor: bigint } | undefined;
  readonly validUntilMs: number;
  readonly atMs: number;
}

/** Quote(S), after QuoteReqID(131). */
export function quoteFields(quoted: Quoted): Field[] {
  const { quoteId, isFirm, pair, quantity, currency, bid, offer, amounts, validUntilMs, atMs } = quoted;
  const rate = (bid ?? offer)!;
  const oneSided = bid === undefined || offer === undefined;
  // An amount of the quote currency may be in two bands of margins, of which the larger is stated.
  const marginPpm = oneSided ? rate.marginPpm : Math.max(bid.marginPpm, offer.marginPpm);
  const fields: Field[] = [
    [117, quoteId],
    [537, isFirm ? 1 : 0],
    [55, pair.symbol],
    [460, 4],
  ];
  if (oneSided) fields.push([54, bid ? 2 : 1]);
  fields.push([38, quantity], [15, currency], [64, rate.valueDate]);
  if (bid) fields.push([132, priceText(bid.price, pair)]);
  if (offer) fields.push([133, priceText(offer.price, pair)]);
  if (bid) fields.push([134, quantity]);
  if (offer) fields.push([135, quantity]);
  fields.push([62, formatUtcTimestamp(validUntilMs)]);
  // Up to spot a rate has no forward points: what is paid is the spot rate.
  if (bid) fields.push([188, priceText(bid.price, pair)]);
  if (offer) fields.push([190, priceText(offer.price, pair)]);
  if (bid) fields.push([189, 0]);
  if (offer) fields.push([191, 0]);
  fields.push([60, formatUtcTimestamp(atMs)], [MARGIN_PERCENT, formatMargin(marginPpm)]);
  if (oneSided) fields.push([PROVIDER_RATE, providerPriceText(rate.providerPrice, pair)]);
  fields.push([BOOK_FX_TYPE, rate.type]);
  if (amounts) {
    fields.push(
      [BUY_CURRENCY, rate.buyCurrency],
      [SELL_CURRENCY, rate.sellCurrency],
      [BUY_AMOUNT, formatMinor(amounts.buyMinor, rate.buyCurrency)],
      [SELL_AMOUNT, formatMinor(amounts.sellMinor, rate.sellCurrency)],
    );
  }
  return fields;
}

/** The Quote(S) of a hold, the same at every repeat: every field follows from the hold. */
export function holdFields(hold: Hold): Field[] {
  const pair = pairBySymbol(hold.pair)!;
  const { sellCurrency, buyCurrency } = hold;
  // A desk's hold is for the amount of its request.
  const { side, minor } = hold.amount!;
  const amount = { side, minor: BigInt(minor) };
  const isTwoWay = hold.opposite !== undefined;
  // Of a two-way hold the other amount follows from the side that is dealt.
  const amounts = isTwoWay ? undefined : convert({ ...hold, pair, sell: sellCurrency, amount });
  const sellsBase = sellCurrency === pair.base;
  const currency = side === 'sell' ? sellCurrency : buyCurrency;
  return quoteFields({
    quoteId: hold.id,
    isFirm: true,
    pair,
    quantity: quantityText(amount.minor, currency),
    currency,
    bid: isTwoWay || sellsBase ? holdSelling(hold, pair.base) : undefined,
    offer: isTwoWay || !sellsBase ? holdSelling(hold, pair.quote) : undefined,
    amounts: isRefusal(amounts) ? undefined : amounts,
    validUntilMs: hold.expiryMs,
    atMs: hold.createdAtMs,
  });
}

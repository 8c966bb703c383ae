import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { type AgreedRate, type Hold, holdSelling } from '../../domain/conversions/booking.js';
import { isRefusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { convert } from '../../domain/money/conversion.js';
import { formatMargin, formatMinor } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { priceText, providerPriceText, quantityText } from '../fields.js';

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
    [Tag.QuoteID, quoteId],
    [Tag.QuoteType, isFirm ? 1 : 0],
    [Tag.Symbol, pair.symbol],
    [Tag.Product, 4],
  ];
  if (oneSided) fields.push([Tag.Side, bid ? 2 : 1]);
  fields.push([Tag.OrderQty, quantity], [Tag.Currency, currency], [Tag.SettlDate, rate.valueDate]);
  if (bid) fields.push([Tag.BidPx, priceText(bid.price, pair)]);
  if (offer) fields.push([Tag.OfferPx, priceText(offer.price, pair)]);
  if (bid) fields.push([Tag.BidSize, quantity]);
  if (offer) fields.push([Tag.OfferSize, quantity]);
  fields.push([Tag.ValidUntilTime, formatUtcTimestamp(validUntilMs)]);
  // Up to spot a rate has no forward points: what is paid is the spot rate.
  if (bid) fields.push([Tag.BidSpotRate, priceText(bid.price, pair)]);
  if (offer) fields.push([Tag.OfferSpotRate, priceText(offer.price, pair)]);
  if (bid) fields.push([Tag.BidForwardPoints, 0]);
  if (offer) fields.push([Tag.OfferForwardPoints, 0]);
  fields.push([Tag.TransactTime, formatUtcTimestamp(atMs)], [Tag.MarginPercent, formatMargin(marginPpm)]);
  if (oneSided) fields.push([Tag.ProviderRate, providerPriceText(rate.providerPrice, pair)]);
  fields.push([Tag.BookFxType, rate.type]);
  if (amounts) {
    fields.push(
      [Tag.BuyCurrency, rate.buyCurrency],
      [Tag.SellCurrency, rate.sellCurrency],
      [Tag.BuyAmount, formatMinor(amounts.buyMinor, rate.buyCurrency)],
      [Tag.SellAmount, formatMinor(amounts.sellMinor, rate.sellCurrency)],
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

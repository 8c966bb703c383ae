/** The terms of a conversion: whether the pair is dealt now, at which rate (market, streamed or held), and when it settles. */

import { dayFromIsoText } from '../../domain/calendar/day.js';
import type { AgreedRate, DealtSide, Hold } from '../../domain/conversions/booking.js';
import { type HoldMargin, NO_HOLD } from '../../domain/conversions/hold-period.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf, checkDealtSize, convert } from '../../domain/money/conversion.js';
import { parsePositive } from '../../domain/money/money.js';
import type { Pair } from '../../domain/money/pair.js';
import { clientBid, clientOffer, isClientPrice, type MarginBand, WHOLE_PPM } from '../../domain/money/rate.js';
import {
  type BookFxType,
  checkSettlementDate,
  dateSettlesAtMs,
  settlesAtMs,
  spotDate,
} from '../../domain/money/value-date.js';
import { clientHalted, pairHalted } from '../../domain/risk/trading-state.js';
import { type ClientQuote, marginOf, unitsOf } from '../../rates/pricing.js';
import type { Services, StreamedPrice, StreamedQuote } from '../core/services.js';
import { proofOfPriced, proofOfStreamed } from './price-proofs.js';

export interface RateWanted {
  readonly clientId: string;
  readonly pair: Pair;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  /** As requested, or the client's default. */
  readonly type: BookFxType;
  /** The amount that is sold or bought, minor units of its currency: the rate is that of its size. Absent: the first band's. */
  readonly amount?: DealtAmount | undefined;
}

export interface DealtAmount {
  readonly side: DealtSide;
  readonly minor: bigint;
}

/** A rate without its settlement date. */
export type Rate = Omit<AgreedRate, 'valueDate'>;
/** Before its proof is made. */
type Terms = Omit<Rate, 'proof'>;

/** A rate, and what it is good for. */
export interface PricedRate {
  readonly rate: Terms;
  /** The market of the first band that the rate is one of. */
  readonly quote: ClientQuote;
  /** The client's own margin that the rate's is made from, without what a hold adds: with the quote it gives `pricing.marginParts`. */
  readonly rulePpm: number;
  /** What the period of a hold has added to it. */
  readonly addOnPpm: number;
  /** Units of base whose margin the rate has. */
  readonly size: number;
  /** Of the oldest level that it takes. */
  readonly ageMs: number;
  /** How many levels of the book it takes. */
  readonly levels: number;
  /** Until when the price holds, epoch ms. */
  readonly validUntilMs: number;
}

/** The rate of `pricedRate`, with its proof. */
export function marketRate(services: Services, wanted: RateWanted, hold?: HoldMargin): Rate | Refusal {
  const priced = pricedRate(services, wanted, hold);
  if (isRefusal(priced)) return priced;
  return { ...priced.rate, proof: proofOfPriced(services, wanted, priced) };
}

/**
 * The rate of an amount, or of the first band, with what a hold makes of its margin. Refuses with NOT_ENTITLED, TRADING_HALTED while the pair or
 * the client is halted, RATE_UNAVAILABLE, or INSUFFICIENT_LIQUIDITY; for an amount that the pair is not dealt in with the reason for that.
 */
export function pricedRate(
  { pricing }: Pick<Services, 'pricing'>,
  wanted: RateWanted,
  hold: HoldMargin = NO_HOLD,
): PricedRate | Refusal {
  const { clientId, pair, sellCurrency, type, amount } = wanted;
  const { addOnPpm } = hold;
  const duePpm = (marginPpm: number, rulePpm: number) => heldMargin(pricing, wanted, hold, marginPpm, rulePpm);
  const quote = pricing.quote(clientId, pair, type);
  if (isRefusal(quote)) return quote;
  const isBid = sellCurrency === pair.base;
  const first = rateFrom(quote, isBid ? quote.bidMarginPpm : quote.offerMarginPpm, wanted, type);
  const baseMinor = amount && baseMinorAt(first, pair, amount);
  // What cannot be converted at any price is refused by its conversion.
  if (amount === undefined || baseMinor === undefined) {
    const { rulePpm, ageMs, validUntilMs } = quote;
    const rate = withMargin(first, pair, duePpm(first.marginPpm, rulePpm));
    return isRefusal(rate) ? rate : { rate, quote, rulePpm, addOnPpm, size: 0, ageMs, levels: 1, validUntilMs };
  }
  const isBase = isInBase(first, pair, amount);
  const priced: AtMargin = (rulePpm, size) => {
    const marginPpm = duePpm(pricing.effectivePpm(quote, isBid, rulePpm), rulePpm);
    const sized = pricing.sized(quote, isBid, { isBase, minor: amount.minor }, marginPpm);
    if (isRefusal(sized)) return sized;
    const { price, providerPrice, ageMs, levels, validUntilMs } = sized;
    const rate = { ...first, price, providerPrice, marginPpm };
    return { rate, quote, rulePpm, addOnPpm, size, ageMs, levels, validUntilMs };
  };
  const size = unitsOf(pair, baseMinor);
  const found = isBase ? priced(marginOf(quote.bands, size), size) : inItsBand(pair, amount, quote.bands, priced);
  return isRefusal(found) ? (checkDealtSize(pair, baseMinor) ?? found) : found;
}

/** The rate of an amount at one of the client's own margins, which is that of a size. */
type AtMargin = (rulePpm: number, size: number) => PricedRate | Refusal;

/** The rate of an amount at the margin of one of the client's bands. */
interface InBand {
  readonly rulePpm: number;
  readonly priced: PricedRate | Refusal;
}

const dearer = (one: InBand | undefined, other: InBand): InBand =>
  one !== undefined && one.rulePpm > other.rulePpm ? one : other;

/**
 * The rate of an amount of quote: at the margin of the band that contains the base that it comes to at that margin. Where several bands do, the
 * dearest for the client; where none does, the dearer of the two bands between which it is.
 */
function inItsBand(
  pair: Pair,
  amount: DealtAmount,
  bands: readonly MarginBand[],
  priced: AtMargin,
): PricedRate | Refusal {
  let within: InBand | undefined;
  let between: InBand | undefined;
  let above: InBand | undefined;
  let last: InBand | undefined;
  let sizeAbove = Number.POSITIVE_INFINITY;
  let ends = Number.POSITIVE_INFINITY;
  for (let i = bands.length - 1; i >= 0; i--) {
    const { above: begins, marginPpm: rulePpm } = bands[i]!;
    const found = priced(rulePpm, 0);
    // A book that ends before the amount has it beyond every size.
    const size = isRefusal(found) ? Number.POSITIVE_INFINITY : sizeAt(found.rate, pair, amount);
    // A size of the band, also where the amount is none of it: its rule is found by it.
    const sizeInBand = Math.min(ends, i === 0 ? size : Math.max(size, begins + SMALLEST));
    const here = { rulePpm, priced: isRefusal(found) ? found : { ...found, size: sizeInBand } };
    if (size <= ends && (size > begins || i === 0)) {
      if (!isRefusal(found)) within = dearer(within, here);
    } else if (above !== undefined && size > ends && sizeAbove <= ends) between = dearer(between, dearer(above, here));
    last ??= here;
    above = here;
    sizeAbove = size;
    ends = begins;
  }
  // Neither: the book ends before the amount at the margin of the last band, where it would be. A smaller band's margin is not for it.
  return (within ?? between ?? last!).priced;
}

/** The least above the beginning of a band: amounts have fewer than three decimals. */
const SMALLEST = 0.001;

/** Units of base that an amount comes to at a rate: 0 where that is nothing, Infinity where it is more than any amount. */
function sizeAt(rate: Terms, pair: Pair, amount: DealtAmount): number {
  const conversion = convert({ ...rate, pair, sell: rate.sellCurrency, amount });
  if (!isRefusal(conversion)) return unitsOf(pair, baseMinorOf(pair, rate.sellCurrency, conversion));
  return conversion.refusal === 'AMOUNT_BELOW_MIN' ? 0 : Number.POSITIVE_INFINITY;
}

/**
 * What a hold makes of an effective margin. A platform's own part is no part of the floor: the platform earns it, and would have the option for
 * nothing.
 */
function heldMargin(
  pricing: Services['pricing'],
  { clientId, pair, type }: RateWanted,
  { addOnPpm, floorPpm }: HoldMargin,
  marginPpm: number,
  rulePpm: number,
): number {
  if (floorPpm === 0) return marginPpm + addOnPpm;
  const platformPpm = Math.min(rulePpm, pricing.platformPpm(clientId, pair, type));
  return Math.max(marginPpm + addOnPpm, floorPpm + platformPpm);
}

/** The rate at another margin. Refuses with RATE_UNAVAILABLE where it leaves no price. */
function withMargin(rate: Terms, pair: Pair, marginPpm: number): Terms | Refusal {
  if (marginPpm === rate.marginPpm) return rate;
  if (marginPpm >= WHOLE_PPM) return refuse('RATE_UNAVAILABLE');
  const price = (rate.sellCurrency === pair.base ? clientBid : clientOffer)(rate.providerPrice, marginPpm);
  return isClientPrice(price, price) ? { ...rate, price, marginPpm } : refuse('RATE_UNAVAILABLE');
}

const isInBase = ({ sellCurrency }: Terms, { base }: Pair, { side }: DealtAmount): boolean =>
  (side === 'sell') === (sellCurrency === base);

/** Minor units of base that an amount comes to at a rate; undefined: it cannot be converted. */
function baseMinorAt(rate: Terms, pair: Pair, amount: DealtAmount): bigint | undefined {
  const { sellCurrency } = rate;
  if (isInBase(rate, pair, amount)) return amount.minor;
  const conversion = convert({ ...rate, pair, sell: sellCurrency, amount });
  return isRefusal(conversion) ? undefined : baseMinorOf(pair, sellCurrency, conversion);
}

type Prices = Pick<StreamedPrice, 'bid' | 'offer' | 'providerBid' | 'providerOffer'>;

/** The bid where the base currency is sold, else the offer. */
function rateFrom(
  prices: Prices,
  marginPpm: number,
  { pair, sellCurrency, buyCurrency }: Pick<RateWanted, 'pair' | 'sellCurrency' | 'buyCurrency'>,
  type: BookFxType,
): Terms {
  const isBid = sellCurrency === pair.base;
  return {
    pair: pair.symbol,
    sellCurrency,
    buyCurrency,
    price: isBid ? prices.bid : prices.offer,
    providerPrice: isBid ? prices.providerBid : prices.providerOffer,
    marginPpm,
    type,
  };
}

/** The amount of a request that gives at most one of the two. Refuses with BAD_AMOUNT. */
export function amountOf(request: {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly sellAmount?: number | undefined;
  readonly buyAmount?: number | undefined;
}): DealtAmount | Refusal | undefined {
  const { sellCurrency, buyCurrency, sellAmount, buyAmount } = request;
  const side = sellAmount === undefined ? 'buy' : 'sell';
  const given = sellAmount ?? buyAmount;
  if (given === undefined) return undefined;
  const minor = parsePositive(given, side === 'sell' ? sellCurrency : buyCurrency);
  return isRefusal(minor) ? minor : { side, minor };
}

const STALE = 'QUOTE_STALE';

/** The price of a QuoteEntryID(299), for a client whose own price it is. Refuses with QUOTE_STALE. */
export function streamedRate(
  services: Services,
  streamed: StreamedPrice | undefined,
  wanted: RateWanted,
): Rate | Refusal {
  if (streamed === undefined) return refuse(STALE);
  const { clientId, pair, sellCurrency } = wanted;
  const { sides, type } = streamed;
  const { marginPpm, rulePpm, limit } = sellCurrency === pair.base ? streamed.bidBand : streamed.offerBand;
  const isShown = sides === 'both' || sides === (sellCurrency === pair.base ? 'bid' : 'offer');
  // Another client's tier, or a margin of the client's own that has changed since; what the rules of pricing add to it may have.
  if (streamed.pair !== pair || !isShown) return refuse(STALE);
  if (services.pricing.marginPpm(clientId, pair, type, limit) !== rulePpm) return refuse(STALE);
  const proof = proofOfStreamed(services, wanted, streamed);
  return Object.assign(rateFrom(streamed, marginPpm, wanted, type), { proof });
}

/** The rate of a streamed quote. Refuses with HOLD_MISMATCH where it is of another pair or side. */
export function quotedRate({ pair, bid, offer }: StreamedQuote, wanted: RateWanted): Rate | Refusal {
  const rate = wanted.pair !== pair ? undefined : wanted.sellCurrency === pair.base ? bid : offer;
  return rate ?? refuse('HOLD_MISMATCH', 'Pair or side differ from the quote');
}

/** The hold's own rate, of `holdSelling` for the currency. Refuses with HOLD_MISMATCH when it was made for another direction or pair. */
export function heldRate(
  hold: Hold,
  { sellCurrency, buyCurrency }: Pick<RateWanted, 'sellCurrency' | 'buyCurrency'>,
): Rate | Refusal {
  if (hold.sellCurrency !== sellCurrency || hold.buyCurrency !== buyCurrency)
    return refuse(
      'HOLD_MISMATCH',
      hold.opposite
        ? `The hold is of ${hold.pair}`
        : `The hold sells ${hold.sellCurrency} and buys ${hold.buyCurrency}`,
    );
  const { pair, price, providerPrice, marginPpm, type, proof } = hold;
  return { pair, sellCurrency, buyCurrency, price, providerPrice, marginPpm, type, proof };
}

export interface SettlementRequest {
  /** 'YYYY-MM-DD'; undefined: none was requested. */
  readonly requested: string | undefined;
  /** 'YYYYMMDD' that a streamed rate is for. */
  readonly agreed?: string | undefined;
  readonly now: number;
}

export interface Settlement {
  /** 'YYYYMMDD'. */
  readonly valueDate: string;
  /** When a scheduled conversion settles, epoch ms; undefined: it settles at once. */
  readonly atMs: number | undefined;
}

/** The settlement date of a conversion, and when it settles. Refuses with BAD_SETTLEMENT_DATE. */
export function settlementOf(
  pair: Pair,
  type: BookFxType,
  { requested, agreed, now }: SettlementRequest,
): Settlement | Refusal {
  if (type !== 'PREFUNDING') {
    const atMs = settlesAtMs(type, pair.base, pair.quote, now);
    if (isRefusal(atMs)) return atMs;
    const day = new Date(atMs).toISOString().slice(0, 10);
    if (requested !== undefined && requested !== day)
      return refuse('BAD_SETTLEMENT_DATE', `${type} settles on ${day}: send this date or none`);
    return { valueDate: day.replaceAll('-', ''), atMs };
  }
  const date = requested?.replaceAll('-', '');
  // An agreed date stays valid, even if the calendar has changed since.
  const bad = requested === undefined || date === agreed ? undefined : checkSettlementDate(pair, requested, now);
  if (bad) return bad;
  const valueDate = agreed ?? date;
  if (valueDate !== undefined) return { valueDate, atMs: undefined };
  const spot = spotDate(pair, now);
  return isRefusal(spot) ? refuse('BAD_SETTLEMENT_DATE', spot.text) : { valueDate: spot.date, atMs: undefined };
}

/**
 * A hold keeps its date, even if the calendar has changed since: a scheduled one settles at the time of day of its lock, or at once when
 * that is past. Refuses a text that is no date with BAD_SETTLEMENT_DATE; a different date is HOLD_MISMATCH.
 */
export function heldSettlement(
  { type, valueDate, createdAtMs }: Hold,
  { requested, now }: Omit<SettlementRequest, 'agreed'>,
): Settlement | Refusal {
  if (requested !== undefined && dayFromIsoText(requested) === undefined)
    return refuse('BAD_SETTLEMENT_DATE', `${requested.slice(0, 10)} is no date: send ${isoOf(valueDate)} or none`);
  if (type === 'PREFUNDING') return { valueDate, atMs: undefined };
  return { valueDate, atMs: Math.max(now, dateSettlesAtMs(valueDate, createdAtMs)) };
}

/** From 'YYYYMMDD' to 'YYYY-MM-DD'. */
export const isoOf = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;

/**
 * MARKET_CLOSED while the market is closed, TRADING_HALTED while the pair or the client is: then no conversion is booked at any rate. Without a client
 * for a deal of the operator's. The market is open for all clients alike, whatever the own clock of one says.
 */
export function refuseIfNotTradable(services: Services, clientId: string | undefined, pair: Pair): Refusal | undefined {
  const { book, settings, states } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return refuse('MARKET_CLOSED');
  if (book.isHalted(pair.index)) return pairHalted(pair);
  return clientId !== undefined && states.isHalted(clientId) ? clientHalted() : undefined;
}

/**
 * The current time for opening hours and value dates outside a step: the store's clock, by which bookings are checked; this machine's until
 * the store's is known.
 */
export function dealingTime({ store, now }: Services): number {
  return store.clock.estimate() ?? now();
}

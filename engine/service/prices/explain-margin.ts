/** Explains a client's price: the margin rules, the one that applies, and the arithmetic on the current price. */

import { z } from 'zod';
import {
  HOLD_PERIOD_NAMES,
  type HoldMargin,
  type HoldPeriodName,
  holdPeriodOf,
  NO_HOLD,
} from '../../domain/conversions/hold-period.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf, type Conversion, convert } from '../../domain/money/conversion.js';
import { exponentOf, formatScaled, parsePositive } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { WHOLE_PPM } from '../../domain/money/rate.js';
import { BOOK_FX_TYPES, type BookFxType } from '../../domain/money/value-date.js';
import type { MarginParts } from '../../domain/prices/effective-margin.js';
import { formatPips, formatVolatility, thousandthsOf } from '../../domain/prices/pricing-rule.js';
import { type MarginPlace, unitsOf } from '../../rates/pricing.js';
import type { Client } from '../../store/access/clients.js';
import { ASK_MS } from '../../store/coordination/engines.js';
import { boundedText, CLIENT_ID, PAIR } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { type PricedRate, pricedRate } from './conversion-terms.js';
import { holdMarginOf } from './get-lockable-rate.js';

/**
 * The margin rules that could apply to a client and a pair, what the rules of pricing change on the one that applies, and the price that this makes
 * of the provider's price, by the same functions that make every price. Without a price it explains the rules alone, with the reason. Refuses with UNKNOWN_CLIENT, BAD_CURRENCY,
 * BAD_AMOUNT, and as a conversion does.
 */
export const explainMargin = defineOpenOperation({
  input: z
    .object({
      clientId: CLIENT_ID,
      pair: PAIR,
      /** Default: the client's own. */
      type: z.enum(BOOK_FX_TYPES).optional(),
      holdPeriod: z.enum(HOLD_PERIOD_NAMES).optional(),
      /** As a hold in either direction. */
      twoWay: z.boolean().optional(),
      /** The currency and the amount sold: both or none. */
      sellCurrency: boundedText(3).optional(),
      amount: boundedText(32).optional(),
    })
    .refine(({ sellCurrency, amount }) => (sellCurrency === undefined) === (amount === undefined), {
      path: ['amount'],
      error: 'an amount and the currency that is sold go together',
    }),
  async execute(services, _operator, input) {
    const { clientId, pair: symbol, type: requested, holdPeriod, twoWay = false, sellCurrency, amount } = input;
    const client = await services.store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const pair = pairBySymbol(symbol)!;
    if (sellCurrency !== undefined && sellCurrency !== pair.base && sellCurrency !== pair.quote)
      return refuse('BAD_CURRENCY', `${sellCurrency} is not of ${symbol}`);
    const minor = sellCurrency !== undefined && amount !== undefined ? parsePositive(amount, sellCurrency) : undefined;
    if (isRefusal(minor)) return minor;

    const type = requested ?? client.defaultType;
    const given = sellCurrency === undefined || minor === undefined ? undefined : { sellCurrency, minor };
    const hold = holdPeriod ? holdMarginOf(services, pair, holdPeriodOf(holdPeriod)!.ms, twoWay) : NO_HOLD;
    const price = await priceOf(services, client, pair, type, hold, given);
    const size =
      given && (isRefusal(price) ? sizeOf(services, clientId, pair, type, given) : price[sideOf(pair, given)].size);
    const places = services.margins.places(clientId, symbol, type, size);
    const wins = places.findIndex(({ marginPpm }) => marginPpm !== undefined);
    const rules = places.map((place, i) => ({ ...place, wins: i === wins }));
    const platformPpm = services.margins.platformPpm(clientId, symbol, type);
    const marginPpm = services.margins.find(clientId, symbol, type, size);
    const of = { clientId, pair: symbol, type, rules };
    const volatility = formatVolatility(services.pricing.shifts.volatility(pair.index));
    const explained: MarginExplained = { ...of, marginPpm, platformPpm, holdPeriod, ...hold, volatility };

    if (isRefusal(price)) return { ...explained, noPrice: price };
    if (given === undefined) return { ...explained, price };
    const conversion = converted(pair, given.sellCurrency, given.minor, price[sideOf(pair, given)]);
    return isRefusal(conversion) ? conversion : { ...explained, price, conversion };
  },
});

interface MarginExplained {
  readonly clientId: string;
  readonly pair: string;
  readonly type: BookFxType;
  /** Every possible rule, the most specific first: the first that exists applies. */
  readonly rules: readonly (MarginPlace & { readonly wins: boolean })[];
  /** Of the rule that applies, with what a platform adds; undefined: none does, and the pair is not offered. */
  readonly marginPpm: number | undefined;
  /** What the platform of a sub-client adds; 0 for any other client. */
  readonly platformPpm: number;
  readonly holdPeriod: HoldPeriodName | undefined;
  /** What the period of the hold adds to the margin, and below what value the house's part of it is not. */
  readonly addOnPpm: number;
  readonly floorPpm: number;
  /** By which the pair's holds are valued, percent of a year. */
  readonly volatility: string;
  readonly price?: PriceExplained;
  /** The reason for a missing price. */
  readonly noPrice?: Refusal;
  readonly conversion?: ConversionExplained;
}

interface PriceExplained {
  /** Age of the older of its ticks. */
  readonly ageMs: number;
  /** No provider quotes the pair: it is made from two others. */
  readonly isCross: boolean;
  /** What the rules of pricing change now, decimal texts in pips; undefined: nothing. */
  readonly pricing: PricingExplained | undefined;
  /** Providers that quote the pair, as reported by the engine that runs the feed; empty where no engine answers. */
  readonly providers: readonly string[];
  readonly bid: SideExplained;
  readonly offer: SideExplained;
}

interface PricingExplained {
  /** Above 0: the house is long base. Added to the bid's margin and taken off the offer's; below 0 the reverse. */
  readonly skew: string;
  /** Added to both sides, because the newest tick is old. */
  readonly widening: string;
  /** Bounds of the client's spread; 0: none. */
  readonly spreadMin: string;
  readonly spreadMax: string;
}

interface SideExplained {
  /** What the margin is made of, without what a hold adds. */
  readonly margin: MarginParts;
  /** What the value of the hold adds to it and to the period's add-on. */
  readonly floorPpm: number;
  /** Decimal texts, market convention. */
  readonly provider: string;
  /** Before half-even rounding to the decimals of the pair; ends in '...' where it has more decimals than shown. */
  readonly exact: string;
  readonly client: string;
  readonly rate: PricedRate['rate'];
  /** Units of base whose margin it has. */
  readonly size: number;
}

interface Given {
  readonly sellCurrency: string;
  readonly minor: bigint;
}

const sideOf = ({ base }: Pair, { sellCurrency }: Given): 'bid' | 'offer' => (sellCurrency === base ? 'bid' : 'offer');

/** Units of base that the amount comes to at the first band; undefined where there is no price for it. */
function sizeOf(
  { pricing }: Services,
  clientId: string,
  pair: Pair,
  type: BookFxType,
  { sellCurrency, minor }: Given,
): number | undefined {
  if (sellCurrency === pair.base) return unitsOf(pair, minor);
  const quote = pricing.quote(clientId, pair, type);
  if (isRefusal(quote)) return undefined;
  const { offer: price, providerOffer: providerPrice } = quote;
  const made = convert({ pair, sell: sellCurrency, price, providerPrice, amount: { side: 'sell', minor } });
  return isRefusal(made) ? undefined : unitsOf(pair, baseMinorOf(pair, sellCurrency, made));
}

/** Both sides, as a hold, a booking or a stream has them. */
async function priceOf(
  services: Services,
  client: Client,
  pair: Pair,
  type: BookFxType,
  hold: HoldMargin,
  given: Given | undefined,
): Promise<PriceExplained | Refusal> {
  const { base, quote } = pair;
  const { minor = 0n } = given ?? {};
  const amountIn = (sold: string) =>
    given && { amount: { side: given.sellCurrency === sold ? 'sell' : 'buy', minor } as const };
  const wanted = { clientId: client.id, pair, type };
  const sellsBase = pricedRate(
    services,
    { ...wanted, sellCurrency: base, buyCurrency: quote, ...amountIn(base) },
    hold,
  );
  const sellsQuote = pricedRate(
    services,
    { ...wanted, sellCurrency: quote, buyCurrency: base, ...amountIn(quote) },
    hold,
  );
  if (isRefusal(sellsBase)) return sellsBase;
  if (isRefusal(sellsQuote)) return sellsQuote;
  const pricing = pricingOf(services, pair);
  const [bid, offer] = [explained(services, pair, sellsBase), explained(services, pair, sellsQuote)];
  const book = services.book.read(pair.index);
  const [ageMs, isCross] = [book?.ageMs ?? 0, book?.crossed ?? false];
  // Behind a relay, only the engine that runs the feed knows the providers.
  const reported = await services.store.engines.pairs(ASK_MS);
  const providers = reported?.find(({ pair: symbol }) => symbol === pair.symbol)?.providers ?? [];
  return { ageMs, isCross, pricing, providers, bid, offer };
}

function pricingOf({ pricing }: Services, pair: Pair): PricingExplained | undefined {
  const shift = pricing.shifts.of(pair.index);
  if (pricing.shifts.isOn[pair.index] === 0) return undefined;
  const pips = (units: number) => formatPips(thousandthsOf(pair, units));
  const { skew, widening, spreadMin, spreadMax } = shift;
  return { skew: pips(skew), widening: pips(widening), spreadMin: pips(spreadMin), spreadMax: pips(spreadMax) };
}

function explained(
  { pricing }: Services,
  { base, priceDigits }: Pair,
  { rate, quote, rulePpm, addOnPpm, size }: PricedRate,
): SideExplained {
  const margin = pricing.marginParts(quote, rate.sellCurrency === base, rulePpm);
  const floorPpm = rate.marginPpm - margin.marginPpm - addOnPpm;
  const left = BigInt(WHOLE_PPM - rate.marginPpm);
  const scale = 10n ** BigInt(priceDigits);
  const [provider, whole] = [BigInt(rate.providerPrice), BigInt(WHOLE_PPM)];
  const exact =
    rate.sellCurrency === base
      ? quotientText(provider * left, whole * scale, priceDigits + MORE_DECIMALS)
      : quotientText(provider * whole, left * scale, priceDigits + MORE_DECIMALS);
  const shown = (scaled: number) => formatScaled(scaled, priceDigits);
  return { provider: shown(rate.providerPrice), exact, client: shown(rate.price), margin, floorPpm, rate, size };
}

/** The conversion as a booking computes it, without the limits of the pair and of the client. */
function converted(
  pair: Pair,
  sellCurrency: string,
  minor: bigint,
  { rate }: SideExplained,
): ConversionExplained | Refusal {
  const { price, providerPrice } = rate;
  const made = convert({ pair, sell: sellCurrency, price, providerPrice, amount: { side: 'sell', minor } });
  if (isRefusal(made)) return made;
  const scale = 10n ** BigInt(pair.priceDigits);
  const unit = 10n ** BigInt(exponentOf(sellCurrency));
  const places = exponentOf(rate.buyCurrency) + MORE_DECIMALS;
  const exact =
    sellCurrency === pair.base
      ? quotientText(minor * BigInt(price), unit * scale, places)
      : quotientText(minor * scale, unit * BigInt(price), places);
  return { ...made, sellCurrency, buyCurrency: rate.buyCurrency, exact };
}

interface ConversionExplained extends Conversion {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  /** The bought amount before it is rounded down to minor units. */
  readonly exact: string;
}

/** A margin has six decimals: with as many more the bid is exact. */
const MORE_DECIMALS = 6;

/** Decimal text, with '...' appended where there is a remainder. */
function quotientText(numerator: bigint, denominator: bigint, places: number): string {
  const scaled = numerator * 10n ** BigInt(places);
  const text = String(scaled / denominator).padStart(places + 1, '0');
  const rest = scaled % denominator === 0n ? '' : '...';
  return `${text.slice(0, -places)}.${text.slice(-places)}${rest}`;
}

/** Why a rate is what it is: the proof that its booking or hold stores, made at the moment of the rate. */

import type { AgreedRate } from '../../domain/conversions/booking.js';
import type { Pair } from '../../domain/money/pair.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import type { MarginParts } from '../../domain/prices/effective-margin.js';
import { type PriceProof, type PriceWay, proofText, type RuleScope } from '../../domain/prices/price-proof.js';
import type { Services, StreamedPrice } from '../core/services.js';
import type { PricedRate, RateWanted } from './conversion-terms.js';

/** What of a priced rate is gone with its moment. */
interface PriceMoment {
  readonly way: PriceWay;
  /** Of PriceOrigins. */
  readonly originKeys: Float64Array;
  readonly parts: MarginParts;
}

/** That of a rate which has just been made. */
function momentOf(
  { book, pricing }: Services,
  { pair, sellCurrency }: RateWanted,
  { quote, rulePpm }: PricedRate,
  way: PriceWay,
): PriceMoment {
  const parts =
    pricing.shifts.isOn[pair.index] === 0
      ? { rulePpm, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, marginPpm: rulePpm }
      : pricing.marginParts(quote, sellCurrency === pair.base, rulePpm);
  return { way, originKeys: book.origins.now(pair.index), parts };
}

/** The proof of a rate; without a moment it is one that has just been made. */
export function proofOfPriced(
  services: Services,
  wanted: RateWanted,
  priced: PricedRate,
  moment: PriceMoment = momentOf(services, wanted, priced, 'market'),
): string {
  const { clientId, pair, sellCurrency, type, amount } = wanted;
  const { rate, quote, size, levels, ageMs, addOnPpm } = priced;
  const isBid = sellCurrency === pair.base;
  const { way, originKeys, parts } = moment;
  const most = isBid ? quote.bidLimit : quote.offerLimit;
  const { engine, epoch } = ofProcess(services);
  const { rulePpm, skewPpm, wideningPpm, spreadPpm, marginPpm } = parts;
  // Without a spread: V8 takes half a microsecond for each member behind one.
  return proofText({
    way,
    legs: services.book.origins.legs(pair, isBid, originKeys),
    levels,
    ageMs,
    spread: quote.providerOffer - quote.providerBid,
    size: amount === undefined ? finite(most) : size,
    isMost: amount === undefined,
    scope: scopeOf(services, clientId, pair, type, size),
    rulePpm,
    platformPpm: platformPpmOf(services, clientId, pair, type, rulePpm),
    skewPpm,
    wideningPpm,
    spreadPpm,
    addOnPpm,
    floorPpm: rate.marginPpm - marginPpm - addOnPpm,
    priceDigits: pair.priceDigits,
    engine,
    epoch,
  });
}

/** The rate of a streamed quote: its proof is made only where the quote is dealt. */
export function agreedQuote(services: Services, wanted: RateWanted, priced: PricedRate, valueDate: string): AgreedRate {
  const moment = momentOf(services, wanted, priced, 'quote');
  return {
    ...priced.rate,
    valueDate,
    get proof() {
      return proofOfPriced(services, wanted, priced, moment);
    },
  };
}

/** The proof of a streamed price, when it is booked. */
export function proofOfStreamed(
  services: Services,
  { clientId, pair, sellCurrency }: RateWanted,
  { type, bidBand, offerBand, originKeys, providerBid, providerOffer, isBand }: StreamedPrice,
): string {
  const isBid = sellCurrency === pair.base;
  const { limit, levels, rulePpm, skewPpm, wideningPpm, spreadPpm } = isBid ? bidBand : offerBand;
  const { engine, epoch } = ofProcess(services);
  const legs = services.book.origins.legs(pair, isBid, originKeys);
  return proofText({
    way: 'streamed',
    legs,
    levels,
    ageMs: legs.reduce((oldest, { ageMs }) => Math.max(oldest, ageMs), 0),
    // A band's prices are of its size, and a side may have fewer bands.
    spread: isBand ? undefined : providerOffer - providerBid,
    size: finite(limit),
    isMost: true,
    scope: scopeOf(services, clientId, pair, type, limit),
    rulePpm,
    platformPpm: platformPpmOf(services, clientId, pair, type, rulePpm),
    skewPpm,
    wideningPpm,
    spreadPpm,
    addOnPpm: 0,
    floorPpm: 0,
    priceDigits: pair.priceDigits,
    engine,
    epoch,
  });
}

const finite = (units: number): number => (units === Number.POSITIVE_INFINITY ? 0 : units);

function ofProcess({ store }: Services): Pick<PriceProof, 'engine' | 'epoch'> {
  return { engine: store.engineId.slice(0, 8), epoch: Math.floor(store.openedAtMs / 1_000) };
}

/** A margin at its largest has less of it. */
const platformPpmOf = (
  { pricing }: Services,
  clientId: string,
  pair: Pair,
  type: BookFxType,
  rulePpm: number,
): number => Math.min(rulePpm, pricing.platformPpm(clientId, pair, type));

function scopeOf(
  { pricing }: Services,
  clientId: string,
  pair: Pair,
  type: BookFxType,
  size: number,
): RuleScope | undefined {
  const rule = pricing.rule(clientId, pair, type, size);
  if (rule === undefined) return undefined;
  const { clientId: client, pair: symbol, type: kind, above = 0 } = rule;
  return { client: client !== '*', pair: symbol !== '*', type: kind !== '*', above };
}

import { randomInt } from 'node:crypto';
import type { Pair } from '../../domain/money/pair.js';
import type { MarginBand } from '../../domain/money/rate.js';
import type { StreamRequest } from './desk-streams.js';
import { LadderBody } from './ladder-body.js';
import { PriceShape, type PriceTier, shapeKey, type TierTerms } from './price-shape.js';

const RUN_DIGITS = 6;
const TIER_DIGITS = 4;
const TIERS = 36 ** TIER_DIGITS;

/** The tiers that are streamed, each held by its subscriptions. */
export class PriceTiers {
  /** Tiers that carry SourceTime(20017). */
  withSourceTime = 0;
  private readonly tiers = new Map<string, PriceTier>();
  private readonly names = new Map<string, PriceTier>();
  private readonly shapes = new Map<string, PriceShape>();
  private made = 0;
  // Distinguishes our entry ids from those of an earlier run or of another engine.
  private readonly run = inDigits(randomInt(36 ** RUN_DIGITS), RUN_DIGITS);

  constructor(private readonly spotDate: (terms: TierTerms) => string | undefined) {}

  /** `newest` is the number of the pair's newest price. */
  hold(terms: TierTerms, newest: number): PriceTier {
    const key = tierKey(terms);
    let tier = this.tiers.get(key);
    if (tier === undefined) {
      const shape = this.shapeOf(terms);
      shape.tiers++;
      const name = this.nextName();
      tier = makeTier(terms, shape, name, newest);
      this.tiers.set(key, tier);
      this.names.set(name, tier);
      if (terms.sourceTime) this.withSourceTime++;
    }
    tier.holders++;
    return tier;
  }

  drop(tier: PriceTier): void {
    if (--tier.holders > 0) return;
    this.tiers.delete(tierKey(tier.terms));
    this.names.delete(tier.name);
    if (--tier.shape.tiers === 0) this.shapes.delete(shapeKey(tier.terms));
    if (tier.terms.sourceTime) this.withSourceTime--;
  }

  named(name: string): PriceTier | undefined {
    return this.names.get(name);
  }

  /** Rolls the spot dates; the pairs whose spot date has changed. */
  rollSpotDates(): Set<number> {
    const rolled = new Set<number>();
    for (const shape of this.shapes.values()) {
      const { terms } = shape;
      if (terms.valueDate === undefined && shape.settleOn(this.spotDate(terms))) rolled.add(terms.pair.index);
    }
    if (rolled.size > 0) for (const { ladder } of this.tiers.values()) ladder?.forget();
    return rolled;
  }

  private shapeOf(terms: TierTerms): PriceShape {
    const key = shapeKey(terms);
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      shape = new PriceShape(terms, this.spotDate(terms));
      this.shapes.set(key, shape);
    }
    return shape;
  }

  // All of one length, so that one overwrites the other. They restart after 1.7 million, skipping those in use.
  private nextName(): string {
    let name: string;
    do name = this.run + inDigits(this.made++ % TIERS, TIER_DIGITS);
    while (this.names.has(name));
    return name;
  }
}

function makeTier(terms: TierTerms, shape: PriceShape, name: string, since: number): PriceTier {
  const { marginPpm } = terms;
  const epoch = Buffer.from(name, 'latin1');
  const tier: PriceTier & { ladder: LadderBody | undefined } = {
    terms,
    shape,
    marginPpm,
    name,
    epoch,
    since,
    ladder: undefined,
    holders: 0,
  };
  if (terms.isLadder) tier.ladder = new LadderBody(tier);
  return tier;
}

const inDigits = (number: number, digits: number): string => number.toString(36).padStart(digits, '0');

/** Terms of the same key are one tier. */
export const tierKey = (terms: TierTerms): string => `${shapeKey(terms)}|${terms.marginPpm}`;

/** What of the terms changes with the operator's margins. */
export type Margins = Pick<TierTerms, 'marginPpm' | 'bandLimit' | 'bands'>;

export const marginsFrom = (bands: readonly MarginBand[]): Margins => ({
  marginPpm: bands[0]!.marginPpm,
  bandLimit: bands[1]?.above ?? Number.POSITIVE_INFINITY,
  bands,
});

/** A tier of ladders has both forms. */
export const hasTwoTiers = ({ incremental, isLadder }: StreamRequest): boolean => incremental && !isLadder;

export function termsOf(request: StreamRequest, pair: Pair, margins: Margins, form: 'W' | 'X'): TierTerms {
  const sides = request.bid && request.offer ? 'both' : request.bid ? 'bid' : 'offer';
  return {
    pair,
    ...margins,
    isLadder: request.isLadder,
    type: request.type,
    sides,
    form,
    ...(request.valueDate === undefined ? {} : { valueDate: request.valueDate }),
    discloseMargin: request.discloseMargin,
    discloseProviderRate: request.discloseProviderRate && sides !== 'both' && form === 'W',
    sourceTime: request.sourceTime,
  };
}

import { PriceShape, type PriceTier, shapeKey, type TierTerms } from './price-shape.js';

const EPOCH_DIGITS = 4;
const EPOCHS = 36 ** EPOCH_DIGITS;

/** The tiers that somebody streams, each held by its subscriptions. */
export class PriceTiers {
  /** Tiers that carry SourceTime(20017). */
  withSourceTime = 0;
  private readonly tiers = new Map<string, PriceTier>();
  private readonly shapes = new Map<string, PriceShape>();
  private made = 0;
  // Entry ids of an earlier run of the engine must not be taken for ours.
  private readonly run = Math.floor(Date.now() / 1000).toString(36);

  constructor(private readonly spotDate: (terms: TierTerms) => string | undefined) {}

  hold(terms: TierTerms): PriceTier {
    const key = tierKey(terms);
    let tier = this.tiers.get(key);
    if (tier === undefined) {
      const shape = this.shapeOf(terms);
      shape.tiers++;
      tier = { terms, shape, marginPpm: terms.marginPpm, epoch: this.nextEpoch(), holders: 0 };
      this.tiers.set(key, tier);
      if (terms.sourceTime) this.withSourceTime++;
    }
    tier.holders++;
    return tier;
  }

  drop(tier: PriceTier): void {
    if (--tier.holders > 0) return;
    this.tiers.delete(tierKey(tier.terms));
    if (--tier.shape.tiers === 0) this.shapes.delete(shapeKey(tier.terms));
    if (tier.terms.sourceTime) this.withSourceTime--;
  }

  /** Pairs whose spot date is another than before. */
  rollSpotDates(): Set<number> {
    const rolled = new Set<number>();
    for (const shape of this.shapes.values()) {
      const { terms } = shape;
      if (terms.valueDate === undefined && shape.settleOn(this.spotDate(terms))) rolled.add(terms.pair.index);
    }
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

  // All of one length, so that one overwrites the other.
  private nextEpoch(): Uint8Array {
    const number = (this.made++ % EPOCHS).toString(36).padStart(EPOCH_DIGITS, '0');
    return Buffer.from(this.run + number, 'latin1');
  }
}

const tierKey = (terms: TierTerms): string => `${shapeKey(terms)}|${terms.marginPpm}`;

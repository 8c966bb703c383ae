/** What is wrong with a simulated provider at this moment. */
export class Faults {
  /** Connected, but silent. */
  isStalled = false;
  /** So many ticks to come have their bid above their offer. */
  crossedTicks = 0;
  /** Every price is this many percent off. */
  offPercent = 0;
  /** Only the next tick is this many percent off. */
  spikePercent = 0;

  /** The price with the faults applied, scaled; undefined: it is not sent. */
  apply(bid: number, offer: number): { bid: number; offer: number } | undefined {
    if (this.isStalled) return undefined;
    const factor = (1 + this.offPercent / 100) * (1 + this.spikePercent / 100);
    this.spikePercent = 0;
    const low = Math.round(bid * factor);
    const high = Math.round(offer * factor);
    if (this.crossedTicks === 0) return { bid: low, offer: high };
    this.crossedTicks--;
    return { bid: high + 1, offer: low };
  }
}

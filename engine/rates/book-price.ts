/** The price of a pair as `read` gives it: one reused object, good until the next read. */
export interface BookPrice {
  /** Scaled by the pair's price digits. */
  bid: number;
  offer: number;
  /** Whole units of base; 0: not sent by the provider. */
  bidSize: number;
  offerSize: number;
  /** The provider's own time of the newer of the two ticks, epoch microseconds; of a cross the older leg's. */
  sourceTimeUs: number;
  /** Since the oldest tick that makes the price was received. */
  ageMs: number;
  /** Computed from two other pairs, because no provider quotes this one. */
  crossed: boolean;
}

/** What is known of a provider, for the metrics. */
export interface ProviderStatus {
  readonly name: string;
  readonly up: boolean;
  readonly ticks: number;
  /** Since its last good tick; undefined before the first. */
  readonly ageMs: number | undefined;
}

export function newPrice(crossed: boolean): BookPrice {
  return { bid: 0, offer: 0, bidSize: 0, offerSize: 0, sourceTimeUs: 0, ageMs: 0, crossed };
}

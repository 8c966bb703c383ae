import { clientBid, clientOffer, isClientPrice } from '../../domain/rate.js';

/** Prices kept of each pair: those of half a second as long as no more than 2,000 a second come. A power of two. */
const KEPT = 1024;
/** Number, bid, offer, when it was published: side by side, so that keeping a price touches one place in memory. */
const COLUMNS = 4;

/** A price that was the newest of its pair, scaled, as the providers gave it. */
interface RecentPrice {
  readonly bid: number;
  readonly offer: number;
  /** When a newer one came, on the clock of the rate book; undefined: it is the newest. */
  readonly replacedAtMs: number | undefined;
}

/** The last prices of each pair that is followed, so that a desk may book what it has just seen. Nothing is allocated per price. */
export class RecentPrices {
  private readonly rings: (Float64Array | undefined)[] = [];

  /** Makes room for a pair, once. */
  open(pair: number): void {
    this.rings[pair] ??= new Float64Array(KEPT * COLUMNS);
  }

  /** `version` is the number of the price within its pair; bid 0 is no price. */
  add(pair: number, version: number, bid: number, offer: number, atMs: number): void {
    const ring = this.rings[pair]!;
    const at = placeOf(version);
    ring[at] = version;
    ring[at + 1] = bid;
    ring[at + 2] = offer;
    ring[at + 3] = atMs;
  }

  /** Undefined when it is no longer kept, or when it or a later one, up to `newest`, is no price at this margin. */
  find(pair: number, version: number, newest: number, marginPpm: number): RecentPrice | undefined {
    const ring = this.rings[pair];
    if (ring === undefined || version > newest || newest - version >= KEPT) return undefined;
    for (let later = version; later <= newest; later++) {
      const at = placeOf(later);
      if (ring[at] !== later || !isPrice(ring[at + 1]!, ring[at + 2]!, marginPpm)) return undefined;
    }
    const at = placeOf(version);
    const replacedAtMs = version === newest ? undefined : ring[placeOf(version + 1) + 3];
    return { bid: ring[at + 1]!, offer: ring[at + 2]!, replacedAtMs };
  }
}

const placeOf = (version: number): number => (version & (KEPT - 1)) * COLUMNS;

function isPrice(bid: number, offer: number, marginPpm: number): boolean {
  return bid !== 0 && offer !== 0 && isClientPrice(clientBid(bid, marginPpm), clientOffer(offer, marginPpm));
}

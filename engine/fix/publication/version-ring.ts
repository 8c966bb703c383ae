import { LIMITS } from '../settings.js';

/** Number of the version, and when the one before it was replaced; then its values. */
const HEAD = 2;

/** What was replaced, or left, may be dealt for so long after. */
export const isDealableAfter = (endedAtMs: number, nowMs: number): boolean => nowMs - endedAtMs <= LIMITS.espTtlMs;

/** When what holds until `freshUntilMs` ends where it is replaced at `atMs`: so that it cannot be dealt once it is too old. */
export const endOf = (freshUntilMs: number, atMs: number): number => Math.min(atMs, freshUntilMs - LIMITS.espTtlMs);

/** The last versions of each pair that is followed, so that a desk may deal what it has just been sent. Nothing is allocated per version. */
export class VersionRing {
  private readonly rings: (Float64Array | undefined)[] = [];
  private readonly columns: number;

  /** `kept` versions of each pair, a power of two, each with so many values, side by side in memory. */
  constructor(
    private readonly kept: number,
    values: number,
  ) {
    this.columns = HEAD + values;
  }

  /** Makes room for a pair, once; true where there was none. */
  open(pair: number): boolean {
    if (this.isOpen(pair)) return false;
    this.rings[pair] = new Float64Array(this.kept * this.columns);
    return true;
  }

  isOpen(pair: number): boolean {
    return this.rings[pair] !== undefined;
  }

  /** Returns where the values of the version are to be written in those of the pair. The one before ends then, as `endOf` has it. */
  add(pair: number, version: number, endOfLastMs: number): number {
    const values = this.valuesOf(pair);
    const at = this.placeOf(version);
    values[at] = version;
    values[at + 1] = endOfLastMs;
    return at + HEAD;
  }

  valuesOf(pair: number): Float64Array {
    return this.rings[pair]!;
  }

  /**
   * The values of a version that may be dealt now: it is the newest, or was replaced at most half a second ago. Undefined where it is no longer
   * kept, and where it or a later one is no price.
   */
  find(
    pair: number,
    version: number,
    newest: number,
    nowMs: number,
    isPrice: (values: Float64Array, at: number, version: number) => boolean,
  ): Float64Array | undefined {
    const values = this.rings[pair];
    if (values === undefined || version > newest || newest - version >= this.kept) return undefined;
    for (let later = version; later <= newest; later++) {
      const at = this.placeOf(later);
      if (values[at] !== later || !isPrice(values, at + HEAD, later)) return undefined;
    }
    if (version < newest && !isDealableAfter(values[this.placeOf(version + 1) + 1]!, nowMs)) return undefined;
    const at = this.placeOf(version);
    return values.subarray(at + HEAD, at + this.columns);
  }

  /** Its values where it is kept, however long ago it was replaced. */
  valuesAt(pair: number, version: number): Float64Array | undefined {
    const values = this.rings[pair];
    const at = this.placeOf(version);
    return values?.[at] === version ? values.subarray(at + HEAD, at + this.columns) : undefined;
  }

  private placeOf(version: number): number {
    return (version & (this.kept - 1)) * this.columns;
  }
}

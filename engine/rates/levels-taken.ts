/** What deals have taken from the levels of providers since the ticks that brought them. Cells are those of ProviderQuotes. */
import { MAX_BOOK_LEVELS } from './tick-sink.js';

/** Minor units of base that deals have taken from a level. */
export interface KeptTaken {
  readonly isBid: boolean;
  readonly level: number;
  readonly minor: number;
}

export class LevelsTaken {
  /** Some deal has taken something: until then no level is looked at for it. */
  isAny = false;
  // Of each cell first the bids, then the offers; made when a deal first takes from it.
  readonly #cells: (Float64Array | undefined)[] = [];

  of(cell: number, isBid: boolean, level: number): number {
    const taken = this.#cells[cell];
    return taken === undefined ? 0 : taken[at(isBid, level)]!;
  }

  add(cell: number, { isBid, level, minor }: KeptTaken): void {
    this.isAny = true;
    this.#cells[cell] ??= new Float64Array(2 * MAX_BOOK_LEVELS);
    this.#cells[cell][at(isBid, level)]! += minor;
  }

  /** A tick has brought other levels. */
  clear(cell: number): void {
    this.#cells[cell]?.fill(0);
  }

  /** For a snapshot. */
  kept(cell: number): KeptTaken[] {
    return Array.from(this.#cells[cell] ?? [], (minor, i) => {
      return { isBid: i < MAX_BOOK_LEVELS, level: i % MAX_BOOK_LEVELS, minor };
    }).filter(({ minor }) => minor !== 0);
  }
}

const at = (isBid: boolean, level: number): number => (isBid ? level : MAX_BOOK_LEVELS + level);

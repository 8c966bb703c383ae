import type { Difference } from './ledger-replay.js';

const SHOWN_MAX = 1_000;

/** Differences, each once; the first thousand are kept, the others counted. */
export class DifferenceList {
  readonly shown: Difference[] = [];
  readonly #names = new Set<string>();
  count = 0;

  add(found: readonly Difference[]): void {
    for (const difference of found) {
      const name = JSON.stringify(difference);
      if (this.#names.has(name)) continue;
      this.count++;
      if (this.shown.length >= SHOWN_MAX) continue;
      this.#names.add(name);
      this.shown.push(difference);
    }
  }

  addAll(other: DifferenceList): void {
    this.add(other.shown);
    this.count += other.count - other.shown.length;
  }
}

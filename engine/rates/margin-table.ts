import type { BookFxType } from '../domain/book-fx-type.js';

/** One line of the operator's margin sheet; `*` stands for every client, pair or type. */
export interface MarginRule {
  readonly clientId: string;
  /** `EUR/USD` or `*`. */
  readonly pair: string;
  readonly type: BookFxType | '*';
  /** Margin in millionths: percent x 10,000; 0 to 999,999. */
  readonly marginPpm: number;
}

/** The margins in force, in memory, because each price asks for one. Replaced as a whole when the sheet changes. */
export class MarginTable {
  #rules = new Map<string, number>();
  readonly #listeners: (() => void)[] = [];

  replace(rules: readonly MarginRule[]): void {
    this.#rules = new Map(rules.map((rule) => [keyOf(rule.clientId, rule.pair, rule.type), rule.marginPpm]));
    for (const listener of this.#listeners) listener();
  }

  /** Called after each replace. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * The margin of the nearest rule: the client's own before everyone's, within that the pair's before every pair's, within
   * that the type's before every type's. Undefined: no rule, so the pair is not offered to the client.
   */
  find(clientId: string, pair: string, type: BookFxType): number | undefined {
    for (const client of [clientId, '*']) {
      for (const symbol of [pair, '*']) {
        const marginPpm = this.#rules.get(keyOf(client, symbol, type)) ?? this.#rules.get(keyOf(client, symbol, '*'));
        if (marginPpm !== undefined) return marginPpm;
      }
    }
    return undefined;
  }
}

// A client id has no blank in it, nor has a symbol.
function keyOf(clientId: string, pair: string, type: string): string {
  return `${clientId} ${pair} ${type}`;
}

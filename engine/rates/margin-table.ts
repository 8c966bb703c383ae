import type { BookFxType } from '../domain/book-fx-type.js';

/** One line of the operator's margin sheet; `*` means every client, pair or type. */
export interface MarginRule {
  readonly clientId: string;
  /** `EUR/USD` or `*`. */
  readonly pair: string;
  readonly type: BookFxType | '*';
  /** Margin in millionths: percent x 10,000; 0 to 999,999. */
  readonly marginPpm: number;
}

/** A place of a rule that may apply to a client, pair and type. */
export interface MarginPlace extends Omit<MarginRule, 'marginPpm'> {
  /** Undefined: there is no rule at this place. */
  readonly marginPpm: number | undefined;
}

/** The margins in force, in memory, because each price asks for one. Replaced as a whole when the sheet changes. */
export class MarginTable {
  #rules = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  replace(rules: readonly MarginRule[]): void {
    this.#rules = new Map(rules.map((rule) => [keyOf(rule.clientId, rule.pair, rule.type), rule.marginPpm]));
    for (const listener of this.#listeners) listener();
  }

  /** Called after each replace, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The margin of the nearest rule: the client's own before everyone's, within that the pair's before every pair's, within
   * that the type's before every type's. Undefined: no rule, so the pair is not offered to the client.
   */
  find(clientId: string, pair: string, type: BookFxType): number | undefined {
    for (const own of NEAREST_FIRST) {
      const marginPpm = this.#rules.get(keyOf(...placeOf(own, clientId, pair, type)));
      if (marginPpm !== undefined) return marginPpm;
    }
    return undefined;
  }

  /** Every place that `find` checks, in its order, and the rule there: the first rule applies. */
  places(clientId: string, pair: string, type: BookFxType): MarginPlace[] {
    return NEAREST_FIRST.map((own) => {
      const [client, symbol, kind] = placeOf(own, clientId, pair, type);
      const marginPpm = this.#rules.get(keyOf(client, symbol, kind));
      return { clientId: client, pair: symbol, type: kind, marginPpm };
    });
  }
}

/** What of a rule is the asker's own, and not everyone's or every pair's or type's. */
interface Own {
  readonly client: boolean;
  readonly pair: boolean;
  readonly type: boolean;
}

const NEAREST_FIRST: readonly Own[] = [true, false].flatMap((client) =>
  [true, false].flatMap((pair) => [true, false].map((type) => ({ client, pair, type }))),
);

function placeOf(own: Own, clientId: string, pair: string, type: BookFxType): [string, string, BookFxType | '*'] {
  return [own.client ? clientId : '*', own.pair ? pair : '*', own.type ? type : '*'];
}

// A client id has no blank in it, nor has a symbol.
function keyOf(clientId: string, pair: string, type: string): string {
  return `${clientId} ${pair} ${type}`;
}

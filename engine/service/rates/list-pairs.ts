import { z } from 'zod';
import { BOOK_FX_TYPES, type BookFxType } from '../../domain/book-fx-type.js';
import { PAIRS, type Pair } from '../../domain/pair.js';
import { defineOperation } from '../core/operation.js';

export interface OfferedPair {
  readonly pair: Pair;
  /** The types for which the client has a margin. */
  readonly types: readonly BookFxType[];
}

/** The pairs that the caller's client is offered: those with a margin. */
export const listPairs = defineOperation({
  input: z.object({}),
  execute({ margins }, { clientId }) {
    const typesOf = (pair: Pair) =>
      BOOK_FX_TYPES.filter((type) => margins.find(clientId, pair.symbol, type) !== undefined);
    const pairs: OfferedPair[] = PAIRS.map((pair) => ({ pair, types: typesOf(pair) }));
    return { pairs: pairs.filter(({ types }) => types.length > 0) };
  },
});

import { pairBySymbol } from '../../domain/pair.js';
import { boundedText } from './text-input.js';

const CONVENTION = 'a pair in market convention, such as EUR/USD';

export const PAIR = boundedText(7, CONVENTION).refine((symbol) => pairBySymbol(symbol) !== undefined, {
  error: CONVENTION,
});

/** A pair, or `*` for all. */
export const PAIR_OR_ALL = boundedText(7, CONVENTION).refine(
  (symbol) => symbol === '*' || pairBySymbol(symbol) !== undefined,
  {
    error: `${CONVENTION}, or *`,
  },
);

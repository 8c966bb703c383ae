import { z } from 'zod';
import { pairBySymbol } from '../domain/pair.js';

const CONVENTION = 'a pair in market convention, such as EUR/USD';

export const PAIR = z.string().refine((symbol) => pairBySymbol(symbol) !== undefined, { error: CONVENTION });

/** A pair, or `*` for all. */
export const PAIR_OR_ALL = z.string().refine((symbol) => symbol === '*' || pairBySymbol(symbol) !== undefined, {
  error: `${CONVENTION}, or *`,
});

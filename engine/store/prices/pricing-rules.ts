/** The rules of pricing: of a pair, or `*` of all. */
import { z } from 'zod';
import { PAIR_OR_ALL } from '../../domain/core/ids.js';
import type { PricingRule } from '../../domain/prices/pricing-rule.js';
import type { Connection } from '../connection/connection.js';
import { mustMatch } from '../keys/redis-keys.js';
import { type Rules, rules } from '../ledger/rules.js';

const PART = z.int().nonnegative().max(10_000_000).optional();
const RULE = z.object({
  skew: PART,
  skewMax: PART,
  widenAfterMs: PART,
  widenBy: PART,
  spreadMin: PART,
  spreadMax: PART,
  volatility: PART,
});

export const pricingRules = (connection: Connection): Rules<PricingRule> =>
  rules(connection, {
    kind: 'pricing',
    what: 'pricing rules',
    checkName: (pair) => mustMatch(PAIR_OR_ALL, 'pair', pair),
    parse: (pair, json) => Object.assign(RULE.parse(json), { pair }),
  });

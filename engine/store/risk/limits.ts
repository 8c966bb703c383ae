/** The limits of clients and of the house. A change applies in every process within a second. */

import { z } from 'zod';
import { CLIENT_ID } from '../../domain/core/ids.js';
import { AMOUNT_LIMITS, EVERY_CLIENT, type LimitRule, NUMBER_LIMITS } from '../../domain/risk/limits.js';
import type { Connection } from '../connection/connection.js';
import { mustMatch } from '../keys/redis-keys.js';
import { type Rules, rules } from '../ledger/rules.js';

/** What a step judges of the deals that it books, in one piece where they are several. Absent: there is no such limit. */
export interface StepLimits extends Partial<ExposureLimits>, Partial<HouseLimits> {
  /** Conversions in one second. */
  readonly dealsPerSecond?: number | undefined;
  /** Those of the sub-client's platform, for its own deals and those of all its sub-clients; without the house. */
  readonly platform?: Omit<StepLimits, 'platform' | 'house'> | undefined;
}

/** What the deals change, seen from the house: whole minor units of the base currency by currency. */
interface DealChanges {
  readonly base: string;
  readonly changes: readonly (readonly [currency: string, value: number])[];
}

/** The house has limits for these currencies, in total, or for pairs that are REDUCING: the step takes room for the changes. */
export interface HouseLimits extends DealChanges {
  readonly house: {
    readonly currencies: readonly string[];
    readonly total: boolean;
    /** What the deals change in each pair that is REDUCING: minor units of its base, seen from the house. */
    readonly reducing: readonly (readonly [pair: string, amount: number])[];
    /** Whether a step that lacks room asks the role for it: not where it is not repeated. */
    asks: boolean;
  };
}

/** Limits of the exposure, and what the deals add to it. Values are whole minor units of the base currency, seen from the house. */
export interface ExposureLimits extends DealChanges {
  /** `EUR/USD|20261125`, `20261125`, the value of the pair's base currency. */
  readonly dates: readonly (readonly [field: string, date: string, value: number])[];
  readonly nopOf: Readonly<Record<string, number>>;
  readonly nop?: number | undefined;
  readonly settlement?: number | undefined;
  /** Percent of a limit from which its use is a warning: the client gets an event. */
  readonly warnPercent: number;
}

const LIMIT = z.number().int().nonnegative().nullable();
const RULE = z.object({
  base: z.string(),
  ...Object.fromEntries([...AMOUNT_LIMITS, ...NUMBER_LIMITS].map((field) => [field, LIMIT.optional()])),
  nopOf: z.record(z.string(), LIMIT).optional(),
});

/** By scope: a client, `*` or the house. */
export const limits = (connection: Connection): Rules<LimitRule> =>
  rules(connection, {
    kind: 'limits',
    what: 'limits',
    checkName: (scope) => scope === EVERY_CLIENT || mustMatch(CLIENT_ID, 'client id', scope),
    parse: (_scope, json) => RULE.parse(json) as LimitRule,
  });

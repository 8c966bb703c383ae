/** The limits of clients and of the house. A change applies in every process within a second. */

import { z } from 'zod';
import { CLIENT_ID } from '../../domain/ids.js';
import { AMOUNT_LIMITS, EVERY_CLIENT, type LimitRule, NUMBER_LIMITS } from '../../domain/risk/limits.js';
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface LimitStore {
  /**
   * Replaces the rule of a client, of `*` or of the house by what `change` makes of it; undefined removes it. `change` is called again where
   * the rule has changed meanwhile. Returns the new rule. TypeError for an invalid scope.
   */
  change(
    scope: string,
    change: (before: LimitRule | undefined) => LimitRule | undefined,
  ): Promise<LimitRule | undefined>;
  /** By scope. */
  load(): Promise<ReadonlyMap<string, LimitRule>>;
  /** Called with all rules after each change, and once soon after the first subscription; the newest rules apply. */
  onChange(changed: (rules: ReadonlyMap<string, LimitRule>) => void): () => void;
  close(): void;
}

/** What a step judges of the deals that it books, in one piece where they are several. Absent: there is no such limit. */
export interface StepLimits extends Partial<ExposureLimits>, Partial<HouseLimits> {
  /** Conversions in one second. */
  readonly dealsPerSecond?: number | undefined;
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
}

const LIMITS = '{limits}:rules';
const VERSION = '{limits}:version';
export const SET_LIMITS = step('set-limits', { keys: ['limits', 'version'], args: ['scope', 'before', 'rule?'] });

const LIMIT = z.number().int().nonnegative().nullable();
const RULE = z.object({
  base: z.string(),
  ...Object.fromEntries([...AMOUNT_LIMITS, ...NUMBER_LIMITS].map((field) => [field, LIMIT.optional()])),
  nopOf: z.record(z.string(), LIMIT).optional(),
});

/** Two operators rarely change one rule at once. */
const TRIES_MAX = 20;

export function limits(connection: Connection): LimitStore {
  const load = async (): Promise<ReadonlyMap<string, LimitRule>> => {
    const kept = await connection.read((redis) => redis.hgetall(LIMITS));
    const scopes = Object.keys(kept).sort();
    return new Map(scopes.map((scope) => [scope, ruleFrom(kept[scope]!)]));
  };
  const all = versionedConfig(connection, { name: 'limits', version: VERSION, channel: 'limits:changed', load });
  return {
    async change(scope, change) {
      if (scope !== EVERY_CLIENT) mustMatch(CLIENT_ID, 'client id', scope);
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const before = await connection.write((redis) => redis.hget(LIMITS, scope));
        const rule = change(before === null ? undefined : ruleFrom(before));
        const args = { scope, before: before ?? '', rule: rule && JSON.stringify(rule) };
        if ((await connection.step(SET_LIMITS, { limits: LIMITS, version: VERSION }, args)) !== 1) continue;
        all.notify();
        return rule;
      }
      throw new Error(`the limits of ${scope} changed ${TRIES_MAX} times while they were set`);
    },
    load,
    onChange: all.onChange,
    close: all.close,
  };
}

const ruleFrom = (text: string): LimitRule => RULE.parse(JSON.parse(text)) as LimitRule;

/** The rules of pricing. A change applies in every process within a second. */

import { z } from 'zod';
import { PAIR_OR_ALL } from '../../domain/ids.js';
import type { PricingRule } from '../../domain/risk/pricing-rule.js';
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface PricingRules {
  /**
   * Makes of the rule of a pair, or of `*`, what `change` returns: undefined removes it. Returns the rule before and after. `change` may be called
   * again where another process changes the rule meanwhile: after 20 times StoreUnavailable is thrown. TypeError for an invalid pair.
   */
  change(
    pair: string,
    change: (before: PricingRule | undefined) => PricingRule | undefined,
  ): Promise<{ readonly before: PricingRule | undefined; readonly after: PricingRule | undefined }>;
  /** In order of pairs. */
  list(): Promise<readonly PricingRule[]>;
  /** Called with all rules after each change, and once soon after the first subscription. */
  onChange(changed: (rules: readonly PricingRule[]) => void): () => void;
  close(): void;
}

const RULES = '{pricing}:rules';
const VERSION = '{pricing}:version';
const KEYS = { rules: RULES, version: VERSION };
export const SET_PRICING_RULE = step('set-pricing-rule', {
  keys: ['rules', 'version'],
  args: ['pair', 'before', 'rule'],
});

/** Each time, another process has changed the rule in between. */
const TRIES_MAX = 20;

const PART = z.int().nonnegative().max(10_000_000).optional();
const RULE = z.object({
  skew: PART,
  skewMax: PART,
  widenAfterMs: PART,
  widenBy: PART,
  spreadMin: PART,
  spreadMax: PART,
});

export function pricingRules(connection: Connection): PricingRules {
  const asRule = (pair: string, text: string): PricingRule => ({ pair, ...RULE.parse(JSON.parse(text)) });
  const list = async (): Promise<readonly PricingRule[]> => {
    const kept = await connection.read((redis) => redis.hgetall(RULES));
    return Object.entries(kept)
      .map(([pair, text]) => asRule(pair, text))
      .sort((a, b) => (a.pair < b.pair ? -1 : 1));
  };
  const rules = versionedConfig(connection, {
    name: 'pricing rules',
    version: VERSION,
    channel: 'pricing:changed',
    load: list,
  });
  return {
    async change(name, change) {
      const pair = mustMatch(PAIR_OR_ALL, 'pair', name);
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const text = (await connection.read((redis) => redis.hget(RULES, pair))) ?? '';
        const before = text === '' ? undefined : asRule(pair, text);
        const after = change(before);
        const { pair: _, ...parts } = after ?? { pair };
        const rule = after === undefined ? '' : JSON.stringify(parts);
        if (rule !== text && (await connection.step(SET_PRICING_RULE, KEYS, { pair, before: text, rule })) !== 1)
          continue;
        if (rule !== text) rules.notify();
        return { before, after };
      }
      throw new StoreUnavailable('none');
    },
    list,
    onChange: rules.onChange,
    close: rules.close,
  };
}

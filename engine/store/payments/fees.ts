/** The fees of a client's payments, as the operator has set them. */
import {
  FEE_CORRIDOR,
  FEE_FIXED,
  FEE_PPM_MAX,
  type FeeRule,
  type FeeScope,
  feeRuleName,
} from '../../domain/payments/fee.js';
import { PAYMENT_METHODS } from '../../domain/payments/payment-details.js';
import { TtlCache } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, mustMatch } from '../keys/redis-keys.js';

export interface Fees {
  /** False when the client has its maximum of rules (1,000). TypeError or RangeError for an invalid rule. */
  set(of: MoneyOf, rule: FeeRule): Promise<boolean>;
  /** False when there was no such rule. */
  remove(of: MoneyOf, scope: FeeScope): Promise<boolean>;
  /** In order. */
  list(of: MoneyOf): Promise<readonly FeeRule[]>;
  /** By name, cached for a second: every payment needs it. */
  cached(of: MoneyOf): Promise<ReadonlyMap<string, FeeRule>>;
}

const RULES_MAX = 1_000;
const METHOD = new RegExp(`^(\\*|${PAYMENT_METHODS.join('|')})$`);

export const SET_FEE = step(import.meta.url, 'set-fee', { keys: ['rules'], args: ['rule', 'terms', 'rulesMax'] });

export function fees(connection: Connection): Fees {
  const known = new TtlCache<ReadonlyMap<string, FeeRule>>();
  const list = async (of: MoneyOf): Promise<readonly FeeRule[]> => {
    const kept = await connection.read((redis) => redis.hgetall(ledgerKeys(of).fees));
    return Object.entries(kept).map(asRule).sort(byName);
  };
  return {
    async set(of, { fixed, ppm, ...scope }) {
      if (!Number.isInteger(ppm) || ppm < 0 || ppm > FEE_PPM_MAX)
        throw new RangeError('a fee is 0 to 1,000,000 millionths');
      const terms = `${mustMatch(FEE_FIXED, 'fixed fee', fixed)} ${ppm}`;
      const args = { rule: field(scope), terms, rulesMax: RULES_MAX };
      const set = (await connection.step(SET_FEE, { rules: ledgerKeys(of).fees }, args)) === 1;
      known.forget(of.id);
      return set;
    },
    async remove(of, scope) {
      const name = field(scope);
      const removed = await connection.write((redis) => redis.hdel(ledgerKeys(of).fees, name));
      known.forget(of.id);
      return removed === 1;
    },
    list,
    cached: async (of) =>
      known.get(of.id, async () => new Map((await list(of)).map((rule) => [feeRuleName(rule), rule]))),
  };
}

function field(scope: FeeScope): string {
  mustMatch(FEE_CORRIDOR, 'corridor', scope.corridor);
  mustMatch(METHOD, 'method', scope.method);
  return feeRuleName(scope);
}

function asRule([name, terms]: [string, string]): FeeRule {
  const [corridor = '', method] = name.split('/');
  const [fixed = '', ppm] = terms.split(' ');
  return { corridor, method: method as FeeRule['method'], fixed, ppm: Number(ppm) };
}

function byName(a: FeeRule, b: FeeRule): number {
  return feeRuleName(a) < feeRuleName(b) ? -1 : 1;
}

/** The margin rules. A change applies in the process that makes it before it is answered, and in every other one within a second. */

import { CLIENT_ID, PAIR_OR_ALL, SUB_CLIENTS } from '../../domain/core/ids.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

interface MarginKey {
  readonly clientId: string | '*';
  /** 'EUR/USD' in market convention, or '*'. */
  readonly pair: string | '*';
  readonly type: BookFxType | '*';
  /** The rule is for amounts above so many whole units of the pair's base, 1 to 12 digits; absent: for every amount. */
  readonly above?: number | undefined;
}

export interface MarginRule extends MarginKey {
  /** Percent x 10,000, a whole number from 0 to 999,999. */
  readonly marginPpm: number;
}

export interface Margins {
  /** False when there are too many rules (20,000). TypeError or RangeError for an invalid rule. */
  set(rule: MarginRule): Promise<boolean>;
  /** False when there was no such rule. */
  remove(key: MarginKey): Promise<boolean>;
  /** All rules, or those of a client (without those of '*' that also apply to it), in order. */
  list(clientId?: string): Promise<readonly MarginRule[]>;
  load(): Promise<readonly MarginRule[]>;
  /** Called with all rules after each change, and once soon after the first subscription; the newest rules apply. */
  onChange(changed: (rules: readonly MarginRule[]) => void): () => void;
  close(): void;
}

const RULES = '{margins}:rules';
const VERSION = '{margins}:version';
const RULES_MAX = 20_000;
const TYPE = /^(\*|PREFUNDING|SCHEDULED1|SCHEDULED2)$/;

const KEYS = { rules: RULES, version: VERSION };
const ABOVE_MAX = 999_999_999_999;
export const SET_MARGIN = step(import.meta.url, 'set-margin', {
  keys: ['rules', 'version'],
  args: ['rule', 'marginPpm', 'rulesMax'],
});
export const REMOVE_MARGIN = step(import.meta.url, 'remove-margin', {
  inReserve: true,
  keys: ['rules', 'version'],
  args: ['rule'],
});

export function margins(connection: Connection): Margins {
  const load = async (): Promise<readonly MarginRule[]> => {
    const kept = await connection.read((redis) => redis.hgetall(RULES));
    return Object.entries(kept).map(asRule).sort(byKey);
  };
  const rules = versionedConfig(connection, { name: 'margins', version: VERSION, channel: 'margins:changed', load });

  return {
    async set(rule) {
      const { marginPpm } = rule;
      if (!Number.isInteger(marginPpm) || marginPpm < 0 || marginPpm >= 1_000_000) {
        throw new RangeError('a margin is 0 to 999,999 millionths');
      }
      const args = { rule: field(rule), marginPpm, rulesMax: RULES_MAX };
      const set = (await connection.step(SET_MARGIN, KEYS, args)) === 1;
      if (set) await rules.announce();
      return set;
    },
    async remove(key) {
      const removed = (await connection.step(REMOVE_MARGIN, KEYS, { rule: field(key) })) === 1;
      if (removed) await rules.announce();
      return removed;
    },
    async list(clientId) {
      const all = await load();
      return clientId === undefined ? all : all.filter((rule) => rule.clientId === clientId);
    },
    load,
    onChange: rules.onChange,
    close: rules.close,
  };
}

/** `<client>|<pair>|<type>`, and of a rule of a size `|<above>` behind it. */
function field({ above, ...key }: MarginKey): string {
  if (above === undefined) return subject(key);
  if (!Number.isInteger(above) || above < 1 || above > ABOVE_MAX) throw new RangeError('an amount is 1 to 12 digits');
  return `${subject(key)}|${above}`;
}

function subject({ clientId, pair, type }: Omit<MarginKey, 'above'>): string {
  if (clientId !== '*' && !SUB_CLIENTS.test(clientId)) mustMatch(CLIENT_ID, 'client id', clientId);
  return `${clientId}|${mustMatch(PAIR_OR_ALL, 'pair', pair)}|${mustMatch(TYPE, 'type', type)}`;
}

function asRule([name, ppm]: [string, string]): MarginRule {
  const [clientId, pair, type, above] = name.split('|');
  const rule = { clientId, pair, type: type as BookFxType | '*', marginPpm: Number(ppm) };
  return above === undefined ? rule : { ...rule, above: Number(above) };
}

function byKey(a: MarginRule, b: MarginRule): number {
  const [one, other] = [subject(a), subject(b)];
  if (one !== other) return one < other ? -1 : 1;
  return (a.above ?? 0) - (b.above ?? 0);
}

/**
 * The margin rules. A change is live in every process within a second: a message tells of it at once, and the version is read
 * every 400 ms for the case that the message was lost.
 */
import type { BookFxType } from '../domain/book-fx-type.js';
import type { Connection } from './connection.js';
import { CLIENT_ID, mustMatch } from './ids.js';
import { script } from './scripts.js';

interface MarginKey {
  readonly clientId: string | '*';
  /** 'EUR/USD' in market convention, or '*'. */
  readonly pair: string | '*';
  readonly type: BookFxType | '*';
}

export interface MarginRule extends MarginKey {
  /** Percent x 10,000, a whole number from 0 to 999,999. */
  readonly marginPpm: number;
}

export interface Margins {
  /** False when there are too many rules (20,000). TypeError or RangeError for a rule that is none. */
  set(rule: MarginRule): Promise<boolean>;
  /** False when there was no such rule. */
  remove(key: MarginKey): Promise<boolean>;
  /** All rules, or those of a client (not those of '*' that also hold for it), in order. */
  list(clientId?: string): Promise<readonly MarginRule[]>;
  load(): Promise<readonly MarginRule[]>;
  /** Called with all rules after each change, and once soon after the first hearer; the newest rules win. */
  onChange(changed: (rules: readonly MarginRule[]) => void): () => void;
  close(): void;
}

const RULES = '{margins}:rules';
const VERSION = '{margins}:version';
const CHANNEL = 'margins:changed';
const POLL_MS = 400;
const RULES_MAX = '20000';
const PAIR = /^(\*|[A-Z]{3}\/[A-Z]{3})$/;
const TYPE = /^(\*|PREFUNDING|SCHEDULED1|SCHEDULED2)$/;

const SET = script('set-margin');
const REMOVE = script('remove-margin');

export function margins(connection: Connection): Margins {
  const hearers = new Set<(rules: readonly MarginRule[]) => void>();
  let seen: string | undefined;
  let looking = false;
  let lookAgain = false;
  let poll: NodeJS.Timeout | undefined;

  const load = async (): Promise<readonly MarginRule[]> => {
    const kept = await connection.read((redis) => redis.hgetall(RULES));
    return Object.entries(kept).map(asRule).sort(byKey);
  };
  const look = async (): Promise<void> => {
    lookAgain = looking;
    if (looking) return;
    looking = true;
    try {
      // The version first: a change between the two reads is then seen once more, never missed.
      const version = (await connection.read((redis) => redis.get(VERSION))) ?? '0';
      if (version !== seen) {
        const rules = await load();
        seen = version;
        for (const changed of hearers) changed(rules);
      }
    } catch {
      // The store is away: the rules in hand hold until the next look.
    }
    looking = false;
    if (lookAgain) await look();
  };
  const stopListening = connection.listen(CHANNEL, () => {
    if (hearers.size > 0) void look();
  });

  return {
    async set(rule) {
      const { marginPpm } = rule;
      if (!Number.isInteger(marginPpm) || marginPpm < 0 || marginPpm >= 1_000_000) {
        throw new RangeError('a margin is 0 to 999,999 millionths');
      }
      const args = [field(rule), String(marginPpm), RULES_MAX];
      const set = (await connection.step(SET, [RULES, VERSION], args)) === 1;
      if (set) connection.ring(CHANNEL, '');
      return set;
    },
    async remove(key) {
      const removed = (await connection.step(REMOVE, [RULES, VERSION], [field(key)])) === 1;
      if (removed) connection.ring(CHANNEL, '');
      return removed;
    },
    async list(clientId) {
      const rules = await load();
      return clientId === undefined ? rules : rules.filter((rule) => rule.clientId === clientId);
    },
    load,
    onChange(changed) {
      hearers.add(changed);
      seen = undefined;
      poll ??= setInterval(look, POLL_MS).unref();
      void look();
      return () => hearers.delete(changed);
    },
    close() {
      clearInterval(poll);
      stopListening();
      hearers.clear();
    },
  };
}

function field({ clientId, pair, type }: MarginKey): string {
  if (clientId !== '*') mustMatch(CLIENT_ID, 'client id', clientId);
  return `${clientId}|${mustMatch(PAIR, 'pair', pair)}|${mustMatch(TYPE, 'type', type)}`;
}

function asRule([name, ppm]: [string, string]): MarginRule {
  const [clientId, pair, type] = name.split('|');
  return { clientId, pair, type: type as BookFxType | '*', marginPpm: Number(ppm) };
}

function byKey(a: MarginRule, b: MarginRule): number {
  return field(a) < field(b) ? -1 : 1;
}

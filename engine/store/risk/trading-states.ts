/** Trading states of the house, clients and pairs: what an operator or a client has restricted. A change applies in every process within a second. */

import { z } from 'zod';
import { CLIENT_ID, PAIR_OR_ALL } from '../../domain/core/ids.js';
import { HOUSE, type TradingRestriction, type TradingSubject } from '../../domain/risk/trading-state.js';
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface StoredTradingStates {
  /**
   * Sets a state other than ACTIVE. `inForce` is the restriction before, where it has the same state: that one stays. In force in this
   * process when it answers. TypeError for an invalid client id or pair.
   */
  restrict(
    restriction: TradingRestriction,
  ): Promise<{ readonly changed: boolean; readonly inForce: TradingRestriction }>;
  /** False when the subject was ACTIVE. A restriction of `*` is ended by `*` only. */
  resume(subject: TradingSubject): Promise<boolean>;
  /** That of the house, of clients and of pairs, each in order of names. */
  list(): Promise<readonly TradingRestriction[]>;
  /** That of one subject alone; undefined: it is ACTIVE. */
  read(subject: TradingSubject): Promise<TradingRestriction | undefined>;
  /** Called with all restrictions after each change, and once soon after the first subscription. */
  onChange(changed: (restrictions: readonly TradingRestriction[]) => void): () => void;
  close(): void;
}

const KEYS: Record<TradingSubject['scope'], string> = {
  house: '{trading-states}:house',
  client: '{trading-states}:clients',
  pair: '{trading-states}:pairs',
};
const SCOPES = ['house', 'client', 'pair'] as const;
const VERSION = '{trading-states}:version';
export const SET_TRADING_STATE = step(import.meta.url, 'set-trading-state', {
  inReserve: true,
  keys: ['restrictions', 'version'],
  args: ['subject', 'restriction?'],
});

/** The state comes first: set-trading-state.lua compares it. */
const STORED = z.object({
  state: z.enum(['REDUCING', 'HALTED']),
  by: z.string(),
  reason: z.string(),
  sinceMs: z.number(),
});

export function tradingStates(connection: Connection): StoredTradingStates {
  const list = async (): Promise<readonly TradingRestriction[]> => {
    const kept = await connection.read((redis) => Promise.all(SCOPES.map((scope) => redis.hgetall(KEYS[scope]))));
    return kept.flatMap((ofScope, place) =>
      Object.entries(ofScope)
        .map(([name, text]) => parsed({ scope: SCOPES[place]!, name }, text))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  };
  const all = versionedConfig(connection, {
    name: 'trading states',
    version: VERSION,
    channel: 'trading-states:changed',
    load: list,
  });
  const change = async (subject: TradingSubject, restriction?: string): Promise<[changed: number, inForce: string]> => {
    const keys = { restrictions: KEYS[subject.scope], version: VERSION };
    const answer = await connection.step(SET_TRADING_STATE, keys, { subject: nameOf(subject), restriction });
    const [changed, inForce] = answer as [number, string];
    if (changed === 1) await all.announce();
    return [changed, inForce];
  };
  return {
    async restrict(restriction) {
      const [changed, inForce] = await change(restriction, stored(restriction));
      return { changed: changed === 1, inForce: parsed(restriction, inForce) };
    },
    resume: async (subject) => (await change(subject))[0] === 1,
    list,
    async read(subject) {
      const text = await connection.read((redis) => redis.hget(KEYS[subject.scope], nameOf(subject)));
      return text === null ? undefined : parsed(subject, text);
    },
    onChange: all.onChange,
    close: all.close,
  };
}

function nameOf({ scope, name }: TradingSubject): string {
  if (scope === 'pair') return mustMatch(PAIR_OR_ALL, 'pair', name);
  return scope === 'client' ? mustMatch(CLIENT_ID, 'client id', name) : HOUSE.name;
}

function stored({ state, by, reason, sinceMs }: TradingRestriction): string {
  return JSON.stringify({ state, by, reason, sinceMs });
}

function parsed({ scope, name }: TradingSubject, text: string): TradingRestriction {
  return { scope, name, ...STORED.parse(JSON.parse(text)) };
}

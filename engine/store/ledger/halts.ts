/** Pairs halted by an operator. A change applies in every process within a second. */

import { z } from 'zod';
import { PAIR_OR_ALL } from '../../domain/ids.js';
import type { Halt } from '../../domain/pair.js';
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface Halts {
  /** False when it is already halted: the existing halt stays. TypeError for an invalid pair. */
  halt(halt: Halt): Promise<boolean>;
  /** False when it was not halted. A halt of `*` is resumed by `*` only. */
  resume(pair: string): Promise<boolean>;
  /** In order of pairs. */
  list(): Promise<readonly Halt[]>;
  /** Called with all halts after each change, and once soon after the first subscription. */
  onChange(changed: (halts: readonly Halt[]) => void): () => void;
  close(): void;
}

const HALTS = '{halts}:pairs';
const VERSION = '{halts}:version';
export const SET_HALT = step('set-halt', { keys: ['halts', 'version'], args: ['pair', 'halt?'] });

const HALT = z.object({ by: z.string(), reason: z.string(), sinceMs: z.number() });

export function halts(connection: Connection): Halts {
  const list = async (): Promise<readonly Halt[]> => {
    const kept = await connection.read((redis) => redis.hgetall(HALTS));
    return Object.entries(kept)
      .map(([pair, text]) => ({ pair, ...HALT.parse(JSON.parse(text)) }))
      .sort((a, b) => (a.pair < b.pair ? -1 : 1));
  };
  const all = versionedConfig(connection, { name: 'halts', version: VERSION, channel: 'halts:changed', load: list });
  const change = async (pair: string, halt?: string): Promise<boolean> => {
    const changed =
      (await connection.step(
        SET_HALT,
        { halts: HALTS, version: VERSION },
        { pair: mustMatch(PAIR_OR_ALL, 'pair', pair), halt },
      )) === 1;
    if (changed) all.notify();
    return changed;
  };
  return {
    halt: ({ pair, ...halt }) => change(pair, JSON.stringify(halt)),
    resume: (pair) => change(pair),
    list,
    onChange: all.onChange,
    close: all.close,
  };
}

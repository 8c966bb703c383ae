/**
 * What limits compare of a client's position: its values in the base currency, seen from the house. They are kept for some seconds after a
 * deal that asks for them, changed by the steps that book (limits.lua), and made anew from the position. They never feed a ledger amount.
 */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { type Position, positionFrom } from './positions.js';

/** A client's position as it was read, to be valued. */
export interface ReadPosition {
  readonly position: Position;
  /** Its fields and values as stored: those of `seed` must still be there. */
  readonly stored: readonly string[];
}

export interface Exposures {
  readPosition(of: MoneyOf): Promise<ReadPosition>;
  /** `values` are the fields of limits.lua. False: the position has changed since it was read. */
  seed(of: MoneyOf, read: ReadPosition, values: ReadonlyMap<string, string>): Promise<boolean>;
}

/** How long an exposure is kept without being valued anew: the oldest mid that a figure of a limit is made of. */
const KEPT_MS = 10_000;

export const SEED_EXPOSURE = step('seed-exposure', {
  keys: ['position', 'exposure'],
  args: ['read', 'keptMs'],
  rest: 'values',
});

export function exposures(connection: Connection): Exposures {
  return {
    async readPosition(of) {
      // On the connection for money: the step compares it with what it finds.
      const fields = await connection.write((redis) => redis.hgetall(ledgerKeys(of).position));
      return { position: positionFrom(fields), stored: Object.entries(fields).flat() };
    },
    async seed(of, { stored }, values) {
      const { position, exposure } = ledgerKeys(of);
      const args = { read: JSON.stringify(stored), keptMs: KEPT_MS, values: [...values].flat() };
      return (await connection.step(SEED_EXPOSURE, { position, exposure }, args)) === 1;
    },
  };
}

/**
 * What limits compare of a client's position: its values in the base currency, seen from the house. They are kept for some seconds after a
 * deal that asks for them, changed by the steps that book (limits.lua), and made anew from the position. They never feed a ledger amount.
 */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, migrationGuardKey, subClientsTogether } from '../keys/redis-keys.js';
import { type Position, PositionReading } from './positions.js';

/** A client's position with that of its sub-clients, as they were read, to be valued. */
export interface ReadPosition {
  readonly position: Position;
  /** Fields and values of both as stored: those of `seed` must still be there. */
  readonly stored: readonly (readonly string[])[];
}

export interface Exposures {
  readPosition(of: MoneyOf): Promise<ReadPosition>;
  /** `values` are the fields of limits.lua. False: the position has changed since it was read. */
  seed(of: MoneyOf, read: ReadPosition, values: ReadonlyMap<string, string>): Promise<boolean>;
}

/** How long an exposure is kept without being valued anew: the oldest mid that a figure of a limit is made of. */
const KEPT_MS = 10_000;

export const SEED_EXPOSURE = step(import.meta.url, 'seed-exposure', {
  inReserve: true,
  keys: ['position', 'subPosition', 'exposure'],
  args: ['read', 'keptMs'],
  rest: 'values',
});

export function exposures(connection: Connection): Exposures {
  return {
    async readPosition(of) {
      // On the connection for money: the step compares it with what it finds.
      const read = positionKeys(of).map((key) => connection.write((redis) => redis.hgetall(key)));
      const stored = (await Promise.all(read)).map((fields) => Object.entries(fields).flat());
      return { position: new PositionReading().take(stored.flat()), stored };
    },
    async seed(of, { stored }, values) {
      const { exposure } = ledgerKeys(of);
      const [position, subPosition] = positionKeys(of);
      const args = { read: JSON.stringify(stored), keptMs: KEPT_MS, values: [...values].flat() };
      return (await connection.step(SEED_EXPOSURE, { position, subPosition, exposure }, args)) === 1;
    },
  };
}

/** A sub-client has none of its own: the second is never written. */
const positionKeys = (of: MoneyOf): readonly [own: string, ofSubClients: string] => [
  ledgerKeys(of).position,
  of.id.includes('~') ? migrationGuardKey(ledgerKeys(of).position) : ledgerKeys(subClientsTogether(of)).position,
];

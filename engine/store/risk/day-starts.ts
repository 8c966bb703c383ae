/**
 * The profit with each client at the start of the trading day, from which its profit of the day is computed. The risk role writes
 * it for every client that has a position, within some seconds of the change of the day; docs/risk.md.
 */
import { CLIENT_ID, SUB_CLIENTS } from '../../domain/core/ids.js';
import type { Profit } from '../../domain/risk/figures.js';
import type { Connection } from '../connection/connection.js';
import { leaseKey, RISK_LEASE } from '../coordination/lease.js';
import { HOUSE } from '../keys/redis-keys.js';

export interface DayStarts {
  /** At most some hundred clients; base currency and day as in `read`. */
  write(of: DayOf, profits: ReadonlyMap<string, Profit>): Promise<void>;
  /** From now on a client without a profit of this day had none when it began. */
  complete(of: DayOf): Promise<void>;
  isComplete(of: DayOf): Promise<boolean>;
  /**
   * In the order of the clients, at most some hundred, minor units of the base currency. Undefined: not known yet. Clients that had no
   * position have zeros. `newest`: of a client that the role has not come to on this day, what its day before began with.
   */
  read(of: DayOf, clientIds: readonly string[], which?: 'newest'): Promise<readonly (Profit | undefined)[]>;
}

/** The trading day, 'YYYYMMDD', and the currency of its profits. */
export interface DayOf {
  readonly day: string;
  readonly baseCurrency: string;
}

const STARTS = `risk:{${leaseKey(RISK_LEASE)}}:clients`;
/** No client id. */
const COMPLETE = '*';
const NONE: Profit = { realised: 0, unrealised: 0, margin: 0 };
const VALUE = /^(\d{8} [A-Z]{3}) (-?\d+) (-?\d+) (-?\d+)$/;

export function dayStarts(connection: Connection): DayStarts {
  const nameOf = ({ day, baseCurrency }: DayOf): string => `${day} ${baseCurrency}`;
  const profitIn = (name: string, value: string | null | undefined): Profit | undefined => {
    const [, of, realised, unrealised, margin] = VALUE.exec(value ?? '') ?? [];
    return of?.endsWith(name)
      ? { realised: Number(realised), unrealised: Number(unrealised), margin: Number(margin) }
      : undefined;
  };
  return {
    async write(of, profits) {
      const fields = [...profits].flatMap(([id, { realised, unrealised, margin }]) => {
        if (!CLIENT_ID.test(id) && !SUB_CLIENTS.test(id) && id !== HOUSE.id) throw new TypeError('no client id');
        return [id, `${nameOf(of)} ${realised} ${unrealised} ${margin}`];
      });
      if (fields.length > 0) await connection.write((redis) => redis.hset(STARTS, ...fields));
    },
    complete: async (of) => void (await connection.write((redis) => redis.hset(STARTS, COMPLETE, nameOf(of)))),
    isComplete: async (of) => (await connection.read((redis) => redis.hget(STARTS, COMPLETE))) === nameOf(of),
    async read(of, clientIds, which) {
      const name = which === 'newest' ? ` ${of.baseCurrency}` : nameOf(of);
      const [complete, ...found] = await connection.read((redis) => redis.hmget(STARTS, COMPLETE, ...clientIds));
      return found.map((value) => profitIn(name, value) ?? (complete?.endsWith(name) ? NONE : undefined));
    },
  };
}

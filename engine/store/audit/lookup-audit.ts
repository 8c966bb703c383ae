/**
 * Keys that lead from an id to its client: `payment:<id>`, `funding:<id>` and `account:<number>`. They are in another slot than the record
 * and written before it: after a crash between the two, such a key leads to no record, which does no harm.
 */
import { FUNDING_ID, PAYMENT_ID } from '../../domain/core/ids.js';
import type { Cached } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { type LedgerKeys, ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

export interface LookupAudit {
  /** Of about `count` keys from cursor '0' until it is '0' again: how many lookup keys have no record. */
  withoutRecord(
    cursor: string,
    count: number,
    clientOf: (id: string) => Cached<MoneyOf | undefined>,
  ): Promise<{ readonly cursor: string; readonly found: number }>;
}

const LOOKUP = /^(payment|funding|account):([0-9A-Z]{1,32})$/;
/** One pattern for the three words, for one pass through all keys. */
const PATTERN = '[pfa][auc][ync][mdo][eiu]n[tg]:*';

export function lookupAudit(connection: Connection): LookupAudit {
  const hasRecord = async (keys: LedgerKeys, kind: string, id: string): Promise<boolean> => {
    if (kind === 'account') return (await connection.read((redis) => redis.hexists(keys.accounts, id))) === 1;
    if (!(kind === 'payment' ? PAYMENT_ID : FUNDING_ID).test(id)) return false;
    const key = kind === 'payment' ? keys.payment(id) : keys.funding(id);
    return (await connection.read((redis) => redis.exists(key))) === 1;
  };
  return {
    async withoutRecord(cursor, count, clientOf) {
      const [next, keys] = await connection.scan(cursor, PATTERN, count);
      const lost = await Promise.all(
        keys.map(async (key) => {
          const [, kind, id] = LOOKUP.exec(key) ?? [];
          if (kind === undefined || id === undefined) return false;
          const clientId = await connection.read((redis) => redis.get(key));
          // Removed meanwhile.
          if (clientId === null) return false;
          const of = await clientOf(clientId);
          return of === undefined || !(await hasRecord(ledgerKeys(of), kind, id));
        }),
      );
      return { cursor: next, found: lost.filter(Boolean).length };
    },
  };
}

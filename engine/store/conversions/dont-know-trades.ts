/** Executions that a desk does not know, DontKnowTrade(Q): of each client and day so many, kept for so long. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

export interface DontKnowTrade {
  readonly confirmationId: string;
  /** The booking, 0, or the number of its amendment, whose report is not known. */
  readonly amendment: number;
  /** DKReason(127). */
  readonly reason: string;
  /** CompID of the session that sent it. */
  readonly compId: string;
  /** Text(58); '' without one. */
  readonly text: string;
}

export interface DontKnowTrades {
  /** `known`: the first one stays. `full`: nothing is recorded. `day` is the current one in UTC, YYYYMMDD. */
  record(of: MoneyOf, day: string, trade: DontKnowTrade): Promise<'recorded' | 'known' | 'full'>;
  /** Those of the day, in no order. */
  ofDay(of: MoneyOf, day: string): Promise<readonly (DontKnowTrade & { readonly atMs: number })[]>;
}

export const DONT_KNOW_KEPT_DAYS = 30;
const OF_DAY_MAX = 1_000;
const KEPT_MS = DONT_KNOW_KEPT_DAYS * 24 * 60 * 60 * 1_000;

export const RECORD_DONT_KNOW = step(import.meta.url, 'record-dont-know', {
  keys: ['record'],
  args: ['execution', 'details', 'most', 'keptMs'],
});

export function dontKnowTrades(connection: Connection): DontKnowTrades {
  return {
    async record(of, day, { confirmationId, amendment, reason, compId, text }) {
      const execution = `${confirmationId}/${amendment}`;
      const details = [reason, compId, text].join('|');
      const record = ledgerKeys(of).dontKnow(day);
      const args = { execution, details, most: OF_DAY_MAX, keptMs: KEPT_MS };
      return (await connection.step(RECORD_DONT_KNOW, { record }, args)) as 'recorded' | 'known' | 'full';
    },
    async ofDay(of, day) {
      const found = await connection.read((redis) => redis.hgetall(ledgerKeys(of).dontKnow(day)));
      return Object.entries(found).map(([execution, stored]) => {
        const [confirmationId = '', amendment] = execution.split('/');
        const [atMs, reason = '', compId = '', ...text] = stored.split('|');
        const trade = { confirmationId, amendment: Number(amendment), reason, compId, text: text.join('|') };
        return Object.assign(trade, { atMs: Number(atMs) });
      });
    },
  };
}

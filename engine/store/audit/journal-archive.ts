/** The archived part of a client's journal: its last entry and hash, and the state after it. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { JOURNAL_START, type RawEntry } from '../ledger/journal.js';

/** Represents the archived entries: replay continues after `entry`, from `state`. */
export interface Archived {
  /** The last archived entry; JOURNAL_START: none. */
  readonly entry: string;
  /** Hash of the last line of the last file; NO_HASH before the first. */
  readonly hash: string;
  /** Number of the last file, 0 before the first. */
  readonly file: number;
  /** Entries in all files. */
  readonly count: number;
  /** Balances and open records after `entry`, as a replay keeps them; '' before the first. */
  readonly state: string;
}

export interface JournalArchive {
  read(of: MoneyOf): Promise<Archived>;
  /** The last archived entry; JOURNAL_START: none. */
  until(of: MoneyOf): Promise<string>;
  /**
   * Removes `entries`, which are in the file that `next` describes, from the beginning of the journal. False when the journal no longer
   * begins with them, or `before` is not the current archive record: then nothing is changed.
   */
  trim(of: MoneyOf, before: Archived, entries: readonly RawEntry[], next: Archived): Promise<boolean>;
}

/** What the first line of the first file follows. */
export const NO_HASH = '0'.repeat(64);

export const TRIM_JOURNAL = step(import.meta.url, 'trim-journal', {
  inReserve: true,
  keys: ['journal', 'archived'],
  // The last entry archived before, if any; the first and last entry of the file, and their number; the first entry that the journal keeps.
  args: ['before?', 'first', 'last', 'count', 'keptFrom'],
  // Alternating fields and values of the record.
  rest: 'fields',
});

export function journalArchive(connection: Connection): JournalArchive {
  return {
    async read(of) {
      const key = ledgerKeys(of).archived;
      const { entry, hash, file, count, state } = await connection.read((redis) => redis.hgetall(key));
      if (!entry || !hash || !state) return { entry: JOURNAL_START, hash: NO_HASH, file: 0, count: 0, state: '' };
      return { entry, hash, file: Number(file), count: Number(count), state };
    },
    async until(of) {
      const { archived } = ledgerKeys(of);
      return (await connection.read((redis) => redis.hget(archived, 'entry'))) ?? JOURNAL_START;
    },
    async trim(of, before, entries, { entry, hash, file, count, state }) {
      const { journal, archived } = ledgerKeys(of);
      const fields = { entry, hash, file: String(file), count: String(count), state };
      const trimmed = await connection.step(
        TRIM_JOURNAL,
        { journal, archived },
        {
          before: before.entry === JOURNAL_START ? undefined : before.entry,
          first: entries[0]![0],
          last: entry,
          count: entries.length,
          keptFrom: behind(entry),
          fields: Object.entries(fields).flat(),
        },
      );
      return trimmed === 'trimmed';
    },
  };
}

/** The smallest id after an entry. */
function behind(entry: string): string {
  const [ms = '0', number = '0'] = entry.split('-');
  return `${ms}-${BigInt(number) + 1n}`;
}

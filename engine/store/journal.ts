/** The journal of a client's money: one entry for each step that moved some, or that said why none moved. */
import type { Connection } from './connection.js';
import { ledgerKeys, type MoneyOf } from './ledger-keys.js';
import { script } from './scripts.js';

export interface JournalEntry {
  /** Its place in the journal; entries are in order of it. */
  readonly entry: string;
  /** book-fx, deposit, complete-funding, payment: what was done. */
  readonly step: string;
  /** What it was done to: a confirmation id, a payment id, the reference of a deposit or of a funding. */
  readonly id: string;
  /** Epoch ms by the clock of whoever asked for the step. */
  readonly atMs: number;
  /** As it is kept: `CUR from to amount;CUR from to amount`. */
  readonly moves: string;
  /** Who took the step, and why; '' where the step says it all. */
  readonly actor: string;
  readonly reason: string;
  /** Of a payment's step: the status it came from ('' at first), the one that it reached, and the sub status. */
  readonly from: string;
  readonly to: string;
  readonly sub: string;
}

export interface Move {
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** An account just after one entry of the journal. */
export interface Standing {
  readonly entry: string;
  /** Minor units. */
  readonly balance: bigint;
}

export interface Journal {
  /** Entries behind `after`, up to `until` and with it, oldest first. */
  page(of: MoneyOf, after: string, until: string, limit: number): Promise<readonly JournalEntry[]>;
  /** The last ones, newest first. */
  latest(of: MoneyOf, limit: number): Promise<readonly JournalEntry[]>;
  /** `from` and those before it, newest first. */
  backwards(of: MoneyOf, from: string, limit: number): Promise<readonly JournalEntry[]>;
  /** What is in an account now, and the last entry that this holds. */
  standing(of: MoneyOf, currency: string, account: string): Promise<Standing>;
}

const READ_ACCOUNT = script('read-account');

/** Before every entry. */
export const JOURNAL_START = '0-0';

export function journal(connection: Connection): Journal {
  const backwards: Journal['backwards'] = async (of, from, limit) => {
    const key = ledgerKeys(of).journal;
    const found = await connection.read((redis) => redis.xrevrange(key, from, '-', 'COUNT', limit));
    return found.map(asEntry);
  };
  return {
    async page(of, after, until, limit) {
      const key = ledgerKeys(of).journal;
      const found = await connection.read((redis) => redis.xrange(key, `(${after}`, until, 'COUNT', limit));
      return found.map(asEntry);
    },
    latest: (of, limit) => backwards(of, '+', limit),
    backwards,
    async standing(of, currency, account) {
      const { balances, journal } = ledgerKeys(of);
      const read = await connection.step(READ_ACCOUNT, [balances, journal], [`${currency}/${account}`]);
      const [balance, entry] = read as [string, string];
      return { entry, balance: BigInt(balance) };
    },
  };
}

/** The moves of an entry; undefined where the text says none. */
export function movesOf(text: string): readonly Move[] | undefined {
  if (text === '') return [];
  const moves: Move[] = [];
  for (const part of text.split(';')) {
    const [, currency, from, to, amount] = /^([A-Z]{3}) (\S+) (\S+) (\d{1,15})$/.exec(part) ?? [];
    if (currency === undefined || from === undefined || to === undefined || amount === undefined) return undefined;
    moves.push({ currency, from, to, amount: BigInt(amount) });
  }
  return moves;
}

/** Places in a journal: milliseconds, and a number within them. */
export function isBefore(one: string, other: string): boolean {
  const [oneMs, oneNumber] = one.split('-').map(BigInt);
  const [otherMs, otherNumber] = other.split('-').map(BigInt);
  return oneMs === otherMs ? oneNumber! < otherNumber! : oneMs! < otherMs!;
}

export function asEntry([entry, fields]: [string, string[]]): JournalEntry {
  const read: Record<string, string> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) read[fields[i]!] = fields[i + 1]!;
  const { step = '', id = '', moves = '', actor = '', reason = '', from = '', to = '', sub = '' } = read;
  return { entry, step, id, atMs: Number(read.at), moves, actor, reason, from, to, sub };
}

/** The journal of a client's money: one entry for each step that moved some, or that said why none moved. */
import { CLIENT_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/ledger-keys.js';

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
  /** Of a correction by an operator: what it corrects; '' elsewhere. */
  readonly reference: string;
  /** Of the facts that the step wrote, facts_hash of prelude.lua; '' elsewhere, and in entries of release 0.1.0. */
  readonly hash: string;
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

/** As the stream has it: its place, then names and values of its fields in turn. */
export type RawEntry = [entry: string, fields: string[]];

export interface Journal {
  /** Entries behind `after`, up to `until` and with it, oldest first. */
  page(of: MoneyOf, after: string, until: string, limit: number): Promise<readonly JournalEntry[]>;
  /** The same as they are kept, for the archive. `until` may be milliseconds alone: with all entries of that one. */
  rawPage(of: MoneyOf, after: string, until: string, limit: number): Promise<readonly RawEntry[]>;
  /** How many there are, without those that were archived. */
  length(of: MoneyOf): Promise<number>;
  /** The last ones, newest first. */
  latest(of: MoneyOf, limit: number): Promise<readonly JournalEntry[]>;
  /** `from` and those before it, newest first. */
  backwards(of: MoneyOf, from: string, limit: number): Promise<readonly JournalEntry[]>;
  /** Called with the id of a client whose journal has grown, by whichever process; may be missed. */
  onGrown(heard: (clientId: string) => void): () => void;
  /** What is in an account now, and the last entry that this holds. */
  standing(of: MoneyOf, currency: string, account: string): Promise<Standing>;
}

/** The account as balances name it: `<currency>/<number>`. */
export const READ_ACCOUNT = step('read-account', { keys: ['balances', 'journal'], args: ['account'] });

/** Before every entry. */
export const JOURNAL_START = '0-0';

export function journal(connection: Connection): Journal {
  const backwards: Journal['backwards'] = async (of, from, limit) => {
    const key = ledgerKeys(of).journal;
    const found = await connection.read((redis) => redis.xrevrange(key, from, '-', 'COUNT', limit));
    return found.map(asEntry);
  };
  const rawPage: Journal['rawPage'] = (of, after, until, limit) => {
    const key = ledgerKeys(of).journal;
    return connection.read((redis) => redis.xrange(key, `(${after}`, until, 'COUNT', limit));
  };
  return {
    page: async (of, after, until, limit) => (await rawPage(of, after, until, limit)).map(asEntry),
    rawPage,
    length: (of) => connection.read((redis) => redis.xlen(ledgerKeys(of).journal)),
    latest: (of, limit) => backwards(of, '+', limit),
    backwards,
    onGrown: (heard) =>
      connection.listen('journal', (message) => {
        const clientId = message.toString('latin1');
        if (CLIENT_ID.test(clientId)) heard(clientId);
      }),
    async standing(of, currency, account) {
      const { balances, journal } = ledgerKeys(of);
      const read = await connection.step(READ_ACCOUNT, { balances, journal }, { account: `${currency}/${account}` });
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

/** Adds a move to sums of minor units by `CUR/account`: it leaves one, and comes to the other. */
export function addMove(sums: Map<string, bigint>, { currency, from, to, amount }: Move): void {
  for (const [holder, change] of [
    [from, -amount],
    [to, amount],
  ] as const) {
    const name = `${currency}/${holder}`;
    sums.set(name, (sums.get(name) ?? 0n) + change);
  }
}

/** A place in a journal, as far as one can be read: what stands in the store may have been altered. */
export const isPlace = (entry: string): boolean => /^\d{1,20}-\d{1,20}$/.test(entry);

/** Places in a journal: milliseconds, and a number within them. */
export function isBefore(one: string, other: string): boolean {
  const [oneMs, oneNumber] = one.split('-').map(BigInt);
  const [otherMs, otherNumber] = other.split('-').map(BigInt);
  return oneMs === otherMs ? oneNumber! < otherNumber! : oneMs! < otherMs!;
}

export function asEntry([entry, fields]: RawEntry): JournalEntry {
  const read = fieldsOf(fields);
  const {
    step = '',
    id = '',
    moves = '',
    actor = '',
    reason = '',
    from = '',
    to = '',
    sub = '',
    reference = '',
    hash = '',
  } = read;
  return { entry, step, id, atMs: Number(read.at), moves, actor, reason, reference, hash, from, to, sub };
}

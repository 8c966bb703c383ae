/** The journal of a client's ledger: one entry for each step that moved money, or that states why none moved. */
import { CLIENT_ID } from '../../domain/core/ids.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { FORM } from './form.js';

export interface JournalEntry {
  /** Its id in the journal; entries are ordered by it. */
  readonly entry: string;
  /** The step: book-fx, deposit, complete-funding, payment. */
  readonly step: string;
  /** The subject: a confirmation id, a payment id, the reference of a deposit or of a funding. */
  readonly id: string;
  /** Epoch ms by the clock of the process that requested the step. */
  readonly atMs: number;
  /** As stored: `CUR from to amount;CUR from to amount`. */
  readonly moves: string;
  /** The actor and the reason; '' where the step implies them. */
  readonly actor: string;
  readonly reason: string;
  /** Of a correction by an operator: what it corrects; '' elsewhere. */
  readonly reference: string;
  /** Hash of the facts, or of the amendment, that the step wrote, facts_hash of prelude.lua; '' elsewhere. */
  readonly hash: string;
  /** Of a payment's step: the previous status ('' at creation), the new one, and the sub status. */
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

/** The balance of an account right after one entry of the journal. */
export interface Standing {
  readonly entry: string;
  /** Minor units. */
  readonly balance: bigint;
}

/** As the stream has it: its id, then alternating names and values of its fields. */
export type RawEntry = [entry: string, fields: string[]];

export interface Journal {
  /** Entries after `after`, up to and including `until`, oldest first. */
  page(of: MoneyOf, after: string, until: string, limit: number): Promise<readonly JournalEntry[]>;
  /** The same as stored, for the archive. `until` may be milliseconds alone: including all entries of that millisecond. */
  rawPage(of: MoneyOf, after: string, until: string, limit: number): Promise<readonly RawEntry[]>;
  /** Number of entries, without archived ones. */
  length(of: MoneyOf): Promise<number>;
  /** The last ones, newest first. */
  latest(of: MoneyOf, limit: number): Promise<readonly JournalEntry[]>;
  /** `from` and the entries before it, newest first. */
  backwards(of: MoneyOf, from: string, limit: number): Promise<readonly JournalEntry[]>;
  /** Called with the id of a client whose journal has grown, by any process; may be missed. */
  onGrown(changed: (clientId: string) => void): () => void;
  /** The current balance of an account, and the last entry that it includes. */
  standing(of: MoneyOf, currency: string, account: string): Promise<Standing>;
}

/** The account in the form of balances: `<currency>/<number>`. */
export const READ_ACCOUNT = step(import.meta.url, 'read-account', {
  readsOnly: true,
  keys: ['balances', 'journal'],
  args: ['account'],
});

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
    onGrown: (changed) =>
      connection.subscribe('journal', (message) => {
        const clientId = message.toString('latin1');
        if (CLIENT_ID.test(clientId)) changed(clientId);
      }),
    async standing(of, currency, account) {
      const { balances, journal } = ledgerKeys(of);
      const read = await connection.step(READ_ACCOUNT, { balances, journal }, { account: `${currency}/${account}` });
      const [balance, entry] = read as [string, string];
      return { entry, balance: BigInt(balance) };
    },
  };
}

/** The moves of an entry; undefined for a malformed text. */
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

/** Adds a move to sums of minor units by `CUR/account`: debits one, credits the other. */
export function addMove(sums: Map<string, bigint>, { currency, from, to, amount }: Move): void {
  for (const [holder, change] of [
    [from, -amount],
    [to, amount],
  ] as const) {
    const name = `${currency}/${holder}`;
    sums.set(name, (sums.get(name) ?? 0n) + change);
  }
}

/** Whether a text is a journal id: stored text may have been altered. */
export const isPlace = (entry: string): boolean => /^\d{1,20}-\d{1,20}$/.test(entry);

/** Compares journal ids: milliseconds, and a number within them. */
export function isBefore(one: string, other: string): boolean {
  const [oneMs, oneNumber] = one.split('-').map(BigInt);
  const [otherMs, otherNumber] = other.split('-').map(BigInt);
  return oneMs === otherMs ? oneNumber! < otherNumber! : oneMs! < otherMs!;
}

/** The parts of an entry, in the order of write_journal of prelude.lua. The reason comes last: it may contain the separator. */
const PARTS = ['step', 'id', 'at', 'moves', 'hash', 'actor', 'from', 'to', 'sub', 'reference'] as const;

/** One field, whose name is the form. What another program has put there has no step: reconciliation names it. */
export function asEntry([entry, fields]: RawEntry): JournalEntry {
  const [form, text = ''] = fields;
  const read = partsOf(form === String(FORM) ? text : '');
  const { step = '', id = '', moves = '', actor = '', reason = '' } = read;
  const { from = '', to = '', sub = '', reference = '', hash = '' } = read;
  return { entry, step, id, atMs: Number(read.at), moves, actor, reason, reference, hash, from, to, sub };
}

function partsOf(text: string): Record<string, string> {
  const parts = text.split('|');
  const read: Record<string, string> = { reason: parts.slice(PARTS.length).join('|') };
  PARTS.forEach((name, i) => {
    read[name] = parts[i] ?? '';
  });
  return read;
}

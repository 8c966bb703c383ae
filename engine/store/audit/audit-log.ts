/**
 * Changes by operators: one append-only stream for the whole store, chained by HMACs (audit-chain.ts). Each change has two entries, one
 * before and one after it; a first entry alone means that the change may have been made. Times are those of the store's clock.
 */

import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import type { RawEntry } from '../ledger/journal.js';
import { type ChainHead, macOf, START } from './audit-chain.js';
import type { AuditSink } from './audit-sink.js';

export interface ChangeAsked {
  /** The operating system user at the command line, or a program of ratewire. */
  readonly who: string;
  readonly operation: string;
  /** The subject of the change, in searchable words. */
  readonly subject: string;
  /** Never a secret. */
  readonly input: unknown;
  /** The state before; undefined: absent. */
  readonly before: object | undefined;
}

export interface ChangeEnded {
  /** `done`, or the refusal code. */
  readonly outcome: string;
  /** The state after; undefined: absent. */
  readonly after: object | undefined;
  /** The id of the created record. */
  readonly made: string | undefined;
}

export type AuditEntry =
  /** Where the chain of HMACs begins. */
  | { readonly kind: 'chain'; readonly id: string }
  | (ChangeAsked & { readonly kind: 'asked'; readonly id: string; readonly atMs: number })
  | (ChangeEnded & { readonly kind: 'ended'; readonly of: string; readonly id: string });

export interface AuditLog {
  /** Begins the chain if there is none. False: it has begun already. */
  beginChain(): Promise<boolean>;
  /** Called before the change. Returns the entry's id. */
  begin(asked: ChangeAsked): Promise<string>;
  /** Called after the change, with its outcome. */
  end(id: string, ended: ChangeEnded): Promise<void>;
  /** Newest first: those before the entry `before` (undefined: the newest), at or after `sinceMs`, at most `count`. */
  page(before: string | undefined, sinceMs: number, count: number): Promise<readonly AuditEntry[]>;
  /** As stored, oldest first, from the entry `from` ('-': the first; `(<entry>`: after it) to `until`. */
  rawPage(from: string, until: string, count: number): Promise<readonly RawEntry[]>;
  /** The end of the chain, and the number of entries in the log now and ever added. */
  standing(): Promise<AuditStanding>;
}

export interface AuditStanding {
  readonly head: ChainHead;
  /** The last entry of the log; '' in an empty log. */
  readonly last: string;
  readonly entries: number;
  readonly added: number;
  /** The store's clock, epoch ms. */
  readonly serverMs: number;
}

export const APPEND_AUDIT = step(import.meta.url, 'append-audit', {
  inReserve: true,
  keys: ['log', 'head'],
  // The head's HMAC as the caller has read it, empty before the chain begins; the entry's id, number and HMAC.
  args: ['headMac', 'entry', 'number', 'mac'],
  // Alternating fields and values of the entry.
  rest: 'fields',
});
export const READ_AUDIT_HEAD = step(import.meta.url, 'read-audit-head', { readsOnly: true, keys: ['log', 'head'] });
const LOG = 'audit';
/** The head is in the slot of the log. */
const KEYS = { log: LOG, head: '{audit}:head' };
/** Other processes may add entries meanwhile: then the entry is computed again, at most this often. */
const APPEND_TRIES = 50;
/** Longer texts are truncated: entries are for reading. */
const TEXT_MAX = 1_000;

export function auditLog(connection: Connection, key: Buffer, sink: AuditSink | undefined): AuditLog {
  const standing = async (): Promise<AuditStanding> => {
    const reply = (await connection.step(READ_AUDIT_HEAD, KEYS, {})) as string[];
    const [number, mac, entry, serverMs, last, entries, added] = reply;
    const head = { number: Number(number), mac: mac!, entry: entry! };
    return { head, last: last!, entries: Number(entries), added: Number(added), serverMs: Number(serverMs) };
  };
  const rawPage: AuditLog['rawPage'] = (from, until, count) =>
    connection.read((redis) => redis.xrange(LOG, from, until, 'COUNT', count));
  const add = async (asked: readonly string[] | undefined): Promise<{ entry: string; hasBegun: boolean }> => {
    let { head, last, serverMs } = await standing();
    let hasBegun = false;
    for (let tried = 0; tried < APPEND_TRIES; tried++) {
      if (asked === undefined && head.number > 0) return { entry: head.entry, hasBegun };
      const isStart = head.number === 0;
      const fields = isStart ? START : asked!;
      const number = head.number + 1;
      // After the last one, even when the store's clock was set back.
      const earliestMs = isStart ? Number.parseInt(last || '-1', 10) + 1 : Number.parseInt(head.entry, 10);
      const entry = `${Math.max(serverMs, earliestMs)}-${number}`;
      const mac = macOf(key, head.mac, entry, number, fields);
      const args = { headMac: head.mac, entry, number, mac, fields };
      const [outcome, ...now] = (await connection.step(APPEND_AUDIT, KEYS, args)) as string[];
      if (outcome === 'added') {
        await sink?.write({ entry, number, mac, fields });
        if (!isStart) return { entry, hasBegun };
        hasBegun = true;
        head = { number, mac, entry };
        continue;
      }
      const [at, its = '', place = '', ms] = now;
      head = { number: Number(at), mac: its, entry: place };
      serverMs = Number(ms);
      if (head.number === 0) last = (await standing()).last;
    }
    // Nothing was changed: the caller may retry.
    throw new StoreUnavailable('none');
  };
  let before: Promise<unknown> = Promise.resolve();
  /** One after the other: of this process's entries computed concurrently over the same head all but one would be rejected. */
  const append = (asked: readonly string[] | undefined): ReturnType<typeof add> => {
    const added = before.then(() => add(asked));
    before = added.catch(() => {});
    return added;
  };
  return {
    standing,
    rawPage,
    beginChain: async () => (await append(undefined)).hasBegun,
    async begin({ who, operation, subject, input, before }) {
      const fields = [
        'who',
        who,
        'operation',
        operation,
        'subject',
        subject,
        'input',
        json(input),
        'before',
        json(before),
      ];
      return (await append(fields)).entry;
    },
    async end(id, { outcome, after, made = '' }) {
      const fields = ['of', id, 'outcome', outcome, 'after', json(after), 'made', made];
      await append(fields);
    },
    async page(before, sinceMs, count) {
      const newest = before === undefined ? '+' : `(${before}`;
      const oldest = String(Math.max(0, Math.floor(sinceMs)));
      const found = await connection.read((redis) => redis.xrevrange(LOG, newest, oldest, 'COUNT', count));
      return found.map(([id, fields]) => entryOf(id, fields));
    },
  };
}

function json(value: unknown): string {
  if (value === undefined) return '';
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner instanceof Set) return [...inner];
    return typeof inner === 'string' && inner.length > TEXT_MAX ? `${inner.slice(0, TEXT_MAX)}...` : inner;
  });
}

function entryOf(id: string, fields: readonly string[]): AuditEntry {
  const read = fieldsOf(fields);
  if (read.chain !== undefined) return { kind: 'chain', id };
  const { of, outcome = '', who = '', operation = '', subject = '', input = '', before = '', after = '', made } = read;
  if (of !== undefined) return { kind: 'ended', id, of, outcome, after: parsed(after), made: made || undefined };
  const atMs = Number.parseInt(id, 10);
  return { kind: 'asked', id, atMs, who, operation, subject, input: parsed(input), before: parsed(before) };
}

const parsed = (text: string): object | undefined => (text === '' ? undefined : (JSON.parse(text) as object));

/**
 * What operators have changed: one stream of the whole store, only ever added to, chained by HMACs (audit-chain.ts). Each change is two entries, one before it and one
 * behind it; a first one alone says that the change may have happened. The time is that of the store's clock, the same for everybody.
 */

import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { fieldsOf } from '../connection/fields.js';
import { script } from '../connection/scripts.js';
import type { RawEntry } from '../ledger/journal.js';
import { type ChainHead, EarlierEntries, macOf, startFields } from './audit-chain.js';
import type { AuditSink } from './audit-sink.js';

export interface ChangeAsked {
  /** A person, as the command line knows one, or a program of ours. */
  readonly who: string;
  readonly operation: string;
  /** What is changed, in words that a search finds. */
  readonly subject: string;
  /** No secret. */
  readonly input: unknown;
  /** How it stood; undefined: it was not there. */
  readonly before: object | undefined;
}

export interface ChangeEnded {
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
  /** How it stood then; undefined: it was not there. */
  readonly after: object | undefined;
  /** What has come into being. */
  readonly made: string | undefined;
}

export type AuditEntry =
  /** Where the chain of HMACs begins. */
  | { readonly kind: 'chain'; readonly id: string }
  | (ChangeAsked & { readonly kind: 'asked'; readonly id: string; readonly atMs: number })
  | (ChangeEnded & { readonly kind: 'ended'; readonly of: string; readonly id: string });

export interface AuditLog {
  /** Begins the chain where there is none. The number of entries before it; undefined: it has begun already. */
  beginChain(): Promise<number | undefined>;
  /** Before anything is changed. Answers the entry's id. */
  begin(asked: ChangeAsked): Promise<string>;
  /** What came of it. */
  end(id: string, ended: ChangeEnded): Promise<void>;
  /** Newest first: those before the entry `before` (undefined: the newest), at or after `sinceMs`, at most `count`. */
  page(before: string | undefined, sinceMs: number, count: number): Promise<readonly AuditEntry[]>;
  /** As they are kept, oldest first, from the entry `from` ('-': the first; `(<entry>`: behind it) to `until`. */
  rawPage(from: string, until: string, count: number): Promise<readonly RawEntry[]>;
  /** The end of the chain, and how many entries the log has and ever had. */
  standing(): Promise<AuditStanding>;
}

export interface AuditStanding {
  readonly head: ChainHead;
  /** The last entry of the log; '' where it has none. */
  readonly last: string;
  readonly entries: number;
  readonly added: number;
  /** The store's clock, epoch ms. */
  readonly serverMs: number;
}

const APPEND = script('append-audit');
const HEAD = script('read-audit-head');
const LOG = 'audit';
/** In the slot of the log. */
const HEAD_KEY = '{audit}:head';
/** Others may add entries meanwhile: then it is computed again, so often. */
const APPEND_TRIES = 50;
const PAGE = 500;
/** Longer texts are cut: an entry is for reading. */
const TEXT_MAX = 1_000;

export function auditLog(connection: Connection, key: Buffer, sink: AuditSink | undefined): AuditLog {
  const standing = async (): Promise<AuditStanding> => {
    const [number, mac, entry, serverMs, last, entries, added] = (await connection.step(
      HEAD,
      [LOG, HEAD_KEY],
      [],
    )) as string[];
    const head = { number: Number(number), mac: mac!, entry: entry! };
    return { head, last: last!, entries: Number(entries), added: Number(added), serverMs: Number(serverMs) };
  };
  const rawPage: AuditLog['rawPage'] = (from, until, count) =>
    connection.read((redis) => redis.xrange(LOG, from, until, 'COUNT', count));
  /** How the log stands before its chain begins. */
  const earlier = async (last: string): Promise<EarlierEntries> => {
    const entries = new EarlierEntries();
    for (let after = '-'; last !== ''; ) {
      const page = await rawPage(after, last, PAGE);
      for (const entry of page) entries.add(entry);
      if (page.length < PAGE) break;
      after = `(${page.at(-1)![0]}`;
    }
    return entries;
  };
  const add = async (asked: readonly string[] | undefined): Promise<{ entry: string; begun: number | undefined }> => {
    let { head, last, serverMs } = await standing();
    let begun: number | undefined;
    for (let tried = 0; tried < APPEND_TRIES; tried++) {
      if (asked === undefined && head.number > 0) return { entry: head.entry, begun };
      const start = head.number === 0 ? await earlier(last) : undefined;
      const isStart = start !== undefined;
      const fields = start ? startFields(start) : asked!;
      const number = head.number + 1;
      // After the last one, also where the store's clock has been set back.
      const earliestMs = isStart ? Number.parseInt(last || '-1', 10) + 1 : Number.parseInt(head.entry, 10);
      const entry = `${Math.max(serverMs, earliestMs)}-${number}`;
      const mac = macOf(key, head.mac, entry, number, fields);
      const args = [head.mac, entry, String(number), mac, ...fields];
      const [outcome, ...now] = (await connection.step(APPEND, [LOG, HEAD_KEY], args)) as string[];
      if (outcome === 'added') {
        await sink?.write({ entry, number, mac, fields });
        if (!isStart) return { entry, begun };
        begun = start.count;
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
  /** One after the other: entries of this process that are computed at once over the same head would be refused but for one of them. */
  const append = (asked: readonly string[] | undefined): ReturnType<typeof add> => {
    const added = before.then(() => add(asked));
    before = added.catch(() => {});
    return added;
  };
  return {
    standing,
    rawPage,
    beginChain: async () => (await append(undefined)).begun,
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

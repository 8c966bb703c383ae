/**
 * What operators have changed: one stream of the whole store, only ever added to. Each change is two entries, one before it and one
 * behind it; a first one alone says that the change may have happened. The time is that of the store's clock, the same for everybody.
 */
import type { Connection } from './connection.js';
import { fieldsOf } from './fields.js';

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
  | (ChangeAsked & { readonly kind: 'asked'; readonly id: string; readonly atMs: number })
  | (ChangeEnded & { readonly kind: 'ended'; readonly of: string; readonly id: string });

export interface AuditLog {
  /** Before anything is changed. Answers the entry's id. */
  begin(asked: ChangeAsked): Promise<string>;
  /** What came of it. */
  end(id: string, ended: ChangeEnded): Promise<void>;
  /** Newest first: those before the entry `before` (undefined: the newest), at or after `sinceMs`, at most `count`. */
  page(before: string | undefined, sinceMs: number, count: number): Promise<readonly AuditEntry[]>;
}

const LOG = 'audit';
/** Longer texts are cut: an entry is for reading. */
const TEXT_MAX = 1_000;

export function auditLog(connection: Connection): AuditLog {
  return {
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
      return (await connection.write((redis) => redis.xadd(LOG, '*', ...fields)))!;
    },
    async end(id, { outcome, after, made = '' }) {
      const fields = ['of', id, 'outcome', outcome, 'after', json(after), 'made', made];
      await connection.write((redis) => redis.xadd(LOG, '*', ...fields));
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
  const { of, outcome = '', who = '', operation = '', subject = '', input = '', before = '', after = '', made } = read;
  if (of !== undefined) return { kind: 'ended', id, of, outcome, after: parsed(after), made: made || undefined };
  const atMs = Number.parseInt(id, 10);
  return { kind: 'asked', id, atMs, who, operation, subject, input: parsed(input), before: parsed(before) };
}

const parsed = (text: string): object | undefined => (text === '' ? undefined : (JSON.parse(text) as object));

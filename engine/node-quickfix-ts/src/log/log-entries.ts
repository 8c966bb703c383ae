import { formatUtcTimestampMicros } from '../codec/values.js';
import type { SessionId } from '../types.js';
import { LOGGED_MAX, type Log, type SessionLog, splitMessages } from './log.js';
import { type Redactor, redactor, SECRET_TAGS } from './redaction.js';

/** One line of a log. */
export interface LogEntry {
  /** UTC with microseconds, `20260115-12:00:00.123456`, of this process's clock. */
  readonly time: string;
  /** Undefined: it belongs to no session. */
  readonly session: SessionId | undefined;
  readonly kind: 'in' | 'out' | 'garbled' | 'event';
  /** The message or the event, redacted. A character is a byte. */
  readonly text: string;
}

/** What becomes an entry of a log. */
export interface EntryOptions {
  /** Tags whose values are replaced by as many `*`; `SECRET_TAGS` by default. */
  readonly redact?: Iterable<number>;
  /** Published messages are logged too; true by default. */
  readonly published?: boolean;
  /** Epoch ms; `Date.now` by default. */
  readonly now?: () => number;
}

/** Makes redacted entries of what a session reports, for `write`. */
export class EntryLog implements Log {
  private readonly redact: Redactor;
  private readonly published: boolean;
  /** The time of an entry. */
  readonly time: () => string;

  constructor(
    options: EntryOptions,
    private readonly write: (entry: LogEntry) => void,
  ) {
    this.redact = redactor(options.redact ?? SECRET_TAGS);
    this.published = options.published ?? true;
    const micros = microClock(options.now);
    this.time = () => formatUtcTimestampMicros(micros());
  }

  session(session: SessionId | undefined): SessionLog {
    const { published, time, write } = this;
    const add = (kind: LogEntry['kind'], bytes: Uint8Array, start: number, end: number): void => {
      const copy = Buffer.from(bytes.subarray(start, end));
      this.redact(copy, 0, copy.length);
      write({ time: time(), session, kind, text: copy.toString('latin1') });
    };
    const sent = (bytes: Uint8Array, start: number, end: number): void => add('out', bytes, start, end);
    return {
      published,
      incoming: (bytes, start, end) => add('in', bytes, start, end),
      outgoing: (bytes, start, end) => splitMessages(bytes, start, end, sent),
      garbled: (bytes, start, end) => add('garbled', bytes, start, Math.min(end, start + LOGGED_MAX)),
      // The peer's texts may quote our messages.
      event: (text) => {
        const bytes = Buffer.from(text.slice(0, LOGGED_MAX), 'latin1');
        add('event', bytes, 0, bytes.length);
      },
    };
  }
}

/** How far the microseconds may be from the system's clock before they follow it, ms. */
const DRIFT_MS = 2;

/** Epoch microseconds: the milliseconds of `now`, and what has passed since between them. */
export function microClock(now: () => number = Date.now): () => number {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsedMs = performance.now();
    const wallMs = now();
    const atMs = elapsedMs + offsetMs;
    if (atMs < wallMs || atMs > wallMs + DRIFT_MS) {
      offsetMs = wallMs - elapsedMs;
      return Math.floor(wallMs * 1_000);
    }
    return Math.floor(atMs * 1_000);
  };
}

import { Readable } from 'node:stream';
import type { SessionId } from '../types.js';
import type { Log, SessionLog } from './log.js';
import { EntryLog, type EntryOptions, type LogEntry } from './log-entries.js';

/** The bound of a `LogStream`. */
export interface LogStreamOptions extends EntryOptions {
  /** Entries that wait for the reader, 10,000 by default: one more is dropped and counted. */
  readonly maxQueued?: number;
}

/** A log for programs: `for await (const entry of stream)`, or `stream.on('data', ...)`. Each entry is a `LogEntry`. */
export class LogStream extends Readable implements Log {
  /** Entries that were dropped because the reader was too slow. */
  dropped = 0;
  private readonly entries: EntryLog;

  constructor(options: LogStreamOptions = {}) {
    const maxQueued = options.maxQueued ?? 10_000;
    super({ objectMode: true, highWaterMark: maxQueued, read() {} });
    this.entries = new EntryLog(options, (entry: LogEntry) => {
      if (this.destroyed || this.readableEnded || this.readableLength >= maxQueued) this.dropped++;
      else this.push(entry);
    });
  }

  session(id: SessionId | undefined): SessionLog {
    return this.entries.session(id);
  }

  override [Symbol.asyncIterator](): NodeJS.AsyncIterator<LogEntry> {
    return super[Symbol.asyncIterator]();
  }
}

import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FilePool } from '../store/file-pool.js';
import { folderName } from '../store/file-store.js';
import type { SessionId } from '../types.js';
import { escapeLine, type Log, type SessionLog } from './log.js';
import { EntryLog, type EntryOptions, type LogEntry } from './log-entries.js';

/** Where a `FileLog` writes, and its bounds. */
export interface FileLogOptions extends EntryOptions {
  /** Made when it does not exist, mode 0700. */
  readonly directory: string;
  /** A file is continued in the next one at this size, bytes, as far as this log has read or written it; 64 MiB by default. */
  readonly maxFileBytes?: number;
  /** Days before today whose files are kept; absent: nothing is deleted. */
  readonly keepDays?: number;
  /** Bytes that wait for the disk, 16 MiB by default: what comes beyond is dropped, and the number is written as an event. */
  readonly maxQueuedBytes?: number;
  /** Open files at a time, 64 by default. */
  readonly maxOpenFiles?: number;
  /** The disk has rejected a write: its entries are lost and counted. Called once until a write succeeds again. */
  readonly onError?: (error: Error) => void;
}

/** Folder of what belongs to no session. */
const NO_SESSION = 'no-session';
const SIGN = { in: '<', out: '>', garbled: '!', event: '' } as const;
const LF = Buffer.from('\n');
const WRITE_BYTES_MAX = 1024 * 1024;
const FILE = /^(messages|events)-(\d{8})-(\d{3,6})\.log$/;

/** The files of one kind and one session: the current one, and what waits for it. */
interface Target {
  readonly folder: string;
  readonly kind: 'messages' | 'events';
  /** Empty: the folder has not been read. */
  day: string;
  number: number;
  size: number;
  /** A failed write has left half a line. */
  isTorn: boolean;
  lines: string[];
}

interface Folder {
  readonly messages: Target;
  readonly events: Target;
  dropped: number;
}

/**
 * Writes files for each session, in a folder of its name (`folderName`): `messages-<YYYYMMDD>-<nnn>.log` and `events-<YYYYMMDD>-<nnn>.log`, by
 * the day of UTC, from 001. A line is the time, for a message its direction (`<` in, `>` out, `!` no message), and the text, in which
 * control characters except the separator SOH, and the backslash, are written `\xNN`. Mode 0600. A process that continues a day appends
 * to its last file.
 */
export class FileLog implements Log {
  /** Entries that were not written: the disk was too slow, or failed. */
  dropped = 0;
  private readonly options: Required<Omit<FileLogOptions, keyof EntryOptions | 'keepDays' | 'onError'>> &
    FileLogOptions;
  private readonly entries: EntryLog;
  private readonly pool: FilePool;
  private readonly folders = new Map<string, Folder>();
  private readonly dirty = new Set<Target>();
  private queuedBytes = 0;
  private writing: Promise<void> | undefined;
  private hasFailed = false;
  private closed = false;

  constructor(options: FileLogOptions) {
    const defaults = { maxFileBytes: 64 * 1024 * 1024, maxQueuedBytes: 16 * 1024 * 1024, maxOpenFiles: 64 };
    this.options = { ...defaults, ...options };
    this.pool = new FilePool(this.options.maxOpenFiles, false);
    this.entries = new EntryLog(options, (entry) => this.add(entry));
  }

  session(id: SessionId | undefined): SessionLog {
    return this.entries.session(id);
  }

  /** Resolves when everything logged so far is written. */
  async flush(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  /** Writes what waits; what comes later is dropped. */
  async close(): Promise<void> {
    this.closed = true;
    await this.flush();
    await this.pool.closeUnder(this.options.directory);
  }

  private add({ time, session, kind, text }: LogEntry): void {
    const folder = this.folderOf(session);
    if (this.closed || this.queuedBytes + text.length > this.options.maxQueuedBytes) {
      this.dropped++;
      folder.dropped++;
      return;
    }
    const sign = SIGN[kind];
    this.queue(
      kind === 'event' ? folder.events : folder.messages,
      `${time} ${sign}${sign && ' '}${escapeLine(text)}\n`,
    );
  }

  private queue(target: Target, line: string): void {
    target.lines.push(line);
    this.queuedBytes += line.length;
    this.dirty.add(target);
    this.writing ??= this.writeAll();
  }

  private folderOf(session: SessionId | undefined): Folder {
    const name = session === undefined ? NO_SESSION : folderName(session);
    let folder = this.folders.get(name);
    if (folder === undefined) {
      const target = (kind: Target['kind']): Target => {
        const folder = join(this.options.directory, name);
        return { folder, kind, day: '', number: 0, size: 0, isTorn: false, lines: [] };
      };
      folder = { messages: target('messages'), events: target('events'), dropped: 0 };
      this.folders.set(name, folder);
    }
    return folder;
  }

  private async writeAll(): Promise<void> {
    // What this turn of the event loop logs is one write for each file.
    await new Promise(setImmediate);
    for (const target of this.dirty) {
      this.dirty.delete(target);
      const { lines } = target;
      target.lines = [];
      try {
        await this.write(target, lines);
        this.hasFailed = false;
      } catch (error) {
        this.lost(target, lines.length, error as Error);
      } finally {
        for (const line of lines) this.queuedBytes -= line.length;
      }
      if (this.dirty.size === 0) this.reportDropped();
    }
    this.writing = undefined;
    if (this.dirty.size > 0) this.writing = this.writeAll();
  }

  private lost(target: Target, lines: number, error: Error): void {
    this.dropped += lines;
    for (const folder of this.folders.values())
      if (folder.messages === target || folder.events === target) folder.dropped += lines;
    if (!this.hasFailed) this.options.onError?.(error);
    this.hasFailed = true;
  }

  private reportDropped(): void {
    if (this.hasFailed) return;
    for (const folder of this.folders.values()) {
      if (folder.dropped === 0) continue;
      const text = `${folder.dropped} entries were dropped: the disk was too slow or failed`;
      folder.dropped = 0;
      this.queue(folder.events, `${this.entries.time()} ${text}\n`);
    }
  }

  private async write(target: Target, lines: readonly string[]): Promise<void> {
    for (let at = 0; at < lines.length; ) {
      const day = lines[at]!.slice(0, 8);
      let text = '';
      while (at < lines.length && text.length < WRITE_BYTES_MAX && lines[at]!.startsWith(day)) text += lines[at++];
      await this.append(target, day, Buffer.from(text, 'latin1'));
    }
  }

  private async append(target: Target, day: string, bytes: Buffer): Promise<void> {
    if (target.day !== day) {
      await this.pool.close(pathOf(target));
      // The day may have been before: the clock can be set back.
      await this.findLast(target, day);
    }
    if (target.size > 0 && target.size + bytes.length > this.options.maxFileBytes) {
      await this.pool.close(pathOf(target));
      Object.assign(target, { number: target.number + 1, size: 0, isTorn: false });
    }
    const all = target.isTorn ? Buffer.concat([LF, bytes]) : bytes;
    const append = async (file: FileHandle): Promise<void> => {
      for (let done = 0; done < all.length; ) {
        const { bytesWritten } = await file.write(all, done);
        done += bytesWritten;
        target.size += bytesWritten;
        target.isTorn = done < all.length;
      }
    };
    await this.pool.use(pathOf(target), append, openToAppend);
  }

  /** The last file of the day that is there already. */
  private async findLast(target: Target, day: string): Promise<void> {
    await mkdir(target.folder, { recursive: true, mode: 0o700 });
    let number = 1;
    for (const name of await readdir(target.folder)) {
      const [, kind, of, found] = FILE.exec(name) ?? [];
      if (kind === target.kind && of === day) number = Math.max(number, Number(found));
    }
    Object.assign(target, { day, number, isTorn: false });
    target.size = await stat(pathOf(target)).then(
      ({ size }) => size,
      () => 0,
    );
    await this.removeOld(target);
  }

  private async removeOld({ folder, kind, day }: Target): Promise<void> {
    const { keepDays } = this.options;
    if (keepDays === undefined) return;
    const midnightMs = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8)));
    const oldest = new Date(midnightMs - keepDays * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    for (const name of await readdir(folder)) {
      const [, of, at = ''] = FILE.exec(name) ?? [];
      if (of === kind && at < oldest) await rm(join(folder, name), { force: true });
    }
  }
}

/** What another process writes into the same file stays: two of them share `no-session`. */
function openToAppend(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600);
}

function pathOf({ folder, kind, day, number }: Target): string {
  return join(folder, `${kind}-${day}-${String(number).padStart(3, '0')}.log`);
}

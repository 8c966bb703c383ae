/** Writes the blocks of one folder, in the thread of their writer: a file a day or more, within a bound of bytes. */
import { closeSync, existsSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type FolderHead,
  fileLine,
  keepHead,
  type LogFile,
  logBlock,
  logFileName,
  logFiles,
  logHead,
} from './block-files.js';

/** What a writer reports, for the program's log. */
export interface WriterReport {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

/** What every writer is started with. */
export interface WriterStart {
  readonly folder: string;
  readonly key: Uint8Array;
  /** Bytes of the folder's files. */
  readonly maxBytes: number;
  /** At `maxBytes`: writing stops until there is room, or the oldest file is removed. */
  readonly whenFull: 'stop' | 'remove-oldest';
  readonly ring: SharedArrayBuffer;
  readonly stats: SharedArrayBuffer;
}

/** Places in the shared statistics, doubles. */
export const STATS = { written: 0, dropped: 1, bytes: 2, isFull: 3, reportedDrops: 4 } as const;

/** A block has at most so many characters and a line. */
export const BLOCK_BYTES = 256 * 1024;
/** Files may have been moved away by an operator. */
const RECOUNT_MS = 10_000;
const WARN_AT = 0.8;

export interface WriterOptions {
  readonly start: WriterStart;
  /** As a report names it: `message log`. */
  readonly what: string;
  /** The line that tells readers of lines that are missing before this block. */
  note(unwritten: number, firstUs: number): string;
  /** Further lines of the block that is written next. */
  more?(): string;
  report(level: WriterReport['level'], text: string, fields?: WriterReport['fields']): void;
}

/** Lines that belong together; `count` of them are counted as written, or as dropped. */
export interface BlockText {
  /** YYYYMMDD: the file that it is in. */
  readonly day: string;
  readonly text: string;
  readonly count: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

export class BlockWriter {
  readonly #options: WriterOptions;
  readonly #key: Buffer;
  readonly #counts: Float64Array;
  /** A day's file is continued in another, so that a part of a day can be moved away or removed. */
  readonly #fileBytesMax: number;
  /** The files, oldest first; the last one is written where `#file` is open. */
  #files: LogFile[] = [];
  #file: number | undefined;
  #day = '';
  #head: FolderHead;
  #recountAtMs = 0;
  #isFull = false;
  #hasWarned = false;
  #hasFailed = false;
  /** Lines that were not written since the last block. */
  #unwritten = 0;

  constructor(options: WriterOptions) {
    const { folder, key, stats, maxBytes } = options.start;
    this.#options = options;
    this.#key = Buffer.from(key);
    this.#counts = new Float64Array(stats);
    this.#fileBytesMax = maxBytes / 16;
    this.#head = logHead(folder, logFiles(folder));
    this.#recount();
    this.#counts[STATS.bytes] = this.#total();
  }

  /** False: the block is not in the files, and counted as dropped; the next one says so in a line. */
  write(block: BlockText): boolean {
    let isWritten = false;
    try {
      isWritten = this.#append(block);
      this.#hasFailed = false;
    } catch (error) {
      // What was written of the block is passed over by readers as one that was cut off: the next begins a file.
      this.close();
      this.#removeEmpty();
      const text = `the ${this.#options.what} cannot be written`;
      if (!this.#hasFailed) this.#options.report('error', text, { error: String(error) });
      this.#hasFailed = true;
    }
    if (isWritten) this.#counts[STATS.written]! += block.count;
    else {
      this.#unwritten += block.count;
      this.#counts[STATS.dropped]! += block.count;
    }
    this.#counts[STATS.bytes] = this.#total();
    return isWritten;
  }

  close(): void {
    if (this.#file === undefined) return;
    try {
      fdatasyncSync(this.#file);
    } finally {
      closeSync(this.#file);
      this.#file = undefined;
    }
  }

  /** A file that has no block: a full disk would leave one a second. */
  #removeEmpty(): void {
    const last = this.#files.at(-1);
    if (last === undefined || last.bytes > 0 || last.number !== this.#head.file) return;
    try {
      rmSync(last.path, { force: true });
      this.#files.pop();
      this.#head = { ...this.#head, file: last.number - 1 };
    } catch {
      // It stays, and readers pass it over.
    }
  }

  #total(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #recount(): void {
    this.#files = [...logFiles(this.#options.start.folder)];
    const last = this.#files.at(-1)?.number ?? 0;
    // The file that is open was moved away: the next block begins another.
    if (this.#file !== undefined && last !== this.#head.file) this.close();
    this.#head = { ...this.#head, file: Math.max(this.#head.file, last) };
    this.#recountAtMs = Date.now() + RECOUNT_MS;
  }

  /** False: the bound is reached. */
  #append({ day, text, firstUs, lastUs }: BlockText): boolean {
    const { start, note, more } = this.#options;
    if (day !== this.#day || (this.#files.at(-1)?.bytes ?? 0) >= this.#fileBytesMax) this.close();
    const isNearBound = this.#total() + 2 * BLOCK_BYTES > start.maxBytes;
    // What is written to a file that was moved to another disk is lost.
    const isGone = this.#file !== undefined && !existsSync(this.#files.at(-1)!.path);
    if (isNearBound || isGone || Date.now() >= this.#recountAtMs) this.#recount();
    const isNew = this.#file === undefined;
    const number = isNew ? this.#head.file + 1 : this.#head.file;
    const noted = this.#unwritten === 0 ? '' : note(this.#unwritten, firstUs);
    const body = `${isNew ? fileLine(number, this.#head.mac) : ''}${noted}${more?.() ?? ''}${text}`;
    const { bytes, head: next } = logBlock(this.#key, this.#head, { day, firstUs, lastUs }, body);
    if (!this.#hasRoomFor(bytes.length)) return false;
    if (isNew) this.#open(day, number);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file!, bytes, done);
    this.#head = { ...next, file: number };
    keepHead(start.folder, this.#head);
    const last = this.#files.at(-1)!;
    this.#files[this.#files.length - 1] = { ...last, bytes: last.bytes + bytes.length };
    this.#unwritten = 0;
    return true;
  }

  #open(day: string, number: number): void {
    const name = logFileName(day, number);
    const path = `${this.#options.start.folder}/${name}`;
    this.#file = openSync(path, 'wx', 0o600);
    this.#day = day;
    this.#head = { ...this.#head, file: number };
    this.#files.push({ path, name, number, day, bytes: 0 });
  }

  #hasRoomFor(bytes: number): boolean {
    const { start, what, report } = this.#options;
    const { maxBytes, whenFull } = start;
    while (whenFull === 'remove-oldest' && this.#files.length > 1 && this.#total() + bytes > maxBytes) {
      const oldest = this.#files.shift()!;
      // It may have been moved away a moment ago.
      rmSync(oldest.path, { force: true });
      report('warn', `the ${what} has reached its bound: its oldest file was removed`, { file: basename(oldest.path) });
    }
    const wanted = this.#total() + bytes;
    // Blocks differ in size: one that would just fit is not the room that the operator has made.
    if (wanted > (this.#isFull ? maxBytes * WARN_AT : maxBytes) !== this.#isFull) {
      this.#isFull = !this.#isFull;
      this.#counts[STATS.isFull] = this.#isFull ? 1 : 0;
      if (this.#isFull)
        report('error', `the ${what} has reached its bound and has stopped: move its oldest files away`, { maxBytes });
      else report('info', `the ${what} has room again`, { maxBytes });
    }
    const isFilling = whenFull === 'stop' && wanted > maxBytes * WARN_AT;
    if (isFilling && !this.#hasWarned) report('warn', `the ${what} is filling`, { bytes: wanted, maxBytes });
    this.#hasWarned = isFilling;
    return !this.#isFull;
  }
}

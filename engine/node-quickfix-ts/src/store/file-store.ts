import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId, SessionStore, SessionStoreFactory, StoredNumbers } from '../types.js';
import { DirectoryLock } from './directory-lock.js';
import { FilePool } from './file-pool.js';
import { MESSAGE_BYTES_MAX, MessageFiles, record, type StoredMessage } from './message-files.js';
import { NumbersFile } from './numbers-file.js';

/** Where a file store keeps its sessions, and its bounds. */
export interface FileStoreOptions {
  /** Made when it does not exist. On a disk of this machine; one process at a time. */
  readonly directory: string;
  /**
   * `always` (default): a message or a reserved number is on disk when its promise resolves. `interval`: after `syncEveryMs` at the latest.
   * `never`: when the system writes it. A process that is killed loses nothing with any of them; a machine that loses power does.
   */
  readonly sync?: 'always' | 'interval' | 'never';
  /** 10 to 60,000 ms, 1,000 by default. */
  readonly syncEveryMs?: number;
  /** Files open at a time for all sessions, 4 to 65,536, 256 by default. */
  readonly maxOpenFiles?: number;
  /** A message file is full at this size, 4 KiB to 2 GiB, 16 MiB by default. */
  readonly segmentBytes?: number;
  /** Messages kept for one session, bytes, 1 GiB by default: beyond that its oldest full file is removed, and a resend gap-fills. */
  readonly keepBytes?: number;
  /** Longest wait for the disk, ms, 10,000 by default. */
  readonly waitMs?: number;
  /** Epoch ms; `Date.now` by default. */
  readonly now?: () => number;
}

type Options = Required<Omit<FileStoreOptions, 'directory'>>;

const DEFAULTS: Options = {
  sync: 'always',
  syncEveryMs: 1_000,
  maxOpenFiles: 256,
  segmentBytes: 16 * 1024 * 1024,
  keepBytes: 1024 * 1024 * 1024,
  waitMs: 10_000,
  now: Date.now,
};
/** Messages of one session that wait for the disk, bytes: one more is rejected. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Written at once at most. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Keeps sessions in a directory: a folder each, with its numbers (`NumbersFile`) and messages (`MessageFiles`). A process that has a session
 * open holds the directory (`DirectoryLock`); `open` of another one resolves to undefined meanwhile. The format is in
 * docs/stores.md. Throws a RangeError for an option out of range.
 */
export function fileStoreFactory(options: FileStoreOptions): SessionStoreFactory {
  const directory = new Directory(options.directory, checked({ ...DEFAULTS, ...options }));
  return (id) => new FileStore(directory, id);
}

/** What the sessions of one factory share: the lock, the open files, and the timer that syncs them. */
class Directory {
  readonly pool: FilePool;
  /** Folders of sessions that are open. */
  readonly live = new Set<string>();
  private users = 0;
  private lock: Promise<DirectoryLock | undefined> = Promise.resolve(undefined);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly path: string,
    readonly options: Options,
  ) {
    this.pool = new FilePool(options.maxOpenFiles, options.sync !== 'never');
  }

  /** False: another process has the directory. Each `true` needs a `leave`. */
  async enter(): Promise<boolean> {
    this.users++;
    if (this.users === 1) this.lock = this.lock.then(() => this.acquire());
    const lock = await this.lock.catch((error: unknown) => {
      this.users--;
      this.lock = Promise.resolve(undefined);
      throw error;
    });
    if (lock === undefined) this.users--;
    return lock !== undefined;
  }

  async leave(): Promise<void> {
    if (--this.users > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    const held = this.lock;
    this.lock = held.then(async (lock) => {
      await lock?.release();
      return undefined;
    });
    await this.lock;
  }

  private async acquire(): Promise<DirectoryLock | undefined> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const lock = await DirectoryLock.acquire(await realpath(this.path));
    if (lock !== undefined && this.options.sync === 'interval') {
      this.timer = setInterval(() => void this.pool.syncAll().catch(() => {}), this.options.syncEveryMs).unref();
    }
    return lock;
  }
}

interface Batch {
  readonly numbers: number[];
  readonly records: Buffer[];
  bytes: number;
  written: Promise<void>;
}

type Work<T> = (open: { readonly numbers: NumbersFile; readonly messages: MessageFiles }) => Promise<T>;

class FileStore implements SessionStore {
  private readonly folder: string;
  private readonly identity: string;
  private numbers: NumbersFile | undefined;
  private messages: MessageFiles | undefined;
  /** One operation of a session at a time, in order. */
  private last: Promise<unknown> = Promise.resolve();
  /** Messages that have not begun to be written: those of one turn, and those that come while others are written. */
  private batch: Batch | undefined;
  private waitingBytes = 0;
  private nextIn: number | undefined;

  constructor(
    private readonly directory: Directory,
    id: SessionId,
  ) {
    this.identity = identityOf(id);
    this.folder = join(directory.path, folderName(id));
  }

  /** When the disk answers too late, it is closed again as soon as it does. */
  async open(): Promise<StoredNumbers | undefined> {
    const opening = this.behind(() => this.openFiles());
    return this.inTime(opening).catch((error) => {
      opening.then(() => this.close()).catch(() => {});
      throw error;
    });
  }

  private async openFiles(): Promise<StoredNumbers | undefined> {
    const { live, options, pool } = this.directory;
    if (live.has(this.folder)) return undefined;
    live.add(this.folder);
    let hasEntered = false;
    try {
      hasEntered = await this.directory.enter();
      if (!hasEntered) {
        live.delete(this.folder);
        return undefined;
      }
      const made = await mkdir(this.folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await pool.syncFolder(this.directory.path);
      const numbers = await NumbersFile.open(join(this.folder, 'numbers'), pool, this.identity, options.now());
      const messages = new MessageFiles(this.folder, pool, options, numbers.current.generation);
      await messages.open();
      this.numbers = numbers;
      this.messages = messages;
      const { nextOut, nextIn, createdAtMs } = numbers.current;
      return { nextOut, nextIn, createdAtMs };
    } catch (error) {
      await pool.closeUnder(this.folder);
      live.delete(this.folder);
      if (hasEntered) await this.directory.leave();
      throw error;
    }
  }

  reset(nowMs: number): Promise<void> {
    return this.enqueue(async ({ numbers, messages }) => {
      this.nextIn = undefined;
      const generation = numbers.current.generation + 1;
      // This write is the reset: messages of the generation before are no longer read from here on.
      await numbers.write({ nextOut: 1, nextIn: 1, createdAtMs: nowMs, generation }, this.syncs);
      await messages.reset(generation);
    });
  }

  reserve(bound: number): Promise<void> {
    return this.enqueue(async ({ numbers }) => {
      if (bound > numbers.current.nextOut) await numbers.write({ nextOut: bound }, this.syncs);
    });
  }

  settle(nextOut: number, nextIn: number): Promise<void> {
    return this.enqueue(async ({ numbers }) => {
      this.nextIn = undefined;
      await numbers.write({ nextOut, nextIn }, this.syncs);
    });
  }

  saveNextIn(nextIn: number): void {
    const isQueued = this.nextIn !== undefined;
    this.nextIn = nextIn;
    // Written, not synced. What fails is written with the next number, or at the end.
    if (!isQueued) this.enqueue(() => this.writeNextIn()).catch(() => {});
  }

  append(number: number, message: Uint8Array): Promise<void> {
    if (!Number.isSafeInteger(number) || number < 1)
      return Promise.reject(new RangeError('the number of a message is a whole number from 1'));
    if (message.length > MESSAGE_BYTES_MAX)
      return Promise.reject(new RangeError(`a message has at most ${MESSAGE_BYTES_MAX} bytes`));
    if (this.waitingBytes > WAITING_BYTES_MAX)
      return Promise.reject(new Error('the disk of the file store is too slow: too many messages wait for it'));
    const batch = this.batch ?? this.newBatch();
    const bytes = record(number, message);
    batch.numbers.push(number);
    batch.records.push(bytes);
    batch.bytes += bytes.length;
    this.waitingBytes += bytes.length;
    if (batch.bytes >= BATCH_BYTES) this.batch = undefined;
    return batch.written;
  }

  read(from: number, to: number, limit: number): Promise<readonly StoredMessage[]> {
    return this.enqueue(({ messages }) => messages.read(from, to, limit));
  }

  /** Also while it is being opened. */
  close(): Promise<void> {
    return this.inTime(this.behind(() => this.closeFiles()));
  }

  private async closeFiles(): Promise<void> {
    const { numbers } = this;
    if (numbers === undefined) return;
    this.numbers = undefined;
    this.messages = undefined;
    try {
      if (this.nextIn !== undefined) await numbers.write({ nextIn: this.nextIn }, this.syncs);
      await this.directory.pool.closeUnder(this.folder);
    } finally {
      this.nextIn = undefined;
      this.directory.live.delete(this.folder);
      await this.directory.leave();
    }
  }

  /** Numbers are rarely written: only `never` leaves them to the system. */
  private get syncs(): boolean {
    return this.directory.options.sync !== 'never';
  }

  private newBatch(): Batch {
    const batch: Batch = { numbers: [], records: [], bytes: 0, written: Promise.resolve() };
    this.batch = batch;
    const written = this.queued(async ({ messages }) => {
      if (this.batch === batch) this.batch = undefined;
      await messages.append(batch.numbers, batch.records, this.directory.options.sync === 'always');
    });
    const done = (): void => {
      this.waitingBytes -= batch.bytes;
    };
    written.then(done, done);
    batch.written = this.inTime(written);
    return batch;
  }

  private async writeNextIn(): Promise<void> {
    const { nextIn, numbers } = this;
    this.nextIn = undefined;
    if (nextIn !== undefined) await numbers?.write({ nextIn }, false);
  }

  /** Behind what was called before. Rejects when the session is not open, and when the disk takes longer than `waitMs`. */
  private enqueue<T>(work: Work<T>): Promise<T> {
    return this.inTime(this.queued(work));
  }

  private queued<T>(work: Work<T>): Promise<T> {
    return this.behind(() => {
      const { numbers, messages } = this;
      if (numbers === undefined || messages === undefined) throw new Error('the session is not open in its store');
      return work({ numbers, messages });
    });
  }

  private behind<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    // What comes later must not be written before this.
    if (this.batch?.bytes) this.batch = undefined;
    return done;
  }

  private inTime<T>(done: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error('the disk of the file store did not answer in time'));
      const timer = setTimeout(late, this.directory.options.waitMs).unref();
      done.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

/** The session as one line: what differs in any part is another session. */
function identityOf(id: SessionId): string {
  const parts = Object.entries(id).filter(([, value]) => value !== undefined && value !== '');
  return JSON.stringify(Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * The folder of a session: its CompIDs as far as they are safe in a name, so that an operator finds it, and a hash of the whole id, so that no
 * two sessions have one folder, also where a file system does not distinguish `Client` from `client`. Nothing of the id can leave the directory.
 */
export function folderName(id: SessionId): string {
  const safe = (text: string) => text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 32);
  const readable = [id.beginString, id.senderCompId, id.targetCompId].map(safe).join('-');
  return `${readable}-${createHash('sha256').update(identityOf(id)).digest('hex').slice(0, 24)}`;
}

function checked(options: Options): Options {
  const within = (name: keyof Options, min: number, max: number): void => {
    const value = options[name];
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
      throw new RangeError(`${name} of a file store is a whole number from ${min} to ${max}`);
  };
  if (!['always', 'interval', 'never'].includes(options.sync))
    throw new RangeError('sync of a file store is always, interval or never');
  within('syncEveryMs', 10, 60_000);
  within('maxOpenFiles', 4, 65_536);
  within('segmentBytes', 4_096, 2 ** 31);
  within('keepBytes', options.segmentBytes, Number.MAX_SAFE_INTEGER);
  within('waitMs', 100, 600_000);
  return options;
}

/**
 * The message log: every FIX message in and out of every session, of desks and of providers, in files (`message-log-files.ts`) that another
 * thread writes (`message-log-worker.ts`). The session's thread copies bytes into a ring in shared memory; what does not fit is dropped and
 * counted, and no session waits. A killed engine loses what it logged in its last second at most.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { DirectoryLock, type Log, microClock, type SessionId, type SessionLog } from 'node-quickfix-ts';
import type { Log as ProgramLog } from '../../domain/log.js';
import { KINDS, type Kind, RingWriter, ringBytes } from './message-ring.js';

export interface MessageLogOptions {
  readonly directory: string;
  readonly key: Buffer;
  /** Market data, W and X to desks, and W, X and i of providers, is logged too. */
  readonly prices: boolean;
  /** Bytes of this engine's files. */
  readonly maxBytes: number;
  /** At `maxBytes`: logging stops until there is room, or the oldest file is removed. */
  readonly whenFull: 'stop' | 'remove-oldest';
  readonly log: ProgramLog;
  /** Epoch ms; `Date.now` by default. */
  readonly now?: () => number;
  /** Bytes of the ring, a power of two; 16 MiB by default. */
  readonly ringCapacity?: number;
}

export interface MessageLog extends Log {
  readonly folder: string;
  /** For sessions with providers: what they send are prices. */
  readonly providers: Log;
  stats(): MessageLogStats;
  /** Resolves when everything is written, at the latest after five seconds. */
  stop(): Promise<void>;
}

export interface MessageLogStats {
  readonly written: number;
  /** Records that did not fit into the ring, and messages that were not written: the disk failed, or the bound was reached. */
  readonly dropped: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly isFull: boolean;
}

/** What the worker is started with. */
export interface WorkerStart {
  readonly folder: string;
  readonly key: Uint8Array;
  readonly ring: SharedArrayBuffer;
  readonly stats: SharedArrayBuffer;
  /** Of the sessions so far, by their number. */
  readonly names: readonly string[];
  readonly prices: boolean;
  readonly maxBytes: number;
  readonly whenFull: MessageLogOptions['whenFull'];
}

/** Places in the shared statistics, doubles. */
export const STATS = { written: 0, dropped: 1, bytes: 2, isFull: 3, reportedDrops: 4 } as const;

/** What the worker reports, for the engine's log. */
export interface WorkerReport {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

const RING_BYTES = 16 * 1024 * 1024;
const ENGINES_MAX = 100;
const STOP_WAIT_MS = 5_000;
const RESTART_MS = 1_000;
const SESSIONS_MAX = 65_535;
const WORKER = './message-log-worker.js';

/** Takes the first free folder of the directory. Rejects with the file system's error, and when 100 engines run on the directory. */
export async function openMessageLog(options: MessageLogOptions): Promise<MessageLog> {
  for (let engine = 1; engine <= ENGINES_MAX; engine++) {
    const folder = join(options.directory, String(engine));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await DirectoryLock.acquire(folder);
    if (lock !== undefined) return new ThreadedLog(options, folder, lock);
  }
  throw new Error(`${ENGINES_MAX} engines write a message log in ${options.directory}`);
}

class ThreadedLog implements MessageLog {
  private readonly ring: RingWriter;
  private readonly counts = new Float64Array(new SharedArrayBuffer(8 * Object.keys(STATS).length));
  private readonly micros: () => number;
  private readonly sessions = new Map<string, LoggedSession>();
  readonly providers: Log = { session: (id) => this.logged(id, !this.options.prices) };
  private worker: Worker;
  private isStopping = false;

  constructor(
    private readonly options: MessageLogOptions,
    readonly folder: string,
    private readonly lock: DirectoryLock,
  ) {
    this.ring = new RingWriter(new SharedArrayBuffer(ringBytes(options.ringCapacity ?? RING_BYTES)));
    this.micros = microClock(options.now);
    this.worker = this.startWorker();
  }

  session(id: SessionId | undefined): SessionLog {
    return this.logged(id, false);
  }

  private logged(id: SessionId | undefined, passesPricesOver: boolean): SessionLog {
    const name = id === undefined ? '- -' : `${id.senderCompId} ${id.targetCompId}`;
    const key = `${name} ${passesPricesOver}`;
    let session = this.sessions.get(key);
    if (session === undefined) {
      // CompIDs are those of keys and of providers: as many as an operator has made.
      const number = Math.min(this.sessions.size, SESSIONS_MAX);
      session = new LoggedSession(this.ring, this.micros, this.options.prices, passesPricesOver, number, name);
      this.sessions.set(key, session);
    }
    return session;
  }

  stats(): MessageLogStats {
    const [written = 0, dropped = 0, bytes = 0, isFull = 0] = this.counts;
    const { maxBytes } = this.options;
    return { written, dropped: dropped + this.ring.dropped, bytes, maxBytes, isFull: isFull === 1 };
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.ring.close();
    const late = setTimeout(() => void this.worker.terminate(), STOP_WAIT_MS);
    await new Promise<void>((resolve) => {
      if (this.worker.threadId === -1) resolve();
      else this.worker.once('exit', () => resolve());
    });
    clearTimeout(late);
    await this.lock.release();
  }

  private startWorker(): Worker {
    const { key, prices, maxBytes, whenFull, log } = this.options;
    const workerData: WorkerStart = {
      ...{ folder: this.folder, key: Uint8Array.from(key), ring: this.ring.memory },
      ...{ stats: this.counts.buffer as SharedArrayBuffer, prices, maxBytes, whenFull },
      // An earlier thread may have read them from the ring.
      names: [...this.sessions.values()].slice(0, SESSIONS_MAX).map(({ name }) => name),
    };
    const worker = new Worker(workerFile(), { workerData });
    worker.unref();
    worker.on('message', ({ level, text, fields }: WorkerReport) =>
      log[level]({ ...fields, folder: this.folder }, text),
    );
    worker.on('error', (err) =>
      log.error({ err, folder: this.folder }, 'the message log has failed: starting it again'),
    );
    worker.on('exit', () => {
      if (this.isStopping) return;
      setTimeout(() => {
        if (!this.isStopping) this.worker = this.startWorker();
      }, RESTART_MS).unref();
    });
    return worker;
  }
}

/** The tests run the sources, and a thread needs the build. */
function workerFile(): URL {
  const beside = new URL(WORKER, import.meta.url);
  return existsSync(fileURLToPath(beside))
    ? beside
    : new URL(`../../../dist/engine/store/sessions/${WORKER}`, import.meta.url);
}

class LoggedSession implements SessionLog {
  /** The reader knows the name behind the number. */
  private isNamed = false;

  constructor(
    private readonly ring: RingWriter,
    private readonly micros: () => number,
    readonly published: boolean,
    private readonly passesPricesOver: boolean,
    private readonly number: number,
    readonly name: string,
  ) {}

  incoming(bytes: Uint8Array, start: number, end: number): void {
    // A provider's prices would fill the ring with what is not written.
    if (!this.passesPricesOver || !isPrice(bytes, start, end)) this.write(KINDS.in, bytes, start, end);
  }

  outgoing(bytes: Uint8Array, start: number, end: number): void {
    this.write(KINDS.out, bytes, start, end);
  }

  garbled(bytes: Uint8Array, start: number, end: number): void {
    this.write(KINDS.garbled, bytes, start, end);
  }

  event(text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    this.write(KINDS.event, bytes, 0, bytes.length);
  }

  private write(kind: Kind, bytes: Uint8Array, start: number, end: number): void {
    const { ring, number } = this;
    if (!this.isNamed) {
      const name = Buffer.from(this.name, 'latin1');
      this.isNamed = ring.write(KINDS.name, number, 0, name, 0, name.length);
      if (!this.isNamed) return;
    }
    ring.write(kind, number, this.micros(), bytes, start, end);
  }
}

const SOH = 1;
const PRICES: ReadonlySet<number> = new Set(['W', 'X', 'i'].map((type) => type.charCodeAt(0)));

/** MsgType(35), the third field, is W, X or i. */
export function isPrice(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (let fields = 0; fields < 2; fields++) {
    while (at < end && bytes[at] !== SOH) at++;
    at++;
  }
  return PRICES.has(bytes[at + 3]!) && bytes[at + 4] === SOH;
}

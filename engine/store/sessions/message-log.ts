/**
 * The message log: every FIX message in and out of every session, of desks and of providers, in files (`message-lines.ts`) that another
 * thread writes (`message-log-worker.ts`). The session's thread copies bytes into a ring in shared memory; what does not fit is dropped and
 * counted, and no session waits. A killed engine loses what it logged in its last second at most.
 */
import { type Log, microClock, type SessionId, type SessionLog } from 'node-quickfix-ts';
import type { Log as ProgramLog } from '../../domain/core/log.js';
import type { WriterStart } from '../day-files/block-writer.js';
import type { RingWriter } from '../day-files/ring.js';
import { freeFolder, type WriterStats, WriterThread, type WriterThreadOptions } from '../day-files/writer-thread.js';

/** What a record of the ring is. */
export const KINDS = { name: 1, in: 2, out: 3, garbled: 4, event: 5 } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

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
  stats(): WriterStats;
  /** Resolves when everything is written, at the latest after five seconds. */
  stop(): Promise<void>;
}

/** What the worker is started with. */
export interface WorkerStart extends WriterStart {
  /** Of the sessions so far, by their number. */
  readonly names: readonly string[];
  readonly prices: boolean;
}

const SESSIONS_MAX = 65_535;

/** Takes the first free folder of the directory. Rejects with the file system's error, and when 100 engines run on the directory. */
export async function openMessageLog(options: MessageLogOptions): Promise<MessageLog> {
  const own = await freeFolder(options.directory, String, 'engines write a message log');
  return new ThreadedLog(options, own);
}

class ThreadedLog implements MessageLog {
  readonly folder: string;
  private readonly thread: WriterThread;
  private readonly micros: () => number;
  private readonly sessions = new Map<string, LoggedSession>();
  readonly providers: Log = { session: (id) => this.logged(id, !this.options.prices) };

  constructor(
    private readonly options: MessageLogOptions,
    own: Pick<WriterThreadOptions, 'folder' | 'lock'>,
  ) {
    const { key, maxBytes, whenFull, log, ringCapacity, prices } = options;
    this.folder = own.folder;
    this.micros = microClock(options.now);
    this.thread = new WriterThread({
      ...own,
      key,
      maxBytes,
      whenFull,
      log,
      ringCapacity,
      worker: 'sessions/message-log-worker.js',
      what: 'message log',
      // An earlier thread may have read them from the ring.
      more: () => ({ prices, names: [...this.sessions.values()].slice(0, SESSIONS_MAX).map(({ name }) => name) }),
    });
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
      session = new LoggedSession(this.thread.ring, this.micros, this.options.prices, passesPricesOver, number, name);
      this.sessions.set(key, session);
    }
    return session;
  }

  stats(): WriterStats {
    return this.thread.stats();
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }
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

/** The other thread that writes a folder of day files: started, started again when it fails, and stopped. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { DirectoryLock } from 'node-quickfix-ts';
import type { Log } from '../../domain/core/log.js';
import { STATS, type WriterReport, type WriterStart } from './block-writer.js';
import { RingWriter, ringBytes } from './ring.js';

export interface WriterStats {
  readonly written: number;
  /** Records that did not fit into the ring, and lines that were not written: the disk failed, or the bound was reached. */
  readonly dropped: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly isFull: boolean;
}

export interface WriterThreadOptions extends Pick<WriterStart, 'folder' | 'maxBytes' | 'whenFull'> {
  readonly key: Buffer;
  readonly lock: DirectoryLock;
  /** The module of the worker, below engine/store in the build. */
  readonly worker: string;
  /** As a report names it: `message log`. */
  readonly what: string;
  readonly log: Log;
  /** Bytes of the ring, a power of two; 16 MiB by default. */
  readonly ringCapacity?: number | undefined;
  /** What this worker is started with besides. */
  more?(): object;
}

const RING_BYTES = 16 * 1024 * 1024;
const WRITERS_MAX = 100;
const STOP_WAIT_MS = 5_000;
const RESTART_MS = 1_000;

/** Takes the first free of the folders 1 to 100. Rejects with the file system's error, and when 100 programs have theirs. */
export async function freeFolder(
  directory: string,
  named: (number: number) => string,
  full: string,
): Promise<{ readonly folder: string; readonly lock: DirectoryLock }> {
  for (let number = 1; number <= WRITERS_MAX; number++) {
    const folder = join(directory, named(number));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await DirectoryLock.acquire(folder);
    if (lock !== undefined) return { folder, lock };
  }
  throw new Error(`${WRITERS_MAX} ${full} in ${directory}`);
}

export class WriterThread {
  readonly ring: RingWriter;
  readonly #counts = new Float64Array(new SharedArrayBuffer(8 * Object.keys(STATS).length));
  readonly #options: WriterThreadOptions;
  private worker: Worker;
  #isStopping = false;

  constructor(options: WriterThreadOptions) {
    this.#options = options;
    this.ring = new RingWriter(new SharedArrayBuffer(ringBytes(options.ringCapacity ?? RING_BYTES)));
    this.worker = this.#start();
  }

  stats(): WriterStats {
    const [written = 0, dropped = 0, bytes = 0, isFull = 0] = this.#counts;
    const { maxBytes } = this.#options;
    return { written, dropped: dropped + this.ring.dropped, bytes, maxBytes, isFull: isFull === 1 };
  }

  /** Resolves when everything is written, at the latest after five seconds. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.ring.close();
    const late = setTimeout(() => void this.worker.terminate(), STOP_WAIT_MS);
    await new Promise<void>((resolve) => {
      if (this.worker.threadId === -1) resolve();
      else this.worker.once('exit', () => resolve());
    });
    clearTimeout(late);
    await this.#options.lock.release();
  }

  #start(): Worker {
    const { folder, key, maxBytes, whenFull, log, what, more } = this.#options;
    const shared: WriterStart = {
      folder,
      key: Uint8Array.from(key),
      maxBytes,
      whenFull,
      ring: this.ring.memory,
      stats: this.#counts.buffer as SharedArrayBuffer,
    };
    const worker = new Worker(workerFile(this.#options.worker), { workerData: { ...shared, ...more?.() } });
    worker.unref();
    worker.on('message', ({ level, text, fields }: WriterReport) => log[level]({ ...fields, folder }, text));
    worker.on('error', (err) => log.error({ err, folder }, `the ${what} has failed: starting it again`));
    worker.on('exit', () => {
      if (this.#isStopping) return;
      setTimeout(() => {
        if (!this.#isStopping) this.worker = this.#start();
      }, RESTART_MS).unref();
    });
    return worker;
  }
}

/** The tests run the sources, and a thread needs the build. */
function workerFile(worker: string): URL {
  const beside = new URL(`../${worker}`, import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../../../dist/engine/store/${worker}`, import.meta.url);
}

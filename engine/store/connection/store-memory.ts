/** Memory usage of the store: logs once when memory gets short, early enough that work under way still has room. */

import type { Redis } from 'ioredis';
import type { Log } from '../../domain/log.js';

const SHORT = 0.8;
const FULL = 0.95;
/** Below this the shortage is over, and the next one is logged again. */
const EASED = 0.75;

/** What a server uses; undefined: without a limit, or without an append-only file. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly maxBytes: number | undefined;
  readonly fileBytes: number | undefined;
}

export class StoreMemory {
  readonly #log: Pick<Log, 'warn'>;
  readonly #called: string;
  #ratio: number | undefined;
  #use: MemoryUse | undefined;
  #told: 'nothing' | 'short' | 'full' = 'nothing';

  /** `server`: which one of several; '' if there is one. */
  constructor(log: Pick<Log, 'warn'>, server: string) {
    this.#log = log;
    this.#called = server === '' ? 'The store' : `The store's server ${server}`;
  }

  /** Used part of the limit; undefined without a limit, or if unknown. */
  get ratio(): number | undefined {
    return this.#ratio;
  }

  /** The last reading; undefined if unknown. */
  get use(): MemoryUse | undefined {
    return this.#use;
  }

  get isFull(): boolean {
    return this.#ratio !== undefined && this.#ratio >= FULL;
  }

  /** Never rejects: unknown memory usage stops nothing. */
  async look(redis: Redis): Promise<void> {
    const info = await redis.info('memory', 'persistence').catch(() => undefined);
    if (info === undefined) return;
    const value = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const most = value('maxmemory');
    // Buffers of replicas and of the append-only file do not count against the limit.
    const usedBytes = value('used_memory') - value('mem_not_counted_for_evict');
    this.#ratio = most === 0 ? undefined : usedBytes / most;
    this.#use = { usedBytes, maxBytes: most || undefined, fileBytes: value('aof_current_size') || undefined };
    this.#tell();
  }

  #tell(): void {
    const ratio = this.#ratio ?? 0;
    if (ratio < EASED) this.#told = 'nothing';
    const percent = `${Math.floor(ratio * 100)} %`;
    if (ratio >= FULL && this.#told !== 'full') {
      this.#told = 'full';
      this.#log.warn(
        { ratio },
        `${this.#called} has used ${percent} of its maxmemory: new commands are refused; raise maxmemory.`,
      );
    } else if (ratio >= SHORT && this.#told === 'nothing') {
      this.#told = 'short';
      this.#log.warn(
        { ratio },
        `${this.#called} has used ${percent} of its maxmemory: at 95 % new commands are refused; raise it in time.`,
      );
    }
  }
}

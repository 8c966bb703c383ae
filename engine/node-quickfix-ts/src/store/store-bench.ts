/** What the cases of the store kit run on: processes, sessions and bounds. The first page is store-kit.ts. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import type { SessionId, SessionStore, SessionStoreFactory, StoredNumbers } from '../types.js';

/** One process that uses the store. */
export interface StoreProcess {
  readonly store: SessionStoreFactory;
  /** Ends it in order, after its sessions are closed. */
  stop(): Promise<void>;
  /** Capability `crash`: ends it at once, as SIGKILL would; its sessions are not closed. Another process then reads what it had written. */
  kill?(): Promise<void>;
  /**
   * Capability `takeOver`: from now on another process may claim what this one has open, as when it was suspended for longer than its
   * lease. It lives, and does not know.
   */
  lapse?(): Promise<void>;
}

/** What a store can do beyond the least; the meanings are at `StoreHarness.capabilities`. */
export type Capability = 'crash' | 'restart' | 'exclusive' | 'takeOver' | 'wholeId';

/** What the kit needs of the store under test. */
export interface StoreHarness {
  /** A new process on the same stored data as every other one of this harness. */
  start(): Promise<StoreProcess>;
  /**
   * `restart`: a process finds what a stopped one has kept. `crash`: also what a killed one had. `exclusive`: a session is open in one process
   * at a time. `takeOver`: a process can lose a session to another. `wholeId`: a session is distinguished by every part of its id, of any
   * characters, and not by its CompIDs alone.
   */
  readonly capabilities: readonly Capability[];
  /** Longest time that one call of the store may take, ms; 10,000 by default. */
  readonly boundMs?: number;
}

let benches = 0;

/** The processes and sessions of one case. */
export class Bench {
  /** No two cases share a session, nor two runs on one database. */
  readonly #run = `K${process.pid.toString(36)}${(benches++).toString(36)}`;
  readonly #running = new Set<StoreProcess>();
  readonly #open = new Map<SessionStore, StoreProcess>();
  readonly #boundMs: number;

  constructor(readonly harness: StoreHarness) {
    this.#boundMs = harness.boundMs ?? 10_000;
  }

  id(target = 'CLIENT'): SessionId {
    return { beginString: 'FIX.4.4', senderCompId: `VENUE-${this.#run}`, targetCompId: target };
  }

  async start(): Promise<StoreProcess> {
    const process = await this.harness.start();
    this.#running.add(process);
    return process;
  }

  /** A store that is not open. */
  store(process: StoreProcess, id = this.id()): SessionStore {
    const store = process.store(id, undefined);
    this.#open.set(store, process);
    return store;
  }

  async opened(process: StoreProcess, id = this.id(), onTakenOver = unexpected): Promise<Opened> {
    const store = this.store(process, id);
    const numbers = await this.within(store.open(onTakenOver), 'open');
    ok(numbers !== undefined, 'open must resolve to the numbers of a session that no other process has open');
    return { store, numbers };
  }

  async close(store: SessionStore): Promise<void> {
    this.#open.delete(store);
    await this.within(store.close(), 'close');
  }

  /** Closes, and opens again in the same process. */
  async reopened(process: StoreProcess, store: SessionStore, id = this.id()): Promise<Opened> {
    await this.close(store);
    return this.opened(process, id);
  }

  async stop(process: StoreProcess): Promise<void> {
    for (const [store, owner] of [...this.#open]) if (owner === process) await this.close(store);
    this.#running.delete(process);
    await process.stop();
  }

  async kill(process: StoreProcess): Promise<void> {
    for (const [store, owner] of [...this.#open]) if (owner === process) this.#open.delete(store);
    this.#running.delete(process);
    ok(process.kill, 'a harness with the capability crash can kill a process');
    await process.kill();
  }

  async within<T>(promise: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} did not settle within ${this.#boundMs} ms`)), this.#boundMs);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async append(store: SessionStore, number: number, text: string | Uint8Array): Promise<void> {
    await this.within(store.append(number, typeof text === 'string' ? bytes(text) : text), 'append');
  }

  /** `number text` of each message that is read. */
  async texts(store: SessionStore, from = 1, to = Number.MAX_SAFE_INTEGER, limit = 1_000): Promise<string[]> {
    const found = await this.within(store.read(from, to, limit), 'read');
    return found.map(({ number, message }) => `${number} ${Buffer.from(message).toString('latin1')}`);
  }

  async end(name: string): Promise<void> {
    for (const process of [...this.#running])
      await this.stop(process).catch((error: unknown) => {
        throw new Error(`${name}: the process could not be stopped`, { cause: error });
      });
  }
}

export interface Opened {
  readonly store: SessionStore;
  readonly numbers: StoredNumbers;
}

export const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

export function unexpected(): void {
  throw new Error('onTakenOver was called, and no other process has claimed the session');
}

export function numbersAre({ nextOut, nextIn }: StoredNumbers, out: number, incoming: number, why: string): void {
  deepStrictEqual({ nextOut, nextIn }, { nextOut: out, nextIn: incoming }, why);
}

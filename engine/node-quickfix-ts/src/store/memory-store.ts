import { sessionKey } from '../session/live-sessions.js';
import type { SessionId, SessionStore, SessionStoreFactory, StoredNumbers } from '../types.js';

/**
 * Numbers and messages of one session in memory: for tests, for sessions that reset at each Logon(A), and as the shortest
 * example of the port. It outlives the session that uses it, as a database would.
 */
export class MemoryStore implements SessionStore {
  private numbers: StoredNumbers = { nextOut: 1, nextIn: 1, createdAtMs: 0 };
  private messages = new Map<number, Uint8Array>();
  /** Ascending, for a binary search. */
  private order: number[] = [];

  open(): Promise<StoredNumbers> {
    return Promise.resolve(this.numbers);
  }

  reset(nowMs: number): Promise<void> {
    this.numbers = { nextOut: 1, nextIn: 1, createdAtMs: nowMs };
    this.messages = new Map();
    this.order = [];
    return Promise.resolve();
  }

  reserve(bound: number): Promise<void> {
    if (bound > this.numbers.nextOut) this.numbers = { ...this.numbers, nextOut: bound };
    return Promise.resolve();
  }

  settle(nextOut: number, nextIn: number): Promise<void> {
    this.numbers = { ...this.numbers, nextOut, nextIn };
    return Promise.resolve();
  }

  saveNextIn(nextIn: number): void {
    this.numbers = { ...this.numbers, nextIn };
  }

  append(number: number, message: Uint8Array): Promise<void> {
    // Appends arrive in order, but for numbers that the application sets back.
    if (!this.messages.has(number)) this.order.splice(this.firstAtOrAfter(number), 0, number);
    this.messages.set(number, Uint8Array.from(message));
    return Promise.resolve();
  }

  read(from: number, to: number, limit: number): Promise<readonly { number: number; message: Uint8Array }[]> {
    const found: { number: number; message: Uint8Array }[] = [];
    for (let i = this.firstAtOrAfter(from); i < this.order.length && found.length < limit; i++) {
      const number = this.order[i]!;
      if (number > to) break;
      found.push({ number, message: this.messages.get(number)! });
    }
    return Promise.resolve(found);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private firstAtOrAfter(number: number): number {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.order[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One MemoryStore per session, the same one at each logon of the session. */
export function memoryStoreFactory(): SessionStoreFactory {
  const stores = new Map<string, MemoryStore>();
  return (id: SessionId) => {
    const key = sessionKey(id);
    let store = stores.get(key);
    if (store === undefined) {
      store = new MemoryStore();
      stores.set(key, store);
    }
    return store;
  };
}

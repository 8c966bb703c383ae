import type { SessionStore } from '../types.js';

/** Numbers reserved at a time. After a crash a session continues at the reserved bound, so this is the largest jump. */
const BLOCK = 10_000;
/** Numbers used between a failed reservation and the next attempt. */
const RETRY_AFTER = 500;

/**
 * Our own MsgSeqNum(34). A number is used only when the store has reserved it, so that no later process uses it again; the next block is
 * reserved before half of the current one is used. During an outage longer than a block lasts the numbers continue: prices do not depend
 * on the store.
 */
export class OutboundNumbers {
  next = 1;
  private bound = 1;
  private reserveAt = Infinity;
  private reserving: Promise<void> | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly onFailure: () => void,
  ) {}

  /** Numbers from `next` on; resolves when the first block is reserved. Rejects when the store does. */
  async begin(next: number): Promise<void> {
    await this.reserving;
    await this.store.reserve(next + BLOCK);
    this.next = next;
    this.reserved(next + BLOCK);
  }

  take(): number {
    const number = this.next++;
    if (number >= this.reserveAt) this.reserveMore();
    return number;
  }

  /** Resolves when no reservation is in progress: only then are the exact numbers settled. */
  async idle(): Promise<void> {
    await this.reserving;
  }

  private reserved(bound: number): void {
    this.bound = bound;
    this.reserveAt = bound - BLOCK / 2 - BLOCK / 10;
  }

  private reserveMore(): void {
    this.reserveAt = Infinity;
    const bound = Math.max(this.bound, this.next) + BLOCK;
    this.reserving = this.store.reserve(bound).then(
      () => this.reserved(bound),
      () => {
        this.reserveAt = this.next + RETRY_AFTER;
        this.onFailure();
      },
    );
  }
}

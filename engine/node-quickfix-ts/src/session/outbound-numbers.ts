import type { SessionStore } from '../types.js';

/** Numbers reserved at a time. After a crash a session goes on at the reserved bound, so this is the largest jump. */
const BLOCK = 10_000;
/** After a failed reservation so many numbers pass before the store is asked again. */
const RETRY_AFTER = 500;

/**
 * Our own MsgSeqNum(34). A number is used only when the store knows that it may have been, so that no later process gives
 * it out again; the next block is asked for before half of this one is used. When the store stays away for longer than a
 * block lasts the numbers run on: a desk is not left without prices because a store is away.
 */
export class OutboundNumbers {
  next = 1;
  private bound = 1;
  private askAt = Infinity;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly onFailure: () => void,
  ) {}

  /** Numbers from `next` on; resolves when the first block is reserved. Rejects when the store does. */
  async begin(next: number): Promise<void> {
    await this.asking;
    await this.store.reserve(next + BLOCK);
    this.next = next;
    this.reserved(next + BLOCK);
  }

  take(): number {
    const number = this.next++;
    if (number >= this.askAt) this.reserveMore();
    return number;
  }

  /** Resolves when no reservation is under way: only then are the exact numbers settled. */
  async idle(): Promise<void> {
    await this.asking;
  }

  private reserved(bound: number): void {
    this.bound = bound;
    this.askAt = bound - BLOCK / 2 - BLOCK / 10;
  }

  private reserveMore(): void {
    this.askAt = Infinity;
    const bound = Math.max(this.bound, this.next) + BLOCK;
    this.asking = this.store.reserve(bound).then(
      () => this.reserved(bound),
      () => {
        this.askAt = this.next + RETRY_AFTER;
        this.onFailure();
      },
    );
  }
}

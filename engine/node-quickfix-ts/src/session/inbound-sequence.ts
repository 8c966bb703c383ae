import type { MessageView } from '../codec/message-view.js';

/** Messages beyond a gap that are kept until it is closed. More are dropped: the peer sends them again anyway. */
const MAX_EARLY = 1_000;
const MAX_EARLY_BYTES = 1024 * 1024;

/** Put in the place of an early message that has been dealt with already (a ResendRequest is served at once). */
const SERVED = 'served';

/**
 * The peer's numbers: which comes next, what came too early, and whether the gap has been asked for.
 * A gap is asked for once; again only when new messages lie beyond what was asked, or nothing has come for a while.
 */
export class InboundSequence {
  private early: Map<number, MessageView | typeof SERVED> | undefined;
  private earlyBytes = 0;
  /** Highest number seen when the gap was last asked for; 0: nothing is outstanding. */
  private askedUpTo = 0;
  private askedAtMs = 0;
  /** How often the same gap was asked for. */
  asked = 0;

  constructor(public next = 1) {}

  /** Keeps a message that came too early. The view may be reused after. */
  keep(number: number, view: MessageView): void {
    const bytes = view.end - view.start;
    this.early ??= new Map();
    if (this.early.has(number) || this.early.size >= MAX_EARLY || this.earlyBytes + bytes > MAX_EARLY_BYTES) return;
    this.early.set(number, view.copy());
    this.earlyBytes += bytes;
  }

  /** A message that came too early and has been dealt with: its number only is kept. */
  keepServed(number: number): void {
    this.early ??= new Map();
    if (this.early.size < MAX_EARLY) this.early.set(number, SERVED);
  }

  /** The next message that is here already, taken out; numbers that were served are passed over. */
  takeNext(): MessageView | undefined {
    while (this.early !== undefined && this.early.size > 0) {
      const view = this.early.get(this.next);
      if (view === undefined) return undefined;
      this.early.delete(this.next);
      if (view !== SERVED) {
        this.earlyBytes -= view.end - view.start;
        return view;
      }
      this.advance(this.next + 1);
    }
    return undefined;
  }

  /** The next expected number moves up. */
  advance(to: number): void {
    const skips = to > this.next + 1;
    this.next = to;
    if (to > this.askedUpTo) this.forgetAsking();
    else this.asked = 0;
    if (skips && this.early !== undefined) {
      for (const [number, view] of this.early) {
        if (number >= to) continue;
        this.early.delete(number);
        if (view !== SERVED) this.earlyBytes -= view.end - view.start;
      }
    }
  }

  /** Whether a message `number` beyond the gap calls for a ResendRequest(2) now. */
  mustAsk(number: number, nowMs: number, patienceMs: number): boolean {
    return (
      this.askedUpTo === 0 ||
      (this.askedUpTo < number && this.next > this.askedUpTo) ||
      nowMs - this.askedAtMs > patienceMs
    );
  }

  /** Notes that everything from `next` on has been asked for, when `number` was the highest seen. */
  askedFor(number: number, nowMs: number): void {
    this.askedUpTo = number - 1;
    this.askedAtMs = nowMs;
    this.asked++;
  }

  /** Starts again at `next`, with nothing kept. */
  restart(next: number): void {
    this.next = next;
    this.early = undefined;
    this.earlyBytes = 0;
    this.forgetAsking();
  }

  private forgetAsking(): void {
    this.askedUpTo = 0;
    this.asked = 0;
  }
}

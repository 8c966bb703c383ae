import type { MessageView } from '../codec/message-view.js';
import type { FixSession } from './session.js';

/** A gap that the peer does not close is requested again at the next message after so many heartbeats, so often. */
const PATIENCE_HEARTBEATS = 2;
const MAX_RESEND_REQUESTS = 4;
const NO_HEARTBEAT_PATIENCE_MS = 30_000;

/** Sends a ResendRequest(2) from the next expected number on, once, and again only when it is not answered. */
export function requestResend(session: FixSession, number: number): void {
  const { inbound } = session;
  const nowMs = session.host.clock.elapsed();
  const patienceMs = (session.heartBtMs || NO_HEARTBEAT_PATIENCE_MS) * PATIENCE_HEARTBEATS;
  if (!inbound.mustRequestResend(number, nowMs, patienceMs)) return;
  if (inbound.resendRequests >= MAX_RESEND_REQUESTS) {
    session.logout('ResendRequest not answered');
    return;
  }
  inbound.resendRequested(number, nowMs);
  session.count('resend-requested', 'resend-requested');
  session.sendAdmin('2', [
    [7, inbound.next],
    [16, session.rules.resendWithoutEnd],
  ]);
}

/** Messages beyond a gap that are kept until it is closed. More are dropped: the peer resends them. */
const MAX_EARLY = 1_000;
const MAX_EARLY_BYTES = 1024 * 1024;

/** Marks an early message that is already processed (a ResendRequest(2) is served at once). */
const PROCESSED = 'processed';

/**
 * The inbound sequence numbers: the next expected one, early messages, and the outstanding resend request. A gap is requested once; again
 * only when new messages are beyond the requested range, or nothing was received for a while.
 */
export class InboundSequence {
  private early: Map<number, MessageView | typeof PROCESSED> | undefined;
  private earlyBytes = 0;
  /** Highest number seen at the last resend request; 0: none is outstanding. */
  private requestedUpTo = 0;
  private requestedAtMs = 0;
  /** Resend requests for the same gap. */
  resendRequests = 0;

  constructor(public next = 1) {}

  /** Keeps an early message. The view may be reused afterwards. */
  keep(number: number, view: MessageView): void {
    const bytes = view.end - view.start;
    this.early ??= new Map();
    if (this.early.has(number) || this.early.size >= MAX_EARLY || this.earlyBytes + bytes > MAX_EARLY_BYTES) return;
    this.early.set(number, view.copy());
    this.earlyBytes += bytes;
  }

  /** Keeps the number of an early message that is already processed. */
  keepProcessed(number: number): void {
    this.early ??= new Map();
    if (this.early.size < MAX_EARLY) this.early.set(number, PROCESSED);
  }

  /** Removes and returns the next message that is kept; numbers already processed are skipped. */
  takeNext(): MessageView | undefined {
    while (this.early !== undefined && this.early.size > 0) {
      const view = this.early.get(this.next);
      if (view === undefined) return undefined;
      this.early.delete(this.next);
      if (view !== PROCESSED) {
        this.earlyBytes -= view.end - view.start;
        return view;
      }
      this.advance(this.next + 1);
    }
    return undefined;
  }

  /** Raises the next expected number. */
  advance(to: number): void {
    const skips = to > this.next + 1;
    this.next = to;
    if (to > this.requestedUpTo) this.clearRequest();
    else this.resendRequests = 0;
    if (skips && this.early !== undefined) {
      for (const [number, view] of this.early) {
        if (number >= to) continue;
        this.early.delete(number);
        if (view !== PROCESSED) this.earlyBytes -= view.end - view.start;
      }
    }
  }

  /** Whether a message `number` beyond the gap requires a ResendRequest(2) now. */
  mustRequestResend(number: number, nowMs: number, patienceMs: number): boolean {
    return (
      this.requestedUpTo === 0 ||
      (this.requestedUpTo < number && this.next > this.requestedUpTo) ||
      nowMs - this.requestedAtMs > patienceMs
    );
  }

  /** Records a resend request from `next` on, when `number` was the highest seen. */
  resendRequested(number: number, nowMs: number): void {
    this.requestedUpTo = number - 1;
    this.requestedAtMs = nowMs;
    this.resendRequests++;
  }

  /** Restarts at `next`, with nothing kept. */
  restart(next: number): void {
    this.next = next;
    this.early = undefined;
    this.earlyBytes = 0;
    this.clearRequest();
  }

  private clearRequest(): void {
    this.requestedUpTo = 0;
    this.resendRequests = 0;
  }
}

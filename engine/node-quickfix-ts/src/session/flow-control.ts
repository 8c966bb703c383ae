import type { SessionProfile } from '../types.js';
import type { Clock } from './ports.js';

/** TestReqID(112) of our TestRequest(1) behind published data: this and a number. */
const ID_PREFIX = 'READ-';
/** A message that begins below the limit ends below it too. */
const MESSAGE_ROOM = 1024;

export interface FlowOwner {
  wakeAt(elapsedMs: number): void;
}

/**
 * How much published data the peer has yet to read. The kernel takes megabytes for a peer that does not read, so the socket's
 * backlog shows it too late. A TestRequest(1) goes out behind the data, and its Heartbeat(0) proves that the peer has read all
 * that was written before it. Costs two additions for each published message.
 */
export class FlowControl {
  /** Monotonic ms at which the next TestRequest(1) is due; Infinity: nothing is unanswered, or the peer has been asked already. */
  askAtMs = Infinity;
  /** Bytes published, up to the last answered TestRequest(1), and up to the last one. */
  private sentBytes = 0;
  private answeredBytes = 0;
  private askedBytes = 0;
  /** TestRequests without an answer, oldest first; at most one for each `probeBytes` below the limit, and one by time. */
  private asked: { readonly id: string; readonly bytes: number }[] = [];
  private lastId = 0;
  /** Monotonic ms since when data has waited behind an unanswered TestRequest(1); 0: none does. */
  private waitsSinceMs = 0;
  private wasOverdue = false;

  constructor(
    private readonly profile: SessionProfile,
    private readonly clock: Clock,
    private readonly owner: FlowOwner,
  ) {}

  /** No more may be published until the peer has answered. */
  get isFull(): boolean {
    return this.sentBytes - this.answeredBytes > this.profile.maxUnansweredBytes - MESSAGE_ROOM;
  }

  /** Monotonic ms at which the peer is too slow, unless it answers. */
  get overdueAtMs(): number {
    return this.waitsSinceMs === 0 ? Infinity : this.waitsSinceMs + this.profile.maxUndrainedMs;
  }

  /** So many bytes have been published. True: a TestRequest(1) is to follow them at once. */
  published(bytes: number): boolean {
    this.sentBytes += bytes;
    if (this.asked.length > 0) {
      if (this.waitsSinceMs === 0) this.waitsSinceMs = this.clock.elapsed();
    } else if (this.askAtMs === Infinity) this.askBy(this.clock.elapsed() + this.profile.probeAfterMs);
    return this.sentBytes - this.askedBytes >= this.profile.probeBytes;
  }

  /** TestReqID(112) of the TestRequest(1) that goes out now. */
  ask(): string {
    const id = `${ID_PREFIX}${++this.lastId}`;
    this.asked.push({ id, bytes: this.sentBytes });
    this.askedBytes = this.sentBytes;
    this.askAtMs = Infinity;
    return id;
  }

  /** A Heartbeat(0) with this TestReqID(112) has come. True: it has made room where there was none. */
  answered(id: string): boolean {
    const i = this.asked.findIndex((asked) => asked.id === id);
    if (i < 0) return false;
    const wasFull = this.isFull;
    this.answeredBytes = this.asked[i].bytes;
    this.asked.splice(0, i + 1);
    const nowMs = this.clock.elapsed();
    const [oldest] = this.asked;
    this.waitsSinceMs = oldest !== undefined && this.sentBytes > oldest.bytes ? nowMs : 0;
    this.wasOverdue = false;
    if (oldest === undefined && this.sentBytes > this.answeredBytes) this.askBy(nowMs + this.profile.probeAfterMs);
    return wasFull && !this.isFull;
  }

  /** Messages of one side were gap-filled, an answer or what it answers perhaps among them: the peer is asked anew. */
  askAgain(): void {
    if (this.asked.length === 0) return;
    this.asked = [];
    this.askBy(this.clock.elapsed());
  }

  /** Both sides start again at 1: what was asked before is not answered any more. */
  restart(): void {
    this.asked = [];
    this.answeredBytes = this.sentBytes;
    this.askedBytes = this.sentBytes;
    this.askAtMs = Infinity;
    this.waitsSinceMs = 0;
    this.wasOverdue = false;
  }

  /** The peer is too slow at two looks in a row: after a standstill of our own, its answer may have come and not been read yet. */
  isOverdue(nowMs: number): boolean {
    const wasOverdue = this.wasOverdue;
    this.wasOverdue = nowMs >= this.overdueAtMs;
    return wasOverdue && this.wasOverdue;
  }

  private askBy(atMs: number): void {
    this.askAtMs = atMs;
    this.owner.wakeAt(atMs);
  }
}

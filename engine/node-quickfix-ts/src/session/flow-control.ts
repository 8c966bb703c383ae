import type { SessionProfile } from '../types.js';
import type { Clock } from './host.js';

/** TestReqID(112) of our TestRequest(1) behind published data: this and a number. */
const ID_PREFIX = 'READ-';
/** A message that begins below the limit ends below it too. */
const MESSAGE_ROOM = 1024;

export interface FlowOwner {
  wakeAt(elapsedMs: number): void;
}

/**
 * Published data that the peer has not read yet. The kernel buffers megabytes for a peer that does not read, so the socket's backlog shows
 * it too late. A TestRequest(1), the probe, follows the data, and its Heartbeat(0) proves that the peer has read everything written
 * before it. Costs two additions for each published message.
 */
export class FlowControl {
  /** Monotonic ms at which the next TestRequest(1) is due; Infinity: no data is unanswered, or a probe is outstanding. */
  probeAtMs = Infinity;
  /** Bytes published, up to the last answered TestRequest(1), and up to the last one. */
  private sentBytes = 0;
  private answeredBytes = 0;
  private probedBytes = 0;
  /** TestRequests without an answer, oldest first; at most one for each `probeBytes` below the limit, and one by time. */
  private outstanding: { readonly id: string; readonly bytes: number }[] = [];
  private lastId = 0;
  /** Monotonic ms since when data has waited behind an unanswered TestRequest(1); 0: none does. */
  private waitsSinceMs = 0;
  private wasOverdue = false;

  constructor(
    private readonly profile: SessionProfile,
    private readonly clock: Clock,
    private readonly owner: FlowOwner,
  ) {}

  /** Nothing may be published until the peer has answered. */
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
    if (this.outstanding.length > 0) {
      if (this.waitsSinceMs === 0) this.waitsSinceMs = this.clock.elapsed();
    } else if (this.probeAtMs === Infinity) this.probeBy(this.clock.elapsed() + this.profile.probeAfterMs);
    return this.sentBytes - this.probedBytes >= this.profile.probeBytes;
  }

  /** TestReqID(112) of the TestRequest(1) that is sent now. */
  probe(): string {
    const id = `${ID_PREFIX}${++this.lastId}`;
    this.outstanding.push({ id, bytes: this.sentBytes });
    this.probedBytes = this.sentBytes;
    this.probeAtMs = Infinity;
    return id;
  }

  /** A Heartbeat(0) with this TestReqID(112) was received. True: there is room again. */
  answered(id: string): boolean {
    const i = this.outstanding.findIndex((probe) => probe.id === id);
    if (i < 0) return false;
    const wasFull = this.isFull;
    this.answeredBytes = this.outstanding[i].bytes;
    this.outstanding.splice(0, i + 1);
    const nowMs = this.clock.elapsed();
    const [oldest] = this.outstanding;
    this.waitsSinceMs = oldest !== undefined && this.sentBytes > oldest.bytes ? nowMs : 0;
    this.wasOverdue = false;
    if (oldest === undefined && this.sentBytes > this.answeredBytes) this.probeBy(nowMs + this.profile.probeAfterMs);
    return wasFull && !this.isFull;
  }

  /** Messages of one side were gap-filled, perhaps a probe or its answer among them: probes again. */
  probeAgain(): void {
    if (this.outstanding.length === 0) return;
    this.outstanding = [];
    this.probeBy(this.clock.elapsed());
  }

  /** Both sides have reset their numbers: earlier probes are not answered any more. */
  restart(): void {
    this.outstanding = [];
    this.answeredBytes = this.sentBytes;
    this.probedBytes = this.sentBytes;
    this.probeAtMs = Infinity;
    this.waitsSinceMs = 0;
    this.wasOverdue = false;
  }

  /** The peer is too slow at two timers in a row: after a stall of this process its answer may be received and not read yet. */
  isOverdue(nowMs: number): boolean {
    const wasOverdue = this.wasOverdue;
    this.wasOverdue = nowMs >= this.overdueAtMs;
    return wasOverdue && this.wasOverdue;
  }

  private probeBy(atMs: number): void {
    this.probeAtMs = atMs;
    this.owner.wakeAt(atMs);
  }
}

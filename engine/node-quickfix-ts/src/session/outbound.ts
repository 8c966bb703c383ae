import { encodeMessage, type HeaderExtras } from '../codec/encode.js';
import { encodePublished, type HeaderTemplate, headerTemplate, publishedLengthMax } from '../codec/publish.js';
import type { SharedBody } from '../codec/shared-body.js';
import { sendingTime } from '../codec/timestamp.js';
import type { Field, PublishedType, SessionId, SessionProfile, SessionStore } from '../types.js';
import { FlowControl } from './flow-control.js';
import { OutboundNumbers } from './outbound-numbers.js';
import type { Clock, Wire } from './ports.js';
import type { Pen, Writer } from './shared-write-buffer.js';

/** Longest message that is ever encoded. */
const MAX_MESSAGE = 1024 * 1024;

/** A message that waits for its store, or behind one that does. */
interface Waiting {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly deadlineMs: number;
  ready: boolean;
}

export interface OutboundOwner {
  storeFailed(): void;
  /** Nothing waits any more for a store that held publications up. */
  caughtUp(): void;
  wakeAt(elapsedMs: number): void;
  /** A TestRequest(1) is to follow what was published. */
  askWhetherRead(): void;
}

/** What leaves a session: numbered, in order, a stored message only when its store has it, one write a turn. */
export class Outbound implements Writer {
  readonly numbers: OutboundNumbers;
  readonly flow: FlowControl;
  /** Unsent bytes are above the profile's bound. */
  backlogged = false;
  /** Monotonic ms since when bytes have been waiting for the peer; 0: none are. */
  backlogSinceMs = 0;
  /** The backlog is above the profile's limit: the session is to be ended at its next look. */
  tooSlow = false;
  /** When something new was last sent. What is sent again does not count: heartbeats go on during a long resend. */
  lastSentMs: number;
  private isNew = false;
  private readonly template: HeaderTemplate;
  private queue: Waiting[] = [];
  private queuedBytes = 0;

  constructor(
    private readonly id: SessionId,
    readonly wire: Wire,
    private readonly profile: SessionProfile,
    private readonly store: SessionStore,
    private readonly pen: Pen,
    private readonly clock: Clock,
    private readonly owner: OutboundOwner,
  ) {
    this.template = headerTemplate(id);
    this.numbers = new OutboundNumbers(store, () => owner.storeFailed());
    this.flow = new FlowControl(profile, clock, owner);
    this.lastSentMs = clock.elapsed();
  }

  get waitsForStore(): boolean {
    return this.queue.length > 0;
  }

  /** The highest number that has gone out: what a ResendRequest(2) can ask for. */
  get lastNumberSent(): number {
    return this.queue.length > 0 ? this.queue[0]!.number - 1 : this.numbers.next - 1;
  }

  /** Sends with the next number. */
  send(msgType: string, body: readonly Field[], extras?: HeaderExtras, outboxEntry?: string): void {
    this.isNew = true;
    const number = this.numbers.take();
    if (this.profile.stored.has(msgType)) this.sendStored(number, msgType, body, extras, outboxEntry);
    else if (this.queue.length > 0) this.wait(number, this.encoded(number, msgType, body, extras), Infinity, true);
    else this.encode(number, msgType, body, extras);
  }

  /** Sends under a number that has been used: the replay of a stored message, or a gap fill. */
  sendAgain(number: number, msgType: string, body: readonly Field[], extras: HeaderExtras): void {
    this.encode(number, msgType, body, extras);
  }

  /** SendingTime(52) of what is sent next in this turn, epoch ms. */
  sendingTimeMs(): number {
    this.pen.take(this, 0);
    return this.pen.nowMs;
  }

  publish(type: PublishedType, prefix: SharedBody, body: SharedBody): void {
    const pen = this.pen;
    pen.take(this, publishedLengthMax(type, this.template, prefix, body));
    this.isNew = true;
    const number = this.numbers.take();
    const time = sendingTime(pen.nowMs);
    const begin = pen.at;
    pen.at = encodePublished(pen.buffer, begin, type, this.template, number, time, prefix, body);
    if (this.flow.published(pen.at - begin)) this.owner.askWhetherRead();
  }

  flush(): void {
    if (this.pen.holds(this)) this.pen.flush();
  }

  penWritten(): void {
    const nowMs = this.clock.elapsed();
    if (this.isNew) this.lastSentMs = nowMs;
    this.isNew = false;
    const backlog = this.wire.backlogBytes;
    if (backlog === 0) return;
    if (this.backlogSinceMs === 0) this.backlogSinceMs = nowMs;
    if (backlog > this.profile.congestedBytes) this.backlogged = true;
    if (backlog > this.profile.maxBacklogBytes && !this.tooSlow) {
      // Not here: this may be in the midst of another session's turn with the pen.
      this.tooSlow = true;
      this.owner.wakeAt(nowMs);
    }
  }

  /** The peer has taken everything. */
  drained(): void {
    this.backlogSinceMs = 0;
    this.backlogged = false;
  }

  /** Sends what has waited too long for its store. Returns when to look again. */
  expire(nowMs: number): number {
    for (const waiting of this.queue) {
      if (waiting.deadlineMs > nowMs) break;
      if (!waiting.ready) {
        waiting.ready = true;
        this.owner.storeFailed();
      }
    }
    this.sendReady();
    return this.queue[0]?.deadlineMs ?? Infinity;
  }

  /** Stops waiting for the store: everything goes out as it is. */
  release(): void {
    for (const waiting of this.queue) waiting.ready = true;
    this.sendReady();
  }

  /** What waits is never sent. */
  abandon(): void {
    this.queue = [];
    this.queuedBytes = 0;
  }

  private sendStored(
    number: number,
    msgType: string,
    body: readonly Field[],
    extras: HeaderExtras | undefined,
    outboxEntry: string | undefined,
  ): void {
    const bytes = this.encoded(number, msgType, body, extras);
    const deadlineMs = this.clock.elapsed() + this.profile.storeWaitMs;
    const waiting = this.wait(number, bytes, deadlineMs, false);
    const settled = (failed: boolean): void => {
      if (waiting.ready) return;
      waiting.ready = true;
      if (failed) this.owner.storeFailed();
      this.sendReady();
    };
    const { unstoredFields } = this.profile;
    const shown = body.filter(([tag]) => !unstoredFields.has(tag));
    const stored = shown.length === body.length ? bytes : this.encoded(number, msgType, shown, extras);
    this.store.append(number, stored, outboxEntry).then(
      () => settled(false),
      () => settled(true),
    );
    this.owner.wakeAt(deadlineMs);
  }

  private wait(number: number, bytes: Uint8Array, deadlineMs: number, ready: boolean): Waiting {
    const waiting = { number, bytes, deadlineMs, ready };
    this.queue.push(waiting);
    this.queuedBytes += bytes.length;
    if (this.queuedBytes > this.profile.maxBacklogBytes) this.release();
    return waiting;
  }

  private sendReady(): void {
    let sent = 0;
    while (sent < this.queue.length && this.queue[sent]!.ready) {
      const { bytes } = this.queue[sent++]!;
      this.pen.take(this, bytes.length);
      this.pen.buffer.set(bytes, this.pen.at);
      this.pen.at += bytes.length;
      this.queuedBytes -= bytes.length;
    }
    if (sent === 0) return;
    this.queue = this.queue.slice(sent);
    if (this.queue.length === 0) this.owner.caughtUp();
  }

  private encode(number: number, msgType: string, body: readonly Field[], extras?: HeaderExtras): void {
    this.pen.at = this.encodeAt(number, msgType, body, extras);
  }

  /** The message in bytes of its own. */
  private encoded(number: number, msgType: string, body: readonly Field[], extras?: HeaderExtras): Uint8Array {
    const end = this.encodeAt(number, msgType, body, extras);
    return Uint8Array.from(this.pen.buffer.subarray(this.pen.at, end));
  }

  /** Writes at the pen's place without moving it; returns the end. */
  private encodeAt(number: number, msgType: string, body: readonly Field[], extras?: HeaderExtras): number {
    const pen = this.pen;
    for (let room = 4096; room <= MAX_MESSAGE; room *= 4) {
      pen.take(this, room);
      const end = encodeMessage(pen.buffer, pen.at, this.id, msgType, number, pen.nowMs, body, extras);
      if (end >= 0) return end;
    }
    throw new RangeError(
      `FIX message ${msgType} is longer than ${MAX_MESSAGE} bytes: send fewer entries in one message`,
    );
  }
}

import { encodeMessage, type HeaderExtras } from '../codec/encode.js';
import {
  encodePublished,
  type HeaderTemplate,
  headerTemplate,
  publishedLengthMax,
  type SharedBody,
} from '../codec/publish.js';
import type { TextForm } from '../codec/text-form.js';
import { sendingTime } from '../codec/values.js';
import type { SessionLog } from '../log/log.js';
import type { Field, PublishedType, SessionId, SessionProfile, SessionStore } from '../types.js';
import { FlowControl } from './flow-control.js';
import type { Clock, Wire } from './host.js';
import type { SharedWriteBuffer, Writer } from './shared-write-buffer.js';

/** Longest message that is ever encoded. */
const MAX_MESSAGE = 1024 * 1024;

export class MessageTooLong extends RangeError {}

/** A message that waits for the store, or behind one that does. */
interface Waiting {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly deadlineMs: number;
  ready: boolean;
}

export interface OutboundOwner {
  readonly form: TextForm;
  readonly log: SessionLog | undefined;
  storeFailed(): void;
  /** No message waits for the store any more. */
  caughtUp(): void;
  wakeAt(elapsedMs: number): void;
  /** Sends a TestRequest(1) behind the published data. */
  sendProbe(): void;
}

/** The outbound messages of a session: numbered, in order, a stored message only when the store has it, one write per event-loop turn. */
export class Outbound implements Writer {
  readonly numbers: OutboundNumbers;
  readonly flow: FlowControl;
  readonly log: SessionLog | undefined;
  /** Unsent bytes are above the profile's bound. */
  backlogged = false;
  /** Monotonic ms since when bytes have been waiting for the peer; 0: none are. */
  backlogSinceMs = 0;
  /** The backlog is above the profile's limit: the next timer ends the session. */
  tooSlow = false;
  /** When a new message was last sent. Resent messages do not count: heartbeats continue during a long resend. */
  lastSentMs: number;
  private isNew = false;
  /** Made at the first published message: many sessions have none. */
  private template: HeaderTemplate | undefined;
  private queue: Waiting[] = [];
  private queuedBytes = 0;

  constructor(
    private readonly id: SessionId,
    readonly wire: Wire,
    private readonly profile: SessionProfile,
    private readonly store: SessionStore,
    private readonly writeBuffer: SharedWriteBuffer,
    private readonly clock: Clock,
    private readonly owner: OutboundOwner,
  ) {
    this.log = owner.log;
    this.numbers = new OutboundNumbers(store, () => owner.storeFailed());
    this.flow = new FlowControl(profile, clock, owner);
    this.lastSentMs = clock.elapsed();
  }

  get waitsForStore(): boolean {
    return this.queue.length > 0;
  }

  /** The highest number that was sent: the bound of a ResendRequest(2). */
  get lastNumberSent(): number {
    return this.queue.length > 0 ? this.queue[0]!.number - 1 : this.numbers.next - 1;
  }

  /**
   * Sends a message of the application and returns its number. Throws a RangeError, with no number used, when it cannot be encoded. `timeMs` is
   * its SendingTime(52) where that is known already.
   */
  send(msgType: string, body: readonly Field[], extras?: HeaderExtras, reference?: string, timeMs?: number): number {
    const { next } = this.numbers;
    const end = this.encodeAt(true, next, msgType, body, extras, this.owner.form, timeMs);
    this.sendEncoded(end, msgType, body, extras, reference);
    return next;
  }

  /** Throws a RangeError when the message cannot be encoded. */
  check(msgType: string, body: readonly Field[], extras?: HeaderExtras): void {
    this.encodeAt(true, this.numbers.next, msgType, body, extras, this.owner.form);
  }

  /** Sends a message of the session itself, which leaves whatever its text. */
  sendOwn(msgType: string, body: readonly Field[], extras?: HeaderExtras, timeMs?: number): void {
    const end = this.encodeAt(false, this.numbers.next, msgType, body, extras, this.owner.form, timeMs);
    this.sendEncoded(end, msgType, body, extras);
  }

  /** Sends under a used number: the replay of a stored message, byte for byte, or a gap fill. */
  sendAgain(number: number, msgType: string, body: readonly Field[], extras: HeaderExtras, timeMs?: number): void {
    const form = this.owner.form.pairs.form('latin1');
    this.writeBuffer.at = this.encodeAt(false, number, msgType, body, extras, form, timeMs);
  }

  /** The next number's message is encoded at the buffer's position, up to `end`. */
  private sendEncoded(
    end: number,
    msgType: string,
    body: readonly Field[],
    extras?: HeaderExtras,
    reference?: string,
  ): void {
    this.isNew = true;
    const number = this.numbers.take();
    const isStored = this.profile.stored.has(msgType);
    if (!isStored && this.queue.length === 0) {
      this.writeBuffer.at = end;
      return;
    }
    const bytes = Buffer.from(this.writeBuffer.bytes.subarray(this.writeBuffer.at, end));
    if (!isStored) {
      this.wait(number, bytes, Infinity, true);
      return;
    }
    const { unstoredFields } = this.profile;
    let stored = bytes;
    if (body.some(([tag]) => unstoredFields.has(tag))) {
      const kept = body.filter(([tag]) => !unstoredFields.has(tag));
      const keptEnd = this.encodeAt(false, number, msgType, kept, extras, this.owner.form);
      stored = Buffer.from(this.writeBuffer.bytes.subarray(this.writeBuffer.at, keptEnd));
    }
    this.sendStored(number, bytes, stored, reference);
  }

  /** SendingTime(52) of what is sent next in this event-loop turn, epoch ms. */
  sendingTimeMs(): number {
    this.writeBuffer.take(this, 0);
    return this.writeBuffer.nowMs;
  }

  publish(type: PublishedType, prefix: SharedBody, body: SharedBody): void {
    const writeBuffer = this.writeBuffer;
    this.template ??= headerTemplate(this.id);
    const template = this.template;
    writeBuffer.take(this, publishedLengthMax(type, template, prefix, body));
    this.isNew = true;
    const number = this.numbers.take();
    const time = sendingTime(writeBuffer.nowMs);
    const begin = writeBuffer.at;
    writeBuffer.at = encodePublished(writeBuffer.bytes, begin, type, template, number, time, prefix, body);
    if (this.log?.published === false) writeBuffer.leaveOut(this.log, begin);
    if (this.flow.published(writeBuffer.at - begin)) this.owner.sendProbe();
  }

  flush(): void {
    if (this.writeBuffer.holds(this)) this.writeBuffer.flush();
  }

  written(): void {
    const nowMs = this.clock.elapsed();
    if (this.isNew) this.lastSentMs = nowMs;
    this.isNew = false;
    const backlog = this.wire.backlogBytes;
    if (backlog === 0) return;
    if (this.backlogSinceMs === 0) this.backlogSinceMs = nowMs;
    if (backlog > this.profile.congestedBytes) this.backlogged = true;
    if (backlog > this.profile.maxBacklogBytes && !this.tooSlow) {
      // Not here: another session may be about to use the buffer.
      this.tooSlow = true;
      this.owner.wakeAt(nowMs);
    }
  }

  /** The peer has read everything. */
  drained(): void {
    this.backlogSinceMs = 0;
    this.backlogged = false;
  }

  /** Sends messages that have waited too long for the store. Returns when to call again. */
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

  /** Stops waiting for the store: everything is sent, unstored. */
  release(): void {
    for (const waiting of this.queue) waiting.ready = true;
    this.sendReady();
  }

  /** Drops the waiting messages. */
  abandon(): void {
    this.queue = [];
    this.queuedBytes = 0;
  }

  /** Sends the bytes when the store has the message. */
  private sendStored(number: number, bytes: Uint8Array, stored: Uint8Array, reference: string | undefined): void {
    const deadlineMs = this.clock.elapsed() + this.profile.storeWaitMs;
    const waiting = this.wait(number, bytes, deadlineMs, false);
    const settled = (failed: boolean): void => {
      if (waiting.ready) return;
      waiting.ready = true;
      if (failed) this.owner.storeFailed();
      this.sendReady();
    };
    this.store.append(number, stored, reference).then(
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
      this.writeBuffer.take(this, bytes.length);
      this.writeBuffer.bytes.set(bytes, this.writeBuffer.at);
      this.writeBuffer.at += bytes.length;
      this.queuedBytes -= bytes.length;
    }
    if (sent === 0) return;
    this.queue = this.queue.slice(sent);
    if (this.queue.length === 0) this.owner.caughtUp();
  }

  /** Encodes at the buffer's position without moving it; returns the end. */
  private encodeAt(
    isStrict: boolean,
    number: number,
    msgType: string,
    body: readonly Field[],
    extras: HeaderExtras | undefined,
    form: TextForm,
    timeMs?: number,
  ): number {
    const writeBuffer = this.writeBuffer;
    for (let room = 4096; room <= MAX_MESSAGE; room *= 4) {
      writeBuffer.take(this, room);
      const { bytes, at, nowMs } = writeBuffer;
      const end = encodeMessage(bytes, at, this.id, msgType, number, timeMs ?? nowMs, body, extras, form, isStrict);
      if (end >= 0) return end;
    }
    throw new MessageTooLong(
      `FIX message ${msgType} is longer than ${MAX_MESSAGE} bytes: send fewer entries in one message`,
    );
  }
}

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

  /** Passes over the numbers up to `next`, which is not below the next one; durable when the promise resolves. False: it is below now. */
  async skipTo(next: number): Promise<boolean> {
    await this.reserving;
    await this.store.reserve(next + BLOCK);
    if (next < this.next) return false;
    this.next = next;
    this.reserved(next + BLOCK);
    return true;
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

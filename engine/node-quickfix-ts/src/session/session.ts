import type { MessageView } from '../codec/message-view.js';
import type { SharedBody } from '../codec/publish.js';
import type { TextForm } from '../codec/text-form.js';
import type { RejectReason } from '../dictionary/validate.js';
import type { SessionState } from '../events.js';
import type { Log, SessionLog } from '../log/log.js';
import type {
  Application,
  Field,
  PublishedType,
  SendResult,
  Session,
  SessionId,
  SessionProfile,
  SessionStore,
} from '../types.js';
import type { VersionRules } from '../version-rules.js';
import { type Clock, type CountedEvent, sessionEvent, type Timed, type TimerWheel, type Wire } from './host.js';
import { InboundSequence } from './inbound-sequence.js';
import { onTimer } from './liveness.js';
import { NumberReset } from './number-reset.js';
import { Outbound } from './outbound.js';
import type { Protocol } from './protocol.js';
import { businessRejectFields, rejectFields } from './reject-fields.js';
import { Resend } from './resend.js';
import { Sender } from './sender.js';
import { type NumberRefusal, openStore, setNextIncoming, setNextOutgoing } from './set-numbers.js';
import type { SharedWriteBuffer } from './shared-write-buffer.js';

/** What all sessions of one process share. */
export interface SessionHost {
  readonly application: Application;
  readonly clock: Clock;
  readonly writeBuffer: SharedWriteBuffer;
  readonly wheel: TimerWheel;
  readonly log?: Log | undefined;
  /** The log of connections without a session. */
  readonly strangers?: SessionLog | undefined;
}

export interface SessionTerms {
  readonly id: SessionId;
  /** The version of `id.beginString`. */
  readonly protocol: Protocol;
  /** DefaultApplVerID(1137) of our Logon(A), and of the peer's until it has sent one. */
  readonly applVerId?: string | undefined;
  readonly profile: SessionProfile;
  readonly context: unknown;
  readonly heartBtIntS: number;
  /** We are the initiator: `onLogout` is called even when our Logon(A) was never answered. */
  readonly initiated?: boolean;
}

/** How long the peer may take to answer our Logout(5), ms. */
export const LOGOUT_WAIT_MS = 2_000;

/**
 * One session from Logon(A) to its end, as a state machine: messages, time and connection events are method calls, bytes leave by the
 * wire. Messages are processed in inbound.ts, timers in liveness.ts.
 */
export class FixSession implements Session, Timed {
  readonly id: SessionId;
  readonly profile: SessionProfile;
  readonly context: unknown;
  readonly initiated: boolean;
  readonly protocol: Protocol;
  readonly rules: VersionRules;
  /** Encoding and data fields of its messages. */
  readonly form: TextForm;
  readonly ownApplVerId: string | undefined;
  applVerId: string | undefined;
  readonly heartBtMs: number;
  readonly inbound = new InboundSequence();
  readonly outbound: Outbound;
  readonly resend: Resend;
  readonly numberReset: NumberReset;
  readonly sender: Sender;
  readonly log: SessionLog | undefined;
  state: SessionState = 'logging-on';
  /** Monotonic ms since when the session is up; undefined: it has not been. */
  upSinceMs: number | undefined;
  /** Our Logon(A) had ResetSeqNumFlag(141)=Y. */
  requestedReset = false;
  /** Start of the session period in which the session came up, epoch ms. */
  private periodStartMs = 0;
  lastReceivedMs: number;
  testRequested = false;
  /** Monotonic ms when a Logon or Logout of ours must have been answered. */
  answerByMs = Infinity;
  dueMs = 0;
  slot = -1;
  /** Resolves when the session has ended and its store has the exact numbers and is closed. */
  readonly settled: Promise<void>;
  private resolveSettled: () => void = () => undefined;
  /** Why we are ending the session. */
  endedAs: string | undefined;
  private savedNextIn = 1;
  /** The store is being opened; to true: the numbers are those of the store. */
  private opening: Promise<boolean> = Promise.resolve(false);

  constructor(
    readonly host: SessionHost,
    terms: SessionTerms,
    readonly wire: Wire,
    readonly store: SessionStore,
  ) {
    this.id = terms.id;
    this.profile = terms.profile;
    this.context = terms.context;
    this.initiated = terms.initiated === true;
    this.protocol = terms.protocol;
    this.rules = terms.protocol.rules;
    this.ownApplVerId = terms.applVerId;
    this.applVerId = terms.applVerId;
    this.heartBtMs = terms.heartBtIntS * 1000;
    this.lastReceivedMs = host.clock.elapsed();
    this.form = terms.protocol.dataPairs.form(terms.profile.encoding);
    this.log = host.log?.session(terms.id);
    this.outbound = new Outbound(terms.id, wire, terms.profile, store, host.writeBuffer, host.clock, this);
    this.resend = new Resend(this);
    this.numberReset = new NumberReset(this);
    this.sender = new Sender(this);
    this.settled = new Promise((resolve) => {
      this.resolveSettled = resolve;
    });
  }

  get loggedOn(): boolean {
    return this.state === 'up';
  }
  get congested(): boolean {
    const outbound = this.outbound;
    return (
      outbound.backlogged ||
      outbound.flow.isFull ||
      outbound.waitsForStore ||
      this.resend.active ||
      this.numberReset.active
    );
  }
  get backlogBytes(): number {
    return this.wire.backlogBytes;
  }
  get nextOut(): number {
    return this.outbound.numbers.next;
  }
  get nextIn(): number {
    return this.inbound.next;
  }
  get remoteAddress(): string {
    return this.wire.remoteAddress;
  }

  // --- called by the application

  send(msgType: string, fields: readonly Field[], reference?: string): SendResult {
    return this.sender.send(msgType, fields, reference);
  }

  publish(type: PublishedType, prefix: SharedBody, body: SharedBody): void {
    if (this.state !== 'up' || this.outbound.waitsForStore || this.numberReset.active || this.sender.inHook) return;
    this.outbound.publish(type, prefix, body);
  }

  sendingTimeMs(): number {
    return this.outbound.sendingTimeMs();
  }

  flush(): void {
    this.outbound.flush();
  }

  reject(message: MessageView, reason: number, tag: number | undefined, text: string): void {
    if (this.state !== 'up') return;
    this.count('rejected', this.knownType(message.msgType));
    const isUnnamed =
      this.profile.rejects === 'quickfix' && ((reason >= 9 && reason <= 11) || (reason === 5 && tag === 36));
    this.sender.answer('3', rejectFields(this.rules, message, reason, isUnnamed ? undefined : tag, text), message);
  }

  /** Reject(3) with the standard text of its reason. */
  rejectWith(message: MessageView, { reason, text }: RejectReason, tag?: number): void {
    this.reject(message, reason, tag, text);
  }

  businessReject(message: MessageView, reason: number, text: string, extra: readonly Field[] = []): void {
    if (this.state !== 'up') return;
    this.count('business-rejected', this.knownType(message.msgType));
    const fields = businessRejectFields(this.rules, message, reason, text, extra);
    this.sender.answer(this.rules.hasBusinessReject ? 'j' : '3', fields, message);
  }

  logout(text: string | undefined): void {
    if (this.state !== 'up') return;
    this.sendLogout(text);
    this.endedAs = text ?? 'logout';
    this.enter('logging-out');
    this.expectAnswer(LOGOUT_WAIT_MS);
    this.outbound.flush();
  }

  reset(): Promise<boolean> {
    return this.numberReset.request();
  }

  setNextOutgoing(next: number): Promise<NumberRefusal | undefined> {
    return setNextOutgoing(this, next);
  }

  setNextIncoming(next: number): NumberRefusal | undefined {
    return setNextIncoming(this, next);
  }

  /** Disconnects when nothing is received by then. */
  expectAnswer(withinMs: number): void {
    this.answerByMs = this.host.clock.elapsed() + withinMs;
    this.wakeAt(this.answerByMs);
  }

  // --- called by the session's own parts

  /** Logout(5), with or without a text, then the connection is closed without waiting for an answer. */
  terminate(text: string | undefined, reason: string): void {
    if (this.state === 'ended') return;
    if (this.state === 'up' || this.state === 'logging-on') this.sendLogout(text);
    this.outbound.flush();
    this.wire.end();
    this.end(reason);
  }

  /** An administrative message of our own; one that answers `request` is routed back to its sender. */
  sendAdmin(msgType: string, fields: readonly Field[], request?: MessageView): void {
    if (request === undefined) this.sender.sendOwn(msgType, fields, []);
    else this.sender.answer(msgType, fields, request);
  }

  sendProbe(): void {
    this.sendAdmin('1', [[112, this.outbound.flow.probe()]]);
  }

  /** A Heartbeat(0) that answers a TestRequest(1). */
  answered(testReqId: string): void {
    if (this.outbound.flow.answered(testReqId)) this.caughtUp();
  }

  /** A ResendRequest(2) from our next number on: nothing is missing. The answer is a gap fill of that number, which is used by it. */
  skipNumber(): void {
    this.sendAdmin('4', [
      [36, this.nextOut + 1],
      [123, 'Y'],
    ]);
  }

  /** The session period in which the session came up is over: at the boundary of a schedule without a pause too. */
  get isPeriodOver(): boolean {
    const { schedule } = this.profile;
    return schedule !== undefined && schedule.periodStart(this.host.clock.now()) > this.periodStartMs;
  }

  /**
   * Opens the store and reads the numbers, or resets them to 1: when requested, when the profile requires it at each Logon, or when the
   * stored numbers are of an earlier session period. False: the session is live in another process. Rejects when the store does.
   */
  openNumbers(reset: boolean): Promise<boolean> {
    this.opening = this.beginNumbers(reset || this.profile.resetOnLogon);
    return this.opening;
  }

  private async beginNumbers(reset: boolean): Promise<boolean> {
    const { clock } = this.host;
    const numbers = await openStore(this.store, this.profile.schedule, clock.now(), reset, () => this.takenOver());
    if (numbers === undefined) return false;
    await this.outbound.numbers.begin(numbers.nextOut);
    this.inbound.restart(numbers.nextIn);
    return true;
  }

  /** The session is up: the numbers are set, both Logons are exchanged. */
  begin(): void {
    this.upSinceMs = this.host.clock.elapsed();
    this.periodStartMs = this.profile.schedule?.periodStart(this.host.clock.now()) ?? 0;
    this.answerByMs = Infinity;
    this.savedNextIn = this.inbound.next;
    this.store.saveNextIn(this.inbound.next);
    this.wakeAt(this.host.clock.elapsed());
    this.enter('up');
  }

  private enter(state: SessionState): void {
    this.state = state;
    this.count('state', state);
  }

  /** How long it has been up, or was, ms. */
  get upForMs(): number {
    return this.upSinceMs === undefined ? 0 : this.host.clock.elapsed() - this.upSinceMs;
  }

  count(kind: CountedEvent['kind'], detail: string): void {
    this.host.application.onEvent?.(this, sessionEvent(kind, detail));
  }

  /** MsgType(35) for counting: never a value from the wire that the dictionary does not know. */
  knownType(msgType: string): string {
    return this.protocol.knows(msgType) || this.profile.supported.has(msgType) ? msgType : 'unknown';
  }

  wakeAt(elapsedMs: number): void {
    if (this.state !== 'ended') this.host.wheel.arm(this, elapsedMs);
  }

  storeFailed(): void {
    this.count('store-failed', 'store');
  }

  caughtUp(): void {
    if (this.state === 'up' && !this.congested) this.host.application.onDrain?.(this);
  }

  // --- events

  onDue(nowMs: number): number {
    return this.state === 'ended' ? Infinity : onTimer(this, nowMs);
  }

  /** A message of the peer was garbled: it is counted and otherwise ignored. */
  garbled(): void {
    this.count('garbled', 'garbled');
  }

  /** The connection has written everything. */
  drained(): void {
    if (this.state === 'ended') return;
    const held = this.outbound.backlogged;
    this.outbound.drained();
    this.resend.resume();
    if (held && this.state === 'up' && !this.congested) this.host.application.onDrain?.(this);
  }

  /** All messages of one read are processed: the store may record the next expected number. */
  readDone(): void {
    if (this.state === 'ended' || this.numberReset.active || this.inbound.next === this.savedNextIn) return;
    this.savedNextIn = this.inbound.next;
    this.store.saveNextIn(this.savedNextIn);
  }

  /** A hook of the application has failed: its message is not sent, and neither is a Logout(5), which it may have to sign. */
  fail(): void {
    this.wire.destroy();
    this.end('Internal error');
  }

  /** Another process has claimed the session and its numbers: nothing more is sent. */
  takenOver(): void {
    if (this.state === 'ended') return;
    this.outbound.abandon();
    this.wire.destroy();
    this.end('taken over by another process');
  }

  /** The connection has ended; `code` is that of the error that ended it. */
  disconnected(code?: string): void {
    const why = code === undefined || !this.initiated ? 'disconnected' : `disconnected (${code})`;
    this.end(this.endedAs ?? why);
  }

  /** Ends the session: notifies once and settles the numbers. The caller closes the wire. */
  end(reason: string): void {
    if (this.state === 'ended') return;
    const was = this.state;
    this.resend.cancel();
    this.host.wheel.disarm(this);
    this.enter('ended');
    this.numberReset.cancel();
    if (was === 'logging-on') this.count('logon-refused', 'not-logged-on');
    if (was !== 'logging-on' || this.initiated) this.host.application.onLogout(this, reason);
    void this.settle().finally(this.resolveSettled);
  }

  private async settle(): Promise<void> {
    // A store is closed when it is open, and keeps the numbers that were not read.
    const isOpen = await this.opening.catch(() => false);
    const { isRequested } = this.numberReset;
    // A reset that was not answered: what the peer has sent since has numbers of before.
    const settled = [this.outbound.numbers.next, isRequested ? 1 : this.inbound.next] as const;
    await this.outbound.numbers.idle();
    if (isOpen && (!this.numberReset.active || isRequested)) {
      // Messages of a period that is over are not resent in the next one.
      const isOver = this.upSinceMs !== undefined && this.isPeriodOver;
      const done = isOver ? this.store.reset(this.host.clock.now()) : this.store.settle(...settled);
      await done.catch(() => this.storeFailed());
    }
    await this.store.close().catch(() => this.storeFailed());
  }

  private sendLogout(text: string | undefined): void {
    this.sendAdmin('5', text === undefined ? [] : [[58, text]]);
  }
}

import type { Field } from '../types.js';
import { logonBody } from './logon-body.js';
import type { FixSession } from './session.js';

/** Most sends that wait while both sides reset their numbers. */
const MAX_DEFERRED = 1_000;

/** How long the peer may take to answer the Logon(A) of a reset, ms. */
const ANSWER_WAIT_MS = 10_000;

interface Waiting {
  readonly msgType: string;
  readonly fields: readonly Field[];
  readonly reference: string | undefined;
}

/** The reset of both sides' numbers to 1 in the midst of a session, and the messages of the application that wait for it. */
export class NumberReset {
  private deferred: Waiting[] | undefined;
  private answered: ((isReset: boolean) => void) | undefined;
  /** A reset that we have begun is not done: our numbers may begin at 1, and the peer's do not. */
  isUnfinished = false;

  constructor(private readonly session: FixSession) {}

  get active(): boolean {
    return this.deferred !== undefined;
  }

  /** No more messages may wait. */
  get isFull(): boolean {
    return this.deferred !== undefined && this.deferred.length >= MAX_DEFERRED;
  }

  /** Of the fields a copy: the program may change its list before they are sent. */
  defer({ fields, ...message }: Waiting): void {
    this.deferred?.push({ ...message, fields: fields.map(([tag, value]) => [tag, value]) });
  }

  /** We have sent the Logon(A) of a reset, which is not answered yet. */
  get isRequested(): boolean {
    return this.answered !== undefined;
  }

  /**
   * Logon(A) with ResetSeqNumFlag(141)=Y and MsgSeqNum(34)=1. What the peer sends until its answer has the numbers of before, and is processed; what
   * we send waits. False: the session is not up, a reset is in progress, the version has no 141, or the session has ended meanwhile.
   */
  async request(): Promise<boolean> {
    const { session } = this;
    if (!session.loggedOn || this.active || !session.rules.hasResetSeqNumFlag) return false;
    this.isUnfinished = true;
    if (!(await this.resetOutgoing())) return false;
    if (!session.loggedOn) {
      // Our Logout(5) is out meanwhile, and its answer is to be read.
      session.wire.resume();
      return false;
    }
    const answer = new Promise<boolean>((resolve) => {
      this.answered = resolve;
    });
    session.sendAdmin('A', logonBody(session, true, session.profile.sendNextExpected ? 1 : undefined));
    session.outbound.flush();
    session.expectAnswer(ANSWER_WAIT_MS);
    session.wire.resume();
    return answer;
  }

  /** The peer's Logon(A) with ResetSeqNumFlag(141)=Y has answered ours; or it has requested the same in that moment. */
  answer(): void {
    const { session, answered } = this;
    this.answered = undefined;
    this.isUnfinished = false;
    session.answerByMs = Infinity;
    session.inbound.restart(2);
    session.store.saveNextIn(2);
    this.resume();
    answered?.(true);
  }

  /** The session has ended. */
  cancel(): void {
    this.answered?.(false);
    for (const { msgType } of this.deferred?.splice(0) ?? []) this.session.sender.resetFailed(msgType);
  }

  /** At the peer's request both sides reset their numbers to 1; until the store has done so nothing is received or sent. */
  async begin(): Promise<boolean> {
    this.session.inbound.restart(1);
    return this.resetOutgoing();
  }

  /** False: the session has ended. */
  private async resetOutgoing(): Promise<boolean> {
    const { session } = this;
    session.resend.cancel();
    session.outbound.release();
    session.outbound.flush();
    session.outbound.flow.restart();
    this.deferred = [];
    session.wire.pause();
    try {
      await session.store.reset(session.host.clock.now());
      await session.outbound.numbers.begin(1);
      return session.state !== 'ended';
    } catch {
      if (session.state !== 'ended') this.isUnfinished = false;
      session.storeFailed();
      session.terminate('STORE_UNAVAILABLE', 'STORE_UNAVAILABLE');
      // The store still has the numbers of before, and is settled with them.
      this.deferred = undefined;
      return false;
    }
  }

  /** After the reset and our Logon(A): deferred messages are sent and reading continues. */
  resume(): void {
    const { session } = this;
    const deferred = this.deferred ?? [];
    this.deferred = undefined;
    for (const message of deferred) session.sender.sendDeferred(message.msgType, message.fields, message.reference);
    session.wire.resume();
    session.host.application.onResent?.(session);
  }
}

import type { FixSession } from './session.js';

/** Most sends that wait while both sides reset their numbers. */
const MAX_DEFERRED = 1_000;

/** The reset of both sides' numbers to 1 in the midst of a session, and the messages of the application that wait for it. */
export class NumberReset {
  private deferred: (() => void)[] | undefined;

  constructor(private readonly session: FixSession) {}

  get active(): boolean {
    return this.deferred !== undefined;
  }

  /** No more messages may wait. */
  get isFull(): boolean {
    return this.deferred !== undefined && this.deferred.length >= MAX_DEFERRED;
  }

  defer(send: () => void): void {
    this.deferred?.push(send);
  }

  /** Both sides reset their numbers to 1; until the store has done so nothing is received or sent. False: the session has ended. */
  async begin(): Promise<boolean> {
    const { session } = this;
    session.resend.cancel();
    session.outbound.release();
    session.outbound.flush();
    session.outbound.flow.restart();
    this.deferred = [];
    session.inbound.restart(1);
    session.wire.pause();
    try {
      await session.store.reset(session.host.clock.now());
      await session.outbound.numbers.begin(1);
      return session.state !== 'ended';
    } catch {
      session.storeFailed();
      this.deferred = undefined;
      session.terminate('STORE_UNAVAILABLE', 'STORE_UNAVAILABLE');
      return false;
    }
  }

  /** After `begin` and our Logon(A): deferred messages are sent and reading continues. */
  resume(): void {
    const { session } = this;
    const deferred = this.deferred ?? [];
    this.deferred = undefined;
    for (const send of deferred) send();
    session.wire.resume();
    session.host.application.onResent?.(session);
  }
}

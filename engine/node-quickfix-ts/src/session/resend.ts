import { replayableFields, splitHeader } from '../codec/encode.js';
import { MessageView } from '../codec/message-view.js';
import { formatUtcTimestamp } from '../codec/values.js';
import type { FixSession } from './session.js';

/** Stored messages replayed at a time; other sessions and our heartbeats run between two chunks. */
const CHUNK = 200;
/** After so many failed reads, a second apart, the rest is gap-filled. */
const MAX_FAILURES = 5;
const RETRY_MS = 1_000;
/** So many requests in a row are served at once; after that one in so many milliseconds, widened by the requests in between. */
const AT_ONCE = 20;
const THROTTLE_MS = 100;

/** One view for all replays: it is used between two waits, never across one. */
const stored = new MessageView();

/**
 * Serves ResendRequest(2): stored messages with PossDupFlag(43)=Y and OrigSendingTime(122), everything else as SequenceReset(4)-GapFill.
 * One request at a time, in chunks, only as fast as the peer reads; a further request widens the one in progress, so that a peer cannot
 * cause work by repeated requests.
 */
export class Resend {
  private job: { unanswered: number; readFrom: number; to: number; failures: number; retryAtMs: number } | undefined;
  private reading = false;
  /** Monotonic ms up to which the rate is used, from `AT_ONCE` requests ago on. */
  private throttledMs = -Infinity;

  constructor(private readonly session: FixSession) {}

  /** A resend is in progress: published data waits. */
  get active(): boolean {
    return this.job !== undefined;
  }

  /** from..to inclusive; `to` 0, and one beyond what was sent, is everything sent so far. */
  request(from: number, to: number): void {
    const last = this.session.outbound.lastNumberSent;
    const first = Math.max(1, from);
    const end = to === 0 ? last : Math.min(to, last);
    if (first > end) return;
    if (this.session.profile.stored.size === 0) {
      this.gapFill(first, end + 1);
      this.served();
      return;
    }
    const job = this.job;
    this.job = {
      unanswered: Math.min(first, job?.unanswered ?? first),
      readFrom: Math.min(first, job?.unanswered ?? first),
      to: Math.max(end, job?.to ?? end),
      failures: 0,
      retryAtMs: this.serveAt(job?.retryAtMs ?? 0),
    };
    this.resume();
  }

  cancel(): void {
    this.job = undefined;
  }

  /** When a request received now may be served: each costs a read of the store, and then a fresh price of every stream. */
  private serveAt(waitsUntilMs: number): number {
    const { clock } = this.session.host;
    const nowMs = clock.elapsed();
    if (waitsUntilMs > nowMs) return waitsUntilMs;
    this.throttledMs = Math.max(this.throttledMs, nowMs - AT_ONCE * THROTTLE_MS) + THROTTLE_MS;
    if (this.throttledMs > nowMs) this.session.wakeAt(this.throttledMs);
    return this.throttledMs;
  }

  /** Reads the next chunk, unless one is being read or the peer has not read the last one. */
  resume(): void {
    const { session } = this;
    const job = this.job;
    if (job === undefined || this.reading || session.state === 'ended') return;
    if (session.outbound.backlogged || session.host.clock.elapsed() < job.retryAtMs) return;
    this.reading = true;
    session.store.read(job.readFrom, job.to, CHUNK).then(
      (messages) => {
        this.reading = false;
        // A wider request or the end of the session has intervened.
        if (this.job === job) this.replay(job, messages);
        else this.resume();
      },
      () => {
        this.reading = false;
        if (this.job !== job) return this.resume();
        session.storeFailed();
        job.retryAtMs = session.host.clock.elapsed() + RETRY_MS;
        if (++job.failures >= MAX_FAILURES) this.finish(job);
      },
    );
  }

  private replay(
    job: NonNullable<typeof this.job>,
    messages: readonly { readonly number: number; readonly message: Uint8Array }[],
  ): void {
    const { timestampLength } = this.session.rules;
    const now = formatUtcTimestamp(this.session.outbound.sendingTimeMs()).slice(0, timestampLength);
    for (const { number, message } of messages) {
      if (!this.mayReplay(message)) continue;
      const fields = splitHeader(replayableFields(stored));
      const { routing } = fields;
      const possResend = stored.flag(97);
      const extras = { possDup: true, possResend, origSendingTime: originalTime(now), routing };
      if (number > job.unanswered) this.gapFill(job.unanswered, number);
      job.unanswered = number;
      if (this.session.sender.sendAgain(number, stored.msgType, fields.body, extras)) job.unanswered = number + 1;
    }
    if (messages.length < CHUNK) {
      this.finish(job);
      return;
    }
    job.readFrom = messages[messages.length - 1]!.number + 1;
    // The bytes are written and other sessions run, then the next chunk.
    setImmediate(() => this.resume());
  }

  /** True when the stored bytes are a message, now in `stored`, that the application still allows to be resent. */
  private mayReplay(message: Uint8Array): boolean {
    if (!stored.index(message, 0, message.length, this.session.form) || stored.unreadable !== undefined) return false;
    return this.session.host.application.mayResend?.(this.session, stored) ?? true;
  }

  private finish(job: NonNullable<typeof this.job>): void {
    if (job.unanswered <= job.to) this.gapFill(job.unanswered, job.to + 1);
    this.job = undefined;
    this.served();
  }

  private gapFill(number: number, next: number): void {
    const extras = { possDup: true, origSendingTime: this.session.outbound.sendingTimeMs() };
    const fields = [
      [36, next],
      [123, 'Y'],
    ] as const;
    this.session.sender.sendAgain(number, '4', fields, extras);
  }

  private served(): void {
    this.session.outbound.flow.probeAgain();
    if (this.session.state === 'up') this.session.host.application.onResent?.(this.session);
  }
}

/** SendingTime(52) of the stored message, but never later than now: a clock that was set back must not make it so. */
function originalTime(now: string): string {
  const sent = stored.string(52);
  return sent === undefined || sent > now ? now : sent;
}

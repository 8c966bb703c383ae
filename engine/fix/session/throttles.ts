import { keepLast } from '../../domain/core/keep-last.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { networkOf } from '../../service/core/caller.js';
import type { SessionAccess } from '../../service/sessions/index.js';
import { countUp, type FixContext } from '../context.js';
import { type Desk, TokenBucket } from '../desk.js';
import { LIMITS } from '../settings.js';

const MAX_ADDRESSES = 10_000;
const MAX_BLOCKED = 10_000;
/** Tokens of one CompID, by logon or on request: each is written to the disk and kept for a day. */
const TOKENS_PER_SECOND = 1;
const TOKENS_AT_ONCE = 100;
const MAX_COMP_IDS = 10_000;

/** Addresses and CompIDs that may not log on: after failed logons, after throttle violations, with too many tokens. Bounded. */
export class LogonThrottle {
  private readonly closedUntil = new Map<string, number>();
  private readonly blockedUntil = new Map<string, number>();
  private readonly tokens = new Map<string, TokenBucket>();

  constructor(private readonly sessions: Pick<SessionAccess, 'closedMs' | 'countFailedLogon'>) {}

  /** As far as this gateway knows; the count over all gateways is in the store. */
  isClosed(address: string, nowMs: number): boolean {
    return (this.closedUntil.get(networkOf(address)) ?? 0) > nowMs;
  }

  /** The same over all gateways. Rejects with StoreUnavailable. */
  async isClosedAnywhere(address: string, nowMs: number): Promise<boolean> {
    return this.close(address, nowMs, await this.sessions.closedMs(address, nowMs));
  }

  /** Counts a failed logon. Rejects with StoreUnavailable. */
  async failed(address: string, nowMs: number): Promise<void> {
    this.close(address, nowMs, await this.sessions.countFailedLogon(address, nowMs));
  }

  private close(address: string, nowMs: number, closedMs: number): boolean {
    if (closedMs > 0) keepLast(this.closedUntil, networkOf(address), nowMs + closedMs, MAX_ADDRESSES);
    return closedMs > 0;
  }

  block(compId: string, untilMs: number): void {
    keepLast(this.blockedUntil, compId, untilMs, MAX_BLOCKED);
  }

  /** Whether the CompID may be issued one more token. Counts nothing: the desk is not authenticated yet. */
  mayHaveToken(compId: string, nowMs: number): boolean {
    return this.tokens.get(compId)?.has(nowMs) ?? true;
  }

  /** Counts a token issued to an authenticated desk; false when it is one too many. */
  takeToken(compId: string, nowMs: number): boolean {
    const bucket = this.tokens.get(compId) ?? new TokenBucket(TOKENS_PER_SECOND, TOKENS_AT_ONCE, nowMs);
    keepLast(this.tokens, compId, bucket, MAX_COMP_IDS);
    return bucket.take(nowMs);
  }

  isBlocked(compId: string, nowMs: number): boolean {
    const untilMs = this.blockedUntil.get(compId);
    if (untilMs === undefined) return false;
    if (untilMs > nowMs) return true;
    this.blockedUntil.delete(compId);
    return false;
  }
}

/**
 * The desk exceeds its message rate: the third violation within ten seconds ends the session and blocks its logons for a while. What it sent
 * within the rate is answered before the Logout(5), and so is each message that comes until then: as one beyond the rate.
 */
export function throttleViolation(context: FixContext, desk: Desk): void {
  const nowMs = context.services.now();
  context.counters.throttled++;
  if (desk.isEnding || !desk.violations.add(nowMs)) return;
  desk.isEnding = true;
  countUp(context.counters.refusals, 'RATE_LIMITED');
  context.throttle.block(desk.identity.compId, nowMs + LIMITS.blockMs);
  // After the reject of this message, which the caller sends.
  void withTimeout(desk.hadAnswers(), LIMITS.lastAnswersMs, () => undefined).then(() =>
    desk.session.logout('RATE_LIMITED'),
  );
}

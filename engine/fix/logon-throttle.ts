import { Pace } from './pace.js';

/** Failed logons of one address in a minute, and how long it is then closed without a word. */
const MAX_FAILED = 10;
const WINDOW_MS = 60_000;
const CLOSED_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_BLOCKED = 10_000;
/** Tokens of one CompID, by logon or on request: each is written to the disk and kept for a day. */
const TOKENS_PER_SECOND = 1;
const TOKENS_AT_ONCE = 100;
const MAX_COMP_IDS = 10_000;

interface Failures {
  count: number;
  sinceMs: number;
  closedUntilMs: number;
}

/** Who may not even try: addresses whose logons fail, CompIDs that have just been logged out for their pace, and those with too many tokens. Bounded. */
export class LogonThrottle {
  private readonly failures = new Map<string, Failures>();
  private readonly blockedUntil = new Map<string, number>();
  private readonly tokens = new Map<string, Pace>();

  isClosed(address: string, nowMs: number): boolean {
    return (this.failures.get(address)?.closedUntilMs ?? 0) > nowMs;
  }

  failed(address: string, nowMs: number): void {
    const earlier = this.failures.get(address);
    const failures =
      earlier && nowMs - earlier.sinceMs < WINDOW_MS ? earlier : { count: 0, sinceMs: nowMs, closedUntilMs: 0 };
    if (++failures.count >= MAX_FAILED) failures.closedUntilMs = nowMs + CLOSED_MS;
    keepLast(this.failures, address, failures, MAX_ADDRESSES);
  }

  block(compId: string, untilMs: number): void {
    keepLast(this.blockedUntil, compId, untilMs, MAX_BLOCKED);
  }

  /** Whether the CompID may be given one more token. Asked before anybody has proved to be there, so nothing is counted. */
  mayHaveToken(compId: string, nowMs: number): boolean {
    return this.tokens.get(compId)?.has(nowMs) ?? true;
  }

  /** Counts a token of a CompID whose desk has proved to be there; false when it is one too many. */
  takeToken(compId: string, nowMs: number): boolean {
    const pace = this.tokens.get(compId) ?? new Pace(TOKENS_PER_SECOND, TOKENS_AT_ONCE, nowMs);
    keepLast(this.tokens, compId, pace, MAX_COMP_IDS);
    return pace.take(nowMs);
  }

  isBlocked(compId: string, nowMs: number): boolean {
    const untilMs = this.blockedUntil.get(compId);
    if (untilMs === undefined) return false;
    if (untilMs > nowMs) return true;
    this.blockedUntil.delete(compId);
    return false;
  }
}

function keepLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

/** IPv4 as it is written, also where the socket is IPv6. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

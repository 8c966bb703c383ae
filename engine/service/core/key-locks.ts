import { keepLast } from '../../domain/core/keep-last.js';
import type { AttemptBounds, FailedAttempts } from '../../store/access/failed-attempts.js';
import { networkOf } from './caller.js';

/** Limit of wrong secrets for one key from one address. The lock lasts from the last of them, not from the first. */
const BOUNDS: AttemptBounds = { kind: 'secret', most: 5, windowMs: 15 * 60_000, closedMs: 15 * 60_000 };
/** Locked pairs that this process caches; the oldest one is evicted, and read from the store again. */
const MAX_REMEMBERED = 20_000;

/**
 * Locks a pair of key and address, never the key for other addresses: an attacker who knows a client key cannot lock its owner out.
 * Counted in the store, so that it applies to all processes; each process caches the locks that it has seen.
 */
export class KeyLocks {
  private readonly lockedUntil = new Map<string, number>();

  constructor(private readonly failedAttempts: FailedAttempts) {}

  /** By this process's cache. */
  isLocked(clientKey: string, address: string, nowMs: number): boolean {
    return this.retryAfterS(clientKey, address, nowMs) > 0;
  }

  /** Seconds until the lock ends, by this process's cache; 0: not locked. */
  retryAfterS(clientKey: string, address: string, nowMs: number): number {
    const until = this.lockedUntil.get(pairKey(clientKey, address)) ?? 0;
    return Math.max(0, Math.ceil((until - nowMs) / 1000));
  }

  async wrongSecret(clientKey: string, address: string, nowMs: number): Promise<void> {
    const pair = pairKey(clientKey, address);
    this.remember(pair, nowMs, await this.failedAttempts.count(BOUNDS, pair, nowMs));
  }

  /** Checked after the secret was found right, so that of many concurrent attempts none succeeds after the fifth wrong one. */
  async rightSecret(clientKey: string, address: string, nowMs: number): Promise<'locked' | 'free'> {
    const pair = pairKey(clientKey, address);
    const closedMs = await this.failedAttempts.forget(BOUNDS, pair, nowMs);
    this.remember(pair, nowMs, closedMs);
    return closedMs > 0 ? 'locked' : 'free';
  }

  private remember(pair: string, nowMs: number, closedMs: number): void {
    if (closedMs > 0) keepLast(this.lockedUntil, pair, nowMs + closedMs, MAX_REMEMBERED);
    else this.lockedUntil.delete(pair);
  }
}

// A key received from a client may be long; its cached form is short.
const pairKey = (clientKey: string, address: string) =>
  `${clientKey.slice(0, 128)}\n${networkOf(address.slice(0, 64))}`;

/** Wrong secrets of one key from one address, counted over fifteen minutes. */
const WINDOW_MS = 15 * 60_000;
const MAX_WRONG = 5;
/** Pairs of key and address remembered at once; the one that is longest without a fault is forgotten first. */
const MAX_REMEMBERED = 20_000;

interface Faults {
  count: number;
  sinceMs: number;
}

/**
 * Locks a pair of key and address, never the key for others: an attacker who knows a client key cannot lock its owner out.
 * Bounded, and kept by each process for itself.
 */
export class KeyLocks {
  private readonly faults = new Map<string, Faults>();

  isLocked(clientKey: string, address: string, nowMs: number): boolean {
    return this.retryAfterS(clientKey, address, nowMs) > 0;
  }

  /** Seconds until the lock ends; 0: not locked. */
  retryAfterS(clientKey: string, address: string, nowMs: number): number {
    const faults = this.faults.get(pairKey(clientKey, address));
    if (faults === undefined || faults.count < MAX_WRONG) return 0;
    return Math.max(0, Math.ceil((faults.sinceMs + WINDOW_MS - nowMs) / 1000));
  }

  wrongSecret(clientKey: string, address: string, nowMs: number): void {
    const key = pairKey(clientKey, address);
    const earlier = this.faults.get(key);
    const faults = earlier && nowMs - earlier.sinceMs < WINDOW_MS ? earlier : { count: 0, sinceMs: nowMs };
    faults.count++;
    // The lock lasts fifteen minutes from the fifth fault, not from the first.
    if (faults.count === MAX_WRONG) faults.sinceMs = nowMs;
    this.faults.delete(key);
    this.faults.set(key, faults);
    if (this.faults.size > MAX_REMEMBERED) this.faults.delete(this.faults.keys().next().value!);
  }

  rightSecret(clientKey: string, address: string): void {
    this.faults.delete(pairKey(clientKey, address));
  }
}

// A key from the wire may be long; what is remembered of it is not.
const pairKey = (clientKey: string, address: string) => `${clientKey.slice(0, 128)}\n${address.slice(0, 64)}`;

import type { MarginTable } from '../rates/margin-table.js';
import type { Pricing } from '../rates/pricing.js';
import type { RateBook } from '../rates/rate-book.js';
import type { Store } from '../store/store.js';
import type { KeyLocks } from './key-locks.js';

/** What an operation works with; built once by the wiring and passed to every call of `perform`. */
export interface Services {
  readonly store: Store;
  readonly book: RateBook;
  readonly pricing: Pricing;
  readonly margins: MarginTable;
  readonly keyLocks: KeyLocks;
  /** Epoch milliseconds. */
  now(): number;
  readonly log: Log;
  readonly settings: ServiceSettings;
}

interface ServiceSettings {
  /** Every door and the store are on loopback addresses: a benchmark may be provisioned with known secrets. */
  readonly loopbackOnly: boolean;
  /** When the market is open. */
  readonly marketHours: MarketHours;
}

export interface MarketHours {
  isOpen(nowMs: number): boolean;
}

/** One line per event; the first argument carries no secret, token or account. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

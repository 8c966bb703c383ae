import type { BookFxType } from '../../domain/book-fx-type.js';
import type { Threshold } from '../../domain/corridors/when.js';
import type { HoldAddOns } from '../../domain/hold-period.js';
import type { UkModulusTable } from '../../domain/identifiers/uk-modulus.js';
import type { Pair } from '../../domain/pair.js';
import type { MarginTable } from '../../rates/margin-table.js';
import type { Pricing } from '../../rates/pricing.js';
import type { RateBook } from '../../rates/rate-book.js';
import type { Store } from '../../store/store.js';
import type { KeyLocks } from './key-locks.js';

/** What an operation works with; built once by the wiring and passed to every call of `perform`. */
export interface Services {
  readonly store: Store;
  readonly book: RateBook;
  readonly pricing: Pricing;
  readonly margins: MarginTable;
  readonly keyLocks: KeyLocks;
  /** Prices that desks of this process were streamed a moment ago; absent where none are streamed. */
  readonly streamed?: StreamedPrices;
  /** Epoch milliseconds. */
  now(): number;
  readonly log: Log;
  readonly settings: ServiceSettings;
  /** Told while long work goes on: what was just done, and how far the whole is, 0 to 1; absent in the doors. */
  progress?(done: string, part: number): void;
  /** Who sits at the command line, for the audit log; absent in the doors. */
  readonly operator?: string;
}

interface ServiceSettings {
  /** Every door and the store are on loopback addresses: a benchmark may be provisioned with known secrets. */
  readonly loopbackOnly: boolean;
  /** When the market is open. */
  readonly marketHours: MarketHours;
  /** What holding a rate adds to the margin, by period. */
  readonly holdAddOns: HoldAddOns;
  /** Whole US dollars that a client's open holds may come to, and that a hold without an amount is for; absent: the defaults. */
  readonly holdLimitUsd?: number | undefined;
  readonly holdMaximumUsd?: number | undefined;
  /** Weights of the UK's modulus check, where the operator supplies them. */
  readonly ukModulus?: UkModulusTable | undefined;
  /** Amounts from which a payment needs more, in US dollars; absent: those that are customary. */
  readonly thresholdsUsd?: Readonly<Record<Threshold, number>> | undefined;
  /** In a sandbox, after how long a funding is taken up by itself; absent: an operator decides about each. */
  readonly sandboxFundingMs?: number | undefined;
}

export interface StreamedPrices {
  /** The price of a QuoteEntryID(299) that the client was streamed; undefined: never, replaced too long ago, or withdrawn since. */
  find(quoteId: string, clientId: string): StreamedPrice | undefined;
}

/** What a desk was shown: scaled by the pair's price digits, market convention. */
export interface StreamedPrice {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
  readonly providerBid: number;
  readonly providerOffer: number;
  /** Margin in units of 0.0001 percent. */
  readonly marginPpm: number;
  readonly type: BookFxType;
  /** 'YYYYMMDD' that the MarketDataRequest(V) named; absent is spot. */
  readonly valueDate?: string;
  /** What was asked for: a price of one side alone may be booked on that side. */
  readonly sides: 'both' | 'bid' | 'offer';
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

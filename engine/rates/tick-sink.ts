import { type Ladder, MAX_LEVELS } from '../domain/money/ladder.js';
import type { FeedKind } from '../domain/system/feed-kind.js';
import { MAX_PROVIDERS, type TickOrigin } from './quote-origins.js';

/** The receiver of a feed's ticks: the rate book, or a test. */
export interface TickSink {
  /**
   * Monotonic ms at which the bytes of the *next* tick were read from the wire; used once, then 0 again. 0: the book
   * reads its clock. A feed that reads many ticks at once sets it before each `tick`, so that the clock is read once.
   */
  readAtMs: number;

  /** How old the *next* tick already is, ms; used once, then 0 again. 0: as long as it may have waited for this process. */
  readAgeMs: number;

  /** Ids of the quotes of the *next* tick; used once, then cleared. */
  readonly origin: TickOrigin;

  /**
   * One price of one provider. `bid` and `offer` are scaled by the pair's price digits; sizes are whole units of base, 0 is
   * unknown; `sourceTimeUs` is the provider's own time, epoch microseconds, and `sequence` its own number, 0 where it has none.
   * `ladder`: every level, the first included, which is `bid` and `offer`; it is copied. Absent: the provider has one level.
   */
  tick(
    provider: number,
    pair: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    sequence: number,
    ladder?: Ladder,
  ): void;

  /** The provider withdraws its price of this pair. */
  withdraw(provider: number, pair: number): void;

  /** A new connection to the provider: its next prices are not compared with earlier ones. */
  providerUp(provider: number): void;

  /** The connection is lost: every price of the provider is stale at once. `reason` is what the provider said, where it did. */
  providerDown(provider: number, reason?: string): void;

  /** Something arrived that cannot be read as a tick. */
  malformed(provider: number): void;

  /** A tick for a pair that we do not offer. */
  unknownPair(provider: number): void;
}

/** A sink that gives providers their number. */
export interface ProviderRegistry extends TickSink {
  /** A price older than this, by our own receipt of it, is no price. */
  readonly maxAgeMs: number;
  /** Of a book that follows the relay: number and publisher of the last message; see RateBook. */
  position: number;
  source: number;
  /** What the prices are, as the feeds or the relay's messages say; empty: there are none yet. */
  feedKinds: readonly FeedKind[];
  /** How long input that is read now may have waited for this process, ms; 0 but after a stall. An age that a feed gives must have it. */
  waitedMs(): number;
  /** Called after the process has stalled for a second or more: pending input of a connection is old. Returns the function that unsubscribes. */
  onStall(listener: (stalledMs: number) => void): () => void;
  /** The number of this provider; the same name gives the same number. Throws RangeError above MAX_PROVIDERS. */
  registerProvider(name: string, options?: ProviderOptions): number;
}

export interface ProviderOptions {
  /**
   * It is the book of another engine (the relay), with every level, up to MAX_BOOK_LEVELS: spread and order were checked there, and what a
   * level carries was decided there. A ladder's sizes are that, Infinity any amount; without a ladder the price carries any amount.
   */
  readonly trusted?: boolean;
  /** Its transport keeps the order (FIX): a tick with an older time is still the newer one. */
  readonly ordered?: boolean;
}

/** Levels of one side of a book: all that its providers can have. */
export const MAX_BOOK_LEVELS = MAX_PROVIDERS * MAX_LEVELS;

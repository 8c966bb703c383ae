import type { Session } from 'node-quickfix-ts';
import type { Pair } from '../../domain/money/pair.js';
import type { MarginBand } from '../../domain/money/rate.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import type { PriceShiftColumns } from '../../domain/prices/effective-margin.js';
import type { LadderBook } from './book-ladders.js';
import type { BookPrices } from './price-batch.js';

/** What the publication reads, and whom it calls. */
export interface PublicationDeps {
  readonly book: BookPrices & {
    onChange(listener: (pair: number) => void): void;
    /** Where a level of a pair may have changed. */
    onDepthChange(listener: (pair: number) => void): void;
    ladder: LadderBook['ladder'];
    readonly origins: LadderBook['origins'];
    watch(pair: number): void;
    unwatch(pair: number): void;
    /** Undefined: there is no fresh price. */
    read(pair: number): unknown;
    /** Withdraws stale prices when the process has just stalled; true when it has. */
    sweepIfLate(): boolean;
  };
  /** What the rules of pricing change on the clients' margins. */
  readonly shifts: PriceShiftColumns;
  /** The client's own margins by size, in units of 0.0001 percent, the first above 0; undefined: the client is not entitled to the pair. */
  marginBands(clientId: string, pair: Pair, type: BookFxType): readonly MarginBand[] | undefined;
  /** Trading of the client is halted: it is sent no price. */
  isHalted(clientId: string): boolean;
  /** Spot date YYYYMMDD as of now, from a cache; undefined where the calendars do not know it. */
  spotDate(pair: Pair): string | undefined;
  /** The client has lost a pair of this request, and the stream was ended. */
  onNotEntitled(session: Session, mdReqId: string): void;
  /** What else is sent at the end of a turn, once every desk has its prices. Not where a full batch is fanned out before the end. */
  readonly behind?: { publish(): void } | undefined;
  /** Milliseconds, monotonic, the clock of the rate book's stamps. */
  clock?(): number;
}

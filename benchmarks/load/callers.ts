/** What the callers of a booking run are told, and what they tell. */
export interface CallersPlan {
  readonly port: number;
  /** `express`: the bare GET; `rest`: a booking by POST; `fix`: an order by NewOrderSingle(D). */
  readonly door: 'express' | 'rest' | 'fix';
  readonly callers: number;
  /** Number of the first desk: one that has logged on a few times within a minute may not again. */
  readonly firstDesk: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Over REST: tokens of the clients that the callers take turns in being. */
  readonly tokens: readonly string[];
  /** Orders a second of one desk, which may not send faster; 0: as fast as answers come. */
  readonly perCallerPerSecond: number;
}

export interface CallersResult {
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  /** Answers that were not a booking, by what they were. */
  readonly faults: readonly string[];
}

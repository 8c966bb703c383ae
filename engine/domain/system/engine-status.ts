/** What an engine reports about itself to the live page and to the operator's command line. No secret, no amount. */

export interface EngineStatus {
  /** As in leases and session records. */
  readonly engineId: string;
  /** `<host name>:<pid>`, for people. */
  readonly where: string;
  readonly startedAtMs: number;
  /** It runs the feed, or follows the relay of the one that does. */
  readonly feed: 'runs' | 'follows';
  /** No new logons: it is about to stop. */
  readonly draining: boolean;
  readonly providers: readonly ProviderState[];
  /** How many are logged on. */
  readonly desks: number;
  /** Of the requested CompIDs, at most 1,000. */
  readonly sessions: readonly SessionState[];
  readonly tickToWire: TickToWire;
}

export interface ProviderState {
  readonly name: string;
  readonly up: boolean;
  readonly ticks: number;
  /** Since its last good tick; absent before the first. */
  readonly ageMs?: number | undefined;
  /** How often its connection was lost, ended by it or not made. */
  readonly losses: number;
  /** The reason of the last time, such as Text(58) of its Logout(5). */
  readonly lastLoss?: string | undefined;
}

export interface SessionState {
  readonly compId: string;
  readonly clientId: string;
  /** The client key that it logged on with. */
  readonly keyId: string;
  readonly loggedOnAtMs: number;
  /** Next MsgSeqNum(34) either way. */
  readonly nextOut: number;
  readonly nextIn: number;
  /** Bytes written that the desk has not taken. */
  readonly backlogBytes: number;
  /** Prices, and quotes of streams, replaced before it could take them, since logon. */
  readonly conflated: number;
  /** Live subscriptions of prices, and streams of quotes. */
  readonly streams: number;
}

/** From a provider's tick read to the last desk's write returned, microseconds, of the last 10 s; estimates, by buckets that double. */
export interface TickToWire {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** What the server sends to the page, each a line of JSON. Prices are whole numbers scaled by the pair's digits, market convention. */

/** The first message, and again when what the viewer is offered has changed. */
export interface Hello {
  readonly t: 'hello';
  readonly clientId: string;
  /** Sees everything: provider prices, all sessions, all clients. */
  readonly operator: boolean;
  /** What the key is allowed to see here. */
  readonly sees: { readonly rates: boolean; readonly blotter: boolean };
  /** The settlement type whose margin is in the prices; '' where there is none in them. */
  readonly type: string;
  /** Where a sandbox decides about money: of funding, compliance, payout. */
  readonly sandbox: readonly string[];
  /** A price older than this is no price. */
  readonly maxAgeMs: number;
  readonly pairs: readonly PairRow[];
}

/** [index, symbol, price digits, pip digits, digits that the market quotes, margin in parts per million]. */
export type PairRow = readonly [
  index: number,
  symbol: string,
  priceDigits: number,
  pipDigits: number,
  marketDigits: number,
  marginPpm: number,
];

/** Four numbers for each pair, one behind the other: index, bid, offer, age in ms. */
export interface Prices {
  readonly t: 'p';
  /** Quoted by a provider. */
  readonly r: readonly number[];
  /** Computed from two other pairs. */
  readonly c: readonly number[];
  /** Without a fresh price: what it was last, and how old that is. */
  readonly x: readonly number[];
  /** The same of those that were computed. */
  readonly y: readonly number[];
  /** The same of those that an operator has halted. */
  readonly z: readonly number[];
  /** Three numbers for each pair of `r` and `c` whose margins are not that of Hello: index, margin of the bid and of the offer. */
  readonly m?: readonly number[];
}

/** Once a second, also when there is nothing else to send: a page that gets none is disconnected. */
export interface Pulse {
  readonly t: 'k';
  readonly now: number;
  readonly market: 'open' | 'halted' | 'closed';
  /** The store answers. */
  readonly store: boolean;
  /** What the prices are: market, replay (recorded), simulated. */
  readonly feed: readonly string[];
}

/** Engines, and of each what the viewer may see. */
export interface Engines {
  readonly t: 's';
  readonly engines: readonly Engine[];
}

export interface Engine {
  readonly engineId: string;
  readonly where: string;
  readonly feed: 'runs' | 'follows';
  readonly draining: boolean;
  readonly startedAtMs: number;
  readonly providers: readonly { name: string; up: boolean; ticks: number; ageMs?: number | undefined }[];
  readonly sessions: readonly EngineSession[];
}

export interface EngineSession {
  readonly compId: string;
  readonly clientId: string;
  readonly loggedOnAtMs: number;
  readonly nextOut: number;
  readonly nextIn: number;
  readonly backlogBytes: number;
  readonly conflated: number;
  readonly streams: number;
}

/** Tick-to-wire in microseconds, of the slowest engine: [epoch ms, p50, p90, p99, max, how many]. To operators. */
export type WirePoint = readonly [atMs: number, p50: number, p90: number, p99: number, max: number, count: number];

export interface Wire {
  readonly t: 'w';
  readonly points: readonly WirePoint[];
}

/** Rows of the blotter: new and changed ones. With `all` they replace all earlier rows. */
export interface Blotter {
  readonly t: 'b';
  readonly all?: true;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly id: string;
  readonly clientId: string;
  readonly kind: 'fx' | 'pay';
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly status: string;
  /** The type of a conversion, the sub status of a payment; often ''. */
  readonly note: string;
  /** What leaves: `<amount> <currency>`, with all decimals; '' until it is known. */
  readonly sell: string;
  readonly buy: string;
  /** The client's rate as it was booked, with its pair; '' of a payment. */
  readonly rate: string;
  readonly pair: string;
  /** Value date of a conversion, country of a payment. */
  readonly about: string;
  /** Of a payment, as `sell`; '' of a conversion, and until it is known. */
  readonly fee: string;
}

/** What the house holds, once a second, to operators alone. Amounts are texts with all decimals; values and profits are in `currency`. */
export interface Risk {
  readonly t: 'r';
  /** When the positions were read, epoch ms by the store's clock; 0: there are no figures. */
  readonly atMs: number;
  /** How old that is now; -1: not known. */
  readonly ageMs: number;
  /** Older than a role that runs lets them become: not to be decided on. */
  readonly isStale: boolean;
  readonly currency: string;
  /** The trading day, `2026-11-25`. */
  readonly day: string;
  readonly total: RiskTotal;
  readonly pairs: readonly RiskPair[];
  readonly currencies: readonly RiskCurrency[];
  readonly limits: readonly RiskLimit[];
  readonly states: readonly RiskState[];
  readonly covers: readonly RiskCover[];
}

/** The net open position in total, the longs and the shorts that it is made of, and the profit; '' where there are no figures. */
export interface RiskTotal {
  readonly total: string;
  readonly long: string;
  readonly short: string;
  readonly profit: string;
  readonly dayProfit: string;
}

/** '' is what there is none of: a side that was not dealt, a rate that was never known. */
export interface RiskPair {
  readonly pair: string;
  readonly netBase: string;
  readonly netQuote: string;
  readonly bought: string;
  readonly sold: string;
  readonly mid: string;
  /** Of the mid, now; -1: there is none. */
  readonly rateAgeMs: number;
  readonly value: string;
  readonly profit: string;
  readonly dayProfit: string;
}

export interface RiskCurrency {
  readonly currency: string;
  readonly net: string;
  readonly value: string;
  readonly rateAgeMs: number;
}

export interface RiskLimit {
  /** `house`, or a client's id. */
  readonly subject: string;
  /** Its name, and the currency or value date that it is for. */
  readonly limit: string;
  readonly used: string;
  readonly most: string;
  /** Part of the limit that is used, percent. */
  readonly percent: number;
  readonly mark: 'within' | 'warned' | 'reached' | 'over';
}

export interface RiskState {
  readonly subject: string;
  readonly state: 'REDUCING' | 'HALTED';
  readonly by: string;
  readonly reason: string;
  readonly sinceMs: number;
}

export interface RiskCover {
  readonly id: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
  readonly filled: string;
  readonly provider: string;
  readonly status: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Mid prices of one pair, oldest first, one each `stepMs`; null: none. The last is of `atMs` ago. */
export interface History {
  readonly t: 'h';
  readonly i: number;
  readonly stepMs: number;
  readonly mids: readonly (number | null)[];
  /** To operators: the providers whose fresh quotes the price is made from, none for a cross. Absent: no engine has answered. */
  readonly providers?: readonly string[];
}

export type Message = Hello | Prices | Pulse | Engines | Wire | Blotter | History | Risk;

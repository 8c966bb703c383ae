import type { UkModulusTable } from '../../domain/beneficiaries/identifiers/uk-modulus.js';
import type { PayeePort } from '../../domain/beneficiaries/payee-verification.js';
import type { AgreedRate } from '../../domain/conversions/booking.js';
import type { HoldAddOns } from '../../domain/conversions/hold-period.js';
import type { Log } from '../../domain/core/log.js';
import type { Pair } from '../../domain/money/pair.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import type { Threshold } from '../../domain/payments/corridors/when.js';
import type { MarginParts } from '../../domain/prices/effective-margin.js';
import type { LimitTable } from '../../domain/risk/limits.js';
import type { TradingStates } from '../../domain/risk/trading-state.js';
import type { MarginTable, Pricing } from '../../rates/pricing.js';
import type { RateBook } from '../../rates/rate-book.js';
import type { KnownFigures } from '../../store/risk/risk-figures.js';
import type { Store } from '../../store/store.js';
import type { PricedAt } from './day-record.js';
import type { KeyLocks } from './key-locks.js';

/** The dependencies of operations; built once by the wiring and passed to every call of `perform`. */
export interface Services {
  readonly store: Store;
  readonly book: RateBook;
  readonly pricing: Pricing;
  readonly margins: MarginTable;
  readonly limits: LimitTable;
  /** Of the house, clients and pairs; halted pairs also have no price in the book. */
  readonly states: TradingStates;
  readonly keyLocks: KeyLocks;
  /** The schemes of payee verification; absent: none is connected, and every answer is NOT_POSSIBLE. */
  readonly payees?: PayeePort;
  /** The newest risk figures: positions, net open positions and profit, as the risk role published them. */
  readonly risk: KnownFigures;
  /** Prices recently streamed to desks of this process; absent where none are streamed. */
  readonly streamed?: StreamedPrices;
  /** The day record of this process; absent without RECORD. */
  readonly record?: DecisionRecord;
  /** Epoch milliseconds. */
  now(): number;
  readonly log: Log;
  readonly settings: ServiceSettings;
  /** The addresses of a host name, where an endpoint's is checked; absent: by the name servers of this machine. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Reports the progress of a long command: what was just done, and the part of the whole, 0 to 1; absent in FIX and REST. */
  progress?(done: string, part: number): void;
  /** The operating system user at the command line, for the audit log; absent in FIX and REST. */
  readonly operator?: string;
}

/** The day record, as far as decisions go into it; see DayRecorder. */
export interface DecisionRecord {
  /** Monotonic ms. */
  readonly ms: number;
  /** A line with an object, which has a `type`. */
  json(value: object): boolean;
}

interface ServiceSettings {
  /** All ports and the store are on loopback addresses: benchmark clients with known secrets may be provisioned. */
  readonly loopbackOnly: boolean;
  /** When the market is open. */
  readonly marketHours: MarketHours;
  /** What holding a rate adds to the margin, by period. */
  readonly holdAddOns: HoldAddOns;
  /** Default maximum value of a client's open holds, and of one hold without an amount, whole US dollars. */
  /** By how much the market may have moved when an offer is used, parts per million; absent: OFFER_TOLERANCE_PPM. */
  readonly offerTolerancePpm?: number | undefined;
  readonly holdLimitUsd?: number | undefined;
  readonly platformHoldLimitUsd?: number | undefined;
  readonly holdMaximumUsd?: number | undefined;
  /** Clients see the names of the providers of their prices; absent: no. */
  readonly disclosesProviders?: boolean | undefined;
  /** Weights of the UK's modulus check, if the operator supplies them. */
  readonly ukModulus?: UkModulusTable | undefined;
  /** Amounts from which a payment needs additional details, in US dollars; absent: the usual ones. */
  readonly thresholdsUsd?: Readonly<Record<Threshold, number>> | undefined;
  /** Endpoints of webhooks may be on this machine, by http too: for trials; absent: no. */
  readonly webhookLoopback?: boolean | undefined;
  /** In a sandbox, the delay before a funding completes automatically; absent: an operator decides each. */
  readonly sandboxFundingMs?: number | undefined;
}

export interface StreamedPrices {
  /**
   * The price of a QuoteEntryID(299), or the quote of a stream's QuoteID(117), that was sent to the client; undefined: never sent, replaced too
   * long ago, or withdrawn.
   */
  find(quoteId: string, clientId: string): StreamedPrice | StreamedQuote | undefined;
}

/** The price as a desk received it: scaled by the pair's price digits, market convention. */
export interface StreamedPrice {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
  readonly providerBid: number;
  readonly providerOffer: number;
  readonly bidBand: StreamedBand;
  readonly offerBand: StreamedBand;
  /** What it is made of, for PriceOrigins.legs. */
  readonly originKeys: Float64Array;
  readonly type: BookFxType;
  /** 'YYYYMMDD' from the MarketDataRequest(V); absent: spot. */
  readonly valueDate?: string;
  /** The subscribed sides: a one-sided price may be booked on that side. */
  readonly sides: 'both' | 'bid' | 'offer';
  /** Which input of the rate book has made it, see RateBook; and whether it is a band of a ladder. */
  readonly position: number;
  readonly isBand?: boolean;
}

/** The amounts that a side of a streamed price is for, and the margin that the price has: its own margin is that of the amounts of the band. */
export interface StreamedBand extends MarginParts {
  /** The most, whole units of base; Infinity: any amount. */
  readonly limit: number;
  /** How many levels of the book the band takes. */
  readonly levels: number;
}

/** A quote of a QuoteRequest(R) with StreamQuotes(20018), as a desk received it: for one amount, of one side or of both. */
export interface StreamedQuote {
  readonly pair: Pair;
  readonly type: BookFxType;
  /** 'YYYYMMDD'. */
  readonly valueDate: string;
  /** Minor units. */
  readonly amount: { readonly currency: string; readonly minor: bigint };
  /** The client sells base at the bid and buys it at the offer. */
  readonly bid: AgreedRate | undefined;
  readonly offer: AgreedRate | undefined;
  /** For the day record; undefined without one. */
  readonly at?: PricedAt | undefined;
}

export interface MarketHours {
  isOpen(nowMs: number): boolean;
}

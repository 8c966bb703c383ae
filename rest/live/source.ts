/** All that the live page shows, provided by the program that serves it: the one interface of this package to it. */
import type { Engine, PairRow, Risk, Row } from './page/messages.js';

export interface LiveSource {
  readonly log: LiveLog;
  /** Every pair that can be shown; its place in this list is its index. */
  readonly pairs: readonly LivePair[];
  readonly prices: LivePrices;
  readonly offers: LiveOffers;
  readonly blotter: LiveBlotter;
  readonly engines: LiveEngines;
  readonly access: LiveAccess;
  /** What the house holds now, for operators; made once a second while one has a page open. */
  risk(): Risk;
  /** Epoch ms. */
  now(): number;
  market(): 'open' | 'halted' | 'closed';
  isStoreUp(): boolean;
  /** Which decisions about money a sandbox takes: of funding, compliance, payout. */
  sandboxes(): readonly string[];
  /** What the prices are: market, replay, simulated; empty: there are none yet. */
  feed(): readonly string[];
}

/** A row of Hello without the margin. */
export type LivePair = PairRow extends readonly [...infer Fields, marginPpm: number] ? Readonly<Fields> : never;

export interface LiveLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Prices are whole numbers scaled by the pair's digits, market convention. */
export interface LivePrices {
  /** An older price is no price. */
  readonly maxAgeMs: number;
  read(pair: number): LivePrice | undefined;
  /** An operator has halted the pair. */
  isHalted(pair: number): boolean;
  onChange(changed: (pair: number) => void): () => void;
  /** Called where the margins of a pair's clients have changed at the price that it has. */
  onMarginChange(changed: (pair: number) => void): () => void;
  /** What a client's own margin comes to on each side of a price, parts per million; good until the next call. */
  effectiveMargin(
    pair: number,
    bid: number,
    offer: number,
    marginPpm: number,
  ): { readonly bidPpm: number; readonly offerPpm: number };
  clientBid(bid: number, marginPpm: number): number;
  clientOffer(offer: number, marginPpm: number): number;
  /** Whether the margin has left a price. */
  isClientPrice(bid: number, offer: number): boolean;
}

export interface LivePrice {
  readonly bid: number;
  readonly offer: number;
  readonly ageMs: number;
  /** Computed from two other pairs. */
  readonly crossed: boolean;
}

export interface LiveOffers {
  /** Undefined: the store does not answer. */
  of(clientId: string): Promise<LiveOffer | undefined>;
  onChange(changed: () => void): () => void;
}

export interface LiveOffer {
  /** Trading of the client is halted. */
  readonly isHalted: boolean;
  /** The settlement type; '' where the client has none. */
  readonly type: string;
  /** The client's own margin in parts per million; undefined: the pair is not offered. */
  marginPpm(pair: number): number | undefined;
}

/** Bookings and payments. Undefined as an answer: the store does not answer, or there is no such client. */
export interface LiveBlotter {
  /** The newest of one client, newest first. */
  newest(clientId: string, limit: number): Promise<readonly Row[] | undefined>;
  /** The newest of all clients, of which at most `clientsMax` are read. */
  newestOfAll(limit: number, clientsMax: number): Promise<readonly Row[] | undefined>;
  /** What has moved in the client's journal behind the entry `seen`; undefined as `seen`: the last entries. */
  moved(clientId: string, seen: string | undefined): Promise<Moved | undefined>;
  /** Called when a client's journal has grown; a call may be lost. */
  onMoved(moved: (clientId: string) => void): () => void;
  /** A page of all clients, by id. */
  clientIds(limit: number, after: string | undefined): Promise<readonly string[]>;
}

export interface Moved {
  readonly rows: readonly Row[];
  /** The last entry that was read. */
  readonly seen: string | undefined;
}

/** What an engine reports; its tick-to-wire in microseconds, of the last 10 s. */
export interface EngineReport extends Engine {
  readonly tickToWire: Readonly<Record<'count' | 'p50' | 'p90' | 'p99' | 'max', number>>;
}

export interface LiveEngines {
  /** Reports of all engines that answer within `waitMs`. */
  reports(waitMs: number): Promise<readonly EngineReport[]>;
  /** The providers whose fresh quotes make each pair's price; undefined: no engine has answered. */
  providers(
    waitMs: number,
  ): Promise<readonly { readonly pair: string; readonly providers: readonly string[] }[] | undefined>;
}

export interface LiveAccess {
  /** Called with the hash of a token that was revoked; a call may be lost. */
  onRevoked(revoked: (tokenHash: string) => void): () => void;
  /** Changes with each revocation. */
  revocations(): Promise<string>;
  areLive(tokenHashes: readonly string[]): Promise<readonly boolean[]>;
  /** Whether the key may still be used from the address. */
  mayUseKey(keyId: string, address: string): Promise<boolean>;
}

/** The client of a page, proved by a token. */
export interface PageCaller {
  readonly clientId: string;
  readonly keyId: string;
  readonly address: string;
  readonly tokenHash: string;
  readonly expiresAtMs: number;
  readonly sees: PageRights;
}

export interface PageRights {
  /** Everything, of all clients. */
  readonly operator: boolean;
  readonly rates: boolean;
  readonly blotter: boolean;
}

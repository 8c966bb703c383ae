/**
 * Trading states: of the house, of a client, of a pair. HALTED: no price, and every deal is refused with TRADING_HALTED. REDUCING: prices as
 * ever, and only a deal that lowers an exposure passes, any other is refused with CREDIT_LIMIT. ACTIVE is the absence of a restriction.
 */

import { platformOf } from '../core/ids.js';
import { type Refusal, refuse } from '../core/refusal.js';
import { PAIRS, type Pair } from '../money/pair.js';

export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/** What a restriction is for. */
export interface TradingSubject {
  readonly scope: 'house' | 'client' | 'pair';
  /** The client's id, the pair in market convention or `*` for all pairs; `house`. */
  readonly name: string;
}

export const HOUSE: TradingSubject = { scope: 'house', name: 'house' };

/** A state other than ACTIVE, and who set it. */
export interface TradingRestriction extends TradingSubject {
  readonly state: Exclude<TradingState, 'ACTIVE'>;
  /** The operator, or `client <id>` where a client has halted itself. */
  readonly by: string;
  readonly reason: string;
  /** Epoch ms. */
  readonly sinceMs: number;
}

/** The restrictions in force, in memory: each price and each deal asks. Replaced as a whole when one changes. */
export class TradingStates {
  #house: TradingRestriction | undefined;
  #clients = new Map<string, TradingRestriction>();
  #pairs = new Map<string, TradingRestriction>();
  #haltedPairs: ReadonlySet<number> = new Set();
  /** Some pair, or every one, is REDUCING by its own restriction. */
  reducesPairs = false;
  /** As they were given: of the house, of clients and of pairs. */
  all: readonly TradingRestriction[] = [];
  readonly #listeners = new Set<() => void>();

  replace(restrictions: readonly TradingRestriction[]): void {
    this.all = restrictions;
    const of = (scope: TradingSubject['scope']) =>
      new Map(restrictions.filter((one) => one.scope === scope).map((one) => [one.name, one]));
    this.#house = of('house').get(HOUSE.name);
    this.#clients = of('client');
    this.#pairs = of('pair');
    this.reducesPairs = [...this.#pairs.values()].some(({ state }) => state === 'REDUCING');
    const isHalted = ({ symbol }: Pair) => this.ofPair(symbol)?.state === 'HALTED';
    this.#haltedPairs = new Set(PAIRS.filter(isHalted).map(({ index }) => index));
    for (const listener of this.#listeners) listener();
  }

  /** Called after each replace, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get house(): TradingRestriction | undefined {
    return this.#house;
  }

  client(clientId: string): TradingRestriction | undefined {
    return this.#clients.get(clientId);
  }

  /** The pair's own restriction or that of all pairs, the stricter of the two. */
  pair(symbol: string): TradingRestriction | undefined {
    const own = this.#pairs.get(symbol);
    const all = this.#pairs.get('*');
    return own?.state === 'HALTED' ? own : all?.state === 'HALTED' ? all : (own ?? all);
  }

  /** What a pair is restricted by: the strictest of `pair` and that of the house. */
  ofPair(symbol: string): TradingRestriction | undefined {
    const own = this.pair(symbol);
    return own?.state === 'HALTED' ? own : (this.#house ?? own);
  }

  /** The client itself is halted, or its platform; a halt of the house is one of every pair. */
  isHalted(clientId: string): boolean {
    if (this.#clients.get(clientId)?.state === 'HALTED') return true;
    const platform = platformOf(clientId);
    return platform !== undefined && this.#clients.get(platform)?.state === 'HALTED';
  }

  /** By Pair.index: those halted by themselves, with all pairs or with the house. */
  get haltedPairs(): ReadonlySet<number> {
    return this.#haltedPairs;
  }

  /** Clients in this state. */
  clientsIn(state: TradingRestriction['state']): number {
    return [...this.#clients.values()].filter((one) => one.state === state).length;
  }

  /** Pairs in this state, by whichever restriction. */
  pairsIn(state: TradingRestriction['state']): number {
    if (state === 'HALTED') return this.#haltedPairs.size;
    return PAIRS.filter(({ symbol }) => this.ofPair(symbol)?.state === 'REDUCING').length;
  }
}

/** The reason is the operator's; the client receives none of it. */
export function pairHalted({ symbol }: Pair): Refusal {
  return refuse('TRADING_HALTED', `${symbol} is halted: try again when it is resumed`);
}

/** Also where the client has halted itself: only the operator resumes it. */
export function clientHalted(): Refusal {
  return refuse('TRADING_HALTED', 'Your trading is halted: ask us to resume it');
}

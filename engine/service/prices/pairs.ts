import { z } from 'zod';
import { PAIRS, type Pair, type PairState, type PairStatus } from '../../domain/money/pair.js';
import { BOOK_FX_TYPES, type BookFxType } from '../../domain/money/value-date.js';
import { type TradingRestriction, TradingStates } from '../../domain/risk/trading-state.js';
import { ASK_MS } from '../../store/coordination/engines.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import type { MarketHours, Services } from '../core/services.js';
import { dealingTime } from './conversion-terms.js';

export interface OfferedPair {
  readonly pair: Pair;
  /** The types for which the client has a margin. */
  readonly types: readonly BookFxType[];
}

/** The pairs that the caller's client is offered: those with a margin. */
export const listPairs = defineOperation({
  input: z.object({}),
  execute({ margins }, { clientId }) {
    const typesOf = (pair: Pair) =>
      BOOK_FX_TYPES.filter((type) => margins.find(clientId, pair.symbol, type) !== undefined);
    const pairs: OfferedPair[] = PAIRS.map((pair) => ({ pair, types: typesOf(pair) }));
    return { pairs: pairs.filter(({ types }) => types.length > 0) };
  },
});

/** `unknown`: no engine answers; only the restriction is known. */
export interface PairAndRestriction extends Omit<PairStatus, 'state'> {
  readonly state: PairStatus['state'] | 'unknown';
  /** The strictest of its own, that of all pairs and that of the house; undefined: the pair is ACTIVE. */
  readonly restriction: TradingRestriction | undefined;
}

/** Every pair with its state at the engine that runs the feed, and its restriction. */
export const listPairStates = defineOpenOperation({
  input: z.object({}),
  async execute({ store }) {
    const [reported, restrictions] = await Promise.all([store.engines.pairs(ASK_MS), store.tradingStates.list()]);
    const known = new Map(reported?.map((status) => [status.pair, status]));
    const states = new TradingStates();
    states.replace(restrictions);
    const pairs = PAIRS.map(({ symbol: pair }): PairAndRestriction => {
      const restriction = states.ofPair(pair);
      const state = restriction?.state === 'HALTED' ? 'halted' : 'unknown';
      return { pair, state, providers: [], ...known.get(pair), restriction };
    });
    return { pairs };
  },
});

/** `halted`: the hours are open, but there is no price at all: no provider has one, or all pairs or the client are halted. */
export type MarketState = 'open' | 'halted' | 'closed';

export interface MarketStatus {
  readonly state: MarketState;
  /** While closed, when it opens; otherwise, when it closes. Epoch ms; absent: not within eight days. */
  readonly opensAtMs?: number;
  readonly closesAtMs?: number;
}

/** Whether the market is open, and when that changes next. */
export const marketStatus = defineOperation({
  input: z.object({}),
  execute(services, { clientId }): MarketStatus {
    const state = marketState(services, clientId);
    const changesAtMs = nextChangeMs(services.settings.marketHours, dealingTime(services));
    if (changesAtMs === undefined) return { state };
    return state === 'closed' ? { state, opensAtMs: changesAtMs } : { state, closesAtMs: changesAtMs };
  },
});

/** For a client, or for all of them: a halted client has no price. */
export function marketState(services: Services, clientId?: string): MarketState {
  const { book, settings, states } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return 'closed';
  if (clientId !== undefined && states.isHalted(clientId)) return 'halted';
  return PAIRS.some(({ index }) => book.bid[index] !== 0) ? 'open' : 'halted';
}

/** The state of one pair, for a client or for all of them; `watched` crosses count as prices, and so do those that can be computed now. */
export function pairState(services: Services, pairIndex: number, clientId?: string): PairState {
  const { book, settings, states } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return 'closed';
  if (book.isHalted(pairIndex) || (clientId !== undefined && states.isHalted(clientId))) return 'halted';
  return book.read(pairIndex) === undefined ? 'unavailable' : 'ready';
}

const MINUTE_MS = 60_000;
const DAYS_AHEAD = 8;

/** The next opening or closing of the market, to the minute; undefined: none within eight days. */
export function nextChangeMs(hours: MarketHours, nowMs: number): number | undefined {
  const isOpen = hours.isOpen(nowMs);
  const wholeHour = nowMs - (nowMs % (60 * MINUTE_MS));
  for (let hour = 1; hour <= DAYS_AHEAD * 24; hour++) {
    const end = wholeHour + hour * 60 * MINUTE_MS;
    if (hours.isOpen(end) === isOpen) continue;
    for (let at = end - 59 * MINUTE_MS; at < end; at += MINUTE_MS) if (hours.isOpen(at) !== isOpen) return at;
    return end;
  }
  return undefined;
}

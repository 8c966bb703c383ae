import { z } from 'zod';
import { type Halt, PAIRS, type Pair, type PairState, type PairStatus } from '../../domain/pair.js';
import { refuse } from '../../domain/refusal.js';
import { BOOK_FX_TYPES, type BookFxType } from '../../domain/value-date.js';
import { ASK_MS } from '../../store/coordination/engines.js';
import { PAIR_OR_ALL, REASON } from '../core/inputs.js';
import { type Audited, defineOpenOperation, defineOperation } from '../core/operation.js';
import type { MarketHours, Services } from '../core/services.js';
import { operatorOf } from '../core/with-audit.js';
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

/** `unknown`: no engine answers; only the halt is known. */
export interface PairAndHalt extends Omit<PairStatus, 'state'> {
  readonly state: PairStatus['state'] | 'unknown';
  /** Its own halt, or that of all pairs. */
  readonly halt: Halt | undefined;
}

/** Every pair with its state at the engine that runs the feed, and its halt. */
export const listPairStates = defineOpenOperation({
  input: z.object({}),
  async execute({ store }) {
    const [reported, halts] = await Promise.all([store.engines.pairs(ASK_MS), store.halts.list()]);
    const known = new Map(reported?.map((status) => [status.pair, status]));
    const halted = new Map(halts.map((halt) => [halt.pair, halt]));
    const pairs = PAIRS.map(({ symbol: pair }): PairAndHalt => {
      const halt = halted.get(pair) ?? halted.get('*');
      return { pair, state: halt ? 'halted' : 'unknown', providers: [], ...known.get(pair), halt };
    });
    return { pairs };
  },
});

const haltOf = async ({ store }: Services, pair: string): Promise<Halt | undefined> =>
  (await store.halts.list()).find((halt) => halt.pair === pair);

const nameOf = (pair: string): string => (pair === '*' ? 'all pairs' : pair);

const audited: Audited<{ readonly pair: string }> = {
  subject: ({ pair }) => `pair ${pair}`,
  state: (services, { pair }) => haltOf(services, pair),
};

/**
 * Halts trading in a pair, or in all: everywhere within a second it has no price and no conversion is booked in it. A pair that is already
 * halted keeps its halt.
 */
export const haltPair = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL, reason: REASON }),
  audited,
  async execute(services, _operator, { pair, reason }) {
    const halt: Halt = { pair, by: operatorOf(services), reason, sinceMs: services.now() };
    if (await services.store.halts.halt(halt)) return halt;
    return (
      (await haltOf(services, pair)) ?? refuse('WRONG_STATE', `${nameOf(pair)}: resumed at this moment; try again`)
    );
  },
});

/** Ends a halt. Refuses with WRONG_STATE: there is none, or it is one of all pairs. */
export const resumePair = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL }),
  audited,
  async execute(services, _operator, { pair }) {
    if (await services.store.halts.resume(pair)) return { pair };
    const isAll = pair !== '*' && (await haltOf(services, '*')) !== undefined;
    const text = isAll ? `All pairs are halted: resume '*'` : `${nameOf(pair)}: not halted`;
    return refuse('WRONG_STATE', text);
  },
});

/** `halted`: the hours are open, but there is no price at all: no provider has one, or all pairs are halted. */
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
  execute(services): MarketStatus {
    const state = marketState(services);
    const changesAtMs = nextChangeMs(services.settings.marketHours, dealingTime(services));
    if (changesAtMs === undefined) return { state };
    return state === 'closed' ? { state, opensAtMs: changesAtMs } : { state, closesAtMs: changesAtMs };
  },
});

export function marketState(services: Services): MarketState {
  const { book, settings } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return 'closed';
  return PAIRS.some(({ index }) => book.bid[index] !== 0) ? 'open' : 'halted';
}

/** The state of one pair; `watched` crosses count as prices, and so do those that can be computed now. */
export function pairState(services: Services, pairIndex: number): PairState {
  const { book, settings } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return 'closed';
  if (book.isHalted(pairIndex)) return 'halted';
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

import { z } from 'zod';
import { PAIRS } from '../../domain/pair.js';
import type { PairState } from '../../domain/pair-status.js';
import { dealingTime } from '../core/dealing.js';
import { defineOperation } from '../core/operation.js';
import type { MarketHours, Services } from '../core/services.js';

/** `halted`: the hours are open, but there is no price for anything: no provider has one, or all pairs are halted. */
export type MarketState = 'open' | 'halted' | 'closed';

export interface MarketStatus {
  readonly state: MarketState;
  /** When it opens, while it is closed; when it closes, while it is not. Epoch ms; absent: not within eight days. */
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

/** When the market next opens or closes, to the minute; undefined when it does neither within eight days. */
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

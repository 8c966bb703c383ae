import type { Pair } from '../../domain/pair.js';
import { pairHalted } from '../../domain/pair-status.js';
import { type Refusal, refuse } from '../../domain/refusal.js';
import type { Services } from './services.js';

/** MARKET_CLOSED while the market is closed or the pair is halted: then no conversion is booked at any rate. */
export function refuseIfNotTradable({ book, settings }: Services, pair: Pair, now: number): Refusal | undefined {
  if (!settings.marketHours.isOpen(now)) return refuse('MARKET_CLOSED');
  return book.isHalted(pair.index) ? pairHalted(pair) : undefined;
}

/**
 * The current time for opening hours and value dates outside a step: the store's clock, by which bookings are checked; this machine's until
 * the store's is known.
 */
export function dealingTime({ store, now }: Services): number {
  return store.clock.estimate() ?? now();
}

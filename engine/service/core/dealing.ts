import type { Pair } from '../../domain/pair.js';
import { pairHalted } from '../../domain/pair-status.js';
import { type Refusal, refuse } from '../../domain/refusal.js';
import type { Services } from './services.js';

/** MARKET_CLOSED while the market is closed, or the pair is halted: then nothing is dealt, at whatever rate. */
export function notDealt({ book, settings }: Services, pair: Pair, now: number): Refusal | undefined {
  if (!settings.marketHours.isOpen(now)) return refuse('MARKET_CLOSED');
  return book.isHalted(pair.index) ? pairHalted(pair) : undefined;
}

/** Now, for opening hours and value dates outside a step: the store's clock, by which bookings are judged; this machine's while none is known. */
export function dealingTime({ store, now }: Services): number {
  return store.clock.estimate() ?? now();
}

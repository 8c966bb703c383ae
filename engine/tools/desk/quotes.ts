/** What the desk has seen of each pair: the last price, how often it came, how late. */
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { Latency } from './latency.js';

/** One W or X as the desk understood it. A side that is absent was not sent; '' was withdrawn. */
export interface PriceUpdate {
  readonly symbol: string;
  readonly bid?: string;
  readonly offer?: string;
  /** Milliseconds from the time in the message to its arrival; undefined when the message has no such time. */
  readonly latencyMs?: number;
  /** Epoch ms of arrival. */
  readonly at: number;
}

export interface Quote {
  readonly symbol: string;
  readonly pair: Pair | undefined;
  bid: string;
  offer: string;
  /** Epoch ms of the last update; 0 before the first. */
  at: number;
  updates: number;
  readonly latency: Latency;
  /** Updates in each of the last seconds, the newest last. */
  readonly perSecond: number[];
}

const RATE_WINDOW_S = 5;

export class Quotes {
  readonly #rows = new Map<string, Quote>();

  constructor(symbols: readonly string[]) {
    for (const symbol of symbols) {
      const latency = new Latency();
      this.#rows.set(symbol, {
        symbol,
        pair: pairBySymbol(symbol),
        bid: '',
        offer: '',
        at: 0,
        updates: 0,
        latency,
        perSecond: [0],
      });
    }
  }

  rows(): Quote[] {
    return [...this.#rows.values()];
  }

  take(update: PriceUpdate): Quote | undefined {
    const quote = this.#rows.get(update.symbol);
    if (!quote) return undefined;
    if (update.bid !== undefined) quote.bid = update.bid;
    if (update.offer !== undefined) quote.offer = update.offer;
    if (update.latencyMs !== undefined) quote.latency.record(update.latencyMs);
    quote.at = update.at;
    quote.updates += 1;
    quote.perSecond[quote.perSecond.length - 1]! += 1;
    return quote;
  }

  /** Called once a second: opens the next second of every pair's rate. */
  secondPassed(): void {
    for (const { perSecond } of this.#rows.values()) {
      perSecond.push(0);
      if (perSecond.length > RATE_WINDOW_S + 1) perSecond.shift();
    }
  }
}

/** Updates a second over the last full seconds. */
export function updatesPerSecond({ perSecond }: Quote): number {
  const full = perSecond.slice(0, -1);
  return full.length === 0 ? 0 : full.reduce((sum, n) => sum + n, 0) / full.length;
}

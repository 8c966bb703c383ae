/** Services on a real store, with a rate book that the test ticks by hand. */

import { DEFAULT_HOLD_ADD_ONS } from '../../../engine/domain/conversions/hold-period.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { scaledFromText } from '../../../engine/domain/money/rate.js';
import { LimitTable } from '../../../engine/domain/risk/limits.js';
import { TradingStates } from '../../../engine/domain/risk/trading-state.js';
import type { RateBookOptions } from '../../../engine/rates/book-price.js';
import { MarginTable, Pricing } from '../../../engine/rates/pricing.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { KeyLocks } from '../../../engine/service/core/key-locks.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { OpenStoreOptions } from '../../../engine/store/store.js';
import { quoteLadder } from '../../rates/clock.js';
import { startTestStore, type TestStore } from '../../support/store.js';

export interface TestServices {
  readonly services: Services;
  readonly testStore: TestStore;
  /** `sourceMs` is the provider's own time; it must not decrease. */
  tick(symbol: string, bid: string, offer: string, sourceMs?: number): void;
  /** A ladder, `1.1000x1000000 1.0999x2000000`, best first; sizes are units of base. */
  quote(symbol: string, bids: string, offers: string): void;
  /** Loads the margins of the store at once. */
  loadMargins(): Promise<void>;
  /** Loads the limits of the store at once. */
  loadLimits(): Promise<void>;
  stop(): Promise<void>;
}

/** `now` is the clock of the services; prices age in real time, unless the rates are given a clock of their own. */
export async function startServices(
  now: () => number = Date.now,
  options: { readonly store?: Partial<OpenStoreOptions>; readonly rates?: RateBookOptions } = {},
): Promise<TestServices> {
  const testStore = await startTestStore(options.store);
  const { store, stop } = testStore;
  const margins = new MarginTable();
  const limits = new LimitTable('USD');
  const book = new RateBook({ maxJumpPercent: 90, ...options.rates });
  const states = new TradingStates();
  states.onChange(() => book.halt(states.haltedPairs));
  store.tradingStates.onChange((restrictions) => states.replace(restrictions));
  const provider = book.registerProvider('test');
  const services: Services = {
    store,
    book,
    pricing: new Pricing(book, margins, states, now),
    states,
    margins,
    limits,
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    now,
    log: { info() {}, warn() {}, error() {} },
    settings: { loopbackOnly: true, marketHours: { isOpen: () => true }, holdAddOns: DEFAULT_HOLD_ADD_ONS },
  };
  return {
    services,
    testStore,
    tick(symbol, bid, offer, sourceMs = now()) {
      const { index, priceDigits } = pairBySymbol(symbol)!;
      const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
      book.tick(provider, index, scaled(bid), scaled(offer), 0, 0, sourceMs * 1000, 0);
    },
    quote: (...ladder) => quoteLadder(book, provider, ladder, now() * 1000),
    loadMargins: async () => margins.replace(await store.margins.load()),
    loadLimits: async () => limits.replace(await store.limits.load()),
    stop,
  };
}

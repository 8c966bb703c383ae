/** Streams of quotes on a rate book that the test moves by hand. */

import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { scaledFromText } from '../../../../engine/domain/money/rate.js';
import { TradingStates } from '../../../../engine/domain/risk/trading-state.js';
import { createFixCounters } from '../../../../engine/fix/context.js';
import type { Desk } from '../../../../engine/fix/desk.js';
import type { Publication } from '../../../../engine/fix/publication/publication.js';
import { QuoteStreams } from '../../../../engine/fix/quotes/quote-streams.js';
import { quoteTerms } from '../../../../engine/fix/quotes/quote-terms.js';
import { type MarginRule, MarginTable, Pricing } from '../../../../engine/rates/pricing.js';
import { RateBook } from '../../../../engine/rates/rate-book.js';
import type { Services } from '../../../../engine/service/core/services.js';
import { HeldDesk, type Published } from '../../../prices/fix/publication/held-desk.js';

const NOW = Date.parse('2028-11-17T08:00:00Z');
export const MARGIN: MarginRule = { clientId: '*', pair: '*', type: '*', marginPpm: 2_500 };

interface Opened {
  readonly side?: string;
  readonly symbol?: string;
  readonly quantity?: string;
  readonly currency?: string;
  readonly clientId?: string;
}

export class QuotedBook {
  nowMs = 1_000;
  isOpen = true;
  readonly book = new RateBook({ now: () => this.nowMs });
  readonly provider = this.book.registerProvider('test');
  readonly margins = new MarginTable();
  readonly states = new TradingStates();
  readonly pricing = new Pricing(this.book, this.margins, this.states);
  readonly desk = new HeldDesk();
  /** Turns of the event loop that were asked for. */
  turns = 0;
  readonly ended: string[] = [];
  /** The publication before it, in a test with both. */
  publication: Publication | undefined;
  readonly quotes: QuoteStreams;
  /** Of `move`. */
  step = 0;
  #ids = 0;

  constructor() {
    this.margins.replace([MARGIN]);
    const services = {
      book: this.book,
      pricing: this.pricing,
      states: this.states,
      settings: { marketHours: { isOpen: () => this.isOpen } },
      store: { clock: { estimate: () => NOW + this.nowMs } },
    } as unknown as Services;
    this.quotes = new QuoteStreams({
      services,
      counters: createFixCounters(),
      schedule: () => (this.publication ? this.publication.schedule() : this.turns++),
      onEnded: ({ id }, why) => this.ended.push(`${id} ${isRefusal(why) ? why.refusal : why}`),
      clock: () => this.nowMs,
    });
    this.tick('1.08150', '1.08160');
  }

  tick(bid: string, offer: string, symbol = 'EUR/USD'): void {
    const { index, priceDigits } = pairBySymbol(symbol)!;
    const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
    this.book.tick(this.provider, index, scaled(bid), scaled(offer), 1_000_000, 1_000_000, 0, 0);
  }

  withdraw(): void {
    this.book.withdraw(this.provider, pairBySymbol('EUR/USD')!.index);
  }

  /** Another price. */
  move(): void {
    this.tick(`1.0${8000 + ++this.step}`, `1.0${8100 + this.step}`);
  }

  open({ side, symbol = 'EUR/USD', quantity = '250000', currency = 'EUR', clientId = 'acme' }: Opened = {}) {
    const request = {
      symbol,
      side,
      quantity,
      currency,
      quoteType: '1',
      isForeignExchange: true,
      validUntilMs: Number.NaN,
    };
    const more = {
      settlType: undefined,
      settlDate: undefined,
      token: undefined,
      type: undefined,
      unsupported: undefined,
    };
    const terms = quoteTerms({ id: '', route: [], isStream: true, isAgain: false, ...request, ...more }, NOW);
    if (isRefusal(terms)) throw new Error(terms.text);
    return this.quotes.open({
      desk: { session: this.desk.session } as Desk,
      id: `Q${++this.#ids}`,
      route: [[57, 'TRADER7']],
      clientId,
      terms,
      minor: BigInt(Math.round(Number(quantity) * 100)),
      validUntilMs: NOW + 3_600_000,
    });
  }

  /** What a turn sends. */
  sent(): Published[] {
    this.quotes.publish();
    return this.desk.received.splice(0);
  }

  last(): string {
    return this.sent().at(-1)!.get(117)!;
  }

  dealable(id: string, client = 'acme'): boolean {
    return this.quotes.find(id, client) !== undefined;
  }
}

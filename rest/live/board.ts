/**
 * The prices that pages show: those that have changed ten times a second, and all once a second, so that a renewed age, a moved cross and an
 * ended price are sent too. A price is rendered once for each margin on it.
 */
import type { LiveSource } from './source.js';

/** Of one pair: never priced, quoted by a provider, computed from others, and without a price now that it was one or the other. */
const NEVER = 0;
const QUOTED = 1;
const CROSSED = 2;
const ENDED = 3;
const CROSS_ENDED = 4;
/** An operator has stopped it. */
const HALTED = 5;
/** The list of a price that this audience does not get: it shows the last one. */
const WITHOUT_PRICE: ReadonlyMap<number, number> = new Map([
  [QUOTED, ENDED],
  [CROSSED, CROSS_ENDED],
]);
/** Their names in a message; of those after the first two there is no price. */
const LISTS = ['', 'r', 'c', 'x', 'y', 'z'] as const;

export const HISTORY_STEP_MS = 1_000;
/** Five minutes. */
const HISTORY_STEPS = 300;
/** An age that is renewed by less is not worth a message. */
const RENEWED_MS = 300;
/** Not offered. */
export const NOT_OFFERED = -1;

/** Without any: what an operator sees. */
export const PROVIDERS_OWN = -2;

/** A client's own margin by pair in parts per million, or one of the two above; two audiences may share one. */
export type Margins = Int32Array;

export class Board {
  readonly #prices: LiveSource['prices'];
  readonly #pairs: number;
  readonly #everyPair: readonly number[];
  readonly #dirty: Uint8Array;
  readonly #state: Uint8Array;
  readonly #bid: Float64Array;
  readonly #offer: Float64Array;
  // Of the tick behind the price, monotonic ms.
  readonly #receivedAtMs: Float64Array;
  readonly #history: Float64Array;
  #historyAt = 0;
  readonly #isChanged: Uint8Array;
  #changed: number[] = [];
  readonly #texts = new Map<number, PriceText>();
  readonly #unlisten: readonly (() => void)[];

  constructor({ prices, pairs: { length } }: Pick<LiveSource, 'prices' | 'pairs'>) {
    this.#prices = prices;
    this.#pairs = length;
    this.#everyPair = Array.from({ length }, (_, pair) => pair);
    this.#dirty = new Uint8Array(length);
    this.#state = new Uint8Array(length);
    this.#bid = new Float64Array(length);
    this.#offer = new Float64Array(length);
    this.#receivedAtMs = new Float64Array(length);
    this.#history = new Float64Array(length * HISTORY_STEPS);
    this.#isChanged = new Uint8Array(length);
    this.#unlisten = [
      prices.onChange((pair) => {
        this.#dirty[pair] = 1;
      }),
      prices.onMarginChange((pair) => {
        if (this.#state[pair] === QUOTED || this.#state[pair] === CROSSED) this.#mark(pair);
      }),
    ];
  }

  stop(): void {
    for (const end of this.#unlisten) end();
  }

  /** Reads the prices that have changed since; true when there is something to send. */
  refresh(): boolean {
    this.#texts.clear();
    for (let pair = 0; pair < this.#pairs; pair++) if (this.#dirty[pair] === 1) this.#take(pair, 0);
    return this.#changed.length > 0;
  }

  /** Called once a second: reads all prices, and keeps the mid of each pair. */
  refreshAll(): void {
    this.#texts.clear();
    for (let pair = 0; pair < this.#pairs; pair++) {
      this.#take(pair, RENEWED_MS);
      const isPriced = this.#state[pair] === QUOTED || this.#state[pair] === CROSSED;
      this.#history[this.#historyAt * this.#pairs + pair] = isPriced ? (this.#bid[pair]! + this.#offer[pair]!) / 2 : 0;
    }
    this.#historyAt = (this.#historyAt + 1) % HISTORY_STEPS;
  }

  /** The changes since the last `clearChanges`, as one message for all with these margins; undefined: none of what they are offered. */
  changes(margins: Margins): Buffer | undefined {
    return this.#message(margins, this.#changed);
  }

  /** All that they are offered and that was ever priced; to a halted client each pair is halted. */
  everything(margins: Margins, isHalted: boolean): Buffer | undefined {
    return this.#message(margins, this.#everyPair, isHalted);
  }

  /** All changes have been sent. */
  clearChanges(): void {
    this.#isChanged.fill(0);
    this.#changed = [];
  }

  /** Mids of the last minutes, oldest first; null: no price then. */
  historyOf(pair: number): (number | null)[] {
    const mids: (number | null)[] = [];
    for (let step = 0; step < HISTORY_STEPS; step++) {
      const mid = this.#history[((this.#historyAt + step) % HISTORY_STEPS) * this.#pairs + pair]!;
      // What is before the first price is not drawn.
      if (mid > 0 || mids.length > 0) mids.push(mid > 0 ? mid : null);
    }
    return mids;
  }

  #take(pair: number, renewedMs: number): void {
    this.#dirty[pair] = 0;
    const price = this.#prices.read(pair);
    if (price === undefined) {
      const ended = this.#endOf(pair);
      if (ended === this.#state[pair]) return;
      this.#state[pair] = ended;
      this.#mark(pair);
      return;
    }
    const state = price.crossed ? CROSSED : QUOTED;
    const receivedAtMs = performance.now() - price.ageMs;
    const isSame = this.#state[pair] === state && this.#bid[pair] === price.bid && this.#offer[pair] === price.offer;
    if (isSame && (renewedMs === 0 || receivedAtMs - this.#receivedAtMs[pair]! < renewedMs)) return;
    this.#state[pair] = state;
    this.#bid[pair] = price.bid;
    this.#offer[pair] = price.offer;
    this.#receivedAtMs[pair] = receivedAtMs;
    this.#mark(pair);
  }

  #endOf(pair: number): number {
    const state = this.#state[pair]!;
    if (state === NEVER) return NEVER;
    if (this.#prices.isHalted(pair)) return HALTED;
    return state === CROSSED || state === CROSS_ENDED ? CROSS_ENDED : ENDED;
  }

  #mark(pair: number): void {
    if (this.#isChanged[pair] === 1) return;
    this.#isChanged[pair] = 1;
    this.#changed.push(pair);
  }

  #message(margins: Margins, pairs: readonly number[], isHalted = false): Buffer | undefined {
    const lists: string[][] = LISTS.map(() => []);
    const others: string[] = [];
    const nowMs = performance.now();
    let count = 0;
    for (const pair of pairs) {
      const marginPpm = margins[pair]!;
      const state = this.#state[pair]!;
      if (marginPpm === NOT_OFFERED || state === NEVER) continue;
      const { isPrice: isPriced, text, margins: effective } = this.#text(pair, marginPpm, nowMs);
      const isPrice = isPriced && !isHalted;
      const list = isHalted ? HALTED : isPrice ? state : (WITHOUT_PRICE.get(state) ?? state);
      lists[list]!.push(text);
      if (effective && isPrice) others.push(effective);
      count++;
    }
    if (count === 0) return undefined;
    const parts = LISTS.map((name, i) => `"${name}":[${lists[i]!.join()}]`).slice(1);
    if (others.length > 0) parts.push(`"m":[${others.join()}]`);
    return Buffer.from(`{"t":"p",${parts.join()}}`);
  }

  #text(pair: number, marginPpm: number, nowMs: number): PriceText {
    const key = pair * MARGINS + marginPpm - PROVIDERS_OWN;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = this.#rendered(pair, marginPpm, Math.max(0, Math.round(nowMs - this.#receivedAtMs[pair]!)));
      this.#texts.set(key, text);
    }
    return text;
  }

  #rendered(pair: number, marginPpm: number, ageMs: number): PriceText {
    const providerBid = this.#bid[pair]!;
    const providerOffer = this.#offer[pair]!;
    const render = (bid: number, offer: number) => `${pair},${bid},${offer},${ageMs}`;
    if (marginPpm === PROVIDERS_OWN) return { isPrice: true, text: render(providerBid, providerOffer) };
    const { bidPpm, offerPpm } = this.#prices.effectiveMargin(pair, providerBid, providerOffer, marginPpm);
    const bid = this.#prices.clientBid(providerBid, bidPpm);
    const offer = this.#prices.clientOffer(providerOffer, offerPpm);
    const isOwn = bidPpm === marginPpm && offerPpm === marginPpm;
    return {
      isPrice: this.#prices.isClientPrice(bid, offer),
      text: render(bid, offer),
      ...(!isOwn && { margins: `${pair},${bidPpm},${offerPpm}` }),
    };
  }
}

/** A price for one margin, as numbers behind one another. */
interface PriceText {
  /** The margin leaves one. */
  readonly isPrice: boolean;
  /** Index, bid, offer, age. */
  readonly text: string;
  /** Index and the margin of each side, where it is not the client's own. */
  readonly margins?: string;
}

const MARGINS = 1_000_000 - PROVIDERS_OWN;

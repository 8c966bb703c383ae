/**
 * The prices that pages show, taken from the book: what has changed ten times a second, and everything once a second, so that an age that
 * was renewed, a cross that has moved and a price that has ended are told too. A price is written out once for each margin on it.
 */
import { PAIRS } from '../../engine/domain/pair.js';
import { clientBid, clientOffer, isClientPrice } from '../../engine/domain/scaled.js';
import type { Services } from '../../engine/service/core/services.js';

/** Of one pair: never priced, quoted by a provider, computed from others, and without a price now that it was one or the other. */
const NEVER = 0;
const QUOTED = 1;
const CROSSED = 2;
const ENDED = 3;
const CROSS_ENDED = 4;
/** An operator has stopped it. */
const HALTED = 5;
/** Their names in a message; of those after the first two there is no price. */
const LISTS = ['', 'r', 'c', 'x', 'y', 'z'] as const;

const PAIR_COUNT = PAIRS.length;
export const HISTORY_STEP_MS = 1_000;
/** Five minutes. */
const HISTORY_STEPS = 300;
/** An age that is renewed by less is not worth a message. */
const RENEWED_MS = 300;
/** Not offered. */
export const NOT_OFFERED = -1;

/** Margin by pair in parts per million, or NOT_OFFERED; two audiences may share one. */
export type Margins = Int32Array;

type Book = Services['book'];

export class Board {
  readonly #book: Book;
  readonly #dirty = new Uint8Array(PAIR_COUNT);
  readonly #state = new Uint8Array(PAIR_COUNT);
  readonly #bid = new Float64Array(PAIR_COUNT);
  readonly #offer = new Float64Array(PAIR_COUNT);
  // Of the tick behind the price, monotonic ms.
  readonly #receivedAtMs = new Float64Array(PAIR_COUNT);
  readonly #history = new Float64Array(PAIR_COUNT * HISTORY_STEPS);
  #historyAt = 0;
  readonly #isChanged = new Uint8Array(PAIR_COUNT);
  #changed: number[] = [];
  readonly #texts = new Map<number, string>();
  readonly #unlisten: () => void;

  constructor(book: Book) {
    this.#book = book;
    this.#unlisten = book.onChange((pair) => {
      this.#dirty[pair] = 1;
    });
  }

  stop(): void {
    this.#unlisten();
  }

  /** Takes over what the book has changed since; true when there is something to tell. */
  look(): boolean {
    this.#texts.clear();
    for (let pair = 0; pair < PAIR_COUNT; pair++) if (this.#dirty[pair] === 1) this.#take(pair, 0);
    return this.#changed.length > 0;
  }

  /** Called once a second: takes everything over, and keeps the mid of each pair. */
  lookAtAll(): void {
    this.#texts.clear();
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      this.#take(pair, RENEWED_MS);
      const isPriced = this.#state[pair] === QUOTED || this.#state[pair] === CROSSED;
      this.#history[this.#historyAt * PAIR_COUNT + pair] = isPriced ? (this.#bid[pair]! + this.#offer[pair]!) / 2 : 0;
    }
    this.#historyAt = (this.#historyAt + 1) % HISTORY_STEPS;
  }

  /** What has changed since `told`, as one message for whoever has these margins; undefined: nothing that they are offered. */
  changes(margins: Margins): Buffer | undefined {
    return this.#message(margins, this.#changed);
  }

  /** All that they are offered and that was ever priced. */
  everything(margins: Margins): Buffer | undefined {
    return this.#message(margins, EVERY_PAIR);
  }

  /** Everybody has been told. */
  told(): void {
    this.#isChanged.fill(0);
    this.#changed = [];
  }

  /** Mids of the last minutes, oldest first; null: no price then. */
  historyOf(pair: number): (number | null)[] {
    const mids: (number | null)[] = [];
    for (let step = 0; step < HISTORY_STEPS; step++) {
      const mid = this.#history[((this.#historyAt + step) % HISTORY_STEPS) * PAIR_COUNT + pair]!;
      // What is before the first price is not drawn.
      if (mid > 0 || mids.length > 0) mids.push(mid > 0 ? mid : null);
    }
    return mids;
  }

  #take(pair: number, renewedMs: number): void {
    this.#dirty[pair] = 0;
    const price = this.#book.read(pair);
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
    if (this.#book.isHalted(pair)) return HALTED;
    return state === CROSSED || state === CROSS_ENDED ? CROSS_ENDED : ENDED;
  }

  #mark(pair: number): void {
    if (this.#isChanged[pair] === 1) return;
    this.#isChanged[pair] = 1;
    this.#changed.push(pair);
  }

  #message(margins: Margins, pairs: readonly number[]): Buffer | undefined {
    const lists: string[][] = LISTS.map(() => []);
    const nowMs = performance.now();
    let count = 0;
    for (const pair of pairs) {
      const marginPpm = margins[pair]!;
      const state = this.#state[pair]!;
      if (marginPpm === NOT_OFFERED || state === NEVER) continue;
      const text = this.#text(pair, marginPpm, nowMs);
      const isPrice = text.charCodeAt(0) !== NO_PRICE;
      const list = isPrice ? state : state === QUOTED ? ENDED : state === CROSSED ? CROSS_ENDED : state;
      lists[list]!.push(isPrice ? text : text.slice(1));
      count++;
    }
    if (count === 0) return undefined;
    const parts = LISTS.map((name, i) => `"${name}":[${lists[i]!.join()}]`).slice(1);
    return Buffer.from(`{"t":"p",${parts.join()}}`);
  }

  /** `index,bid,offer,age`; behind a mark where the margin leaves no price. */
  #text(pair: number, marginPpm: number, nowMs: number): string {
    const key = pair * MARGINS + marginPpm;
    let text = this.#texts.get(key);
    if (text === undefined) {
      const bid = clientBid(this.#bid[pair]!, marginPpm);
      const offer = clientOffer(this.#offer[pair]!, marginPpm);
      const ageMs = Math.max(0, Math.round(nowMs - this.#receivedAtMs[pair]!));
      text = `${isClientPrice(bid, offer) ? '' : MARK}${pair},${bid},${offer},${ageMs}`;
      this.#texts.set(key, text);
    }
    return text;
  }
}

const MARGINS = 1_000_000;
const MARK = '!';
const NO_PRICE = MARK.charCodeAt(0);
const EVERY_PAIR = PAIRS.map(({ index }) => index);

/**
 * The rates. Messages only change states and mark tiles; what is marked is drawn in the next animation frame, however many messages came
 * before it. A tile is made when it is first shown.
 */
import { byId, chips, keep, kept } from './dom.js';
import type { Hello, Prices } from './messages.js';
import { PairState, type PriceState } from './pair-state.js';
import { Tile } from './tile.js';

/** In front, in this order; the others as the server has them. */
const FIRST = [
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD', 'USD/CHF', 'USD/CAD', 'NZD/USD', 'USD/SGD', 'EUR/GBP', 'EUR/JPY'],
  ...['EUR/CHF', 'GBP/JPY', 'AUD/JPY', 'USD/INR', 'USD/CNH', 'USD/HKD', 'USD/MXN', 'USD/ZAR'],
];
const AGE_MS = 1_000;
const FADE_MS = 200;
/** The server repeats only once a second that a price is still fresh, and its message takes time to arrive. */
const RENEWED_MS = 1_500;

export interface BoardEvents {
  opened(pair: PairState): void;
  /** The pair has changed, or its age. */
  drawn(pair: PairState, isStale: boolean): void;
}

export class Board {
  readonly pairs = new Map<number, PairState>();
  /** For measurements: animation frames that drew something, tiles drawn, and ms of script in them. */
  readonly drawn = { frames: 0, tiles: 0, ms: 0, msMax: 0 };
  readonly #tiles = new Map<number, Tile>();
  readonly #marked = new Set<PairState>();
  readonly #list = byId<HTMLUListElement>('tiles');
  readonly #empty = byId('board-empty');
  readonly #pinned = new Set(kept('pins').split(' ').filter(Boolean));
  #order: PairState[] = [];
  #shown: PairState[] = [];
  #kind = 'quoted';
  #find = '';
  #frame = 0;
  #isCutOff = true;
  #maxAgeMs = Number.POSITIVE_INFINITY;
  #seesRates = true;
  #current = -1;
  #pressKind: (kind: string) => void;

  constructor(private readonly events: BoardEvents) {
    this.#pressKind = chips(byId('board-kind'), (kind) => {
      this.#kind = kind;
      this.arrange();
    });
    this.#list.addEventListener('click', (event) => {
      const pair = this.#pairAt(event.target);
      if (pair) this.events.opened(pair);
    });
    this.#list.addEventListener('focusin', (event) => {
      const pair = this.#pairAt(event.target);
      if (pair) this.#rove(pair.index);
    });
    window.setInterval(() => this.#grow(), AGE_MS);
    window.setInterval(() => this.#fade(), FADE_MS);
  }

  /** What the viewer is offered, all of it: what it is not offered any more is gone. */
  offer({ pairs, sees, maxAgeMs }: Hello): void {
    this.#seesRates = sees.rates;
    this.#maxAgeMs = maxAgeMs;
    const offered = new Set(pairs.map(([index]) => index));
    for (const index of [...this.pairs.keys()]) if (!offered.has(index)) this.#forget(index);
    for (const row of pairs) {
      const known = this.pairs.get(row[0]);
      if (known) known.offerAnew(row[5]);
      else this.pairs.set(row[0], new PairState(row));
    }
    const places = new Map(FIRST.map((symbol, place) => [symbol, place]));
    const placeOf = ({ symbol }: PairState) => places.get(symbol) ?? FIRST.length;
    this.#order = [...this.pairs.values()].sort(
      (one, other) => placeOf(one) - placeOf(other) || one.index - other.index,
    );
    this.arrange();
  }

  take({ r, c, x, y, z, m = [] }: Prices): void {
    const nowMs = performance.now();
    let shifted = this.#takeAll(r, 'quoted', false, nowMs) + this.#takeAll(c, 'cross', true, nowMs);
    shifted += this.#takeAll(x, 'stale', false, nowMs) + this.#takeAll(y, 'stale', true, nowMs);
    shifted += this.#takeAll(z, 'halted', undefined, nowMs);
    for (let at = 0; at < m.length; at += 3) this.pairs.get(m[at]!)?.takeMargins(m[at + 1]!, m[at + 2]!);
    if (shifted > 0) this.arrange();
  }

  /** The page receives nothing from the server: no price is valid. */
  set isCutOff(isCutOff: boolean) {
    if (isCutOff === this.#isCutOff) return;
    this.#isCutOff = isCutOff;
    byId('board').toggleAttribute('data-cut-off', isCutOff);
    for (const pair of this.#shown) this.#mark(pair);
  }

  /** The page receives nothing from the server, or nothing of this pair for so long that its price is not valid. */
  isStale(pair: PairState, nowMs: number): boolean {
    return this.#isCutOff || pair.ageMs(nowMs) > this.#maxAgeMs + RENEWED_MS;
  }

  find(text: string): void {
    this.#find = text
      .trim()
      .toUpperCase()
      .replace(/[^A-Z]/g, '');
    this.arrange();
  }

  showAll(): void {
    this.#pressKind('all');
  }

  /** The tile that the arrow keys start from. */
  get current(): PairState | undefined {
    return this.pairs.get(this.#current);
  }

  get hasFocus(): boolean {
    return this.#list.contains(document.activeElement);
  }

  focus(): void {
    const pair = this.#shown.includes(this.current as PairState) ? this.current : this.#shown[0];
    if (pair) this.#tiles.get(pair.index)?.button.focus();
  }

  /** The layout is read only here, when a key was pressed. */
  move(key: string): boolean {
    const at = this.#shown.findIndex(({ index }) => index === this.#current);
    if (at < 0) return false;
    const top = (i: number) => this.#tiles.get(this.#shown[i]!.index)!.item.offsetTop;
    let columns = 1;
    while (columns < this.#shown.length && top(columns) === top(0)) columns++;
    const last = this.#shown.length - 1;
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns,
      ArrowDown: at + columns,
      Home: 0,
      End: last,
    };
    const to = steps[key];
    if (to === undefined) return false;
    if (to >= 0 && to <= last) {
      this.#rove(this.#shown[to]!.index);
      this.focus();
    }
    return true;
  }

  pin(pair: PairState): boolean {
    const isPinned = !this.#pinned.delete(pair.symbol);
    if (isPinned) this.#pinned.add(pair.symbol);
    keep('pins', [...this.#pinned].join(' '));
    const hadFocus = this.hasFocus;
    this.arrange();
    if (hadFocus) this.focus();
    return isPinned;
  }

  /** Puts the tiles that are to be seen into their order; those that were never shown are made. */
  arrange(): void {
    const isFound = ({ symbol }: PairState) => this.#find === '' || symbol.replace('/', '').includes(this.#find);
    const isPinned = ({ symbol }: PairState) => this.#pinned.has(symbol);
    const isKind = (pair: PairState) =>
      // A search covers all pairs.
      this.#find !== '' || this.#kind === 'all' || (this.#kind === 'crosses') === pair.isCross;
    const found = this.#order.filter(
      (pair) => isFound(pair) && (isKind(pair) || isPinned(pair)) && pair.state !== 'none',
    );
    this.#shown = [...found.filter(isPinned), ...found.filter((pair) => !isPinned(pair))];
    const items = this.#shown.map((pair) => {
      const tile = this.#tileOf(pair);
      tile.isPinned = isPinned(pair);
      return tile.item;
    });
    const same =
      items.length === this.#list.children.length && items.every((item, i) => this.#list.children[i] === item);
    if (!same) this.#list.replaceChildren(...items);
    if (!this.#shown.some(({ index }) => index === this.#current)) this.#rove(this.#shown[0]?.index ?? -1);
    for (const pair of this.#shown) this.#mark(pair);
    this.#say();
  }

  #say(): void {
    const priced = this.#order.filter(({ state }) => state !== 'none');
    const crosses = priced.filter(({ isCross }) => isCross).length;
    const quoted = priced.length - crosses;
    byId('board-sub').textContent = `${quoted} quoted${crosses > 0 ? `, ${crosses} crosses` : ''}`;
    this.#empty.hidden = this.#shown.length > 0;
    if (!this.#seesRates) this.#empty.textContent = 'This key lacks the right to see rates.';
    else if (this.#find !== '') this.#empty.textContent = 'No pair of that name.';
    else if (this.#order.length === 0) this.#empty.textContent = 'No pair is offered to this client yet.';
    else this.#empty.textContent = this.#kind === 'crosses' ? 'No crosses now.' : 'Waiting for the first prices.';
  }

  /** How many have their place elsewhere on the board now: a first price, or a cross that is quoted. */
  #takeAll(numbers: readonly number[], state: PriceState, isCross: boolean | undefined, nowMs: number): number {
    let shifted = 0;
    for (let at = 0; at < numbers.length; at += 4) {
      const pair = this.pairs.get(numbers[at]!);
      if (pair === undefined) continue;
      const isCrossNow = isCross ?? pair.isCross;
      if (pair.state === 'none' || pair.isCross !== isCrossNow) shifted++;
      pair.take(state, isCrossNow, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!, nowMs);
      this.#mark(pair);
    }
    return shifted;
  }

  #mark(pair: PairState): void {
    this.#marked.add(pair);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const nowMs = performance.now();
    for (const pair of this.#marked) {
      const tile = this.#tiles.get(pair.index);
      if (tile?.item.isConnected) tile.draw(nowMs, this.isStale(pair, nowMs));
      this.events.drawn(pair, this.isStale(pair, nowMs));
    }
    const ms = performance.now() - nowMs;
    this.drawn.frames++;
    this.drawn.tiles += this.#marked.size;
    this.drawn.ms += ms;
    this.drawn.msMax = Math.max(this.drawn.msMax, ms);
    this.#marked.clear();
  }

  /** Once a second ages grow, and prices grow too old. */
  #grow(): void {
    const nowMs = performance.now();
    for (const pair of this.pairs.values()) if (this.isStale(pair, nowMs)) this.#mark(pair);
    for (const pair of this.#shown) this.#tiles.get(pair.index)?.drawAge(nowMs);
  }

  /** What has moved a moment ago is tinted no longer. */
  #fade(): void {
    for (const pair of this.#shown) if (this.#tiles.get(pair.index)?.isFresh) this.#mark(pair);
  }

  #tileOf(pair: PairState): Tile {
    let tile = this.#tiles.get(pair.index);
    if (tile === undefined) {
      tile = new Tile(pair);
      this.#tiles.set(pair.index, tile);
    }
    return tile;
  }

  #forget(index: number): void {
    this.pairs.delete(index);
    this.#tiles.get(index)?.item.remove();
    this.#tiles.delete(index);
  }

  /** One tile of all is reached by Tab; the arrow keys do the rest. */
  #rove(index: number): void {
    const before = this.#tiles.get(this.#current);
    if (before) before.button.tabIndex = -1;
    this.#current = index;
    const now = this.#tiles.get(index);
    if (now) now.button.tabIndex = 0;
  }

  #pairAt(target: EventTarget | null): PairState | undefined {
    const index = (target as Element | null)?.closest<HTMLElement>('.tile')?.dataset.index;
    return index === undefined ? undefined : this.pairs.get(Number(index));
  }
}

/** A pair on the board. Built once; afterwards only the texts that are other ones are written. */
import { make, Text } from './dom.js';
import { ageText, priceParts, spreadText } from './format.js';
import { isFresh, type Move, type Movement, type PairState } from './pair-state.js';

/** Figures in front of the pips, and those of its own behind them, that have room beside another price. */
const LEAD_MAX = 6;

export class Tile {
  readonly item: HTMLLIElement;
  readonly button: HTMLButtonElement;
  readonly #bid: Side;
  readonly #offer: Side;
  readonly #spread = new Text();
  readonly #age = new Text();
  readonly #mark = new Text();
  #state = '';
  #isLong = false;
  /** A tint is to be taken away in a moment. */
  isFresh = false;

  constructor(readonly pair: PairState) {
    this.#bid = new Side('bid');
    this.#offer = new Side('offer');
    const [base, quote] = pair.symbol.split('/');
    const symbol = make('span', 'symbol', `${base}`, make('i', '', '/'), `${quote}`);
    const spread = make('span', 'spread', this.#spread.node, make('span', 'hidden', ' pips spread'));
    const top = make(
      'span',
      'top',
      symbol,
      make('span', 'mark-text', this.#mark.node),
      make('span', 'age', this.#age.node),
    );
    this.button = make('button', 'tile', top, this.#bid.element, spread, this.#offer.element);
    this.button.type = 'button';
    this.button.tabIndex = -1;
    this.button.dataset.index = String(pair.index);
    this.item = make('li', '', this.button);
    this.item.dataset.symbol = pair.symbol;
  }

  /** `isOutdated`: the last price has become too old. */
  draw(nowMs: number, isOutdated: boolean): void {
    const { pair } = this;
    const isPriced = pair.state === 'quoted' || pair.state === 'cross';
    const state = isOutdated && isPriced ? 'stale' : pair.state;
    if (state !== this.#state) {
      this.#state = state;
      this.button.dataset.state = state;
      this.button.toggleAttribute('data-unpriced', state === 'stale' || state === 'halted');
      this.#mark.set(state === 'quoted' || state === 'none' ? '' : state);
    }
    if (pair.state !== 'none') {
      const isStale = state !== 'quoted' && state !== 'cross';
      const isBidFresh = this.#bid.draw(pair.bid, pair, isStale ? NO_MOVE : pair.bidMovement, nowMs);
      const isOfferFresh = this.#offer.draw(pair.offer, pair, isStale ? NO_MOVE : pair.offerMovement, nowMs);
      this.isFresh = isBidFresh || isOfferFresh;
      this.#spread.set(spreadText(pair.bid, pair.offer, pair));
      this.#fit();
    }
    this.drawAge(nowMs);
  }

  /** A price of many figures is written smaller, whatever the last of them are just now. */
  #fit(): void {
    const { pair } = this;
    const own = pair.hasMargin || pair.isCross ? pair.priceDigits - pair.marketDigits : 0;
    const isLong = priceParts(pair.offer, pair).lead.length + own > LEAD_MAX;
    if (isLong === this.#isLong) return;
    this.#isLong = isLong;
    this.button.toggleAttribute('data-long', isLong);
  }

  drawAge(nowMs: number): void {
    this.#age.set(this.pair.state === 'none' ? 'no price' : ageText(this.pair.ageMs(nowMs)));
  }

  set isPinned(pinned: boolean) {
    this.button.toggleAttribute('data-pinned', pinned);
  }
}

/** One of the two prices. */
class Side {
  readonly element: HTMLElement;
  readonly #lead = new Text('–');
  readonly #pips = new Text();
  readonly #beyond = new Text();
  readonly #own = new Text();
  readonly #arrow = new Text();
  #price = 0;
  #move: Move = '';
  #fresh = false;

  constructor(name: 'bid' | 'offer') {
    const arrow = make('span', 'arrow', this.#arrow.node);
    arrow.setAttribute('aria-hidden', 'true');
    const label = make('span', 'label', name, arrow);
    const price = make(
      'span',
      'price',
      make('span', 'lead', this.#lead.node),
      make('span', 'pips', this.#pips.node),
      make('span', 'beyond', this.#beyond.node, make('span', 'own', this.#own.node)),
    );
    this.element = make('span', `side ${name}`, label, price);
  }

  /** True while the last change is a fresh one. */
  draw(price: number, pair: PairState, movement: Movement, nowMs: number): boolean {
    if (price !== this.#price) {
      this.#price = price;
      const { lead, pips, beyond, own } = priceParts(price, pair);
      this.#lead.set(lead);
      this.#pips.set(pips);
      this.#beyond.set(beyond);
      // Where a margin makes prices of more digits, all have them: the figures stay where they are.
      this.#own.set(pair.hasMargin ? own : own.replace(/^0+$/, ''));
    }
    if (movement.move !== this.#move) {
      this.#move = movement.move;
      this.element.dataset.move = this.#move;
      this.#arrow.set(this.#move === 'up' ? '▲' : this.#move === 'down' ? '▼' : '');
    }
    const fresh = isFresh(movement, nowMs);
    if (fresh !== this.#fresh) {
      this.#fresh = fresh;
      this.element.toggleAttribute('data-fresh', fresh);
    }
    return fresh;
  }
}

const NO_MOVE: Movement = { move: '', atMs: Number.NEGATIVE_INFINITY };

/** One pair close by: its last minutes, margin, spread, highest and lowest. */
import { Chart } from './chart.js';
import { byId, make, Text } from './dom.js';
import { ageText, marginsText, priceText, spreadText } from './format.js';
import type { Hello, History } from './messages.js';
import type { PairState } from './pair-state.js';
import { onTheme } from './theme.js';

const REFRESH_MS = 2_000;

export class Details {
  #pair: PairState | undefined;
  #hello: Hello | undefined;
  /** The providers whose quotes the price is made from, where known. */
  #providers: readonly string[] = [];
  #timer = 0;
  #openedFrom: HTMLElement | null = null;
  readonly #panel = byId('details');
  readonly #chart = new Chart(byId('details-chart'));
  readonly #bid = new Text();
  readonly #offer = new Text();
  readonly #sub = new Text();
  readonly #facts = new Map<string, Text>();

  constructor(private readonly ask: (index: number) => void) {
    byId('details-close').addEventListener('click', () => this.close());
    const side = (name: string, text: Text) =>
      make('p', '', make('span', 'label', name), make('span', 'price', text.node));
    byId('details-quote').replaceChildren(side('bid', this.#bid), side('offer', this.#offer));
    byId('details-sub').append(this.#sub.node);
    onTheme(() => this.#chart.redraw());
  }

  get isOpen(): boolean {
    return this.#pair !== undefined;
  }

  greet(hello: Hello): void {
    this.#hello = hello;
  }

  open(pair: PairState): void {
    this.#openedFrom = document.activeElement as HTMLElement | null;
    this.#pair = pair;
    this.#providers = [];
    this.#facts.clear();
    byId('details-facts').replaceChildren();
    byId('details-title').textContent = pair.symbol;
    this.#panel.hidden = false;
    document.body.toggleAttribute('data-details', true);
    this.#chart.draw([], this.#options(pair, 1_000));
    this.draw(pair, false);
    this.#panel.focus({ preventScroll: false });
    this.ask(pair.index);
    window.clearInterval(this.#timer);
    this.#timer = window.setInterval(() => this.#pair && this.ask(this.#pair.index), REFRESH_MS);
  }

  close(): void {
    this.#pair = undefined;
    this.#panel.hidden = true;
    document.body.toggleAttribute('data-details', false);
    window.clearInterval(this.#timer);
    this.#openedFrom?.focus();
    this.#openedFrom = null;
  }

  draw(pair: PairState, isOutdated: boolean): void {
    if (pair !== this.#pair || pair.state === 'none') return;
    const nowMs = performance.now();
    const isHalted = pair.state === 'halted';
    const isStale = isOutdated || isHalted || pair.state === 'stale';
    this.#panel.toggleAttribute('data-stale', isStale);
    this.#bid.set(priceText(pair.bid, pair));
    this.#offer.set(priceText(pair.offer, pair));
    this.#sub.set(isHalted ? 'halted by an operator' : isStale ? `stale for ${ageText(pair.ageMs(nowMs))}` : '');
    const hello = this.#hello;
    this.#fact('Spread', `${spreadText(pair.bid, pair.offer, pair)} pips`);
    this.#fact('Age', ageText(pair.ageMs(nowMs)));
    const quoted = this.#providers.length > 0 ? this.#providers.join(', ') : 'best quotes';
    this.#fact('Made from', pair.isCross ? 'other pairs' : quoted);
    if (hello?.operator) this.#fact('Margin', 'none');
    else this.#fact('Margin', marginsText(pair));
    this.#fact('High offer', priceText(pair.high || pair.offer, pair));
    this.#fact('Low bid', priceText(pair.low || pair.bid, pair));
    this.#fact('Changes seen', pair.changes.toLocaleString('en'));
  }

  take({ i, stepMs, mids, providers = [] }: History): void {
    const pair = this.#pair;
    if (pair?.index !== i) return;
    this.#providers = providers;
    this.#chart.draw(
      [{ name: 'mid', colour: 'accent', values: mids, filled: true }],
      this.#options(pair, stepMs, mids),
    );
  }

  #fact(name: string, value: string): void {
    let text = this.#facts.get(name);
    if (text === undefined) {
      text = new Text();
      this.#facts.set(name, text);
      byId('details-facts').append(make('div', '', make('dt', '', name), make('dd', '', text.node)));
    }
    text.set(value);
  }

  #options(pair: PairState, stepMs: number, mids: readonly (number | null)[] = []) {
    const text = (mid: number) => (mid / 10 ** pair.priceDigits).toFixed(pair.marketDigits);
    const words = () => {
      const known = mids.filter((mid) => mid !== null);
      if (known.length === 0) return `No price of ${pair.symbol} in the last minutes.`;
      const from = text(Math.min(...known));
      return `Mid of ${pair.symbol} over ${known.length} seconds, from ${from} to ${text(Math.max(...known))}, last ${text(known.at(-1)!)}.`;
    };
    return { text, stepMs, height: 132, words };
  }
}

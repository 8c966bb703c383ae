/** Rates as a dealer reads them: big figure, then the two pip digits large, then the fraction. Pure text in, text out. */
import { scaledFromText } from '../../domain/money/rate.js';
import { type Quote, updatesPerSecond } from './quotes.js';

export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export const PLAIN: Paint = { strong: (text) => text, faint: (text) => text };
export const TERMINAL: Paint = {
  strong: (text) => `\x1b[1m${text}\x1b[22m`,
  faint: (text) => `\x1b[2m${text}\x1b[22m`,
};

const HEADINGS = ['pair', 'bid', 'offer', 'spread', 'age', 'upd/s', 'p50 ms', 'p99 ms'] as const;
const WIDTHS = [9, 14, 14, 8, 8, 7, 8, 8] as const;

/** The whole table, one line per pair below a heading. `now` is epoch ms. */
export function table(quotes: readonly Quote[], now: number, paint: Paint): string[] {
  const heading = HEADINGS.map((text, i) => cell(text, text.length, i)).join('');
  return [paint.faint(heading), ...quotes.map((quote) => tableRow(quote, now, paint))];
}

/** How many pairs fit into a window of so many lines, beside heading, notice, cursor and the line that counts the other pairs. */
export function shownRows(pairs: number, windowLines: number): number {
  const HEADING_NOTICE_CURSOR = 3;
  // A window without a height is none: everything is written.
  const room = windowLines > 0 ? windowLines - HEADING_NOTICE_CURSOR : pairs;
  return pairs <= room ? pairs : Math.max(1, room - 1);
}

function tableRow(quote: Quote, now: number, paint: Paint): string {
  const texts: [shown: string, width: number][] = [
    fixed(quote.symbol),
    priceCell(quote.bid, quote, paint),
    priceCell(quote.offer, quote, paint),
    fixed(spreadInPips(quote)),
    fixed(quote.at === 0 ? '' : age(now - quote.at)),
    fixed(updatesPerSecond(quote).toFixed(1)),
    fixed(milliseconds(quote.latency.percentile(0.5))),
    fixed(milliseconds(quote.latency.percentile(0.99))),
  ];
  return texts.map(([shown, width], i) => cell(shown, width, i)).join('');
}

/** One update as a line of its own, for a pipe or a file. */
export function plainLine(quote: Quote): string {
  const side = (price: string) => price || 'withdrawn';
  const spread = quote.bid && quote.offer ? ` spread ${spreadInPips(quote)}` : '';
  return `${new Date(quote.at).toISOString()} ${quote.symbol} bid ${side(quote.bid)} offer ${side(quote.offer)}${spread}`;
}

/** Splits a price at its pip: 1.0788760 with pips in the 4th decimal is 1.07, 88, 760. */
export function splitAtPip(price: string, pipDigits: number): [bigFigure: string, pips: string, fraction: string] {
  const point = price.indexOf('.');
  const whole = point < 0 ? price.length : point;
  const pipAt = pipDigits === 0 ? whole - 1 : whole + pipDigits;
  if (pipAt >= price.length) return [price, '', ''];
  // Two digits make the pips; the point may be between them (a pip in the first decimal).
  let from = pipAt - 1;
  if (price[from] === '.') from -= 1;
  from = Math.max(from, 0);
  return [price.slice(0, from), price.slice(from, pipAt + 1), price.slice(pipAt + 1)];
}

/** Offer less bid in pips, rounded up to a tenth; empty while a side is missing. */
export function spreadInPips({ pair, bid, offer }: Quote): string {
  if (!pair || !bid || !offer) return '';
  const tenthOfPip = 10 ** (pair.priceDigits - pair.pipDigits - 1);
  const spread = scaledFromText(offer, pair.priceDigits, 'up') - scaledFromText(bid, pair.priceDigits, 'down');
  const tenths = Math.ceil(spread / tenthOfPip);
  return Number.isNaN(tenths) ? '' : `${Math.trunc(tenths / 10)}.${Math.abs(tenths % 10)}`;
}

/** 0.3 s, 12 s, 4 min. */
export function age(ms: number): string {
  const s = Math.max(ms, 0) / 1000;
  return s < 10 ? `${s.toFixed(1)} s` : s < 120 ? `${Math.floor(s)} s` : `${Math.floor(s / 60)} min`;
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '' : ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

function priceCell(price: string, quote: Quote, paint: Paint): [string, number] {
  if (quote.at === 0) return fixed('...');
  if (price === '') return [paint.faint('withdrawn'), 'withdrawn'.length];
  const [bigFigure, pips, fraction] = splitAtPip(price, quote.pair?.pipDigits ?? 4);
  return [bigFigure + paint.strong(pips) + paint.faint(fraction), price.length];
}

function fixed(text: string): [string, number] {
  return [text, text.length];
}

/** The first column to the left, numbers to the right; escape sequences have no width. */
function cell(shown: string, width: number, column: number): string {
  const blanks = ' '.repeat(Math.max(WIDTHS[column]! - width, 1));
  return column === 0 ? shown + blanks : blanks + shown;
}

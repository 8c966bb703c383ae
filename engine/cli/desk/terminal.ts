/** A table that is drawn over itself a few times a second. */
import type { Quotes } from './quotes.js';
import { TERMINAL, table } from './screen.js';

/** Faster than this nobody reads. */
const REDRAW_MS = 200;
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

export class Terminal {
  #lines = 0;
  #notice = '';
  #redraw: NodeJS.Timeout | undefined;

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly quotes: Quotes,
  ) {}

  start(): void {
    this.out.write(HIDE_CURSOR);
    this.draw();
    this.#redraw = setInterval(() => this.draw(), REDRAW_MS);
  }

  /** One line below the table, until the next one. */
  notice(line: string): void {
    this.#notice = line;
  }

  stop(): void {
    clearInterval(this.#redraw);
    this.draw();
    this.out.write(SHOW_CURSOR);
  }

  private draw(): void {
    // A terminal that does not keep up gets the next drawing, not all of them.
    if (this.out.writableLength > 0) return;
    const lines = [...table(this.quotes.rows(), Date.now(), TERMINAL), this.#notice];
    const up = this.#lines > 0 ? `\x1b[${this.#lines}A\r` : '';
    this.out.write(`${up}${lines.map((line) => line + CLEAR_LINE_END).join('\n')}\n${CLEAR_BELOW}`);
    this.#lines = lines.length;
  }
}

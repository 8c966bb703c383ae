/** A table that is drawn over itself a few times a second. */
import type { Quotes } from './quotes.js';
import { shownRows, TERMINAL, table } from './screen.js';

/** A faster refresh cannot be read. */
const REDRAW_MS = 200;
// Lines are cut off at the edge while the table is drawn: one that wrapped to the next line would be drawn under itself.
const BEGIN = '\x1b[?25l\x1b[?7l';
const END = '\x1b[?25h\x1b[?7h';
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
    this.out.write(BEGIN);
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
    this.out.write(END);
  }

  private draw(): void {
    // A terminal that does not keep up gets the next drawing, not all of them.
    if (this.out.writableLength > 0) return;
    const rows = this.quotes.rows();
    const shown = shownRows(rows.length, this.out.rows);
    const below =
      shown < rows.length ? [`${rows.length - shown} more: make the window higher`, this.#notice] : [this.#notice];
    const lines = [...table(rows.slice(0, shown), Date.now(), TERMINAL), ...below];
    // A window that has become lower has no more lines above than it is high.
    const drawn = Math.min(this.#lines, (this.out.rows || this.#lines + 1) - 1);
    const up = drawn > 0 ? `\x1b[${drawn}A\r` : '';
    this.out.write(`${up}${lines.map((line) => line + CLEAR_LINE_END).join('\n')}\n${CLEAR_BELOW}`);
    this.#lines = lines.length;
  }
}

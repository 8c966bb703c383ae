/** How far long work is, on stderr: a bar on a terminal, a plain line each few seconds elsewhere, nothing when it is short. */
import { shownLine } from './unshown.js';

export interface Progress {
  /** What was just done, and how far the part is that is under way, 0 to 1. */
  report(done: string, part: number): void;
  /** What comes now is so much of the whole. */
  between(from: number, to: number): void;
  /** Takes the bar away, before anything else is printed. */
  end(): void;
}

const BAR_AFTER_MS = 500;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const BAR_CELLS = 30;

/** `now` is in milliseconds, monotonic. */
export function progressOn(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>,
  isQuiet: boolean,
  now: () => number = () => performance.now(),
): Progress {
  let [from, to] = [0, 1];
  let nextAtMs = now() + (stream.isTTY ? BAR_AFTER_MS : LINE_EVERY_MS);
  let isDrawn = false;
  return {
    report(what, part) {
      if (isQuiet || now() < nextAtMs) return;
      const done = shownLine(what);
      const whole = from + (to - from) * Math.min(1, Math.max(0, part || 0));
      const percent = `${Math.floor(whole * 100)}%`.padStart(4);
      nextAtMs = now() + (stream.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
      if (!stream.isTTY) {
        stream.write(`${percent.trim()} ${done}\n`);
        return;
      }
      const full = Math.round(whole * BAR_CELLS);
      const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
      // One line, or the next would not overwrite it; not every terminal says how wide it is.
      stream.write(`\r${`${bar}${percent} ${done}`.slice(0, (stream.columns || 80) - 1)}\x1b[K`);
      isDrawn = true;
    },
    between(start, end) {
      [from, to] = [start, end];
    },
    end() {
      if (isDrawn) stream.write('\r\x1b[K');
      isDrawn = false;
    },
  };
}

/**
 * The files of the message log: those of day-files/block-files.ts, in folders by engine. `<engine>` is 1, and 2 and on for engines that run on the
 * same directory at the same time.
 *
 * A line is `<time> <our CompID> <CompID of the peer> <sign> <text>`: `<` in, `>` out, `!` input that is no message, `*` an event; `- -` for what
 * belongs to no session. In the text control characters except SOH, and the backslash, are `\xNN`.
 */
import { readdirSync } from 'node:fs';

export interface MessageLine {
  /** UTC, microseconds. */
  readonly time: string;
  /** CompIDs, ours and the peer's; `-`: no session. */
  readonly sender: string;
  readonly target: string;
  readonly sign: '<' | '>' | '!' | '*';
  readonly text: string;
}

const ENGINE = /^\d{1,3}$/;
const LINE = /^(\d{8}-\d{2}:\d{2}:\d{2}\.\d{6}) (\S{1,64}) (\S{1,64}) ([<>!*]) (.*)$/s;

/** The folders of engines, in order. */
export function logEngines(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => ENGINE.test(name))
    .sort((a, b) => Number(a) - Number(b));
}

/** The lines of a block without those of the chain. */
export function* messageLines(lines: string): Generator<MessageLine> {
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf('\n', at);
    const [, time = '', sender = '', target = '', sign, text = ''] = LINE.exec(lines.slice(at, end)) ?? [];
    if (time !== '') yield { time, sender, target, sign: sign as MessageLine['sign'], text };
    at = end + 1;
  }
}

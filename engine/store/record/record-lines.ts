/**
 * The lines of the day record, in the files of day-files/block-files.ts. A line is a letter, a blank and its fields. Times are microseconds since
 * the line with a time before it in the block; `k` has the first of a block, by the monotonic clock of the process and as epoch time. A pair is
 * its index in PAIRS, whose symbols the snapshot has; prices are scaled by its price digits.
 *
 * | line | fields |
 * |---|---|
 * | `k` | monotonic us, epoch us |
 * | `t`, `x` | a tick, taken or refused: time, [reason,] provider, pair, bid, offer less bid, bid size, offer size, us from the provider's time to its receipt (`-`: it has none), sequence, age in ms; last ones that are 0 are left out. Then `|` and the bids, `|` and the offers, each `<price less best>:<size>[:<age ms>]` |
 * | `w` | a provider withdraws its price: time, provider, pair |
 * | `u`, `d` | the connection to a provider is made, is lost: time, provider |
 * | `b` | input that is no tick: time, reason, provider |
 * | `m` | a message of the relay is made of what the book has: time, its number |
 * | `j` | time, a JSON object with `type`: snapshot, margins, halts, take (what a deal has taken from a level, below 0: given back), decision |
 * | `g` | so many lines before this one are missing; what follows is exact from the next snapshot on |
 */

/** Why a tick was rejected; '' of one that was taken. The order is that of the numbers in the ring. */
export const TICK_VERDICTS = [
  '',
  'crossed',
  'negative',
  'order',
  'jump',
  'spread',
  'ladder',
  'malformed',
  'unknown-pair',
] as const;
export type TickVerdict = (typeof TICK_VERDICTS)[number];

/** Kinds of records in the ring, and their doubles. */
export const RECORD_KINDS = { tick: 1, event: 2, mark: 3, clock: 4, json: 5, day: 6, gap: 7 } as const;
/** Of an event: its letter by number. */
const EVENTS = ['w', 'u', 'd', 'b'] as const;
export const EVENT = { withdraw: 0, up: 1, down: 2, bad: 3 } as const;
/** Doubles of a tick before its levels: price, size and age of each. */
export const TICK = {
  provider: 0,
  pair: 1,
  verdict: 2,
  bid: 3,
  offer: 4,
  bidSize: 5,
  offerSize: 6,
  sourceTimeUs: 7,
  sequence: 8,
  ageMs: 9,
  bids: 10,
  offers: 11,
  levels: 12,
} as const;

/** Room for the numbers of a line, each with what is before it. */
const NUMBER_BYTES = 26;
/** Of a line with levels: fields before them, and of a level. */
const LINE_NUMBERS = 12;
const LEVEL_NUMBERS = 3;
/** Up to here a number is written digit by digit. */
const DIGITS_MAX = 1_000_000_000;
const [ZERO, MINUS, SPACE, COLON, BAR, LF] = [...'0- :|\n'].map((char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Writes the lines of a block, each with the time since the one before. As bytes: a line is 30 numbers or more, and strings of each would be most
 * of what a tick costs its thread.
 */
export class RecordLines {
  /** Lines since `take`, those with a time alone not among them, and the bytes of all. */
  count = 0;
  length = 0;
  #bytes = Buffer.allocUnsafe(512 * 1024);
  #lastUs = 0;
  #offsetUs: number;

  /** Epoch us at monotonic 0. */
  constructor(offsetUs: number) {
    this.#offsetUs = offsetUs;
  }

  get epochUs(): number {
    return this.#lastUs + this.#offsetUs;
  }

  /** The lines of the block, which ends here. */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.length);
    this.count = 0;
    this.length = 0;
    return text;
  }

  /** The first line of a block. */
  begin(ms: number): void {
    this.#lastUs = Math.round(ms * 1_000);
    this.#text(`k ${this.#lastUs} ${this.epochUs}`);
    this.count--;
  }

  /** The clock of the machine was set. Behind the first line of a block: one without lines has none. */
  set(ms: number, offsetUs: number): void {
    this.#offsetUs = offsetUs;
    if (this.length > 0) this.begin(ms);
  }

  /** `values` from `at` on, as TICK has them. */
  tick(ms: number, values: Float64Array, at: number): void {
    const verdict = TICK_VERDICTS[values[at + TICK.verdict]!]!;
    const bids = values[at + TICK.bids]!;
    const offers = values[at + TICK.offers]!;
    this.#reserve(NUMBER_BYTES * (LINE_NUMBERS + LEVEL_NUMBERS * (bids + offers)));
    const since = this.#since(ms);
    const bid = values[at + TICK.bid]!;
    const offer = values[at + TICK.offer]!;
    this.#letter(verdict === '' ? 't' : 'x');
    this.#number(SPACE, since);
    if (verdict !== '') this.#word(verdict);
    this.#number(SPACE, values[at + TICK.provider]!);
    this.#number(SPACE, values[at + TICK.pair]!);
    this.#number(SPACE, bid);
    this.#number(SPACE, offer - bid);
    const sourceTimeUs = values[at + TICK.sourceTimeUs]!;
    const sequence = values[at + TICK.sequence]!;
    const ageMs = values[at + TICK.ageMs]!;
    const bidSize = values[at + TICK.bidSize]!;
    const offerSize = values[at + TICK.offerSize]!;
    const behind = sourceTimeUs === 0 ? 0 : this.epochUs - sourceTimeUs;
    // The last ones that are 0 are left out.
    const isSourced = sourceTimeUs !== 0;
    const fields =
      ageMs !== 0
        ? 5
        : sequence !== 0
          ? 4
          : behind !== 0 || !isSourced
            ? 3
            : offerSize !== 0
              ? 2
              : bidSize !== 0
                ? 1
                : 0;
    if (fields > 0) this.#number(SPACE, bidSize);
    if (fields > 1) this.#number(SPACE, offerSize);
    if (fields > 2 && isSourced) this.#number(SPACE, behind);
    if (fields > 2 && !isSourced) this.#word('-');
    if (fields > 3) this.#number(SPACE, sequence);
    if (fields > 4) this.#number(SPACE, ageMs);
    if (bids + offers > 0) {
      this.#levels(values, at + TICK.levels, bids, bid);
      this.#levels(values, at + TICK.levels + LEVEL_NUMBERS * bids, offers, offer);
    }
    this.#end();
  }

  event(ms: number, values: Float64Array, at: number): void {
    const code = values[at]!;
    this.#reserve(NUMBER_BYTES * LINE_NUMBERS);
    this.#letter(EVENTS[code]!);
    this.#number(SPACE, this.#since(ms));
    if (code === EVENT.bad) this.#word(TICK_VERDICTS[values[at + 2]!]!);
    this.#number(SPACE, values[at + 1]!);
    if (code === EVENT.withdraw) this.#number(SPACE, values[at + 2]!);
    this.#end();
  }

  mark(ms: number, number: number): void {
    this.#reserve(NUMBER_BYTES * LINE_NUMBERS);
    this.#letter('m');
    this.#number(SPACE, this.#since(ms));
    this.#number(SPACE, number);
    this.#end();
  }

  json(ms: number, text: string): void {
    this.#text(`j ${this.#since(ms)} ${text}`);
  }

  gap(count: number): void {
    this.#text(`g ${count}`);
  }

  #levels(values: Float64Array, at: number, count: number, best: number): void {
    if (count === 0) this.#bytes[this.length++] = BAR;
    for (let i = 0, from = at; i < count; i++, from += LEVEL_NUMBERS) {
      this.#number(i === 0 ? BAR : SPACE, values[from]! - best);
      this.#number(COLON, values[from + 1]!);
      if (values[from + 2]! !== 0) this.#number(COLON, values[from + 2]!);
    }
  }

  #since(ms: number): number {
    const us = Math.round(ms * 1_000);
    const since = us - this.#lastUs;
    this.#lastUs = us;
    return since;
  }

  #letter(letter: string): void {
    this.#bytes[this.length++] = letter.charCodeAt(0);
  }

  #word(word: string): void {
    this.length += this.#bytes.write(` ${word}`, this.length, 'latin1');
  }

  #number(before: number, value: number): void {
    const bytes = this.#bytes;
    bytes[this.length++] = before;
    let rest = value < 0 ? -value : value;
    if (!(rest < DIGITS_MAX) || rest !== Math.trunc(rest)) {
      this.length += bytes.write(String(value), this.length, 'latin1');
      return;
    }
    if (value < 0) bytes[this.length++] = MINUS;
    rest |= 0;
    let digits = 1;
    for (let power = 10; power <= rest; power *= 10) digits++;
    this.length += digits;
    for (let at = this.length - 1, left = digits; left > 0; left--, at--) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tens * 10;
      rest = tens;
    }
  }

  #end(): void {
    this.#bytes[this.length++] = LF;
    this.count++;
  }

  /** A line of characters of one byte each. */
  #text(text: string): void {
    this.#reserve(text.length + 1);
    this.length += this.#bytes.write(text, this.length, 'latin1');
    this.#end();
  }

  #reserve(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

export interface Level {
  readonly price: number;
  readonly size: number;
  readonly ageMs: number;
}

export interface RecordedTick {
  readonly kind: 'tick';
  readonly verdict: TickVerdict;
  readonly provider: number;
  readonly pair: number;
  readonly bid: number;
  readonly offer: number;
  readonly bidSize: number;
  readonly offerSize: number;
  readonly sourceTimeUs: number;
  readonly sequence: number;
  readonly ageMs: number;
  /** Undefined: the provider has one level. */
  readonly levels: { readonly bid: readonly Level[]; readonly offer: readonly Level[] } | undefined;
}

/** A line of the record, with the monotonic and the epoch time of its process, microseconds. */
export type RecordLine = { readonly us: number; readonly epochUs: number } & (
  | RecordedTick
  | { readonly kind: 'withdraw'; readonly provider: number; readonly pair: number }
  | { readonly kind: 'up' | 'down'; readonly provider: number }
  | { readonly kind: 'bad'; readonly verdict: TickVerdict; readonly provider: number }
  | { readonly kind: 'mark'; readonly number: number }
  | { readonly kind: 'json'; readonly value: { readonly type: string } & Readonly<Record<string, unknown>> }
  | { readonly kind: 'gap'; readonly count: number }
);

/** The lines of a block, in order. Throws SyntaxError for a line that is none: the block was not written by this release. */
export function* recordLines(text: string): Generator<RecordLine> {
  let us = 0;
  let offsetUs = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    const letter = line[0];
    if (letter === '#') continue;
    const fields = line.split(' ', letter === 'j' || letter === 'k' || letter === 'g' ? 3 : undefined);
    if (letter === 'k') {
      us = whole(fields[1], line);
      offsetUs = whole(fields[2], line) - us;
      continue;
    }
    if (letter === 'g') {
      yield { us, epochUs: us + offsetUs, kind: 'gap', count: whole(fields[1], line) };
      continue;
    }
    us += whole(fields[1], line);
    const time = { us, epochUs: us + offsetUs };
    const number = (i: number): number => whole(fields[i], line);
    if (letter === 't') yield tickOf(time, '', line, 2);
    else if (letter === 'x') yield tickOf(time, verdictOf(fields[2], line), line, 3);
    else if (letter === 'w') yield { ...time, kind: 'withdraw', provider: number(2), pair: number(3) };
    else if (letter === 'u') yield { ...time, kind: 'up', provider: number(2) };
    else if (letter === 'd') yield { ...time, kind: 'down', provider: number(2) };
    else if (letter === 'b') yield { ...time, kind: 'bad', verdict: verdictOf(fields[2], line), provider: number(3) };
    else if (letter === 'm') yield { ...time, kind: 'mark', number: number(2) };
    else if (letter === 'j') yield { ...time, kind: 'json', value: JSON.parse(line.slice(line.indexOf('{'))) };
    else throw notOurs(line);
  }
}

function tickOf(time: { us: number; epochUs: number }, verdict: TickVerdict, line: string, from: number) {
  const [first = '', bids, offers] = line.split('|');
  const [provider, pair, bid, spread, bidSize = '0', offerSize = '0', behind = '0', sequence = '0', age = '0'] = first
    .split(' ')
    .slice(from);
  const isSourced = behind !== '-';
  const best = Number(bid);
  const offer = best + Number(spread);
  const tick: RecordLine = {
    ...time,
    kind: 'tick',
    verdict,
    provider: whole(provider, line),
    pair: whole(pair, line),
    bid: best,
    offer,
    bidSize: Number(bidSize),
    offerSize: Number(offerSize),
    sourceTimeUs: isSourced ? time.epochUs - Number(behind) : 0,
    sequence: Number(sequence),
    ageMs: Number(age),
    levels:
      bids === undefined || offers === undefined
        ? undefined
        : { bid: levelsOf(bids, best), offer: levelsOf(offers, offer) },
  };
  return tick;
}

const levelsOf = (text: string, best: number): Level[] =>
  text === ''
    ? []
    : text.split(' ').map((level) => {
        const [price, size, age = '0'] = level.split(':');
        return { price: best + Number(price), size: Number(size), ageMs: Number(age) };
      });

function verdictOf(word: string | undefined, line: string): TickVerdict {
  const verdict = TICK_VERDICTS.find((one) => one === word);
  if (verdict === undefined) throw notOurs(line);
  return verdict;
}

function whole(text: string | undefined, line: string): number {
  const number = Number(text);
  if (text === undefined || text === '' || !Number.isSafeInteger(number)) throw notOurs(line);
  return number;
}

const notOurs = (line: string): SyntaxError => new SyntaxError(`no line of a record: ${line.slice(0, 80)}`);

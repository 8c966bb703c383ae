/** The rate book of a process that records: what providers send goes into the day record too, in order, and a replay starts from a snapshot of it. */
import type { Ladder } from '../domain/money/ladder.js';
import { PAIRS, pairBySymbol } from '../domain/money/pair.js';
import { TICK_VERDICTS } from '../store/record/record-lines.js';
import type { DayRecorder } from '../store/record/recorder.js';
import type { RateBookOptions } from './book-price.js';
import { RateBook } from './rate-book.js';
import type { KeptQuote } from './side-levels.js';
import type { ProviderOptions } from './tick-sink.js';

/** The day record, as far as ticks go into it. Times are monotonic ms. */
export type TickTape = Pick<DayRecorder, 'tick' | 'withdraw' | 'up' | 'down' | 'bad' | 'mark' | 'json'>;

/** The state of a book, as the record has it. */
export interface BookSnapshot {
  readonly type: 'book';
  /** Number of the last input recorded. */
  readonly position: number;
  readonly ms: number;
  readonly options: Pick<RateBookOptions, 'maxAgeMs' | 'maxJumpPercent' | 'maxSpreadPercent' | 'isFirm'>;
  readonly pairs: readonly string[];
  /** By number. */
  readonly providers: ReadonlyArray<{ readonly name: string } & ProviderOptions>;
  readonly halted: readonly string[];
  readonly quotes: readonly KeptQuote[];
}

const MALFORMED = TICK_VERDICTS.indexOf('malformed');
const UNKNOWN_PAIR = TICK_VERDICTS.indexOf('unknown-pair');
const NUMBER_OF = new Map(TICK_VERDICTS.map((verdict, number) => [verdict as string, number]));

export class RecordedBook extends RateBook {
  /** Set while this process runs the feed: a book that follows the relay has nothing that its publisher has not recorded. */
  #tape: TickTape | undefined;
  #ownPosition = 0;
  readonly #options: RateBookOptions;
  readonly #clock: () => number;
  readonly #providerOptions: ({ readonly name: string } & ProviderOptions)[] = [];

  /** `halts`: they are recorded without a feed too, because each process finds them at a time of its own. */
  constructor(
    options: RateBookOptions,
    private readonly halts?: Pick<TickTape, 'json'>,
  ) {
    super(options);
    this.#options = options;
    this.#clock = options.now ?? (() => performance.now());
  }

  /** From now on what is taken goes to the tape; undefined: no longer. Its numbers continue those of before. */
  recordOn(tape: TickTape | undefined): void {
    if (tape === undefined) this.#ownPosition = this.position;
    else this.position = this.#ownPosition;
    this.source = 0;
    this.#tape = tape;
    this.takes.around =
      tape &&
      ((taken, apply) => {
        this.position++;
        apply();
        tape.json({ type: 'take', ...taken });
      });
  }

  override registerProvider(name: string, options: ProviderOptions = {}): number {
    const provider = super.registerProvider(name, options);
    const { trusted = false, ordered = false } = options;
    this.#providerOptions[provider] = { name, trusted, ordered };
    this.#tape?.json({ type: 'provider', provider, name, trusted, ordered });
    return provider;
  }

  override tick(
    provider: number,
    pair: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    sequence: number,
    ladder?: Ladder,
  ): void {
    const tape = this.#tape;
    if (tape === undefined) {
      super.tick(provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, ladder);
      return;
    }
    const nowMs = this.readAtMs || this.#clock();
    const ageMs = this.readAgeMs || this.waitedMs(nowMs);
    this.readAtMs = nowMs;
    this.readAgeMs = ageMs;
    // Before: listeners take it with the price.
    this.position++;
    const { changes } = this.quotes;
    super.tick(provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, ladder);
    const isTaken = this.quotes.changes !== changes;
    const verdict = isTaken ? 0 : NUMBER_OF.get(this.quotes.lastRefusal)!;
    tape.tick(nowMs, ageMs, verdict, provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, ladder);
  }

  override withdraw(provider: number, pair: number): void {
    if (this.#tape) this.position++;
    super.withdraw(provider, pair);
    this.#tape?.withdraw(this.#clock(), provider, pair);
  }

  override providerUp(provider: number): void {
    if (this.#tape) this.position++;
    super.providerUp(provider);
    this.#tape?.up(this.#clock(), provider);
  }

  override providerDown(provider: number, reason?: string): void {
    if (this.#tape) this.position++;
    super.providerDown(provider, reason);
    this.#tape?.down(this.#clock(), provider);
  }

  override malformed(provider: number): void {
    super.malformed(provider);
    this.#tape?.bad(this.#clock(), provider, MALFORMED);
  }

  override unknownPair(provider: number): void {
    super.unknownPair(provider);
    this.#tape?.bad(this.#clock(), provider, UNKNOWN_PAIR);
  }

  override halt(pairs: ReadonlySet<number>): void {
    if (this.#tape) this.position++;
    super.halt(pairs);
    this.halts?.json({ type: 'halts', halted: this.#halted() });
  }

  /** A message of the relay is made of the present prices. */
  markPublished(number: number): void {
    this.#tape?.mark(this.#clock(), number);
  }

  snapshot(): BookSnapshot {
    const { maxAgeMs, maxJumpPercent, maxSpreadPercent, isFirm } = this.#options;
    return {
      type: 'book',
      position: this.position,
      ms: this.#clock(),
      pairs: PAIRS.map(({ symbol }) => symbol),
      options: {
        maxAgeMs: maxAgeMs ?? this.maxAgeMs,
        isFirm: isFirm ?? false,
        ...(maxJumpPercent !== undefined && { maxJumpPercent }),
        ...(maxSpreadPercent !== undefined && { maxSpreadPercent }),
      },
      providers: this.#providerOptions,
      halted: this.#halted(),
      quotes: this.quotes.kept(),
    };
  }

  /** Of a new book: it becomes the one of the snapshot. Throws RangeError for a pair that this release does not offer at that place. */
  restore({ position, pairs, providers, halted, quotes }: BookSnapshot): void {
    const isOther = pairs.length !== PAIRS.length || pairs.some((symbol, i) => PAIRS[i]!.symbol !== symbol);
    if (isOther) throw new RangeError('the record has other pairs than this release offers');
    for (const { name, ...options } of providers) this.registerProvider(name, options);
    for (const quote of quotes) this.quotes.keep(quote);
    this.haltSymbols(halted);
    // Every pair's price is made of what is kept.
    const all = new Set(PAIRS.map(({ index }) => index));
    const present = new Set(PAIRS.filter(({ index }) => this.isHalted(index)).map(({ index }) => index));
    super.halt(all);
    super.halt(present);
    this.position = position;
  }

  haltSymbols(halted: readonly string[]): void {
    super.halt(new Set(halted.flatMap((symbol) => pairBySymbol(symbol)?.index ?? [])));
  }

  #halted(): string[] {
    return PAIRS.filter(({ index }) => this.isHalted(index)).map(({ symbol }) => symbol);
  }
}

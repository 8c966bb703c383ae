/** Rate books of a replay: one that takes the recorded input of a process, and one that follows the relay of such a book. */
import { Ladder, type LadderSide } from '../../domain/money/ladder.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { RelayFeed } from '../../rates/feeds/relay-feed.js';
import { RateBook } from '../../rates/rate-book.js';
import { type BookSnapshot, RecordedBook, type TickTape } from '../../rates/recorded-book.js';
import { RelayPublisher } from '../../rates/relay-publisher.js';
import type { Taken } from '../../rates/takes.js';
import { MAX_BOOK_LEVELS } from '../../rates/tick-sink.js';
import { type Level, type RecordedTick, type RecordLine, TICK_VERDICTS } from '../../store/record/record-lines.js';

type Line = RecordLine;

/** The book of a process that runs the feed, as it was behind each line of its record. Its clock is that of the line. */
export class ReplayedBook {
  ms = 0;
  ticks = 0;
  /** Ticks that are taken or refused otherwise than they were. */
  ticksOtherwise = 0;
  /** Of the relay messages that are made of it; 0: of none. */
  publisher = 0;
  book = new RecordedBook({});
  #isKnown = false;
  #verdict = 0;
  readonly #ladder = new Ladder(MAX_BOOK_LEVELS);
  readonly #onInput: (line: Line, position: number) => void;
  /** Takes what the book itself would record, for the verdicts. */
  readonly #tape: TickTape = {
    tick: (_ms, _ageMs, verdict) => {
      this.#verdict = verdict;
    },
    withdraw() {},
    up() {},
    down() {},
    bad() {},
    mark() {},
    json: () => true,
  };

  /** `onInput` is called behind each line that may have changed a price, and each mark, while the state of the book is known. */
  constructor(onInput: (line: Line, position: number) => void) {
    this.#onInput = onInput;
  }

  take(line: Line): void {
    if (line.kind === 'gap') this.#isKnown = false;
    else if (line.kind === 'json' && line.value.type === 'book') this.#restore(line.value as unknown as BookSnapshot);
    if (!this.#isKnown || !this.#changes(line)) return;
    this.#onInput(line, this.book.position);
  }

  /** Its process runs the feed, and its state is known. */
  get isLive(): boolean {
    return this.#isKnown && this.publisher !== 0;
  }

  /** Reads the book at a time behind that of the last line. */
  at(ms: number, read: () => void): void {
    const was = this.ms;
    this.ms = ms;
    read();
    this.ms = was;
  }

  #restore(snapshot: BookSnapshot & { readonly publisher?: number }): void {
    this.ms = snapshot.ms;
    this.publisher = snapshot.publisher ?? 0;
    this.book = new RecordedBook({ ...snapshot.options, now: () => this.ms });
    this.book.recordOn(this.#tape);
    this.book.restore(snapshot);
    this.#isKnown = true;
  }

  /** False: nothing of the book has changed, and no message of the relay is made. */
  #changes(line: Line): boolean {
    const { book } = this;
    if (line.kind === 'json' && line.value.type === 'book') return true;
    this.ms = line.us / 1_000;
    if (line.kind === 'tick') this.#tick(line);
    else if (line.kind === 'withdraw') book.withdraw(line.provider, line.pair);
    else if (line.kind === 'up') book.providerUp(line.provider);
    else if (line.kind === 'down') book.providerDown(line.provider);
    else if (line.kind === 'json') return this.#json(line.value);
    else return line.kind === 'mark';
    return true;
  }

  #json(value: Extract<Line, { kind: 'json' }>['value']): boolean {
    if (value.type === 'provider') {
      const { name, trusted, ordered } = value as unknown as BookSnapshot['providers'][number];
      this.book.registerProvider(name, { trusted: trusted ?? false, ordered: ordered ?? false });
      return false;
    }
    if (value.type === 'take') {
      this.book.takes.add(value as unknown as Taken);
      return true;
    }
    if (value.type !== 'halts') return false;
    this.book.haltSymbols(value.halted as readonly string[]);
    this.book.position++;
    return true;
  }

  #tick(line: RecordedTick & { readonly us: number }): void {
    const { provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, levels, verdict, ageMs } = line;
    const { book } = this;
    book.readAtMs = this.ms;
    book.readAgeMs = ageMs;
    const ladder = levels && this.#ladder;
    if (levels) {
      fill(levels.bid, this.#ladder.bid);
      fill(levels.offer, this.#ladder.offer);
    }
    book.tick(provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, ladder);
    this.ticks++;
    if (TICK_VERDICTS[this.#verdict] !== verdict) this.ticksOtherwise++;
  }
}

function fill(levels: readonly Level[], side: LadderSide): void {
  side.count = 0;
  for (const { price, size, ageMs } of levels) side.add(price, size, ageMs);
}

/** What a process without the feed had in its book: the relay of the replayed one, read by the relay's own feed. */
export class ReplayedFollower {
  #ms = 0;
  readonly #publishers = new WeakMap<RateBook, RelayPublisher>();
  readonly #followers = new Map<string, { book: RateBook; feed: RelayFeed; receive: (message: Uint8Array) => void }>();

  /** The book of a process with these options and halts, so long after it received what `of` has of the pairs. */
  book(
    of: ReplayedBook,
    pairs: readonly number[],
    options: BookSnapshot['options'],
    halted: readonly string[],
    sinceMs: number,
  ): RateBook {
    const { book, receive } = this.#follower(options);
    this.#ms = of.ms;
    book.halt(new Set(halted.flatMap((symbol) => pairBySymbol(symbol)?.index ?? [])));
    // Of another moment: its prices are not compared with those before.
    book.providerUp(book.registerProvider('relay', { trusted: true }));
    let publisher = this.#publishers.get(of.book);
    if (publisher === undefined) {
      publisher = new RelayPublisher(of.book, NO_CHANNEL, () => of.ms);
      this.#publishers.set(of.book, publisher);
    }
    receive(publisher.messageOf(pairs));
    this.#ms += sinceMs;
    return book;
  }

  async stop(): Promise<void> {
    for (const { feed } of this.#followers.values()) await feed.stop();
  }

  #follower(options: BookSnapshot['options']) {
    const key = JSON.stringify(options);
    const known = this.#followers.get(key);
    if (known) return known;
    const now = () => this.#ms;
    const book = new RateBook({ ...options, now });
    let receive: (message: Uint8Array) => void = () => {};
    const relay = {
      ...NO_CHANNEL,
      subscribe: async (listener: (message: Uint8Array, underWayMs: number) => void) => {
        receive = (message) => listener(message, 0);
        return () => {};
      },
    };
    const feed = new RelayFeed({ book, relay, now, log: { info() {}, warn() {} } });
    // It subscribes at once; there is nothing to wait for.
    void feed.start();
    const follower = { book, feed, receive };
    this.#followers.set(key, follower);
    return follower;
  }
}

const NO_CHANNEL = { publish: async () => undefined, subscribe: async () => () => {} };

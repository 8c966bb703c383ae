import { Ladder } from '../../domain/money/ladder.js';
import { enterProvider, type Feed, type FeedDeps } from './port.js';
import { referenceRates } from './reference-rates.js';
import { RateWalk, threeLevels } from './walk.js';

/**
 * Some pairs in turn: each of about forty moves once in a second. Their prices are one message of the relay and one write per desk, so
 * longer steps of more pairs cost less CPU.
 */
const STEP_MS = 200;
const PAIRS_PER_STEP = 8;
const PROVIDER = 'simulated';

/** FEED=simulated: every direct pair walks from the newest reference rates on file; the same seed walks the same way. */
export class SimulatedFeed implements Feed {
  readonly name: string;
  readonly #walker: Walker;
  readonly #log: FeedDeps['log'];

  constructor(seed: number, deps: FeedDeps) {
    this.name = `simulated:${seed}`;
    this.#log = deps.log;
    this.#walker = new Walker(new RateWalk(referenceRates('9999-12-31'), seed), deps);
  }

  start(): Promise<void> {
    this.#walker.start();
    this.#log.info({ feed: this.name }, 'simulated prices: not for trading');
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#walker.stop();
    return Promise.resolve();
  }
}

/** Puts a walk's ticks into the book: each pair once at the start, then some per step. */
export class Walker {
  readonly #walk: RateWalk;
  readonly #book: FeedDeps['book'];
  readonly #wallNow: () => number;
  readonly #ladder = new Ladder();
  #provider = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(walk: RateWalk, deps: FeedDeps) {
    this.#walk = walk;
    this.#book = deps.book;
    this.#wallNow = deps.wallNow ?? Date.now;
  }

  start(): void {
    if (this.#walk.pairs.length === 0) return;
    // Our own clock gives the time: when it is set back, the walk must continue.
    this.#provider = enterProvider(this.#book, PROVIDER, { ordered: true });
    this.#book.providerUp(this.#provider);
    this.#step(this.#walk.pairs.length);
    this.#timer = setInterval(() => this.#step(PAIRS_PER_STEP), STEP_MS);
  }

  stop(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#book.providerDown(this.#provider);
  }

  #step(pairs: number): void {
    const sourceTimeUs = this.#wallNow() * 1000;
    for (let i = 0; i < pairs; i++) {
      const { pair, bid, offer } = this.#walk.next();
      const ladder = threeLevels(pair, bid, offer, this.#ladder);
      const size = ladder.bid.size[0]!;
      this.#book.tick(this.#provider, pair.index, bid, offer, size, size, sourceTimeUs, 0, ladder);
    }
  }
}

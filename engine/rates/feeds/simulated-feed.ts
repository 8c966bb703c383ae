import { enterProvider, type Feed, type FeedDeps } from './port.js';
import { referenceRates } from './reference-rates.js';
import { RateWalk } from './walk.js';

/** One pair in turn: each of about forty pairs moves once in a second. */
const STEP_MS = 25;
const SIZE = 1_000_000;
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

/** Puts a walk's ticks into the book: each pair once at the start, then one pair per step. */
export class Walker {
  readonly #walk: RateWalk;
  readonly #book: FeedDeps['book'];
  readonly #wallNow: () => number;
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
    for (let i = 0; i < this.#walk.pairs.length; i++) this.#step();
    this.#timer = setInterval(() => this.#step(), STEP_MS);
  }

  stop(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#book.providerDown(this.#provider);
  }

  #step(): void {
    const { pair, bid, offer } = this.#walk.next();
    this.#book.tick(this.#provider, pair.index, bid, offer, SIZE, SIZE, this.#wallNow() * 1000, 0);
  }
}

import { randomInt } from 'node:crypto';
import { formatScaled } from '../domain/money/money.js';
import { PAIRS } from '../domain/money/pair.js';
import { feedKindBits } from '../domain/system/feed-kind.js';
import type { RelayChannel } from './feeds/port.js';
import { SideOrigin, type TickOrigin } from './quote-origins.js';
import type { RateBook } from './rate-book.js';
import { RelayWriter } from './relay-message.js';

const BETWEEN_MS = 1;
const EVERY_PAIR_MS = 1_000;
/** Without subscribers: the start of an engine or sidecar waits for every pair. */
const EVERY_PAIR_ALONE_MS = 100;
const SNAPSHOT_MS = 30_000;
const SYMBOLS = PAIRS.map((pair) => pair.base + pair.quote);

/**
 * Publishes what providers quote, for the engines that have no feed: what changed in a turn as one message, the next one when
 * the store has taken it and a millisecond has passed; every pair once a second, so that a lost message is made good; and,
 * for people and cold starts, a snapshot every 30 s. Without subscribers only every pair is sent, ten times a second, and
 * the reply shows a new subscriber: a message per tick costs a small machine the time slices that its desks need. A further
 * subscriber is sent every pair within 0.1 s. Crosses are not sent: each engine computes its own.
 */
export class RelayPublisher {
  readonly #book: RateBook;
  readonly #channel: RelayChannel;
  readonly #now: () => number;
  /** Its messages have it: of another engine, or of a later start, it is another. */
  readonly id = randomInt(2 ** 32);
  /** Of the last message. */
  get number(): number {
    return this.#number;
  }

  /** Called with the number of each message, before it is made of the present prices. */
  onMessage: ((number: number) => void) | undefined;
  readonly #writer: RelayWriter;
  readonly #origin: Pick<TickOrigin, 'bid' | 'offer'> = { bid: new SideOrigin(), offer: new SideOrigin() };
  readonly #dirty: number[] = [];
  readonly #isDirty = new Uint8Array(PAIRS.length);
  // What the others have from us: a pair that they have must be withdrawn when it ends.
  readonly #isOut = new Uint8Array(PAIRS.length);
  #number = 0;
  #publishedAtMs = 0;
  #underWay = false;
  /** At the last message; undefined: not known. */
  #subscribers: number | undefined;
  #scheduled: NodeJS.Immediate | NodeJS.Timeout | undefined;
  #everyPair: NodeJS.Timeout | undefined;
  /** While it publishes. */
  #snapshots: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  /** `now` is the book's clock. `needsEachTick`: also a tick that confirms the pair's price is sent, because others judge its age. */
  constructor(
    book: RateBook,
    channel: RelayChannel,
    now: () => number = () => performance.now(),
    private readonly needsEachTick: (pair: number) => boolean = () => false,
  ) {
    this.#book = book;
    this.#writer = new RelayWriter(PAIRS.length, book.origin.names);
    this.#channel = channel;
    this.#now = now;
  }

  start(): void {
    const endPrices = this.#book.onChange((pair) => this.#changed(pair));
    const endLevels = this.#book.onDepthChange((pair) => {
      if (this.#book.hasLevels(pair) || this.needsEachTick(pair)) this.#changed(pair);
    });
    this.#unsubscribe = () => {
      endPrices();
      endLevels();
    };
    this.#snapshots = setInterval(() => this.#writeSnapshot(), SNAPSHOT_MS);
    this.#publishEveryPair();
    this.#writeSnapshot();
  }

  stop(): void {
    this.#unsubscribe?.();
    clearInterval(this.#snapshots);
    this.#snapshots = undefined;
    clearTimeout(this.#everyPair);
    clearImmediate(this.#scheduled as NodeJS.Immediate);
    clearTimeout(this.#scheduled as NodeJS.Timeout);
    this.#scheduled = undefined;
  }

  #changed(pair: number): void {
    if (this.#subscribers === 0) return;
    if (this.#isDirty[pair] === 1 || (!this.#book.isDirect(pair) && this.#isOut[pair] === 0)) return;
    this.#isDirty[pair] = 1;
    this.#dirty.push(pair);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#underWay) return;
    const waitMs = this.#publishedAtMs + BETWEEN_MS - this.#now();
    this.#scheduled = waitMs > 0 ? setTimeout(this.#flush, waitMs) : setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = undefined;
    this.#publishedAtMs = this.#now();
    this.#begin(false, this.#publishedAtMs);
    for (const pair of this.#dirty) {
      this.#isDirty[pair] = 0;
      this.#add(pair);
    }
    this.#dirty.length = 0;
    this.#underWay = true;
    this.#send().finally(() => {
      this.#underWay = false;
      if (this.#dirty.length > 0 && this.#snapshots) this.#schedule();
    });
  };

  /** A message of these pairs alone, as one of every pair: for a replay, which starts no publication. */
  messageOf(pairs: readonly number[]): Uint8Array {
    this.#begin(true, this.#now());
    for (const pair of pairs) if (this.#book.isDirect(pair)) this.#add(pair);
    return this.#writer.finish();
  }

  #begin(everyPair: boolean, nowMs: number): void {
    this.#writer.begin(this.id, ++this.#number, everyPair, nowMs, feedKindBits(this.#book.feedKinds));
    this.onMessage?.(this.#number);
  }

  #everyPairIn(ms: number): void {
    clearTimeout(this.#everyPair);
    this.#everyPair = setTimeout(() => this.#publishEveryPair(), ms);
  }

  #publishEveryPair(): void {
    this.#everyPairIn(this.#subscribers === 0 ? EVERY_PAIR_ALONE_MS : EVERY_PAIR_MS);
    this.#begin(true, this.#now());
    for (let pair = 0; pair < PAIRS.length; pair++) if (this.#book.isDirect(pair)) this.#add(pair);
    void this.#send();
  }

  #add(pair: number): void {
    // First: a price that has just become stale is made anew.
    const ladder = this.#book.hasLevels(pair) ? this.#book.ladder(pair) : undefined;
    const { bid, offer, bidSize, offerSize, sourceTimeUs, receivedAtMs } = this.#book;
    const { priceDigits } = PAIRS[pair];
    const isDirect = this.#book.isDirect(pair);
    this.#isOut[pair] = isDirect ? 1 : 0;
    if (!isDirect) this.#writer.add(SYMBOLS[pair], priceDigits, 0, 0, 0, 0, 0, 0);
    else {
      const nowMs = this.#now();
      this.#book.origins.fill(pair, nowMs, this.#origin);
      this.#writer.add(
        SYMBOLS[pair],
        priceDigits,
        bid[pair],
        offer[pair],
        bidSize[pair],
        offerSize[pair],
        sourceTimeUs[pair],
        Math.max(0, nowMs - receivedAtMs[pair]),
        ladder,
        this.#origin,
      );
    }
  }

  // A rate is only worth something now: what the channel cannot take is not tried again.
  async #send(): Promise<void> {
    const before = this.#subscribers;
    this.#subscribers = await this.#channel.publish(this.#writer.finish()).catch(() => undefined);
    const isMore = before && this.#subscribers && this.#subscribers > before;
    const isAlone = before !== 0 && this.#subscribers === 0;
    if (this.#snapshots && (isMore || isAlone)) this.#everyPairIn(EVERY_PAIR_ALONE_MS);
  }

  #writeSnapshot(): void {
    const { bid, offer } = this.#book;
    const rates: Record<string, string> = {};
    for (const { index, symbol, priceDigits } of PAIRS) {
      if (this.#book.isDirect(index))
        rates[symbol] = `${formatScaled(bid[index], priceDigits)} ${formatScaled(offer[index], priceDigits)}`;
    }
    this.#channel.writeSnapshot?.(rates)?.catch(() => {});
  }
}

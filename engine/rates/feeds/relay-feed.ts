import type { LadderSide } from '../../domain/money/ladder.js';
import { PAIRS } from '../../domain/money/pair.js';
import type { SideOrigin } from '../quote-origins.js';
import { RELAY_VERSION, type RelayEntry, RelayNames, readRelayEntries, readRelayHeader } from '../relay-message.js';
import { BackOff } from './back-off.js';
import { enterProvider, type Feed, type FeedDeps, FeedSettingError, type RelayChannel } from './port.js';
import { pairOfSymbol } from './symbol-bytes.js';

const PROVIDER = 'relay';
// The publisher sends every pair once a second.
const SILENT_MS = 3_000;
const CHECK_MS = 500;
/** Worth a line in the log: the store, or this process, does not keep up. */
const LATE_MS = 1_000;

/** Scaled prices are whole; the other values are numbers that are not negative. */
const isPrice = ({ bid, offer, bidSize, offerSize, sourceTimeUs, ageMs, ladder, origin }: RelayEntry): boolean =>
  Number.isSafeInteger(bid) &&
  Number.isSafeInteger(offer) &&
  bid > 0 &&
  bid <= offer &&
  isAmount(bidSize) &&
  isAmount(offerSize) &&
  isAmount(sourceTimeUs) &&
  isAmount(ageMs) &&
  (ladder === undefined || (isSide(ladder.bid, bid) && isSide(ladder.offer, offer))) &&
  (origin === undefined || (isOrigin(origin.bid) && isOrigin(origin.offer)));
const isOrigin = ({ sourceTimeUs, runnerUp }: SideOrigin): boolean =>
  isAmount(sourceTimeUs) && runnerUp >= 0 && Number.isSafeInteger(runnerUp);
/** Its first level is the price, and a level carries whole units or any amount, Infinity. That they are monotonic, the book checks. */
const isSide = ({ count, price, size, ageMs }: LadderSide, best: number): boolean => {
  for (let i = 0; i < count; i++)
    if (!Number.isSafeInteger(price[i]) || !isAmount(ageMs[i]!) || !isCarried(size[i]!)) return false;
  return price[0] === best;
};
const isCarried = (size: number): boolean =>
  size >= 0 && (Number.isSafeInteger(size) || size === Number.POSITIVE_INFINITY);
const isAmount = (value: number): boolean => value >= 0 && value < Number.POSITIVE_INFINITY;

/**
 * FEED=relay: the prices of the engine that has the feed. Spread and order were checked there; a value that is none and a bid above the offer
 * are refused here too, and a jump waits for its confirmation, which is the next message of every pair at the latest. Each comes with
 * the age it had and what it was under way, and grows older here. The store decides whose messages are delivered: only the engine that holds the
 * feed's lease. A silent relay is a provider that is down.
 */
export class RelayFeed implements Feed {
  readonly name = 'relay';
  readonly #channel: RelayChannel;
  readonly #book: FeedDeps['book'];
  readonly #log: FeedDeps['log'];
  readonly #now: () => number;
  readonly #backOff = new BackOff();
  readonly #names: RelayNames;
  readonly #has = new Uint8Array(PAIRS.length);
  readonly #named = new Uint8Array(PAIRS.length);
  #provider = 0;
  #receivedAtMs = 0;
  #publisher = 0;
  #skew = new ClockSkew();
  #lateMs = 0;
  #isUp = false;
  #isStopped = false;
  #hasComplained = false;
  #unsubscribe: (() => Promise<void> | void) | undefined;
  #checking: NodeJS.Timeout | undefined;
  #retrying: NodeJS.Timeout | undefined;

  constructor(deps: FeedDeps) {
    if (!deps.relay) throw new FeedSettingError('relay needs a store that other processes share: set REDIS_URL');
    this.#channel = deps.relay;
    this.#book = deps.book;
    this.#names = new RelayNames(deps.book.origin.names);
    this.#log = deps.log;
    this.#now = deps.now ?? (() => performance.now());
  }

  async start(): Promise<void> {
    this.#provider = enterProvider(this.#book, PROVIDER, { trusted: true });
    this.#checking = setInterval(() => this.#check(), CHECK_MS);
    await this.#subscribe();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#checking);
    clearTimeout(this.#retrying);
    this.#down();
    await this.#unsubscribe?.();
  }

  async #subscribe(): Promise<void> {
    try {
      const unsubscribe = await this.#channel.subscribe((message, underWayMs) => this.#received(message, underWayMs));
      this.#unsubscribe = unsubscribe;
      if (this.#isStopped) await unsubscribe();
    } catch (error) {
      const waitMs = this.#backOff.next();
      this.#log.warn({ feed: this.name, reason: String(error) }, 'the subscription to the relay failed; retrying');
      if (!this.#isStopped) this.#retrying = setTimeout(() => void this.#subscribe(), waitMs);
    }
  }

  #received(message: Uint8Array, underWayMs: number): void {
    if (this.#isStopped) return;
    const header = readRelayHeader(message);
    if (header === undefined || header.version !== RELAY_VERSION) {
      this.#complain(
        header ? `version ${header.version}, not ${RELAY_VERSION}: run one release everywhere` : 'unreadable',
      );
      return;
    }
    const nowMs = this.#now();
    if (header.publisher !== this.#publisher) this.#skew = new ClockSkew();
    this.#publisher = header.publisher;
    this.#receivedAtMs = nowMs;
    this.#book.source = header.publisher;
    this.#book.position = header.number;
    this.#book.feedKinds = header.feedKinds;
    // The first shows the wait for a stalled store, the second the wait for this process, from the first message on.
    this.#reportDelay(Math.max(underWayMs, this.#skew.delayMs(header.sentAtMs, nowMs)));
    if (!this.#isUp) {
      this.#isUp = true;
      this.#book.providerUp(this.#provider);
      this.#log.info({ feed: this.name }, 'receiving from the relay');
    }
    this.#named.fill(0);
    readRelayEntries(message, this.#take, this.#names);
    if (header.everyPair) this.#withdrawUnnamed();
  }

  readonly #take = (entry: RelayEntry): void => {
    const pair = pairOfSymbol(entry.symbol);
    if (pair < 0) {
      this.#book.unknownPair(this.#provider);
      return;
    }
    if (PAIRS[pair].priceDigits !== entry.priceDigits) {
      this.#complain(`${entry.symbol} in ${entry.priceDigits} decimals: run one release everywhere`);
      return;
    }
    this.#named[pair] = 1;
    if (entry.bid === 0) {
      this.#withdraw(pair);
      return;
    }
    if (!isPrice(entry)) {
      this.#complain(`${entry.symbol} with values that are none`);
      return;
    }
    this.#has[pair] = 1;
    this.#book.readAtMs = this.#receivedAtMs;
    this.#book.readAgeMs = entry.ageMs + this.#lateMs;
    if (entry.origin !== undefined) {
      this.#book.origin.isKnown = true;
      this.#book.origin.bid.copy(entry.origin.bid);
      this.#book.origin.offer.copy(entry.origin.offer);
    }
    this.#book.tick(
      this.#provider,
      pair,
      entry.bid,
      entry.offer,
      entry.bidSize,
      entry.offerSize,
      entry.sourceTimeUs,
      0,
      entry.ladder,
    );
  };

  #reportDelay(lateMs: number): void {
    if (lateMs >= LATE_MS && this.#lateMs < LATE_MS)
      this.#log.warn(
        { feed: this.name, lateMs: Math.round(lateMs) },
        'relay delayed: its prices count as that much older',
      );
    this.#lateMs = lateMs;
  }

  #withdrawUnnamed(): void {
    for (let pair = 0; pair < PAIRS.length; pair++)
      if (this.#has[pair] === 1 && this.#named[pair] === 0) this.#withdraw(pair);
  }

  #withdraw(pair: number): void {
    this.#has[pair] = 0;
    this.#book.withdraw(this.#provider, pair);
  }

  #check(): void {
    if (!this.#isUp || this.#now() - this.#receivedAtMs <= SILENT_MS) return;
    this.#log.warn({ feed: this.name }, 'relay silent: prices withdrawn; check the engine that has the feed');
    this.#down();
  }

  #down(): void {
    this.#isUp = false;
    this.#book.feedKinds = [];
    this.#has.fill(0);
    this.#book.providerDown(this.#provider);
  }

  #complain(reason: string): void {
    this.#book.malformed(this.#provider);
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#log.warn({ feed: this.name, reason }, 'relay message not understood; further ones are only counted');
  }
}

/** A minute, and the one before it: the skew of two clocks changes little in that time. */
const WINDOW_MS = 60_000;

/**
 * The delay of a message between two clocks that do not agree: the message with the least difference in the last minute or two gives the
 * skew. It shows messages that have waited for a stalled store or process.
 */
class ClockSkew {
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #sinceMs = 0;

  /** Ms; both times are monotonic, of the sender's clock and of ours. */
  delayMs(sentAtMs: number, receivedAtMs: number): number {
    if (receivedAtMs - this.#sinceMs >= WINDOW_MS) {
      this.#leastBefore = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#sinceMs = receivedAtMs;
    }
    const took = receivedAtMs - sentAtMs;
    this.#least = Math.min(this.#least, took);
    return took - Math.min(this.#least, this.#leastBefore);
  }
}

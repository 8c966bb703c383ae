import {
  type ConnectionFailedEvent,
  type Field,
  Initiator,
  type MessageView,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { isRefusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS } from '../../domain/money/pair.js';
import { spotDate } from '../../domain/money/value-date.js';
import { wholePart } from './fix-entries.js';
import { type FixPriceSink, FixPrices, timeAt } from './fix-prices.js';
import { FixQuotes } from './fix-quotes.js';
import { type FixSettings, fixSettings } from './fix-settings.js';
import { enterProvider, type Feed, type FeedDeps } from './port.js';
import { pairOfBytes } from './symbol-bytes.js';

/** Messages that a provider may send without a request are ignored, not rejected. */
const SUPPORTED = new Set(['W', 'X', 'Y', 'j', 'h', 'f', 'B', 'S', 'i', 'Z', 'AG', 'AI', 'y', 'd']);
// As market data venues demand it of those whose request they have refused.
const RESUBSCRIBE_MS = 60_000;
/** The operator is warned of a provider that has not accepted the logon by then. */
const LOGON_MS = 15_000;
const HOUR_MS = 3_600_000;
/** A request that has run out no sooner than this after it was sent is sent again at once. */
const ASK_AGAIN_MS = 1_000;
const UNKNOWN_DATE = -2;
const DASH = 0x2d;
/** Where a refusal has the id of our request: QuoteRequestReject(AG), MarketDataRequestReject(Y), BusinessMessageReject(j). */
const REFUSED_ID: Readonly<Record<string, number>> = {
  AG: Tag.QuoteReqID,
  Y: Tag.MDReqID,
  j: Tag.BusinessRejectRefID,
};
/** QuoteStatus(297) of a quote that is over: cancelled, rejected, removed, expired, not found, passed. */
const ENDED = new Set(['1', '2', '3', '4', '5', '6', '7', '9', '11', '14', '15']);
const EXPIRED = '7';

/**
 * `fix://user:password@host:port?sender=US&target=THEM[&version=4.4&symbols=EURUSD+USDJPY&style=EUR/USD&update=0&depth=1&request=V&dictionary=FILE&
 * heartbeat=30&interval=30&reset=Y&provider=NAME&logon.TAG=VALUE]`; fixs:// is TLS. Throws FeedSettingError.
 */
export function createFixFeed(spec: string, deps: FeedDeps): Feed {
  return new FixFeed(fixSettings(spec), deps);
}

/** Reads a provider's W and X, MassQuote(i) and Quote(S): logs on, subscribes to each pair, retries after a reject, reconnects after a loss. */
class FixFeed implements Feed {
  readonly name: string;
  readonly #settings: FixSettings;
  readonly #book: FeedDeps['book'];
  readonly #log: FeedDeps['log'];
  readonly #wallNow: () => number;
  readonly #now: () => number;
  readonly #prices: FixPrices;
  readonly #quotes: FixQuotes;
  /** Spot dates of this hour by pair, 20251124; 0: not asked for yet, -1: unknown. */
  readonly #spotDates = new Int32Array(PAIRS.length);
  #spotDatesOf = 0;
  #hasOtherDates = false;
  readonly #initiator: Initiator;
  /** The number in the id of each pair's live request, 0 without one, and when it was sent. */
  readonly #liveRequest = new Float64Array(PAIRS.length);
  readonly #askedAtMs = new Float64Array(PAIRS.length);
  readonly #askingAgain = new Map<number, NodeJS.Timeout>();
  #provider = 0;
  #requests = 0;
  /** How long ago the message that is read was first sent, by the provider's clock; 0: now. */
  #resentAgeMs = 0;
  /** Code of the last failed connection, until a logon. */
  #failure: string | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};

  constructor(settings: FixSettings, deps: FeedDeps) {
    this.#settings = settings;
    this.name = `fix:${settings.provider}`;
    this.#book = deps.book;
    this.#log = deps.log;
    this.#wallNow = deps.wallNow ?? Date.now;
    this.#now = deps.now ?? (() => performance.now());
    const sink: FixPriceSink = {
      tick: (pair, ladder, sourceTimeUs, endsAtMs, entries) => {
        const { bid, offer } = ladder;
        const { maxAgeMs } = this.#book;
        // A price that ends by itself before it is too old is so much older already.
        const ownAgeMs = endsAtMs === Number.POSITIVE_INFINITY ? 0 : maxAgeMs - (endsAtMs - this.#now());
        const ageMs = Math.max(this.#resentAgeMs, ownAgeMs);
        if (ageMs > 0) this.#book.readAgeMs = ageMs + this.#book.waitedMs();
        this.#book.origin.isKnown = true;
        entries.readId(true, this.#book.origin.bid.id);
        entries.readId(false, this.#book.origin.offer.id);
        this.#book.tick(
          this.#provider,
          pair,
          bid.price[0]!,
          offer.price[0]!,
          bid.size[0]!,
          offer.size[0]!,
          sourceTimeUs || this.#wallNow() * 1000,
          0,
          ladder,
        );
      },
      withdraw: (pair) => this.#book.withdraw(this.#provider, pair),
      malformed: () => this.#book.malformed(this.#provider),
      spotDate: (pair) => this.#spotDate(pair),
      otherDate: (pair, settlDate) => this.#otherDate(pair, settlDate),
      unknownPair: () => this.#book.unknownPair(this.#provider),
    };
    this.#prices = new FixPrices(sink);
    this.#quotes = new FixQuotes(sink, (message, field) => this.#requested(message, field), this.#now);
    const { host, port, beginString, senderCompId, targetCompId, heartBtInt, logonFields, reconnect, resetOnLogon } =
      settings;
    this.#initiator = new Initiator({
      host,
      port,
      beginString,
      // A provider's dialect is no reason to reject its messages, unless its dictionary is known.
      dictionary: settings.dictionary,
      senderCompId,
      targetCompId,
      heartBtInt,
      logonFields,
      resetOnLogon,
      reconnect,
      ...(settings.isTls && { tls: { servername: host } }),
      store: memoryStoreFactory(),
      ...(deps.messageLog && { log: deps.messageLog }),
      profile: profile({ supported: SUPPORTED }),
      application: {
        onLogon: (session) => this.#loggedOn(session),
        onMessage: (session, message) => this.#received(session, message),
        onLogout: (_session, reason) => this.#loggedOut(reason),
        onEvent: (session, event) => {
          if (event.kind === 'garbled') this.#book.malformed(this.#provider);
          else if (event.kind === 'connection-failed') this.#connectionFailed(event, session !== undefined);
          else if (event.kind === 'peer-rejected')
            this.#log.warn({ feed: this.name, detail: event.detail }, 'provider rejected one of our messages');
        },
      },
    });
  }

  start(): Promise<void> {
    // TCP keeps the order: a price with an older MDEntryTime(273) is still the newer one.
    this.#provider = enterProvider(this.#book, this.#settings.provider, { ordered: true });
    this.#unsubscribe = this.#book.onStall(() => this.#stalled());
    this.#initiator.start();
    this.#waiting = setTimeout(() => {
      this.#log.warn(
        { feed: this.name },
        'provider not logged on: check host, port, CompIDs, user and password in FEED',
      );
    }, LOGON_MS);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#unsubscribe();
    await this.#initiator.stop();
    this.#forget();
    this.#book.providerDown(this.#provider);
  }

  /** Input pending in the connection cannot be distinguished from new input: no input after our Logout(5) is processed. */
  #stalled(): void {
    this.#log.warn({ feed: this.name }, 'this process stalled: logging on again');
    this.#initiator.session?.logout('the engine stood still');
  }

  #loggedOn(session: Session): void {
    clearTimeout(this.#waiting);
    this.#failure = undefined;
    this.#forget();
    this.#book.providerUp(this.#provider);
    this.#log.info({ feed: this.name }, 'provider logged on');
    for (const pair of this.#settings.pairs) this.#ask(session, pair);
  }

  /** Logged once for each cause until it changes. The end of a session is reported by `onLogout`. */
  #connectionFailed({ detail, code, text }: ConnectionFailedEvent, hadSession: boolean): void {
    if (!hadSession) this.#book.providerDown(this.#provider, `${detail}: ${text}`);
    if (this.#failure === code) return;
    this.#failure = code;
    this.#log.warn({ feed: this.name, cause: detail, reason: text.slice(0, 200) }, 'provider connection failed');
  }

  #loggedOut(reason: string): void {
    this.#forget();
    this.#book.providerDown(this.#provider, reason);
    this.#log.warn({ feed: this.name, reason: reason.slice(0, 200) }, 'provider away: its prices are withdrawn');
  }

  #spotDate(pair: number): number {
    const nowMs = this.#wallNow();
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#spotDatesOf) {
      this.#spotDatesOf = hour;
      this.#spotDates.fill(0);
    }
    if (this.#spotDates[pair] === 0) {
      const found = spotDate(PAIRS[pair], nowMs);
      this.#spotDates[pair] = isRefusal(found) ? UNKNOWN_DATE : Number(found.date);
    }
    return this.#spotDates[pair];
  }

  /** Our prices are for spot: those of other dates are passed over, and logged once. */
  #otherDate(pair: number, settlDate: number): void {
    if (this.#hasOtherDates) return;
    this.#hasOtherDates = true;
    this.#log.info(
      { feed: this.name, symbol: PAIRS[pair].symbol, settlDate, spot: this.#spotDate(pair) },
      'provider quotes other dates too: only spot is used',
    );
  }

  /** The pair of the live request that a field names, -1 where there is none. Ours are `EURUSD-12`. */
  #requested(message: MessageView, field: number): number {
    if (field < 0) return -1;
    const start = message.valueStartAt(field);
    const end = message.valueEndAt(field);
    if (end - start < 8 || message.buffer[start + 6] !== DASH) return -1;
    const pair = pairOfBytes(message.buffer, start, start + 6);
    return pair >= 0 && this.#liveRequest[pair] === wholePart(message.buffer, start + 7, end) ? pair : -1;
  }

  #received(session: Session, message: MessageView): void {
    const { msgType } = message;
    this.#resentAgeMs = message.flag(Tag.PossDupFlag) ? resentAgeMs(message, this.#book.maxAgeMs) : 0;
    if (msgType === 'W') this.#prices.snapshot(message, this.#requested(message, message.find(Tag.MDReqID)));
    else if (msgType === 'X') this.#prices.incremental(message, this.#requested(message, message.find(Tag.MDReqID)));
    else if (msgType === 'i') this.#massQuoted(session, message);
    else if (msgType === 'S') this.#quotes.quote(message);
    else if (msgType === 'Z') this.#quotes.cancel(message);
    else if (msgType === 'AI') this.#reported(session, message);
    else {
      const refused = REFUSED_ID[msgType];
      if (refused !== undefined)
        this.#refused(session, this.#requested(message, message.find(refused)), message.string(Tag.Text));
    }
  }

  /** QuoteStatusReport(AI) of a state in which a request is over: the pair is asked for again. */
  #reported(session: Session, message: MessageView): void {
    const status = message.string(Tag.QuoteStatus) ?? '';
    const pair = this.#quotes.reportedPair(message);
    if (pair < 0 || !ENDED.has(status)) return;
    // A stream that has run out; one that ends as soon as it is asked for is not asked for without a pause.
    const isAsked = this.#liveRequest[pair] > 0 && this.#now() > this.#askedAtMs[pair] + ASK_AGAIN_MS;
    if (status === EXPIRED && isAsked) {
      this.#withdraw(pair);
      this.#ask(session, pair);
    } else this.#refused(session, pair, message.string(Tag.Text) ?? `QuoteStatus ${status}`);
  }

  /** MassQuoteAcknowledgement(b), as QuoteResponseLevel(301) asks: 0 none, 1 of a fault alone, 2 of each. */
  #massQuoted(session: Session, message: MessageView): void {
    const fault = this.#quotes.massQuote(message);
    const levelAt = message.find(Tag.QuoteResponseLevel);
    if (levelAt < 0) return;
    const level = message.buffer[message.valueStartAt(levelAt)] - 0x30;
    if (level !== 2 && !(level === 1 && fault)) return;
    const request = message.string(Tag.QuoteReqID);
    const quoteId = message.string(Tag.QuoteID);
    session.send('b', [
      ...(request === undefined ? [] : ([[Tag.QuoteReqID, request]] as const)),
      ...(quoteId === undefined ? [] : ([[Tag.QuoteID, quoteId]] as const)),
      [Tag.QuoteStatus, fault ? 5 : 0],
      ...(fault ? ([[Tag.QuoteRejectReason, fault.reason]] as const) : []),
      [Tag.QuoteResponseLevel, level],
      ...(fault ? ([[Tag.Text, fault.text]] as const) : []),
    ]);
  }

  #ask(session: Session, pair: number): void {
    const { between, depth, updateType, amount } = this.#settings;
    const { base, quote } = PAIRS[pair];
    const request = `${base}${quote}-${++this.#requests}`;
    this.#liveRequest[pair] = this.#requests;
    this.#askedAtMs[pair] = this.#now();
    const symbol = `${base}${between}${quote}`;
    if (this.#settings.request === 'R') {
      session.send('R', [
        [Tag.QuoteReqID, request],
        [Tag.NoRelatedSym, 1],
        [Tag.Symbol, symbol],
        [Tag.QuoteType, 1],
        [Tag.OrderQty, amount],
        [Tag.Currency, base],
      ]);
      return;
    }
    const update: Field[] = updateType === undefined ? [] : [[Tag.MDUpdateType, updateType]];
    session.send('V', [
      [Tag.MDReqID, request],
      [Tag.SubscriptionRequestType, 1],
      [Tag.MarketDepth, depth],
      ...update,
      [Tag.NoMDEntryTypes, 2],
      [Tag.MDEntryType, 0],
      [Tag.MDEntryType, 1],
      [Tag.NoRelatedSym, 1],
      [Tag.Symbol, symbol],
    ]);
  }

  #refused(session: Session, pair: number, text: string | undefined): void {
    if (pair < 0) return;
    this.#withdraw(pair);
    this.#liveRequest[pair] = 0;
    if (this.#askingAgain.has(pair)) return;
    const symbol = PAIRS[pair].symbol;
    this.#log.warn(
      { feed: this.name, symbol, text: text?.slice(0, 200) },
      'provider refused a pair; asking again in 60 s',
    );
    const timer = setTimeout(() => {
      this.#askingAgain.delete(pair);
      if (session.loggedOn) this.#ask(session, pair);
    }, RESUBSCRIBE_MS);
    this.#askingAgain.set(pair, timer);
  }

  // What was sent of a request that is over does not apply to the next one.
  #withdraw(pair: number): void {
    this.#prices.forget(pair);
    this.#quotes.withdraw(pair);
  }

  // Requests and entries of the old session do not apply to a new one.
  #forget(): void {
    for (const timer of this.#askingAgain.values()) clearTimeout(timer);
    this.#askingAgain.clear();
    this.#liveRequest.fill(0);
    this.#prices.clear();
    this.#quotes.clear();
  }
}

/** Ms between OrigSendingTime(122) and SendingTime(52); without them the price is too old. */
function resentAgeMs(message: MessageView, maxAgeMs: number): number {
  const ageMs = timeAt(message, message.find(Tag.SendingTime)) - timeAt(message, message.find(Tag.OrigSendingTime));
  return ageMs >= 0 ? ageMs : maxAgeMs + 1;
}

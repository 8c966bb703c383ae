import { type Field, Initiator, type MessageView, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS } from '../../domain/pair.js';
import { FixPrices } from './fix-prices.js';
import { type FixSettings, fixSettings } from './fix-settings.js';
import { enterProvider, type Feed, type FeedDeps } from './port.js';

/** Messages that a provider may send without a request are ignored, not rejected. */
const SUPPORTED = new Set(['W', 'X', 'Y', 'j', 'h', 'f', 'B', 'S', 'i', 'y', 'd']);
// As market data venues demand it of those whose request they have refused.
const RESUBSCRIBE_MS = 60_000;
/** The operator is warned of a provider that has not accepted the logon by then. */
const LOGON_MS = 15_000;

/**
 * `fix://user:password@host:port?sender=US&target=THEM[&version=4.4&symbols=EURUSD+USDJPY&style=EUR/USD&update=0&depth=1&
 * heartbeat=30&reset=Y&provider=NAME&logon.TAG=VALUE]`; fixs:// is TLS. Throws FeedSettingError.
 */
export function createFixFeed(spec: string, deps: FeedDeps): Feed {
  return new FixFeed(fixSettings(spec), deps);
}

/** Reads a provider's W and X: logs on, subscribes to each pair, retries after a reject, reconnects after a loss. */
class FixFeed implements Feed {
  readonly name: string;
  readonly #settings: FixSettings;
  readonly #book: FeedDeps['book'];
  readonly #log: FeedDeps['log'];
  readonly #wallNow: () => number;
  readonly #prices: FixPrices;
  readonly #initiator: Initiator;
  readonly #pairOfRequest = new Map<string, number>();
  readonly #askingAgain = new Map<number, NodeJS.Timeout>();
  #provider = 0;
  #requests = 0;
  #waiting: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};

  constructor(settings: FixSettings, deps: FeedDeps) {
    this.#settings = settings;
    this.name = `fix:${settings.provider}`;
    this.#book = deps.book;
    this.#log = deps.log;
    this.#wallNow = deps.wallNow ?? Date.now;
    this.#prices = new FixPrices({
      tick: (pair, ladder, sourceTimeUs) => {
        const { bid, offer } = ladder;
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
      unknownPair: () => this.#book.unknownPair(this.#provider),
    });
    const { host, port, beginString, senderCompId, targetCompId, heartBtInt, logonFields, resetOnLogon } = settings;
    this.#initiator = new Initiator({
      host,
      port,
      beginString,
      // A provider's dialect is no reason to reject its messages.
      dictionary: 'none',
      senderCompId,
      targetCompId,
      heartBtInt,
      logonFields,
      resetOnLogon,
      ...(settings.isTls && { tls: { servername: host } }),
      store: memoryStoreFactory(),
      ...(deps.messageLog && { log: deps.messageLog }),
      profile: profile({ supported: SUPPORTED }),
      application: {
        onLogon: (session) => this.#loggedOn(session),
        onMessage: (session, message) => this.#received(session, message),
        onLogout: (_session, reason) => this.#loggedOut(reason),
        onEvent: (_session, { kind, detail }) => {
          if (kind === 'garbled') this.#book.malformed(this.#provider);
          else if (kind === 'peer-rejected')
            this.#log.warn({ feed: this.name, detail }, 'provider rejected one of our messages');
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
    this.#forget();
    this.#book.providerUp(this.#provider);
    this.#log.info({ feed: this.name }, 'provider logged on');
    for (const pair of this.#settings.pairs) this.#ask(session, pair);
  }

  #loggedOut(reason: string): void {
    this.#forget();
    this.#book.providerDown(this.#provider);
    this.#log.warn({ feed: this.name, reason: reason.slice(0, 200) }, 'provider away: its prices are withdrawn');
  }

  #received(session: Session, message: MessageView): void {
    const pair = this.#pairOfRequest.get(message.string(Tag.MDReqID) ?? '') ?? -1;
    if (message.msgType === 'W') this.#prices.snapshot(message, pair);
    else if (message.msgType === 'X') this.#prices.incremental(message, pair);
    else if (message.msgType === 'Y') this.#refused(session, pair, message.string(Tag.Text));
    else if (message.msgType === 'j')
      this.#refused(
        session,
        this.#pairOfRequest.get(message.string(Tag.BusinessRejectRefID) ?? '') ?? -1,
        message.string(Tag.Text),
      );
  }

  #ask(session: Session, pair: number): void {
    const { between, depth, updateType } = this.#settings;
    const { base, quote } = PAIRS[pair];
    const request = `${base}${quote}-${++this.#requests}`;
    this.#pairOfRequest.set(request, pair);
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
      [Tag.Symbol, `${base}${between}${quote}`],
    ]);
  }

  #refused(session: Session, pair: number, text: string | undefined): void {
    if (pair < 0 || this.#askingAgain.has(pair)) return;
    const symbol = PAIRS[pair].symbol;
    this.#log.warn(
      { feed: this.name, symbol, text: text?.slice(0, 200) },
      'provider refused a pair; asking again in 60 s',
    );
    this.#book.withdraw(this.#provider, pair);
    for (const [request, requested] of this.#pairOfRequest) if (requested === pair) this.#pairOfRequest.delete(request);
    const timer = setTimeout(() => {
      this.#askingAgain.delete(pair);
      if (session.loggedOn) this.#ask(session, pair);
    }, RESUBSCRIBE_MS);
    this.#askingAgain.set(pair, timer);
  }

  // Requests and entries of the old session do not apply to a new one.
  #forget(): void {
    for (const timer of this.#askingAgain.values()) clearTimeout(timer);
    this.#askingAgain.clear();
    this.#pairOfRequest.clear();
    this.#prices.clear();
  }
}

import WebSocket from 'ws';
import { PAIRS } from '../../domain/money/pair.js';
import { BackOff } from './back-off.js';
import { decodedUserPart, enterProvider, type Feed, type FeedDeps, FeedSettingError, mustBeKnown } from './port.js';
import { pairOfSymbol, symbolsOf } from './symbol-bytes.js';
import { type FrameKind, TickFrame } from './tick-frame.js';
import { DIRECT_PAIRS } from './walk.js';

const MAX_FRAME_BYTES = 65_536;
const HANDSHAKE_MS = 5_000;
const PING_MS = 5_000;
const DEAD_MS = 15_000;
// A provider whose count never fits ours gets no new subscription at each tick.
const RESUBSCRIBE_MS = 5_000;

interface Settings {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly provider: string;
  readonly symbols: readonly string[];
}

/**
 * `ws://[key:secret@]host:port/path[#provider=NAME&symbols=EURUSD+USDJPY]`, or wss. The part after # is ours and is not sent.
 * Without symbols every pair that the market quotes directly is subscribed to. Throws FeedSettingError.
 */
export function createWebSocketFeed(spec: string, deps: FeedDeps): Feed {
  return new WebSocketFeed(settingsOf(spec), deps);
}

function settingsOf(spec: string): Settings {
  if (!URL.canParse(spec)) throw new FeedSettingError('no URL; write ws://host:port/path');
  const url = new URL(spec);
  const options = new URLSearchParams(url.hash.slice(1));
  mustBeKnown(options.keys(), /^(provider|symbols)$/, '#provider=NAME&symbols=EURUSD+USDJPY');
  const [key, secret] = [decodedUserPart(url.username), decodedUserPart(url.password)];
  url.hash = '';
  url.username = '';
  url.password = '';
  const provider = options.get('provider') ?? url.host.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 32);
  if (!/^[A-Za-z0-9._-]{1,32}$/.test(provider))
    throw new FeedSettingError(`provider=... of ${url.host} must be 1 to 32 of A-Z a-z 0-9 . _ -`);
  const requested = options.get('symbols');
  const symbols = requested === null ? DIRECT_PAIRS : symbolsOf(requested);
  return { url: url.href, key, secret, provider, symbols: symbols.map((pair) => pair.symbol) };
}

/** Takes a provider's ticks over a WebSocket: authenticates, subscribes, pings, notices gaps, and comes back when it is thrown out. */
class WebSocketFeed implements Feed {
  readonly name: string;
  readonly #settings: Settings;
  readonly #book: FeedDeps['book'];
  readonly #log: FeedDeps['log'];
  readonly #now: () => number;
  readonly #wallNow: () => number;
  #provider = 0;
  readonly #backOff = new BackOff();
  readonly #gaps = new GapWatch();
  readonly #frame = new TickFrame();
  #socket: WebSocket | undefined;
  #pinging: NodeJS.Timeout | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #readAtMs = 0;
  #subscribedAtMs = 0;
  #hasComplained = false;
  #isStopped = false;
  #isOld = false;
  #unsubscribe: () => void = () => {};

  constructor(settings: Settings, deps: FeedDeps) {
    this.#settings = settings;
    this.name = `ws:${settings.provider}`;
    this.#book = deps.book;
    this.#log = deps.log;
    this.#now = deps.now ?? (() => performance.now());
    this.#wallNow = deps.wallNow ?? Date.now;
  }

  start(): Promise<void> {
    this.#provider = enterProvider(this.#book, this.#settings.provider);
    this.#unsubscribe = this.#book.onStall((stalledMs) => this.#stalled(stalledMs));
    this.#connect();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearTimeout(this.#reconnecting);
    const socket = this.#socket;
    if (!socket) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.terminate();
    });
  }

  #connect(): void {
    const socket = new WebSocket(this.#settings.url, {
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      // The scanner reads bytes; a message that is not ASCII cannot be a tick.
      skipUTF8Validation: true,
    });
    this.#socket = socket;
    // Before ws reads them: all frames of one read carry the time of that read.
    socket.on('upgrade', (response) => {
      response.socket.prependListener('data', () => {
        this.#readAtMs = this.#now();
      });
    });
    socket.on('open', () => this.#opened());
    socket.on('message', (bytes: Buffer) => this.#received(bytes));
    // Its close follows.
    socket.on('error', (error) =>
      this.#log.warn({ feed: this.name, reason: error.message }, 'provider connection failed'),
    );
    socket.on('close', (code, text) =>
      this.#closed(`closed with ${code}${text.length > 0 ? ` ${text.toString('latin1').slice(0, 123)}` : ''}`),
    );
  }

  #opened(): void {
    this.#readAtMs = this.#now();
    this.#hasComplained = false;
    this.#gaps.reset();
    this.#book.providerUp(this.#provider);
    this.#log.info({ feed: this.name }, 'provider connected');
    const { key, secret } = this.#settings;
    if (key !== '') this.#send({ op: 'auth', key, secret });
    else this.#subscribe();
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
  }

  #closed(reason: string): void {
    clearInterval(this.#pinging);
    this.#socket = undefined;
    this.#book.providerDown(this.#provider, this.#isStopped ? undefined : reason);
    if (this.#isStopped) return;
    const waitMs = this.#isOld ? 0 : this.#backOff.next();
    this.#isOld = false;
    this.#log.warn({ feed: this.name, reason, waitMs: Math.round(waitMs) }, 'provider away: its prices are withdrawn');
    this.#reconnecting = setTimeout(() => this.#connect(), waitMs);
  }

  /** Input pending in the connection cannot be distinguished from new input: it is dropped with the connection. */
  #stalled(stalledMs: number): void {
    if (!this.#socket) return;
    this.#log.warn({ feed: this.name, stalledMs: Math.round(stalledMs) }, 'this process stalled: reconnecting');
    this.#isOld = true;
    this.#socket.removeAllListeners('message');
    this.#socket.terminate();
  }

  #received(bytes: Buffer): void {
    const frame = this.#frame;
    let kind = frame.scan(bytes);
    if (kind === 'other') kind = this.#parsed(bytes);
    if (kind === 'tick' || kind === 'withdrawal') {
      if (frame.sequence !== 0 && this.#gaps.record(frame.pair, frame.sequence)) this.#resubscribeAfterGap();
      this.#backOff.reset();
    }
    if (kind === 'tick') {
      this.#book.readAtMs = this.#readAtMs;
      if (frame.id.length > 0) {
        this.#book.origin.isKnown = true;
        this.#book.origin.bid.id.copy(frame.id);
        this.#book.origin.offer.id.copy(frame.id);
      }
      this.#book.tick(
        this.#provider,
        frame.pair,
        frame.bid,
        frame.offer,
        frame.bidSize,
        frame.offerSize,
        // A provider without a clock of its own: the moment of receipt is the best that is known.
        frame.sourceTimeUs || this.#wallNow() * 1000,
        frame.sequence,
        frame.ladder,
      );
    } else if (kind === 'withdrawal') this.#book.withdraw(this.#provider, frame.pair);
    else if (kind === 'unknown-pair') this.#book.unknownPair(this.#provider);
    else if (kind === 'malformed') this.#malformed();
  }

  // Everything but the common shape of a tick; 'other' when it has been dealt with.
  #parsed(bytes: Buffer): FrameKind {
    const message = parseObject(bytes);
    if (!message) return 'malformed';
    switch (message.op) {
      case undefined:
      case 'tick':
        return this.#scanPlain(message);
      case 'auth':
        if (message.ok === true) this.#subscribe();
        else {
          this.#log.warn({ feed: this.name }, 'provider refused key or secret: check the user part of its URL in FEED');
          this.#socket?.terminate();
        }
        return 'other';
      case 'stale': {
        const pair = pairOfSymbol(String(message.s));
        if (pair < 0) return 'unknown-pair';
        this.#book.withdraw(this.#provider, pair);
        return 'other';
      }
      case 'ping':
        this.#send({ op: 'pong', t: message.t });
        return 'other';
      default:
        // pong, subscribed, and what a provider may add.
        return 'other';
    }
  }

  #scanPlain(message: Record<string, unknown>): FrameKind {
    const kind = this.#frame.scan(plainTick(message));
    return kind === 'other' ? 'malformed' : kind;
  }

  #malformed(): void {
    this.#book.malformed(this.#provider);
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#log.warn({ feed: this.name }, 'provider sent a frame that is no tick; further ones are only counted');
  }

  #resubscribeAfterGap(): void {
    if (this.#readAtMs < this.#subscribedAtMs + RESUBSCRIBE_MS) return;
    this.#log.warn({ feed: this.name }, 'provider skipped numbers: subscribing again');
    this.#subscribe();
  }

  #subscribe(): void {
    this.#subscribedAtMs = this.#now();
    this.#send({ op: 'subscribe', symbols: this.#settings.symbols });
  }

  // By word and by protocol: a provider that knows only ticks still answers the protocol's ping.
  #ping(): void {
    if (this.#now() - this.#readAtMs > DEAD_MS) {
      this.#log.warn({ feed: this.name }, 'provider silent for 15 s: reconnecting');
      this.#socket?.terminate();
      return;
    }
    this.#socket?.ping();
    this.#send({ op: 'ping', t: this.#wallNow() });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

// A tick that the scanner could not read, in the shape that it can. A number becomes its shortest text, which up to 15 digits is what
// the provider wrote.
function plainTick({ s, b, a, bs, as, bids, asks, t, n, id }: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify({ s, b, a, bs, as, bids, asks, t, n, id }));
}

/**
 * Watches a stream's own count for gaps. Some providers count per connection and some per pair, and do not announce which: a
 * number is in order when it follows either.
 */
class GapWatch {
  #last = 0;
  readonly #lastOfPair = new Float64Array(PAIRS.length);

  /** True when ticks before this one are missing. A count of 0 is none. */
  record(pair: number, count: number): boolean {
    if (count === 0) return false;
    const last = this.#last;
    const lastOfPair = this.#lastOfPair[pair];
    this.#last = count;
    this.#lastOfPair[pair] = count;
    return last !== 0 && count > last + 1 && count !== lastOfPair + 1;
  }

  /** A new connection counts anew. */
  reset(): void {
    this.#last = 0;
    this.#lastOfPair.fill(0);
  }
}

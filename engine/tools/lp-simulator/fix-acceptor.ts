import type { Socket } from 'node:net';
import {
  Acceptor,
  Dictionary,
  type Field,
  fileStoreFactory,
  formatUtcTimestamp,
  formatUtcTimestampMicros,
  type MessageView,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { isRefusal } from '../../domain/core/refusal.js';
import { FIX_DICTIONARY, readProjectFile } from '../../domain/data/data-file.js';
import * as Tag from '../../domain/fix/tags.js';
import type { LadderSide } from '../../domain/money/ladder.js';
import { spotDate } from '../../domain/money/value-date.js';
import { pairOfSymbol } from '../../rates/feeds/symbol-bytes.js';
import { type LpServer, type LpTerms, type LpTick, levelsOf, MAX_CLIENTS, priceText } from './lp-tick.js';
import { OrderDesk } from './order-desk.js';

/** How prices are shown: W and X, MassQuote(i), or to a QuoteRequest(R) Quote(S). */
type Form = 'prices' | 'mass-quotes' | 'quotes';

/** One live MarketDataRequest(V) or QuoteRequest(R). */
interface Stream {
  readonly session: Session;
  readonly form: Form;
  /** MDReqID(262) or QuoteReqID(131). */
  readonly requestId: string;
  /** As the client writes it. */
  readonly symbol: string;
  readonly pair: number;
  /** MarketDepth(264): 0 is every level. */
  readonly depth: number;
  readonly isIncremental: boolean;
  isBegun: boolean;
  /** Quotes sent: the last part of QuoteID(117). */
  count: number;
}

const MAX_STREAMS = 10_000;
/** From a Quote(S) to its ValidUntilTime(62). */
const QUOTE_MS = 60_000;
/** Acknowledgements. */
const MAX_KEPT = 1_000;
const SUPPORTED = new Set(['V', 'R', 'b', 'D', 'H', 'AD']);
/** Reports are resent; of prices only the next ones are wanted. */
const PROFILE = profile({ supported: SUPPORTED, stored: new Set(['8', 'AE']) });

/** What a provider may do beyond FIX 4.4, or instead of W and X. */
export interface FixDialect {
  /** V is answered by MassQuote(i). */
  readonly massQuotes?: boolean | undefined;
  /** Each entry has SettlDate(64), which FIX 4.4 does not have there: of spot, and one of a later date beside it. */
  readonly settlDates?: boolean | undefined;
}

/** What the FIX server keeps over a restart; without it nothing. */
export interface FixKept {
  /** A file of the orders taken and filled. */
  readonly orders?: string | undefined;
  /** A directory of sequence numbers and reports; without it they are kept as long as the provider runs. */
  readonly store?: string | undefined;
}

/**
 * A FIX 4.4 provider: W for each tick, or X after the first W where MDUpdateType(265)=1; MassQuote(i) instead; to a QuoteRequest(R) Quote(S)
 * for each tick, until the Logout(5) or `expireQuotes`. A QuoteCancel(Z) is its own, and the next Quote(S) follows. Orders are dealt as OrderDesk
 * says. Any CompIDs; loopback only.
 */
export async function openFixAcceptor(
  port: number,
  terms: LpTerms,
  dialect: FixDialect = {},
  kept: FixKept = {},
): Promise<FixLpServer> {
  const streams = new Set<Stream>();
  const acknowledged: string[] = [];
  const sockets = new Map<string, Socket>();
  const orders = new OrderDesk(terms, { cut: (session) => sockets.get(session.remoteAddress)?.destroy() }, kept.orders);
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port,
    dictionary: Dictionary.parse(readProjectFile(FIX_DICTIONARY)),
    store:
      kept.store === undefined ? memoryStoreFactory() : fileStoreFactory({ directory: kept.store, sync: 'interval' }),
    limits: { maxConnections: MAX_CLIENTS },
    remoteAddress: (socket) => {
      const address = `${socket.remoteAddress}:${socket.remotePort}`;
      if (!sockets.has(address)) {
        sockets.set(address, socket);
        socket.once('close', () => sockets.delete(address));
      }
      return address;
    },
    application: {
      authenticate: ({ logon }) =>
        terms.key === undefined ||
        (logon.string(Tag.Username) === terms.key && logon.string(Tag.Password) === terms.secret)
          ? { accept: true, profile: PROFILE, reply: [], context: undefined }
          : { accept: false, text: 'Authentication failed', closeAfterMs: 100 },
      onLogon: (session) => orders.loggedOn(session),
      onMessage(session, message) {
        if (orders.onMessage(session, message)) return;
        if (message.msgType === 'V') onMarketDataRequest(session, message, streams, terms, dialect);
        else if (message.msgType === 'R') onQuoteRequest(session, message, streams, terms, dialect);
        else if (acknowledged.push(`${message.string(Tag.QuoteID)} ${message.string(Tag.QuoteStatus)}`) > MAX_KEPT)
          acknowledged.shift();
      },
      onLogout(session) {
        orders.loggedOut(session);
        for (const stream of streams) if (stream.session === session) streams.delete(stream);
      },
    },
  });
  const { port: listening } = await acceptor.listen();
  return {
    port: listening,
    tick(tick) {
      for (const stream of streams) if (stream.pair === tick.pair.index) send(stream, tick, dialect);
    },
    acknowledged,
    orders,
    cancelQuotes() {
      for (const stream of streams)
        if (stream.form === 'quotes')
          stream.session.send('Z', [
            [Tag.QuoteReqID, stream.requestId],
            [Tag.QuoteID, `${stream.requestId}-${stream.count}`],
            [Tag.QuoteCancelType, 1],
            [Tag.NoQuoteEntries, 1],
            [Tag.Symbol, stream.symbol],
          ]);
    },
    expireQuotes() {
      for (const stream of streams) {
        if (stream.form !== 'quotes') continue;
        streams.delete(stream);
        stream.session.send('AI', [
          [Tag.QuoteReqID, stream.requestId],
          [Tag.QuoteID, `${stream.requestId}-${stream.count}`],
          [Tag.Symbol, stream.symbol],
          [Tag.QuoteStatus, 7],
        ]);
      }
    },
    disconnect(reason = 'simulated disconnect') {
      for (const session of acceptor.sessions()) session.logout(reason);
    },
    async close() {
      await acceptor.stop('simulator closed');
      orders.close();
    },
  };
}

/** The simulator's FIX server, with what only FIX has. */
export interface FixLpServer extends LpServer {
  /** `<QuoteID(117)> <QuoteStatus(297)>` of each MassQuoteAcknowledgement(b). */
  readonly acknowledged: readonly string[];
  /** Orders that it has taken, and how it deals the next ones. */
  readonly orders: OrderDesk;
  /** QuoteCancel(Z) to every stream of quotes; its next Quote(S) follows with the next tick. */
  cancelQuotes(): void;
  /** QuoteStatusReport(AI) of expiry to every stream of quotes, which ends it. */
  expireQuotes(): void;
}

function onQuoteRequest(
  session: Session,
  message: MessageView,
  streams: Set<Stream>,
  terms: LpTerms,
  dialect: FixDialect,
): void {
  const requestId = message.string(Tag.QuoteReqID) ?? '';
  const symbol = message.groups(Tag.NoRelatedSym)[0]?.string(Tag.Symbol) ?? '';
  const pair = pairOfSymbol(symbol);
  if (pair < 0 || streams.size === MAX_STREAMS) {
    session.send('AG', [
      [Tag.QuoteReqID, requestId],
      [Tag.QuoteRequestRejectReason, pair < 0 ? 1 : 99],
      [Tag.NoRelatedSym, 1],
      [Tag.Symbol, symbol],
      [Tag.Text, pair < 0 ? `no ${symbol}` : 'too many streams'],
    ]);
    return;
  }
  const stream: Stream = {
    session,
    form: 'quotes',
    requestId,
    symbol,
    pair,
    depth: 1,
    isIncremental: false,
    isBegun: false,
    count: 0,
  };
  streams.add(stream);
  const last = terms.last(pair);
  if (last) send(stream, last, dialect);
}

function onMarketDataRequest(
  session: Session,
  message: MessageView,
  streams: Set<Stream>,
  terms: LpTerms,
  dialect: FixDialect,
): void {
  const requestId = message.string(Tag.MDReqID) ?? '';
  if (message.string(Tag.SubscriptionRequestType) !== '1') {
    for (const stream of streams)
      if (stream.session === session && stream.requestId === requestId) streams.delete(stream);
    return;
  }
  const symbols = message.groups(Tag.NoRelatedSym).map((entry) => entry.string(Tag.Symbol) ?? '');
  const unknown = symbols.find((symbol) => pairOfSymbol(symbol) < 0);
  if (unknown !== undefined || streams.size + symbols.length > MAX_STREAMS) {
    const reason: Field[] =
      unknown === undefined
        ? [
            [Tag.MDReqRejReason, 2],
            [Tag.Text, 'too many streams'],
          ]
        : [
            [Tag.MDReqRejReason, 0],
            [Tag.Text, `no ${unknown}`],
          ];
    session.send('Y', [[Tag.MDReqID, requestId], ...reason]);
    return;
  }
  for (const symbol of symbols) {
    const pair = pairOfSymbol(symbol);
    const depth = message.int(Tag.MarketDepth) ?? 1;
    const stream: Stream = {
      session,
      form: dialect.massQuotes ? 'mass-quotes' : 'prices',
      requestId,
      symbol,
      pair,
      depth,
      isIncremental: message.string(Tag.MDUpdateType) === '1',
      isBegun: false,
      count: 0,
    };
    streams.add(stream);
    const last = terms.last(pair);
    if (last) send(stream, last, dialect);
  }
}

function send(stream: Stream, tick: LpTick, dialect: FixDialect): void {
  if (stream.session.congested) return;
  stream.count++;
  if (stream.form === 'prices') sendPrices(stream, tick, dialect);
  else if (stream.form === 'quotes') sendQuote(stream, tick, dialect);
  else sendMassQuote(stream, tick, dialect);
}

/** SettlDate(64) of spot, and of a later date whose prices are no spot's; none where the dialect has none. */
function datesOf({ pair, sourceTimeUs }: LpTick, { settlDates }: FixDialect): readonly (readonly Field[])[] {
  if (!settlDates) return [[]];
  const spot = spotDate(pair, sourceTimeUs / 1_000);
  return [[[Tag.SettlDate, isRefusal(spot) ? '19700101' : spot.date]], [[Tag.SettlDate, '20991231']]];
}

function sendPrices(stream: Stream, tick: LpTick, dialect: FixDialect): void {
  const { session, requestId, symbol, depth } = stream;
  const { pair, sourceTimeUs } = tick;
  const [day, time] = formatUtcTimestampMicros(sourceTimeUs).split('-');
  const when: readonly Field[] = [
    [Tag.MDEntryDate, day],
    [Tag.MDEntryTime, time],
  ];
  const isUpdate = stream.isIncremental && stream.isBegun;
  const { bid, offer } = levelsOf(tick);
  const most = depth === 0 ? bid.count : Math.min(depth, bid.count);
  const dates = datesOf(tick, dialect);
  const entries = (side: 0 | 1, { price, size }: LadderSide): readonly Field[] =>
    dates.flatMap((date, later) =>
      Array.from({ length: most }, (_, level): readonly Field[] => [
        ...(isUpdate ? ([[Tag.MDUpdateAction, 1]] as const) : []),
        [Tag.MDEntryType, side],
        ...(isUpdate
          ? ([
              [Tag.MDEntryID, `${symbol}.${'BO'[side]}.${level + 1}.${later}`],
              [Tag.Symbol, symbol],
            ] as const)
          : []),
        [Tag.MDEntryPx, priceText(price[level]!, pair)],
        [Tag.Currency, pair.base],
        [Tag.MDEntrySize, size[level]!],
        ...when,
        ...date,
        [Tag.MDEntryPositionNo, level + 1],
      ]).flat(),
    );
  const head: readonly Field[] = isUpdate
    ? [[Tag.MDReqID, requestId]]
    : [
        [Tag.MDReqID, requestId],
        [Tag.Symbol, symbol],
      ];
  stream.isBegun = true;
  const count: Field = [Tag.NoMDEntries, 2 * most * dates.length];
  session.send(isUpdate ? 'X' : 'W', [...head, count, ...entries(0, bid), ...entries(1, offer)]);
}

function sendQuote({ session, requestId, symbol, count }: Stream, tick: LpTick, dialect: FixDialect): void {
  const { pair } = tick;
  const { bid, offer } = levelsOf(tick);
  session.send('S', [
    [Tag.QuoteReqID, requestId],
    [Tag.QuoteID, `${requestId}-${count}`],
    [Tag.QuoteType, 1],
    [Tag.Symbol, symbol],
    ...datesOf(tick, dialect)[0]!,
    [Tag.BidPx, priceText(tick.bid, pair)],
    [Tag.OfferPx, priceText(tick.offer, pair)],
    [Tag.BidSize, bid.size[0]!],
    [Tag.OfferSize, offer.size[0]!],
    [Tag.ValidUntilTime, formatUtcTimestamp(Date.now() + QUOTE_MS)],
  ]);
}

function sendMassQuote({ session, requestId, symbol, count }: Stream, tick: LpTick, dialect: FixDialect): void {
  const { pair } = tick;
  const { bid, offer } = levelsOf(tick);
  const entries = datesOf(tick, dialect).flatMap((date, later) =>
    Array.from({ length: bid.count }, (_, level): readonly Field[] => [
      [Tag.QuoteEntryID, `${level + 1}.${later}`],
      [Tag.Symbol, symbol],
      [Tag.BidPx, priceText(bid.price[level]!, pair)],
      [Tag.OfferPx, priceText(offer.price[level]!, pair)],
      [Tag.BidSize, bid.size[level]!],
      [Tag.OfferSize, offer.size[level]!],
      ...date,
    ]),
  );
  session.send('i', [
    [Tag.QuoteID, `${requestId}-${count}`],
    [Tag.QuoteResponseLevel, 2],
    [Tag.NoQuoteSets, 1],
    [Tag.QuoteSetID, requestId],
    [Tag.TotNoQuoteEntries, entries.length],
    [Tag.NoQuoteEntries, entries.length],
    ...entries.flat(),
  ]);
}

import { readFileSync } from 'node:fs';
import {
  Acceptor,
  Dictionary,
  type Field,
  formatUtcTimestampMicros,
  type MessageView,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import type { LadderSide } from '../../domain/ladder.js';
import { projectFile } from '../feeds/port.js';
import { pairOfSymbol } from '../feeds/symbol-bytes.js';
import { type LpServer, type LpTerms, type LpTick, levelsOf, MAX_CLIENTS, priceText } from './lp-tick.js';

/** One live MarketDataRequest(V). */
interface Stream {
  readonly session: Session;
  readonly mdReqId: string;
  /** As the client writes it. */
  readonly symbol: string;
  readonly pair: number;
  /** MarketDepth(264): 0 is every level. */
  readonly depth: number;
  readonly isIncremental: boolean;
  isBegun: boolean;
}

const MAX_STREAMS = 10_000;
const PROFILE = profile({ supported: new Set(['V']), resetOnLogon: true });

/** A FIX 4.4 provider: W for each tick, or X after the first W where MDUpdateType(265)=1. Any CompIDs; loopback only. */
export async function openFixAcceptor(port: number, terms: LpTerms): Promise<LpServer> {
  const streams = new Set<Stream>();
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port,
    dictionary: Dictionary.parse(readFileSync(projectFile('fix-config/FIX44-ratewire.xml'), 'utf8')),
    store: memoryStoreFactory(),
    limits: { maxConnections: MAX_CLIENTS },
    application: {
      authenticate: ({ logon }) =>
        terms.key === undefined ||
        (logon.string(Tag.Username) === terms.key && logon.string(Tag.Password) === terms.secret)
          ? { accept: true, profile: PROFILE, reply: [], context: undefined }
          : { accept: false, text: 'Authentication failed', closeAfterMs: 100 },
      onLogon() {},
      onMessage: (session, message) => onMarketDataRequest(session, message, streams, terms),
      onLogout(session) {
        for (const stream of streams) if (stream.session === session) streams.delete(stream);
      },
    },
  });
  const { port: listening } = await acceptor.listen();
  return {
    port: listening,
    tick(tick) {
      for (const stream of streams) if (stream.pair === tick.pair.index) send(stream, tick);
    },
    disconnect() {
      for (const session of acceptor.sessions()) session.logout('simulated disconnect');
    },
    close: () => acceptor.stop('simulator closed'),
  };
}

function onMarketDataRequest(session: Session, message: MessageView, streams: Set<Stream>, terms: LpTerms): void {
  const mdReqId = message.string(Tag.MDReqID) ?? '';
  if (message.string(Tag.SubscriptionRequestType) !== '1') {
    for (const stream of streams) if (stream.session === session && stream.mdReqId === mdReqId) streams.delete(stream);
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
    session.send('Y', [[Tag.MDReqID, mdReqId], ...reason]);
    return;
  }
  for (const symbol of symbols) {
    const pair = pairOfSymbol(symbol);
    const depth = message.int(Tag.MarketDepth) ?? 1;
    const stream = {
      session,
      mdReqId,
      symbol,
      pair,
      depth,
      isIncremental: message.string(Tag.MDUpdateType) === '1',
      isBegun: false,
    };
    streams.add(stream);
    const last = terms.last(pair);
    if (last) send(stream, last);
  }
}

function send(stream: Stream, tick: LpTick): void {
  const { session, mdReqId, symbol, depth } = stream;
  if (session.congested) return;
  const { pair, sourceTimeUs } = tick;
  const [date, time] = formatUtcTimestampMicros(sourceTimeUs).split('-');
  const when: readonly Field[] = [
    [Tag.MDEntryDate, date],
    [Tag.MDEntryTime, time],
  ];
  const isUpdate = stream.isIncremental && stream.isBegun;
  const { bid, offer } = levelsOf(tick);
  const most = depth === 0 ? bid.count : Math.min(depth, bid.count);
  const entries = (side: 0 | 1, { price, size }: LadderSide): readonly Field[] =>
    Array.from({ length: most }, (_, level): readonly Field[] => [
      ...(isUpdate ? ([[Tag.MDUpdateAction, 1]] as const) : []),
      [Tag.MDEntryType, side],
      ...(isUpdate
        ? ([
            [Tag.MDEntryID, `${symbol}.${side === 0 ? 'B' : 'O'}.${level + 1}`],
            [Tag.Symbol, symbol],
          ] as const)
        : []),
      [Tag.MDEntryPx, priceText(price[level]!, pair)],
      [Tag.Currency, pair.base],
      [Tag.MDEntrySize, size[level]!],
      ...when,
      [Tag.MDEntryPositionNo, level + 1],
    ]).flat();
  const head: readonly Field[] = isUpdate
    ? [[Tag.MDReqID, mdReqId]]
    : [
        [Tag.MDReqID, mdReqId],
        [Tag.Symbol, symbol],
      ];
  stream.isBegun = true;
  session.send(isUpdate ? 'X' : 'W', [...head, [Tag.NoMDEntries, 2 * most], ...entries(0, bid), ...entries(1, offer)]);
}

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
import { projectFile } from '../feeds/port.js';
import { pairOfSymbol } from '../feeds/symbol-bytes.js';
import { LP_SIZE, type LpServer, type LpTerms, type LpTick, MAX_CLIENTS, priceText } from './lp-tick.js';

/** One live MarketDataRequest(V). */
interface Stream {
  readonly session: Session;
  readonly mdReqId: string;
  /** As the client writes it. */
  readonly symbol: string;
  readonly pair: number;
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
        terms.key === undefined || (logon.string(553) === terms.key && logon.string(554) === terms.secret)
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
  const mdReqId = message.string(262) ?? '';
  if (message.string(263) !== '1') {
    for (const stream of streams) if (stream.session === session && stream.mdReqId === mdReqId) streams.delete(stream);
    return;
  }
  const symbols = message.groups(146).map((entry) => entry.string(55) ?? '');
  const unknown = symbols.find((symbol) => pairOfSymbol(symbol) < 0);
  if (unknown !== undefined || streams.size + symbols.length > MAX_STREAMS) {
    const reason: Field[] =
      unknown === undefined
        ? [
            [281, 2],
            [58, 'too many streams'],
          ]
        : [
            [281, 0],
            [58, `no ${unknown}`],
          ];
    session.send('Y', [[262, mdReqId], ...reason]);
    return;
  }
  for (const symbol of symbols) {
    const pair = pairOfSymbol(symbol);
    const stream = { session, mdReqId, symbol, pair, isIncremental: message.string(265) === '1', isBegun: false };
    streams.add(stream);
    const last = terms.last(pair);
    if (last) send(stream, last);
  }
}

function send(stream: Stream, { pair, bid, offer, sourceTimeUs }: LpTick): void {
  const { session, mdReqId, symbol } = stream;
  if (session.congested) return;
  const [date, time] = formatUtcTimestampMicros(sourceTimeUs).split('-');
  const when: readonly Field[] = [
    [272, date],
    [273, time],
  ];
  const entry = (scaled: number): readonly Field[] => [
    [270, priceText(scaled, pair)],
    [15, pair.base],
    [271, LP_SIZE],
    ...when,
  ];
  if (stream.isIncremental && stream.isBegun) {
    const update = (side: 0 | 1, scaled: number): readonly Field[] => [
      [279, 1],
      [269, side],
      [278, `${symbol}.${side === 0 ? 'B' : 'O'}`],
      [55, symbol],
      ...entry(scaled),
    ];
    session.send('X', [[262, mdReqId], [268, 2], ...update(0, bid), ...update(1, offer)]);
    return;
  }
  stream.isBegun = true;
  session.send('W', [[262, mdReqId], [55, symbol], [268, 2], [269, 0], ...entry(bid), [269, 1], ...entry(offer)]);
}

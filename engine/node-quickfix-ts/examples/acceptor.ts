/**
 * A venue with known sessions: CLIENT1 and CLIENT2 trade and receive prices, DROP1 receives a copy of each fill.
 *
 *     npx tsx acceptor.ts FIX44.xml --port 5200 --store sessions
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  Acceptor,
  type Application,
  Dictionary,
  type Field,
  fileStoreFactory,
  formatUtcTimestamp,
  type MessageView,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { buildExecutionReport } from './fix44/messages/ExecutionReport.js';
import { readMarketDataRequest } from './fix44/messages/MarketDataRequest.js';
import { buildMarketDataSnapshotFullRefresh } from './fix44/messages/MarketDataSnapshotFullRefresh.js';
import { readNewOrderSingle } from './fix44/messages/NewOrderSingle.js';
import * as MsgType from './fix44/msg-types.js';
import * as Tag from './fix44/tags.js';
import { ExecType, MDEntryType, OrdStatus, OrdType, Side, SubscriptionRequestType } from './fix44/values.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    port: { type: 'string', default: '5200' },
    store: { type: 'string', default: 'sessions' },
  },
});
if (values.help) {
  console.log('npx tsx acceptor.ts [FIX44.xml] [--port 5200] [--store sessions]');
  process.exit();
}

/** Who may log on, with the Password(554) of the Logon(A). A real venue keeps digests. */
const PASSWORDS: Readonly<Record<string, string>> = { CLIENT1: 'secret-1', CLIENT2: 'secret-2', DROP1: 'secret-3' };
const DROP_COPY = 'DROP1';

const orders = profile({
  supported: new Set([MsgType.NewOrderSingle, MsgType.MarketDataRequest]),
  stored: new Set([MsgType.ExecutionReport]),
});
const copies = profile({ stored: new Set([MsgType.ExecutionReport]) });

/** What a session streams: the symbol, by MDReqID(262). */
type Streams = Map<string, string>;
const streaming = new Map<Session, Streams>();
/** Fills that the drop copy session has not been sent yet. */
const waiting: Field[][] = [];
let dropCopy: Session | undefined;
let executions = 0;

const application: Application = {
  authenticate({ id, logon }) {
    const password = PASSWORDS[id.targetCompId];
    // Without an answer: a stranger does not learn which CompIDs there are.
    if (password === undefined || logon.string(Tag.Password) !== password) return { accept: false, silent: true };
    return { accept: true, profile: id.targetCompId === DROP_COPY ? copies : orders, reply: [], context: undefined };
  },

  onLogon(session) {
    console.log(`${session.id.targetCompId} logged on`);
    if (session.id.targetCompId !== DROP_COPY) return;
    dropCopy = session;
    for (const fill of waiting.splice(0)) session.send(MsgType.ExecutionReport, fill);
  },

  onMessage(session, message) {
    if (message.msgType === MsgType.NewOrderSingle) fill(session, message);
    else if (message.msgType === MsgType.MarketDataRequest) subscribe(session, message);
  },

  onLogout(session, reason) {
    console.log(`${session.id.targetCompId} logged out: ${reason}`);
    streaming.delete(session);
    if (session === dropCopy) dropCopy = undefined;
  },
};

/** Each order is filled at once: a limit order at its limit, a market order at the price. */
function fill(session: Session, message: MessageView): void {
  const order = readNewOrderSingle(message);
  const price = order.OrdType === OrdType.LIMIT ? order.Price : priceText(order.Side === Side.BUY ? ask() : bid());
  if (price === undefined || order.OrderQty === undefined) {
    session.businessReject(message, 5, 'Price(44) and OrderQty(38) are needed');
    return;
  }
  executions += 1;
  const report = buildExecutionReport({
    OrderID: `O${executions}`,
    ClOrdID: order.ClOrdID,
    ExecID: `E${executions}`,
    ExecType: ExecType.TRADE,
    OrdStatus: OrdStatus.FILLED,
    Symbol: order.Symbol,
    Side: order.Side,
    OrderQty: order.OrderQty,
    LastQty: order.OrderQty,
    LastPx: price,
    LeavesQty: '0',
    CumQty: order.OrderQty,
    AvgPx: price,
    TransactTime: formatUtcTimestamp(Date.now()),
  });
  session.send(MsgType.ExecutionReport, report);
  console.log(
    `${session.id.targetCompId} ${order.Side === Side.BUY ? 'bought' : 'sold'} ${order.OrderQty} ${order.Symbol} at ${price}`,
  );
  if (dropCopy) dropCopy.send(MsgType.ExecutionReport, report);
  else waiting.push(report);
}

function subscribe(session: Session, message: MessageView): void {
  const request = readMarketDataRequest(message);
  const streams = streaming.get(session) ?? new Map<string, string>();
  if (request.SubscriptionRequestType === SubscriptionRequestType.DISABLE_PREVIOUS_SNAPSHOT)
    streams.delete(request.MDReqID);
  else for (const { Symbol: symbol } of request.NoRelatedSym) streams.set(request.MDReqID, symbol ?? '');
  streaming.set(session, streams);
}

/** The price in points of a hundred-thousandth: whole numbers, so that no digit is a rounding. */
let mid = 108_000;
const bid = (): number => mid - 5;
const ask = (): number => mid + 5;

function priceText(points: number): string {
  return `${Math.trunc(points / 100_000)}.${String(points % 100_000).padStart(5, '0')}`;
}

setInterval(() => {
  mid += Math.floor(Math.random() * 5) - 2;
  for (const [session, streams] of streaming) {
    // A peer that does not read gets no more until it does; then it gets the newest price, and not all that it missed.
    if (session.congested) continue;
    for (const [id, symbol] of streams) {
      const entries = [
        { MDEntryType: MDEntryType.BID, MDEntryPx: priceText(bid()), MDEntrySize: '1000000' },
        { MDEntryType: MDEntryType.OFFER, MDEntryPx: priceText(ask()), MDEntrySize: '1000000' },
      ];
      const snapshot = buildMarketDataSnapshotFullRefresh({ MDReqID: id, Symbol: symbol, NoMDEntries: entries });
      session.send(MsgType.MarketDataSnapshotFullRefresh, snapshot);
    }
  }
}, 100);

const acceptor = new Acceptor({
  port: Number(values.port),
  senderCompIds: ['VENUE'],
  dictionary: Dictionary.parse(readFileSync(positionals[0] ?? 'FIX44.xml', 'utf8')),
  store: fileStoreFactory({ directory: values.store }),
  application,
});
const { port } = await acceptor.listen();
console.log(`VENUE listens on port ${port}`);
process.once('SIGTERM', () => {
  // Logout(5) to each session, and their exact numbers to the store.
  void acceptor.stop().then(() => process.exit());
});

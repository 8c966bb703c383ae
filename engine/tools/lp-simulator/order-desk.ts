/** The order side of a simulated provider: market and limit orders, IOC and FOK, dealt at its own price of the moment. */
import type { Field, MessageView, Session } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS, type Pair } from '../../domain/money/pair.js';
import { pairOfSymbol } from '../../rates/feeds/symbol-bytes.js';
import { type LpTerms, levelsOf, priceText } from './lp-tick.js';
import { type OrderBehaviour, OrderFaults } from './order-faults.js';
import { type LpFill, type LpOrder, MAX_ORDERS, OrderList } from './order-list.js';
import { captureReport, executionReport, noOrderReport } from './order-reports.js';

/** What the desk asks of the connection of a client. */
interface Clients {
  /** Ends the connection of the session without a Logout(5), as a network would. */
  cut(session: Session): void;
}

type Report = readonly [msgType: '8' | 'AE', fields: readonly Field[]];

/** OrdRejReason(103). */
const UNKNOWN_SYMBOL = 1;
const UNKNOWN_ORDER = 5;
const DUPLICATE = 6;
const UNSUPPORTED = 11;
const WRONG_QUANTITY = 13;
const OTHER = 99;
/** Reports that wait for the next Logon(A) of their client. */
const MAX_LATE = 10_000;

export class OrderDesk {
  readonly faults = new OrderFaults();
  readonly #list: OrderList;
  readonly #terms: LpTerms;
  readonly #clients: Clients;
  readonly #live = new Map<string, Session>();
  readonly #late = new Map<string, Report[]>();
  readonly #looking = new Set<NodeJS.Timeout>();
  /** Distinguishes ids of this run where no file continues the count. */
  readonly #run = Date.now().toString(36).toUpperCase();
  #statusReports = 0;

  /** Throws the file system's error. An order that was open when the provider ended is cancelled: no last look survives it. */
  constructor(terms: LpTerms, clients: Clients, path?: string) {
    this.#terms = terms;
    this.#clients = clients;
    this.#list = new OrderList(path);
    for (const order of this.#list.all())
      if (order.status === 'open') this.#list.end(order, 'cancelled', 'provider restarted');
  }

  /** Every order that was ever taken, with its fills, in the order of arrival. */
  get orders(): readonly LpOrder[] {
    return this.#list.all();
  }

  /** Counts for a person: orders, fills, and ClOrdIDs that came again. */
  get summary(): string {
    const all = this.#list.all();
    const fills = all.reduce((sum, order) => sum + order.fills.length, 0);
    const repeats = all.reduce((sum, order) => sum + order.repeats, 0);
    return `${all.length} orders, ${fills} fills, ${repeats} repeated`;
  }

  loggedOn(session: Session): void {
    const client = session.id.targetCompId;
    this.#live.set(client, session);
    const late = this.#late.get(client) ?? [];
    this.#late.delete(client);
    for (const [msgType, fields] of late) session.send(msgType, fields);
  }

  loggedOut(session: Session): void {
    const client = session.id.targetCompId;
    if (this.#live.get(client) === session) this.#live.delete(client);
  }

  /** True: the message was one of orders. */
  onMessage(session: Session, message: MessageView): boolean {
    if (message.msgType === 'D') this.#onOrder(session, message);
    else if (message.msgType === 'H') this.#onStatusRequest(session, message);
    else if (message.msgType === 'AD') this.#onCaptureRequest(session, message);
    else return false;
    return true;
  }

  close(): void {
    for (const timer of this.#looking) clearTimeout(timer);
    this.#list.close();
  }

  #onOrder(session: Session, message: MessageView): void {
    const client = session.id.targetCompId;
    const clOrdId = message.string(Tag.ClOrdID) ?? '';
    const known = this.#list.find(client, clOrdId);
    if (known) {
      this.#list.repeated(known);
      if (message.flag(Tag.PossResend) && known.status !== 'lost') this.#send(known, [this.#statusOf(known)]);
      else this.#refuse(session, message, DUPLICATE, `ClOrdID ${clOrdId} was sent before`);
      return;
    }
    const asked = readOrder(message);
    if ('reason' in asked) {
      this.#refuse(session, message, asked.reason, asked.text);
      return;
    }
    if (this.#list.count >= MAX_ORDERS) {
      this.#refuse(session, message, OTHER, 'too many orders');
      return;
    }
    const { pair, ...terms } = asked;
    const orderId = `${this.#run}.${this.#list.count + 1}`;
    const order = this.#list.add({ orderId, client, clOrdId, ...terms });
    this.#deal(session, order, pair, this.faults.take());
  }

  #deal(session: Session, order: LpOrder, pair: Pair, behaviour: OrderBehaviour): void {
    const { kind } = behaviour;
    if (kind === 'cut' && !behaviour.fills) {
      this.#list.end(order, 'lost');
      this.#clients.cut(session);
      return;
    }
    if (kind === 'silent' && !behaviour.fills) {
      this.#list.end(order, 'cancelled', 'not dealt');
      return;
    }
    const begun: Report = ['8', executionReport(order, { execType: '0', execId: `${order.orderId}-0` })];
    if (kind === 'last-look') {
      this.#send(order, [begun]);
      const timer = setTimeout(() => {
        this.#looking.delete(timer);
        if (behaviour.accepts) this.#send(order, this.#execute(order, pair));
        else this.#send(order, this.#reject(order, 'price moved'));
      }, behaviour.ms);
      this.#looking.add(timer);
      return;
    }
    const outcome =
      kind === 'reject'
        ? this.#reject(order, 'rejected')
        : this.#execute(order, pair, kind === 'partial' ? behaviour.percent : 100);
    if (kind === 'silent') return;
    if (kind === 'cut') {
      // They have their numbers and go nowhere: the client misses them at its next Logon(A), and has them resent.
      this.#clients.cut(session);
      this.#send(order, [begun, ...outcome]);
    } else this.#send(order, [begun, ...outcome], kind);
  }

  /** Deals at the levels of the moment, and ends the order. */
  #execute(order: LpOrder, pair: Pair, percent = 100): readonly Report[] {
    const last = this.#terms.last(pair.index);
    if (!last) return this.#reject(order, 'no price');
    const { bid, offer } = levelsOf(last);
    const isBuy = order.side === '1';
    const levels = isBuy ? offer : bid;
    const limit = order.limit === undefined ? undefined : Number(order.limit) * 10 ** pair.priceDigits;
    let left = Math.floor((order.quantity * percent) / 100);
    const parts: { quantity: number; price: string }[] = [];
    for (let i = 0; i < levels.count && left > 0; i++) {
      const price = levels.price[i]!;
      // The limit is read as a double and rounded to the digits of a price.
      if (limit !== undefined && (isBuy ? price > Math.round(limit) : price < Math.round(limit))) break;
      const quantity = Math.min(left, levels.size[i]!);
      parts.push({ quantity, price: priceText(price, pair) });
      left -= quantity;
    }
    const dealt = parts.reduce((sum, { quantity }) => sum + quantity, 0);
    const isAll = dealt === order.quantity;
    if (order.timeInForce === '4' && !isAll) parts.length = 0;
    for (const part of parts) this.#list.fill(order, { execId: `${order.orderId}-${order.fills.length + 1}`, ...part });
    this.#list.end(order, isAll ? 'filled' : 'cancelled', isAll ? undefined : 'no more at this price');
    const fills: readonly LpFill[] = order.fills;
    const reports = fills.map((fill, at): Report => {
      return ['8', executionReport(order, { execType: 'F', execId: fill.execId, fill, fills: fills.slice(0, at + 1) })];
    });
    if (isAll) return reports;
    return [...reports, ['8', executionReport(order, { execType: '4', execId: `${order.orderId}-E` })]];
  }

  #reject(order: LpOrder, text: string): readonly Report[] {
    this.#list.end(order, 'rejected', text, OTHER);
    return [['8', executionReport(order, { execType: '8', execId: `${order.orderId}-E` })]];
  }

  #refuse(session: Session, message: MessageView, reason: number, text: string): void {
    const execId = this.#statusId();
    session.send('8', noOrderReport(requestOf(message), { execId, execType: '8', reason, text }));
  }

  /** To the session of the client; without one they wait for its next Logon(A). */
  #send(order: LpOrder, reports: readonly Report[], kind?: OrderBehaviour['kind']): void {
    const session = this.#live.get(order.client);
    if (!session?.loggedOn) this.#keep(order.client, reports);
    else if (kind === 'gap') void session.setNextOutgoing(session.nextOut + 1).then(() => this.#send(order, reports));
    else
      for (const [msgType, fields] of reports) {
        session.send(msgType, fields);
        if (kind !== 'duplicate') continue;
        session.send(msgType, fields);
        session.send(msgType, [[Tag.PossResend, 'Y'], ...fields]);
      }
  }

  #keep(client: string, reports: readonly Report[]): void {
    const late = this.#late.get(client) ?? [];
    late.push(...reports);
    late.splice(0, Math.max(0, late.length - MAX_LATE));
    this.#late.set(client, late);
  }

  #statusId(): string {
    return `${this.#run}.S${++this.#statusReports}`;
  }

  #statusOf(order: LpOrder, request?: string): Report {
    const extra: readonly Field[] = request === undefined ? [] : [[Tag.OrdStatusReqID, request]];
    return ['8', executionReport(order, { execType: 'I', execId: this.#statusId(), extra })];
  }

  #onStatusRequest(session: Session, message: MessageView): void {
    if (!this.faults.answersStatus) return;
    const order = this.#list.find(session.id.targetCompId, message.string(Tag.ClOrdID) ?? '');
    if (order && order.status !== 'lost') {
      session.send(...this.#statusOf(order, message.string(Tag.OrdStatusReqID)));
      return;
    }
    const none = { execId: this.#statusId(), execType: 'I', reason: UNKNOWN_ORDER, text: 'unknown order' } as const;
    session.send('8', noOrderReport(requestOf(message), none));
  }

  /** By ClOrdID(11), by OrderID(37), or of every order of the client. */
  #onCaptureRequest(session: Session, message: MessageView): void {
    if (!this.faults.answersStatus) return;
    const client = session.id.targetCompId;
    const [clOrdId, orderId] = [message.string(Tag.ClOrdID), message.string(Tag.OrderID)];
    const found = this.#list
      .all()
      .filter((order) => order.client === client)
      .filter((order) => clOrdId === undefined || order.clOrdId === clOrdId)
      .filter((order) => orderId === undefined || order.orderId === orderId)
      .flatMap((order) => order.fills.map((fill) => ({ order, fill })));
    const requestId = message.string(Tag.TradeRequestID) ?? '';
    session.send('AQ', [
      [Tag.TradeRequestID, requestId],
      [Tag.TradeRequestType, message.string(Tag.TradeRequestType) ?? '0'],
      [Tag.TotNumTradeReports, found.length],
      [Tag.TradeRequestResult, 0],
      [Tag.TradeRequestStatus, 1],
      [Tag.Symbol, '[N/A]'],
    ]);
    found.forEach(({ order, fill }, at) => {
      const of = { requestId, total: found.length, isLast: at === found.length - 1 };
      session.send('AE', captureReport(order, fill, of));
    });
  }
}

type AskedOrder = Pick<LpOrder, 'symbol' | 'side' | 'quantity' | 'limit' | 'timeInForce'> & { readonly pair: Pair };

/** What the message asks for, or OrdRejReason(103) and Text(58). */
function readOrder(message: MessageView): AskedOrder | { readonly reason: number; readonly text: string } {
  const symbol = message.string(Tag.Symbol) ?? '';
  const index = pairOfSymbol(symbol);
  if (index < 0) return { reason: UNKNOWN_SYMBOL, text: `no ${symbol}` };
  const pair = PAIRS[index]!;
  const side = message.string(Tag.Side);
  if (side !== '1' && side !== '2') return { reason: UNSUPPORTED, text: 'Side(54) must be 1 or 2' };
  const currency = message.string(Tag.Currency) ?? pair.base;
  if (currency !== pair.base) return { reason: UNSUPPORTED, text: `Currency(15) must be ${pair.base}` };
  const quantity = /^([1-9]\d{0,11})(\.0*)?$/.exec(message.string(Tag.OrderQty) ?? '')?.[1];
  if (quantity === undefined) return { reason: WRONG_QUANTITY, text: 'OrderQty(38) must be whole units' };
  const type = message.string(Tag.OrdType);
  if (type !== '1' && type !== '2') return { reason: UNSUPPORTED, text: 'OrdType(40) must be 1 or 2' };
  const limit = type === '2' ? message.string(Tag.Price) : undefined;
  if (type === '2' && !/^\d{1,9}(\.\d{1,10})?$/.test(limit ?? ''))
    return { reason: OTHER, text: 'a limit order needs Price(44)' };
  const timeInForce = message.string(Tag.TimeInForce);
  if (timeInForce !== '3' && timeInForce !== '4')
    return { reason: UNSUPPORTED, text: 'TimeInForce(59) must be 3 or 4' };
  return { pair, symbol, side, quantity: Number(quantity), limit, timeInForce };
}

function requestOf(message: MessageView) {
  return {
    clOrdId: message.string(Tag.ClOrdID) ?? '',
    symbol: message.string(Tag.Symbol) ?? '',
    side: message.string(Tag.Side) ?? '',
  };
}

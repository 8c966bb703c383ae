/** The steps of the script about prices, holds and orders. The texts are those of fix-config/certification.md. */
import * as Tag from '../../domain/fix/tags.js';
import { type Conductor, nameOf, type Step } from './conductor.js';
import { refusalOf } from './session-steps.js';
import { isResent, numberOf, typeOf, type WireMessage } from './wire.js';

export const SUBSCRIBE: Step = {
  name: 'subscribe',
  title: 'Prices',
  begins: 'Logon(A) is answered: the request may be sent at once, also during steps 2 to 4',
  engine:
    'Has no price until this step: the first MarketDataSnapshotFullRefresh(W) has QuoteCondition(276)=B. In this step the demo rates begin, and W with QuoteCondition(276)=A follows (with MDUpdateType(265)=1 also X).',
  desk: 'Sends MarketDataRequest(V) with SubscriptionRequestType(263)=1, MarketDepth(264), MDUpdateType(265), both MDEntryType(269), one or more pairs such as EUR/USD, and AuthToken(20001).',
  checks: {
    request: 'MarketDataRequest(V): MDReqID(262), SubscriptionRequestType(263)=1, at least one Symbol(55)',
    token: 'AuthToken(20001) is that of the Logon(A)',
    accepted: 'The engine accepts the request',
    priced: 'The first price reaches the desk',
  },
  async run(run) {
    const request = await subscription(run, run.memory.logonAt);
    if (request === undefined) return;
    await run.engine.startRates();
    const live = ({ view }: WireMessage) =>
      view.string(Tag.MDReqID) === request.view.string(Tag.MDReqID) && view.string(Tag.QuoteCondition) === 'A';
    await run.next('engine', ['W', 'X'], live);
    run.judge('priced', true);
  },
};

/** The desk's MarketDataRequest(V) at or after `start`, judged; undefined when the engine has rejected it. */
async function subscription(run: Conductor, start: number): Promise<WireMessage | undefined> {
  const isNew = (message: WireMessage) => !message.repeated && message.view.string(Tag.SubscriptionRequestType) !== '2';
  const seen = () => {
    const index = run.find('desk', ['V'], isNew, start);
    return index < 0 ? undefined : index;
  };
  const index = await run.until(seen, 'no MarketDataRequest(V) from the desk');
  const request = run.log.messages[index]!;
  const { view } = request;
  const isWhole = view.has(Tag.MDReqID) && view.string(Tag.SubscriptionRequestType) === '1' && view.has(Tag.Symbol);
  run.judge(
    'request',
    isWhole,
    `262=${view.string(Tag.MDReqID)} 263=${view.string(Tag.SubscriptionRequestType)} 55=${view.string(Tag.Symbol)}`,
  );
  judgeToken(run, request, 'token');
  run.cursor = index + 1;
  const answer = await run.answer(
    request,
    ['W', 'Y'],
    (one) => one.view.string(Tag.MDReqID) === view.string(Tag.MDReqID),
  );
  run.judge('accepted', typeOf(answer) === 'W', refusalOf(answer));
  return typeOf(answer) === 'W' ? request : undefined;
}

function judgeToken(run: Conductor, request: WireMessage, check: string): void {
  const { memory, engine } = run;
  const carried = request.view.string(Tag.AuthToken);
  const isRight = carried === memory.token || (carried === undefined && engine.tokenOnRequest === 'session');
  const why = carried === undefined ? 'is missing' : 'is not that of the Logon(A)';
  run.judge(check, isRight, `${nameOf(run, request)}: AuthToken(20001) ${why}`);
}

export const QUOTE: Step = {
  name: 'quote',
  title: 'An indicative quote',
  begins: 'the first price: W or X with QuoteCondition(276)=A',
  engine: 'Answers QuoteRequest(R) with Quote(S) whose QuoteID(117) begins with IND.',
  desk: 'Sends QuoteRequest(R) with QuoteReqID(131), one pair, QuoteType(537)=0, OrderQty(38), Currency(15) and AuthToken(20001). Side(54) is optional.',
  checks: {
    request: 'QuoteRequest(R): QuoteReqID(131), QuoteType(537)=0, OrderQty(38), Currency(15)',
    token: 'AuthToken(20001) is that of the Logon(A)',
    quoted: 'The engine answers with Quote(S)',
  },
  async run(run) {
    await quoted(run, '0');
  },
};

export const HOLD: Step = {
  name: 'hold',
  title: 'A firm quote',
  begins: 'Quote(S) of step 6',
  engine: 'Answers QuoteRequest(R) with Quote(S): QuoteID(117) is the hold, firm until ValidUntilTime(62).',
  desk: 'Sends QuoteRequest(R) with a new QuoteReqID(131) and QuoteType(537)=1, for an amount that it will deal: from 1,000 to 100,000 is always possible.',
  checks: {
    request: 'QuoteRequest(R): a new QuoteReqID(131), QuoteType(537)=1, OrderQty(38), Currency(15)',
    token: 'AuthToken(20001) is that of the Logon(A)',
    quoted: 'The engine answers with Quote(S) that holds the rate',
  },
  async run(run) {
    const quote = await quoted(run, '1');
    run.memory.holdId = quote?.view.string(Tag.QuoteID) ?? '';
  },
};

/** The next QuoteRequest(R), judged, and its Quote(S); undefined when the engine has rejected it. */
async function quoted(run: Conductor, quoteType: '0' | '1'): Promise<WireMessage | undefined> {
  const request = await run.desk('R');
  const { view } = request;
  // Without QuoteType(537) a rate is held.
  const isRight =
    (view.string(Tag.QuoteType) ?? '1') === quoteType &&
    view.has(Tag.QuoteReqID) &&
    view.has(Tag.OrderQty) &&
    view.has(Tag.Currency);
  const sent = [Tag.QuoteReqID, Tag.QuoteType, Tag.OrderQty, Tag.Currency].map(
    (tag) => `${tag}=${view.string(tag) ?? 'missing'}`,
  );
  run.judge('request', isRight, sent.join(' '));
  judgeToken(run, request, 'token');
  const answer = await run.answer(
    request,
    ['S', 'AG'],
    (one) => one.view.string(Tag.QuoteReqID) === view.string(Tag.QuoteReqID),
  );
  run.judge('quoted', typeOf(answer) === 'S', refusalOf(answer));
  return typeOf(answer) === 'S' ? answer : undefined;
}

export const ORDER: Step = {
  name: 'order',
  title: 'An order on the hold',
  begins: 'Quote(S) of step 7',
  engine: 'Books the order and sends ExecutionReport(8) with ExecType(150)=F.',
  desk: 'Sends NewOrderSingle(D) with OrdType(40)=D, QuoteID(117) of the hold, and the pair, side, amount and currency of the hold, before ValidUntilTime(62).',
  checks: {
    order: 'NewOrderSingle(D): ClOrdID(11), OrdType(40)=D, QuoteID(117) is the hold of step 7',
    filled: 'The engine reports the order as filled, ExecType(150)=F',
  },
  async run(run) {
    const order = await newOrder(run);
    const { view } = order;
    const isOnHold = view.string(Tag.OrdType) === 'D' && view.string(Tag.QuoteID) === run.memory.holdId;
    run.judge('order', isOnHold, `40=${view.string(Tag.OrdType)} 117=${view.string(Tag.QuoteID) ?? 'missing'}`);
    const report = await outcome(run, order);
    run.judge('filled', report.view.string(Tag.ExecType) === 'F', refusalOf(report));
  },
};

/** The next NewOrderSingle(D) that is not a resent one. */
async function newOrder(run: Conductor): Promise<WireMessage> {
  const order = await run.desk('D');
  const id = order.view.string(Tag.ClOrdID) ?? '';
  if (run.memory.orders.has(id))
    run.fault(`${nameOf(run, order)}: ClOrdID(11) has been used: an order needs a new one`);
  run.memory.orders.add(id);
  return order;
}

/** The last ExecutionReport(8) of an order, or the Reject(3) or BusinessMessageReject(j) of it. */
function outcome(run: Conductor, order: WireMessage): Promise<WireMessage> {
  const id = order.view.string(Tag.ClOrdID);
  // Pending (150=A) is followed by the outcome.
  return run.answer(order, ['8'], ({ view }) => view.string(Tag.ClOrdID) === id && view.string(Tag.ExecType) !== 'A');
}

export const REJECT: Step = {
  name: 'reject',
  title: 'An order that is rejected',
  begins: 'ExecutionReport(8) of step 8',
  engine: 'Rejects the order with ExecutionReport(8), ExecType(150)=8, and sends TestRequest(1) CERT-9.',
  desk: 'Sends an order that the engine must reject: NewOrderSingle(D) with OrdType(40)=2, Side(54)=1 and Price(44) at half of the last offer. Reads the rejection, does not send that order again, stays logged on.',
  checks: {
    rejected: 'The engine rejects the order with ExecutionReport(8), ExecType(150)=8',
    continues: 'The desk continues: it answers TestRequest(1) and stays logged on',
  },
  async run(run) {
    const order = await newOrder(run);
    // The order of step 10 may be filled before this step has ended.
    keepBackFill(run, order);
    const report = await outcome(run, order);
    const isRejected = typeOf(report) === '8' && report.view.string(Tag.ExecType) === '8';
    run.judge('rejected', isRejected, `${nameOf(run, report)} 150=${report.view.string(Tag.ExecType) ?? 'missing'}`);
    const { cursor } = run;
    run.testRequest('CERT-9');
    await run.heartbeat('CERT-9');
    run.judge('continues', true);
    // The next order may have come before that answer.
    run.cursor = cursor;
  },
};

export const DISCONNECT: Step = {
  name: 'disconnect',
  title: 'The line breaks while an order is under way',
  begins: 'ExecutionReport(8) of step 9',
  engine:
    'Books the order, keeps its ExecutionReport(8) back, and cuts the connection. After the new Logon(A) it answers ResendRequest(2) with the report and PossDupFlag(43)=Y.',
  desk: 'Sends NewOrderSingle(D) with OrdType(40)=1 and a new ClOrdID(11). Connects again by itself, sends Logon(A) with its next number and without ResetSeqNumFlag(141), requests what it has missed, takes the outcome of the order from the resent report, and does not send the order under another ClOrdID(11). Subscribes to prices again: streams end with the connection.',
  checks: {
    order: 'NewOrderSingle(D) with a new ClOrdID(11), which the engine fills',
    again: 'The desk connects and logs on again',
    numbers: 'Its Logon(A) continues MsgSeqNum(34), without ResetSeqNumFlag(141)=Y',
    requested:
      'It requests the missed messages, from the first one, by ResendRequest(2) or by NextExpectedMsgSeqNum(789) in its Logon(A)',
    once: 'It sends no other order',
    request: 'MarketDataRequest(V) again: MDReqID(262), SubscriptionRequestType(263)=1, at least one Symbol(55)',
    token: 'AuthToken(20001) is that of the new Logon(A)',
    accepted: 'The engine accepts the request',
  },
  async run(run) {
    const { memory } = run;
    run.mayClose = true;
    const order = await newOrder(run);
    const report = await outcome(run, order);
    memory.lastOrder = order.view.string(Tag.ClOrdID) ?? '';
    run.judge('order', report.view.string(Tag.ExecType) === 'F', refusalOf(report));
    const { missed } = memory;
    if (missed === 0) {
      run.relay.withholds = () => false;
      return;
    }
    const cutAt = run.log.messages.length;
    run.cursor = cutAt;
    const expected = run.rules.next;
    run.relay.cut();
    run.relay.withholds = () => false;
    const logon = await run.desk('A');
    run.judge('again', true);
    const isOn = !logon.view.flag(Tag.ResetSeqNumFlag) && numberOf(logon) >= expected;
    const sent = `34=${numberOf(logon)}${logon.view.flag(Tag.ResetSeqNumFlag) ? ' 141=Y' : ''}`;
    run.judge('numbers', isOn, `${sent}, and its next number is ${expected}`);
    const answer = await run.next('engine', ['A', '5']);
    if (typeOf(answer) !== 'A') return run.judge('requested', false, refusalOf(answer));
    memory.token = answer.view.string(Tag.AuthToken) ?? '';
    const next = logon.view.int(Tag.NextExpectedMsgSeqNum);
    if (next === undefined) {
      const { cursor } = run;
      const { view } = await run.desk('2');
      const begin = view.int(Tag.BeginSeqNo) ?? 0;
      run.judge('requested', begin > 0 && begin <= missed, `${missed} is missing, and 7=${begin}`);
      run.cursor = cursor;
    } else run.judge('requested', next > 0 && next <= missed, `${missed} is missing, and 789=${next}`);
    const isReport = ({ view }: WireMessage) => view.string(Tag.ClOrdID) === memory.lastOrder;
    await run.next('engine', ['8'], (message) => isResent(message) && isReport(message));
    const delivered = run.cursor;
    if ((await subscription(run, cutAt)) === undefined) return;
    run.cursor = Math.max(run.cursor, delivered);
    const isOther = (message: WireMessage) => !message.repeated && !message.view.flag(Tag.PossResend);
    const other = run.find('desk', ['D'], isOther, cutAt);
    run.judge('once', other < 0, other < 0 ? '' : nameOf(run, run.log.messages[other]!));
  },
};

/** From the report of a later order's fill on, the desk gets nothing: it must not see the gap before the line breaks. */
function keepBackFill(run: Conductor, before: WireMessage): void {
  const { memory, relay } = run;
  const earlier = before.view.string(Tag.ClOrdID);
  relay.withholds = (message) => {
    const { view } = message;
    const isFill =
      typeOf(message) === '8' && view.string(Tag.OrdStatus) === '2' && view.string(Tag.ClOrdID) !== earlier;
    if (isFill && memory.missed === 0) memory.missed = numberOf(message);
    return memory.missed > 0;
  };
}

/**
 * The FIX session for cover orders with one provider. Its sequence numbers are in the store, and never reset at a Logon(A): reports that were
 * missed are resent by the provider. Orders are not: what a ResendRequest(2) of the provider asks for is gap-filled.
 */
import {
  formatUtcTimestamp,
  Initiator,
  type InitiatorOptions,
  type MessageView,
  profile,
  type Session,
  type SessionStoreFactory,
} from 'node-quickfix-ts';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import type { Log } from '../../domain/core/log.js';
import { type CoverOrder, sumOf } from '../../domain/cover/cover.js';
import * as Tag from '../../domain/fix/tags.js';
import { exponentOf, formatMinor } from '../../domain/money/money.js';
import { FeedSettingError } from '../feed.js';
import { type FixSettings, fixSettings } from '../feeds/fix-settings.js';

/** What the provider's messages say of an order. */
export interface OrderReport {
  readonly clOrdId: string;
  readonly execId: string;
  /** ExecType(150) and OrdStatus(39). */
  readonly execType: string;
  readonly ordStatus: string;
  readonly symbol: string | undefined;
  readonly side: string | undefined;
  readonly currency: string | undefined;
  readonly lastQty: string | undefined;
  readonly lastPx: string | undefined;
  readonly cumQty: string | undefined;
  readonly avgPx: string | undefined;
  /** OrdRejReason(103). */
  readonly reason: string | undefined;
  readonly text: string;
}

export interface CoverSessionParts {
  /** Durable: numbers continue whatever process opens the session. */
  readonly sessionStore: SessionStoreFactory;
  readonly log: Log;
  readonly messageLog?: InitiatorOptions['log'] | undefined;
  /** A message with this MsgSeqNum(34) is being processed; its number is recorded once the returned function is called. */
  begin(number: number): () => void;
  /** In the order of arrival. True once it is processed; with false its message has to be resent. */
  onReport(report: OrderReport): Promise<boolean>;
  /** The message with the order was rejected as a whole: it is none. */
  onRejected(clOrdId: string, text: string): Promise<boolean>;
  onLogon(): void;
}

/** Everything else that a provider may send is ignored, not rejected. */
const SUPPORTED = new Set(['8', '9', 'j', 'B', 'h', 'f', 'AE', 'AQ']);
const PARAMETERS = /^(sender|target|version|style|dictionary|heartbeat|interval|provider|trades|logon\.[1-9]\d{0,4})$/;
/** Sent orders whose MsgSeqNum(34) is known, for a Reject(3). */
const MAX_SENT = 1_000;
const UNKNOWN_TRADES = 10_000;
/** What became of an order on the wire is asked as soon as the provider is back. */
const ORDER_TYPE = { market: 1, limit: 2 } as const;
const TIME_IN_FORCE = { IOC: 3, FOK: 4 } as const;

/** One provider as COVER_SESSIONS names it. */
export interface CoverSettings extends FixSettings {
  /** It answers TradeCaptureReportRequest(AD). */
  readonly hasTrades: boolean;
}

/** The providers of COVER_SESSIONS: URLs as of a FIX feed, separated by commas. Throws CoverSettingError; no credential is in it. */
export function coverSettings(setting: string | undefined): readonly CoverSettings[] {
  const specs = (setting ?? '')
    .split(',')
    .map((spec) => spec.trim())
    .filter(Boolean);
  const all = specs.map((spec) => {
    try {
      return settingsOf(spec);
    } catch (error) {
      if (error instanceof FeedSettingError) throw new CoverSettingError(error.problem);
      throw error;
    }
  });
  const names = all.map(({ provider }) => provider);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new CoverSettingError(`provider=${twice} is named twice; give each its own name`);
  const sessions = all.map(({ senderCompId, targetCompId }) => `${senderCompId} ${targetCompId}`);
  if (new Set(sessions).size < sessions.length) throw new CoverSettingError('two sessions have the same CompIDs');
  return all;
}

class CoverSettingError extends Error {
  override readonly name = 'SettingError';
  constructor(problem: string) {
    super(`COVER_SESSIONS: ${problem}`);
  }
}

function settingsOf(spec: string): CoverSettings {
  if (!/^fixs?:\/\//.test(spec))
    throw new FeedSettingError('write fix://user:password@host:port?sender=US&target=THEM&provider=NAME');
  const url = URL.canParse(spec) ? new URL(spec) : undefined;
  for (const name of url?.searchParams.keys() ?? [])
    if (!PARAMETERS.test(name))
      throw new FeedSettingError(`'${name.slice(0, 20)}' is no parameter of a cover session; numbers are never reset`);
  const trades = url?.searchParams.get('trades') ?? 'N';
  if (trades !== 'Y' && trades !== 'N') throw new FeedSettingError('trades=... must be Y or N');
  url?.searchParams.delete('trades');
  url?.searchParams.set('reset', 'N');
  const settings = fixSettings(url?.href ?? spec);
  if (settings.senderCompId === ENGINE_COMP_ID)
    throw new FeedSettingError(`sender=${ENGINE_COMP_ID} is the CompID of the sessions of desks: give another`);
  return { ...settings, hasTrades: trades === 'Y' };
}

export class CoverSession {
  readonly provider: string;
  readonly #settings: CoverSettings;
  readonly #parts: CoverSessionParts;
  readonly #initiator: Initiator;
  /** MsgSeqNum(34) to ClOrdID(11) of orders sent by this process. */
  readonly #sent = new Map<number, string>();
  /** By TradeRequestID(568): what its answer has come to so far. */
  readonly #trades = new Map<
    string,
    { readonly clOrdId: string; readonly fills: Map<string, readonly [qty: string, px: string]> }
  >();
  #requests = 0;
  /** Why the last attempt failed, logged once; '' while it is logged on, and at first. */
  #lastFailure = '';

  constructor(settings: CoverSettings, parts: CoverSessionParts) {
    this.provider = settings.provider;
    this.#settings = settings;
    this.#parts = parts;
    const { host, port, beginString, senderCompId, targetCompId, heartBtInt, logonFields, dictionary, isTls } =
      settings;
    this.#initiator = new Initiator({
      host,
      port,
      beginString,
      dictionary,
      senderCompId,
      targetCompId,
      heartBtInt,
      logonFields,
      resetOnLogon: false,
      reconnect: settings.reconnect,
      ...(isTls && { tls: { servername: host } }),
      store: parts.sessionStore,
      ...(parts.messageLog && { log: parts.messageLog }),
      profile: profile({ supported: SUPPORTED }),
      application: {
        onLogon: () => {
          this.#lastFailure = '';
          parts.log.info({ provider: this.provider }, 'cover session logged on');
          parts.onLogon();
        },
        onLogout: (_session, reason) => {
          // After a failure it was not up.
          if (this.#lastFailure === '')
            parts.log.warn({ provider: this.provider, reason: reason.slice(0, 200) }, 'cover session is down');
        },
        onMessage: (_session, message) => this.#received(message),
        fromAdmin: (_session, message) => this.#administered(message),
        onEvent: (_session, event) => {
          // Its number counts as received: if it was a report, a status request brings it back while the order is open.
          if (event.kind === 'rejected' || event.kind === 'business-rejected')
            parts.log.error({ provider: this.provider, msgType: event.detail }, 'a message of a provider was rejected');
          if (event.kind !== 'connection-failed' && event.kind !== 'logon-refused') return;
          const { kind, detail: reason } = event;
          // The next attempt is a few seconds away.
          if (this.#lastFailure === `${kind} ${reason}`) return;
          this.#lastFailure = `${kind} ${reason}`;
          parts.log.warn({ provider: this.provider, kind, reason }, 'cover session not logged on: it is tried again');
        },
      },
    });
  }

  get isUp(): boolean {
    return this.#session !== undefined;
  }

  get #session(): Session | undefined {
    const { session } = this.#initiator;
    return session?.loggedOn ? session : undefined;
  }

  start(): void {
    this.#initiator.start();
  }

  stop(): Promise<void> {
    return this.#initiator.stop('cover ends here');
  }

  /** False: nothing of it has left. */
  sendOrder(order: CoverOrder, nowMs: number): boolean {
    const sent = this.#session?.send('D', [
      [Tag.ClOrdID, order.id],
      ...this.#instrument(order),
      [Tag.TransactTime, formatUtcTimestamp(nowMs)],
      [Tag.OrderQty, quantityOf(order)],
      [Tag.OrdType, ORDER_TYPE[order.order]],
      ...(order.order === 'limit' ? ([[Tag.Price, order.worst]] as const) : []),
      [Tag.Currency, order.pair.slice(0, 3)],
      [Tag.TimeInForce, TIME_IN_FORCE[order.timeInForce]],
    ]);
    if (typeof sent !== 'number') return sent?.reason === 'deferred';
    this.#sent.set(sent, order.id);
    if (this.#sent.size > MAX_SENT) this.#sent.delete(this.#sent.keys().next().value!);
    return true;
  }

  /** OrderStatusRequest(H), and TradeCaptureReportRequest(AD) where the provider answers it. */
  requestStatus(order: CoverOrder): void {
    this.#session?.send('H', [[Tag.ClOrdID, order.id], ...this.#instrument(order)]);
    if (!this.#settings.hasTrades) return;
    const requestId = `${order.id}-${++this.#requests}`;
    this.#trades.set(requestId, { clOrdId: order.id, fills: new Map() });
    if (this.#trades.size > MAX_SENT) this.#trades.delete(this.#trades.keys().next().value!);
    this.#session?.send('AD', [
      [Tag.TradeRequestID, requestId],
      [Tag.TradeRequestType, 1],
      [Tag.ClOrdID, order.id],
    ]);
  }

  #instrument({ pair, side }: CoverOrder) {
    const [base, quote] = pair.split('/');
    return [
      [Tag.Symbol, `${base}${this.#settings.between}${quote}`],
      [Tag.Side, side === 'buy' ? 1 : 2],
    ] as const;
  }

  #received(message: MessageView): void {
    const { msgType } = message;
    if (msgType === '8') this.#process(message, this.#parts.onReport(reportOf(message)));
    else if (msgType === 'AE') this.#captured(message);
    else if (msgType === 'j') {
      const id = message.string(Tag.RefMsgType) === 'D' ? message.string(Tag.BusinessRejectRefID) : undefined;
      this.#rejected(message, id);
    }
  }

  /** Reject(3) of one of our orders. */
  #administered(message: MessageView): void {
    if (message.msgType === '3') this.#rejected(message, this.#sent.get(message.int(Tag.RefSeqNum) ?? 0));
  }

  /** Undefined: what is rejected is no order. */
  #rejected(message: MessageView, clOrdId: string | undefined): void {
    const text = message.string(Tag.Text) ?? '';
    if (clOrdId !== undefined) this.#process(message, this.#parts.onRejected(clOrdId, text));
    else this.#parts.log.warn({ provider: this.provider, text: text.slice(0, 200) }, 'provider rejected a message');
  }

  #process(message: MessageView, processed: Promise<boolean>): void {
    const finished = this.#parts.begin(message.int(Tag.MsgSeqNum)!);
    void processed.then((isDone) => {
      if (isDone) finished();
    });
  }

  /** With the last one the sum of all is a report of its own: trades do not say what the order comes to. */
  #captured(message: MessageView): void {
    const requestId = message.string(Tag.TradeRequestID) ?? '';
    const request = this.#trades.get(requestId);
    const [execId, qty, px] = [message.string(Tag.ExecID), message.string(Tag.LastQty), message.string(Tag.LastPx)];
    if (request === undefined || execId === undefined || qty === undefined || px === undefined) return;
    if (request.fills.size >= UNKNOWN_TRADES) return;
    request.fills.set(execId, [qty, px]);
    if (message.int(Tag.TotNumTradeReports) !== request.fills.size) return;
    this.#trades.delete(requestId);
    const sum = sumOf([...request.fills.values()]);
    if (sum === undefined) return;
    const { clOrdId } = request;
    this.#process(message, this.#parts.onReport({ ...NO_REPORT, clOrdId, execId: requestId, execType: 'I', ...sum }));
  }
}

const NO_REPORT: OrderReport = {
  clOrdId: '',
  execId: '',
  execType: '',
  ordStatus: '',
  text: '',
  symbol: undefined,
  side: undefined,
  currency: undefined,
  reason: undefined,
  lastQty: undefined,
  lastPx: undefined,
  cumQty: undefined,
  avgPx: undefined,
};

function reportOf(message: MessageView): OrderReport {
  const text = (tag: number) => message.string(tag);
  return {
    clOrdId: text(Tag.ClOrdID) ?? '',
    execId: text(Tag.ExecID) ?? '',
    execType: text(Tag.ExecType) ?? '',
    ordStatus: text(Tag.OrdStatus) ?? '',
    symbol: text(Tag.Symbol),
    side: text(Tag.Side),
    currency: text(Tag.Currency),
    lastQty: text(Tag.LastQty),
    lastPx: text(Tag.LastPx),
    cumQty: text(Tag.CumQty),
    avgPx: text(Tag.AvgPx),
    reason: text(Tag.OrdRejReason),
    text: (text(Tag.Text) ?? '').slice(0, 100),
  };
}

/** Whole units where there are no decimals. */
function quantityOf({ amount, pair }: CoverOrder): string {
  const base = pair.slice(0, 3);
  const text = formatMinor(amount, base);
  return exponentOf(base) > 0 ? text.replace(/\.0+$/, '') : text;
}

/** The FIX side of the rate watcher: logs on, subscribes to the pairs, renews its token in time, and reports the outcome. */

import {
  type Application,
  type Dictionary,
  Initiator,
  type MessageView,
  memoryStoreFactory,
  parseUtcTimestamp,
  profile,
  type Session,
} from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import type { DeskCredentials } from './credentials.js';
import type { PriceUpdate } from './quotes.js';

export interface DeskSessionOptions {
  readonly credentials: DeskCredentials;
  readonly host: string;
  readonly port: number;
  readonly pairs: readonly string[];
  readonly dictionary: Dictionary;
  /** Latency from SourceTime(20017) only. */
  readonly sourceTime: boolean;
}

export interface DeskEvents {
  /** The first logon has succeeded. */
  readonly onUp: () => void;
  readonly onPrice: (update: PriceUpdate) => void;
  /** Something to know that does not end the watching: the connection was lost, a token was renewed. */
  readonly onNotice: (line: string) => void;
  /** There is nothing more to watch: one line that says why and what to do. */
  readonly onEnd: (line: string) => void;
}

const HEARTBEAT_S = 30;
const MD_REQ_ID = 'DESK';
/** A token is renewed when so much of its life is over. */
const RENEW_AT = 0.9;
/** An engine whose store does not answer closes the connection, so that a desk tries again: it is tried again so often. */
const UNANSWERED_MAX = 2;

export class DeskSession {
  readonly #initiator: Initiator;
  #token = '';
  #renewal: NodeJS.Timeout | undefined;
  #requests = 0;
  #resubscribe = false;
  #wasUp = false;
  #unanswered = 0;
  #stopped = false;

  constructor(
    private readonly options: DeskSessionOptions,
    private readonly events: DeskEvents,
  ) {
    const { credentials, host, port, dictionary } = options;
    this.#initiator = new Initiator({
      host,
      port,
      beginString: 'FIX.4.4',
      senderCompId: credentials.senderCompId,
      targetCompId: credentials.targetCompId,
      heartBtInt: HEARTBEAT_S,
      logonFields: [
        [Tag.Username, credentials.clientKey],
        [Tag.Password, credentials.clientSecret],
      ],
      dictionary,
      application: this.application(),
      store: memoryStoreFactory(),
      profile: profile({ supported: new Set(['W', 'Y', 'BF', 'j', 'h', 'f', 'y']) }),
      resetOnLogon: true,
    });
  }

  start(): void {
    this.#initiator.start();
  }

  /** Logout(5), answered or not within a bound; then the connection is closed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#renewal);
    await this.#initiator.stop('The desk is done');
  }

  private application(): Omit<Application, 'authenticate'> {
    return {
      onLogon: (session, logon) => {
        if (!this.#wasUp) this.events.onUp();
        this.#wasUp = true;
        this.takeToken(session, logon);
        this.subscribe(session);
      },
      onMessage: (session, message) => this.onMessage(session, message),
      onLogout: (_, reason) => this.onLogout(reason),
      onEvent: (session, { kind }) => {
        if (kind !== 'connection-failed' || session !== undefined || this.#wasUp || this.#stopped) return;
        const { host, port } = this.options;
        this.onUnanswered(`No connection to ${host}:${port}: check that the engine runs`);
      },
    };
  }

  private subscribe(session: Session): void {
    this.#resubscribe = false;
    const { pairs } = this.options;
    session.send('V', [
      [Tag.MDReqID, `${MD_REQ_ID}${++this.#requests}`],
      [Tag.SubscriptionRequestType, 1],
      [Tag.MarketDepth, 1],
      [Tag.MDUpdateType, 0],
      [Tag.NoMDEntryTypes, 2],
      [Tag.MDEntryType, 0],
      [Tag.MDEntryType, 1],
      [Tag.NoRelatedSym, pairs.length],
      ...pairs.map((symbol) => [Tag.Symbol, symbol] as const),
      [Tag.AuthToken, this.#token],
    ]);
  }

  private onMessage(session: Session, message: MessageView): void {
    switch (message.msgType) {
      case 'W':
        this.events.onPrice(readPrice(message, this.options.sourceTime));
        break;
      case 'BF':
        this.onUserResponse(session, message);
        break;
      case 'Y':
        this.onRefused(session, message);
        break;
      case 'j':
        this.events.onEnd(`The engine refused a message: ${message.string(Tag.Text) ?? 'no reason given'}`);
    }
  }

  /** A stream that ends with its token is requested again with a new one; any other refusal is final. */
  private onRefused(session: Session, message: MessageView): void {
    const code = message.string(Tag.ErrorCode);
    if (code === 'TOKEN_EXPIRED') {
      this.#resubscribe = true;
      this.renew(session);
    } else this.events.onEnd(`${message.string(Tag.Text) ?? 'Request for rates refused'}${code ? ` (${code})` : ''}`);
  }

  private onUserResponse(session: Session, message: MessageView): void {
    const code = message.string(Tag.ErrorCode);
    if (message.has(Tag.AuthToken)) {
      this.takeToken(session, message);
      this.events.onNotice('Token renewed');
      if (this.#resubscribe) this.subscribe(session);
    } else if (code === 'TOKEN_EXPIRING') this.renew(session);
    else if (code !== 'TOKEN_EXPIRED') {
      // A Y follows when the token was revoked; a renewal that was refused ends here.
      this.events.onEnd(`${message.string(Tag.UserStatusText) ?? 'No new token'}${code ? ` (${code})` : ''}`);
    }
  }

  private takeToken(session: Session, message: MessageView): void {
    this.#token = message.string(Tag.AuthToken) ?? '';
    const endsAt = timeOf(message, Tag.AuthTokenExpireTime);
    clearTimeout(this.#renewal);
    if (endsAt === undefined) return;
    this.#renewal = setTimeout(() => this.renew(session), Math.max((endsAt - Date.now()) * RENEW_AT, 1_000));
    this.#renewal.unref();
  }

  private renew(session: Session): void {
    if (!session.loggedOn) return;
    const { clientKey, clientSecret } = this.options.credentials;
    session.send('BE', [
      [Tag.UserRequestID, `RENEW${++this.#requests}`],
      [Tag.UserRequestType, 1],
      [Tag.Username, clientKey],
      [Tag.Password, clientSecret],
    ]);
  }

  private onUnanswered(line: string): void {
    if (++this.#unanswered > UNANSWERED_MAX) this.events.onEnd(line);
    else this.events.onNotice('Logon not answered: trying again');
  }

  private onLogout(reason: string): void {
    if (this.#stopped) return;
    clearTimeout(this.#renewal);
    if (this.#wasUp) this.events.onNotice(`Connection lost (${reason}): trying again`);
    else if (isUnanswered(reason)) this.onUnanswered(notLetIn(reason));
    else this.events.onEnd(notLetIn(reason));
  }
}

const isUnanswered = (reason: string): boolean => reason.startsWith('disconnected');

function notLetIn(reason: string): string {
  if (isUnanswered(reason)) {
    return 'Logon not answered: check that the engine reaches its store, sender_comp_id and target_comp_id';
  }
  if (/Authentication failed/.test(reason)) {
    return 'Logon refused: Authentication failed: check client_key and client_secret, or run npm start once more';
  }
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
}

function readPrice(message: MessageView, sourceTimeOnly: boolean): PriceUpdate {
  const sides: { bid?: string; offer?: string } = {};
  for (const entry of message.groups(Tag.NoMDEntries)) {
    const price = entry.string(Tag.QuoteCondition) === 'B' ? '' : (entry.string(Tag.MDEntryPx) ?? '');
    if (entry.string(Tag.MDEntryType) === '0') sides.bid = price;
    else sides.offer = price;
  }
  const at = Date.now();
  const sentAt = timeOf(message, Tag.SourceTime) ?? (sourceTimeOnly ? undefined : timeOf(message, Tag.SendingTime));
  const latencyMs = sentAt === undefined || sides.bid === '' ? undefined : at - sentAt;
  return { symbol: message.string(Tag.Symbol) ?? '', ...sides, at, ...(latencyMs !== undefined && { latencyMs }) };
}

/** A UTC timestamp field, epoch ms; undefined when it is absent or not one. */
function timeOf(message: MessageView, tag: number): number | undefined {
  const i = message.find(tag);
  if (i < 0) return undefined;
  const ms = parseUtcTimestamp(message.buffer, message.valueStartAt(i), message.valueEndAt(i));
  return Number.isNaN(ms) ? undefined : ms;
}

import { type Field, type MessageView, reverseRoute, type Session } from 'node-quickfix-ts';
import type { Refusal } from '../domain/core/refusal.js';
import * as Tag from '../domain/fix/tags.js';
import type { PairState } from '../domain/money/pair.js';
import type { Caller } from '../service/core/caller.js';
import type { MarketState } from '../service/prices/pairs.js';
import type { InFlightMessages } from '../service/sessions/index.js';
import { LIMITS } from './settings.js';

/** What a desk's reports of bookings state of a price beyond its terms: mid and age, and the names of its providers. */
export type PriceShown = 'nothing' | 'price' | 'providers';

/** The identity that a Logon(A) has proved; the context of its session. */
export interface DeskIdentity {
  readonly compId: string;
  /** Logged on over TLS. */
  readonly secure: boolean;
  readonly clientKey: string;
  readonly caller: Caller;
  readonly token: DeskToken;
  /** Where the client's keys live in the store, 0 to 63. */
  readonly shard: number;
  readonly sourceTime: boolean;
  /** MarketDepth(264)=0 gives every band, and not the first alone. */
  readonly ladder: boolean;
  readonly discloseMargin: boolean;
  readonly discloseProviderRate: boolean;
  readonly priceShown: PriceShown;
  readonly inFlight: InFlightMessages;
}

/** Routing fields of an answer: those of the request, reversed. Later reports on that request carry them too. */
export type Route = readonly Field[];

/** The request's id and the routing fields of its answers. */
export interface AnswerTo {
  readonly id: string;
  readonly route: Route;
}

export function answerTo(message: MessageView, idTag: number): AnswerTo {
  return { id: message.string(idTag) ?? '', route: reverseRoute(message) };
}

/** A token issued on a session. */
export interface DeskToken {
  readonly text: string;
  readonly hash: string;
  readonly expiresAtMs: number;
  /** The request that issued it, by UserRequestID(923): expiry and revocation are reported under it. */
  readonly request: AnswerTo;
}

/** Why a session has no live token any more. */
export type TokenEnd = 'TOKEN_EXPIRED' | 'TOKEN_REVOKED';

/** A live request for prices or quotes, and the token that it depends on. */
export interface Stream {
  tokenHash: string;
  /** Whose token it is. */
  keyId: string;
  expiresAtMs: number;
  readonly route: Route;
  /** Ends it from our side, saying why. */
  end(refusal: Refusal): void;
}

/** A logged-on desk: what the gateway knows of it beyond its session. */
export class Desk {
  /** The token of this session; undefined from its end until the next UserRequest(BE). */
  token: DeskToken | undefined;
  tokenEnd: TokenEnd | undefined;
  /** TOKEN_EXPIRING has been sent for the current token. */
  warned = false;
  /** By the id of their request: `262=<MDReqID>` of prices, `131=<QuoteReqID>` of quotes. */
  readonly streams = new Map<string, Stream>();
  /** A token that the desk itself is revoking, by its hash: the answer reports its end. */
  revoking: string | undefined;
  /** TradSesReqID(335) under which changes of the market are reported, and the last reported state; undefined: not subscribed. */
  marketRequest: (AnswerTo & { reported: MarketState }) | undefined;
  /** The same by SecurityStatusReqID(324), for each pair index. */
  readonly pairRequests = new Map<number, AnswerTo & { reported: PairState }>();

  /** Unanswered QuoteRequest(R). */
  quoteRequests = 0;
  /** Long answers of which the last report is not sent yet, and the end of the last of them: one is sent at a time. */
  longAnswers = 0;
  lastAnswer: Promise<void> = Promise.resolve();
  private readonly holdRoutes = new Map<string, Route>();

  readonly messages: TokenBucket;
  /** For delayed messages. */
  readonly late: TokenBucket;
  readonly requests: TokenBucket;
  readonly violations = new ThrottleViolations(LIMITS.violations, LIMITS.violationWindowMs);
  /** It is logged out as soon as what was accepted is answered: nothing more is. */
  isEnding = false;
  /** MsgSeqNum(34) of the message that is being processed. */
  handling: number | undefined;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(
    readonly session: Session,
    readonly identity: DeskIdentity,
    /** Epoch ms. */
    readonly loggedOnAtMs: number,
    /** SendingTime(52) of its Logon(A), on the desk's own clock. */
    private readonly logonSentMs: number,
  ) {
    this.token = identity.token;
    this.messages = new TokenBucket(LIMITS.messagesPerSecond, LIMITS.messageBurst, loggedOnAtMs);
    this.late = new TokenBucket(LIMITS.messagesPerSecond, LIMITS.lateBurst, loggedOnAtMs);
    this.requests = new TokenBucket(LIMITS.requestsPerSecond, LIMITS.requestsPerSecond, loggedOnAtMs);
  }

  /**
   * Resent over a gap, and first sent in an earlier session. Compared on the desk's own clock; a message without a time counts as
   * one of this session.
   */
  isFromEarlierSession(message: MessageView): boolean {
    return message.flag(Tag.PossDupFlag) && message.time(Tag.OrigSendingTime) < this.logonSentMs;
  }

  /**
   * Resent at our request, or read late after a stall of this process: arriving together with much else, it is no throttle violation of the
   * desk. Its clock is taken to be as far from ours as its Logon(A) said.
   */
  hasWaited(message: MessageView, nowMs: number): boolean {
    const waitedMs = nowMs - this.loggedOnAtMs - (message.time(Tag.SendingTime) - this.logonSentMs);
    return this.isFromEarlierSession(message) || waitedMs > LIMITS.lateMs;
  }

  /** False: the desk exceeds its message rate. */
  isWithinRate(message: MessageView, nowMs: number): boolean {
    if (this.isEnding) return false;
    return (this.hasWaited(message, nowMs) ? this.late : this.messages).take(nowMs);
  }

  /** A new token: the live streams depend on it from now on. */
  holdToken(token: DeskToken): void {
    this.token = token;
    this.tokenEnd = undefined;
    this.warned = false;
    for (const stream of this.streams.values()) {
      stream.tokenHash = token.hash;
      stream.keyId = this.identity.caller.keyId;
      stream.expiresAtMs = token.expiresAtMs;
    }
  }

  /** Keeps the routing fields of the request for later reports on its hold. */
  rememberRoute(holdId: string, route: Route): void {
    if (route.length === 0) return;
    this.holdRoutes.set(holdId, route);
    if (this.holdRoutes.size <= LIMITS.holdRoutes) return;
    for (const oldest of this.holdRoutes.keys()) {
      this.holdRoutes.delete(oldest);
      break;
    }
  }

  routeOf(holdId: string): Route {
    return this.holdRoutes.get(holdId) ?? [];
  }

  loseToken(end: TokenEnd): void {
    this.token = undefined;
    this.tokenEnd = end;
  }

  /** Resolves when the messages received by now have been started. */
  get hadTurn(): Promise<void> {
    return this.last;
  }

  /** Resolves when every message accepted by now is answered, long answers too. */
  async hadAnswers(): Promise<void> {
    await this.identity.inFlight.whenEmpty();
    await this.lastAnswer;
  }

  /** Too many messages wait for the store: no more are accepted. */
  get isFull(): boolean {
    return this.waiting >= LIMITS.waiting;
  }

  /**
   * Runs work that waits for the store, one after the other, so that a request and its end stay in order. False when too much waits
   * already: the store hangs. Work left when the desk disconnects is dropped, unless it is to be done `logged on or not`.
   */
  inOrder(
    work: () => Promise<void> | void,
    fault: (error: unknown) => void,
    done: 'while logged on' | 'logged on or not' = 'while logged on',
  ): boolean {
    if (this.isFull) return false;
    this.waiting++;
    const finished = this.handling === undefined ? undefined : this.identity.inFlight.begin(this.handling);
    const before = this.last;
    const inTurn = async (): Promise<void> => {
      await before;
      this.waiting--;
      try {
        if (this.session.loggedOn || done === 'logged on or not') await work();
      } catch (error) {
        fault(error);
      } finally {
        finished?.();
      }
    };
    this.last = inTurn();
    return true;
  }
}

/** Permits: `burst` at once, `perSecond` in the long run. */
export class TokenBucket {
  private permits: number;
  private atMs: number;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    nowMs: number,
  ) {
    this.permits = burst;
    this.atMs = nowMs;
  }

  /** Takes a permit; false when there is none. A clock that steps back adds and removes none. */
  take(nowMs: number): boolean {
    if (!this.has(nowMs)) return false;
    this.permits--;
    return true;
  }

  /** Whether `take` would be given a permit. */
  has(nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.atMs);
    this.atMs = nowMs;
    this.permits = Math.min(this.burst, this.permits + (passed * this.perSecond) / 1000);
    return this.permits >= 1;
  }
}

/** Throttle violations within a window: the last of `limit` ends the session. */
export class ThrottleViolations {
  private times: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** True when this violation ends the session. */
  add(nowMs: number): boolean {
    this.times = this.times.filter((at) => nowMs - at < this.windowMs);
    this.times.push(nowMs);
    return this.times.length >= this.limit;
  }
}

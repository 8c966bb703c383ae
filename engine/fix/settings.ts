import type { Server, Socket } from 'node:net';
import type { TlsOptions, Server as TlsServer } from 'node:tls';
import type { Log, Schedule } from 'node-quickfix-ts';

export interface FixGatewaySettings {
  /** For plain TCP. */
  readonly host: string;
  /** Plain TCP; 0 is any free port. */
  readonly port: number;
  /** Listens for TLS too when given. */
  readonly tls?: FixTls;
  /** Proxies in front of the gateway, and the addresses of the peers behind them; absent: peers connect directly. */
  readonly proxies?: FixProxies;
  /** Absent AuthToken(20001): refused, or the token that was issued on the session. */
  readonly tokenOnRequest: 'required' | 'session';
  /** A desk is warned this long before its token expires, ms; read at each check. Absent: DEFAULT_TOKEN_WARNING_MS. */
  readonly tokenWarningMs?: number;
  /** Receives every message; absent: none does. */
  readonly messageLog?: Log;
  /** When desks may be logged on; absent is always. */
  readonly schedule?: Schedule;
  /** `TW44:ISLD`: a session from SenderCompID(49) TW44 to ISLD that needs no credentials, for the session-level test scenarios. */
  readonly fixConformance?: string;
}

export interface FixProxies {
  prepare(server: Server): void;
  addressOf(socket: Socket): string;
}

export interface FixTls {
  readonly host: string;
  readonly port: number;
  readonly options: TlsOptions;
  /** Desks show a certificate, and it names their CompID. */
  readonly mutual: boolean;
  prepare(server: TlsServer): void;
}

export const DEFAULT_TOKEN_WARNING_MS = 300_000;

/** A setting that prevents the gateway's start; the message is one line that says what to change. */
export class FixSettingError extends Error {
  override readonly name = 'FixSettingError';
}

export const LIMITS = {
  /** Application messages of one session. */
  messagesPerSecond: 50,
  messageBurst: 100,
  /** Delayed messages: resent from an earlier session, or read this long after they were sent. */
  lateBurst: 1_000,
  lateMs: 1_000,
  /** MarketDataRequest(V) of one session. */
  requestsPerSecond: 20,
  /** Pairs times requests of one session. */
  subscriptions: 500,
  symbolsPerRequest: 100,
  /** Answers of many messages that one session may wait for. */
  longAnswers: 5,
  /** Unanswered QuoteRequest(R) of one session. */
  openQuoteRequests: 20,
  /** Streams of quotes of one session, of all sessions of this engine (a tick prices each of its pair), and the longest one. */
  quoteStreams: 20,
  quoteStreamsOfEngine: 1_000,
  quoteStreamMs: 3_600_000,
  /** How long a rate is held when ValidUntilTime(62) is absent. */
  holdMs: 30_000,
  /** Routing fields kept for later reports on holds; those of the oldest holds are dropped first. */
  holdRoutes: 200,
  /** So many throttle violations within the window end the session and block its CompID. */
  violations: 3,
  violationWindowMs: 10_000,
  blockMs: 15_000,
  /** How long what was accepted before may take to be answered until then. */
  lastAnswersMs: 5_000,
  /** A streamed price may be booked this long after a newer one was published, or its stream has ended. */
  espTtlMs: 500,
  /** Messages of one session that may wait for the store: a full burst and the seconds after it. */
  waiting: 1_400,
} as const;

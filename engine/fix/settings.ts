import type { Server, Socket } from 'node:net';
import type { TlsOptions, Server as TlsServer } from 'node:tls';
import type { Schedule } from 'node-quickfix-ts';

export interface FixGatewaySettings {
  /** For plain TCP. */
  readonly host: string;
  /** Plain TCP; 0 is any free port. */
  readonly port: number;
  /** Listens for TLS too when given. */
  readonly tls?: FixTls;
  /** Proxies in front of the gateway, and the addresses of the peers behind them; absent: peers connect directly. */
  readonly proxies?: FixProxies;
  /** Path of FIX44-ratewire.xml. */
  readonly dictionaryFile: string;
  /** Absent AuthToken(20001): refused, or the token that was issued on the session. */
  readonly tokenOnRequest: 'required' | 'session';
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

/** A setting that prevents the gateway's start; the message is one line that says what to change. */
export class FixSettingError extends Error {
  override readonly name = 'FixSettingError';
}

export const LIMITS = {
  /** Application messages of one session. */
  messagesPerSecond: 50,
  messageBurst: 100,
  /** Messages that have waited: of an earlier session, sent again because the engine has missed them, or read so long after they were sent. */
  lateBurst: 1_000,
  lateMs: 1_000,
  /** MarketDataRequest(V) of one session. */
  requestsPerSecond: 20,
  /** Pairs times requests of one session. */
  subscriptions: 500,
  symbolsPerRequest: 100,
  /** QuoteRequest(R) of one session that have no answer yet. */
  openQuoteRequests: 20,
  /** How long a rate is held when ValidUntilTime(62) is absent. */
  holdMs: 30_000,
  /** Ways back that are remembered for what is told of holds later; those of the oldest holds are forgotten first. */
  holdRoutes: 200,
  /** So many breaches within so long end the session and block its CompID. */
  breaches: 3,
  breachWindowMs: 10_000,
  blockMs: 15_000,
  /** A streamed price may be booked for so long after a newer one has come, or its stream has ended. */
  espTtlMs: 500,
  /** Messages of one session that wait for the store: all that it may send at once, and some seconds of what comes then. */
  waiting: 1_400,
} as const;

import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { STANDARD_FORM } from '../codec/text-form.js';
import type { Log } from '../log/log.js';
import { type Clock, RunningHost } from '../session/host.js';
import { sendLogon } from '../session/initiate.js';
import { DEFAULT_PROFILE } from '../session/profile.js';
import { Protocol, type VersionOptions } from '../session/protocol.js';
import { FixSession } from '../session/session.js';
import type { Application, Field, Session, SessionId, SessionProfile, SessionStoreFactory } from '../types.js';
import { Connection, type ConnectionLimits } from './connection.js';

export interface InitiatorOptions extends VersionOptions {
  readonly host: string;
  readonly port: number;
  /** Options of `node:tls`; TLS 1.2 at least. Absent: plain TCP. */
  readonly tls?: ConnectionOptions;
  /** DefaultApplVerID(1137) of our Logon(A), in FIXT.1.1: 7 is FIX 5.0, 8 SP1, 9 SP2. */
  readonly defaultApplVerId?: string;
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** HeartBtInt(108), seconds. */
  readonly heartBtInt: number;
  /** Added to our Logon(A) after 98, 108, 141: Username(553), Password(554), what the peer wants. */
  readonly logonFields?: readonly Field[];
  /** `authenticate` is not called. */
  readonly application: Omit<Application, 'authenticate'>;
  readonly store: SessionStoreFactory;
  /** Absent: nothing is logged. */
  readonly log?: Log;
  readonly profile?: SessionProfile;
  /** First wait before connecting again, doubled up to the longest, ms; with jitter. */
  readonly reconnect?: { readonly firstMs: number; readonly maxMs: number };
  /** ResetSeqNumFlag(141)=Y at each Logon(A). */
  readonly resetOnLogon?: boolean;
  readonly limits?: Partial<ConnectionLimits>;
  readonly now?: Clock['now'];
  readonly elapsed?: Clock['elapsed'];
}

/** A market data message of a provider may be long. */
const LIMITS: ConnectionLimits = { maxMessageBytes: 64 * 1024, maxFields: 16_000 };
const CONNECT_WAIT_MS = 10_000;

/** Keeps one session to a peer: connects, logs on, and again after every end, until it is stopped. */
export class Initiator {
  /** The session of the current connection, logged on or not. */
  session: Session | undefined;
  private current: FixSession | undefined;
  private readonly id: SessionId;
  private readonly protocol: Protocol;
  private readonly host: RunningHost;
  private readonly reconnect: Reconnect;
  private socket: Socket | undefined;
  private running = false;

  constructor(private readonly options: InitiatorOptions) {
    const { application, beginString, defaultApplVerId, elapsed, now, senderCompId, targetCompId, log } = options;
    this.id = { beginString, senderCompId, targetCompId };
    this.protocol = new Protocol(options);
    if (this.protocol.rules.hasApplVerId !== (defaultApplVerId !== undefined)) {
      throw new Error('defaultApplVerId is required with FIXT.1.1, and only there');
    }
    const known: Application = { authenticate: () => ({ accept: false, silent: true }), ...callbacksOf(application) };
    this.host = new RunningHost(known, { ...(now && { now }), ...(elapsed && { elapsed }) }, log);
    this.reconnect = new Reconnect(options.reconnect ?? { firstMs: 1_000, maxMs: 30_000 }, () => this.connect());
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.host.start();
    this.connect();
  }

  /** Logout(5) and close, within a bound; the numbers are settled. */
  async stop(text = 'shutting down'): Promise<void> {
    this.running = false;
    this.reconnect.cancel();
    const session = this.current;
    if (session?.loggedOn) session.logout(text);
    else this.socket?.destroy();
    if (session !== undefined) await session.settled;
    this.host.stop();
  }

  private connect(): void {
    const { host, port, tls } = this.options;
    const socket =
      tls === undefined ? connect({ host, port }) : connectTls({ host, port, minVersion: 'TLSv1.2', ...tls });
    this.socket = socket;
    socket.setTimeout(CONNECT_WAIT_MS, () => socket.destroy());
    const limits = { ...LIMITS, ...this.options.limits };
    const connection = new Connection(this.host, socket, tls !== undefined, limits, {
      form: STANDARD_FORM,
      firstMessage: () => connection.destroy(),
      closed: () => this.closed(),
    });
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      socket.setTimeout(0);
      this.logOn(connection);
    });
  }

  private logOn(connection: Connection): void {
    const { defaultApplVerId, heartBtInt, logonFields, profile, resetOnLogon, store } = this.options;
    const terms = {
      id: this.id,
      protocol: this.protocol,
      applVerId: defaultApplVerId,
      profile: profile ?? DEFAULT_PROFILE,
      context: undefined,
      heartBtIntS: heartBtInt,
      initiated: true,
    };
    const session = new FixSession(this.host, terms, connection, store(this.id, undefined));
    this.current = session;
    this.session = session;
    connection.attach(session);
    sendLogon(session, resetOnLogon === true, logonFields ?? []).catch(() => {
      session.storeFailed();
      connection.destroy();
    });
  }

  private closed(): void {
    const session = this.current;
    if (session === undefined) {
      this.again(false);
      return;
    }
    this.current = undefined;
    this.session = undefined;
    // The next connection opens the same store: only when this one is done with it.
    void session.settled.then(() => this.again(session.wasUp));
  }

  private again(wasUp: boolean): void {
    if (wasUp) this.reconnect.succeeded();
    if (this.running) this.reconnect.schedule();
  }
}

function callbacksOf(application: Omit<Application, 'authenticate'>): Omit<Application, 'authenticate'> {
  const { fromAdmin, onDrain, onResent, onEvent, onError, mayResend, toAdmin, toApp } = application;
  return {
    onLogon: (session, logon) => application.onLogon(session, logon),
    onMessage: (session, message) => application.onMessage(session, message),
    onLogout: (session, reason) => application.onLogout(session, reason),
    ...(onDrain && { onDrain: onDrain.bind(application) }),
    ...(onResent && { onResent: onResent.bind(application) }),
    ...(onEvent && { onEvent: onEvent.bind(application) }),
    ...(onError && { onError: onError.bind(application) }),
    ...(mayResend && { mayResend: mayResend.bind(application) }),
    ...(fromAdmin && { fromAdmin: fromAdmin.bind(application) }),
    ...(toAdmin && { toAdmin: toAdmin.bind(application) }),
    ...(toApp && { toApp: toApp.bind(application) }),
  };
}

/** Waits between attempts: doubled after each failure up to a bound, each shortened by up to half at random. */
export class Reconnect {
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly wait: { readonly firstMs: number; readonly maxMs: number },
    private readonly attempt: () => void,
    private readonly random: () => number = Math.random,
  ) {}

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.attempt, this.nextMs());
  }

  /** The session was up: the next wait is the first one again. */
  succeeded(): void {
    this.failures = 0;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  /** The clients of a restarted server must not all reconnect in the same moment. */
  nextMs(): number {
    const wholeMs = Math.min(this.wait.maxMs, this.wait.firstMs * 2 ** Math.min(this.failures, 30));
    this.failures++;
    return wholeMs * (1 - this.random() / 2);
  }
}

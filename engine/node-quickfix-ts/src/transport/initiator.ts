import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { STANDARD_FORM } from '../codec/text-form.js';
import type { InitiatorState, SessionState } from '../events.js';
import type { Log } from '../log/log.js';
import { type Clock, RunningHost, sessionEvent } from '../session/host.js';
import { logonFieldsOf, sendLogon } from '../session/initiate.js';
import { isSafeId } from '../session/live-sessions.js';
import { DEFAULT_PROFILE } from '../session/profile.js';
import { Protocol, type VersionOptions } from '../session/protocol.js';
import { FixSession } from '../session/session.js';
import { type NumberRefusal, setStoredNumbers } from '../session/set-numbers.js';
import type { Application, Field, Session, SessionId, SessionProfile, SessionStoreFactory } from '../types.js';
import { Connection, type ConnectionLimits } from './connection.js';
import { type Address, connectionFailed, Reconnect, type ReconnectWaits } from './reconnect.js';

/** Defaults are in the table of settings in README.md. */
export interface InitiatorOptions extends VersionOptions {
  readonly host: string;
  readonly port: number;
  /**
   * Further addresses of the same peer, in order. After a failed attempt, or a session that was up for less than ten seconds, the next one is
   * tried at once; the wait is after the last of them. After a session that was up for longer the first address is tried again.
   */
  readonly backups?: readonly Address[];
  /** Options of `node:tls`; TLS 1.2 at least. Absent: plain TCP. */
  readonly tls?: ConnectionOptions;
  /** DefaultApplVerID(1137) of our Logon(A), in FIXT.1.1: 7 is FIX 5.0, 8 SP1, 9 SP2. */
  readonly defaultApplVerId?: string;
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** Further parts of the session's id; see SessionId. */
  readonly senderSubId?: string;
  readonly senderLocationId?: string;
  readonly targetSubId?: string;
  readonly targetLocationId?: string;
  readonly qualifier?: string;
  /** HeartBtInt(108): whole seconds, 0 (none) to 3,600. */
  readonly heartBtInt: number;
  /**
   * Added to our Logon(A) after 98, 108, 141: Username(553), Password(554), what the peer wants; routing fields to its header. One without a value is
   * left out.
   */
  readonly logonFields?: readonly Field[];
  /** `authenticate` is not called. */
  readonly application: Omit<Application, 'authenticate'>;
  readonly store: SessionStoreFactory;
  /** Absent: nothing is logged. */
  readonly log?: Log;
  readonly profile?: SessionProfile;
  /** Waits between attempts; 1, 2, 4 ... 30 s by default. */
  readonly reconnect?: ReconnectWaits;
  /** ResetSeqNumFlag(141)=Y at each Logon(A). */
  readonly resetOnLogon?: boolean;
  readonly limits?: Partial<ConnectionLimits>;
  readonly now?: Clock['now'];
  readonly elapsed?: Clock['elapsed'];
}

/** A market data message of a provider may be long. */
const LIMITS: ConnectionLimits = { maxMessageBytes: 64 * 1024, maxFields: 16_000 };
const CONNECT_WAIT_MS = 10_000;
/** A session that was up for so long was no failed attempt, ms. */
const STABLE_MS = 10_000;
/** How often the schedule is asked while it is closed, ms. */
const CLOSED_POLL_MS = 1_000;

/**
 * Keeps one session to a peer: connects, logs on, and again after every end, until it is stopped. While the schedule of its profile is
 * closed it does not connect; it does within a second of the opening.
 */
export class Initiator {
  /** The session of the current connection, logged on or not. */
  session: Session | undefined;
  private current: FixSession | undefined;
  private readonly id: SessionId;
  private readonly protocol: Protocol;
  private readonly profile: SessionProfile;
  private readonly logonFields: readonly Field[];
  private readonly host: RunningHost;
  private readonly reconnect: Reconnect;
  private socket: Socket | undefined;
  private readonly addresses: readonly Address[];
  /** Index of the address that is tried, or connected. */
  private at = 0;
  private running = false;
  private stopping: Promise<void> | undefined;
  /** Started again while a stop is in progress. */
  private restarts = false;
  /** The next Logon(A) has 141=Y: a reset was begun and not answered, and the peer would refuse our numbers. */
  private resets = false;
  private between: Exclude<InitiatorState, SessionState> = 'stopped';

  /** Throws an Error for options that make no session. */
  constructor(private readonly options: InitiatorOptions) {
    const { application, defaultApplVerId, elapsed, heartBtInt, now, log } = options;
    this.id = sessionIdOf(options);
    if (!Number.isInteger(heartBtInt) || heartBtInt < 0 || heartBtInt > 3_600)
      throw new RangeError('heartBtInt: whole seconds, 0 to 3600');
    this.protocol = new Protocol(options);
    if (this.protocol.rules.hasApplVerId !== (defaultApplVerId !== undefined)) {
      throw new Error('defaultApplVerId is required with FIXT.1.1, and only there');
    }
    this.addresses = [{ host: options.host, port: options.port }, ...(options.backups ?? [])];
    this.profile = options.profile ?? DEFAULT_PROFILE;
    const form = this.protocol.dataPairs.form(this.profile.encoding);
    this.logonFields = logonFieldsOf(this.id, options.logonFields ?? [], form);
    const known: Application = { authenticate: () => ({ accept: false, silent: true }), ...callbacksOf(application) };
    this.host = new RunningHost(known, { ...(now && { now }), ...(elapsed && { elapsed }) }, log);
    this.reconnect = new Reconnect(options.reconnect ?? { firstMs: 1_000, maxMs: 30_000 }, () => this.connect());
  }

  /** Of the session while there is one, else what the initiator waits for; each change is an event `state`. */
  get state(): InitiatorState {
    return this.current?.state ?? this.between;
  }

  /** While a stop is in progress it begins after that. */
  start(): void {
    this.restarts = this.stopping !== undefined;
    if (this.running || this.restarts) return;
    this.running = true;
    this.at = 0;
    this.reconnect.succeeded();
    this.host.start();
    this.connect();
  }

  /** Logout(5) and close, within a bound; the numbers are settled. */
  stop(text = 'shutting down'): Promise<void> {
    this.running = false;
    this.restarts = false;
    this.stopping ??= this.end(text).finally(() => {
      this.stopping = undefined;
      if (this.restarts) this.start();
    });
    return this.stopping;
  }

  private async end(text: string): Promise<void> {
    this.reconnect.cancel();
    const session = this.current;
    if (session?.loggedOn) session.logout(text);
    else this.socket?.destroy();
    if (session !== undefined) await this.settled(session);
    this.host.stop();
    this.socket = undefined;
    this.current = undefined;
    this.session = undefined;
    this.enter('stopped');
  }

  /**
   * As of the session while it is up; else in the store, durably, while the initiator is stopped: it holds for the session period of that moment. A
   * session that resets its numbers at each Logon(A) begins at 1 all the same.
   */
  async setNextOutgoing(next: number): Promise<NumberRefusal | undefined> {
    return this.current?.loggedOn ? this.current.setNextOutgoing(next) : this.setStored({ nextOut: next });
  }

  /** The same for the number that is expected next. */
  async setNextIncoming(next: number): Promise<NumberRefusal | undefined> {
    return this.current?.loggedOn ? this.current.setNextIncoming(next) : this.setStored({ nextIn: next });
  }

  private async setStored(numbers: { nextOut?: number; nextIn?: number }): Promise<NumberRefusal | undefined> {
    if (this.running || this.stopping) return 'not-logged-on';
    const store = this.options.store(this.id, undefined);
    const refusal = await setStoredNumbers(store, this.profile.schedule, this.host.clock.now(), numbers);
    if (refusal === undefined) this.resets = false;
    return refusal;
  }

  private enter(state: Exclude<InitiatorState, SessionState>): void {
    if (this.between === state) return;
    this.between = state;
    this.host.application.onEvent?.(undefined, sessionEvent('state', state));
  }

  private connect(): void {
    if (this.profile.schedule?.isOpen(this.host.clock.now()) === false) {
      this.enter('closed');
      this.reconnect.in(CLOSED_POLL_MS);
      return;
    }
    this.enter('connecting');
    const { tls } = this.options;
    const { host, port } = this.addresses[this.at]!;
    const socket =
      tls === undefined ? connect({ host, port }) : connectTls({ host, port, minVersion: 'TLSv1.2', ...tls });
    this.socket = socket;
    this.current = undefined;
    this.session = undefined;
    const limits = { ...LIMITS, ...this.options.limits };
    const connection = new Connection(this.host, socket, tls !== undefined, limits, {
      form: STANDARD_FORM,
      firstMessage: () => connection.destroy(),
      closed: () => this.closed(connection, socket),
    });
    const late = setTimeout(() => {
      connection.failure ??= Object.assign(new Error(`no connection within ${CONNECT_WAIT_MS} ms`), {
        code: 'ETIMEDOUT',
      });
      connection.destroy();
    }, CONNECT_WAIT_MS);
    socket.once('close', () => clearTimeout(late));
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      clearTimeout(late);
      this.logOn(connection);
    });
  }

  private logOn(connection: Connection): void {
    const { defaultApplVerId, heartBtInt, resetOnLogon, store } = this.options;
    const terms = {
      id: this.id,
      protocol: this.protocol,
      applVerId: defaultApplVerId,
      profile: this.profile,
      context: undefined,
      heartBtIntS: heartBtInt,
      initiated: true,
    };
    const session = new FixSession(this.host, terms, connection, store(this.id, undefined));
    this.current = session;
    this.session = session;
    this.host.application.onEvent?.(session, sessionEvent('state', 'logging-on'));
    connection.attach(session);
    sendLogon(session, resetOnLogon === true || this.resets, this.logonFields).catch(() => {
      session.storeFailed();
      connection.destroy();
    });
  }

  private closed({ failure }: Connection, socket: Socket): void {
    // A connection of before a stop and a start.
    if (socket !== this.socket) return;
    const session = this.current;
    if (this.running && (failure !== undefined || session === undefined)) {
      const address = this.addresses[this.at]!;
      this.host.application.onEvent?.(session, connectionFailed(address, failure));
    }
    if (session === undefined) {
      this.again(false);
      return;
    }
    this.session = undefined;
    const wasStable = session.upForMs >= Math.min(STABLE_MS, this.reconnect.longestMs);
    // The next connection opens the same store: only when this one is done with it.
    void this.settled(session).then(() => {
      this.current = undefined;
      this.again(wasStable);
    });
  }

  private async settled(session: FixSession): Promise<void> {
    await session.settled;
    this.resets = session.numberReset.isUnfinished || (this.resets && session.upSinceMs === undefined);
  }

  private again(wasStable: boolean): void {
    if (wasStable) {
      this.reconnect.succeeded();
      this.at = 0;
    } else this.at = (this.at + 1) % this.addresses.length;
    if (!this.running) return;
    // The other addresses are tried at once.
    const waitMs = wasStable || this.at === 0 ? this.reconnect.nextMs() : 0;
    this.enter('waiting');
    if (waitMs > 0)
      this.host.application.onEvent?.(undefined, { kind: 'waiting', detail: 'waiting', ms: Math.round(waitMs) });
    this.reconnect.in(waitMs);
  }
}

/** Throws an Error for a part that no store could take: see `compIdPattern` of the acceptor. */
function sessionIdOf(options: InitiatorOptions): SessionId {
  const { beginString, senderCompId, targetCompId } = options;
  const id: Record<string, string> = { beginString, senderCompId, targetCompId };
  for (const name of ['senderSubId', 'senderLocationId', 'targetSubId', 'targetLocationId', 'qualifier'] as const) {
    const value = options[name];
    if (value !== undefined) id[name] = value;
  }
  const unsafe = Object.entries(id).find(([, value]) => !isSafeId(value));
  if (unsafe !== undefined)
    throw new Error(`${unsafe[0]}: 1 to 64 printable characters without / and \\, not dots alone`);
  return id as unknown as SessionId;
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

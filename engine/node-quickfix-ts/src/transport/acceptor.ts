import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { MessageView } from '../codec/message-view.js';
import { DataPairs, type TextForm } from '../codec/text-form.js';
import type { Log } from '../log/log.js';
import { type Clock, RunningHost, resolvesWithin, sessionEvent } from '../session/host.js';
import { idRule, LiveSessions, type SessionIdField, sessionKey } from '../session/live-sessions.js';
import { answerLogon, type LogonAcceptor } from '../session/logon.js';
import { Protocol, type VersionOptions } from '../session/protocol.js';
import { LOGOUT_WAIT_MS } from '../session/session.js';
import { type NumberRefusal, setStoredNumbers } from '../session/set-numbers.js';
import type { Application, Schedule, Session, SessionId, SessionStoreFactory } from '../types.js';
import { Connection, type ConnectionLimits } from './connection.js';

/** Defaults are in the table of settings in README.md. */
export interface AcceptorOptions extends Partial<VersionOptions> {
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** Certificate, key and further options of `node:tls`; TLS 1.2 at least. Absent: plain TCP. */
  readonly tls?: TlsOptions;
  /** The server before it listens, with all its listeners: for certificate renewal, further limits, or a proxy's header. */
  prepare?(server: Server): void;
  /** The address of the peer behind a proxy; absent: the socket's. With TLS it is called before the handshake too. */
  readonly remoteAddress?: (socket: Socket) => string;
  /** Several versions on this port; absent: the one of `beginString` (FIX.4.4), `dictionary` and `applications`. */
  readonly versions?: readonly VersionOptions[];
  readonly application: Application;
  readonly store: SessionStoreFactory;
  /** Absent: nothing is logged. */
  readonly log?: Log;
  /** Our own CompIDs: a Logon(A) to any other is disconnected without a Logout(5). Absent: `authenticate` decides. */
  readonly senderCompIds?: Iterable<string>;
  /**
   * What the whole of a CompID, SubID or LocationID must match; `[A-Za-z0-9._-]{1,32}` by default. Control characters, `/`, `\\`, dots alone, blanks
   * at either end and more than 64 characters are refused whatever it says, so that no store can be led out of its place.
   */
  readonly compIdPattern?: RegExp;
  /** Fields of the Logon(A) that identify its session beside the CompIDs; without them a peer's SubIDs and LocationIDs are only answered. */
  readonly identifyBy?: readonly SessionIdField[];
  readonly limits?: Partial<AcceptorLimits>;
  /** False: the connection is closed at once. For limits by address. */
  readonly admit?: (remoteAddress: string) => boolean;
  /** Epoch ms and monotonic ms; the system's clocks by default. */
  readonly now?: Clock['now'];
  readonly elapsed?: Clock['elapsed'];
}

/** 8 KiB and 1,000 fields a message, 10,000 ms to log on, 2,000 connections without a session and 10,000 in all by default. */
export interface AcceptorLimits extends ConnectionLimits {
  /** A connection that has not logged on by then is closed, ms. */
  readonly logonTimeoutMs: number;
  /** Connections without a session; one more closes the oldest that has not sent its Logon(A) yet. */
  readonly maxPendingConnections: number;
  readonly maxConnections: number;
}

const LIMITS: AcceptorLimits = {
  maxMessageBytes: 8 * 1024,
  maxFields: 1_000,
  logonTimeoutMs: 10_000,
  // A thousand peers that reconnect at once after a restart are no flood.
  maxPendingConnections: 2_000,
  maxConnections: 10_000,
};

/** How long a stop waits for a store that does not answer, ms. */
const SETTLE_WAIT_MS = 2_000;

/** Listens, and keeps a session for every peer that logs on. */
export class Acceptor {
  readonly form: TextForm;
  private readonly host: RunningHost;
  private readonly live = new LiveSessions();
  private readonly logons: LogonAcceptor;
  private readonly limits: AcceptorLimits;
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** Without a session, oldest first. */
  private readonly pending = new Set<Connection>();
  private stopping = false;
  private hasClosed: Promise<void> | undefined;

  constructor(private readonly options: AcceptorOptions) {
    const { application, now, elapsed, senderCompIds, store, tls, log } = options;
    this.host = new RunningHost(application, { ...(now && { now }), ...(elapsed && { elapsed }) }, log);
    this.limits = { ...LIMITS, ...options.limits };
    const protocols = protocolsOf(options);
    const pairs = [...protocols.values()].flatMap(({ dataPairs }) => dataPairs.pairs);
    this.form = new DataPairs(pairs).form('latin1');
    this.logons = {
      host: this.host,
      live: this.live,
      store,
      protocols,
      senderCompIds: senderCompIds && new Set(senderCompIds),
      isId: idRule(options.compIdPattern),
      identifyBy: new Set(options.identifyBy),
    };
    const accept = (socket: Socket): void => this.accept(socket);
    this.server =
      tls === undefined
        ? createServer({ noDelay: true }, accept)
        : createTlsServer({ minVersion: 'TLSv1.2', handshakeTimeout: this.limits.logonTimeoutMs, ...tls }, accept);
    this.server.maxConnections = this.limits.maxConnections;
    // A peer that does not speak TLS, or sends nothing in time: Node reports it and leaves the connection open.
    this.server.on('tlsClientError', (_error: Error, socket: Socket) => {
      socket.destroy();
      this.refused('tls');
    });
    // A handshake costs more than a refusal: it is not begun with an address that is not admitted.
    if (tls) this.server.on('connection', (socket: Socket) => this.admits(socket) || socket.destroy());
    options.prepare?.(this.server);
  }

  /** Resolves when it listens. Rejects when the address is taken. */
  listen(): Promise<{ port: number }> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, this.options.host ?? '127.0.0.1', 1024, () => {
        this.server.off('error', reject);
        this.host.start();
        const address = this.server.address();
        resolve({ port: typeof address === 'object' && address !== null ? address.port : this.options.port });
      });
    });
  }

  /** The sessions that are logged on. */
  sessions(): Iterable<Session> {
    return this.live.sessions();
  }

  /**
   * Numbers of a session, as `Session.setNextOutgoing` and `setNextIncoming` where it is up; else in its store, durably, while logons to it
   * are refused: they hold for the session period of that moment, so give the `schedule` of its profile where it has one. A session that resets its
   * numbers at each Logon(A) begins at 1 all the same. `context` is what the store factory gets.
   */
  async setNumbers(
    id: SessionId,
    numbers: { readonly nextOut?: number; readonly nextIn?: number },
    context?: unknown,
    schedule?: Schedule,
  ): Promise<NumberRefusal | undefined> {
    const key = sessionKey(id);
    const claim = this.live.claim(key);
    if (claim !== undefined) {
      try {
        return await setStoredNumbers(this.options.store(id, context), schedule, this.host.clock.now(), numbers);
      } finally {
        claim.release();
      }
    }
    const session = this.live.holder(key)?.session;
    if (session === undefined) return 'not-logged-on';
    const { nextOut, nextIn } = numbers;
    const refusal = nextOut === undefined ? undefined : await session.setNextOutgoing(nextOut);
    return refusal ?? (nextIn === undefined ? undefined : session.setNextIncoming(nextIn));
  }

  /** Writes what the current turn has encoded and not yet written. */
  flush(): void {
    this.host.writeBuffer.flush();
  }

  /** No new connections from now on; existing ones continue until `stop`. */
  close(): void {
    if (this.stopping) return;
    this.stopping = true;
    this.hasClosed = new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /**
   * Logout(5) with `text` to all, closed within two seconds whether answered or not; their numbers are settled. A store that
   * does not answer is abandoned after two seconds more: its session continues at the reserved bound. A connection that logs on meanwhile
   * is still answered by the application.
   */
  async stop(text = 'shutting down'): Promise<void> {
    this.close();
    for (const session of [...this.live.sessions()]) session.logout(text);
    const deadline = setTimeout(() => {
      for (const connection of this.connections) connection.destroy();
    }, LOGOUT_WAIT_MS);
    await resolvesWithin(this.live.allReleased(), LOGOUT_WAIT_MS + SETTLE_WAIT_MS);
    for (const connection of this.connections) connection.end();
    await resolvesWithin(this.hasClosed!, LOGOUT_WAIT_MS);
    clearTimeout(deadline);
    for (const connection of this.connections) connection.destroy();
    this.host.stop();
  }

  private accept(socket: Socket): void {
    if (!this.admits(socket)) {
      socket.destroy();
      return;
    }
    if (this.pending.size >= this.limits.maxPendingConnections) this.dropOldest();
    const secure = this.options.tls !== undefined;
    const connection = new Connection(this.host, socket, secure, this.limits, this, this.addressOf(socket));
    this.connections.add(connection);
    this.pending.add(connection);
    connection.expectSession(this.limits.logonTimeoutMs);
  }

  private addressOf(socket: Socket): string {
    return this.options.remoteAddress?.(socket) ?? socket.remoteAddress ?? '';
  }

  private admits(socket: Socket): boolean {
    const admitted = !this.stopping && this.options.admit?.(this.addressOf(socket)) !== false;
    if (!admitted) this.refused(this.stopping ? 'stopping' : 'address');
    return admitted;
  }

  /** A flood of connections must not keep a peer out: the newest may be that peer, the oldest had its time. */
  private dropOldest(): void {
    for (const connection of this.pending) {
      if (connection.hasFirstMessage) continue;
      this.pending.delete(connection);
      connection.destroy();
      this.refused('too-many-without-logon');
      return;
    }
  }

  firstMessage(connection: Connection, view: MessageView): void {
    connection.pause();
    const logon = view.copy();
    answerLogon(this.logons, connection, logon).then(
      (session) => {
        if (session === undefined) return;
        this.pending.delete(connection);
        connection.attach(session);
      },
      (error: unknown) => {
        connection.destroy();
        const { application } = this.host;
        if (application.onError === undefined) throw error;
        application.onError(undefined, error);
      },
    );
  }

  closed(connection: Connection): void {
    this.connections.delete(connection);
    this.pending.delete(connection);
  }

  private refused(why: string): void {
    this.host.application.onEvent?.(undefined, sessionEvent('connection-refused', why));
  }
}

function protocolsOf({ versions, beginString, dictionary, applications }: AcceptorOptions): Map<string, Protocol> {
  if (versions !== undefined && (beginString ?? dictionary ?? applications) !== undefined) {
    throw new Error('versions stands in place of beginString, dictionary and applications: give one or the others');
  }
  const one = {
    beginString: beginString ?? 'FIX.4.4',
    ...(dictionary && { dictionary }),
    ...(applications && { applications }),
  };
  const protocols = (versions ?? [one]).map((version) => new Protocol(version));
  const byBeginString = new Map(protocols.map((protocol) => [protocol.beginString, protocol] as const));
  if (protocols.length === 0) throw new Error('versions is empty');
  if (byBeginString.size < protocols.length) throw new Error('versions: two of them have the same beginString');
  return byBeginString;
}

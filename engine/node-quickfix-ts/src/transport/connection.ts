import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { FrameReader } from '../codec/frame-reader.js';
import { MessageView } from '../codec/message-view.js';
import type { TextForm } from '../codec/text-form.js';
import { LOGGED_MAX } from '../log/log.js';
import type { Timed } from '../session/host.js';
import { receive } from '../session/inbound.js';
import type { Counterparty } from '../session/logon.js';
import type { FixSession, SessionHost } from '../session/session.js';

/** Limits of what a peer sends. An initiator takes 64 KiB and 16,000 fields by default; see `AcceptorLimits`. */
export interface ConnectionLimits {
  /** Longest inbound message, bytes; a longer one, by its BodyLength(9), ends the connection. */
  readonly maxMessageBytes: number;
  /** Fields of an inbound message; one with more ends the connection. */
  readonly maxFields: number;
}

export interface ConnectionOwner {
  /** Encoding and data fields of a first message: no version is known yet. */
  readonly form: TextForm;
  /** The first message of a connection without a session; nothing more is read until `resume`. */
  firstMessage(connection: Connection, view: MessageView): void;
  closed(connection: Connection): void;
}

/** How long the peer may take to close after our last byte, ms. */
const CLOSE_WAIT_MS = 1_000;

/** Silence before the kernel probes the peer: what finds a dead connection of a session without heartbeats. */
const KEEP_ALIVE_MS = 60_000;

/** A read of so many bytes is one of a flood: a whole TLS record, or a quarter of what Node reads at once. */
const FLOOD_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** One index for all messages: a message is processed before the next is read. */
const view = new MessageView();

/** A socket split into frames: the wire of one session, and before its Logon(A) of one counterparty. */
export class Connection implements Counterparty, Timed {
  session: FixSession | undefined;
  closed = false;
  /** The first error of the socket. */
  failure: NodeJS.ErrnoException | undefined;
  dueMs = 0;
  slot = -1;
  private readonly reader: FrameReader;
  /** Until there is a session, which has its encoding. */
  private garbledSeen = 0;
  /** The first message has come. */
  hasFirstMessage = false;
  /** Input is ignored from now on. */
  private ignoresInput = false;
  /** When our side is to be closed after the last bytes; 0: not set. */
  private endAtMs = 0;

  constructor(
    private readonly host: SessionHost,
    private readonly socket: Socket,
    readonly secure: boolean,
    limits: ConnectionLimits,
    private readonly owner: ConnectionOwner,
    /** Of the peer behind a proxy. */
    private readonly address?: string,
  ) {
    this.reader = new FrameReader(limits);
    if (host.log !== undefined) this.reader.onGarbled = this.logGarbled;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('drain', () => this.session?.drained());
    // An error is followed by `close`, where it is handled.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.failure ??= error;
    });
    socket.on('end', () => this.peerEnded());
    socket.on('close', () => this.ended());
  }

  get remoteAddress(): string {
    return this.address ?? this.socket.remoteAddress ?? '';
  }

  get backlogBytes(): number {
    return this.socket.writableLength;
  }

  get certificateNames(): readonly string[] | undefined {
    return this.socket instanceof TLSSocket && this.socket.authorized ? namesOf(this.socket) : undefined;
  }

  write(bytes: Uint8Array): boolean {
    if (this.closed || this.socket.writableEnded) return true;
    if (this.secure) {
      // TLS answers later even when the kernel has taken everything: the write buffer is kept.
      this.socket.write(Uint8Array.from(bytes));
      return true;
    }
    this.socket.write(bytes);
    return this.socket.writableLength === 0;
  }

  end(): void {
    this.endAfter(0);
  }

  endAfter(ms: number): void {
    if (this.closed) return;
    this.ignoresInput = true;
    if (ms === 0) this.finish();
    else {
      this.endAtMs = this.host.clock.elapsed() + ms;
      this.host.wheel.disarm(this);
      this.host.wheel.arm(this, this.endAtMs);
    }
    // Further input is read and dropped: unread bytes would turn the close into a reset, and lose the last bytes sent.
    this.socket.resume();
  }

  destroy(): void {
    this.ignoresInput = true;
    this.socket.destroy();
  }

  pause(): void {
    this.reader.halted = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.reader.halted) return;
    this.reader.halted = false;
    this.socket.resume();
    // Input received meanwhile; its first message may pause again.
    this.read(NOTHING);
  }

  /** From here on this is the session's wire; input received meanwhile is processed first. */
  attach(session: FixSession): void {
    this.session = session;
    this.host.wheel.disarm(this);
    if (this.closed) session.disconnected();
    else this.resume();
  }

  /** Closes the connection unless it has a session by then. */
  expectSession(withinMs: number): void {
    this.host.wheel.arm(this, this.host.clock.elapsed() + withinMs);
  }

  onDue(): number {
    if (this.endAtMs > 0) this.finish();
    else if (this.session === undefined || this.ignoresInput) this.destroy();
    return Infinity;
  }

  private finish(): void {
    this.endAtMs = 0;
    this.socket.end();
    this.host.wheel.disarm(this);
    this.host.wheel.arm(this, this.host.clock.elapsed() + CLOSE_WAIT_MS);
  }

  private read(chunk: Buffer): void {
    if (this.ignoresInput) return;
    const result = this.reader.push(chunk, this.frame);
    const garbled = this.reader.garbled - this.garbledSeen;
    this.garbledSeen = this.reader.garbled;
    for (let i = 0; i < garbled; i++) this.garbled();
    if (result === 'too-long') this.destroy();
    else if (chunk.length >= FLOOD_BYTES) this.yieldTurn();
    this.session?.readDone();
  }

  /** Node would read 32 such chunks, 2 MiB, of one peer before any other. */
  private yieldTurn(): void {
    this.socket.pause();
    setImmediate(() => {
      if (!this.reader.halted) this.socket.resume();
    });
  }

  private readonly frame = (buffer: Uint8Array, start: number, end: number): void => {
    if (this.ignoresInput) return;
    if (!view.index(buffer, start, end, this.session?.form ?? this.owner.form)) {
      this.logGarbled(buffer, start, end);
      this.garbled();
    } else {
      this.session?.log?.incoming(buffer, start, end);
      this.deliver(view);
    }
  };

  private readonly logGarbled = (buffer: Uint8Array, start: number, end: number): void => {
    if (this.ignoresInput) return;
    const log = this.session?.log ?? this.host.strangers;
    log?.garbled(buffer, start, Math.min(end, start + LOGGED_MAX));
  };

  private deliver(message: MessageView): void {
    if (this.ignoresInput) return;
    if (this.session !== undefined) receive(this.session, message);
    else if (this.reader.garbled > 0) this.garbled();
    else if (!this.hasFirstMessage) {
      this.hasFirstMessage = true;
      this.owner.firstMessage(this, message);
    }
  }

  /** Ignored in a session; a connection that begins with it is not FIX. */
  private garbled(): void {
    if (this.session !== undefined) this.session.garbled();
    else if (!this.hasFirstMessage) this.destroy();
  }

  /** The session ends with the peer's last byte, not when ours have left: the peer may reconnect at once. */
  private peerEnded(): void {
    this.ignoresInput = true;
    this.session?.disconnected();
    this.finish();
  }

  private ended(): void {
    this.closed = true;
    this.ignoresInput = true;
    this.host.wheel.disarm(this);
    this.session?.disconnected(this.failure?.code);
    this.owner.closed(this);
  }
}

function namesOf(socket: TLSSocket): readonly string[] {
  const { subject, subjectaltname = '' } = socket.getPeerCertificate();
  // Node quotes a name with a comma in it, so that none can pass for two.
  const names = subjectaltname.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
  return [...[subject?.CN ?? []].flat(), ...names];
}

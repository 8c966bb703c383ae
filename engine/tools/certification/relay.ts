/**
 * The port that the desk connects to: it passes whole messages on to the engine's own port and back, reads both directions, and can withhold
 * a message of the engine or cut the line. The engine behind it is the product as it is. A connection whose first byte begins no FIX message, a
 * health check or a scan, is closed, and none is reported before its first byte; only what a desk with other TLS settings does is.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { FrameReader, MessageView } from 'node-quickfix-ts';
import type { Side, WireMessage } from './wire.js';

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  /** Certificate and key; absent: plain TCP. */
  readonly tls?: TlsOptions;
  /** Where the engine listens, on this machine. */
  readonly enginePort: number;
}

export interface RelayEvents {
  /** Before it is passed on. */
  onMessage(message: WireMessage): void;
  onConnected(connection: number): void;
  /** `by`: which side has closed the line first. */
  onClosed(connection: number, by: Side | 'relay'): void;
  /** One side of a connection has TLS and the other has not, or they do not agree. */
  onTlsFault(why: string): void;
  /** Bytes that are no message, or a wrong BodyLength(9) or CheckSum(10). */
  onGarbled(from: Side): void;
}

/** As the engine's own bounds; an engine's message with a hundred pairs is longer. */
const FROM_DESK = { maxMessageBytes: 8 * 1024, maxFields: 1_000 };
const FROM_ENGINE = { maxMessageBytes: 256 * 1024, maxFields: 32_000 };
/** One desk, and what it may leave half open. */
const MAX_CONNECTIONS = 8;
const HANDSHAKE_MS = 10_000;
/** Of BeginString(8). */
const FIRST_BYTE = 0x38;
/** Of a TLS handshake. */
const TLS_FIRST_BYTE = 0x16;

export class Relay {
  /** Decides about each message of the engine; true: it is kept from the desk. */
  withholds: (message: WireMessage) => boolean = () => false;
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #connections = 0;

  constructor(
    private readonly options: RelayOptions,
    private readonly events: RelayEvents,
  ) {
    const { tls } = options;
    const accept = (socket: Socket): void => this.#accept(socket);
    this.#server =
      tls === undefined
        ? createServer({ noDelay: true }, accept)
        : createTlsServer({ handshakeTimeout: HANDSHAKE_MS, noDelay: true, ...tls }, accept);
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('tlsClientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
      socket.destroy();
      // Others have gone without a word.
      if (code.startsWith('ERR_SSL')) this.events.onTlsFault(`a connection failed in TLS: ${code}`);
    });
  }

  /** Resolves with the port; rejects as `net` does when the address is taken. */
  listen(): Promise<{ port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.options.port, this.options.host, () => {
        this.#server.off('error', reject);
        const address = this.#server.address();
        resolve({ port: typeof address === 'object' && address !== null ? address.port : this.options.port });
      });
    });
  }

  /** Closes every connection on both sides, with nothing more passed on. */
  cut(): void {
    for (const line of this.#lines) line.close('relay');
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  #accept(desk: Socket): void {
    const engine = connect({ host: '127.0.0.1', port: this.options.enginePort, noDelay: true });
    const line = new Line(desk, engine, ++this.#connections, this.events, {
      withholds: (message) => this.withholds(message),
      onEnd: () => this.#lines.delete(line),
    });
    this.#lines.add(line);
  }
}

interface LineOwner {
  withholds(message: WireMessage): boolean;
  onEnd(): void;
}

/** One connection of the desk, and the one to the engine behind it. */
class Line {
  #closed = false;
  #isDesk = false;

  constructor(
    private readonly desk: Socket,
    private readonly engine: Socket,
    readonly connection: number,
    private readonly events: RelayEvents,
    private readonly owner: LineOwner,
  ) {
    this.#pass('desk', desk, engine, new FrameReader(FROM_DESK));
    this.#pass('engine', engine, desk, new FrameReader(FROM_ENGINE));
  }

  close(by: Side | 'relay'): void {
    if (this.#closed) return;
    this.#closed = true;
    // What has been passed on is still written, unless the line is cut.
    for (const socket of [this.desk, this.engine])
      if (by === 'relay') socket.destroy();
      else socket.end(() => socket.destroy());
    this.owner.onEnd();
    if (this.#isDesk) this.events.onClosed(this.connection, by);
  }

  #pass(from: Side, source: Socket, target: Socket, reader: FrameReader): void {
    const view = new MessageView();
    let garbled = 0;
    source.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      if (from === 'desk' && !this.#isDesk) {
        if (chunk[0] === TLS_FIRST_BYTE) this.events.onTlsFault('a connection began with TLS, and this port has none');
        if (chunk[0] !== FIRST_BYTE) return this.close('relay');
        this.#isDesk = true;
        this.events.onConnected(this.connection);
      }
      const whole = reader.push(chunk, (buffer, start, end) => {
        if (this.#closed) return;
        if (!view.index(buffer, start, end)) {
          this.events.onGarbled(from);
          return;
        }
        const message: WireMessage = {
          from,
          connection: this.connection,
          atMs: Date.now(),
          view: view.copy(),
          withheld: false,
        };
        message.withheld = from === 'engine' && this.owner.withholds(message);
        // Written first: what the message brings about comes after it.
        if (!message.withheld) this.#write(source, target, buffer.subarray(start, end));
        this.events.onMessage(message);
      });
      for (; garbled < reader.garbled; garbled++) this.events.onGarbled(from);
      if (whole === 'too-long') this.close(from);
    });
    source.on('end', () => this.close(from));
    source.on('close', () => this.close(from));
    source.on('error', () => this.close(from));
  }

  #write(source: Socket, target: Socket, bytes: Uint8Array): void {
    if (target.write(bytes) || source.isPaused()) return;
    source.pause();
    target.once('drain', () => source.resume());
  }
}

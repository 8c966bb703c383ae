/** The server's side of its connections: it reads, writes, accepts and closes by descriptor. */
import type { Socket } from 'node:net';

// Must be what the build of valkey.wasm expects (its src/wasi/host.h and ae.h).
const FIRST_DESCRIPTOR = 4_096;
const READABLE = 1;
const WRITABLE = 2;
const LISTENER = FIRST_DESCRIPTOR;

/** A connection of the server: a socket, or a caller inside this process. */
interface Peer {
  readonly received: Buffer[];
  offset: number;
  ended: boolean;
  full: boolean;
  write(bytes: Buffer): boolean;
  destroy(): void;
}

/** The `host` imports of valkey.wasm. */
export interface HostImports {
  [name: string]: (...args: number[]) => number | undefined;
}

/** `wake` is called when there is something to read or room to write. */
export class Peers {
  private readonly open = new Map<number, Peer>();
  private readonly waiting: number[] = [];
  /** Descriptors are reused: the server's event table ends at about 10,000. */
  private readonly free: number[] = [];
  private next = FIRST_DESCRIPTOR + 1;

  constructor(
    private readonly memory: () => ArrayBuffer,
    private readonly wake: () => void,
  ) {}

  /** One request by a caller in this process: RESP bytes in, each reply's bytes to `replied`. */
  connect(replied: (bytes: Buffer) => void): { send(bytes: Buffer): void; end(): void } {
    const peer = this.add({
      write: (bytes) => {
        replied(bytes);
        return true;
      },
      destroy: () => {},
    });
    return {
      send: (bytes) => {
        peer.received.push(bytes);
        this.wake();
      },
      end: () => {
        peer.ended = true;
        this.wake();
      },
    };
  }

  end(): void {
    for (const peer of this.open.values()) peer.destroy();
    this.open.clear();
  }

  imports(): HostImports {
    return {
      socket: () => LISTENER,
      // The port was bound before the server booted, so this cannot fail.
      listen: () => 0,
      accept: () => this.waiting.shift() ?? -1,
      read: (descriptor, at, length) => this.read(descriptor, at, length),
      write: (descriptor, at, length) => this.write(descriptor, at, length),
      close: (descriptor) => this.close(descriptor),
      poll: (interests, count, fired, most) => this.poll(interests, count, fired, most),
    };
  }

  /** Hands the connection to the server. */
  admit(socket: Socket): void {
    socket.setNoDelay(true);
    const peer = this.add({ write: (bytes) => socket.write(bytes), destroy: () => socket.destroy() });
    const ended = (): void => {
      peer.ended = true;
      this.wake();
    };
    socket.on('data', (bytes: Buffer) => {
      peer.received.push(bytes);
      this.wake();
    });
    socket.on('drain', () => {
      peer.full = false;
      this.wake();
    });
    socket.on('end', ended).on('close', ended).on('error', ended);
  }

  private add(way: Pick<Peer, 'write' | 'destroy'>): Peer {
    const peer: Peer = { received: [], offset: 0, ended: false, full: false, ...way };
    const descriptor = this.free.pop() ?? this.next++;
    this.open.set(descriptor, peer);
    this.waiting.push(descriptor);
    this.wake();
    return peer;
  }

  private read(descriptor: number, at: number, length: number): number {
    const peer = this.open.get(descriptor);
    if (!peer) return -1;
    if (peer.received.length === 0) return peer.ended ? 0 : -1;
    const into = new Uint8Array(this.memory());
    let done = 0;
    while (done < length && peer.received.length > 0) {
      const chunk = peer.received[0];
      const part = chunk.subarray(peer.offset, peer.offset + length - done);
      into.set(part, at + done);
      done += part.length;
      peer.offset += part.length;
      if (peer.offset < chunk.length) break;
      peer.received.shift();
      peer.offset = 0;
    }
    return done;
  }

  private write(descriptor: number, at: number, length: number): number {
    const peer = this.open.get(descriptor);
    if (!peer || peer.ended) return -1;
    // Copied: the server reuses its buffer before the socket has sent it.
    peer.full = !peer.write(Buffer.from(new Uint8Array(this.memory(), at, length)));
    return length;
  }

  private close(descriptor: number): undefined {
    const peer = this.open.get(descriptor);
    if (!peer) return;
    peer.destroy();
    this.open.delete(descriptor);
    this.free.push(descriptor);
  }

  private poll(interests: number, count: number, fired: number, most: number): number {
    const view = new DataView(this.memory());
    let found = 0;
    for (let i = 0; i < count && found < most; i++) {
      const descriptor = view.getInt32(interests + 8 * i, true);
      const ready = this.readiness(descriptor) & view.getInt32(interests + 8 * i + 4, true);
      if (ready === 0) continue;
      view.setInt32(fired + 8 * found, descriptor, true);
      view.setInt32(fired + 8 * found + 4, ready, true);
      found++;
    }
    return found;
  }

  private readiness(descriptor: number): number {
    if (descriptor === LISTENER) return this.waiting.length > 0 ? READABLE : 0;
    const peer = this.open.get(descriptor);
    if (!peer) return 0;
    return (peer.received.length > 0 || peer.ended ? READABLE : 0) | (peer.full ? 0 : WRITABLE);
  }
}

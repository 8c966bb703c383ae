/** Open connections, bounded: a caller that holds many idle connections cannot keep other callers out. */
import type { Socket } from 'node:net';

export class KeptConnections {
  /** The one that has been idle for longest comes first. */
  readonly #open = new Set<Socket>();

  constructor(private readonly most: number) {}

  /** One too many closes the first. */
  add(socket: Socket): void {
    if (this.#open.size >= this.most) {
      const [first] = this.#open;
      this.#open.delete(first!);
      first!.destroy();
    }
    this.#open.add(socket);
    socket.once('close', () => this.leave(socket));
  }

  asked(socket: Socket): void {
    if (this.#open.delete(socket)) this.#open.add(socket);
  }

  /** The connection is bounded otherwise from now on. */
  leave(socket: Socket): void {
    this.#open.delete(socket);
  }
}

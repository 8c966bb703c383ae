/** The provider of a load run: ticks as WebSocket frames to a server that connects, or as lines to one that listens. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { utcMicros, wallMicros } from './clock.js';
import type { LoadPlan } from './plan.js';

interface Link {
  write(tick: string): void;
  cork(): void;
  uncork(): void;
}

export class TickSource {
  sent = 0;
  #link: Link | undefined;
  #server: WebSocketServer | undefined;

  constructor(private readonly plan: Pick<LoadPlan, 'feed' | 'pairs'>) {}

  get taken(): boolean {
    return this.#link !== undefined;
  }

  /** Opens the feed; `taken` is true once the server has it. */
  async open(): Promise<void> {
    const { kind, port } = this.plan.feed;
    if (kind === 'lines') {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      this.#link = socket;
      return;
    }
    const server = new WebSocketServer({ port, host: '127.0.0.1', perMessageDeflate: false });
    this.#server = server;
    const listening = once(server, 'listening');
    server.on('connection', (client: WebSocket, { socket }) => {
      client.on('error', () => {});
      client.on('message', (text) => {
        if (String(text).includes('"ping"')) client.send('{"op":"pong"}');
      });
      this.#link = { write: (tick) => client.send(tick), cork: () => socket.cork(), uncork: () => socket.uncork() };
    });
    await listening;
  }

  close(): void {
    for (const client of this.#server?.clients ?? []) client.terminate();
    this.#server?.close();
  }

  /** Sends this many ticks at once, each with the current time. */
  emit(ticks: number): void {
    const link = this.#link!;
    link.cork();
    for (let i = 0; i < ticks; i++) link.write(this.tick(this.sent++));
    link.uncork();
  }

  /** The pairs take turns; prices go up and down by the smallest step, each different from the previous one. */
  private tick(n: number): string {
    const { pairs, feed } = this.plan;
    const k = n % pairs.length;
    const step = Math.floor(n / pairs.length) % 1994;
    const mid = 1 + k * 0.05 + (step < 997 ? step : 1994 - step) * 0.00001;
    const [bid, offer] = [mid.toFixed(5), (mid + 0.0002).toFixed(5)];
    const micros = Math.round(wallMicros());
    if (feed.kind === 'lines') return `${pairs[k]} ${bid} ${offer} ${utcMicros(micros)}\n`;
    return `{"op":"tick","s":"${pairs[k]}","b":"${bid}","a":"${offer}","bs":1000000,"as":1000000,"t":${micros}000,"n":${n}}`;
  }
}

/** A liquidity provider under the test's control: sends given ticks to all subscribers. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Pair } from '../../engine/domain/money/pair.js';

export interface Provider {
  /** For FEED. */
  readonly feed: string;
  /** Each pair a small step from where it was, all of them `perSecond` times a second; 0: silence. */
  walk(perSecond: number): void;
  /** The last bid that was sent, in units of the last digit that the market quotes. */
  lastBid(pair: Pair): number;
  readonly sent: number;
  close(): Promise<void>;
}

const SPREAD = 3;

/** `start`: the first bids, in units of the last digit that the market quotes. */
export async function startProvider(pairs: readonly Pair[], start: (pair: Pair) => number): Promise<Provider> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const sockets = new Set<WebSocket>();
  const bids = new Map(pairs.map((pair) => [pair, start(pair)]));
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  let sent = 0;
  server.on('connection', (socket) => {
    socket.on('message', (bytes) => {
      const { op } = JSON.parse(String(bytes)) as { op: string };
      if (op === 'ping') socket.send('{"op":"pong"}');
      if (op === 'subscribe') sockets.add(socket);
    });
    socket.on('close', () => sockets.delete(socket));
  });
  const tickAll = (): void => {
    turn++;
    for (const pair of pairs) {
      // Up for a while, then down: it never strays far, and it always moves.
      const bid = bids.get(pair)! + ((turn + pair.index) % 20 < 10 ? 1 : -1);
      bids.set(pair, bid);
      const text = (price: number) => (price / 10 ** pair.marketDigits).toFixed(pair.marketDigits);
      const frame = `{"op":"tick","s":"${pair.symbol}","b":"${text(bid)}","a":"${text(bid + SPREAD)}"}`;
      for (const socket of sockets) socket.send(frame);
      sent++;
    }
  };
  const symbols = pairs.map(({ base, quote }) => base + quote).join('+');
  return {
    feed: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/#provider=LP&symbols=${symbols}`,
    walk(perSecond) {
      clearInterval(timer);
      timer = perSecond > 0 ? setInterval(tickAll, 1_000 / perSecond) : undefined;
    },
    lastBid: (pair) => bids.get(pair)!,
    get sent() {
      return sent;
    },
    async close() {
      clearInterval(timer);
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

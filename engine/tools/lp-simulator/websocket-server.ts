import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LadderSide } from '../../domain/money/ladder.js';
import { PAIRS, type Pair } from '../../domain/money/pair.js';
import { pairOfSymbol } from '../../rates/feeds/symbol-bytes.js';
import { type LpServer, type LpTerms, type LpTick, levelsOf, MAX_CLIENTS, priceText } from './lp-tick.js';

const MAX_FRAME_BYTES = 65_536;
const MAX_BACKLOG_BYTES = 1_048_576;
const PING_MS = 5_000;

interface Client {
  readonly socket: WebSocket;
  readonly pairs: Set<number>;
  isAuthenticated: boolean;
  count: number;
}

/** The canonical frames of a WebSocket provider: auth, subscribe, tick, ping and pong. Loopback only. */
export async function openWebSocketServer(port: number, terms: LpTerms): Promise<LpServer> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  await once(server, 'listening');
  const clients = new Set<Client>();
  server.on('connection', (socket) => {
    if (clients.size === MAX_CLIENTS) {
      socket.close(1013);
      return;
    }
    const client: Client = { socket, pairs: new Set(), isAuthenticated: terms.key === undefined, count: 0 };
    clients.add(client);
    const pinging = setInterval(() => reply(client, { op: 'ping', t: Date.now() }), PING_MS);
    socket.on('message', (bytes: Buffer) => received(client, bytes.toString('utf8'), terms));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(pinging);
      clients.delete(client);
    });
  });

  return {
    port: (server.address() as AddressInfo).port,
    tick(tick) {
      for (const client of clients) if (client.pairs.has(tick.pair.index)) send(client, tick);
    },
    disconnect() {
      for (const client of clients) client.socket.terminate();
    },
    close() {
      for (const client of clients) client.socket.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function received(client: Client, text: string, terms: LpTerms): void {
  const message = parse(text);
  if (message.op === 'ping') reply(client, { op: 'pong', t: message.t });
  else if (message.op === 'auth') {
    client.isAuthenticated = terms.key === undefined || (message.key === terms.key && message.secret === terms.secret);
    reply(client, { op: 'auth', ok: client.isAuthenticated });
    if (!client.isAuthenticated) client.socket.close(4001);
  } else if (message.op === 'subscribe' && client.isAuthenticated && Array.isArray(message.symbols)) {
    const pairs = message.symbols.map((symbol) => pairOfSymbol(String(symbol))).filter((pair) => pair >= 0);
    for (const pair of pairs) client.pairs.add(pair);
    reply(client, { op: 'subscribed', symbols: pairs.map((pair) => PAIRS[pair].symbol) });
    for (const pair of pairs) {
      const last = terms.last(pair);
      if (last) send(client, last);
    }
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function reply({ socket }: Client, message: object): void {
  socket.send(JSON.stringify(message));
}

// Formatted by hand: the time has more digits than a JavaScript number holds. The first level comes twice, for clients that know no levels.
function send(client: Client, tick: LpTick): void {
  const { socket } = client;
  if (socket.bufferedAmount > MAX_BACKLOG_BYTES) {
    socket.terminate();
    return;
  }
  const { pair, bid, offer, sourceTimeUs } = tick;
  const n = ++client.count;
  const { bid: bids, offer: offers } = levelsOf(tick);
  const first = `"b":"${priceText(bid, pair)}","a":"${priceText(offer, pair)}","bs":${bids.size[0]},"as":${offers.size[0]}`;
  const all = `"bids":${levelsText(bids, pair)},"asks":${levelsText(offers, pair)}`;
  socket.send(`{"op":"tick","s":"${pair.symbol}",${first},${all},"q":"${n}","t":${sourceTimeUs}000,"n":${n}}`);
}

function levelsText({ count, price, size }: LadderSide, pair: Pair): string {
  const levels: string[] = [];
  for (let i = 0; i < count; i++) levels.push(`["${priceText(price[i]!, pair)}",${size[i]}]`);
  return `[${levels.join(',')}]`;
}

/** A page as the server sees it: logs in, keeps its cookie, and receives the stream; no browser. */
import { request } from 'node:http';
import { WebSocket } from 'ws';
import type { Blotter, Engines, Hello, Message, Prices, Row } from '../../rest/live/page/messages.js';
import { until } from '../support/until.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Stream {
  readonly socket: WebSocket;
  readonly messages: Message[];
  /** All messages received, in order. */
  readonly texts: string[];
  /** Resolves with code and reason when the server has closed it. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  hello(): Hello;
  /** The last word about a pair: its list in the message, bid and offer. */
  price(index: number): { readonly list: string; readonly bid: number; readonly offer: number } | undefined;
  rows(): Row[];
  engines(): Engines | undefined;
}

export function ask(port: number, method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body);
  });
}

export const originOf = (port: number): string => `http://127.0.0.1:${port}`;

export function logIn(port: number, key: string, secret: string, headers: Record<string, string> = {}) {
  const sent = { origin: originOf(port), 'content-type': 'application/json', ...headers };
  return ask(port, 'POST', '/live/login', sent, JSON.stringify({ client_key: key, client_secret: secret }));
}

/** `ratewire_live=...`, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';', 1)[0]!;
}

export async function openStream(port: number, cookie: string): Promise<Stream> {
  const stream = connectPage(port, { cookie, origin: originOf(port) });
  await until(() => stream.messages.length > 0);
  return stream;
}

export function connectPage(port: number, headers: Record<string, string>, path = '/live/stream'): Stream {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const messages: Message[] = [];
  const texts: string[] = [];
  const last = new Map<number, { list: string; bid: number; offer: number }>();
  const rows = new Map<string, Row>();
  socket.on('message', (data) => {
    texts.push(String(data));
    const message = JSON.parse(String(data)) as Message;
    messages.push(message);
    if (message.t === 'p') for (const list of ['r', 'c', 'x', 'y', 'z'] as const) keep(last, list, message);
    if (message.t === 'b') keepRows(rows, message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    socket.on('unexpected-response', (_, response) => resolve({ code: response.statusCode ?? 0, reason: '' }));
    socket.on('error', () => {});
  });
  return {
    socket,
    messages,
    texts,
    closed,
    hello: () => messages.findLast((message): message is Hello => message.t === 'hello')!,
    price: (index) => last.get(index),
    rows: () => [...rows.values()],
    engines: () => messages.findLast((message): message is Engines => message.t === 's'),
  };
}

function keep(last: Map<number, object>, list: 'r' | 'c' | 'x' | 'y' | 'z', message: Prices): void {
  const numbers = message[list];
  for (let at = 0; at < numbers.length; at += 4)
    last.set(numbers[at]!, { list, bid: numbers[at + 1]!, offer: numbers[at + 2]! });
}

function keepRows(rows: Map<string, Row>, message: Blotter): void {
  if (message.all) rows.clear();
  for (const row of message.rows) rows.set(row.id, row);
}

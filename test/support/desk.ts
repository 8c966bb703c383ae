/** A raw FIX desk: a socket, sequence numbers and nothing else, so that a test states every field on the wire. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

/** Fields in wire order. */
export type Fields = readonly (readonly [tag: number, value: string | number])[];

/** A message that arrived: its fields in order, and the first value of each tag. */
export interface Received {
  readonly text: string;
  readonly fields: readonly (readonly [tag: number, value: string])[];
  get(tag: number): string | undefined;
  all(tag: number): string[];
}

export interface DeskOptions {
  readonly port: number;
  readonly compId?: string;
  readonly target?: string;
  readonly clientKey?: string;
  readonly clientSecret?: string;
  readonly now?: () => number;
  readonly heartBtInt?: number;
  /** Sent first of all, before TLS: the header of a proxy. */
  readonly before?: Buffer | undefined;
  /** TLS, with these options; absent: plain TCP. */
  readonly tls?: ConnectionOptions | undefined;
}

interface StreamOptions {
  /** X after the first W. */
  readonly incremental?: boolean;
  readonly sides?: readonly (0 | 1)[];
  readonly more?: Fields;
}

const SOH = '\x01';
const WAIT_MS = 120_000;

export class TestDesk {
  /** Everything that arrived, in order. */
  readonly received: Received[] = [];
  closed = false;
  nextOut = 1;
  private readonly options: Required<DeskOptions>;
  private rest = '';
  private socket: Socket | undefined;
  private readonly waiters = new Set<() => void>();
  private taken = new Set<Received>();

  constructor(options: DeskOptions) {
    this.options = {
      compId: 'DESK1',
      target: 'FXENGINE',
      clientKey: '',
      clientSecret: '',
      now: Date.now,
      heartBtInt: 30,
      tls: undefined,
      before: undefined,
      ...options,
    };
  }

  async connect(): Promise<void> {
    const { port, tls, before } = this.options;
    const raw = connect(port, '127.0.0.1').on('error', () => {});
    if (before) raw.write(before);
    const socket = tls ? connectTls({ socket: raw, ...tls }) : raw;
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.read(chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
    await once(socket, tls ? 'secureConnect' : 'connect');
  }

  /** Connects, logs on and returns the engine's Logon(A). */
  async logon(more: Fields = []): Promise<Received> {
    await this.connect();
    this.sendLogon(more);
    return this.next('A');
  }

  sendLogon(more: Fields = []): void {
    const { heartBtInt, clientKey, clientSecret } = this.options;
    const credentials: Fields = clientKey
      ? [
          [553, clientKey],
          [554, clientSecret],
        ]
      : [];
    this.send('A', [[98, 0], [108, heartBtInt], [141, 'Y'], ...credentials, ...more]);
  }

  /** Sends one message with the next number; `header` replaces or adds header fields. */
  send(msgType: string, fields: Fields, header: { readonly seqNum?: number; readonly more?: Fields } = {}): void {
    const { compId, target, now } = this.options;
    const seqNum = header.seqNum ?? this.nextOut++;
    const head: Fields = [
      [35, msgType],
      [34, seqNum],
      [49, compId],
      [52, timestamp(now())],
      [56, target],
    ];
    this.write(frame([...head, ...(header.more ?? []), ...fields]));
  }

  /** MarketDataRequest(V): every change of these pairs. */
  stream(mdReqId: string, pairs: readonly string[], token: string | undefined, how: StreamOptions = {}): void {
    const { incremental = false, sides = [0, 1], more = [] } = how;
    this.send('V', [
      [262, mdReqId],
      [263, 1],
      [264, 1],
      [265, incremental ? 1 : 0],
      [267, sides.length],
      ...sides.map((side) => [269, side] as const),
      [146, pairs.length],
      ...pairs.map((pair) => [55, pair] as const),
      ...(token === undefined ? [] : [[20001, token] as const]),
      ...more,
    ]);
  }

  /** NewOrderList(E): a valid message that the engine does not support. */
  sendUntaken(): void {
    this.send('E', [
      [66, 'L1'],
      [394, 3],
      [68, 1],
      [73, 1],
      [11, 'O1'],
      [67, 1],
      [55, 'EUR/USD'],
      [54, 1],
      [38, 1],
    ]);
  }

  write(text: string): void {
    this.socket?.write(text, 'latin1');
  }

  /** The next message of the type, or of one of the types, that no other `next` has returned. */
  async next(
    msgType: string | readonly string[],
    matches: (message: Received) => boolean = () => true,
  ): Promise<Received> {
    const types = [msgType].flat();
    const find = () => this.received.find((m) => types.includes(m.get(35)!) && !this.taken.has(m) && matches(m));
    await this.until(() => find() !== undefined || this.closed, `no ${types}`);
    const message = find();
    if (message === undefined) throw new Error(`closed before a ${types} came:\n${this.log()}`);
    this.taken.add(message);
    return message;
  }

  async untilClosed(): Promise<void> {
    await this.until(() => this.closed, 'not closed');
  }

  /** How many of a type have arrived. */
  count(msgType: string): number {
    return this.received.filter((message) => message.get(35) === msgType).length;
  }

  /** A TestRequest(1) and its answer: everything sent before has been answered. */
  async settle(): Promise<void> {
    const id = `T${this.nextOut}`;
    this.send('1', [[112, id]]);
    await this.next('0', (message) => message.get(112) === id);
  }

  /** The socket's buffers fill up from here on. */
  stopReading(): void {
    this.socket?.pause();
  }

  goOnReading(): void {
    this.socket?.resume();
  }

  close(): void {
    this.socket?.destroy();
  }

  log(): string {
    return this.received.map((message) => message.text).join('\n');
  }

  private async until(done: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while (!done()) {
      if (Date.now() > deadline) throw new Error(`${what} within ${WAIT_MS} ms; arrived:\n${this.log()}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.waiters.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, 100);
        this.waiters.add(wake);
      });
    }
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter();
  }

  private read(chunk: string): void {
    this.rest += chunk;
    for (;;) {
      const end = /\x0110=\d{3}\x01/.exec(this.rest);
      if (!end) break;
      const length = end.index + end[0].length;
      const message = parse(this.rest.slice(0, length));
      this.received.push(message);
      // As any FIX engine does; not for a resent one.
      if (message.get(35) === '1' && !message.get(43)) this.send('0', [[112, message.get(112)!]]);
      this.rest = this.rest.slice(length);
    }
    this.wake();
  }
}

/** BeginString(8), BodyLength(9) and CheckSum(10) around the fields. */
export function frame(fields: Fields, beginString = 'FIX.4.4'): string {
  return framed(fields.map(([tag, value]) => `${tag}=${value}${SOH}`).join(''), beginString);
}

/** The same around a body that need not consist of fields. */
export function framed(body: string, beginString = 'FIX.4.4'): string {
  const text = `8=${beginString}${SOH}9=${body.length}${SOH}${body}`;
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return `${text}10=${String(sum % 256).padStart(3, '0')}${SOH}`;
}

/** One whole message as it came. */
export function parse(wire: string): Received {
  const fields = wire
    .slice(0, -1)
    .split(SOH)
    .map((field) => [Number(field.slice(0, field.indexOf('='))), field.slice(field.indexOf('=') + 1)] as const);
  return {
    text: wire.replaceAll(SOH, '|'),
    fields,
    get: (tag) => fields.find(([of]) => of === tag)?.[1],
    all: (tag) => fields.filter(([of]) => of === tag).map(([, value]) => value),
  };
}

/** UTCTimestamp with milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
}

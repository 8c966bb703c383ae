/** HTTP as bytes: so that a request may be anything, and an answer is what was sent and not what a client made of it. */
import { connect, type Socket } from 'node:net';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  /** How the end of the body is marked; `none`: not at all. */
  readonly framing: 'length' | 'chunked' | 'none';
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly text: string;
}

/** A limit for what hangs: a busy machine is slow and not wrong. */
const ANSWER_MS = 120_000;

/** Rejects when there is no answer. */
export function exchange(port: number, sent: Sent): Promise<Answered> {
  return exchangeBytes(port, bytesOf(sent), sent.method === 'HEAD');
}

export function exchangeBytes(port: number, bytes: Buffer, isHead = false): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const end = (settle: () => void) => {
      clearTimeout(late);
      socket.destroy();
      settle();
    };
    const fail = (what: string) => end(() => reject(new Error(`${what}; received: ${received.toString('latin1')}`)));
    const late = setTimeout(() => fail('no answer'), ANSWER_MS);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = answerIn(received, isHead);
      if (answer) end(() => resolve(answer));
    });
    // Who sends on after the answer may be cut off; an answer that came counts.
    socket.on('error', ({ message }) => fail(message));
    socket.on('close', () => fail('closed without an answer'));
  });
}

export function bytesOf({ method, target, version, headers, body, framing }: Sent): Buffer {
  const lines = [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body && framing === 'length') lines.push(`content-length: ${body.length}`);
  if (body && framing === 'chunked') lines.push('transfer-encoding: chunked');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (!body) return head;
  if (framing !== 'chunked') return Buffer.concat([head, body]);
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const parts = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([head, ...parts, Buffer.from('0\r\n\r\n')]);
}

/** The first answer that is whole; an interim one is passed over. */
export function answerIn(received: Buffer, isHead: boolean): Answered | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (status < 200) return answerIn(received.subarray(end + 4), isHead);
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
    const before = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
  }
  const body = received.subarray(end + 4);
  if (isHead) return { status, headers, text: '' };
  const length = Number(headers['content-length']);
  return body.length >= length ? { status, headers, text: body.subarray(0, length).toString() } : undefined;
}

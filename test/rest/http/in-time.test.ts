/** Requests that never end, or end other than stated: each is answered or closed within seconds, and the others are served. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerIn } from '../openapi/generated/wire.js';
import { CHUNKED, type EchoDoor, JSON_TYPE, openEchoDoor } from './echo-door.js';

/** The server gives a request five seconds. A limit for what hangs: a busy machine is slow and not wrong. */
const ENDED_MS = 120_000;
const POST = 'POST /forms HTTP/1.1';

let door: EchoDoor;

beforeAll(async () => {
  door = await openEchoDoor();
});
afterAll(() => door.stop());
beforeEach(async () => {
  // The operation behind the door needs a price of a moment ago.
  await door.post(ONE);
  door.seen();
});

const head = (line: string, headers: Record<string, string>): string =>
  [line, ...Object.entries({ host: 'x', authorization: door.authorization, ...headers }).map((own) => own.join(': '))]
    .join('\r\n')
    .concat('\r\n\r\n');

/** All that the server says until it closes; rejects when it does not. `more` continues to write. */
function untilClosed(first: string, more?: (socket: Socket) => void, everyMs = 100): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let writing: NodeJS.Timeout | undefined;
    const socket = connect(door.port, '127.0.0.1', () => {
      socket.write(first);
      // Not before: what is written while it connects would come first.
      writing = more && setInterval(() => socket.writable && more(socket), everyMs);
    });
    const late = setTimeout(() => socket.destroy(new Error(`not ended; said: ${text}`)), ENDED_MS);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    let fault: Error | undefined;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Cut off while it writes.
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') fault = error;
    });
    socket.on('close', () => {
      clearInterval(writing);
      clearTimeout(late);
      if (fault) reject(fault);
      else resolve(text);
    });
  });
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const ONE = JSON.stringify({ n: 1 });
const whole = (n: number, more: Record<string, string> = {}) =>
  head(POST, { ...JSON_TYPE, ...more, 'content-length': String(JSON.stringify({ n }).length) }) + JSON.stringify({ n });

function answersIn(said: string): { readonly status: number; readonly body: Record<string, unknown> }[] {
  const found = [];
  for (let rest = Buffer.from(said); ; ) {
    const answer = answerIn(rest, false);
    if (answer === undefined) return found;
    found.push({ status: answer.status, body: JSON.parse(answer.text) });
    rest = rest.subarray(rest.indexOf('\r\n\r\n') + 4 + Number(answer.headers['content-length']));
  }
}

const ENDLESS: readonly (readonly [what: string, ended: () => Promise<string>])[] = [
  ['headers that come a letter at a time', () => untilClosed(`${POST}\r\nx: `, (socket) => socket.write('x'))],
  ['headers without an end', () => untilClosed(`${POST}\r\n`, (socket) => socket.write('x: y\r\n'), 200)],
  ['a first line without an end', () => untilClosed('POST /', (socket) => socket.write('f'))],
  [
    'a body that comes a letter at a time',
    () => untilClosed(head(POST, { ...JSON_TYPE, 'content-length': '5000' }), (socket) => socket.write('x')),
  ],
  [
    'chunks of a letter without an end',
    () => untilClosed(head(POST, { ...JSON_TYPE, ...CHUNKED }), (socket) => socket.write(chunk('x'))),
  ],
  [
    'a chunk that is longer than it comes',
    () => untilClosed(`${head(POST, { ...JSON_TYPE, ...CHUNKED })}ff\r\n${ONE}`),
  ],
  [
    'a form without an end',
    () =>
      untilClosed(
        `${head(POST, { ...CHUNKED, 'content-type': 'multipart/form-data; boundary=cut' })}${chunk('--cut\r\n')}`,
      ),
  ],
];

test.each<[string, string]>([
  ['a chunk that is shorter than it comes', `2\r\n${ONE}\r\n0\r\n\r\n`],
  ['a length that is no number', `zz\r\n${ONE}\r\n0\r\n\r\n`],
  ['a length below zero', `-7\r\n${ONE}\r\n0\r\n\r\n`],
  ['a length of 20 digits', `${'f'.repeat(20)}\r\n${ONE}\r\n0\r\n\r\n`],
])('%s: no HTTP, and nothing is executed', async (_what, body) => {
  const [answer] = answersIn(await untilClosed(head(POST, { ...JSON_TYPE, ...CHUNKED }) + body));
  expect([answer?.status, answer?.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(door.seen()).toBe('not-asked');
});

test('requests one behind the other on a connection are answered in their order', async () => {
  const closing = { connection: 'close' };
  const many = Array.from({ length: 50 }, (_, n) => whole(n));
  const said = await untilClosed(`${many.join('')}${head('GET /nothing HTTP/1.1', closing)}`);
  expect(answersIn(said).map(({ status }) => status)).toEqual([...many.map(() => 200), 404]);
});

test('behind one that is broken, none is executed', async () => {
  const said = await untilClosed(`${head(POST, { ...JSON_TYPE, ...CHUNKED })}zz\r\n${whole(2)}`);
  expect(answersIn(said).map(({ status }) => status)).toEqual([400]);
  expect(door.seen()).toBe('not-asked');
});

test.concurrent('what has no end is told so, and closed', async () => {
  const ended = await Promise.all(ENDLESS.map(async ([what, said]) => [what, answersIn(await said())] as const));
  for (const [what, answers] of ended) {
    const told = {
      status: 408,
      body: { code: 'REQUEST_TIMEOUT', detail: expect.stringContaining('within 5 seconds') },
    };
    expect([what, answers]).toMatchObject([what, [told]]);
  }
});

test.concurrent('more than the limit without an end: answered when it is too much, and cut off', async () => {
  const said = await untilClosed(
    // Two chunks are too much already: however late a third is sent, the time limit does not answer first.
    head(POST, { ...JSON_TYPE, ...CHUNKED }) + chunk('x'.repeat(40_000)).repeat(2),
    (socket) => socket.write(chunk('x'.repeat(40_000))),
    50,
  );
  expect(answersIn(said)[0]).toMatchObject({ status: 400, body: { code: 'BODY_TOO_LARGE' } });
});

test.concurrent('behind one that never ends, those before it are answered', async () => {
  const said = await untilClosed(`${whole(1)}${whole(2)}${head(POST, { ...JSON_TYPE, 'content-length': '9' })}{`);
  expect(answersIn(said).map(({ status }) => status)).toEqual([200, 200, 408]);
});

test.concurrent('while many connections are slow, the others are served', async () => {
  const slow = Array.from({ length: 400 }, () =>
    untilClosed(head(POST, { ...JSON_TYPE, 'content-length': '100' }), (socket) => socket.write(' '), 1_000),
  );
  for (let n = 0; n < 50; n++) expect((await door.post(ONE)).status).toBe(200);
  for (const said of await Promise.all(slow)) expect(answersIn(said).map(({ status }) => status)).toEqual([408]);
});

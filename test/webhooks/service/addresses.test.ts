/** Events are sent to the internet alone: special addresses are refused in every notation, and also where a name resolves to one. */
import { createSocket, type Socket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedAddresses, endpointUrl, type Resolve, resolver } from '../../../engine/service/webhooks/addresses.js';
import { send } from '../../../engine/service/webhooks/send.js';
import { startHook } from '../../support/hook.js';

const isRefused = (url: string, loopback = false): boolean => 'fault' in endpointUrl(url, loopback);

describe('without the setting for trials', () => {
  test.each([
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['100.64.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['168.63.129.16'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.0.0.8'],
    ['192.168.0.1'],
    ['198.18.0.1'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    // Other notations of 127.0.0.1 and 10.0.0.1.
    ['2130706433'],
    ['0x7f.1'],
    ['017700000001'],
    ['127.1'],
    ['10.1'],
    ['[::]'],
    ['[::1]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:8.8.8.8]'],
    ['[64:ff9b::808:808]'],
    ['[64:ff9b:1::1]'],
    ['[2002:7f00:1::]'],
    ['[2001::1]'],
    ['[2001:db8::1]'],
    ['[3fff::1]'],
    ['[fc00::1]'],
    ['[fd12::1]'],
    ['[fe80::1]'],
    ['[fec0::1]'],
    ['[ff02::1]'],
    ['[100::1]'],
    ['[5f00::1]'],
  ])('%s is refused', (host) => {
    expect(isRefused(`https://${host}/hook`)).toBe(true);
  });

  test.each([
    ['https://1.1.1.1/hook'],
    ['https://[2606:4700::1111]/hook'],
    ['https://example.com/hook'],
    ['https://example.com:8443/hook?a=b'],
    ['https://172.32.0.1/'],
    ['https://100.128.0.1/'],
  ])('%s is allowed', (url) => {
    expect(endpointUrl(url, false)).toEqual({ url: new URL(url) });
  });

  test.each([
    ['http://example.com/hook'],
    ['http://127.0.0.1:3000/hook'],
    ['https://user@example.com/hook'],
    ['https://:secret@example.com/hook'],
    ['https://example.com:25/hook'],
    ['https://example.com:80/hook'],
    ['https://example.com/hook#a'],
    ['file:///etc/passwd'],
    ['gopher://example.com/'],
    ['https://'],
    ['example.com'],
  ])('%s is no endpoint', (url) => {
    expect(isRefused(url)).toBe(true);
  });
});

test.each([
  ['http://127.0.0.1:3000/hook', false],
  ['http://localhost/hook', false],
  ['http://[::1]:3000/hook', false],
  ['https://127.0.0.1:8443/hook', false],
  ['http://127.0.0.1:22/hook', true],
  ['http://example.com/hook', true],
  ['http://10.0.0.1:3000/hook', true],
  ['http://0.0.0.0:3000/hook', true],
  ['http://169.254.169.254/', true],
])('with it %s is refused: %s', (url, refused) => {
  expect(isRefused(url, true)).toBe(refused);
});

/** A name server of the test's own. */
let server: Socket;
let resolve: Resolve;
/** By name: the addresses of each answer in turn, the last of them again and again. */
const ANSWERS: Record<string, string[][]> = {
  'public.test': [['1.1.1.1', '1.0.0.1']],
  'private.test': [['10.0.0.1']],
  'mixed.test': [['1.1.1.1', '192.168.0.1']],
  'here.test': [['127.0.0.1']],
  'rebinding.test': [['127.0.0.1'], ['10.0.0.1']],
  'none.test': [[]],
  // Without an answer to the question for AAAA.
  'half.test': [['1.1.1.1']],
};
beforeAll(async () => {
  server = createSocket('udp4', (query, from) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, from.port, from.address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  resolve = resolver([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterAll(() => server.close());

/** RFC 1035: the question again, and an A record for each address. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const isForA = query.readUInt16BE(at + 1) === 1;
  if (['half', 'mute'].includes(labels[0]!) && !isForA) return undefined;
  const all = ANSWERS[labels.join('.')] ?? [[]];
  const addresses = isForA ? (all.length > 1 ? all.shift()! : all[0]!) : [];
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([head, question, ...records]);
}

test.each<[string, readonly string[] | string]>([
  ['public.test', ['1.1.1.1', '1.0.0.1']],
  ['half.test', ['1.1.1.1']],
  ['private.test', 'address'],
  ['mixed.test', 'address'],
  ['here.test', 'address'],
  ['none.test', 'name'],
  ['unknown.test', 'name'],
])('%s is resolved to %s', async (host, expected) => {
  expect(await checkedAddresses(new URL(`https://${host}/`), false, resolve)).toEqual(expected);
});

test('a name server without an answer for IPv6 costs a moment', async () => {
  const ended: string[] = [];
  const resolved = ['mute.test', 'half.test'].map(async (host) => {
    const addresses = await resolve(host);
    ended.push(host);
    return addresses;
  });
  // The first has no address of IPv4 either: all its time is waited for.
  expect(await Promise.all(resolved)).toEqual([[], ['1.1.1.1']]);
  expect(ended).toEqual(['half.test', 'mute.test']);
});

test('what is connected to is the address that was checked, whatever the name server says next', async () => {
  const hook = await startHook();
  const { port } = new URL(hook.url);
  // Only localhost may have http.
  const sent = await send(`http://localhost:${port}/hook`, { 'webhook-id': 'one' }, '{"sequence":1}', {
    loopback: true,
    resolve: () => resolve('rebinding.test'),
  });
  expect(sent).toMatchObject({ httpStatus: 200, reason: '' });
  expect(hook.got).toHaveLength(1);
  const again = await send(`http://localhost:${port}/hook`, {}, '{}', {
    loopback: true,
    resolve: () => resolve('rebinding.test'),
  });
  expect(again).toMatchObject({ httpStatus: 0, reason: 'address' });
  await hook.stop();
});

test('an answer without end is cut off, and one that never comes ends in time', async () => {
  const hook = await startHook();
  hook.reply = () => 'hang';
  const options = { loopback: true, resolve, timeoutMs: 200 };
  expect(await send(hook.url, {}, '{"sequence":1}', options)).toMatchObject({ httpStatus: 0, reason: 'timeout' });
  await hook.stop();
  expect(await send(hook.url, {}, '{}', options)).toMatchObject({ httpStatus: 0, reason: 'connection' });
});

test.each([
  ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'protocol'],
  ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
  ['has headers beyond their bound', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 'protocol'],
])('an answer that %s ends the attempt', async (_what, bytes, reason) => {
  const receiver = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write(bytes)));
  await new Promise<void>((bound) => receiver.listen(0, '127.0.0.1', bound));
  const { port } = receiver.address() as AddressInfo;
  const sent = await send(`http://127.0.0.1:${port}/hook`, {}, '{}', { loopback: true, resolve, timeoutMs: 2_000 });
  expect(sent).toMatchObject({ httpStatus: 0, reason });
  await new Promise((closed) => receiver.close(closed));
});

const EARLY = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n';
test.each<[string, (write: (text: string) => void) => void]>([
  ['informational answers without end', (write) => void setInterval(() => write(EARLY), 5).unref()],
  ['lines without end before it begins', (write) => void setInterval(() => write('\r\n'.repeat(2_000)), 1).unref()],
])('%s are cut off', async (_what, begin) => {
  let received = 0;
  const receiver = createServer((socket) => {
    socket.on('error', () => {});
    const write = (text: string): void => {
      if (socket.destroyed) return;
      received += text.length;
      socket.write(text);
    };
    socket.once('data', () => begin(write));
  });
  await new Promise<void>((bound) => receiver.listen(0, '127.0.0.1', bound));
  const { port } = receiver.address() as AddressInfo;
  // Longer than this test waits.
  const sent = await send(`http://127.0.0.1:${port}/hook`, {}, '{}', { loopback: true, resolve, timeoutMs: 600_000 });
  expect(sent).toMatchObject({ httpStatus: 0, reason: 'protocol' });
  expect(received).toBeGreaterThan(0);
  await new Promise((closed) => receiver.close(closed));
});

test('a few informational answers are no fault', async () => {
  const bytes = `${EARLY}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`;
  const receiver = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write(bytes)));
  await new Promise<void>((bound) => receiver.listen(0, '127.0.0.1', bound));
  const { port } = receiver.address() as AddressInfo;
  const sent = await send(`http://127.0.0.1:${port}/hook`, {}, '{}', { loopback: true, resolve });
  expect(sent).toMatchObject({ httpStatus: 204, reason: '' });
  await new Promise((closed) => receiver.close(closed));
});

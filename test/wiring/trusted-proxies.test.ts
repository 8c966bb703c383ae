/** Behind proxies: who is where, at both doors, with TLS and without; and who may say so. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../engine/domain/core/log.js';
import { addressFrom } from '../../engine/service/core/caller.js';
import { readConfig } from '../../engine/wiring/config.js';
import { clientAddresses, headerOf, type ProxyPeers, proxyPeers } from '../../engine/wiring/trusted-proxies.js';
import { application, listen, type RestServer } from '../../rest/server.js';
import { type ClientOf, type Rig, startRig } from '../fix/rig.js';
import { openRestDoor, type RestDoor } from '../rest/rest-door.js';
import { TestDesk } from '../support/desk.js';
import { openTestTls } from '../support/tls.js';
import { until } from '../support/until.js';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
const LOOPBACK = ['127.0.0.0/8', '::1'];
/** Of a listener that every loopback peer must go through a proxy for, and of one that knows no proxy. */
const dir = mkdtempSync(join(tmpdir(), 'ratewire-proxy-'));
const logged: string[] = [];
const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { info: note, warn: note, error: note };
const env = { DATA_DIR: dir, FIX_TLS_CERTIFICATE: 'generated', REST_TLS_CERTIFICATE: 'generated' };

/** A header of version 2; `extra` bytes follow the addresses, as TLVs do. */
function header(source: string, { command = 0x21, family = 0, extra = 0 } = {}): Buffer {
  const isIpv6 = source.includes(':');
  const addresses = Buffer.alloc(isIpv6 ? 36 : 12);
  const parts = source.split(isIpv6 ? ':' : '.').map((part) => Number.parseInt(part, isIpv6 ? 16 : 10));
  for (const [i, part] of parts.entries()) {
    if (isIpv6) addresses.writeUInt16BE(part, 2 * i);
    else addresses[i] = part;
  }
  const head = Buffer.from(`${SIGNATURE}00000000`, 'hex');
  head.set([command, family || (isIpv6 ? 0x21 : 0x11)], 12);
  head.writeUInt16BE(addresses.length + extra, 14);
  return Buffer.concat([head, addresses, Buffer.alloc(extra, 4)]);
}
const MAPPED = '0:0:0:0:0:ffff:c000:207';

describe('a header', () => {
  test.each<[string, Buffer, string | undefined]>([
    ['of IPv4', header('192.0.2.7'), '192.0.2.7'],
    ['of IPv6', header('2001:db8:0:0:0:0:0:7'), '2001:db8::7'],
    ['of IPv4 in IPv6', header(MAPPED), '192.0.2.7'],
    ['with TLVs', header('192.0.2.7', { extra: 2_036 }), '192.0.2.7'],
    ['of the proxy itself', header('192.0.2.7', { command: 0x20 }), undefined],
    ['of the proxy itself, without addresses', header('192.0.2.7', { command: 0x20, family: 0xff }), undefined],
  ])('%s is read when it is whole, and not before', (_what, bytes, address) => {
    for (let end = 0; end < bytes.length; end++) expect(headerOf(bytes.subarray(0, end))).toBeUndefined();
    const read = { bytes: bytes.length, address };
    expect(headerOf(bytes)).toEqual(read);
    expect(headerOf(Buffer.concat([bytes, Buffer.from('8=FIX')]))).toEqual(read);
  });

  test.each<[string, Buffer]>([
    ['version 1', Buffer.from('PROXY TCP4 192.0.2.7 192.0.2.1 1 5200\r\n')],
    ['no header', Buffer.from('8=FIX.4.4')],
    ['one byte of another', Buffer.from('P')],
    ['another version', header('192.0.2.7', { command: 0x31 })],
    ['another command', header('192.0.2.7', { command: 0x22 })],
    ['UDP', header('192.0.2.7', { family: 0x12 })],
    ['a Unix socket', header('192.0.2.7', { family: 0x31 })],
    ['no family', header('192.0.2.7', { family: 0x01 })],
    ['IPv6 with the length of IPv4', header('192.0.2.7', { family: 0x21 })],
    ['more than 2,048 bytes', header('192.0.2.7', { extra: 2_037 }).subarray(0, 16)],
  ])('that is %s is none', (_what, bytes) => {
    expect(headerOf(bytes)).toEqual(expect.any(String));
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:C000:0207', '192.0.2.7'],
  ['[2001:DB8:0::7]:4711', '2001:db8::7'],
  ['2001:db8:0:0:0:0:0:7', '2001:db8::7'],
  ['unknown', undefined],
  ['192.0.2', undefined],
  ['', undefined],
  ['fe80::1%eth0', undefined],
  ['[2001:db8::7', undefined],
])('%s is the address %s', (text, address) => expect(addressFrom(text)).toBe(address));

describe('X-Forwarded-For', () => {
  const peer = (address: string): Pick<ProxyPeers, 'addressOf'> => ({ addressOf: () => address });
  test.each<[peer: string, trusted: string, sent: string | undefined, address: string]>([
    ['192.0.2.1', '', '198.51.100.9', '192.0.2.1'],
    ['192.0.2.1', '10.0.0.0/8', '198.51.100.9', '192.0.2.1'],
    ['10.0.0.1', '10.0.0.0/8', undefined, '10.0.0.1'],
    ['10.0.0.1', '10.0.0.0/8', '198.51.100.9', '198.51.100.9'],
    ['10.0.0.1', '10.0.0.0/8', '203.0.113.1, 198.51.100.9', '198.51.100.9'],
    ['10.0.0.1', '10.0.0.0/8 2001:db8::/32', '203.0.113.1, 198.51.100.9,[2001:db8::1]:80, 10.0.0.2', '198.51.100.9'],
    ['10.0.0.1', '10.0.0.0/8', '::ffff:198.51.100.9', '198.51.100.9'],
    ['10.0.0.1', '10.0.0.0/8', '198.51.100.9, ::ffff:10.0.0.2', '198.51.100.9'],
    ['10.0.0.1', '10.0.0.0/8', '10.0.0.7, 10.0.0.2', '10.0.0.7'],
    ['10.0.0.1', '10.0.0.0/8', '198.51.100.9, unknown', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.0/8', '', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.0/8', Array.from({ length: 5_000 }, () => '10.0.0.2').join(), '10.0.0.2'],
  ])('of %s, trusted "%s", header "%s": %s', (from, trusted, sent, address) => {
    const { TRUSTED_PROXIES } = readConfig({ TRUSTED_PROXIES: trusted });
    const addressOf = clientAddresses(peer(from), TRUSTED_PROXIES);
    const headers = sent === undefined ? {} : { 'x-forwarded-for': sent };
    expect(addressOf({ socket: undefined as unknown as Socket, headers })).toBe(address);
  });

  test.each(['10.0.0.300', '10.0.0.0/33', 'proxy.example.com'])('a setting of %s ends the start', (text) => {
    expect(() => readConfig({ TRUSTED_PROXIES: text })).toThrow(/^TRUSTED_PROXIES .*10\.0\.0\.5,10\.1\.0\.0\/16/);
    expect(() => readConfig({ FIX_PROXY_PROTOCOL: text })).toThrow(/^FIX_PROXY_PROTOCOL /);
  });
});

describe('at the doors', async () => {
  let rig: Rig;
  let acme: ClientOf;
  let rest: RestDoor;
  const servers: RestServer[] = [];
  const ports: Record<string, number> = {};
  const fixTls = await openTestTls('FIX', env);
  const restTls = await openTestTls('REST', env);
  const sockets: Socket[] = [];

  /** REST on a port of its own, with TLS or without. */
  async function serve(name: string, proxies: ProxyPeers, trusted: string[], tls?: typeof restTls): Promise<void> {
    const door = { ...rest.door, addressOf: clientAddresses(proxies, trusted) };
    const server = await listen(application(door), { host: '127.0.0.1', port: 0, proxies, tls });
    servers.push(server);
    ports[name] = server.port;
  }

  beforeAll(async () => {
    const peers = proxyPeers(LOOPBACK, log, { headerMs: 500 });
    rig = await startRig({ settings: { proxies: peers, tls: { ...fixTls, host: '127.0.0.1', port: 0 } } });
    acme = await rig.client('acme');
    ports.fix = rig.port;
    ports['fix-tls'] = rig.tlsPort!;
    rest = await openRestDoor(rig.services.store, { authentication: 3 });
    await serve('rest', proxyPeers(LOOPBACK, log, { headerMs: 500 }), []);
    await serve('rest-tls', proxyPeers(LOOPBACK, log, { headerMs: 500 }), [], restTls);
    await serve('forwarded', proxyPeers([], log), ['127.0.0.1']);
    await serve('both', proxyPeers(LOOPBACK, log), ['10.0.0.0/8']);
    await serve('none', proxyPeers([], log), []);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) await server.stop();
    await rest.stop();
    await rig.stop();
    for (const tls of [fixTls, restTls]) tls.stop();
    rmSync(dir, { recursive: true });
  });

  const TLS = { rejectUnauthorized: false };
  const isTls = (name: string) => name.endsWith('-tls');

  /** One request, behind a header that is sent in pieces of so many bytes; the answer, '' when closed without one. */
  async function ask(
    name: string,
    request: string,
    before: Buffer = Buffer.alloc(0),
    piece = before.length,
  ): Promise<string> {
    const raw = connect(ports[name]!, '127.0.0.1').setNoDelay(true);
    sockets.push(raw);
    raw.on('error', () => {});
    for (let at = 0; at < before.length; at += piece) {
      raw.write(before.subarray(at, at + piece));
      if (piece < before.length) await new Promise((resolve) => setImmediate(resolve));
    }
    const socket = isTls(name) ? connectTls({ socket: raw, ...TLS }) : raw;
    let received = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        received += chunk;
      });
    socket.write(request);
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  }

  const login = ({ clientKey, clientSecret }: Pick<ClientOf, 'clientKey' | 'clientSecret'>, more = '') =>
    `POST /api/v1/authentication HTTP/1.1\r\nHost: x\r\nConnection: close\r\nclient_key: ${clientKey}\r\nclient_secret: ${clientSecret}\r\n${more}\r\n`;
  const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1] ?? /^HTTP\/1.1 (\d+)/.exec(answer)?.[1];
  /** A key that may be used from one address alone. */
  async function keyFrom(address: string) {
    return (await rig.services.store.keys.issue('acme', ['read'], [address]))!;
  }

  test.each(['rest', 'rest-tls'])('%s: the address in the header decides', async (name) => {
    // Of each door its own addresses, for they are limited over both.
    const last = isTls(name) ? 9 : 7;
    const ipv4 = await keyFrom(`192.0.2.${last}`);
    const ipv6 = await keyFrom(`2001:db8:${last}::/64`);
    const codes = async (key: typeof ipv4, ...addresses: string[]) =>
      Promise.all(addresses.map(async (address) => codeOf(await ask(name, login(key), header(address)))));
    expect(await codes(ipv4, `192.0.2.${last}`, `0:0:0:0:0:ffff:c000:20${last}`, `192.0.3.${last}`)).toEqual([
      '200',
      '200',
      'NOT_ENTITLED',
    ]);
    expect(await codes(ipv6, `2001:db8:${last}:0:0:0:0:9`, `2001:db8:${last}:1:0:0:0:9`)).toEqual([
      '200',
      'NOT_ENTITLED',
    ]);
    // In single bytes, and with TLVs.
    const slow = await ask(name, login(ipv4), header(`192.0.2.${last}`, { extra: 64 }), 1);
    expect(codeOf(slow)).toBe('200');
  });

  test.each(['fix', 'fix-tls'])('%s: the address in the header decides, and is what the log has', async (name) => {
    const own = await rig.client(`desk-${name}`);
    await rig.services.store.compIds.assign(own.compId, own.id, { addresses: ['198.51.100.4'] });
    const options = { port: ports[name]!, ...own, ...(isTls(name) && { tls: TLS }) };
    const right = new TestDesk({ ...options, before: header('198.51.100.4', { extra: 9 }) });
    expect((await right.logon()).get(35)).toBe('A');
    expect([...rig.gateway.sessions()].map(({ remoteAddress }) => remoteAddress)).toContain('198.51.100.4');
    right.close();
    const wrong = new TestDesk({ ...options, before: header('198.51.100.5') });
    await wrong.connect();
    wrong.sendLogon();
    expect((await wrong.next('5')).get(58)).toBe('Authentication failed');
    expect(rig.log.at(-1)).toContain('"address":"198.51.100.5"');
    wrong.close();
  });

  test('a health check of the proxy itself is served from its own address', async () => {
    const answer = await ask('rest', login(await keyFrom('127.0.0.1')), header('192.0.2.7', { command: 0x20 }));
    expect(codeOf(answer)).toBe('200');
  });

  test.each(['fix', 'fix-tls', 'rest', 'rest-tls'])(
    '%s: a proxy without a header, or with another, is closed',
    async (name) => {
      const right = await keyFrom('127.0.0.1');
      const v1 = Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n');
      for (const before of [
        Buffer.alloc(0),
        v1,
        header('192.0.2.7', { extra: 60_000 }),
        header('192.0.2.7', { family: 0x31 }),
      ]) {
        expect(await ask(name, login(right), before)).toBe('');
      }
      // Half a header, and nothing at all: closed in their time.
      for (const begun of [header('192.0.2.7').subarray(0, 20), Buffer.alloc(0)]) {
        const socket = connect(ports[name]!, '127.0.0.1').resume();
        sockets.push(socket);
        socket.on('error', () => {}).write(begun);
        await new Promise((resolve) => socket.once('close', resolve));
      }
      expect(logged.join('\n')).toMatch(/a proxy was closed that must begin with a PROXY protocol header/);
    },
  );

  test('of a peer that is no proxy neither header counts: with that of the protocol it is closed', async () => {
    const key = await keyFrom('192.0.2.7');
    expect(codeOf(await ask('none', login(key, 'X-Forwarded-For: 192.0.2.7\r\n')))).toBe('NOT_ENTITLED');
    expect(codeOf(await ask('none', login(key), header('192.0.2.7')))).toBe('VALIDATION_FAILED');
    const plain = await startRig({ beside: rig });
    const desk = plain.desk(acme, { port: plain.port, before: header('192.0.2.7') });
    await desk.connect();
    desk.sendLogon();
    await desk.untilClosed();
    expect(desk.received).toEqual([]);
    await plain.stop();
  });

  test('X-Forwarded-For of a trusted proxy decides, also behind one that speaks the PROXY protocol', async () => {
    const key = await keyFrom('198.51.100.9');
    const forged = 'X-Forwarded-For: 198.51.100.9\r\nX-Forwarded-For: 203.0.113.5\r\n';
    const right = 'X-Forwarded-For: 203.0.113.5, 198.51.100.9\r\n';
    expect(codeOf(await ask('forwarded', login(key, forged)))).toBe('NOT_ENTITLED');
    expect(codeOf(await ask('forwarded', login(key, right)))).toBe('200');
    expect(codeOf(await ask('both', login(key, right), header('10.0.0.4')))).toBe('200');
    // The peer that the header names is no trusted proxy.
    expect(codeOf(await ask('both', login(key, right), header('192.0.2.4')))).toBe('NOT_ENTITLED');
  });

  describe('many strangers behind one proxy lock no other peer out', () => {
    test('of REST: their limit is their own', async () => {
      const key = await keyFrom('203.0.113.77');
      const attempts = async (address: string, of = { clientKey: 'CK_NONE', clientSecret: 'x' }) =>
        codeOf(await ask('rest', login(of), header(address)));
      for (let n = 0; n < 12; n++) await attempts(`203.0.113.${n % 3}`);
      expect(await attempts('203.0.113.1')).toBe('RATE_LIMITED');
      expect(await attempts('203.0.113.77', key)).toBe('200');
    });

    test('of FIX: ten failed logons close their address, not the proxy', async () => {
      const own = await rig.client('innocent');
      const logon = async (address: string, secret = own.clientSecret) => {
        const desk = new TestDesk({ port: ports.fix!, ...own, clientSecret: secret, before: header(address) });
        await desk.connect();
        desk.sendLogon();
        await until(() => desk.closed || desk.received.length > 0);
        desk.close();
        return desk.received[0]?.get(35);
      };
      const answers = [];
      for (let n = 0; n < 11; n++) answers.push(await logon('203.0.113.99', 'wrong'));
      expect(answers).toEqual([...Array.from({ length: 10 }, () => '5'), undefined]);
      expect(await logon('203.0.113.98')).toBe('A');
    });
  });
});

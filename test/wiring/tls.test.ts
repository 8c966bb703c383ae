/** A listener with TLS, of either door: its certificate, who gets in, and what a peer costs that says nothing. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pemOf } from '../../engine/wiring/tls/certificate.js';
import { generatedCertificate } from '../../engine/wiring/tls/generated-certificate.js';
import { application, listen } from '../../rest/server.js';
import { startRig } from '../fix/rig.js';
import { openRestDoor } from '../rest/rest-door.js';
import { createAuthority, type Identity } from '../support/certificate.js';
import { startTestStore } from '../support/store.js';
import { openTestTls, type TestTls } from '../support/tls.js';
import { until } from '../support/until.js';

const dir = mkdtempSync(join(tmpdir(), 'ratewire-tls-'));
const ca = await createAuthority('ratewire test root');
const desks = await createAuthority('desks');
const SERVER = ['localhost', '127.0.0.1'];
let count = 0;

/** Paths of a certificate for this machine, and of its key. */
function write({ certificate, key }: Identity): Identity {
  const at = join(dir, String(++count));
  writeFileSync(`${at}.pem`, certificate);
  writeFileSync(`${at}.key`, key, { mode: 0o600 });
  return { certificate: `${at}.pem`, key: `${at}.key` };
}

afterAll(() => rmSync(dir, { recursive: true }));

describe('a generated certificate', () => {
  const make = (folder: string, host = '127.0.0.1', nowMs?: number) => generatedCertificate(folder, host, nowMs);
  const read = ({ certificate }: Identity) => new X509Certificate(readFileSync(certificate));
  const folder = () => mkdtempSync(join(dir, 'generated-'));

  test('is for this machine and HOST, for a year, and for its owner alone', async () => {
    const files = await make(folder(), '10.20.0.11');
    const certificate = read(files);
    for (const address of ['127.0.0.1', '::1', '10.20.0.11']) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    for (const file of Object.values(files)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('stays as it is, and is remade with its key for another HOST and when it has expired', async () => {
    const kept = folder();
    const first = read(await make(kept));
    expect(read(await make(kept)).fingerprint256).toBe(first.fingerprint256);
    const moved = read(await make(kept, 'fix.example.com'));
    expect(moved.checkHost('fix.example.com')).toBe('fix.example.com');
    expect(read(await make(kept, 'fix.example.com')).fingerprint256).toBe(moved.fingerprint256);
    const later = read(await make(kept, 'fix.example.com', Date.parse(moved.validTo) + 1));
    expect(later.fingerprint256).not.toBe(moved.fingerprint256);
    expect(later.publicKey.equals(first.publicKey)).toBe(true);
  });

  test('logs the fingerprint once', async () => {
    const tls = await openTestTls('REST', { REST_TLS_CERTIFICATE: 'generated', DATA_DIR: folder() });
    tls.stop();
    const { fingerprint256 } = new X509Certificate(tls.options.cert as Buffer);
    expect(tls.logged).toEqual([expect.stringContaining(fingerprint256)]);
  });
});

test.each([
  ['that is none', async () => ({ certificate: (await ca.issue('x')).key, key: (await ca.issue('x')).key })],
  [
    'with the key of another',
    async () => ({ certificate: (await ca.issue('x')).certificate, key: (await ca.issue('x')).key }),
  ],
])('a certificate %s ends the start in one line', async (_what, identity) => {
  const { certificate, key } = write(await identity());
  const open = () => openTestTls('FIX', { FIX_TLS_CERTIFICATE: certificate, FIX_TLS_KEY: key });
  await expect(open()).rejects.toThrow(
    /^FIX_TLS_CERTIFICATE cannot be used \([^\n]+\): set a PEM file, and the key of it\.$/,
  );
});

test('agrees on a new key for each connection: the private key decrypts no recorded connection', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = await createAuthority('server', SERVER, privateKey);
  const { certificate, key } = write({ certificate: rsa.pem, key: pemOf(privateKey) });
  const tls = await openTestTls('FIX', { FIX_TLS_CERTIFICATE: certificate, FIX_TLS_KEY: key });
  const server = createServer(tls.options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agreed = (options: ConnectionOptions) =>
    new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, ca: rsa.pem, ...options });
      socket.once('secureConnect', () => resolve(socket.getCipher().name));
      socket.once('error', () => resolve('refused'));
      socket.once('close', () => socket.destroy());
    });
  try {
    const older = (ciphers: string) => agreed({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` });
    for (const ciphers of ['kRSA', 'AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-RSA-AES128-SHA', 'aNULL', 'eNULL'])
      expect([ciphers, await older(ciphers)]).toEqual([ciphers, 'refused']);
    for (const cipher of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'])
      expect(await older(cipher)).toBe(cipher);
    expect(await agreed({})).toMatch(/^TLS_/);
  } finally {
    tls.stop();
    server.close();
  }
});

/** Opens the door on a free port of this machine. */
type Open = (tls: TestTls) => Promise<{ port: number; stop(): Promise<void> }>;

const DOORS: [door: 'FIX' | 'REST', open: Open][] = [
  [
    'FIX',
    async (tls) => {
      const rig = await startRig({ settings: { tls: { ...tls, host: '127.0.0.1', port: 0 } } });
      return { port: rig.tlsPort!, stop: rig.stop };
    },
  ],
  [
    'REST',
    async (tls) => {
      const store = await startTestStore();
      const door = await openRestDoor(store.store);
      const server = await listen(application(door.door), { host: '127.0.0.1', port: 0, tls });
      const stop = async () => {
        await server.stop();
        await door.stop();
        await store.stop();
      };
      return { port: server.port, stop };
    },
  ],
];

describe.each(DOORS)('%s', async (door, open) => {
  const paths = write(await ca.issue('server', SERVER));
  const env = { [`${door}_TLS_CERTIFICATE`]: paths.certificate, [`${door}_TLS_KEY`]: paths.key };
  const tls = await openTestTls(door, env, { lookMs: 20, handshakeMs: 2_500, handshakesMax: 200 });
  const trust = join(dir, `${door}-trust.pem`);
  writeFileSync(trust, desks.pem);
  const mutual = await openTestTls(
    door,
    { ...env, [`${door}_TLS_CLIENT_CA`]: trust },
    { lookMs: 20, handshakeMs: 60_000, handshakesMax: 50 },
  );
  let at: { port: number; stop(): Promise<void> };
  let among: { port: number; stop(): Promise<void> };

  beforeAll(async () => {
    at = await open(tls);
    among = await open(mutual);
  });
  afterAll(async () => {
    for (const one of [at, among]) await one.stop();
    for (const one of [tls, mutual]) one.stop();
  });

  const call = async (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const socket = connect({ host: '127.0.0.1', port, ca: ca.pem, ...options });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };
  /** The answer to an HTTP request, or to a FIX message of an unknown CompID; '' where the handshake is rejected. */
  const said = async (port: number, options: ConnectionOptions = {}): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, ca: ca.pem, ...options });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.end('GET /api/v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };

  test('serves its certificate, and rejects versions before TLS 1.2', async () => {
    const socket = await call(at.port);
    expect([socket.authorized, socket.getProtocol()]).toEqual([true, 'TLSv1.3']);
    socket.destroy();
    const older = connect({ host: '127.0.0.1', port: at.port, ca: ca.pem, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    const [error] = await once(older, 'error');
    expect(String(error)).toMatch(/protocol/);
  });

  test('rejects renegotiation', async () => {
    const socket = await call(at.port, { maxVersion: 'TLSv1.2' });
    const answer = new Promise((resolve) => {
      socket.once('error', resolve);
      socket.once('close', () => resolve('closed'));
      socket.renegotiate({ rejectUnauthorized: true }, (error) => resolve(error ?? 'renegotiated'));
    });
    expect(await answer).not.toBe('renegotiated');
    socket.destroy();
  });

  test('serves a renewed certificate without a restart, and keeps connected peers', async () => {
    const before = await call(at.port);
    const old = before.getPeerCertificate().fingerprint256;
    const renewed = await ca.issue('server', SERVER);
    // First one file, then the other: in between they do not match, and the old pair remains in use.
    writeFileSync(paths.certificate, renewed.certificate);
    await until(() => tls.logged.some((line) => line.includes('the old one remains in use')));
    const between = await call(at.port);
    expect(between.getPeerCertificate().fingerprint256).toBe(old);
    writeFileSync(paths.key, renewed.key);
    const { fingerprint256 } = new X509Certificate(renewed.certificate);
    await until(() => tls.logged.some((line) => line.includes(fingerprint256)));
    const after = await call(at.port);
    expect(after.getPeerCertificate().fingerprint256).toBe(fingerprint256);
    expect([before.destroyed, before.readyState]).toEqual([false, 'open']);
    for (const socket of [before, between, after]) socket.destroy();
  });

  test('accepts only peers with a certificate of the client CA, checked on each connection', async () => {
    const stranger = await (await createAuthority('strangers')).issue('ACME1');
    const known = await desks.issue('ACME1');
    const as = ({ certificate: cert, key }: Identity) => ({ cert, key });
    const accepted = door === 'REST' ? /^HTTP\/1\.1 404/ : /^$/;
    expect(await said(among.port)).toBe('');
    expect(await said(among.port, as(stranger))).toBe('');
    expect(await said(among.port, { ...as(stranger), maxVersion: 'TLSv1.2' })).toBe('');
    expect(await said(among.port, as(await desks.issue('ACME1', [], Date.now() - 30 * 86_400_000)))).toBe('');
    expect(await said(among.port, as(known))).toMatch(accepted);
    // A ticket of a session would outlive the trust in the certificate that it began with.
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const first = await call(among.port, { ...as(known), maxVersion });
      const tickets: Buffer[] = [];
      first.on('session', (session) => tickets.push(session));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const again = await call(among.port, { ...as(known), maxVersion, session: tickets.at(-1) ?? first.getSession() });
      expect(again.isSessionReused()).toBe(false);
      for (const socket of [first, again]) socket.destroy();
    }
  });

  test('a connection beyond the limit of silent ones closes the oldest of them', async () => {
    const closed: number[] = [];
    const silent: Socket[] = [];
    for (let i = 0; i < 60; i++) {
      const socket = connectTcp(among.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.once('close', () => closed.push(i));
      socket.resume();
      silent.push(socket);
      await once(socket, 'connect');
    }
    await until(() => closed.length === 10);
    expect(closed.sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const socket of silent) socket.destroy();
  });

  test('2,000 silent connections keep no client out, and are closed soon', async () => {
    const silent: Socket[] = [];
    let [connected, open] = [0, 0];
    for (let i = 0; i < 2_000; i++) {
      const socket = connectTcp(at.port, '127.0.0.1', () => {
        connected++;
        open++;
      });
      socket.on('error', () => {});
      socket.once('close', () => open--);
      socket.resume();
      silent.push(socket);
      // The kernel keeps so many until they are accepted.
      if (i % 500 === 499) await until(() => connected === i + 1);
    }
    const caller = await call(at.port);
    await until(() => connected === 2_000 && open <= 200);
    const late = await call(at.port);
    for (const socket of [caller, late]) expect(socket.authorized).toBe(true);
    await until(() => open === 0);
    expect(caller.destroyed).toBe(false);
    for (const socket of [caller, late, ...silent]) socket.destroy();
  });
});

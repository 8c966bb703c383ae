import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Acceptor, Initiator, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import { afterAll, expect, test } from 'vitest';
import { writeCertificate } from '../support/certificate.js';
import { readDictionary } from './dictionaries.js';

const folder = mkdtempSync(join(tmpdir(), 'fix-tls-'));
const { certificate, key } = await writeCertificate(folder);
const tls = { key: readFileSync(key), cert: readFileSync(certificate) };

afterAll(() => rmSync(folder, { recursive: true }));

test('closes a connection that sends nothing, and one that does not speak TLS', async () => {
  const refused: string[] = [];
  const acceptor = new Acceptor({
    port: 0,
    tls,
    dictionary: readDictionary(),
    store: memoryStoreFactory(),
    limits: { logonTimeoutMs: 200 },
    application: {
      authenticate: () => ({ accept: false, silent: true }),
      onLogon() {},
      onMessage() {},
      onLogout() {},
      onEvent: (_session, { kind }) => void refused.push(kind),
    },
  });
  const { port } = await acceptor.listen();
  for (const said of ['', 'GET / HTTP/1.1\r\n\r\n']) {
    const socket = connectTcp(port, '127.0.0.1', () => said && socket.write(said));
    socket.resume();
    await once(socket, 'close');
  }
  expect(refused).toEqual(['connection-refused', 'connection-refused']);
  await acceptor.stop();
});

test('a session over TLS, and nothing older than TLS 1.2', async () => {
  const secure: boolean[] = [];
  const acceptor = new Acceptor({
    port: 0,
    tls: tls,
    dictionary: readDictionary(),
    store: memoryStoreFactory(),
    application: {
      authenticate: (attempt) => {
        secure.push(attempt.secure);
        return { accept: true, profile: profile({ supported: new Set(['D']) }), reply: [], context: undefined };
      },
      onLogon() {},
      onMessage: (session) => {
        for (let i = 0; i < 500; i++)
          session.send('h', [
            [336, 'FX'],
            [58, 'x'.repeat(300)],
          ]);
      },
      onLogout() {},
    },
  });
  const { port } = await acceptor.listen();
  let received = 0;
  let done: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const initiator = new Initiator({
    host: '127.0.0.1',
    port,
    tls: { ca: tls.cert, servername: 'localhost' },
    beginString: 'FIX.4.4',
    senderCompId: 'DESK1',
    targetCompId: 'FXENGINE',
    heartBtInt: 10,
    profile: profile({ supported: new Set(['h']) }),
    store: memoryStoreFactory(),
    application: {
      onLogon: (session: Session) =>
        session.send('D', [
          [11, 'o'],
          [55, 'EUR/USD'],
          [54, 1],
          [60, '20260114-12:00:00'],
          [40, 1],
        ]),
      onMessage: () => {
        if (++received === 500) done();
      },
      onLogout() {},
    },
  });
  initiator.start();
  await all;
  expect(secure).toEqual([true]);
  await initiator.stop();

  const refused = await new Promise<string>((resolve) => {
    const old = connect({ host: '127.0.0.1', port, ca: tls.cert, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' });
    old.on('error', (error) => resolve(error.message));
    old.on('secureConnect', () => resolve('connected'));
  });
  expect(refused).not.toBe('connected');
  await acceptor.stop();
});

/** Who can reach what: ports without TLS are for this machine, those with TLS for HOST. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readConfig } from '../../engine/wiring/config.js';
import { checkReachable, metricsHost, plainHost, warnOfPlainRedis } from '../../engine/wiring/listen-hosts.js';
import { TestDesk } from '../support/desk.js';
import { until } from '../support/until.js';
import { demoClient, type Launcher, launch, temporaryDirectory } from './launcher.js';

const TLS = { FIX_TLS_CERTIFICATE: 'generated', REST_TLS_CERTIFICATE: 'generated' };
const TLS_PORTS = { FIX_TLS_PORT: '0', REST_TLS_PORT: '0' };

test.each<[Record<string, string>, plain: string, metrics: string]>([
  [{}, '127.0.0.1', '127.0.0.1'],
  [{ HOST: '127.0.0.2' }, '127.0.0.2', '127.0.0.2'],
  [{ HOST: 'localhost' }, 'localhost', 'localhost'],
  [{ HOST: '0.0.0.0' }, '127.0.0.1', '127.0.0.1'],
  [{ HOST: 'fix.example.com' }, '127.0.0.1', '127.0.0.1'],
  [{ HOST: '2001:db8::7' }, '::1', '::1'],
  [{ HOST: '10.20.0.11', PLAINTEXT: 'anywhere' }, '10.20.0.11', '127.0.0.1'],
  [{ HOST: '10.20.0.11', METRICS_HOST: '10.30.0.11' }, '127.0.0.1', '10.30.0.11'],
])('%j', (env, plain, metrics) => {
  const config = readConfig(env);
  expect([plainHost(config), metricsHost(config)]).toEqual([plain, metrics]);
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ HOST: '10.20.0.11' }, false],
  [{ HOST: '10.20.0.11', FIX_TLS_CERTIFICATE: 'generated' }, true],
  [{ HOST: '10.20.0.11', REST_TLS_CERTIFICATE: 'generated' }, true],
  [{ HOST: '10.20.0.11', PLAINTEXT: 'anywhere' }, true],
])('%j starts: %s', (env, starts) => {
  const check = () => checkReachable(readConfig(env));
  if (starts) check();
  else expect(check).toThrow(/^HOST 10\.20\.0\.11 is for others, and there is no TLS/);
});

describe('a Redis on another machine without TLS is warned of', () => {
  test.each([
    ['redis://user:p%40ss@10.0.0.5:6379', '10.0.0.5'],
    ['redis://10.0.0.5,10.0.0.6:7000', '10.0.0.5'],
    ['redis://127.0.0.1,redis.example.com:7000', 'redis.example.com'],
    ['redis://:secret@[2001:db8::1]:6379/2', '2001:db8::1'],
    ['sentinel://:secret@10.0.0.5:26379/main', '10.0.0.5'],
    ['rediss://:secret@10.0.0.5:6379', undefined],
    ['redis://:secret@127.0.0.1:6379', undefined],
    ['redis://[::1]:6379', undefined],
    ['', undefined],
  ])('%s', (REDIS_URL, host) => {
    const lines: string[] = [];
    const warn = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
    warnOfPlainRedis(readConfig({ REDIS_URL }), { info: warn, warn, error: warn });
    expect(lines).toEqual(host === undefined ? [] : [expect.stringMatching(`"host":"${host}".*rediss://`)]);
    expect(lines.join()).not.toMatch(/secret|p%40/);
  });

  test('one that is not understood ends the start, and nothing of it is shown', () => {
    const config = readConfig({ REDIS_URL: 'redis://user:p@ss@10.0.0.5:6379' });
    const warn = () => expect.unreachable();
    expect(() => warnOfPlainRedis(config, { info: warn, warn, error: warn })).toThrow(/^REDIS_URL is not one [^@]*use/);
  });
});

const directory = temporaryDirectory();
const started: Launcher[] = [];
afterAll(async () => {
  for (const { process } of started) process.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  directory.remove();
});

function start(env: Record<string, string>): { launcher: Launcher; dataDir: string } {
  const dataDir = join(directory.path, String(started.length));
  const launcher = launch(dataDir, { ...TLS_PORTS, ...env });
  started.push(launcher);
  return { launcher, dataDir };
}

const portOf = (address: string): number => Number(/\d+$/.exec(address)![0]);

/** An address of this machine that others reach. */
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (outside === undefined) process.stdout.write('No address but loopback here: whether others get in is not tried.\n');

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('with HOST for others: TLS on HOST, everything else here, and both doors work over a generated certificate', async () => {
  const { launcher, dataDir } = start({ ...TLS, HOST: '0.0.0.0' });
  const ready = await launcher.ready;
  expect(Object.entries(ready).map(([door, at]) => `${door} ${at.replace(/:\d+$/, '')}`)).toEqual([
    'fix 127.0.0.1',
    'rest 127.0.0.1',
    'metrics 127.0.0.1',
    'rest-metrics 127.0.0.1',
    'fix-tls 0.0.0.0',
    'rest-tls 0.0.0.0',
  ]);
  const demo = demoClient(dataDir);
  const ca = readFileSync(join(dataDir, 'generated-tls.pem'));

  const desk = new TestDesk({
    port: portOf(ready['fix-tls']!),
    compId: demo.sender_comp_id,
    clientKey: demo.client_key,
    clientSecret: demo.client_secret,
    tls: { ca, servername: 'localhost' },
  });
  await desk.logon();
  desk.close();

  const port = portOf(ready['rest-tls']!);
  const ask = overTls(port, ca);
  const { client_key, client_secret } = demo;
  expect(await ask('POST', '/api/v1/authentication', { client_key, client_secret })).toMatchObject({ status: 200 });

  const socket = connectTls({ host: '127.0.0.1', port, ca });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  // Once by each door.
  expect(launcher.stderr().split(fingerprint256)).toHaveLength(3);

  for (const door of ['metrics', 'rest-metrics']) {
    const text = await (await fetch(`http://${ready[door]}/metrics`)).text();
    const [, end] = /^ratewire_tls_certificate_end_timestamp_seconds\{[^}]*\} (\d+)$/m.exec(text) ?? [];
    expect(Math.round((Number(end) * 1_000 - Date.now()) / 86_400_000)).toBe(365);
  }

  if (outside !== undefined) {
    const reached = await Promise.all(
      Object.entries(ready).map(async ([door, at]) => ((await answers(outside, portOf(at))) ? [door] : [])),
    );
    expect(reached.flat()).toEqual(['fix-tls', 'rest-tls']);
  }
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** As a browser on this machine asks. */
function overTls(port: number, ca: Buffer) {
  return async (method: string, path: string, headers = {}, body?: object): Promise<Answer> => {
    const asked = request({ method, host: 'localhost', port, ca, path, headers });
    asked.end(body && JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += chunk;
    return { status: answer.statusCode!, headers: answer.headers, text };
  };
}

test('the live page over TLS: its cookie is for TLS alone, and its stream opens for its own origin', async () => {
  const { launcher, dataDir } = start({ REST_TLS_CERTIFICATE: 'generated' });
  const port = portOf((await launcher.ready)['rest-tls']!);
  const ca = readFileSync(join(dataDir, 'generated-tls.pem'));
  const ask = overTls(port, ca);
  const page = await ask('GET', '/live');
  expect([page.status, page.headers['content-security-policy']]).toEqual([
    200,
    expect.stringMatching(/^default-src 'none';script-src 'self';(?!.*unsafe).*frame-ancestors 'none'$/),
  ]);
  const { client_key, client_secret } = demoClient(dataDir);
  const [host, own] = [`localhost:${port}`, `https://localhost:${port}`];
  const headers = { origin: own, 'content-type': 'application/json' };
  const logIn = (more: object) => ask('POST', '/live/login', { ...headers, ...more }, { client_key, client_secret });
  // A page without TLS may come from an attacker on the network: the same name and port over HTTP are another origin.
  const others = ['https://elsewhere.example.com', `http://${host}`];
  for (const origin of others) expect((await logIn({ origin })).status).toBe(403);
  const { status, headers: answered } = await logIn({});
  const [cookie = ''] = answered['set-cookie'] ?? [];
  expect([status, cookie]).toEqual([
    200,
    expect.stringMatching(/^__Host-ratewire_live=[\w-]{43}; Path=\/; Secure; .*HttpOnly; SameSite=Strict$/),
  ]);

  const open = async (origin: string) => {
    const socket = new WebSocket(`wss://${host}/live/stream`, {
      ca,
      origin,
      headers: { cookie: cookie.split(';')[0] },
    });
    socket.on('error', () => {});
    const opened = new Promise<string>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data)).t));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
    });
    return opened.finally(() => socket.terminate());
  };
  for (const origin of others) expect(await open(origin)).toBe('403');
  expect(await open(own)).toBe('hello');
});

test('the operator may insist on plain text everywhere; metrics need a word of their own', async () => {
  const { launcher } = start({ HOST: '0.0.0.0', PLAINTEXT: 'anywhere', METRICS_HOST: '127.0.0.2' });
  expect(Object.values(await launcher.ready).map((at) => at.replace(/:\d+$/, ''))).toEqual([
    '0.0.0.0',
    '0.0.0.0',
    '127.0.0.2',
    '127.0.0.2',
  ]);
  // Once by each door; the log may arrive after the `ready` line.
  await until(() => launcher.stderr().split('others may connect without TLS').length >= 3);
  expect(launcher.stderr().split('others may connect without TLS')).toHaveLength(3);
});

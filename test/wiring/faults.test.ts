import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../support/store.js';
import { launch, temporaryDirectory } from './launcher.js';

const directory = temporaryDirectory();
let other: Server;
let taken: string;
let store: TestStore;

beforeAll(async () => {
  other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  taken = String((other.address() as { port: number }).port);
  store = await startTestStore();
  writeFileSync(join(directory.path, 'a-file'), 'not a directory');
});
afterAll(async () => {
  other.close();
  await store.stop();
  directory.remove();
});

/**
 * What is set, what the one line must say, and which program says it. Without a program all of them are started: so is one fault of each that is
 * found late; the others of the engine and of the sidecar end it alone, on the store that is there.
 */
test.each<[string, () => Record<string, string>, RegExp, ('engine/main' | 'rest/main')?]>([
  ['a setting', () => ({ FIX_PORT: 'x' }), /^FIX_PORT x is not accepted/],
  ['a taken FIX port', () => ({ FIX_PORT: taken }), /^FIX_PORT \d+ is taken: set FIX_PORT to a free port/],
  ['a taken REST port', () => ({ REST_PORT: taken }), /^REST_PORT \d+ is taken/],
  ['a taken metrics port', () => ({ METRICS_PORT: taken }), /^METRICS_PORT \d+ is taken/, 'engine/main'],
  [
    'a taken metrics port of the sidecar',
    () => ({ REST_METRICS_PORT: taken }),
    /^REST_METRICS_PORT \d+ is taken/,
    'rest/main',
  ],
  [
    'a host of another machine',
    () => ({ HOST: '203.0.113.1', PLAINTEXT: 'anywhere' }),
    /^HOST 203\.0\.113\.1 is not an address of this machine/,
    'engine/main',
  ],
  [
    'a host of another machine for metrics',
    () => ({ METRICS_HOST: '203.0.113.1' }),
    /^METRICS_HOST 203\.0\.113\.1 is not an address of this machine/,
    'rest/main',
  ],
  [
    'a host for others without TLS',
    () => ({ HOST: '0.0.0.0' }),
    /^HOST 0\.0\.0\.0 .*set FIX_TLS_CERTIFICATE .*HOST 127\.0\.0\.1.*PLAINTEXT anywhere/,
  ],
  ['a feed', () => ({ FEED: 'carrier-pigeon' }), /^FEED: 'carrier-pigeon' is no feed; accepted: replay, /],
  [
    'a tick file',
    () => ({ FEED: 'replay:/nowhere/ticks.csv@2014-05-06T12:15:00Z' }),
    /^FEED.*\/nowhere\/ticks\.csv/,
    'engine/main',
  ],
  ['a data directory', () => ({ DATA_DIR: join(directory.path, 'a-file') }), /^DATA_DIR \S+a-file cannot be written/],
  [
    'a data directory where none can be made',
    () => ({ DATA_DIR: '/proc/none' }),
    /^DATA_DIR \/proc\/none cannot be written/,
  ],
  [
    'a Redis without a word of who decides about money',
    () => ({ REDIS_URL: store.redisUrl, FUNDING: '', COMPLIANCE: '', PAYOUT: '' }),
    /^FUNDING, COMPLIANCE, PAYOUT must be set with REDIS_URL/,
  ],
  [
    'recorded prices where operators pay',
    () => ({ DATA_DIR: join(directory.path, 'pays'), FEED: '', PAYOUT: 'manual' }),
    /FEED is replay here, .* PAYOUT is manual in this store: set FEED to your providers/,
  ],
  ['no feed', () => ({ REDIS_URL: store.redisUrl, FEED: '' }), /^FEED must be set with REDIS_URL: to your providers/],
  ['a Redis that is not there', () => ({ REDIS_URL: `redis://127.0.0.1:1` }), /^Redis at 127\.0\.0\.1:1 .*REDIS_URL/],
  [
    'a wrong password',
    () => ({ REDIS_URL: store.redisUrl.replace(/:[^:@]+@/, ':wrong@') }),
    /^Redis at .*password.*REDIS_URL/,
  ],
  [
    'a certificate',
    () => ({ FIX_TLS_CERTIFICATE: '/nowhere/c.pem', FIX_TLS_KEY: '/nowhere/k.pem' }),
    /FIX_TLS_CERTIFICATE/,
  ],
])('%s that cannot work ends the start in one line', async (_what, env, line, program) => {
  const launcher = program
    ? launch(store.dataDir, { REDIS_URL: store.redisUrl, LOG_LEVEL: 'warn', ...env() }, program)
    : launch(directory.path, env());
  expect((await launcher.ended).code).toBe(1);
  expect(launcher.stdout()).toBe('');
  expect(launcher.stderr()).toMatch(line);
  expect(launcher.stderr().trimEnd().split('\n')).toHaveLength(1);
});

test('a sidecar without a store refuses, and starts none', async () => {
  const alone = launch(join(directory.path, 'empty'), {}, 'rest/main');
  expect((await alone.ended).code).toBe(1);
  expect(alone.stderr()).toMatch(/^no store runs on data directory \S+: run `npm start`[^\n]*\n$/);
});

test('engine and sidecar run apart on one Redis, and an engine without a feed follows the relay', async () => {
  const env = { REDIS_URL: store.redisUrl };
  const engine = launch(store.dataDir, env, 'engine/main');
  expect(Object.keys(await engine.ready)).toEqual(['fix', 'metrics']);
  const sidecar = launch(store.dataDir, env, 'rest/main');
  const gateway = launch(store.dataDir, { ...env, FEED: 'relay' }, 'engine/main');
  expect(Object.keys(await sidecar.ready)).toEqual(['rest', 'rest-metrics']);
  for (const door of [(await sidecar.ready)['rest-metrics'], (await gateway.ready).metrics]) {
    const sandboxes =
      door === (await gateway.ready).metrics
        ? /^ready\nsandbox: funding\b.*\nfeed: simulated\n$/
        : /^ready\nsandbox: funding, compliance, payout\nfeed: simulated\n$/;
    expect(await (await fetch(`http://${door}/ready`)).text()).toMatch(sandboxes);
    const metrics = await (await fetch(`http://${door}/metrics`)).text();
    expect(metrics).toMatch(/^ratewire_sandbox\{port="funding",.*\} 1$/m);
    const kinds = [...metrics.matchAll(/^ratewire_feed_kind\{kind="(\w+)",.*\} (\d)$/gm)].map(([, ...kind]) =>
      kind.join(' '),
    );
    expect(kinds).toEqual(['market 0', 'replay 0', 'simulated 1']);
  }
  const other = launch(store.dataDir, { ...env, PAYOUT: 'manual' }, 'rest/main');
  expect([(await other.ended).code, other.stderr()]).toEqual([
    1,
    expect.stringMatching(
      /^PAYOUT is manual here and sandbox in this store: .* PAYOUT=sandbox, .*`ratewire store ports --payout manual --reason <why>`\n$/,
    ),
  ]);
  for (const program of [gateway, sidecar, engine]) {
    program.process.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  }
});

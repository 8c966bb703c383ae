/** The store keeps the mode of each port: a program with another mode does not start, and a change waits until none runs. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeedKind } from '../../../engine/domain/system/feed-kind.js';
import { PORTS, type Port, type PortModes } from '../../../engine/domain/system/port-mode.js';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import type { Store } from '../../../engine/store/store.js';
import { ratewireOn } from '../../support/ratewire.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

let running: TestStore;
let redis: Redis;
beforeAll(async () => {
  running = await startTestStore();
  redis = redisAt(running.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await running.stop();
});
beforeEach(async () => {
  await redis.del('{ports}:modes', '{ports}:programs');
});

const ALL_SANDBOX = { funding: 'sandbox', compliance: 'sandbox', payout: 'sandbox' } as const;
const ALL_MANUAL = { funding: 'manual', compliance: 'manual', payout: 'manual' } as const;

const join = (store: Store, modes: PortModes, sandboxes: readonly Port[] = [], onOther = (_line: string) => {}) =>
  store.ports.join({ program: 'sidecar here:1', modes, sandboxes, onOther });

describe('a program that starts', () => {
  test.each<[string, PortModes, PortModes, readonly Port[], PortModes]>([
    ['writes its modes into a store without', {}, ALL_MANUAL, [], ALL_MANUAL],
    ['writes those that are missing', { funding: 'manual' }, ALL_MANUAL, [], ALL_MANUAL],
    ['takes the modes of the store where it has none', ALL_MANUAL, {}, PORTS, ALL_MANUAL],
    ['becomes a sandbox where neither says', {}, { payout: 'manual' }, PORTS, { ...ALL_SANDBOX, payout: 'manual' }],
    ['decides nothing that it does not use', {}, { funding: 'sandbox' }, [], { funding: 'sandbox' }],
  ])('%s', async (_rule, kept, modes, sandboxes, becomes) => {
    for (const [port, mode] of Object.entries(kept)) await redis.hset('{ports}:modes', port, mode!);
    const store = await running.another();
    expect(await join(store, modes, sandboxes)).toEqual(becomes);
    expect([store.ports.modes, await running.store.ports.read()]).toEqual([becomes, becomes]);
    await store.close();
  });

  test('is rejected with another mode, writes nothing, and is not registered', async () => {
    await redis.hset('{ports}:modes', 'funding', 'sandbox', 'payout', 'manual');
    const store = await running.another();
    const refused = join(store, { funding: 'manual', compliance: 'sandbox', payout: 'sandbox' });
    await expect(refused).rejects.toThrow(
      new StoreStartError(
        'FUNDING is manual here and sandbox in this store, PAYOUT is sandbox here and manual in this store: set FUNDING=sandbox PAYOUT=manual, or stop every engine and sidecar and change the store with `ratewire store ports --funding manual --payout sandbox --reason <why>`',
      ),
    );
    expect(await running.store.ports.read()).toEqual({ funding: 'sandbox', payout: 'manual' });
    expect(await redis.exists('{ports}:programs')).toBe(0);
    await store.close();
  });

  test('treats an unknown mode as manual', async () => {
    await redis.hset('{ports}:modes', 'payout', 'whatever');
    expect(await running.store.ports.read()).toEqual({ payout: 'manual' });
    await expect(join(running.store, { payout: 'sandbox' })).rejects.toThrow(/^PAYOUT is sandbox here and manual/);
  });
});

describe('prices that are no market’s', () => {
  const engine = (store: Store, modes: PortModes, feed: readonly FeedKind[], onOther = (_line: string) => {}) =>
    store.ports.join({ program: 'engine here:2', modes, sandboxes: [], feed, onOther });

  test.each([
    ['replay', 'PAYOUT', { payout: 'manual' }, {}],
    ['simulated', 'FUNDING', { funding: 'manual', payout: 'sandbox' }, {}],
    ['simulated', 'PAYOUT', {}, { payout: 'manual' }],
    ['replay', 'FUNDING', {}, { funding: 'manual' }],
    ['replay', 'PAYOUT', { payout: 'unknown' }, {}],
  ] as const)('%s is rejected where %s is manual, in the store or here: %j %j', async (feed, port, kept, modes) => {
    if (Object.keys(kept).length > 0) await redis.hset('{ports}:modes', kept);
    const store = await running.another();
    await expect(engine(store, modes, ['market', feed])).rejects.toThrow(
      `FEED is ${feed} here, whose prices are no market's, and ${port} is manual in this store: set FEED to your providers, or to relay`,
    );
    expect(await redis.hgetall('{ports}:modes')).toEqual(kept);
    expect(await redis.exists('{ports}:programs')).toBe(0);
    await store.close();
  });

  test.each<[string, PortModes, readonly FeedKind[]]>([
    ['a market’s feed where all is manual', ALL_MANUAL, ['market']],
    ['no feed of its own where all is manual', ALL_MANUAL, []],
    [
      'recorded prices where operators decide about compliance alone',
      { ...ALL_SANDBOX, compliance: 'manual' },
      ['replay'],
    ],
  ])('%s is accepted', async (_rule, modes, feed) => {
    const store = await running.another();
    expect(await engine(store, modes, feed)).toEqual(modes);
    await store.close();
  });

  test('keep a program from making a port manual while their engine runs', async () => {
    const [store, other] = [await running.another(), await running.another()];
    await engine(store, { funding: 'sandbox' }, ['replay', 'simulated']);
    await expect(join(other, { payout: 'manual' })).rejects.toThrow(
      "PAYOUT is manual here, and engine here:2 FEED=replay,simulated runs, whose prices are no market's: stop it and set its FEED to your providers, or set PAYOUT=sandbox",
    );
    expect(await other.ports.read()).toEqual({ funding: 'sandbox' });
    await store.close();
    expect(await join(other, { payout: 'manual' })).toMatchObject({ payout: 'manual' });
    await other.close();
  });

  test('end an engine that was suspended until its registration expired', { timeout: 300_000 }, async () => {
    const store = await running.another();
    const lines: string[] = [];
    await engine(store, { funding: 'sandbox' }, ['simulated'], (line) => lines.push(line));
    await redis.del('{ports}:programs');
    const other = await running.another();
    await join(other, { payout: 'manual' });
    await vi.waitUntil(() => lines.length > 0, { timeout: 120_000 });
    await store.close();
    await other.close();
    expect(lines).toEqual([expect.stringMatching(/^FEED is simulated here, .* and PAYOUT is manual in this store: /)]);
  });
});

describe('a change', () => {
  test('is rejected while a program runs, which it names, and made when all have stopped', async () => {
    const store = await running.another();
    await join(store, ALL_SANDBOX);
    expect(await running.store.ports.change({ payout: 'manual' })).toEqual(['sidecar here:1']);
    expect(await running.store.ports.read()).toEqual(ALL_SANDBOX);
    await store.close();
    expect(await running.store.ports.change({ payout: 'manual' })).toEqual([]);
    expect(await running.store.ports.read()).toEqual({ ...ALL_SANDBOX, payout: 'manual' });
  });

  test('is made on the command line, with a reason, and written to the audit log', async () => {
    const { run, json } = ratewireOn(running.dataDir, { REDIS_URL: running.redisUrl });
    const ports = ['--compliance', 'manual', '--reason', 'going live'];
    const store = await running.another();
    await join(store, ALL_SANDBOX);
    expect(await run('store', 'ports', ...ports)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^WRONG_STATE: Running: sidecar here:1\. Stop every engine and sidecar first/),
    });
    await store.close();
    const changed = [
      { port: 'funding', mode: 'sandbox' },
      { port: 'compliance', mode: 'manual' },
      { port: 'payout', mode: 'sandbox' },
    ];
    expect(await json('store', 'ports', ...ports)).toEqual(changed);
    expect(await json('store', 'ports')).toEqual(changed);
    const [entry] = await json<[object]>('audit', '--limit', '1');
    expect(entry).toMatchObject({ operation: 'changePorts', outcome: 'done', input: { reason: 'going live' } });
    expect(await run('store', 'ports', '--payout', 'manual')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^VALIDATION_FAILED: reason/),
    });
  });

  test('advances the clock in sandbox mode only, which then cannot be left', async () => {
    const { run, json } = ratewireOn(running.dataDir, { REDIS_URL: running.redisUrl });
    const clock = ['store', 'clock', '--advance', '24h', '--reason', 'a day later'];
    const offsets = async () =>
      Promise.all(Array.from({ length: 64 }, (_, n) => redis.get(`{s${String(n).padStart(2, '0')}}:clock`)));
    const refused = (text: RegExp) => ({ code: 1, out: '', err: expect.stringMatching(text) });
    try {
      for (const modes of [{}, { ...ALL_SANDBOX, compliance: 'manual' }, ALL_MANUAL]) {
        await redis.del('{ports}:modes');
        if (Object.keys(modes).length > 0) await redis.hset('{ports}:modes', modes);
        expect(await run(...clock)).toMatchObject(refused(/^WRONG_STATE: Not a sandbox: (funding, )?compliance/));
      }
      expect(new Set(await offsets())).toEqual(new Set([null]));

      await redis.hset('{ports}:modes', ALL_SANDBOX);
      expect(await run('store', 'clock', '--advance', '24h')).toMatchObject(refused(/^VALIDATION_FAILED: reason/));
      expect(await run('store', 'clock', '--reason', 'x')).toMatchObject(refused(/^VALIDATION_FAILED: advanceMs/));
      for (const wrong of ['-1h', '0h', '24', '367d', '1w'])
        expect(await run('store', 'clock', `--advance=${wrong}`, '--reason', 'x'), wrong).toMatchObject({ code: 2 });
      expect(await json('store', 'clock')).toMatchObject({ offset_seconds: 0 });
      expect(await json(...clock)).toMatchObject({ offset_seconds: 86_400 });
      const [entry] = await json<[object]>('audit', '--limit', '1');
      expect(entry).toMatchObject({ operation: 'advanceClock', outcome: 'done', input: { reason: 'a day later' } });
      expect(await json(...clock)).toMatchObject({ offset_seconds: 172_800 });
      expect(new Set(await offsets())).toEqual(new Set(['172800000']));
      await expect.poll(() => running.store.clock.estimate()! - Date.now() > 172_000_000, SOON).toBe(true);

      const manual = ['store', 'ports', '--payout', 'manual', '--reason', 'going live'];
      expect(await run(...manual)).toMatchObject(refused(/^WRONG_STATE: The clock of this store was turned ahead/));
      expect(await running.store.ports.read()).toEqual(ALL_SANDBOX);
    } finally {
      await running.store.clock.setOffset(0);
    }
  });

  test('waits until the registration of a killed program expires', async () => {
    await redis.zadd(
      '{ports}:programs',
      Date.now() + 60_000,
      'dead engine gone:2',
      Date.now() - 2_000,
      'older engine gone:1',
    );
    expect(await running.store.ports.change({ payout: 'manual' })).toEqual(['engine gone:2']);
    await redis.zadd('{ports}:programs', Date.now() - 2_000, 'dead engine gone:2');
    expect(await running.store.ports.change({ payout: 'manual' })).toEqual([]);
  });

  test('ends a program that was suspended for so long that its registration expired', {
    timeout: 300_000,
  }, async () => {
    const store = await running.another();
    const lines: string[] = [];
    await join(store, ALL_SANDBOX, [], (line) => lines.push(line));
    await redis.del('{ports}:programs');
    expect(await running.store.ports.change({ payout: 'manual' })).toEqual([]);
    await vi.waitUntil(() => lines.length > 0, { timeout: 120_000 });
    expect(lines).toEqual([expect.stringMatching(/^PAYOUT is sandbox here and manual in this store: /)]);
    await store.close();
  });

  test('is rejected by a key of another type, and changes nothing', async () => {
    await redis.set('{ports}:programs', 'text');
    await expect(running.store.ports.change({ payout: 'manual' })).rejects.toThrow(
      /of another type|another type|WRONGTYPE|holds a/,
    );
    await expect(join(running.store, ALL_SANDBOX)).rejects.toThrow(/of another type|another type|WRONGTYPE|holds a/);
    expect(await running.store.ports.read()).toEqual({});
  });
});

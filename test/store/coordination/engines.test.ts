/** Engines publish queries and answers on channels: nothing is stored, and unreadable messages are ignored. */

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EngineStatus, SessionState } from '../../../engine/domain/system/engine-status.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import type { LevelTake } from '../../../engine/store/coordination/engines.js';
import { MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { Store } from '../../../engine/store/store.js';
import { keysOf, redisAt } from '../../support/redis-client.js';
import { KIND, ON_CLUSTER, SILENT, startTestStore, type TestStore } from '../../support/store.js';

const WAIT_MS = 1_000;
/** On a cluster the number of subscribers is unknown, and the whole time is waited. */
const LONG_MS = ON_CLUSTER ? WAIT_MS : 60_000;

let running: TestStore;
let first: Store;
let second: Store;
let asker: Store;
const quiet: (() => void)[] = [];
const faults: string[] = [];
beforeAll(async () => {
  running = await startTestStore({
    log: { ...SILENT, error: (_fields: object, text: string) => void faults.push(text) },
  });
  first = running.store;
  second = await running.another();
  asker = await running.another();
});
afterEach(() => {
  for (const stop of quiet.splice(0)) stop();
});
afterAll(() => running.stop());

const session = (compId: string): SessionState => ({
  compId,
  clientId: 'acme',
  keyId: 'CK_ENGINES',
  loggedOnAtMs: 1_700_000_000_000,
  nextOut: 12,
  nextIn: 7,
  backlogBytes: 0,
  conflated: 3,
  streams: 2,
});

const PAIR = { pair: 'EUR/USD', state: 'halted', ageMs: 12, providers: ['A', 'B'] } as const;

function statusOf(store: Store, sessions: readonly SessionState[]): EngineStatus {
  return {
    engineId: store.engineId,
    where: 'here:1',
    startedAtMs: 1_700_000_000_000,
    feed: 'runs',
    draining: false,
    providers: [{ name: 'test', up: true, ticks: 5, losses: 0, ageMs: 12.5 }],
    desks: sessions.length,
    sessions,
    tickToWire: { count: 1, p50: 1, p90: 2, p99: 2, max: 2 },
  };
}

const taken: LevelTake[] = [];

/** An engine with these desks; returns the logouts that it was ordered to make. */
async function engineWith(store: Store, ...compIds: string[]): Promise<string[]> {
  const ended: string[] = [];
  quiet.push(
    store.engines.answer({
      status: (wanted) => statusOf(store, compIds.filter((id) => wanted?.includes(id) ?? true).map(session)),
      pairs: () => ({ feed: 'runs', pairs: [PAIR] }),
      takes: (publisher, takes) => (publisher === 7 ? taken.push(...takes) + 40 : undefined),
      logOut: (compId, text) => compIds.includes(compId) && ended.push(`${compId} ${text}`) > 0,
    }),
  );
  await vi.waitFor(async () => expect(ids(await asker.engines.status(WAIT_MS))).toContain(store.engineId), 120_000);
  return ended;
}

const ids = (statuses: readonly EngineStatus[]): string[] => statuses.map(({ engineId }) => engineId).sort();

test('no answers arrive where no engine runs', async () => {
  expect(await asker.engines.status(LONG_MS)).toEqual([]);
  expect(await asker.engines.logOut('DESK1', 'bye')).toBe(false);
});

test('every engine reports itself, without waiting for absent ones', async () => {
  await engineWith(first, 'DESK1', 'DESK2');
  await engineWith(second, 'DESK3');
  const statuses = await asker.engines.status(LONG_MS);
  expect(ids(statuses)).toEqual([first.engineId, second.engineId].sort());
  expect(statuses).toContainEqual(statusOf(first, [session('DESK1'), session('DESK2')]));
});

test('the first query of a process is answered', async () => {
  await engineWith(first, 'DESK1');
  for (let i = 0; i < 5; i++) {
    const fresh = await running.another();
    expect(ids(await fresh.engines.status(LONG_MS))).toEqual([first.engineId]);
  }
});

test('an engine queries the others and itself', async () => {
  await engineWith(first, 'DESK1');
  expect(ids(await first.engines.status(LONG_MS))).toEqual([first.engineId]);
});

test('queried about some desks, an engine reports only those', async () => {
  await engineWith(first, 'DESK1', 'DESK2');
  const [status] = await asker.engines.status(LONG_MS, ['DESK2']);
  expect(status?.sessions).toEqual([session('DESK2')]);
});

test('the engine that runs the feed reports the pairs, whichever engine answers first', async () => {
  expect(await asker.engines.pairs(WAIT_MS)).toBeUndefined();
  quiet.push(
    second.engines.answer({
      status: () => statusOf(second, []),
      pairs: () => ({ feed: 'follows', pairs: [] }),
      takes: () => undefined,
      logOut: () => false,
    }),
  );
  await engineWith(first);
  for (let i = 0; i < 5; i++) expect(await asker.engines.pairs(LONG_MS)).toEqual([PAIR]);
});

test('the engine that has the desk logs it out, and no other', async () => {
  const one = await engineWith(first, 'DESK1');
  const other = await engineWith(second, 'DESK3');
  expect(await asker.engines.logOut('DESK3', 'LOGGED_OUT: see you')).toBe(true);
  expect(one).toEqual([]);
  expect(other).toEqual(['DESK3 LOGGED_OUT: see you']);
  expect(await asker.engines.logOut('DESK9', 'bye')).toBe(false);
});

test.each([
  ['DE SK', 'bye'],
  ['DESK1', ''],
  ['DESK1', 'two\u0001fields'],
  ['DESK1', 'x'.repeat(201)],
])('rejects as CompID or as text of a Logout: %j %j', async (compId, text) => {
  await expect(asker.engines.logOut(compId, text)).rejects.toThrow(TypeError);
});

test('what deals have taken is notified to the engine that publishes these levels, and to no other', async () => {
  await engineWith(first);
  const take = { pair: 3, isBid: true, price: 11_000_000, minor: 10_000_000 };
  expect(await asker.engines.takes(10_000, 7, [take])).toBe(41);
  expect(taken).toEqual([take]);
  expect(await asker.engines.takes(100, 8, [take])).toBeUndefined();
  expect(taken).toEqual([take]);
});

test('ignores unreadable queries and answers', async () => {
  await engineWith(first, 'DESK1');
  const redis = redisAt(running.redisUrl);
  const answers = redisAt(running.redisUrl);
  // An attacker answers each query with an unreadable text before any engine can.
  answers.on('message', (_channel, text) => {
    const { id = 'x', from = 'x' } = /^\{/.test(text)
      ? JSON.parse(text)
      : (/"id":"(?<id>[^"]*)".*"from":"(?<from>[^"]*)"/.exec(text)?.groups ?? {});
    for (const said of ['{', '{}', JSON.stringify({ id, status: { engineId: 1 } })]) {
      redis.publish(`engines:answers:${from}`, said).catch(() => {});
    }
  });
  await answers.subscribe('engines:asked');
  for (const said of ['', '{', '[]', '{"ask":"reboot","id":"1","from":"0"}', '\u0000'.repeat(9)]) {
    await redis.publish('engines:asked', said.startsWith('{"') ? said : JSON.stringify({ id: 'x', from: 'x', said }));
  }
  await vi.waitFor(async () => expect(ids(await asker.engines.status(WAIT_MS))).toEqual([first.engineId]), 120_000);
  redis.disconnect();
  answers.disconnect();
});

test('ignores a query above the maximum length without parsing it', async () => {
  const ended = await engineWith(first, 'DESK1');
  const redis = redisAt(running.redisUrl);
  const question = JSON.stringify({ ask: 'logOut', id: '1', from: '0', compId: 'DESK1', text: 'bye' });
  const signer = new MessageSigner(first.subKey('messages'));
  const [seconds] = await redis.time();
  let number = 0;
  const ask = (text: string) =>
    signer.sign('engines:asked', {
      sender: 'asker',
      number: ++number,
      atMs: Number(seconds) * 1_000,
      body: Buffer.from(text),
    });
  await redis.publish('engines:asked', ask(question + ' '.repeat(1024 * 1024)));
  await redis.publish('engines:asked', ask(question.replace('bye', 'short')));
  // Without the key a message logs out no desk.
  await redis.publish('engines:asked', question.replace('bye', 'unsigned'));
  await vi.waitFor(() => expect(ended).toEqual(['DESK1 short']), 120_000);
  redis.disconnect();
});

test('stores nothing', async () => {
  await engineWith(first, 'DESK1');
  await asker.engines.logOut('DESK1', 'bye');
  const redis = redisAt(running.redisUrl);
  expect(await keysOf(redis, '*engines*')).toEqual([]);
  redis.disconnect();
});

test('an engine with more desks than it may report states their number', async () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `DESK${i}`);
  await engineWith(first, ...many);
  const [status] = await asker.engines.status(LONG_MS);
  expect(status).toMatchObject({ desks: 1_200 });
  expect(status?.sessions).toHaveLength(1_000);
});

test('a failed answer is omitted, and the next query is answered', async () => {
  let isFaulty = true;
  quiet.push(
    first.engines.answer({
      status: () => {
        if (isFaulty) throw new RangeError('a fault');
        return statusOf(first, []);
      },
      pairs: () => ({ feed: 'follows', pairs: [] }),
      takes: () => undefined,
      logOut: () => {
        throw new Error('a fault');
      },
    }),
  );
  expect(await asker.engines.status(200)).toEqual([]);
  expect(await asker.engines.logOut('DESK1', 'bye')).toBe(false);
  // One line, not one for each query.
  expect(faults).toEqual([expect.stringMatching(/^A question .*RangeError.*report/)]);
  isFaulty = false;
  await vi.waitFor(async () => expect(await asker.engines.status(200)).toHaveLength(1), 120_000);
});

test('reports an unavailable store', async () => {
  const other = await startTestStore(KIND);
  const away = await other.another();
  await other.store.close();
  // A cluster is not stopped by its user, and continues.
  if (ON_CLUSTER) await away.close();
  await expect(away.engines.status(WAIT_MS)).rejects.toThrow(StoreUnavailable);
  await other.stop();
});

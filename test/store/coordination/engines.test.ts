/** Engines are asked and answer over channels: nothing is kept, and whoever says what cannot be read is passed over. */

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EngineStatus, SessionState } from '../../../engine/domain/engine-status.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { Store } from '../../../engine/store/store.js';
import { keysOf, redisAt } from '../../support/redis-client.js';
import { KIND, ON_CLUSTER, SILENT, startTestStore, type TestStore } from '../../support/store.js';

const WAIT_MS = 1_000;
/** On a cluster nobody knows how many hear, and all of it is waited out. */
const LONG_MS = ON_CLUSTER ? WAIT_MS : 60_000;

let running: TestStore;
let first: Store;
let second: Store;
let asker: Store;
const quiet: (() => void)[] = [];
const faults: string[] = [];
beforeAll(async () => {
  running = await startTestStore({ log: { ...SILENT, error: (text) => void faults.push(text) } });
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
    providers: [{ name: 'test', up: true, ticks: 5, ageMs: 12.5 }],
    desks: sessions.length,
    sessions,
    tickToWire: { count: 1, p50: 1, p90: 2, p99: 2, max: 2 },
  };
}

/** An engine with these desks; what it was told to end. */
async function engineWith(store: Store, ...compIds: string[]): Promise<string[]> {
  const ended: string[] = [];
  quiet.push(
    store.engines.answer({
      status: (wanted) => statusOf(store, compIds.filter((id) => wanted?.includes(id) ?? true).map(session)),
      pairs: () => ({ feed: 'runs', pairs: [PAIR] }),
      logOut: (compId, text) => compIds.includes(compId) && ended.push(`${compId} ${text}`) > 0,
    }),
  );
  await vi.waitFor(async () => expect(ids(await asker.engines.status(WAIT_MS))).toContain(store.engineId), 120_000);
  return ended;
}

const ids = (statuses: readonly EngineStatus[]): string[] => statuses.map(({ engineId }) => engineId).sort();

test('nobody answers where no engine runs', async () => {
  expect(await asker.engines.status(LONG_MS)).toEqual([]);
  expect(await asker.engines.logOut('DESK1', 'bye')).toBe(false);
});

test('every engine tells of itself, without waiting for anybody who is not there', async () => {
  await engineWith(first, 'DESK1', 'DESK2');
  await engineWith(second, 'DESK3');
  const statuses = await asker.engines.status(LONG_MS);
  expect(ids(statuses)).toEqual([first.engineId, second.engineId].sort());
  expect(statuses).toContainEqual(statusOf(first, [session('DESK1'), session('DESK2')]));
});

test('the first question of a process is answered', async () => {
  await engineWith(first, 'DESK1');
  for (let i = 0; i < 5; i++) {
    const fresh = await running.another();
    expect(ids(await fresh.engines.status(WAIT_MS))).toEqual([first.engineId]);
  }
});

test('an engine asks the others and itself', async () => {
  await engineWith(first, 'DESK1');
  expect(ids(await first.engines.status(LONG_MS))).toEqual([first.engineId]);
});

test('asked about some desks, an engine tells of those alone', async () => {
  await engineWith(first, 'DESK1', 'DESK2');
  const [status] = await asker.engines.status(LONG_MS, ['DESK2']);
  expect(status?.sessions).toEqual([session('DESK2')]);
});

test('how the pairs stand is told by the engine that runs the feed, whoever is faster', async () => {
  expect(await asker.engines.pairs(WAIT_MS)).toBeUndefined();
  quiet.push(
    second.engines.answer({
      status: () => statusOf(second, []),
      pairs: () => ({ feed: 'follows', pairs: [] }),
      logOut: () => false,
    }),
  );
  await engineWith(first);
  for (let i = 0; i < 5; i++) expect(await asker.engines.pairs(LONG_MS)).toEqual([PAIR]);
});

test('a logout is done by the engine that has the desk, and by no other', async () => {
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
])('no CompID, or no text for a Logout: %j %j', async (compId, text) => {
  await expect(asker.engines.logOut(compId, text)).rejects.toThrow(TypeError);
});

test('what cannot be read is passed over, asked and answered', async () => {
  await engineWith(first, 'DESK1');
  const redis = redisAt(running.redisUrl);
  const answers = redisAt(running.redisUrl);
  // A stranger who answers each question with what is none, before anybody else can.
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
  expect(ids(await asker.engines.status(WAIT_MS))).toEqual([first.engineId]);
  redis.disconnect();
  answers.disconnect();
});

test('a question longer than any of ours is passed over unread', async () => {
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
  // Who does not have the key logs out no desk.
  await redis.publish('engines:asked', question.replace('bye', 'unsigned'));
  await vi.waitFor(() => expect(ended).toEqual(['DESK1 short']), 120_000);
  redis.disconnect();
});

test('nothing is kept', async () => {
  await engineWith(first, 'DESK1');
  await asker.engines.logOut('DESK1', 'bye');
  const redis = redisAt(running.redisUrl);
  expect(await keysOf(redis, '*engines*')).toEqual([]);
  redis.disconnect();
});

test('an engine with more desks than it may tell of says how many it has', async () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `DESK${i}`);
  await engineWith(first, ...many);
  const [status] = await asker.engines.status(LONG_MS);
  expect(status).toMatchObject({ desks: 1_200 });
  expect(status?.sessions).toHaveLength(1_000);
});

test('a fault while answering is no answer, and the next question is answered', async () => {
  let isFaulty = true;
  quiet.push(
    first.engines.answer({
      status: () => {
        if (isFaulty) throw new RangeError('a fault');
        return statusOf(first, []);
      },
      pairs: () => ({ feed: 'follows', pairs: [] }),
      logOut: () => {
        throw new Error('a fault');
      },
    }),
  );
  expect(await asker.engines.status(200)).toEqual([]);
  expect(await asker.engines.logOut('DESK1', 'bye')).toBe(false);
  // One line, not one for each question.
  expect(faults).toEqual([expect.stringMatching(/^A question .*RangeError.*report/)]);
  isFaulty = false;
  await vi.waitFor(async () => expect(await asker.engines.status(200)).toHaveLength(1), 120_000);
});

test('a store that is away is said to be', async () => {
  const other = await startTestStore(KIND);
  const away = await other.another();
  await other.store.close();
  // A cluster is nobody's own, and goes on.
  if (ON_CLUSTER) await away.close();
  await expect(away.engines.status(WAIT_MS)).rejects.toThrow(StoreUnavailable);
  await other.stop();
});

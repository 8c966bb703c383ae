/** The store crashes, hangs or loses its owner: calls fail fast, the process reconnects by itself, and no acknowledged write is lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, test as anyTest, expect, vi } from 'vitest';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { isAlive, readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { type OpenStoreOptions, openStore, type Store } from '../../../engine/store/store.js';
import { IMPATIENT, KIND, notOnCluster, PATIENT, SILENT, startTestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const test = anyTest.skipIf(
  notOnCluster(
    'test/store/connection/outage.test.ts',
    'it kills and stops the server that the store has started; cluster.test.ts has its like',
  ),
);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function started(options: Partial<OpenStoreOptions> = {}) {
  const running = await startTestStore(options);
  cleanUps.push(() => running.stop());
  return running;
}

/** Appends with several callers until the store rejects, and calls `enough` after that many; returns the acknowledged numbers. */
async function appendUntilRefused(store: Store, desk: string, callers: number, many: number, enough: () => void) {
  const session = store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: desk }, 3);
  await session.open();
  const acknowledged: number[] = [];
  let next = 1;
  const call = async (): Promise<void> => {
    for (;;) {
      const number = next++;
      try {
        await session.append(number, Buffer.from(`message ${number}`));
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailable);
        return;
      }
      if (acknowledged.push(number) === many) enough();
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return acknowledged;
}

async function numbersKept(store: Store, desk: string): Promise<Set<number>> {
  const session = store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: desk }, 3);
  const kept = new Set<number>();
  for (let from = 1; ; ) {
    const page = await session.read(from, Number.MAX_SAFE_INTEGER, 10_000);
    for (const { number } of page) kept.add(number);
    if (page.length < 10_000) return kept;
    from = page[page.length - 1].number + 1;
  }
}

test('a server killed under load is restarted, and holds all that it acknowledged', async () => {
  const { store, dataDir } = await started();
  const changes: boolean[] = [];
  store.onUpChange((up) => changes.push(up));
  const kill = () => process.kill(readStoreFile(dataDir)!.server.pid, 'SIGKILL');
  const acknowledged = await appendUntilRefused(store, 'LOADED', 64, 1_000, kill);
  expect(acknowledged.length).toBeGreaterThanOrEqual(1_000);

  expect(store.isUp()).toBe(false);
  // On the connection that the appends have found broken. Reads have one of their own, whose end may not have arrived yet.
  const setting = store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 5 });
  await expect(setting).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'none' });
  await vi.waitFor(() => expect(store.isUp()).toBe(true), SOON);
  expect(changes).toEqual([false, true]);
  const kept = await numbersKept(store, 'LOADED');
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
});

test('pending writes are written and subscriptions restored after the server has come back', async () => {
  const { store, dataDir } = await started();
  const session = store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: 'WAITING' }, 3);
  await session.open();
  const received: string[] = [];
  const lease = store.lease('feed');
  const holding = (await lease.acquire())!;
  await store.relay.subscribe((message) => received.push(message.toString()));
  process.kill(readStoreFile(dataDir)!.server.pid, 'SIGKILL');
  await vi.waitFor(() => expect(store.isUp()).toBe(false), SOON);
  session.saveNextIn(77);
  void store.relay.publish(holding, Buffer.from('dropped'));
  await vi.waitFor(() => expect(store.isUp()).toBe(true), SOON);
  await vi.waitFor(async () => {
    await store.relay.publish((await lease.acquire())!, Buffer.from('again'));
    expect(received).toContain('again');
  }, SOON);
  expect(received).not.toContain('dropped');
  await session.close();
  expect(await session.open()).toMatchObject({ nextIn: 77 });
});

test('a hanging server counts as down although its connections stay open, and calls to it end', async () => {
  const { store, dataDir } = await started(IMPATIENT);
  const patient = await openStore({ dataDir, log: SILENT, own: 'start-if-absent', ...KIND, ...PATIENT });
  cleanUps.push(() => patient.close());
  const { pid } = readStoreFile(dataDir)!.server;
  process.kill(pid, 'SIGSTOP');
  cleanUps.push(() => process.kill(pid, 'SIGCONT'));
  const waiting = patient.clients.get('alice');
  const setting = store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 5 });
  await expect(setting).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' });
  await vi.waitFor(() => expect(store.isUp()).toBe(false), SOON);
  process.kill(pid, 'SIGCONT');
  await vi.waitFor(() => expect(store.isUp()).toBe(true), SOON);
  expect(await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 6 })).toBe(true);
  expect(await waiting).toBeUndefined();
});

test('a read during an earlier one at a hanging server does not wait for both', async () => {
  const { store, dataDir } = await started(IMPATIENT);
  // Its calls end between those that wait for one of the others, and for two.
  const answerMs = 1.5 * IMPATIENT.answerMs;
  const slower = await openStore({ dataDir, log: SILENT, own: 'start-if-absent', ...KIND, answerMs });
  cleanUps.push(() => slower.close());
  const { pid } = readStoreFile(dataDir)!.server;
  process.kill(pid, 'SIGSTOP');
  cleanUps.push(() => process.kill(pid, 'SIGCONT'));
  const ended: string[] = [];
  const end = (name: string, call: Promise<unknown>) => call.catch(() => {}).then(() => ended.push(name));
  const earlier = end('earlier', store.clients.get('alice'));
  // Sent in a later turn.
  await new Promise((turn) => setImmediate(turn));
  const behind = end('behind', store.clients.get('bob'));
  const later = end('later', slower.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 5 }));
  await Promise.all([earlier, behind, later]);
  expect(ended).toEqual(['earlier', 'behind', 'later']);
});

test('the owner is killed under load: its server ends or is taken over, and holds all acknowledged writes', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const owner = ownerProcess(dataDir);
  const acknowledged = new Set<number>();
  let text = '';
  owner.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await vi.waitFor(() => expect(text.split('\n').length).toBeGreaterThan(100), SOON);
  const { server } = readStoreFile(dataDir)!;
  owner.kill('SIGKILL');
  await new Promise((resolve) => owner.once('close', resolve));
  for (const line of text.split('\n').slice(0, -1)) acknowledged.add(Number(line));

  if (KIND.prefer === 'embedded') await vi.waitFor(() => expect(isAlive(server)).toBe(false), SOON);
  const running = await startTestStore({ dataDir });
  cleanUps.push(() => running.stop());
  expect(isAlive(server)).toBe(false);
  const kept = await numbersKept(running.store, 'OWNED');
  expect([...acknowledged].filter((number) => !kept.has(number))).toEqual([]);
});

test('all users of a store find it at a new address', async () => {
  const running = await startTestStore(KIND);
  const { dataDir } = running;
  const user = await openStore({ dataDir, log: SILENT, own: 'start-if-absent', ...KIND, ...PATIENT });
  cleanUps.push(() => user.close());
  await running.store.close();
  await vi.waitFor(() => expect(user.isUp()).toBe(false), SOON);
  const { port } = readStoreFile(dataDir)!;
  const squatter = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  cleanUps.push(() => squatter.close());
  const again = await startTestStore({ dataDir });
  cleanUps.push(() => again.stop());
  expect(readStoreFile(dataDir)?.port).not.toBe(port);
  await vi.waitFor(() => expect(user.isUp()).toBe(true), SOON);
  expect(await user.clients.list()).toEqual([]);
});

/** A process that owns a store and prints each number that the store has acknowledged. */
function ownerProcess(dataDir: string): ChildProcess {
  const program = fileURLToPath(new URL('owner.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir, JSON.stringify({ ...KIND, ...PATIENT })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  return child;
}

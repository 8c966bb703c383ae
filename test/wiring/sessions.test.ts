/** Two engines on one store, as programs of their own: an operator sees the desks of both, and ends one at either. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDesk } from '../support/desk.js';
import { type Ratewire, ratewireOn } from '../support/ratewire.js';
import { type Launcher, launch, temporaryDirectory } from './launcher.js';

const directory = temporaryDirectory();
const engines: Launcher[] = [];
const desks: TestDesk[] = [];
let ratewire: Ratewire;
let key: Record<'client_key' | 'client_secret', string>;

beforeAll(async () => {
  for (let i = 0; i < 2; i++) {
    engines.push(launch(directory.path, {}, 'engine/main'));
    await engines[i]!.ready;
  }
  ratewire = ratewireOn(directory.path);
  await ratewire.json('clients', 'create', 'acme', '--name', 'Acme');
  key = await ratewire.json<typeof key>('keys', 'issue', 'acme');
  for (const compId of ['ACME1', 'ACME2', 'ACME3']) await ratewire.json('compids', 'assign', compId, 'acme');
  desks.push(await desk(0, 'ACME1'), await desk(1, 'ACME2'));
});
afterAll(async () => {
  for (const open of desks) open.close();
  // The second first: the store is the first one's.
  for (const engine of [...engines].reverse()) {
    engine.process.kill('SIGTERM');
    await engine.ended;
  }
  directory.remove();
});

async function desk(engine: number, compId: string): Promise<TestDesk> {
  const { fix } = await engines[engine]!.ready;
  const made = new TestDesk({
    port: Number(fix!.split(':').at(-1)),
    compId,
    clientKey: key.client_key,
    clientSecret: key.client_secret,
  });
  await made.logon();
  return made;
}

const listed = async () => {
  const rows = await ratewire.json<Record<string, string>[]>('sessions', 'list', '--client', 'acme');
  return rows.map(({ comp_id, state, engine }) => [comp_id, state, engine?.split(':').at(-1)]);
};
const pid = (engine: number) => String(engines[engine]!.process.pid);

test('the list has the desks of both engines, and the one that is away', async () => {
  expect(await listed()).toEqual([
    ['ACME1', 'live', pid(0)],
    ['ACME2', 'live', pid(1)],
    ['ACME3', 'away', undefined],
  ]);
  expect((await ratewire.run('sessions', 'list')).out).toMatch(/│ ACME2 +│ acme +│ live/);
});

test.each([
  [0, 'ACME1'],
  [1, 'ACME2'],
])('a desk of engine %i is logged out', async (engine, compId) => {
  const live = desks[engine]!;
  const done = ratewire.json('sessions', 'logout', compId, '--reason', 'see you at nine');
  expect((await live.next('5')).get(58)).toBe('LOGGED_OUT: see you at nine');
  live.send('5', []);
  await live.untilClosed();
  expect(await done).toEqual({ comp_id: compId, client: 'acme' });
  expect((await listed())[engine]).toEqual([compId, 'away', undefined]);
  expect((await ratewire.run('sessions', 'logout', compId)).err).toMatch(/^WRONG_STATE: /);
});

test('a session is reset while its desk is away, and by logging it out first', async () => {
  desks[0] = await desk(1, 'ACME1');
  expect((await ratewire.run('sessions', 'reset', 'ACME1')).err).toMatch(/^WRONG_STATE: ACME1 is logged on/);
  const done = ratewire.json('sessions', 'reset', 'ACME1', '--logout');
  await desks[0].next('5');
  desks[0].send('5', []);
  expect(await done).toEqual({ comp_id: 'ACME1', client: 'acme', next_out: 1, next_in: 1 });
  expect(await ratewire.json('sessions', 'reset', 'ACME3')).toMatchObject({ next_out: 1, next_in: 1 });
  expect((await ratewire.run('audit')).out).toContain('session ACME1');
});

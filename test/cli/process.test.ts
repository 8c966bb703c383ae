/** The command line as people run it says what it says in one process with its tests, and ends as it ends there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ratewireOn, ratewireProcessOn } from '../support/ratewire.js';
import { startTestStore, type TestStore } from '../support/store.js';

const directory = mkdtempSync(join(tmpdir(), 'ratewire-cli-'));

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
});
afterAll(async () => {
  await opened.stop();
  rmSync(directory, { recursive: true, force: true });
});

test.each<[number, string[], Record<string, string>?]>([
  [0, ['clients', 'list']],
  [0, ['clients', 'list', '--json']],
  [0, ['accounts', 'list', 'acme']],
  [0, ['margins', 'set', 'acme', '*', '0.25', '--as', 'anna']],
  [0, ['journal', 'export']],
  [0, ['reconcile', '--json']],
  [0, ['help']],
  [0, ['--version']],
  [0, ['payments', 'list', '--help']],
  [1, ['clients', 'create', 'acme', '--name', 'Again']],
  [1, ['keys', 'list', 'unknown', '--json']],
  [1, ['journal', 'verify', directory]],
  [1, ['clients', 'list'], { DATA_DIR: '/nowhere/at/all' }],
  [1, ['clients', 'list'], { REDIS_URL: 'redis://127.0.0.1:1' }],
  [2, ['nonsense']],
  [2, ['clients']],
])('%i: %j %j', async (code, args, env = {}) => {
  const here = await ratewireOn(opened.dataDir, env).run(...args);
  const process = await ratewireProcessOn(opened.dataDir, env).run(...args);
  expect(withoutProgress(process)).toEqual(withoutProgress(here));
  expect(here.code).toBe(code);
});

/** On a busy machine a command that takes five seconds says how far it is. */
function withoutProgress({ err, ...ran }: { readonly err: string }) {
  return { ...ran, err: err.replace(/^\d+% .*\n/gm, '') };
}

test('--version prints the version of the package, and needs no store', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  const nowhere = { DATA_DIR: '/nowhere/at/all' };
  expect(await ratewireProcessOn(directory, nowhere).run('--version')).toEqual({
    code: 0,
    out: `${version}\n`,
    err: '',
  });
});

test('one after the other, however they are asked', async () => {
  const { run } = ratewireOn(opened.dataDir);
  const all = await Promise.all([run('clients', 'list', '--json'), run('nonsense'), run('margins', 'list', '--json')]);
  expect(all.map(({ code, out }) => [code, out.slice(0, 1)])).toEqual([
    [0, '['],
    [2, ''],
    [0, '['],
  ]);
  expect(process.exitCode).toBeUndefined();
});

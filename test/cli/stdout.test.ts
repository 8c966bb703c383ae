/** What an export prints goes where it cannot be written, or where nobody reads on. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../support/store.js';

const RATEWIRE = fileURLToPath(new URL('../../engine/cli/ratewire.mjs', import.meta.url));
/** Every write there fails. */
const FULL = '/dev/full';
const isMissing = !existsSync(FULL);
if (isMissing) console.log(`no ${FULL} here: an export to a full disk is not tried`);

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
});
afterAll(() => opened.stop());

async function exported(stdout: number | 'pipe'): Promise<{ code: number | null; err: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: opened.dataDir };
  const args = [RATEWIRE, 'journal', 'export', '--format', 'csv'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', stdout, 'pipe'] });
  child.stdout?.destroy();
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

test.skipIf(isMissing)('an export to a disk that is full is no export', async () => {
  const full = openSync(FULL, 'w');
  expect(await exported(full)).toEqual({ code: 1, err: 'stdout cannot be written: ENOSPC\n' });
  closeSync(full);
});

test('who reads an export may have enough of it', async () => {
  expect(await exported('pipe')).toEqual({ code: 0, err: '' });
});

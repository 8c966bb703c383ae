/** Standard output that cannot be written, or whose reader has closed it. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAN_ENV } from '../support/clean-env.js';
import { startTestStore, type TestStore } from '../support/store.js';

const RATEWIRE = fileURLToPath(new URL('../../engine/cli/ratewire.mjs', import.meta.url));
/** Every write there fails. */
const FULL = '/dev/full';
const isMissing = !existsSync(FULL);
if (isMissing) console.log(`no ${FULL} here: a full disk is not tried`);

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
});
afterAll(() => opened.stop());

async function printed(stdout: number | 'pipe', args: string[]): Promise<{ code: number | null; err: string }> {
  const env = { ...CLEAN_ENV, DATA_DIR: opened.dataDir };
  const child = spawn(process.execPath, [RATEWIRE, ...args], { env, stdio: ['ignore', stdout, 'pipe'] });
  child.stdout?.destroy();
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

const COMMANDS = [
  ['journal', 'export', '--format', 'csv'],
  ['pairs', 'list'],
  ['clients', 'list', '--json'],
  ['--help'],
];

test.skipIf(isMissing).each(COMMANDS)('to a disk that is full: %s %s %s', async (...args) => {
  const full = openSync(FULL, 'w');
  expect(await printed(full, args.filter(Boolean))).toEqual({ code: 1, err: 'stdout cannot be written: ENOSPC\n' });
  closeSync(full);
});

test.each(COMMANDS)('ends without an error when the reader closes the pipe: %s %s %s', async (...args) => {
  expect(await printed('pipe', args.filter(Boolean))).toEqual({ code: 0, err: '' });
});

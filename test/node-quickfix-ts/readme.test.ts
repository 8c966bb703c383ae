/** The README's two examples, run unchanged: the initiator sends an order, the acceptor answers it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(path.join(root, 'engine/node-quickfix-ts/README.md'), 'utf8');
const [acceptor = '', initiator = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);

// Where `node-quickfix-ts` resolves as in an installation.
const folder = mkdtempSync(path.join(root, 'node_modules', '.readme-'));
const running: ChildProcess[] = [];
let port = 0;
beforeAll(async () => {
  port = await freePort();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function run(name: string, code: string): () => string {
  const file = path.join(folder, `${name}.mjs`);
  const dictionary = path.join(root, 'fix-config', 'FIX44-ratewire.xml');
  writeFileSync(file, code.replace('5200', String(port)).replace('FIX44.xml', dictionary));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return () => said;
}

test('each is ten lines', () => {
  expect([acceptor, initiator].map((code) => code.trim().split('\n').length)).toEqual([10, 10]);
});

test('they talk to each other', async () => {
  const server = run('acceptor', acceptor);
  const client = run('initiator', initiator);
  await expect.poll(client, { timeout: 120_000 }).toMatch(/\|35=j\|.*\|58=unknown symbol EUR\/USD\|/);
  expect(server()).toBe('up DESK1\n');
  running[1]!.kill('SIGKILL');
  await expect.poll(server, { timeout: 120_000 }).toBe('up DESK1\ndown DESK1 disconnected\n');
});

/**
 * The README's examples: acceptor and initiator are run unchanged, the initiator sends an order and the acceptor answers it; typed messages are
 * compiled. Its tables have every option.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PROFILE } from 'node-quickfix-ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../engine/node-quickfix-ts/src/generate/generate.js';
import { freePort } from '../support/free-port.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(path.join(root, 'engine/node-quickfix-ts/README.md'), 'utf8');
const [acceptor = '', initiator = '', cfg = '', listening = '', hooks = '', typed = ''] = [
  ...readme.matchAll(/```ts\n(.*?)```/gs),
].map(([, code]) => code!);

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
  expect(server()).toBe('up CLIENT1\n');
  running[1]!.kill('SIGKILL');
  await expect.poll(server, { timeout: 120_000 }).toBe('up CLIENT1\ndown CLIENT1 disconnected\n');
});

test('the examples of settings, hooks and typed messages compile', () => {
  const dictionaries = [path.join(root, 'fix-config', 'FIX44-ratewire.xml')];
  generate({ dictionaries, out: path.join(folder, 'fix44'), messages: ['D', '8'] });
  writeFileSync(path.join(folder, 'cfg.ts'), cfg);
  writeFileSync(path.join(folder, 'listening.ts'), listening);
  writeFileSync(path.join(folder, 'hooks.ts'), hooks);
  writeFileSync(path.join(folder, 'typed.ts'), typed);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { target: 'es2023', module: 'nodenext', ...strict, types: ['node'], noEmit: true };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['cfg.ts', 'listening.ts', 'hooks.ts', 'typed.ts'] }),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
});

test('the tables have every option and every setting of a profile', () => {
  const [, settings = ''] = /\n## Settings\n(.*?)\n## /s.exec(readme) ?? [];
  const named = [...settings.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  const optionsOf = (file: string, name: string): string[] => {
    const text = readFileSync(path.join(root, 'engine/node-quickfix-ts/src', file), 'utf8');
    const [, body = ''] = new RegExp(`export interface ${name} [^{]*\\{\n(.*?)\n\\}`, 's').exec(text) ?? [];
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(([, option]) => option!);
  };
  const options = [
    ...optionsOf('transport/acceptor.ts', 'AcceptorOptions'),
    ...optionsOf('transport/initiator.ts', 'InitiatorOptions'),
    ...optionsOf('session/protocol.ts', 'VersionOptions'),
    ...optionsOf('types.ts', 'SessionProfile'),
    ...optionsOf('dictionary/validate.ts', 'ValidationOptions'),
    ...Object.keys(DEFAULT_PROFILE),
  ];
  expect(options.length).toBeGreaterThan(50);
  expect([...new Set(options)].filter((option) => !named.includes(option))).toEqual([]);
  expect(named.filter((name) => !options.includes(name))).toEqual([]);
});

/** The examples of the package, compiled against it and run against each other over TCP. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { generate } from '../../engine/node-quickfix-ts/src/generate/generate.js';
import { freePort } from '../support/free-port.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = path.join(root, 'engine/node-quickfix-ts/examples');
const programs = readdirSync(examples).filter((file) => file.endsWith('.ts'));

// Where `node-quickfix-ts` resolves as in an installation, and the compiler takes imported files for its own.
mkdirSync(path.join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(path.join(root, 'dist', '.examples-'));
const dictionary = path.join(folder, 'FIX44.xml');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  cpSync(examples, folder, { recursive: true });
  writeFileSync(dictionary, gunzipSync(readFileSync(path.join(root, 'test/data/fix/FIX44.xml.gz'))));
  // As the README of the examples says.
  const [, messages = ''] = /--messages (\S+)/.exec(readFileSync(path.join(examples, 'README.md'), 'utf8')) ?? [];
  generate({ dictionaries: [dictionary], out: path.join(folder, 'fix44'), messages: messages.split(',') });
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    types: ['node'],
    outDir: 'compiled',
    rootDir: '.',
  };
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: programs }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
});

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Running {
  readonly said: () => string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

function run(program: string, ...args: string[]): Running {
  const file = path.join(folder, 'compiled', `${program}.js`);
  const child = spawn(process.execPath, [file, dictionary, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  void ended.then(() => running.delete(child));
  return { said: () => said, child, ended };
}

test('the README has each of them', () => {
  const linked = [...readFileSync(path.join(examples, 'README.md'), 'utf8').matchAll(/\]\(([\w-]+\.ts)\)/g)];
  expect(linked.map(([, file]) => file).sort()).toEqual(programs);
  expect(programs.length).toBe(5);
});

test.each(programs.map((file) => file.slice(0, -3)))(
  '%s --help lists its options, and starts nothing',
  async (program) => {
    const { said, ended } = run(program, '--help');
    expect(await ended).toBe(0);
    const source = readFileSync(path.join(examples, `${program}.ts`), 'utf8');
    for (const [, option, value] of source.matchAll(/^ {4}(\w+): \{ type: 'string', default: '(.*?)' \}/gm))
      expect(said()).toContain(`[--${option} ${value}`);
    expect(
      said()
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual([expect.stringContaining(`npx tsx ${program}.ts [FIX44.xml]`)]);
  },
);

test('acceptor, order entry, market data and drop copy work together, across a restart of each', async () => {
  const port = ['--port', String(await freePort())];
  const store = ['--store', path.join(folder, 'venue')];
  const copies = ['--store', path.join(folder, 'copies')];
  const venue = run('acceptor', ...port, ...store);
  await expect.poll(venue.said).toContain('VENUE listens on port');

  const prices = run('market-data-client', ...port, '--count', '3');
  expect(await prices.ended).toBe(0);
  expect(prices.said()).toMatch(/^(EUR\/USD 1\.\d{5} \/ 1\.\d{5}\n){3}logged out: /);

  // A fill before the copies are read, one while they are, and one after their reader was killed.
  const first = run('order-entry-client', ...port, '--price', '1.08010');
  expect(await first.ended).toBe(0);
  expect(first.said()).toMatch(/^order-\d+: status 2, filled 250000 at 1\.08010\nlogged out: /);

  const drop = run('drop-copy', ...port, ...copies);
  await expect.poll(drop.said).toBe('logged on\nE1 buy 250000 EUR/USD at 1.08010\n');
  expect(await run('order-entry-client', ...port, '--side', 'sell', '--price', '1.08020').ended).toBe(0);
  await expect.poll(drop.said).toContain('E2 sell 250000 EUR/USD at 1.08020\n');
  drop.child.kill('SIGKILL');
  await expect.poll(venue.said).toContain('DROP1 logged out');
  expect(await run('order-entry-client', ...port, '--price', '1.08030').ended).toBe(0);
  const again = run('drop-copy', ...port, ...copies);
  await expect.poll(again.said).toContain('E3 buy 250000 EUR/USD at 1.08030\n');

  // The venue continues its numbers after a restart: the copies session logs on without a reset.
  venue.child.kill('SIGTERM');
  expect(await venue.ended).toBe(0);
  const restarted = run('acceptor', ...port, ...store);
  await expect.poll(again.said).toMatch(/logged out: [^\n]*\nlogged on\n/);
  expect(restarted.said()).toContain('DROP1 logged on');
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
});

test('the acceptor lets no stranger in', async () => {
  const port = ['--port', String(await freePort())];
  const venue = run('acceptor', ...port, '--store', path.join(folder, 'strangers'));
  await expect.poll(venue.said).toContain('VENUE listens on port');
  const stranger = run('order-entry-client', ...port, '--password', 'guess');
  await expect.poll(stranger.said).toContain('logged out: ');
  stranger.child.kill('SIGKILL');
  expect(venue.said()).not.toContain('CLIENT1');
});

test('the dynamic acceptor gives each CompID with the password a session', async () => {
  const port = ['--port', String(await freePort())];
  const store = path.join(folder, 'dynamic');
  const venue = run('dynamic-acceptor', ...port, '--store', store);
  await expect.poll(venue.said).toContain('any CompID may log on');
  const clients = ['ANY1', 'ANY2'].map((sender) => run('order-entry-client', ...port, '--sender', sender));
  for (const client of clients) await expect.poll(client.said).toMatch(/^order-\d+: status 0, filled 0 at 0\n/);
  const wrong = run('order-entry-client', ...port, '--sender', 'ANY3', '--password', 'guess');
  await expect.poll(wrong.said).toContain('logged out: logon refused: wrong password');
  expect(readdirSync(store).filter((name) => name.includes('ANY')).length).toBe(2);
});

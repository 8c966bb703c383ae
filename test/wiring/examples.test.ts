/** The examples for integrators, unchanged, against the programs that `npm start` runs. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAN_ENV } from '../support/clean-env.js';
import { type Launcher, launch, temporaryDirectory } from './launcher.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts as Record<string, string>;
/** Everything is built here already. */
const [example, trade] = [scripts.example!, scripts.trade!].map((script) => script.split(' && exec ')[1]!) as [
  string,
  string,
];
const hasCurl = ['curl', 'bash'].every((program) => spawnSync(program, ['--version']).status === 0);

const directory = temporaryDirectory();
let launcher: Launcher;
beforeAll(async () => {
  launcher = launch(directory.path);
  await launcher.ready;
});
afterAll(async () => {
  launcher.process.kill('SIGINT');
  await launcher.ended;
  directory.remove();
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(command: string): Promise<Ran> {
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    cwd: root,
    env: { ...CLEAN_ENV, HOME: directory.path, DATA_DIR: directory.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

const PAYMENT_ID = /^PAY[0-9A-HJKMNP-TV-Z]{17}$/m;

async function pays(command: string): Promise<string> {
  const { code, out, err } = await run(command);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(PAYMENT_ID);
  expect(out.trimEnd().split('\n').at(-1)).toBe('PAID');
  // Late prices are no fault of what pays.
  const warned = launcher
    .stderr()
    .split('\n')
    .filter((line) => !line.includes('"msg":"relay delayed'));
  expect(warned).toEqual(['']);
  return PAYMENT_ID.exec(out)![0];
}

test('examples/pay.ts, as `npm run example` runs it, pays; and once more with a payment of its own', {
  timeout: 120_000,
}, async () => {
  expect(example).toBe('node --import tsx examples/pay.ts');
  expect(await pays(example)).not.toBe(await pays(example));
});

if (hasCurl)
  test('examples/pay.sh pays with curl; and once more with a payment of its own', { timeout: 120_000 }, async () => {
    expect(await pays('examples/pay.sh')).not.toBe(await pays('examples/pay.sh'));
  });
else
  test('examples/pay.sh was not run: there is no curl on this machine, or no bash', () => expect(hasCurl).toBe(false));

test('examples/trade.ts deals, also where the desk first gets the copy of a conversion over REST', async () => {
  expect(trade).toBe('node --import tsx examples/trade.ts');
  const { code, out, err } = await run(trade);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^held {4}HLD\S+ at \S+ until .*\nbooked {2}BFX\S+: bought 250000\.00 EUR for \S+ USD$/m);
});

test('after that journal, balances and lists agree', async () => {
  const { code, out } = await run('node engine/cli/ratewire.mjs reconcile');
  expect([code, out]).toEqual([0, expect.stringMatching(/agree/)]);
});

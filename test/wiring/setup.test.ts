import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLEAN_ENV } from '../support/clean-env.js';
import { isAlive, temporaryDirectory } from './launcher.js';

const SETUP = fileURLToPath(new URL('../../engine/setup.mjs', import.meta.url));

let clone: ReturnType<typeof temporaryDirectory>;
const at = (path: string) => join(clone.path, path);

function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

// A clone as git leaves it, with an npm and a compiler that note that they ran and make what the real ones make.
beforeEach(() => {
  clone = temporaryDirectory();
  put('package.json', '{"type":"module"}');
  put('package-lock.json', '{"packages":{}}');
  put('tsconfig.json', '{}');
  put('engine/wiring/start.ts', 'first');
  put('engine/store/ledger/step.lua', 'return 1');
  copyFileSync(SETUP, at('engine/setup.mjs'));
  const compiler = [
    "import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';",
    "appendFileSync('ran', 'tsc ');",
    "for (const file of ['dist/engine/wiring/start', 'engine/node-quickfix-ts/dist/index', 'rest/live/dist/index', 'rest/client/dist/index']) {",
    "  mkdirSync(file.replace(/\\/\\w+$/, ''), { recursive: true });",
    "  writeFileSync(file + '.js', '');",
    '}',
  ];
  const npm = [
    "import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';",
    "appendFileSync('ran', 'npm ' + process.argv[2] + ' ');",
    "writeFileSync('npm-options', process.argv.slice(3).join(' '));",
    "if (existsSync('offline')) process.exit(1);",
    "const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));",
    "for (const folder of ['node_modules/typescript/bin', ...Object.keys(packages)]) mkdirSync(folder, { recursive: true });",
    "copyFileSync('package-lock.json', 'node_modules/.package-lock.json');",
    `writeFileSync('node_modules/typescript/bin/tsc', ${JSON.stringify(compiler.join('\n'))});`,
  ];
  put('npm.js', npm.join('\n'));
});
afterEach(() => clone.remove());

/** Runs the set-up; what it printed, and which tools it ran. */
function setUp(
  env: Record<string, string> = {},
  ...args: string[]
): { code: number | null; printed: string; ran: string } {
  writeFileSync(at('ran'), '');
  const { status, stdout, stderr } = spawnSync(process.execPath, [at('engine/setup.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...CLEAN_ENV, npm_execpath: at('npm.js'), ...env },
  });
  expect(stdout).toBe('');
  return { code: status, printed: stderr, ran: readFileSync(at('ran'), 'utf8').trim() };
}

test('installs and builds a fresh clone once, and prints nothing after that', () => {
  expect(setUp()).toMatchObject({ code: 0, ran: 'npm ci tsc' });
  expect(existsSync(at('dist/engine/wiring/start.js'))).toBe(true);
  expect(readFileSync(at('dist/engine/store/ledger/step.lua'), 'utf8')).toBe('return 1');
  for (let again = 0; again < 2; again++) expect(setUp()).toEqual({ code: 0, printed: '', ran: '' });
});

test('installs alone, so that what is generated can be written before the compiler needs it', () => {
  expect(setUp({}, 'install')).toMatchObject({ code: 0, ran: 'npm ci' });
  expect(setUp({}, 'install')).toEqual({ code: 0, printed: '', ran: '' });
  expect(setUp()).toMatchObject({ code: 0, ran: 'tsc' });
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const steps = scripts.docs.split(' && ');
  expect(steps.slice(0, 3)).toEqual([
    'node engine/setup.mjs install',
    'node --import tsx docs/write-fix-tags.ts',
    'node engine/setup.mjs',
  ]);
});

test('several at once install and build once, also behind one that was killed', async () => {
  writeFileSync(at('ran'), '');
  writeFileSync(at('.setup-running'), '999999999');
  const env = { ...CLEAN_ENV, npm_execpath: at('npm.js') };
  const runs = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [at('engine/setup.mjs')], { env, stdio: 'ignore' }),
  );
  const codes = await Promise.all(runs.map((run) => new Promise((resolve) => run.once('exit', resolve))));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readFileSync(at('ran'), 'utf8')).toBe('npm ci tsc ');
  expect(existsSync(at('.setup-running'))).toBe(false);
});

test('continues behind one that was killed, whichever process has its id now', () => {
  const now = Date.now() / 1_000;
  const left = ['', String(process.pid)].map((text) => () => {
    writeFileSync(at('.setup-running'), text);
    utimesSync(at('.setup-running'), now - 60, now - 60);
  });
  for (const leave of left) {
    leave();
    appendFileSync(at('engine/wiring/start.ts'), ' changed');
    expect(setUp()).toMatchObject({ code: 0, ran: expect.stringMatching(/tsc$/) });
  }
  // The id of the set-up itself, as in a container that is started again.
  appendFileSync(at('engine/wiring/start.ts'), ' changed');
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'echo $$ | tr -d "\\n" > .setup-running; exec "$0" engine/setup.mjs', process.execPath],
    {
      cwd: clone.path,
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('says that it waits for one that runs, and continues when that has ended', async () => {
  setUp();
  appendFileSync(at('engine/wiring/start.ts'), ' changed');
  writeFileSync(at('.setup-running'), String(process.pid));
  const touch = (): void => utimesSync(at('.setup-running'), new Date(), new Date());
  touch();
  const touching = setInterval(touch, 1_000);
  const setup = spawn(process.execPath, [at('engine/setup.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  setup.stderr.on('data', (text) => (printed += text));
  expect(await soon(() => printed)).toMatch(
    /^Waiting for the set-up that runs already \(.*\.setup-running\) \.\.\.\n$/,
  );
  expect(setup.exitCode).toBe(null);
  clearInterval(touching);
  rmSync(at('.setup-running'));
  expect(await new Promise((resolve) => setup.once('exit', resolve))).toBe(0);
  expect(existsSync(at('.setup-running'))).toBe(false);
});

test('a program that it was imported by, such as npm start, holds up no other', async () => {
  setUp();
  appendFileSync(at('engine/wiring/start.ts'), ' changed');
  const program = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "await import('./engine/setup.mjs'); console.log('up'); setInterval(() => {}, 1_000);",
    ],
    { cwd: clone.path, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    let printed = '';
    program.stdout.on('data', (text) => (printed += text));
    expect(await soon(() => printed)).toBe('up\n');
    expect(existsSync(at('.setup-running'))).toBe(false);
    expect(program.exitCode).toBe(null);
  } finally {
    program.kill('SIGKILL');
  }
});

test('repeats only the step whose input has changed', () => {
  setUp();
  appendFileSync(at('engine/wiring/start.ts'), ' changed');
  expect(setUp()).toMatchObject({ code: 0, ran: 'tsc' });
  put('engine/domain/new.ts', 'new');
  expect(setUp()).toMatchObject({ code: 0, ran: 'tsc' });
  put('engine/store/ledger/step.lua', 'return 2');
  expect(setUp()).toMatchObject({ code: 0, ran: 'tsc' });
  expect(readFileSync(at('dist/engine/store/ledger/step.lua'), 'utf8')).toBe('return 2');
  put('package-lock.json', '{"packages":{"node_modules/express":{"version":"1.0.0"}}}');
  expect(setUp()).toMatchObject({ code: 0, ran: 'npm ci' });
  expect(setUp()).toEqual({ code: 0, printed: '', ran: '' });
});

test('does not reinstall packages that npm ci has installed', () => {
  put('package-lock.json', '{"packages":{"node_modules/express":{"version":"5.3.0","integrity":"sha512-x"}}}');
  setUp();
  put(
    'node_modules/.package-lock.json',
    '{"packages":{"node_modules/express":{"version":"5.3.0","integrity":"sha512-x"}}}',
  );
  expect(setUp()).toMatchObject({ code: 0, ran: '' });
});

test('a failed step prints the remedy in one line', () => {
  put('offline', '');
  const { code, printed } = setUp();
  expect(code).toBe(1);
  expect(printed.trim().split('\n').at(-1)).toMatch(/^Installing the packages failed: .*run `npm ci` to see why\.$/);
});

test('installs the compiler with any NODE_ENV, and gives npm a cache where there is no home', () => {
  setUp({ NODE_ENV: 'production', HOME: clone.path });
  expect(readFileSync(at('npm-options'), 'utf8')).toMatch(/^--include=dev (?!.*--cache)/);
  put('package-lock.json', '{"packages":{"node_modules/express":{"version":"1.0.0"}}}');
  put('a-file', '');
  expect(setUp({ HOME: at('a-file') })).toMatchObject({ code: 0, ran: 'npm ci' });
  const [, cache] = /--cache (\S+)$/.exec(readFileSync(at('npm-options'), 'utf8')) ?? [];
  expect(existsSync(cache!)).toBe(false);
});

test('a signal during a step ends all processes of the step', async () => {
  const npm = [
    "import { spawn } from 'node:child_process';",
    "import { renameSync, writeFileSync } from 'node:fs';",
    "const script = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);",
    "process.on('SIGTERM', () => {});",
    "writeFileSync('pids.new', process.pid + ' ' + script.pid);",
    "renameSync('pids.new', 'pids');",
    'setTimeout(() => {}, 60000);',
  ];
  put('npm.js', npm.join('\n'));
  const env = { ...CLEAN_ENV, npm_execpath: at('npm.js') };
  const setup = spawn(process.execPath, [at('engine/setup.mjs')], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => setup.once('exit', resolve));
  const pids = await soon(() => existsSync(at('pids')) && readFileSync(at('pids'), 'utf8'));
  setup.kill('SIGTERM');
  expect(await ended).toBe(130);
  expect(await soon(() => !pids.split(' ').some((pid) => isAlive(Number(pid))) && 'gone')).toBe('gone');
});

async function soon(look: () => string | false): Promise<string> {
  for (let tries = 0; tries < 2_400; tries++) {
    const seen = look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return 'not seen';
}

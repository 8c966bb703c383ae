// Makes a fresh clone runnable with Node alone: `npm ci` when node_modules is not what package-lock.json asks for, `tsc -b` when a
// source has changed. Plain JavaScript without dependencies, because it runs before there are any.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (...parts) => join(fileURLToPath(new URL('..', import.meta.url)), ...parts);
const packagesIn = (file) => JSON.parse(readFileSync(at(file), 'utf8')).packages;

const BUILT = ['dist/engine/wiring/start.js', 'engine/node-quickfix-ts/dist/index.js', 'rest/live/dist/index.js'];
const BUILT_FROM = 'dist/.ratewire-built';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 10))
  fail(
    `Node ${process.versions.node} is too old: install Node 20.10 or later (https://nodejs.org) and run the same command again.`,
  );
if (!isInstalled()) await install();
const sources = sourcesOnDisk();
if (!isBuilt(sources)) await build(sources);

/** npm notes in node_modules what it has installed; a folder that was deleted by hand is noticed too. */
function isInstalled() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false;
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(([path, wanted]) => {
    const got = installed[path];
    if (!path.startsWith('node_modules/') || (wanted.optional && !got)) return true;
    return ['version', 'integrity', 'link'].every((of) => got?.[of] === wanted[of]) && existsSync(at(path));
  });
}

async function install() {
  process.stderr.write('Installing the packages of package-lock.json (once) ...\n');
  const npm = process.env.npm_execpath;
  const cache = temporaryCache();
  // NODE_ENV=production would leave the compiler out. No install script is needed, and some only report the installation.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run([...(npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']), 'ci', ...options, ...cache], {
    failed:
      'Installing the packages failed: check the network (or the npm registry setting) and run `npm ci` to see why.',
    missing: 'npm was not found: it comes with Node (https://nodejs.org); install it and run the same command again.',
  });
  if (cache.length > 0) rmSync(cache[1], { recursive: true, force: true });
}

/** npm needs a cache; a user without a writable home, as in many a CI, gets one for this installation. */
function temporaryCache() {
  try {
    const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return [];
  } catch {
    return ['--cache', mkdtempSync(join(tmpdir(), 'ratewire-npm-'))];
  }
}

/** Every source with its time and size: `tsc -b` finds out the same, but takes longer than the start. */
function sourcesOnDisk() {
  const files = ['engine', 'rest'].flatMap((folder) =>
    existsSync(at(folder)) ? readdirSync(at(folder), { recursive: true }).map((path) => join(folder, path)) : [],
  );
  const isSource = (path) => /(\.ts|tsconfig\.json)$/.test(path) && !/[\\/](dist|node_modules)[\\/]/.test(path);
  return ['tsconfig.json', ...files.filter(isSource).sort()]
    .map((path) => `${path} ${statSync(at(path)).mtimeMs} ${statSync(at(path)).size}\n`)
    .join('');
}

function isBuilt(sources) {
  const there = [...BUILT, BUILT_FROM].every((file) => existsSync(at(file)));
  return there && readFileSync(at(BUILT_FROM), 'utf8') === sources;
}

async function build(sources) {
  if (!existsSync(at('dist'))) process.stderr.write('Compiling (once) ...\n');
  await run([process.execPath, at('node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    failed:
      'Compiling failed: the errors are printed above; return to a released revision, or correct them, and run the same command again.',
    missing: 'The compiler is missing: run `npm ci` and then the same command again.',
  });
  writeFileSync(at(BUILT_FROM), sources);
}

/** The output of the step goes to stderr: the first line on stdout is the one that says `ready`. */
async function run([command, ...args], { failed, missing }) {
  // A process group of its own, ended as a whole at a signal: a step that continues would spoil the next start.
  const step = spawn(command, args, { cwd: at(), stdio: ['ignore', 2, 2], detached: true });
  const stop = () => {
    try {
      process.kill(-step.pid, 'SIGKILL');
    } catch {
      // It has ended, or has never started.
    }
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const { error, status } = await new Promise((resolve) => {
    step.once('error', (error) => resolve({ error }));
    step.once('exit', (status) => resolve({ status }));
  });
  for (const signal of signals) process.off(signal, stop);
  if (error) fail(error.code === 'ENOENT' ? missing : `${failed} (${error.code})`);
  if (status !== 0) fail(failed);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

// Makes a fresh clone runnable with nothing but Node: installs the locked packages and compiles, each only when something
// changed since the last time. Plain JavaScript without a dependency, because it runs before there is one.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

// What must be there afterwards, whatever the stamps say: a folder deleted by hand is noticed.
const INSTALLED = ['node_modules/typescript/bin/tsc', 'node_modules/node-quickfix-ts', 'node_modules/ratewire-live'];
const BUILT = ['dist/engine/wiring/start.js', 'engine/node-quickfix-ts/dist/index.js', 'rest/live/dist/index.js'];

checkNode();
await oncePer('node_modules/.ratewire-installed', lockedPackages(), INSTALLED, install);
await oncePer('dist/.ratewire-built', sourcesOnDisk(), BUILT, build);

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 10)) return;
  refuse(
    `Node ${process.versions.node} is too old: install Node 20.10 or later (https://nodejs.org) and run the same command again.`,
  );
}

/** Runs `step` unless the stamp says that it has been done for this very input; silent when there is nothing to do. */
async function oncePer(stamp, input, results, step) {
  const there = results.every((file) => existsSync(at(file)));
  if (there && existsSync(at(stamp)) && readFileSync(at(stamp), 'utf8') === input) return;
  await step();
  mkdirSync(dirname(at(stamp)), { recursive: true });
  writeFileSync(at(stamp), input);
}

function lockedPackages() {
  return sha256(readFileSync(at('package-lock.json')));
}

async function install() {
  if (installedByHand()) return;
  process.stderr.write('Installing the packages of package-lock.json (once) ...\n');
  const npm = process.env.npm_execpath;
  const command = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const cache = cacheForOnce();
  // NODE_ENV=production would leave the compiler out.
  const options = [
    '--include=dev',
    // None is needed, and some only report who installs them.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(cache ? ['--cache', cache] : []),
  ];
  await run([...command, 'ci', ...options], {
    failed:
      'Installing the packages failed: check the network (or the npm registry setting) and run `npm ci` to see why.',
    missing: 'npm was not found: it comes with Node (https://nodejs.org); install it and run the same command again.',
  });
  if (cache) rmSync(cache, { recursive: true, force: true });
}

/** A user without a writable home, as many a CI has, gets a cache for this once: npm cannot do without one. */
function cacheForOnce() {
  try {
    const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return undefined;
  } catch {
    return mkdtempSync(join(tmpdir(), 'ratewire-npm-'));
  }
}

/** `npm ci` was run by a person: what npm noted down in node_modules is what the lock file asks for. */
function installedByHand() {
  const noted = at('node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') || (wanted.optional && !installed[path])) return true;
    const got = installed[path];
    return (
      got !== undefined &&
      got.version === wanted.version &&
      got.integrity === wanted.integrity &&
      got.link === wanted.link
    );
  });
}

async function build() {
  if (!existsSync(at('dist'))) process.stderr.write('Compiling (once) ...\n');
  await run([process.execPath, at('node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    failed:
      'Compiling failed: the errors stand above; go back to a released revision, or mend them, and run the same command again.',
    missing: 'The compiler is not there: run `npm ci` and then the same command again.',
  });
}

function sourcesOnDisk() {
  const files = ['tsconfig.json'];
  for (const folder of ['engine', 'rest']) if (existsSync(at(folder))) list(folder, files);
  const seen = files.sort().map((file) => {
    const { mtimeMs, size } = statSync(at(file));
    return `${file} ${mtimeMs} ${size}`;
  });
  return sha256(seen.join('\n'));
}

function list(folder, into) {
  for (const entry of readdirSync(at(folder), { withFileTypes: true })) {
    if (entry.name === 'dist' || entry.name === 'node_modules') continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) list(path, into);
    else if (/\.ts$|tsconfig\.json$/.test(entry.name)) into.push(path);
  }
}

/** What the step prints goes to stderr, so that the first line on stdout is the one that says `ready`. */
async function run([command, ...args], { failed, missing }) {
  // A group of its own, ended as a whole when we are told to stop: half an installation is done again by the next start, but
  // one that goes on behind the back of the next start spoils it.
  const step = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], detached: true });
  const stop = () => {
    killGroup(step.pid);
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const { error, status } = await new Promise((resolve) => {
    step.once('error', (fault) => resolve({ error: fault }));
    step.once('exit', (code) => resolve({ status: code }));
  });
  for (const signal of signals) process.off(signal, stop);
  if (error) refuse(error.code === 'ENOENT' ? missing : `${failed} (${error.code})`);
  if (status !== 0) refuse(failed);
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended, or never began.
  }
}

function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

// Makes a fresh clone runnable with Node alone: `npm ci` when node_modules differs from package-lock.json, `tsc -b` when a source has
// changed. It decides whether they run, which they cannot: each takes longer than the start. Plain JavaScript without dependencies,
// because it runs before there are any.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (...parts) => join(fileURLToPath(new URL('..', import.meta.url)), ...parts);
const packagesIn = (file) => JSON.parse(fs.readFileSync(at(file), 'utf8')).packages;

/** Node reads the files below as CommonJS where this one says so; the compiler does not write it. */
const COMMONJS = 'engine/node-quickfix-ts/dist/cjs/package.json';
const BUILT = [
  'dist/engine/wiring/start.js',
  'engine/node-quickfix-ts/dist/index.js',
  COMMONJS,
  'rest/live/dist/index.js',
  'rest/client/dist/index.js',
];
const BUILT_FROM = 'dist/.ratewire-built';
/** There while a set-up installs or builds, with its process id; touched each second. */
const RUNNING = at('.setup-running');
const TOUCH_MS = 1_000;
/** A set-up that has not touched it for so long has ended, whatever process has its id now: in a container ids are used again at once. */
const ENDED_MS = 15_000;
/** How long a set-up waits for another one, ms; an installation over a slow network takes minutes. */
const WAIT_MS = 600_000;
let touching;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 10))
  fail(
    `Node ${process.versions.node} is too old: install Node 20.10 or later (https://nodejs.org) and run the same command again.`,
  );
// `node engine/setup.mjs install` does not compile: `npm run docs` writes what the compiler needs in between.
const compiles = !(process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'install');
if (!isInstalled() || (compiles && !isBuilt(sourcesOnDisk()))) {
  await begin();
  if (!isInstalled()) await install();
  const sources = sourcesOnDisk();
  if (compiles && !isBuilt(sources)) await build(sources);
  end();
}

/** One set-up at a time: programs that are started together would install and compile into the same folders. */
async function begin() {
  const deadline = Date.now() + WAIT_MS;
  let isTold = false;
  while (!isFirst() && Date.now() < deadline) {
    const dead = deadOne();
    if (dead !== undefined) removeMark(dead);
    else if (!isTold) process.stderr.write(`Waiting for the set-up that runs already (${RUNNING}) ...\n`);
    isTold = true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** True when this set-up is the one that runs now; its end is noted however it ends, and before the program that it is imported by. */
function isFirst() {
  const mine = `${RUNNING}-${process.pid}`;
  try {
    fs.writeFileSync(mine, String(process.pid));
    // Its times are of this machine's clock, which on a shared file system is not the file server's.
    fs.utimesSync(mine, new Date(), new Date());
    fs.linkSync(mine, RUNNING);
  } catch (error) {
    // A folder that cannot be written has its own clear failure below.
    return error.code !== 'EEXIST';
  } finally {
    fs.rmSync(mine, { force: true });
  }
  const touch = () => fs.utimes(RUNNING, new Date(), new Date(), () => {});
  touching = setInterval(touch, TOUCH_MS).unref();
  process.once('exit', end);
  return true;
}

function end() {
  if (touching === undefined) return;
  clearInterval(touching);
  touching = undefined;
  fs.rmSync(RUNNING, { force: true });
}

/** What the mark has of a set-up that was killed; undefined: it runs, or has just ended. */
function deadOne() {
  let pid;
  try {
    pid = fs.readFileSync(RUNNING, 'utf8');
    const isLate = Date.now() - fs.statSync(RUNNING).mtimeMs > ENDED_MS;
    if (isLate || pid === '' || pid === String(process.pid)) return pid;
    process.kill(Number(pid), 0);
    return undefined;
  } catch (error) {
    return error.code === 'ESRCH' ? pid : undefined;
  }
}

/** Another set-up may have removed it, and begun, since it was read: that one gets its mark back. */
function removeMark(dead) {
  const taken = `${RUNNING}-${process.pid}`;
  try {
    fs.renameSync(RUNNING, taken);
    if (fs.readFileSync(taken, 'utf8') !== dead) fs.linkSync(taken, RUNNING);
  } catch {
    // It has ended, or a third one has begun.
  }
  fs.rmSync(taken, { force: true });
}

/** npm lists in node_modules what it has installed; a folder that was deleted since is detected, too. */
function isInstalled() {
  if (!fs.existsSync(at('node_modules/.package-lock.json'))) return false;
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(([path, wanted]) => {
    const got = installed[path];
    if (!path.includes('node_modules/') || (wanted.optional && !got)) return true;
    return ['version', 'integrity', 'link'].every((of) => got?.[of] === wanted[of]) && fs.existsSync(at(path));
  });
}

async function install() {
  process.stderr.write('Installing the packages of package-lock.json (once) ...\n');
  const npm = process.env.npm_execpath;
  const cache = temporaryCache();
  // NODE_ENV=production would leave the compiler out. No install script is needed, and some only report the installation.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const command = [...(npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']), 'ci', ...options, ...cache];
  await run(
    command,
    'Installing the packages failed: check the network (or the npm registry setting) and run `npm ci` to see why.',
  );
  if (cache.length > 0) fs.rmSync(cache[1], { recursive: true, force: true });
}

/** npm needs a cache; a user without a writable home, as in many a CI, gets one for this installation. */
function temporaryCache() {
  try {
    const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
    fs.mkdirSync(usual, { recursive: true });
    fs.accessSync(usual, fs.constants.W_OK);
    return [];
  } catch {
    return ['--cache', fs.mkdtempSync(join(tmpdir(), 'ratewire-npm-'))];
  }
}

/** Every source with its time and size. */
function sourcesOnDisk() {
  const files = ['engine', 'rest'].flatMap((folder) =>
    fs.existsSync(at(folder)) ? fs.readdirSync(at(folder), { recursive: true }).map((path) => join(folder, path)) : [],
  );
  const isSource = (path) =>
    /(\.ts|\.lua|tsconfig(\.\w+)?\.json)$/.test(path) && !/[\\/](dist|node_modules)[\\/]/.test(path);
  return ['tsconfig.json', ...files.filter(isSource).sort()]
    .map((path) => [path, fs.statSync(at(path))])
    .map(([path, { mtimeMs, size }]) => `${path} ${mtimeMs} ${size}\n`)
    .join('');
}

function isBuilt(sources) {
  return (
    [...BUILT, BUILT_FROM].every((file) => fs.existsSync(at(file))) &&
    fs.readFileSync(at(BUILT_FROM), 'utf8') === sources
  );
}

async function build(sources) {
  if (!fs.existsSync(at('dist'))) process.stderr.write('Compiling (once) ...\n');
  await run(
    [process.execPath, at('node_modules', 'typescript', 'bin', 'tsc'), '-b'],
    'Compiling failed: the errors are printed above; return to a released revision, or correct them, and run the same command again.',
  );
  copyLua();
  fs.mkdirSync(dirname(at(COMMONJS)), { recursive: true });
  fs.writeFileSync(at(COMMONJS), '{ "type": "commonjs" }\n');
  fs.writeFileSync(at(BUILT_FROM), sources);
}

/** The compiler copies no Lua: each step stands beside the module that reads it. */
function copyLua() {
  const filter = (path) => path.endsWith('.lua') || fs.statSync(path).isDirectory();
  fs.cpSync(at('engine', 'store'), at('dist', 'engine', 'store'), { recursive: true, filter });
}

/** The output of the step goes to stderr: the first line on stdout is the `ready` line. */
async function run([command, ...args], failed) {
  // A process group of its own, killed as a whole at a signal: a step that continues would disturb the next start.
  const step = spawn(command, args, { cwd: at(), stdio: ['ignore', 2, 2], detached: true });
  const stop = () => {
    try {
      process.kill(-step.pid, 'SIGKILL');
    } catch {
      // It has ended, or was never started.
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
  if (error?.code === 'ENOENT')
    fail(
      `${command} was not found: it comes with Node (https://nodejs.org); install it and run the same command again.`,
    );
  if (error) fail(`${failed} (${error.code})`);
  if (status !== 0) fail(failed);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** The programs of a benchmark: a store with clients, the built engine on it, the baseline, the load; each a process of its own. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenStoreOptions, Store } from '../../engine/store/store.js';
import { SIDECAR_FLAGS } from '../../engine/wiring/children.js';
import type { CallersPlan, CallersResult } from './callers.js';
import type { LoadPlan, LoadResult } from './plan.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const benchmarks = fileURLToPath(new URL('../', import.meta.url));
const START_MS = 60_000;

const SERVER_CPU = '0';
/** Also of programs that are not measured. */
export const LOAD_CPU = '1';

/** Opens the store of the data directory, as its owner. Built code: the embedded store is a program of its own beside it. */
export async function holdStore(
  dataDir: string,
  options: Pick<OpenStoreOptions, 'prefer' | 'redisServer' | 'fsync'> = {},
): Promise<Store> {
  const built = new URL('../../dist/engine/store/store.js', import.meta.url).href;
  const { openStore } = (await import(built)) as typeof import('../../engine/store/store.js');
  const silent = () => {};
  const log = { info: silent, warn: silent, error: silent };
  return openStore({ dataDir, own: 'must-start', log, ...options });
}

/** Clients key1/secret1..., CompIDs CLI0001...; each with its own margin, or one of `tiers`. */
export async function provision(dataDir: string, clients: number, tiers?: number): Promise<void> {
  const args = ['engine/cli/ratewire.mjs', 'bench', 'provision', '--clients', String(clients)];
  if (tiers !== undefined) args.push('--tiers', String(tiers));
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    timeout: 2 * START_MS,
  });
}

export interface Server {
  readonly pid: number;
  stop(): Promise<void>;
}

/** The built engine alone, with the benchmark's ticks as its only provider. */
export const startEngine = (dataDir: string, port: number, feedPort: number, cpu = SERVER_CPU): Promise<Server> =>
  startOn(dataDir, port, `ws://127.0.0.1:${feedPort}`, cpu);

/** A built engine that gets its prices from another. */
export const startGateway = (dataDir: string, port: number): Promise<Server> =>
  startOn(dataDir, port, 'relay', SERVER_CPU);

function startOn(dataDir: string, port: number, feed: string, cpu: string): Promise<Server> {
  const ports = { FIX_PORT: String(port), METRICS_PORT: '0' };
  const env = { ...process.env, ...ports, DATA_DIR: dataDir, FEED: feed, LOG_LEVEL: 'error' };
  return startServer([process.execPath, `${root}dist/engine/main.js`], env, cpu);
}

/** The built sidecar as `npm start` runs it, with prices from the engine; without limits on requests. */
export function startSidecar(dataDir: string, port: number, cpu = SERVER_CPU): Promise<Server> {
  const limits = { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0', RATE_LIMIT_AUTHENTICATION: '0' };
  const ports = { REST_PORT: String(port), REST_METRICS_PORT: '0' };
  const env = { ...process.env, ...limits, ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  return startServer([process.execPath, ...SIDECAR_FLAGS, `${root}dist/rest/main.js`], env, cpu);
}

export function startBareExpress(port: number): Promise<Server> {
  return startServer(
    [process.execPath, '--import', 'tsx', `${benchmarks}bare-express.ts`, String(port)],
    process.env,
    SERVER_CPU,
  );
}

export function startBaseline(port: number, feedPort: number, groups: number, mode: 'turn' | 'each'): Promise<Server> {
  const script = [process.execPath, '--import', 'tsx', `${benchmarks}baseline-acceptor.ts`];
  const ports = ['--port', String(port), '--feed-port', String(feedPort)];
  return startServer([...script, ...ports, '--groups', String(groups), '--mode', mode], process.env, SERVER_CPU);
}

/** All programs of `npm start`, without npm and on all CPUs, with the simulator as the provider; its ports are free ones. */
export function startLauncher(dataDir: string): Promise<Server> {
  const ports = { FIX_PORT: '0', REST_PORT: '0', METRICS_PORT: '0', REST_METRICS_PORT: '0' };
  const env = { ...process.env, ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  return startServer([process.execPath, `${root}engine/start.mjs`], env, undefined);
}

/** Resolves when the program has printed `ready`. */
async function startServer(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  cpu: string | undefined,
): Promise<Server> {
  const [program, ...args] = cpu === undefined ? command : pinned(cpu, command);
  const child = spawn(program!, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  running.add(child);
  child.once('exit', () => running.delete(child));
  await said(child, 'ready').catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Programs that this process started. */
const running = new Set<ChildProcess>();

/** What waits for one of them fails. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGTERM');
}

export const runLoad = (plan: LoadPlan): Promise<LoadResult> => runPlan('load-desks.ts', plan);

export const runCallers = (plan: CallersPlan): Promise<CallersResult> => runPlan('load-callers.ts', plan);

async function runPlan<Result>(
  file: string,
  plan: { readonly warmUpS: number; readonly seconds: number },
): Promise<Result> {
  const script = [process.execPath, '--import', 'tsx', benchmarks + file, JSON.stringify(plan)];
  const [program, ...args] = pinned(LOAD_CPU, script);
  const timeout = (plan.warmUpS + plan.seconds) * 1_000 + 2 * START_MS;
  const run = promisify(execFile)(program!, args, { cwd: root, timeout });
  running.add(run.child);
  const { stdout } = await run.finally(() => running.delete(run.child));
  return JSON.parse(stdout) as Result;
}

/** On a CPU of its own where the machine has taskset; the process keeps its id. */
function pinned(cpu: string, command: readonly string[]): readonly string[] {
  return hasTaskset ? ['taskset', '-c', cpu, ...command] : command;
}
const hasTaskset = spawnSync('taskset', ['-c', LOAD_CPU, 'true']).status === 0;

function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready within ${START_MS / 1000} s`)), START_MS);
    let received = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      received = (received + text).slice(-4096);
      if (!received.includes(word)) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready: npm run build first`)));
  });
}

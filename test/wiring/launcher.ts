/** The real launcher as a process of its own, on free ports and a data directory of the test's. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive as isSameProcess, readStoreFile } from '../../engine/store/managed-redis/store-file.js';
import { CLEAN_ENV } from '../support/clean-env.js';

const built = (program: string) => fileURLToPath(new URL(`../../dist/${program}.js`, import.meta.url));
/** Who decides about money must be said on a Redis that was not started for the data directory. */
const SANDBOX = { FUNDING: 'sandbox', COMPLIANCE: 'sandbox', PAYOUT: 'sandbox' };
const ANY_PORTS = { FIX_PORT: '0', REST_PORT: '0', METRICS_PORT: '0', REST_METRICS_PORT: '0' };

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Launcher {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The addresses of the ready line; rejects with what was printed when it ends before. */
  readonly ready: Promise<Record<string, string>>;
  readonly ended: Promise<Ended>;
}

/** Without the warnings of calendars that end soon: whether there are any depends on today's date. */
function withoutCalendars(stderr: string): string {
  return stderr.replace(/^\{.*"the holidays of [A-Z]{3} are known until .*\n/gm, '');
}

export function launch(dataDir: string, env: Record<string, string> = {}, program = 'engine/wiring/start'): Launcher {
  const child = spawn(process.execPath, [built(program)], {
    env: {
      ...CLEAN_ENV,
      DATA_DIR: dataDir,
      FEED: 'simulated',
      ...ANY_PORTS,
      ...(env.REDIS_URL && SANDBOX),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails half-way leaves nothing running.
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  child.once('exit', () => process.off('exit', atExit));
  const said = { out: '', err: '' };
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const ready = new Promise<Record<string, string>>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said.out += chunk;
      const line = /^ready (.*)$/m.exec(said.out)?.[1];
      if (line) resolve(Object.fromEntries(line.split(' ').map((part) => part.split('=') as [string, string])));
    });
    child.stderr.on('data', (chunk) => {
      said.err += chunk;
    });
    ended.then(({ code }) => reject(new Error(`ended with ${code}: ${said.err}${said.out}`)));
  });
  ready.catch(() => {});
  return { process: child, stdout: () => said.out, stderr: () => withoutCalendars(said.err), ready, ended };
}

export interface DemoClient {
  readonly client_key: string;
  readonly client_secret: string;
  readonly operator_key: string;
  readonly operator_secret: string;
  readonly sender_comp_id: string;
  readonly target_comp_id: string;
  readonly fix: string;
  readonly rest: string;
}

export function demoClient(dataDir: string): DemoClient {
  return JSON.parse(readFileSync(join(dataDir, 'demo-client.json'), 'utf8'));
}

/** Process ids of the programs that this launcher runs, by the file they run. */
export function programsOf(launcher: Launcher): Map<string, number> {
  const programs = new Map<string, number>();
  for (const { pid, parent, args } of everyProcess()) {
    const [, file] = /(engine\/main|rest\/main|embedded\/main)\.js/.exec(args) ?? [];
    if (parent === launcher.process.pid && file) programs.set(file, pid);
  }
  return programs;
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** What runs on this machine, of whomever it is. */
export function everyProcess(): Running[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

// A small Linux has no `ps`.
function fromProc(): Running[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const args = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return [{ pid: Number(pid), parent: Number(parent), args }];
    } catch {
      // No process, or one that has just ended.
      return [];
    }
  });
}

function fromPs(): Running[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), args };
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** For data directories: itself, or those in it. What it leaves of a store whose owner was killed is ended with it. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'ratewire-start-'));
  const remove = () => {
    const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const dataDir of [path, ...folders.map(({ name }) => join(path, name))]) endStore(dataDir);
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

function endStore(dataDir: string): void {
  const server = readStoreFile(dataDir)?.server;
  if (server && isSameProcess(server)) process.kill(server.pid, 'SIGKILL');
}

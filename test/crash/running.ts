/** The programs, each in a process of its own, and their output. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Addresses, ProgramMessage } from '../../engine/wiring/program.js';

export interface Running {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
  readonly addresses: Addresses;
}

type Env = Readonly<Record<string, string>>;

export interface Start {
  readonly name: string;
  readonly file: URL;
  readonly execArgv: string[];
  readonly env: Env;
}

const START_MS = 40_000;
const RECONCILE_MS = 120_000;
const RATEWIRE = fileURLToPath(new URL('../../engine/cli/ratewire.mjs', import.meta.url));
const LINES_MAX = 2_000;
const WORDS_KEPT = 8_000;

/** The last output of the programs. */
export class Words {
  readonly #said: string[] = [];

  hear(name: string, chunk: Buffer): void {
    this.#said.push(`${name}: ${chunk}`);
    if (this.#said.length > LINES_MAX) this.#said.splice(0, LINES_MAX / 2);
  }

  last(): string {
    return this.#said.join('').slice(-WORDS_KEPT);
  }
}

/** Resolves when it is ready; rejects with its output when it does not become ready. */
export async function startProgram({ name, file, execArgv, env }: Start, words: Words): Promise<Running> {
  // It ends by itself when this process is gone: its IPC channel closes.
  const child = fork(fileURLToPath(file), [], {
    // Ctrl-C is for the harness only.
    detached: true,
    execArgv,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => words.hear(name, chunk));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const told = await Promise.race([
    new Promise<ProgramMessage>((resolve) => child.once('message', (message) => resolve(message as ProgramMessage))),
    gone,
  ]);
  clearTimeout(late);
  if (!told || 'failed' in told) throw new Error(`${name} did not start: ${told?.failed ?? words.last()}`);
  return { child, gone, addresses: told.ready };
}

/** The findings of the operator's own reconciliation: empty where everything agrees. */
export function reconciled(env: Env): Promise<string> {
  const told = promisify(execFile)(process.execPath, [RATEWIRE, 'reconcile'], { env, timeout: RECONCILE_MS });
  return told.then(
    () => '',
    ({ stdout, stderr, message }) => `${stdout ?? ''}${stderr ?? ''}` || String(message),
  );
}

/** The programs that `npm start` runs, each in a process group of its own, so that Ctrl-C reaches the launcher alone. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Addresses, HELD, type ProgramMessage } from './program.js';

export interface Child {
  /** The store runs: the program, which has loaded its modules meanwhile, starts. */
  begin(): void;
  /** Resolves when the program is ready; rejects with its one line when the start fails. */
  readonly ready: Promise<Addresses>;
  /** Resolves with one line when the program ends by itself after it was ready; never when it was stopped. */
  readonly died: Promise<string>;
  /** SIGTERM, then SIGKILL when that takes too long; settles when the process is gone. */
  stop(): Promise<void>;
}

/** Its message is the program's own line. */
class ChildError extends Error {
  override readonly name = 'ChildError';
}

const STOP_MS = 10_000;

/** Flags of Node for the sidecar: with a young generation of 16 MB, garbage is collected a fifth as often, which saves a tenth of its CPU. */
export const SIDECAR_FLAGS: readonly string[] = ['--min-semi-space-size=16'];

/** `file` is relative to the build directory. The program ends by itself when this process is gone: its IPC channel closes. */
export function startChild(name: string, file: string, env: NodeJS.ProcessEnv, flags: readonly string[] = []): Child {
  const child = fork(fileURLToPath(new URL(`../../${file}`, import.meta.url)), [HELD], {
    env,
    execArgv: [...process.execArgv, ...flags],
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  let stopped = false;
  let isReady = false;

  const ready = new Promise<Addresses>((resolve, reject) => {
    child.once('message', (message: ProgramMessage) => {
      if ('failed' in message) return reject(new ChildError(message.failed));
      isReady = true;
      resolve(message.ready);
    });
    gone.then((how) =>
      reject(new ChildError(`The ${name} ended while it started (${how}): its last lines are printed above.`)),
    );
  });
  const died = new Promise<string>((resolve) => {
    gone.then((how) => {
      if (isReady && !stopped)
        resolve(`The ${name} ended unexpectedly (${how}): everything else was stopped; start again.`);
    });
  });
  // A start that fails for another reason may leave this rejection unhandled.
  ready.catch(() => {});

  return {
    begin: () => void child.send('begin', () => {}),
    ready,
    died,
    async stop() {
      stopped = true;
      await end(child, gone);
    },
  };
}

async function end(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(late);
}

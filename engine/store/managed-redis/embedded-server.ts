/** Starts the embedded server in a child process, which ends by itself when this process is gone. */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withTimeout } from '../../domain/with-timeout.js';
import type { StartOrder, StartReply } from './embedded/main.js';
import {
  cannotStart,
  detachChild,
  endOf,
  lastStderrLine,
  type ManagedServer,
  portTaken,
  type ServerOrder,
  START_MS,
  spawnPrivate,
  stopChild,
} from './managed-server.js';

/** No setting and no secret: the variables of the system's loader, and the clock of a library that it loads (test/dates/clock.c). */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'BBX_CLOCK_MS'];

const COMPACT_ABOVE_BYTES = 64 * 1024 * 1024;

/** Throws StoreStartError. */
export async function startEmbedded(
  order: ServerOrder,
  compactAboveBytes = COMPACT_ABOVE_BYTES,
): Promise<ManagedServer> {
  const { program, execArgv } = programFile();
  const env = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawnPrivate(() =>
    fork(program, [], {
      // A process group of its own: Ctrl-C ends the owner first, which then stops it.
      detached: true,
      execArgv,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );
  const lastLine = lastStderrLine(child);
  const ended = endOf(child);
  const replied = new Promise<StartReply>((resolve) => {
    child.once('message', (reply) => resolve(reply as StartReply));
    void ended.then(() => resolve({ ready: false, code: 'ENDED' }));
  });
  const message: StartOrder = { ...order, compactAboveBytes };
  child.send(message, () => {});
  const reply = await withTimeout<StartReply>(replied, START_MS, () => ({ ready: false, code: 'LATE' }));
  if (!reply.ready) {
    child.kill('SIGKILL');
    await ended;
    if (reply.code === 'EADDRINUSE') throw portTaken(order.port);
    throw cannotStart('embedded store', order.dir, lastLine());
  }
  detachChild(child, ended);
  return { pid: child.pid ?? 0, port: reply.port, ended, stop: () => stopChild(child, ended) };
}

/** The compiled program beside this file; from the sources (tests), the source with a loader for TypeScript. */
function programFile(): { program: string; execArgv: string[] } {
  const quiet = '--no-warnings';
  if (!import.meta.url.endsWith('.ts')) {
    return { program: fileURLToPath(new URL('embedded/main.js', import.meta.url)), execArgv: [quiet] };
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = fileURLToPath(new URL('embedded/main.ts', import.meta.url));
  return { program, execArgv: [quiet, '--import', loader] };
}

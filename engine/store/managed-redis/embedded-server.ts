/** Starts the embedded server in a child process, which ends by itself when this process is gone. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withTimeout } from '../../domain/core/with-timeout.js';
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

/** Compiled: beside this file, or in dist for the tests, which run the sources; to load a source would take longer than the server. */
const BESIDE = new URL('embedded/main.js', import.meta.url);
const DIST = new URL('../../../dist/engine/store/managed-redis/embedded/main.js', import.meta.url);
const PROGRAM = fileURLToPath(existsSync(BESIDE) ? BESIDE : DIST);

/** No setting and no secret: the variables of the system's loader, and the clock of a library that it loads (test/dates/clock.c). */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'BBX_CLOCK_MS'];

const COMPACT_ABOVE_BYTES = 64 * 1024 * 1024;

/** Throws StoreStartError. */
export async function startEmbedded(
  order: ServerOrder,
  compactAboveBytes = COMPACT_ABOVE_BYTES,
): Promise<ManagedServer> {
  const env = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawnPrivate(() =>
    fork(PROGRAM, [], {
      // A process group of its own: Ctrl-C ends the owner first, which then stops it.
      detached: true,
      execArgv: ['--no-warnings'],
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

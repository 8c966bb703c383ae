/**
 * The life of the engine and the sidecar as programs: they announce readiness, stop once on a signal, end when the launcher ends, and
 * report a failed start in one line. `npm start` reads the messages over IPC; without it they go to stdout.
 */

import { once } from 'node:events';

/** Where a program listens, by its name in the `ready` line: { fix: '127.0.0.1:5200', metrics: ... }. */
export type Addresses = Readonly<Record<string, string>>;

/** Registers the stop function of a part that was started; they run in reverse order. */
export type OnStop = (stop: () => Promise<void>) => void;

export type ProgramMessage = { readonly ready: Addresses } | { readonly failed: string };

/** The argument of a program that loads its modules and then waits for the launcher's message, until the store runs. */
export const HELD = '--held';

/** The launcher kills a program that has not stopped after ten seconds. */
const STOP_MS = 9_500;

/**
 * Runs a program until its stop signal; the exit code is 0 then, 1 when it could not start or stop within 9.5 s. `isStopping` is true from
 * the signal on, before anything is stopped.
 */
export function runProgram(
  name: string,
  start: (onStop: OnStop, isStopping: () => boolean) => Promise<Addresses>,
): void {
  const stops: (() => Promise<void>)[] = [];
  let stopping = false;
  const begin = () =>
    start(
      (stop) => stops.push(stop),
      () => stopping,
    );
  const started = process.argv[2] === HELD ? once(process, 'message').then(begin) : begin();

  const stop = async () => {
    // Ctrl-C under npm arrives twice: the second must not interrupt the stop that the first began.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    // During a start: stops what has started so far.
    await stopInReverse(stops).then(
      () => process.exit(0),
      (error: unknown) => fail(`${name} did not stop cleanly: ${firstLine(error)}`),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.send) process.once('disconnect', stop);
  // The launcher may be gone already.
  if (process.connected === false) void stop();

  started.then(
    (addresses) => !stopping && announce({ ready: addresses }),
    async (error: unknown) => {
      if (stopping) return;
      setTimeout(() => process.exit(1), STOP_MS).unref();
      await stopInReverse(stops).catch(() => {});
      fail(startFault(name, error));
    },
  );
}

async function stopInReverse(stops: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of [...stops].reverse()) await stop();
}

/** One line about why a start failed; the messages of our own start errors are complete in themselves. */
export function startFault(name: string, error: unknown): string {
  const complete =
    error instanceof Error && /^(Setting|PortTaken|StoreStart|FeedSetting|FixSetting|Child)Error$/.test(error.name);
  if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOSPC')
    return `${name} could not start: the disk of DATA_DIR is full (ENOSPC): make room on it, or set DATA_DIR to another.`;
  return complete ? error.message : `${name} could not start: ${firstLine(error)}`;
}

/** `ready a=HOST:PORT b=HOST:PORT`. */
export function readyLine(addresses: Addresses): string {
  return ['ready', ...Object.entries(addresses).map(([door, address]) => `${door}=${address}`)].join(' ');
}

/** HOST:PORT, with the brackets that an IPv6 address needs. */
export function address(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Awaits a listen on the ports of these settings; for an unavailable port the error names the setting to change. */
export async function listening<T>(
  ports: Readonly<Record<string, number>>,
  host: string,
  listen: Promise<T>,
  hostSetting = 'HOST',
): Promise<T> {
  try {
    return await listen;
  } catch (error) {
    const { code, port: failed } = error as NodeJS.ErrnoException & { port?: number };
    const [setting, port] = Object.entries(ports).find(([, wanted]) => wanted === failed) ?? Object.entries(ports)[0]!;
    if (code === 'EADDRINUSE') {
      throw new PortTakenError(
        `${setting} ${port} is taken: set ${setting} to a free port, or stop what listens there.`,
      );
    }
    if (code === 'EACCES') {
      throw new PortTakenError(`${setting} ${port} is not allowed to this user: set ${setting} to a port above 1023.`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new PortTakenError(
        `${hostSetting} ${host} is not an address of this machine: set ${hostSetting} to one, such as 127.0.0.1 or 0.0.0.0.`,
      );
    }
    throw error;
  }
}

function announce(message: ProgramMessage): void {
  if (process.send) process.send(message);
  else if ('ready' in message) process.stdout.write(`${readyLine(message.ready)}\n`);
}

function fail(line: string): void {
  if (process.send?.({ failed: line }, undefined, undefined, () => process.exit(1))) return;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}

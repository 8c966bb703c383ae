/** The operator's command line. */
import { execFile } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { CLEAN_ENV } from './clean-env.js';

const RATEWIRE = fileURLToPath(new URL('../../engine/cli/ratewire.mjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../engine/tools/ratewire.ts', import.meta.url));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Ratewire {
  run(...args: string[]): Promise<Ran>;
  /** The parsed --json output of a successful command. */
  json<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer>;
}

type Env = Readonly<Record<string, string>>;

/** On the store of a data directory: its main program from the sources, in this process, because starting one takes half a second. */
export function ratewireOn(dataDir: string, env: Env = {}): Ratewire {
  return withJson((...args) => inTurn(() => runHere(args, { DATA_DIR: dataDir, ...env })));
}

/** The same as operators run it: built, and a process of its own. */
export function ratewireProcessOn(dataDir: string, env: Env = {}): Ratewire {
  const run: Ratewire['run'] = (...args) =>
    new Promise((resolve) => {
      const all = { ...CLEAN_ENV, DATA_DIR: dataDir, ...env };
      execFile(process.execPath, [RATEWIRE, ...args], { env: all, timeout: 300_000 }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  return withJson(run);
}

function withJson(run: Ratewire['run']): Ratewire {
  return {
    run,
    async json(...args) {
      const { code, out, err } = await run(...args, '--json');
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out);
    },
  };
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: they share the arguments, the environment and the output of this process. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(run);
  last = mine.catch(() => {});
  return mine;
}

/** Thrown by the program in place of ending this process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

let runs = 0;

async function runHere(args: readonly string[], env: Env): Promise<Ran> {
  const { argv, env: outer, exit, exitCode } = process;
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  const forgets = ['exit', 'SIGHUP', 'SIGINT', 'SIGTERM'].map((event) => listenersFrom(process, event));
  process.argv = [process.execPath, RATEWIRE, ...args];
  process.env = { ...CLEAN_ENV, ...env };
  process.exit = (code) => {
    throw new Exit(Number(code ?? process.exitCode ?? 0));
  };
  try {
    // Another name each time, so that the module runs again.
    await import(`${MAIN}?run=${++runs}`);
    throw new Error('the program did not exit');
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: error.code, out: stdout.text(), err: stderr.text() };
  } finally {
    stdout.end();
    stderr.end();
    for (const forget of forgets) forget();
    Object.assign(process, { argv, env: outer, exit, exitCode });
  }
}

/** Captures the output until `end`. */
function captured(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const { write } = stream;
  const forget = listenersFrom(stream, 'error');
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = more.find((one) => typeof one === 'function');
    if (done) process.nextTick(done as () => void);
    return true;
  };
  return {
    text: () => text,
    end() {
      stream.write = write;
      forget();
    },
  };
}

/** Removes the listeners added from now on: a program leaves that to its end. */
function listenersFrom(emitter: EventEmitter, event: string): () => void {
  const before = new Set(emitter.listeners(event));
  return () => {
    for (const listener of emitter.listeners(event))
      if (!before.has(listener)) emitter.off(event, listener as () => void);
  };
}

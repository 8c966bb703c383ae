/** A server that we start ourselves, whichever of the two kinds it is. */
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { StoreStartError } from '../connection/errors.js';

export interface ServerOrder {
  /** Its own directory; exists. */
  readonly dir: string;
  /** 0: any free one. */
  readonly port: number;
  readonly password: string;
  readonly fsync: 'always' | 'everysec';
  /** Of the embedded one: the append-only file is rewritten before it starts. */
  readonly rewritten?: boolean | undefined;
}

export interface OwnServer {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process is gone, asked or not. */
  readonly ended: Promise<void>;
  /** Everything to the disk, then the end; killed when that takes more than 10 seconds. */
  stop(): Promise<void>;
}

const STOP_MS = 10_000;
/** Loading a large append-only file takes its time: about 3 seconds for a gigabyte. */
export const START_MS = 120_000;

/** Starts a process whose files nobody but us may read, whatever the umask of who started us. */
export function privately<Child>(start: () => Child): Child {
  const ours = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(ours);
  }
}

/** The process is gone; also when it could not be started at all. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

export async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}

/** Whoever forgets to close the store is not kept alive by it, and whoever exits without a word takes it along. */
export function letGo(child: ChildProcess, ended: Promise<void>): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  const farewell = (): void => void child.kill('SIGTERM');
  process.once('exit', farewell);
  void ended.then(() => process.off('exit', farewell));
}

/** The last lines that a server printed: what it says when it cannot start. */
export function lastWords(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString('latin1')}`.slice(-2_000);
    });
    stream?.on('error', () => {});
  }
  return () => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    // Warnings stand behind `#` in the log; the very last line is only a farewell.
    const telling =
      lines.findLast((line) => / # (?!.*(exiting|bye bye))/i.test(line)) ?? lines.at(-1) ?? 'it said nothing';
    return telling.replace(/^.*? [#*-] /, '').trim();
  };
}

export function portTaken(port: number): StoreStartError {
  return new StoreStartError(
    `port ${port} on 127.0.0.1 is taken by another program: stop it, or let the store choose a port`,
  );
}

export function cannotStart(what: string, dir: string, words: string): StoreStartError {
  return new StoreStartError(`the ${what} cannot start on ${dir}: ${words}`.replace(/\s+/g, ' '));
}

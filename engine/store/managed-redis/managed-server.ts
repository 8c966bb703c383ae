/** A Redis server that this process starts, of either kind. */
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { StoreStartError } from '../connection/errors.js';

export interface ServerOrder {
  /** Its own directory; exists. */
  readonly dir: string;
  /** 0: any free one. */
  readonly port: number;
  readonly password: string;
  readonly fsync: 'always' | 'everysec';
}

export interface ManagedServer {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Writes everything to the disk and ends; killed when that takes more than 10 seconds. */
  stop(): Promise<void>;
}

const STOP_MS = 10_000;
/** Idle timeout of a connection, s; not of one that subscribes or is blocked. Our own connections send something each second. */
export const IDLE_S = 300;
/**
 * `hash-max-listpack-value`: a record is a hash with one value of several hundred bytes, its facts. With the default of 64 Redis keeps such a hash as
 * a table, which takes about 400 bytes more. Redis applies a change to each hash when it is next loaded.
 */
export const COMPACT_VALUE_BYTES = 2_048;
/** Loading a large append-only file takes about 3 seconds for a gigabyte. */
export const START_MS = 120_000;

/** Starts a process whose files only this user may read, whatever the umask of the parent. */
export function spawnPrivate<Child>(start: () => Child): Child {
  const ours = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(ours);
  }
}

/** Resolves when the process has ended; also when it could not be started at all. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

export async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  await withTimeout(ended, STOP_MS, () => {
    child.kill('SIGKILL');
    return ended;
  });
}

/** An unclosed store does not keep this process alive, and ends with it even at process.exit. */
export function detachChild(child: ChildProcess, ended: Promise<void>): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  const terminate = (): void => void child.kill('SIGTERM');
  process.once('exit', terminate);
  void ended.then(() => process.off('exit', terminate));
}

/** The last lines that a server printed: its reason when it cannot start. */
export function lastStderrLine(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString('latin1')}`.slice(-2_000);
    });
    stream?.on('error', () => {});
  }
  return () => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    // Warnings follow `#` in the log; the very last line is only a terminate.
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

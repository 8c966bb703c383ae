/** The data directory: exists, and is writable. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The remedy for a file or directory that another user may read or write; undefined: only this user may, or it does not exist, or the
 * system has no such modes. Programs trust its files: secrets, and the store's password.
 */
export function laxMode(path: string): string | undefined {
  if (process.platform === 'win32' || !existsSync(path)) return undefined;
  const stat = statSync(path);
  const mode = stat.mode & 0o777;
  if ((mode & 0o066) === 0) return undefined;
  const wanted = stat.isDirectory() ? '700' : '600';
  return `${path} may be read or written by other users (mode ${mode.toString(8)}): chmod ${wanted} ${path}`;
}

/** Creates the missing levels, for this user only. Throws the file system's error. */
export function ownDirectory(path: string): void {
  make(path);
  accessSync(path, constants.W_OK);
}

// One level at a time: Node's own recursion never ends where a directory accepts no new ones, as in /proc.
function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    make(parent);
    mkdirSync(path, { mode: 0o700 });
  }
}

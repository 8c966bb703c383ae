/** The data directory: there, and ours to write. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What to do about a file or directory that another user may read or write; undefined: only this user may, or it is not there, or the system
 * has no such modes. Programs trust its files: secrets, and the store's password.
 */
export function laxMode(path: string): string | undefined {
  if (process.platform === 'win32' || !existsSync(path)) return undefined;
  const stat = statSync(path);
  const mode = stat.mode & 0o777;
  if ((mode & 0o066) === 0) return undefined;
  const wanted = stat.isDirectory() ? '700' : '600';
  return `${path} may be read or written by other users (mode ${mode.toString(8)}): chmod ${wanted} ${path}`;
}

/** Makes what is missing of it, for this user alone. Throws the file system's error. */
export function ownDirectory(path: string): void {
  make(path);
  accessSync(path, constants.W_OK);
}

// One level at a time: Node's own recursion never ends where a directory takes no new ones, as in /proc.
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

/** The data directory: there, and ours to write. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

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

/** The files of the current tree, including uncommitted ones; without git, because git may refuse the place of a clone. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// What .gitignore names, and git's own.
const NOT_OURS = /^(\.git|data)$|(^|\/)(node_modules|dist)$/;
const files = filesUnder('').sort();

function filesUnder(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (NOT_OURS.test(file)) return [];
    return entry.isDirectory() ? filesUnder(file) : [file];
  });
}

export function filesEndingIn(...endings: readonly string[]): string[] {
  return files.filter((file) => endings.some((ending) => file.endsWith(ending)));
}

/** Files that people read and write, without what npm generates and what others published. */
export function textFiles(): string[] {
  const ours = filesEndingIn(
    '.ts',
    '.mjs',
    '.js',
    '.lua',
    '.json',
    '.md',
    '.cfg',
    '.xml',
    '.sh',
    '.cpp',
    '.fix',
    '/run',
  );
  return ours.filter((file) => file !== 'package-lock.json');
}

/** The only file of this name below a folder: a moved file is found where it is now, a removed or duplicated one fails. */
export function fileNamed(name: string, below: string): string {
  const found = files.filter((file) => file.startsWith(`${below}/`) && path.posix.basename(file) === name);
  if (found.length !== 1) throw new Error(`${name} below ${below}: found ${found.join(', ') || 'none'}`);
  return found[0]!;
}

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** `file:line` of every line that the pattern matches. */
export function linesMatching(pattern: RegExp, among: readonly string[]): string[] {
  return among.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1} ${line.trim().slice(0, 120)}`] : [])),
  );
}

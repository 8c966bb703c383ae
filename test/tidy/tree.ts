/** The files of the tree as they are now, those not committed yet included. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(ROOT, file)));

export function filesEndingIn(...endings: readonly string[]): string[] {
  return files.filter((file) => endings.some((ending) => file.endsWith(ending)));
}

/** Files that people read and write, without what npm writes and what others published. */
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

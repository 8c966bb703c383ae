/** Every promise of docs/security.md and docs/redis.md names an existing test: an untested promise is not made. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, read } from './tree.js';

interface Promised {
  readonly promise: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
}

const HEAD = '| promise | test |\n|---|---|\n';
const page = ['docs/security.md', 'docs/redis.md'].map(read).join('\n\n');
const rows = page
  .split(HEAD)
  .slice(1)
  .flatMap((part) => part.split('\n\n')[0]!.trim().split('\n'));

function promised(row: string): Promised {
  const [, promise = '', tests = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const named = tests.split(/; (?=\[)/).flatMap((one) => {
    const [, file = '', target = '', names = ''] = /^\[([^\]]+)\]\(\.\.\/([^)]+)\) (.+)$/.exec(one) ?? [];
    expect(target, row).toBe(file);
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [file, name!] as const);
  });
  return { promise, tests: named };
}

/** As a title: the whole of it between quotes. */
function isTitled(text: string, name: string): boolean {
  const quoted = [`'${name.replaceAll("'", "\\'")}'`, `"${name}"`, `\`${name}\``];
  return quoted.some((title) => text.includes(title));
}

test('there are promises, and all are in tables of one form', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(page.split('| promise |')).toHaveLength(page.split(HEAD).length);
});

describe.each(rows.map((row) => [promised(row)] as const))('$promise', ({ promise, tests }) => {
  test('names a test', () => {
    expect([promise.length > 20, tests.length > 0]).toEqual([true, true]);
  });

  test.each(tests)('%s: %s', (file, name) => {
    expect(file).toMatch(/^test\/[\w/-]+\.test\.ts$/);
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(isTitled(read(file), name)).toBe(true);
  });
});

/** What was won stays won: a number here only falls. Who makes one smaller writes the new one down. */
import { expect, test } from 'vitest';
import { circles, filesByFolder, linesByFolder } from './measures.js';

const LINES_MAX = 90_300;
/** Files that import each other, directly or by way of others. */
const IN_CIRCLES_MAX = 45;
const FILES_OF_A_FOLDER_MAX = 30;
/** So many lines fewer, and the number is out of date. */
const SLACK = 1_000;

test('the product has not grown, and the number is that of today', () => {
  const lines = [...linesByFolder().values()].reduce((sum, count) => sum + count, 0);
  expect(lines).toBeLessThanOrEqual(LINES_MAX);
  expect(lines).toBeGreaterThan(LINES_MAX - SLACK);
});

test('no more files import each other', () => {
  const files = circles().flat().length;
  expect(files).toBeLessThanOrEqual(IN_CIRCLES_MAX);
  expect(files).toBeGreaterThan(IN_CIRCLES_MAX - 5);
});

test('no folder has more files than a reader takes in', () => {
  const full = [...filesByFolder()].filter(([, files]) => files > FILES_OF_A_FOLDER_MAX);
  expect(full).toEqual([]);
});

test('a circle is found, also one of types, and a file beside it is not in it', () => {
  const sources = new Map([
    ['engine/x/a.ts', "import { b } from './b.js';"],
    ['engine/x/b.ts', "import type { C } from '../y/c.js';"],
    ['engine/y/c.ts', "import { a } from '../x/a.js';"],
    ['engine/x/d.ts', "import { a } from './a.js';"],
  ]);
  expect(circles(sources)).toEqual([['engine/x/a.ts', 'engine/x/b.ts', 'engine/y/c.ts']]);
});

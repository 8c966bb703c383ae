/**
 * Files that tests share clean up when the test, or the file that has asked for it, ends. A hook that such a file registers when it is
 * imported runs once, after the first of the test files that share a process: the next one finds what it has removed.
 */
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { filesEndingIn, ROOT } from './tree.js';

const REGISTERING = [
  ...['beforeAll', 'afterAll', 'beforeEach', 'afterEach', 'aroundAll', 'aroundEach', 'onTestFinished', 'onTestFailed'],
  ...['describe', 'suite', 'test', 'it'],
];

/** Programs, which run when they are imported. */
const PROGRAMS = ['crash/main', 'dates/main', 'generators/check', 'machines/main'].map((file) => `test/${file}.ts`);

/** `file: hook` of each that is registered while the file is imported; a process of its own has imported none before. */
async function registeredBy(files: readonly string[]): Promise<string[]> {
  const registered: string[] = [];
  let importing = '';
  const stubs = REGISTERING.map((hook) => [hook, () => registered.push(`${importing}: ${hook}`)]);
  vi.resetModules();
  vi.doMock('vitest', async (original) => ({ ...(await original<object>()), ...Object.fromEntries(stubs) }));
  for (const file of files) {
    importing = file;
    await import(path.join(ROOT, file));
  }
  return registered;
}

test('no file that tests share registers anything when it is imported', async () => {
  const files = filesEndingIn('.ts').filter((file) => file.startsWith('test/') && !file.endsWith('.test.ts'));
  const shared = files.filter((file) => !PROGRAMS.includes(file));
  expect(files.length - shared.length).toBe(PROGRAMS.length);
  expect(shared.length).toBeGreaterThan(100);
  expect(await registeredBy(shared)).toEqual([]);
});

test('a file that does is found', async () => {
  expect(await registeredBy(['test/tidy/rigs.test.ts'])).toEqual([
    'test/tidy/rigs.test.ts: test',
    'test/tidy/rigs.test.ts: test',
  ]);
});

/**
 * Files that tests share clean up when the test, or the file that has asked for them, ends: a hook of the module itself runs once, after the
 * first of the files that share a process, and the next one finds nothing.
 */
import { expect, test } from 'vitest';
import { filesEndingIn, read } from './tree.js';

const HOOK = /\b(before|after)(All|Each)\(|\bonTest(Finished|Failed)\(/;
/** The first line of a function: a hook in it is registered by its caller. */
const FUNCTION = /=>|\bfunction\b|^\s+(static |async |readonly |#)*[\w#]+\((.*\{)?$/;
const NO_FUNCTION = /^\s+(if|for|while|switch|catch)\b/;

/** The lines of a formatted file that register a hook when the file is imported. */
function moduleHooks(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter((line, i) => HOOK.test(line) && !/^\s*(\*|\/[/*])/.test(line) && !isInFunction(lines, i));
}

/** Each line that has a smaller indent than all between begins what the hook is in. */
function isInFunction(lines: readonly string[], at: number): boolean {
  let indent = indentOf(lines[at]!);
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i]!;
    if (line === '' || indentOf(line) >= indent) continue;
    if (FUNCTION.test(line) && !NO_FUNCTION.test(line)) return true;
    // What a line such as `): Promise<Log> {` continues begins at the same indent.
    indent = indentOf(line) + (/^\s*[)}\]]/.test(line) ? 1 : 0);
  }
  return FUNCTION.test(lines[at]!.split(HOOK)[0]!);
}

const indentOf = (line: string): number => line.search(/\S/);

test('no file that is no test registers a hook when it is imported', () => {
  const shared = filesEndingIn('.ts').filter((file) => file.startsWith('test/') && !file.endsWith('.test.ts'));
  expect(shared.length).toBeGreaterThan(100);
  expect(shared.flatMap((file) => moduleHooks(read(file)).map((line) => `${file}: ${line.trim()}`))).toEqual([]);
});

test.each([
  ['afterAll(() => rmSync(root));', 1],
  ['if (isOpen) {\n  afterEach(close);\n}', 1],
  ['for (const one of all) {\n  if (one) {\n    afterAll(() => one.stop());\n  }\n}', 1],
  ['export const rig = {\n  stop: afterAll(stop),\n};', 1],
  ['export function rig() {\n  beforeAll(start);\n  if (isOpen) {\n    afterAll(stop);\n  }\n}', 0],
  ['export const rig = () => {\n  beforeAll(start);\n};', 0],
  ['export const rig = () => afterAll(stop);', 0],
  [
    'class Rig {\n  static begin(\n    book: (on: Rig) => void,\n  ): Rig {\n    beforeAll(book);\n  }\n\n  stop(): void {\n    afterAll(end);\n  }\n}',
    0,
  ],
  ['export async function opened(\n  options = {},\n): Promise<Log> {\n  onTestFinished(stop);\n}', 0],
  ['// afterAll(stop) would run once', 0],
])('%j has %i', (text, count) => {
  expect(moduleHooks(text)).toHaveLength(count);
});

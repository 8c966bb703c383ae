/** Which end of an append-only file is truncated, and what is left unchanged. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { truncateTornWrite } from '../../../engine/store/managed-redis/aof-tail.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  mkdirSync(join(dir, 'appendonlydir'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const command = (...words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
const SET = command('SET', 'kept', 'x');
const STEP = command('MULTI') + command('HINCRBY', 'money', 'a', '-5') + command('HINCRBY', 'money', 'b', '5');
const EXEC = command('EXEC');
const LARGE = command('SET', 'large', 'ü\r\n*1\r\n$4\r\nEXEC\r\n'.repeat(150_000));

async function cut(text: string): Promise<string | undefined> {
  const file = join(dir, 'appendonlydir', 'appendonly.aof.7.incr.aof');
  const manifest = 'file appendonly.aof.7.base.rdb seq 7 type b\nfile appendonly.aof.7.incr.aof seq 7 type i\n';
  writeFileSync(join(dir, 'appendonlydir', 'appendonly.aof.manifest'), manifest);
  writeFileSync(file, text);
  return (await truncateTornWrite(dir)) ? readFileSync(file, 'utf8') : undefined;
}

test.each([
  // file                                            what is left of it; undefined: all
  ['nothing', '', undefined],
  ['whole', SET + STEP + EXEC, undefined],
  ['whole, with a remark', `#TS:1763625600\r\n${SET}`, undefined],
  ['a command', SET + command('SET', 'kept', 'y').slice(0, -1), SET],
  ['the first byte of a command', `${SET}*`, SET],
  ['a remark', `${SET}#TS:17636`, SET],
  ['a transaction, behind a whole command', SET + STEP, SET],
  ['a transaction, within a command', SET + STEP.slice(0, -9), SET],
  ['a transaction, within its EXEC', SET + STEP + EXEC.slice(0, -1), SET],
  ['the second of two transactions', STEP + EXEC + STEP, STEP + EXEC],
  ['lower case', `${SET}${STEP.toLowerCase()}`, SET],
  ['behind a large value', LARGE + STEP, LARGE],
  ['a large value within a transaction', SET + command('MULTI') + LARGE.slice(0, -3), SET],
])('truncates: %s', async (_, text, left) => {
  expect(await cut(text)).toBe(left);
});

test.each([
  ['no command', `${SET}what is this`],
  ['a length that is wrong', SET.replace('$4', '$3') + STEP],
  ['zeros at the end', `${SET}\0\0\0\0`],
])('leaves a file with more damage than a missing end unchanged: %s', async (_, text) => {
  expect(await cut(text)).toBeUndefined();
});

test('leaves a directory without data unchanged', async () => {
  expect(await truncateTornWrite(dir)).toBe(false);
  expect(await truncateTornWrite(join(dir, 'none'))).toBe(false);
});

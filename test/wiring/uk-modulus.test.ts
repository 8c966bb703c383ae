import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readUkModulusTable } from '../../engine/wiring/uk-modulus.js';

const folder = mkdtempSync(path.join(tmpdir(), 'uk-modulus-'));
afterAll(() => rmSync(folder, { recursive: true }));

function tableOf(text: string): string {
  const file = path.join(folder, 'table.txt');
  writeFileSync(file, text);
  return file;
}

test('the table of the operator, and a fault of it in one line', () => {
  const row = '089000 089999 MOD10    0    0    0    0    0    0    7    1    3    7    1    3    7    1';
  expect(readUkModulusTable(tableOf(`${row}\r\n`)).rows).toHaveLength(1);
  for (const faulty of [tableOf('not a table\n'), path.join(folder, 'missing'), path.join(folder, 'two\nlines')]) {
    const read = () => readUkModulusTable(faulty);
    expect(read).toThrow(/^UK_MODULUS_TABLE .* is not accepted: [^\n]+ set the path [^\n]+$/);
    expect(read).toThrow(expect.objectContaining({ name: 'SettingError' }));
  }
});

/** CSV by RFC 4180, read and written. */
import { expect, test } from 'vitest';
import { csvLine, readCsv } from '../../../rest/http/csv.js';

const BOUNDS = { rows: 3, columns: 3 };

test.each([
  [
    'fields, with CRLF, LF and CR',
    'a,b\r\nc,d\ne,f\r',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
  ],
  ['quotes, separators and lines within quotes', '"a,""b""\r\nc",d', [['a,"b"\r\nc', 'd']]],
  [
    'a byte order mark, empty lines and empty fields',
    '\uFEFFa,\n\n,""\n',
    [
      ['a', ''],
      ['', ''],
    ],
  ],
  ['nothing', '', []],
])('reads %s', (_what, text, rows) => expect(readCsv(text, BOUNDS)).toEqual(rows));

test.each([
  ['"a', 1, 'a quote is not closed'],
  ['a\n"b"c', 2, 'text behind a closing quote'],
  ['a\nb\nc"', 3, 'a quote within a field that is not quoted'],
  ['a,b,c,d', 1, 'more than 3 columns'],
  ['a\nb\nc\nd', 4, 'more than 3 records'],
])('refuses %j with its line', (text, line, message) => expect(readCsv(text, BOUNDS)).toEqual({ line, message }));

test.each(['＝1+1', '＋1', '－1', '＠x'])('a full-width sign begins no formula: %s', (field) => {
  expect(csvLine([field])).toBe(`'${field}\r\n`);
});

test('writes what a spreadsheet would take as a formula with an apostrophe in front, and numbers as they are', () => {
  expect(csvLine(['=1+1', '+1', '@x', '-2.5', '-a', 'b"c', 'd,e'])).toBe(`'=1+1,'+1,'@x,-2.5,'-a,"b""c","d,e"\r\n`);
});

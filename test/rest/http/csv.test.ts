/** CSV by RFC 4180, read and written. */
import { expect, test } from 'vitest';
import { itemsOfCsv } from '../../../rest/features/batches/batch-csv.js';
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
    '\uFEFFa,\n\n,b\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  [
    'no record without a value',
    'a,b\n,\n"",\n , \nc,d\n,,',
    [
      ['a', 'b'],
      ['c', 'd'],
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

test.each([
  [
    'item_id;amount\na;1',
    'The CSV cannot be read, line 1: its names have ; between them: separate the fields by commas',
  ],
  [
    'item_id\tamount\na\t1',
    'The CSV cannot be read, line 1: its names have tabs between them: separate the fields by commas',
  ],
  [
    'sep=;\nitem_id;amount\n',
    'The CSV cannot be read, line 1: it begins with a line sep=, which is to be removed: separate the fields by commas',
  ],
])('names the separator of %j', (text, message) => expect(itemsOfCsv(text, {})).toMatchObject({ text: message }));

test('leaves out columns without name and value, as a spreadsheet adds them', () => {
  expect(itemsOfCsv('item_id,,\na,,\n,,\n', {})).toEqual({ fields: { items: [{ item_id: 'a' }] } });
});

/**
 * CSV by RFC 4180: read from the body of a request, and written as an answer. Own code, since a parser of streams took ten times as long for a
 * body that is in memory already, and no other request has its turn meanwhile.
 */

export interface CsvFault {
  /** From 1, of the record's first line. */
  readonly line: number;
  readonly message: string;
}

export interface CsvBounds {
  readonly rows: number;
  readonly columns: number;
}

const QUOTE = '"';

/**
 * The records, each a list of its fields; records without any value are left out. Lines end with LF, CRLF or CR; a byte order mark is
 * accepted. A quote within a field that does not begin with one, or text behind a closing quote, is a fault: it may hide a separator.
 */
export function readCsv(
  text: string,
  { rows: rowsMax, columns: columnsMax }: CsvBounds,
): readonly string[][] | CsvFault {
  const rows: string[][] = [];
  let row: string[] = [];
  let [line, rowLine] = [1, 1];
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const fault = (message: string): CsvFault => ({ line: rowLine, message });
  for (; at <= text.length; at++) {
    let field: string;
    if (text[at] === QUOTE) {
      const end = endOfQuoted(text, at + 1);
      if (end < 0) return fault('a quote is not closed');
      field = text.slice(at + 1, end).replaceAll('""', QUOTE);
      line += linesIn(field);
      at = end + 1;
      if (at < text.length && !isSeparator(text[at]!)) return fault('text behind a closing quote');
    } else {
      const end = endOfPlain(text, at);
      field = text.slice(at, end);
      if (field.includes(QUOTE)) return fault('a quote within a field that is not quoted');
      at = end;
    }
    row.push(field);
    if (row.length > columnsMax) return fault(`more than ${columnsMax} columns`);
    if (text[at] === ',') continue;
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    if (rows.length > rowsMax) return fault(`more than ${rowsMax} records`);
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    row = [];
    rowLine = ++line;
    // The last record may end without a line end.
    if (at + 1 >= text.length) break;
  }
  return rows;
}

const BYTE_ORDER_MARK = 0xfeff;
const isSeparator = (character: string): boolean => character === ',' || character === '\n' || character === '\r';

/** Of the quote that closes a field; -1 without one. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf(QUOTE, from); at >= 0; at = text.indexOf(QUOTE, at + 2))
    if (text[at + 1] !== QUOTE) return at;
  return -1;
}

function endOfPlain(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSeparator(text[at]!)) at++;
  return at;
}

const linesIn = (field: string): number => field.split(/\r\n|\n|\r/).length - 1;

/**
 * One record of an answer. A text that a spreadsheet would take as a formula is written with an apostrophe in front: names and texts come from
 * others.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(written).join(',')}\r\n`;
}

/** In full width too, which spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function written(field: string): string {
  const safe = FORMULA.test(field) && !PLAIN_NUMBER.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll(QUOTE, '""')}"` : safe;
}
const PLAIN_NUMBER = /^-?\d{1,18}(\.\d{1,6})?$/;

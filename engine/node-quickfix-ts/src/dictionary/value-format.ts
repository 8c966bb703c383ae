/** The data types of FIX 4.4 as predicates over bytes: no text is made to check a value. */
import { parseDate, parseTime, parseUtcTimestamp } from '../codec/values.js';

// Own copies, not imports: see values.ts.
const DOT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;

export const FORMAT = {
  TEXT: 0,
  INT: 1,
  UINT: 2,
  FLOAT: 3,
  CHAR: 4,
  BOOLEAN: 5,
  TIMESTAMP: 6,
  DATE: 7,
  TIME: 8,
  MONTH_YEAR: 9,
  VALUES: 10,
  DATA: 11,
} as const;

const FORMATS: Readonly<Record<string, number>> = {
  INT: FORMAT.INT,
  DAYOFMONTH: FORMAT.INT,
  LENGTH: FORMAT.UINT,
  SEQNUM: FORMAT.UINT,
  NUMINGROUP: FORMAT.UINT,
  FLOAT: FORMAT.FLOAT,
  PRICE: FORMAT.FLOAT,
  QTY: FORMAT.FLOAT,
  AMT: FORMAT.FLOAT,
  PRICEOFFSET: FORMAT.FLOAT,
  PERCENTAGE: FORMAT.FLOAT,
  CHAR: FORMAT.CHAR,
  BOOLEAN: FORMAT.BOOLEAN,
  UTCTIMESTAMP: FORMAT.TIMESTAMP,
  UTCDATE: FORMAT.DATE,
  UTCDATEONLY: FORMAT.DATE,
  LOCALMKTDATE: FORMAT.DATE,
  UTCTIMEONLY: FORMAT.TIME,
  MONTHYEAR: FORMAT.MONTH_YEAR,
  MULTIPLEVALUESTRING: FORMAT.VALUES,
  DATA: FORMAT.DATA,
};

/** The format of a dictionary's type; a type that says nothing of its bytes (STRING, CURRENCY, EXCHANGE ...) is TEXT. */
export function formatOf(type: string): number {
  return FORMATS[type.toUpperCase()] ?? FORMAT.TEXT;
}

export function hasFormat(format: number, bytes: Uint8Array, start: number, end: number): boolean {
  switch (format) {
    case FORMAT.INT:
      return isDigits(bytes, bytes[start] === MINUS ? start + 1 : start, end);
    case FORMAT.UINT:
      return isDigits(bytes, start, end);
    case FORMAT.FLOAT:
      return isFloat(bytes, start, end);
    case FORMAT.CHAR:
      return end - start === 1;
    case FORMAT.BOOLEAN:
      return end - start === 1 && (bytes[start] === 0x59 || bytes[start] === 0x4e);
    case FORMAT.TIMESTAMP:
      return parseUtcTimestamp(bytes, start, end) > Number.NEGATIVE_INFINITY;
    case FORMAT.DATE:
      return end - start === 8 && parseDate(bytes, start) > Number.NEGATIVE_INFINITY;
    case FORMAT.TIME:
      return isTime(bytes, start, end);
    case FORMAT.MONTH_YEAR:
      return isMonthYear(bytes, start, end);
    default:
      return true;
  }
}

function isDigits(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  for (let i = start; i < end; i++) if (bytes[i] < ZERO || bytes[i] > 0x39) return false;
  return true;
}

/** `-?` digits with at most one point, at least one digit; no `+`, no exponent. */
function isFloat(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  let points = 0;
  for (let i = bytes[start] === MINUS ? start + 1 : start; i < end; i++) {
    const byte = bytes[i];
    if (byte >= ZERO && byte <= 0x39) digits++;
    else if (byte === DOT) points++;
    else return false;
  }
  return digits > 0 && points <= 1;
}

function isTime(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length < 8 || parseTime(bytes, start) < 0) return false;
  return length === 8 || (length <= 18 && bytes[start + 8] === DOT && isDigits(bytes, start + 9, end));
}

/** `YYYYMM`, `YYYYMMDD` or `YYYYMMw1` to `w5`. */
function isMonthYear(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 6 && length !== 8) return false;
  if (!isDigits(bytes, start, start + 6)) return false;
  const month = (bytes[start + 4] - ZERO) * 10 + bytes[start + 5] - ZERO;
  if (month < 1 || month > 12) return false;
  if (length === 6) return true;
  if (bytes[start + 6] === 0x77) return bytes[start + 7] >= 0x31 && bytes[start + 7] <= 0x35;
  return parseDate(bytes, start) > Number.NEGATIVE_INFINITY;
}

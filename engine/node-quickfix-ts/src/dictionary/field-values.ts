/** What the value of a field may be: its data type, and its enumerated values. */
import { parseDate, parseTime, parseUtcTimestamp } from '../codec/values.js';

// Data types as predicates over bytes: no text is made to check a value. Own copies of constants: see codec/values.ts.
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

/** The data types of FIX as FIX Orchestra names them; one whose bytes may be any is TEXT. */
const STANDARD: Readonly<Record<string, number>> = {
  int: FORMAT.INT,
  DayOfMonth: FORMAT.INT,
  Length: FORMAT.UINT,
  SeqNum: FORMAT.UINT,
  NumInGroup: FORMAT.UINT,
  TagNum: FORMAT.UINT,
  float: FORMAT.FLOAT,
  Price: FORMAT.FLOAT,
  Qty: FORMAT.FLOAT,
  Amt: FORMAT.FLOAT,
  PriceOffset: FORMAT.FLOAT,
  Percentage: FORMAT.FLOAT,
  char: FORMAT.CHAR,
  Boolean: FORMAT.BOOLEAN,
  UTCTimestamp: FORMAT.TIMESTAMP,
  UTCDateOnly: FORMAT.DATE,
  LocalMktDate: FORMAT.DATE,
  UTCTimeOnly: FORMAT.TIME,
  MonthYear: FORMAT.MONTH_YEAR,
  MultipleValueString: FORMAT.VALUES,
  MultipleCharValue: FORMAT.VALUES,
  MultipleStringValue: FORMAT.VALUES,
  data: FORMAT.DATA,
  XMLData: FORMAT.DATA,
  String: FORMAT.TEXT,
  Currency: FORMAT.TEXT,
  Country: FORMAT.TEXT,
  Exchange: FORMAT.TEXT,
  Language: FORMAT.TEXT,
  LocalMktTime: FORMAT.TEXT,
  TZTimeOnly: FORMAT.TEXT,
  TZTimestamp: FORMAT.TEXT,
  XID: FORMAT.TEXT,
  XIDREF: FORMAT.TEXT,
};
/** Those of FIX 4.0 to 4.2 that have another name since. */
const FORMER = { TIME: FORMAT.TIMESTAMP, DATE: FORMAT.DATE, UTCDATE: FORMAT.DATE };

/** Standard names of data types by those in a QuickFIX dictionary, which are capitals. */
export const STANDARD_TYPES: ReadonlyMap<string, string> = new Map(
  Object.keys(STANDARD).map((name) => [name.toUpperCase(), name]),
);

/** The FORMAT of each data type, by its name in a QuickFIX dictionary. */
export const FORMATS: ReadonlyMap<string, number> = new Map([
  ...Object.entries(STANDARD).map(([name, format]) => [name.toUpperCase(), format] as const),
  ...Object.entries(FORMER),
]);

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
  return length === 8 || (length <= 21 && bytes[start + 8] === DOT && isDigits(bytes, start + 9, end));
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

/** The values a field may take, compared as bytes. */
export class EnumValues {
  /** Values of one character, which nearly all are, by that character. */
  readonly #single = new Uint8Array(256);
  /** Longer ones by hash. */
  readonly #longer = new Map<number, Uint8Array[]>();

  constructor(values: readonly string[]) {
    for (const value of values) {
      const bytes = Uint8Array.from(Buffer.from(value, 'latin1'));
      if (bytes.length === 1) this.#single[bytes[0]] = 1;
      else {
        const key = hash(bytes, 0, bytes.length);
        this.#longer.set(key, [...(this.#longer.get(key) ?? []), bytes]);
      }
    }
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start === 1) return this.#single[bytes[start]] === 1;
    const candidates = this.#longer.get(hash(bytes, start, end));
    return candidates?.some((candidate) => isSame(candidate, bytes, start, end)) ?? false;
  }

  /** MultipleValueString: each of the values, separated by a space, is one of these. */
  hasEach(bytes: Uint8Array, start: number, end: number): boolean {
    let from = start;
    for (let i = start; i <= end; i++) {
      if (i < end && bytes[i] !== 0x20) continue;
      if (!this.has(bytes, from, i)) return false;
      from = i + 1;
    }
    return true;
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = end - start;
  for (let i = start; i < end; i++) h = (Math.imul(h, 31) + bytes[i]) | 0;
  return h;
}

function isSame(value: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (value.length !== end - start) return false;
  for (let i = 0; i < value.length; i++) if (value[i] !== bytes[start + i]) return false;
  return true;
}

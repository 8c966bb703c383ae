/** Values of FIX fields as bytes: text, whole numbers, CheckSum(10), UTCTimestamp. */

// Each file with a byte loop has such constants of its own: Node 20 reads an imported one from its module at every use, which
// made indexing a message thirteen times slower.
const SOH = 0x01;
const EQUALS = 0x3d;
const ZERO = 0x30;

type Slice = (this: Uint8Array, start: number, end: number) => string;
/** The native readers of Node, found on Buffer but right for every Uint8Array; they are several times faster than TextDecoder. */
const { latin1Slice, utf8Slice } = Buffer.prototype as unknown as { latin1Slice: Slice; utf8Slice: Slice };

/** Bytes as text, one character a byte: what came in goes out unchanged, whatever its encoding was. */
export function latin1(buffer: Uint8Array, start: number, end: number): string {
  return end <= start ? '' : latin1Slice.call(buffer, start, end);
}

/** Bytes as UTF-8 text; what is no UTF-8 becomes U+FFFD. */
export function utf8(buffer: Uint8Array, start: number, end: number): string {
  return end <= start ? '' : utf8Slice.call(buffer, start, end);
}

/** Decimal digits of a whole number 0..2^53. */
export function digitsOf(n: number): number {
  if (n < 10) return 1;
  if (n < 100) return 2;
  if (n < 1_000) return 3;
  if (n < 10_000) return 4;
  if (n < 100_000) return 5;
  if (n < 1_000_000) return 6;
  let digits = 6;
  for (let rest = n / 1_000_000; rest >= 1; rest /= 10) digits++;
  return digits;
}

/** Writes a whole number 0..2^53 without padding; returns the end. */
export function writeUint(out: Uint8Array, at: number, n: number): number {
  const end = at + digitsOf(n);
  let rest = n;
  let i = end - 1;
  // Above 2^31 the remainder is a float division; those numbers are rare (a sequence number never gets there).
  while (rest > 0x7fffffff) {
    const next = Math.floor(rest / 10);
    out[i--] = ZERO + (rest - next * 10);
    rest = next;
  }
  let small = rest | 0;
  while (i >= at) {
    const next = (small / 10) | 0;
    out[i--] = ZERO + (small - next * 10);
    small = next;
  }
  return end;
}

/** Whole number without sign at start..end, or -1: empty, not digits, or above 2^53 - 1, which a number could hold only rounded. */
export function readUint(buffer: Uint8Array, start: number, end: number): number {
  if (end - start > 15) return readLongUint(buffer, start, end);
  if (end <= start) return -1;
  let n = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i] - ZERO;
    if (digit < 0 || digit > 9) return -1;
    n = n * 10 + digit;
  }
  return n;
}

/** The same of more than 15 digits. */
function readLongUint(buffer: Uint8Array, start: number, end: number): number {
  let n = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i] - ZERO;
    if (digit < 0 || digit > 9) return -1;
    n = n * 10 + digit;
    // Of 16 digits at most here, so that rounding cannot bring it back below the limit.
    if (n > Number.MAX_SAFE_INTEGER) return -1;
  }
  return n;
}

/** Sum of the bytes start..end. */
export function byteSum(buffer: Uint8Array, start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += buffer[i];
  return sum;
}

/** Three digits of a CheckSum(10) and its SOH at `at`; returns the end. */
export function writeCheckSum(out: Uint8Array, at: number, sum: number): number {
  const check = sum & 0xff;
  const hundreds = (check / 100) | 0;
  const tens = ((check / 10) | 0) - hundreds * 10;
  out[at] = 0x31;
  out[at + 1] = ZERO;
  out[at + 2] = EQUALS;
  out[at + 3] = ZERO + hundreds;
  out[at + 4] = ZERO + tens;
  out[at + 5] = ZERO + check - hundreds * 100 - tens * 10;
  out[at + 6] = SOH;
  return at + 7;
}

const COLON = 0x3a;
const DASH = 0x2d;
const DOT = 0x2e;

/** Length of `YYYYMMDD-HH:MM:SS.mmm`. */
export const TIMESTAMP_MS_LENGTH = 21;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Epoch milliseconds (microseconds and finer as a fraction), or NaN when malformed. 0, 3, 6, 9 or 12 decimals; a leap second
 * (60) is the first second of the next minute, as every POSIX clock has it.
 */
export function parseUtcTimestamp(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length !== 17 && (length < 21 || length > 30 || length % 3 !== 0)) return Number.NaN;
  const dayMs = parseDate(bytes, start);
  const timeMs = parseTime(bytes, start + 9);
  if (bytes[start + 8] !== DASH || Number.isNaN(dayMs) || timeMs < 0) return Number.NaN;
  if (length === 17) return dayMs + timeMs;
  if (bytes[start + 17] !== DOT) return Number.NaN;
  const fractionMs = parseFractionMs(bytes, start + 18, end);
  return fractionMs < 0 ? Number.NaN : dayMs + timeMs + fractionMs;
}

/** Epoch milliseconds of the day `YYYYMMDD` at `start`, or NaN when there is no such day. */
export function parseDate(bytes: Uint8Array, start: number): number {
  const century = two(bytes, start);
  const yearOfCentury = two(bytes, start + 2);
  const month = two(bytes, start + 4);
  const day = two(bytes, start + 6);
  if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || day < 1) return Number.NaN;
  const year = century * 100 + yearOfCentury;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > MONTH_DAYS[month - 1] + (leap ? 1 : 0)) return Number.NaN;
  return daysFromCivil(year, month, day) * 86_400_000;
}

/** Milliseconds of the day of `HH:MM:SS` at `start`, or -1. */
export function parseTime(bytes: Uint8Array, start: number): number {
  const hour = two(bytes, start);
  const minute = two(bytes, start + 3);
  const second = two(bytes, start + 6);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return -1;
  if (bytes[start + 2] !== COLON || bytes[start + 5] !== COLON) return -1;
  return (hour * 3600 + minute * 60 + second) * 1000;
}

function parseFractionMs(bytes: Uint8Array, start: number, end: number): number {
  let n = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) return -1;
    n = n * 10 + digit;
  }
  return n / 10 ** (end - start - 3);
}

function two(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - ZERO;
  const ones = bytes[at + 1] - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/** Days since 1970-01-01 in the Gregorian calendar, counted from 1 March so that the leap day is the last of its year. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  return 365 * y + ((y / 4) | 0) - ((y / 100) | 0) + ((y / 400) | 0) + dayOfYear - 719_468;
}

/** `YYYYMMDD-HH:MM:SS.mmm` of epoch milliseconds. */
export function formatUtcTimestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  // A report has the time of its trade and a later one.
  const slot = second % SECONDS_KEPT;
  if (secondsKept[slot] !== second) {
    const iso = new Date(second * 1000).toISOString();
    secondTexts[slot] = `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, 20)}`;
    secondsKept[slot] = second;
  }
  return secondTexts[slot] + String(Math.floor(ms) - second * 1000).padStart(3, '0');
}

const SECONDS_KEPT = 64;
const secondsKept: number[] = new Array<number>(SECONDS_KEPT).fill(Number.NaN);
const secondTexts: string[] = new Array<string>(SECONDS_KEPT).fill('');

/** `YYYYMMDD-HH:MM:SS.uuuuuu` of epoch microseconds. */
export function formatUtcTimestampMicros(us: number): string {
  const ms = Math.floor(us / 1000);
  return `${formatUtcTimestamp(ms)}${String(Math.floor(us - ms * 1000)).padStart(3, '0')}`;
}

/** A SendingTime(52) value ready to copy: `YYYYMMDD-HH:MM:SS.mmm` and the sum of its bytes. */
export interface SendingTime {
  readonly ms: number;
  readonly bytes: Uint8Array;
  readonly sum: number;
  /** Sum of the first 17 bytes: the value without milliseconds. */
  readonly secondsSum: number;
}

const current = {
  ms: Number.NaN,
  second: Number.NaN,
  bytes: new Uint8Array(TIMESTAMP_MS_LENGTH),
  sum: 0,
  secondsSum: 0,
};

/**
 * The value for this millisecond (a whole number), made once a millisecond; within a second only the last three digits are
 * written again. One object for all: use it before the next call.
 */
export function sendingTime(ms: number): SendingTime {
  if (ms === current.ms) return current;
  const second = Math.floor(ms / 1000);
  const bytes = current.bytes;
  if (second !== current.second) {
    const text = formatUtcTimestamp(second * 1000);
    for (let i = 0; i < 18; i++) bytes[i] = text.charCodeAt(i);
    current.secondsSum = byteSum(bytes, 0, 17);
    current.second = second;
  }
  const millis = ms - second * 1000;
  const hundreds = (millis / 100) | 0;
  const tens = ((millis / 10) | 0) - hundreds * 10;
  const ones = (millis | 0) - hundreds * 100 - tens * 10;
  bytes[18] = ZERO + hundreds;
  bytes[19] = ZERO + tens;
  bytes[20] = ZERO + ones;
  current.sum = current.secondsSum + DOT + 3 * ZERO + hundreds + tens + ones;
  current.ms = ms;
  return current;
}

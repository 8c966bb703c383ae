import { byteSum, readUint } from './values.js';

// Own copies, not imports: see values.ts.
const EQUALS = 0x3d;
const SOH = 0x01;
const ZERO = 0x30;

/** What a `FrameReader` takes. There are no defaults. */
export interface FrameLimits {
  /** Bytes; a longer message, by its BodyLength(9), ends the connection. */
  readonly maxMessageBytes: number;
  /** So does a message of more fields. */
  readonly maxFields: number;
}

/** The bytes start..end of `buffer` are one whole message; valid during the call only. */
export type OnFrame = (buffer: Uint8Array, start: number, end: number) => void;

const NOTHING = new Uint8Array(0);

/** `8=FIX`: where a message begins, and where reading resumes after garbage. */
const BEGIN = [0x38, 0x3d, 0x46, 0x49, 0x58];
/** BeginString(8) is `FIX.4.4` or `FIXT.1.1`; more than this after `8=` is no message. */
const MAX_BEGIN_STRING = 12;
/** `10=123|` */
const CHECK_SUM_BYTES = 7;

/** The kind of data at a position; the end of a good or garbled message is in `#frameEnd`. */
const PARTIAL = 0;
const GOOD = 1;
const GARBLED = 2;
const TOO_LONG = 3;

/**
 * Cuts a stream into messages by BodyLength(9), however it is chunked, and keeps only what has arrived of an unfinished one:
 * never more than `maxMessageBytes`, unless it is `halted`.
 *
 * A message whose length or checksum is wrong is skipped, counted and never delivered. One with a wrong BodyLength ends
 * at the first CheckSum(10) at or after the end it claims: a length too short loses the message itself, one too long loses
 * what it covers. (QuickFIX does the same, and its acceptance suite asks for it.)
 */
export class FrameReader {
  /** Garbled messages, and runs of bytes that were no message, so far. */
  garbled = 0;
  /** While set, also from within a delivery, what comes is kept as it came: 64 KiB of the least messages would be 3 MB as messages. */
  halted = false;
  /** Called with input that is no message: the first part of a run of it that has arrived at once. */
  onGarbled: OnFrame | undefined;
  readonly #maxMessageBytes: number;
  readonly #maxFields: number;
  #pending: Uint8Array = NOTHING;
  #frameEnd = 0;
  /** In a run of garbage that has been counted. */
  #skipping = false;
  /** From..to of this push is scanned: no CheckSum(10) begins there. */
  #bareFrom = 0;
  #bareTo = 0;

  constructor(limits: FrameLimits) {
    this.#maxMessageBytes = limits.maxMessageBytes;
    this.#maxFields = limits.maxFields;
  }

  /** Bytes kept of an unfinished message. */
  get pendingBytes(): number {
    return this.#pending.length;
  }

  /** Delivers each message that is now whole. `too-long`: close the connection, nothing after this can be read. */
  push(chunk: Uint8Array, onFrame: OnFrame): 'ok' | 'too-long' {
    const buffer = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = NOTHING;
    this.#bareTo = 0;
    let at = 0;
    for (;;) {
      if (this.halted) {
        if (at < buffer.length) this.#pending = Uint8Array.from(buffer.subarray(at));
        return 'ok';
      }
      const start = findBegin(buffer, at);
      if (start > at && !this.#skipping) {
        this.garbled++;
        this.onGarbled?.(buffer, at, start);
        this.#skipping = true;
      }
      const what = this.#frameAt(buffer, start);
      if (what === TOO_LONG) return 'too-long';
      if (what === PARTIAL) {
        // A copy, because the chunk may be the socket's own buffer, used again for the next read.
        if (start < buffer.length) this.#pending = Uint8Array.from(buffer.subarray(start));
        return 'ok';
      }
      at = this.#frameEnd;
      // After a skipped message counting starts again; after a mere `8=FIX` the rest of its garbage follows.
      this.#skipping = what === GARBLED && at === start + 2;
      if (what === GARBLED) {
        this.garbled++;
        // Behind a mere `8=` the rest of its garbage follows: it is shown whole.
        this.onGarbled?.(buffer, start, this.#skipping ? findBegin(buffer, at) : at);
      } else onFrame(buffer, start, at);
    }
  }

  #frameAt(buffer: Uint8Array, start: number): number {
    const lengthAt = endOfBegin(buffer, start);
    if (lengthAt === PARTIAL) return PARTIAL;
    if (lengthAt < 0) return this.#noFrame(start);
    let bodyAt = lengthAt;
    while (bodyAt < buffer.length && buffer[bodyAt] !== SOH && bodyAt - lengthAt < 15) bodyAt++;
    if (bodyAt === buffer.length) return PARTIAL;
    const bodyLength = readUint(buffer, lengthAt, bodyAt);
    if (buffer[bodyAt] !== SOH || bodyLength < 0) return this.#noFrame(start);
    bodyAt++;

    const bodyEnd = bodyAt + bodyLength;
    if (bodyEnd + CHECK_SUM_BYTES - start > this.#maxMessageBytes) return TOO_LONG;
    if (bodyEnd + CHECK_SUM_BYTES > buffer.length) return PARTIAL;
    const check = checkSumAt(buffer, bodyEnd);
    if (check < 0) return this.#wrongLength(buffer, start, bodyEnd);

    this.#frameEnd = bodyEnd + CHECK_SUM_BYTES;
    if (!isMsgType(buffer, bodyAt) || (byteSum(buffer, start, bodyEnd) & 0xff) !== check) return GARBLED;
    // Only a message long enough to hold so many fields is worth counting.
    if (bodyEnd - start > this.#maxFields * 4 && fieldsOf(buffer, start, bodyEnd) > this.#maxFields) return TOO_LONG;
    return GOOD;
  }

  /** Not a message: reading resumes behind this `8=`. */
  #noFrame(start: number): number {
    this.#frameEnd = start + 2;
    return GARBLED;
  }

  #wrongLength(buffer: Uint8Array, start: number, bodyEnd: number): number {
    const last = Math.min(buffer.length, start + this.#maxMessageBytes);
    const checkSum = this.#nextCheckSum(buffer, bodyEnd - 1, last);
    const end = checkSum + 4 < last ? buffer.indexOf(SOH, checkSum + 4) : -1;
    if (end >= 0 && end < last) {
      this.#frameEnd = end + 1;
      return GARBLED;
    }
    return last < start + this.#maxMessageBytes ? PARTIAL : this.#noFrame(start);
  }

  /**
   * Position of the first `|10=` at or after `from`; none when it is not well before `last`. Bytes that this push has
   * scanned are skipped: otherwise thousands of message starts in a row, each with a wrong length, would cost as many scans of the same bytes.
   */
  #nextCheckSum(buffer: Uint8Array, from: number, last: number): number {
    const bareFrom = this.#bareFrom;
    const bareTo = this.#bareTo;
    let i = from;
    while (i + 4 < last) {
      if (i >= bareFrom && i < bareTo) i = bareTo;
      else if (buffer[i] === SOH && buffer[i + 1] === 0x31 && buffer[i + 2] === ZERO && buffer[i + 3] === EQUALS) break;
      else i++;
    }
    if (from < bareFrom || from > bareTo) this.#bareFrom = from;
    this.#bareTo = i;
    return i;
  }
}

/** Position of the next `8=FIX`, or of the beginning of one that the buffer's end cuts off, or the end. */
function findBegin(buffer: Uint8Array, from: number): number {
  let at = from;
  while (at < buffer.length) {
    if (buffer[at] !== BEGIN[0]) {
      at = buffer.indexOf(BEGIN[0], at);
      if (at < 0) return buffer.length;
    }
    let i = 1;
    while (i < BEGIN.length && at + i < buffer.length && buffer[at + i] === BEGIN[i]) i++;
    if (i === BEGIN.length || at + i === buffer.length) return at;
    at++;
  }
  return buffer.length;
}

/** Position of the value of BodyLength(9) in the message at `start`; 0 when it has not all arrived, -1 when it is not there. */
function endOfBegin(buffer: Uint8Array, start: number): number {
  const last = Math.min(buffer.length, start + 2 + MAX_BEGIN_STRING);
  let i = start + BEGIN.length;
  while (i < last && buffer[i] !== SOH) i++;
  if (i >= last) return last === buffer.length ? PARTIAL : -1;
  if (i + 2 >= buffer.length) return PARTIAL;
  return buffer[i + 1] === 0x39 && buffer[i + 2] === EQUALS ? i + 3 : -1;
}

/** Value of the `10=123|` at `at`, which follows a SOH, or -1 when there is none. */
function checkSumAt(buffer: Uint8Array, at: number): number {
  if (buffer[at - 1] !== SOH || buffer[at] !== 0x31 || buffer[at + 1] !== ZERO || buffer[at + 2] !== EQUALS) return -1;
  return buffer[at + 6] === SOH ? readUint(buffer, at + 3, at + 6) : -1;
}

function isMsgType(buffer: Uint8Array, at: number): boolean {
  return buffer[at] === 0x33 && buffer[at + 1] === 0x35 && buffer[at + 2] === EQUALS;
}

function fieldsOf(buffer: Uint8Array, start: number, end: number): number {
  let fields = 0;
  for (let i = start; i < end; i++) if (buffer[i] === SOH) fields++;
  return fields;
}

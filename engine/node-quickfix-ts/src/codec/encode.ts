/** Messages one at a time: everything but the market data of the publication path (publish.ts). */
import type { Field, SessionId } from '../types.js';
import { versionRules } from '../version-rules.js';
import type { MessageView } from './message-view.js';
import { FieldError, STANDARD_FORM, type TextForm } from './text-form.js';
import { byteSum, digitsOf, formatUtcTimestamp, sendingTime, writeCheckSum, writeUint } from './values.js';

// Own copies, not imports: see values.ts.
const EQUALS = 0x3d;
const MINUS = 0x2d;
const SOH = 0x01;
const QUESTION_MARK = 0x3f;
const SPACE = 0x20;

/** Header fields beyond the ones every message has. */
export interface HeaderExtras {
  /** PossDupFlag(43)=Y. */
  readonly possDup?: boolean;
  /** PossResend(97)=Y. */
  readonly possResend?: boolean;
  /** OrigSendingTime(122), epoch milliseconds, or its text when it is copied from a stored message of the same version. */
  readonly origSendingTime?: number | string;
  /** Routing: 50 57 115 116 128 129 142 143 144 145, and 1128 1129 1156 of FIXT.1.1, in any order; written ascending. Empty values are left out. */
  readonly routing?: readonly Field[];
}

const NO_EXTRAS: HeaderExtras = {};

/**
 * Writes a whole message at `at` and returns its end, or -1 when it does not fit into `out`.
 * Header order: 8 9 35, then ascending; `fields` stay in their order. `sendingTimeMs` is a whole number;
 * FIX 4.0 and 4.1 write it in seconds.
 *
 * Throws a FieldError, with nothing to be sent, for what cannot be a field: a tag that is no whole number from 1 to 999999999 or is generated
 * (8 9 10 34 35 43 49 52 56 97 122), a value that is neither text nor a whole number, or is empty, a character that `form` has no byte for, SOH
 * in text, and a data field that is not directly behind its length field, or whose length, in bytes, is another one.
 *
 * With `isStrict` false it does not: so leave a message of the session itself and the replay of a stored one, whatever their text. SOH in it
 * becomes a space, a character without a byte a question mark, and a field without a value is left out.
 */
export function encodeMessage(
  out: Uint8Array,
  at: number,
  id: SessionId,
  msgType: string,
  seqNum: number,
  sendingTimeMs: number,
  given: readonly Field[],
  extras: HeaderExtras = NO_EXTRAS,
  form: TextForm = STANDARD_FORM,
  isStrict = true,
): number {
  if (isStrict) {
    checkField(35, msgType);
    checkFields(given, form);
    for (const [tag, value] of extras.routing ?? NO_FIELDS) if (value !== '') checkField(tag, value);
  }
  const fields = form.isUtf8 ? utf8Fields(given, form) : given;
  const { timestampLength } = versionRules(id.beginString);
  const header = headerFields(id, seqNum, extras, timestampLength);
  const bodyLength = fieldLength(35, msgType) + 4 + timestampLength + lengthOf(header) + lengthOf(fields);
  const total = fieldLength(8, id.beginString) + fieldLength(9, bodyLength) + bodyLength + 7;
  if (at + total > out.length) return -1;

  let end = writeField(out, at, 8, id.beginString, form, isStrict);
  end = writeField(out, end, 9, bodyLength, form, isStrict);
  end = writeField(out, end, 35, msgType, form, isStrict);
  let timeWritten = false;
  for (let i = 0; i < header.length; i++) {
    const field = header[i];
    if (!timeWritten && field[0] > 52) {
      end = writeSendingTime(out, end, sendingTimeMs, timestampLength);
      timeWritten = true;
    }
    end = writeField(out, end, field[0], field[1], form, isStrict);
  }
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    end = writeField(out, end, field[0], field[1], form, isStrict);
  }
  return writeCheckSum(out, end, byteSum(out, at, end));
}

/** Text as the bytes of its UTF-8, one character each; most text is ASCII, and stays. */
function utf8Fields(fields: readonly Field[], { pairs }: TextForm): readonly Field[] {
  if (!fields.some(([, value]) => typeof value === 'string' && NOT_ASCII.test(value))) return fields;
  return fields.map(([tag, value]) =>
    typeof value === 'string' && !pairs.isData(tag) ? [tag, Buffer.from(value).toString('latin1')] : [tag, value],
  );
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Checks fields, but for their characters: those are read once, when they are written. */
export function checkFields(fields: readonly Field[], { pairs }: TextForm): void {
  const count = countOf(fields);
  for (let i = 0; i < count; i++) {
    const field = fieldAt(fields, i);
    const tag = field[0];
    checkField(tag, field[1]);
    if (isGenerated(tag)) throw new FieldError(tag, 'generated for every message');
    if (!pairs.isData(tag)) continue;
    const { length } = String(field[1]);
    const before = fields[i - 1];
    if (before === undefined || pairs.dataTagAfter(before[0]) !== tag || Number(before[1]) !== length) {
      throw new FieldError(tag, `a data field of ${length} bytes needs that length in the field before it`);
    }
  }
}

/** The types of a caller without a compiler are checked here. */
export function checkField(tag: unknown, value: unknown): void {
  if (typeof tag !== 'number') throw new FieldError(0, 'a tag is a number');
  if ((tag | 0) !== tag || tag < 1 || tag > 999_999_999) throw new FieldError(tag, 'not a tag from 1 to 999999999');
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new FieldError(tag, 'not a whole number; pass decimals as text');
  } else if (typeof value !== 'string') throw new FieldError(tag, 'neither text nor a whole number');
  else if (value.length === 0) throw new FieldError(tag, 'no value');
}

function countOf(fields: readonly Field[]): number {
  if (!Array.isArray(fields)) throw new FieldError(0, 'fields are a list of [tag, value]');
  return fields.length;
}

function fieldAt(fields: readonly Field[], i: number): Field {
  const field = fields[i];
  if (!Array.isArray(field)) throw new FieldError(0, 'a field is [tag, value]');
  return field as unknown as Field;
}

/** The header after MsgType(35) without SendingTime(52), ascending. TargetCompID(56) is always there, so 52 has its place. */
function headerFields(id: SessionId, seqNum: number, extras: HeaderExtras, timestampLength: number): Field[] {
  const header: Field[] = [
    [34, seqNum],
    [49, id.senderCompId],
    [56, id.targetCompId],
  ];
  const named = idFields(id);
  if (extras === NO_EXTRAS && named === NO_FIELDS) return header;
  if (extras.possDup) header.push([43, 'Y']);
  if (extras.possResend) header.push([97, 'Y']);
  const orig = extras.origSendingTime;
  if (typeof orig === 'number') header.push([122, formatUtcTimestamp(orig).slice(0, timestampLength)]);
  else if (orig !== undefined) header.push([122, orig]);
  const routing = extras.routing ?? NO_FIELDS;
  for (const field of routing) if (field[1] !== '') header.push(field);
  for (const field of named) if (!routing.some(([tag]) => tag === field[0])) header.push(field);
  return header.sort((a, b) => a[0] - b[0]);
}

const NO_FIELDS: readonly Field[] = [];

/** SubIDs and LocationIDs of a session that has them, as far as its version does; nearly none has. */
export function idFields(id: SessionId): readonly Field[] {
  const { senderSubId, senderLocationId, targetSubId, targetLocationId } = id;
  if ((senderSubId ?? senderLocationId ?? targetSubId ?? targetLocationId) === undefined) return NO_FIELDS;
  const fields: Field[] = [];
  if (senderSubId !== undefined) fields.push([50, senderSubId]);
  if (targetSubId !== undefined) fields.push([57, targetSubId]);
  if (!versionRules(id.beginString).hasLocationIds) return fields;
  if (senderLocationId !== undefined) fields.push([142, senderLocationId]);
  if (targetLocationId !== undefined) fields.push([143, targetLocationId]);
  return fields;
}

function lengthOf(fields: readonly Field[]): number {
  let length = 0;
  for (let i = 0; i < fields.length; i++) length += fieldLength(fields[i][0], fields[i][1]);
  return length;
}

function fieldLength(tag: number, value: string | number): number {
  if (typeof value === 'string') return value.length === 0 ? 0 : digitsOf(tag) + 2 + value.length;
  return digitsOf(tag) + 2 + (value < 0 ? 1 : 0) + digitsOf(Math.abs(value));
}

function writeField(
  out: Uint8Array,
  at: number,
  tag: number,
  value: string | number,
  form: TextForm,
  isStrict: boolean,
): number {
  let end = writeUint(out, at, tag);
  out[end++] = EQUALS;
  if (typeof value === 'number') {
    if (value < 0) out[end++] = MINUS;
    end = writeUint(out, end, Math.abs(value));
  } else {
    if (value.length === 0) return at;
    const highest = isStrict ? form.highest : 0xff;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      out[end++] = code <= highest && code !== SOH ? code : substitute(tag, code, form, isStrict);
    }
  }
  out[end++] = SOH;
  return end;
}

/** For SOH, and a character above the highest of text. */
function substitute(tag: number, code: number, { encoding, pairs }: TextForm, isStrict: boolean): number {
  if (code <= 0xff && pairs.isData(tag)) return code;
  if (!isStrict) return code === SOH ? SPACE : QUESTION_MARK;
  if (code === SOH) throw new FieldError(tag, 'SOH in a value would end the field');
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new FieldError(tag, `the character ${name} has no byte in ${encoding}`);
}

function writeSendingTime(out: Uint8Array, at: number, ms: number, length: number): number {
  let end = writeUint(out, at, 52);
  out[end++] = EQUALS;
  // Without milliseconds the fields that follow write over the rest: TargetCompID(56) and CheckSum(10) are longer.
  out.set(sendingTime(ms).bytes, end);
  end += length;
  out[end++] = SOH;
  return end;
}

/** Routing and version fields of the header: `send` and a resend move them from the fields to the header. */
export const ROUTING: ReadonlySet<number> = new Set([50, 57, 115, 116, 128, 129, 142, 143, 144, 145, 1128, 1129, 1156]);
/** By tag: the other header fields of all versions, and CheckSum(10), which are generated for every message. */
const GENERATED = new Uint8Array(123);
for (const tag of [8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122]) GENERATED[tag] = 1;

function isGenerated(tag: number): boolean {
  return tag < GENERATED.length && GENERATED[tag] === 1;
}

export interface SplitFields {
  readonly body: readonly Field[];
  readonly routing: readonly Field[];
  readonly possResend: boolean;
}

/** Separates the routing fields and PossResend(97) from the body, which keeps its order. Throws a FieldError for what is no list of fields. */
export function splitHeader(fields: readonly Field[]): SplitFields {
  let headed = false;
  const count = countOf(fields);
  for (let i = 0; i < count; i++) {
    const tag = fieldAt(fields, i)[0];
    if (tag === 97 || ROUTING.has(tag)) headed = true;
  }
  if (!headed) return { body: fields, routing: [], possResend: false };
  return {
    body: fields.filter(([tag]) => tag !== 97 && !ROUTING.has(tag)),
    routing: fields.filter(([tag]) => ROUTING.has(tag)),
    possResend: fields.some(([tag, value]) => tag === 97 && value === 'Y'),
  };
}

/** The fields of a stored message that are kept when it is resent, one character a byte. */
export function replayableFields(view: MessageView): Field[] {
  const fields: Field[] = [];
  for (let i = 3; i < view.count; i++) {
    const tag = view.tagAt(i);
    if (!isGenerated(tag)) fields.push([tag, view.bytesTextAt(i)]);
  }
  return fields;
}

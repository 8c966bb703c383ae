/** Messages one at a time: everything but the market data of the publication path (publish.ts). */
import type { Field, SessionId } from '../types.js';
import { versionRules } from '../version-rules.js';
import type { MessageView } from './message-view.js';
import { FieldError, STANDARD_FORM, type TextForm } from './text-form.js';
import { digitsOf, formatUtcTimestamp, sendingTime, writeCheckSum, writeUint } from './values.js';

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
 * Throws a FieldError, with nothing to be sent, for a field that cannot be sent: a tag that is no whole number from 1 to 999999999, a value
 * that is empty, a number that is not whole, a character that `form` has no byte for, SOH in text, and a data field that is not directly
 * behind its length field, or whose length, in bytes, is another one.
 */
export function encodeMessage(
  out: Uint8Array,
  at: number,
  id: SessionId,
  msgType: string,
  seqNum: number,
  sendingTimeMs: number,
  fields: readonly Field[],
  extras: HeaderExtras = NO_EXTRAS,
  form: TextForm = STANDARD_FORM,
): number {
  return encode(out, at, id, msgType, seqNum, sendingTimeMs, fields, extras, form, true);
}

/**
 * The same for a message of the session itself and for the replay of a stored one, which must leave whatever their text: SOH in it becomes a
 * space, a character without a byte a question mark.
 */
export function encodeOwn(
  out: Uint8Array,
  at: number,
  id: SessionId,
  msgType: string,
  seqNum: number,
  sendingTimeMs: number,
  fields: readonly Field[],
  extras: HeaderExtras = NO_EXTRAS,
  form: TextForm = STANDARD_FORM,
): number {
  return encode(out, at, id, msgType, seqNum, sendingTimeMs, fields, extras, form, false);
}

function encode(
  out: Uint8Array,
  at: number,
  id: SessionId,
  msgType: string,
  seqNum: number,
  sendingTimeMs: number,
  given: readonly Field[],
  extras: HeaderExtras,
  form: TextForm,
  isStrict: boolean,
): number {
  const fields = form.isUtf8 ? utf8Fields(given, form) : given;
  const { timestampLength } = versionRules(id.beginString);
  const header = headerFields(id, seqNum, extras, timestampLength);
  if (isStrict) for (let i = 0; i < fields.length; i++) check(fields, i, form);
  let bodyLength = fieldLength(35, msgType) + 4 + timestampLength;
  for (const [tag, value] of header) bodyLength += fieldLength(tag, value);
  for (const [tag, value] of fields) bodyLength += fieldLength(tag, value);
  const total = fieldLength(8, id.beginString) + fieldLength(9, bodyLength) + bodyLength + 7;
  if (at + total > out.length) return -1;

  let end = writeField(out, at, 8, id.beginString, form, isStrict);
  end = writeField(out, end, 9, bodyLength, form, isStrict);
  end = writeField(out, end, 35, msgType, form, isStrict);
  let timeWritten = false;
  for (const [tag, value] of header) {
    if (!timeWritten && tag > 52) {
      end = writeSendingTime(out, end, sendingTimeMs, timestampLength);
      timeWritten = true;
    }
    end = writeField(out, end, tag, value, form, isStrict);
  }
  for (const [tag, value] of fields) end = writeField(out, end, tag, value, form, isStrict);
  let sum = 0;
  for (let i = at; i < end; i++) sum += out[i];
  return writeCheckSum(out, end, sum);
}

/** Text as the bytes of its UTF-8, one character each; most text is ASCII, and stays. */
function utf8Fields(fields: readonly Field[], { pairs }: TextForm): readonly Field[] {
  if (!fields.some(([, value]) => typeof value === 'string' && NOT_ASCII.test(value))) return fields;
  return fields.map(([tag, value]) =>
    typeof value === 'string' && !pairs.isData(tag) ? [tag, Buffer.from(value).toString('latin1')] : [tag, value],
  );
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Checks a field without reading its characters; those are read once, when they are written. */
function check(fields: readonly Field[], i: number, { pairs }: TextForm): void {
  const [tag, value] = fields[i];
  if (!Number.isInteger(tag) || tag < 1 || tag > 999_999_999)
    throw new FieldError(tag, 'not a tag from 1 to 999999999');
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new FieldError(tag, `${value} is not a whole number; pass decimals as text`);
    return;
  }
  if (value.length === 0) throw new FieldError(tag, 'no value');
  if (!pairs.isData(tag)) return;
  const before = fields[i - 1];
  if (before === undefined || pairs.dataTagAfter(before[0]) !== tag || Number(before[1]) !== value.length) {
    throw new FieldError(tag, `a data field of ${value.length} bytes needs that length in the field before it`);
  }
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

function fieldLength(tag: number, value: string | number): number {
  if (typeof value === 'string') return digitsOf(tag) + 2 + value.length;
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
    const isData = form.pairs.isData(tag);
    const highest = isData || !isStrict ? 0xff : form.highest;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      out[end++] = code <= highest && (code !== SOH || isData) ? code : substitute(tag, code, form, isStrict);
    }
  }
  out[end++] = SOH;
  return end;
}

/** For a character that has no byte. */
function substitute(tag: number, code: number, { encoding }: TextForm, isStrict: boolean): number {
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
/** The other header fields of all versions, and CheckSum(10): generated for every message. */
const GENERATED = new Set([8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122]);

export interface SplitFields {
  readonly body: readonly Field[];
  readonly routing: readonly Field[];
  readonly possResend: boolean;
}

/** Separates the routing fields and PossResend(97) from the body, which keeps its order. */
export function splitHeader(fields: readonly Field[]): SplitFields {
  let headed = false;
  for (const [tag] of fields) if (tag === 97 || ROUTING.has(tag)) headed = true;
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
    if (!GENERATED.has(tag)) fields.push([tag, view.bytesTextAt(i)]);
  }
  return fields;
}

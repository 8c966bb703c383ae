/** The publication path: one shared body, many sessions, no allocation and no byte summed twice. */
import type { PublishedType, SessionId } from '../types.js';
import { byteSum, digitsOf, SOH, writeCheckSum, writeUint } from './ascii.js';
import type { SharedBody } from './shared-body.js';
import { type SendingTime, TIMESTAMP_MS_LENGTH } from './timestamp.js';

/** Bytes that a published message has beyond its header template, prefix and body, at most. */
const NUMBERS = 9 + 16 + TIMESTAMP_MS_LENGTH + 8;

/** The parts of a session's header that never change, and their sums. */
export interface HeaderTemplate {
  /** `8=FIX.4.4|9=` */
  readonly begin: Uint8Array;
  /** `|49=FXENGINE|52=` */
  readonly sender: Uint8Array;
  /** `|56=DESK1|` */
  readonly target: Uint8Array;
  /** Sum of the three and of the SOH after BodyLength(9). */
  readonly sum: number;
}

export function headerTemplate(id: SessionId): HeaderTemplate {
  const begin = ascii(`8=${id.beginString}\x019=`);
  const sender = ascii(`\x0149=${id.senderCompId}\x0152=`);
  const target = ascii(`\x0156=${id.targetCompId}\x01`);
  const sum = [begin, sender, target].reduce((total, part) => total + byteSum(part, 0, part.length), SOH);
  return { begin, sender, target, sum };
}

/** `35=W|34=` and its sum, made once for a MsgType(35). */
export function publishedType(msgType: string): PublishedType {
  const bytes = ascii(`35=${msgType}\x0134=`);
  return { msgType, bytes, sum: byteSum(bytes, 0, bytes.length) };
}

/** No message of these parts is longer: make room for so many bytes before `encodePublished`. */
export function publishedLengthMax(
  type: PublishedType,
  template: HeaderTemplate,
  prefix: SharedBody,
  body: SharedBody,
): number {
  return (
    template.begin.length +
    template.sender.length +
    template.target.length +
    type.bytes.length +
    prefix.length +
    body.length +
    NUMBERS
  );
}

/**
 * Writes `8 9 35 34 49 52 56 | prefix | body | 10` at `at`; returns the end. The caller has made room
 * (`publishedLengthMax`): this is the innermost loop of the fan-out.
 */
export function encodePublished(
  out: Uint8Array,
  at: number,
  type: PublishedType,
  template: HeaderTemplate,
  seqNum: number,
  time: SendingTime,
  prefix: SharedBody,
  body: SharedBody,
): number {
  const seqDigits = digitsOf(seqNum);
  const bodyLength =
    type.bytes.length +
    seqDigits +
    template.sender.length +
    TIMESTAMP_MS_LENGTH +
    template.target.length +
    prefix.length +
    body.length;

  let end = copy(template.begin, template.begin.length, out, at);
  const lengthAt = end;
  end = writeUint(out, end, bodyLength);
  let digits = 0;
  for (let i = lengthAt; i < end; i++) digits += out[i];
  out[end++] = SOH;
  end = copy(type.bytes, type.bytes.length, out, end);
  const seqAt = end;
  end = writeUint(out, end, seqNum);
  for (let i = seqAt; i < end; i++) digits += out[i];
  end = copy(template.sender, template.sender.length, out, end);
  end = copy(time.bytes, TIMESTAMP_MS_LENGTH, out, end);
  end = copy(template.target, template.target.length, out, end);
  end = copy(prefix.bytes, prefix.length, out, end);
  end = copy(body.bytes, body.length, out, end);
  return writeCheckSum(out, end, template.sum + type.sum + digits + time.sum + prefix.sum + body.sum);
}

function copy(source: Uint8Array, length: number, out: Uint8Array, at: number): number {
  for (let i = 0; i < length; i++) out[at + i] = source[i];
  return at + length;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

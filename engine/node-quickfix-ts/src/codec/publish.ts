/** The publication path: one shared body, many sessions, no allocation and no byte summed twice. */
import type { PublishedType, SessionId } from '../types.js';
import { byteSum, digitsOf, writeCheckSum, writeUint } from './ascii.js';
import type { SharedBody } from './shared-body.js';
import { type SendingTime, TIMESTAMP_MS_LENGTH } from './timestamp.js';

// Own copies, not imports: see ascii.ts.
const SOH = 0x01;
const TIME_LENGTH = TIMESTAMP_MS_LENGTH;

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
    TIME_LENGTH +
    template.target.length +
    prefix.length +
    body.length;

  // Uint8Array.set of a whole array takes 10 ns for 20 bytes and 12 for 200; a loop takes 2 ns a byte.
  out.set(template.begin, at);
  let end = writeUint(out, at + template.begin.length, bodyLength);
  const digitsSum = byteSum(out, at + template.begin.length, end);
  out[end++] = SOH;
  out.set(type.bytes, end);
  end += type.bytes.length;
  const seqAt = end;
  end += seqDigits;
  writeUint(out, seqAt, seqNum);
  const seqSum = byteSum(out, seqAt, end);
  out.set(template.sender, end);
  end += template.sender.length;
  out.set(time.bytes, end);
  end += TIME_LENGTH;
  out.set(template.target, end);
  end += template.target.length;
  out.set(prefix.filled(), end);
  end += prefix.length;
  out.set(body.filled(), end);
  end += body.length;
  const sum = template.sum + type.sum + digitsSum + seqSum + time.sum + prefix.sum + body.sum;
  return writeCheckSum(out, end, sum);
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

import { STANDARD_PAIRS } from '../codec/text-form.js';

const SOH = 1;
const BAR = 0x7c;
const EQUALS = 0x3d;
const STAR = 0x2a;

/** Password(554), NewPassword(925), RawData(96), and their encrypted forms: what no log should show. A venue may have more. */
export const SECRET_TAGS: ReadonlySet<number> = new Set([96, 554, 925, 1402, 1404]);

/** Replaces each byte of a value by `*`, in place: lengths, and so BodyLength(9), stay right; CheckSum(10) does not. */
export type Redactor = (bytes: Uint8Array, start: number, end: number) => void;

/**
 * Redacts the values of `tags` in a message, in input that is none, and in texts that quote one: such a value ends at the separator SOH, in
 * what has none where `|` is followed by the next tag; a data field where its length says, if that is further. In other values one of `tags`
 * is found behind any separator. `mask` replaces bytes start..end in place; by default each by `*`.
 */
export function redactor(tags: Iterable<number>, mask: Redactor = stars): Redactor {
  const secret = new Set(tags);
  return (bytes, start, end) => {
    const hasSoh = bytes.subarray(start, end).includes(SOH);
    let length = Number.NaN;
    let lengthTag = 0;
    for (let at = start; at < end; ) {
      let tag = 0;
      let equalsAt = at;
      for (; equalsAt < end && isDigit(bytes[equalsAt]!); equalsAt++) tag = tag * 10 + bytes[equalsAt]! - 0x30;
      const isField = equalsAt > at && equalsAt < end && bytes[equalsAt] === EQUALS;
      const isSecret = isField && secret.has(tag);
      // In a message `|` is a character like any other, and may be followed by what looks like a tag.
      let valueEnd =
        isSecret && hasSoh
          ? endAtSoh(bytes, equalsAt, end)
          : endOfValue(bytes, equalsAt, end, isSecret ? NO_TAGS : secret);
      if (isSecret) {
        const byLength = STANDARD_PAIRS.dataTagAfter(lengthTag) === tag ? equalsAt + 1 + length : 0;
        // A length that is wrong hides more, never less.
        if (byLength > valueEnd) valueEnd = Math.min(byLength, end);
        mask(bytes, equalsAt + 1, valueEnd);
      }
      length = isField ? number(bytes, equalsAt + 1, valueEnd) : Number.NaN;
      lengthTag = tag;
      at = valueEnd + 1;
    }
  };
}

/** FIX text, separated by SOH or `|`, with each byte of the values of `secretTags` replaced by `*`. */
export function redact(text: string, secretTags: Iterable<number> = SECRET_TAGS): string {
  const bytes = Buffer.from(text);
  redactor(secretTags)(bytes, 0, bytes.length);
  return bytes.toString();
}

const NO_TAGS: ReadonlySet<number> = new Set();
const stars: Redactor = (bytes, start, end) => bytes.fill(STAR, start, end);

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function endAtSoh(bytes: Uint8Array, from: number, end: number): number {
  const at = bytes.indexOf(SOH, from);
  return at < 0 || at > end ? end : at;
}

/** SOH ends a value; so does `|` before `<digits>=`, as in a message that was written by hand, and any separator before one of `tags`. */
function endOfValue(bytes: Uint8Array, from: number, end: number, tags: ReadonlySet<number>): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] === SOH) return at;
    if (isDigit(bytes[at]!)) continue;
    let tag = 0;
    let next = at + 1;
    for (; next < end && isDigit(bytes[next]!); next++) tag = tag * 10 + bytes[next]! - 0x30;
    const isTag = next > at + 1 && bytes[next] === EQUALS;
    if (isTag && (bytes[at] === BAR || tags.has(tag))) return at;
  }
  return end;
}

function number(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    if (!isDigit(bytes[at]!)) return Number.NaN;
    value = value * 10 + bytes[at]! - 0x30;
  }
  return to > from && to - from <= 9 ? value : Number.NaN;
}

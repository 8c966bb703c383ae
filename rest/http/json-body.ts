/** A JSON body. Its numbers are decimals, so a number that JavaScript would not give back as it was sent is no number here. */
import { type Refusal, refuse } from '../../engine/domain/refusal.js';

/** Digits that a number is sure to keep. */
const MAX_DIGITS = 15;
/**
 * A number that may be no plain decimal, or a text that looks like one. It costs little and decides whether each number is
 * looked at: an exponent, a zero with a sign, many digits, or so small that JavaScript would write an exponent.
 */
const SUSPECT = /[[:,\s]-?(?:(?<=-)0|[\d.]{16}|\d[\d.]*[eE]|0\.000000)/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

export function jsonBody(text: string): { readonly fields: Readonly<Record<string, unknown>> } | Refusal {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      return refuse('VALIDATION_FAILED', 'The body must be a JSON object: fields in braces');
    }
    const duplicates = duplicateMembers(text);
    if (duplicates.length > 0) return refuseDuplicates(duplicates);
    return { fields: SUSPECT.test(text) ? JSON.parse(withDecimalsOnly(text)) : fields };
  } catch (error) {
    // What V8 says quotes the body.
    if (error instanceof SyntaxError) return refuse('VALIDATION_FAILED', 'The body is not valid JSON');
    throw error;
  }
}

/** Duplicates of one body that are named. */
const MAX_NAMED = 100;

/** Two values for one field: which of them is meant, only the sender knows. */
export function refuseDuplicates(names: readonly string[]): Refusal {
  const message = 'sent more than once: send it once';
  const fields = names.slice(0, MAX_NAMED).map((field) => ({ field, code: 'invalid_combination' as const, message }));
  return refuse('VALIDATION_FAILED', undefined, { fields });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;

/**
 * Names of members that an object has twice, as errors name fields: `beneficiary.name`. The text is valid JSON, and is read once, from left
 * to right: JSON.parse takes the last of two without an error.
 */
function duplicateMembers(json: string): string[] {
  const found: string[] = [];
  /** Of each object that is open: its names, and the last of them. */
  const open: { readonly names: Set<string>; last: string }[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === OPEN) open.push({ names: new Set(), last: '' });
    else if (character === CLOSE) open.pop();
    else if (character === QUOTE) {
      const start = at;
      at = endOfText(json, start);
      if (!isName(json, at + 1)) continue;
      const object = open[open.length - 1]!;
      const written = json.slice(start + 1, at);
      object.last = written.includes('\\') ? JSON.parse(`"${written}"`) : written;
      if (!object.names.has(object.last)) object.names.add(object.last);
      else if (found.length < MAX_NAMED) found.push(pathOf(open));
    }
  }
  return [...new Set(found)];
}

/** Where the text that begins with the quote at `start` has its other one. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at++;
  }
}

function isName(json: string, from: number): boolean {
  let at = from;
  while (json.charCodeAt(at) <= SPACE) at++;
  return json.charCodeAt(at) === COLON;
}

/** Fields lie no deeper than two objects; of a deeper member the outermost names are enough. */
const pathOf = (open: readonly { readonly last: string }[]): string =>
  open
    .slice(0, 4)
    .map(({ last }) => last)
    .join('.')
    .slice(0, 128);

/** Whether a number as sent is exactly the decimal that it reads: no exponent, at most 15 significant digits, no -0. */
export function isPlainDecimal(text: string): boolean {
  const number = Number(text);
  const significant = text.replace(/^-?[0.]*/, '').replace('.', '').length;
  return significant <= MAX_DIGITS && !/e/i.test(`${text} ${number}`) && !Object.is(number, -0);
}

// Any other number becomes infinite, which no schema takes: so it is named with all other faults of the body.
function withDecimalsOnly(json: string): string {
  return json.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') || isPlainDecimal(token) ? token : '1e999'));
}

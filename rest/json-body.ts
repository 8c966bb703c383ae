/** A JSON body. Its numbers are decimals, so a number that JavaScript would not give back as it was sent is no number here. */
import { type Refusal, refuse } from '../engine/domain/refusal.js';

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
    return { fields: SUSPECT.test(text) ? JSON.parse(withDecimalsOnly(text)) : fields };
  } catch (error) {
    // What V8 says quotes the body.
    if (error instanceof SyntaxError) return refuse('VALIDATION_FAILED', 'The body is not valid JSON');
    throw error;
  }
}

/** Whether a number as sent stands for the decimal that it reads: no exponent, at most 15 significant digits, no -0. */
export function isPlainDecimal(text: string): boolean {
  const number = Number(text);
  const significant = text.replace(/^-?[0.]*/, '').replace('.', '').length;
  return significant <= MAX_DIGITS && !/e/i.test(`${text} ${number}`) && !Object.is(number, -0);
}

// Any other number becomes infinite, which no schema takes: so it is named with all other faults of the body.
function withDecimalsOnly(json: string): string {
  return json.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') || isPlainDecimal(token) ? token : '1e999'));
}

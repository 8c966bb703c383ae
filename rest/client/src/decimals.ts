/** Decimals as strings: between the digits of the JSON text and the strings of the program there is no number. */
import { DECIMAL_FIELDS } from './openapi/document.js';

/**
 * A string, with the colon that makes it a name, or a number; what is between them stays as it is. A string without an end reaches to the end of
 * the text: else each of its characters would be tried as a beginning.
 */
const TOKENS = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"(\s*:)?|\\?$)|-?\d[\d.eE+-]*/g;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const EXPONENT = /^(-?)(\d+)\.?(\d*)[eE]([+-]?\d{1,3})$/;

/** The JSON text with each decimal in quotes: `{"amount":1.10}` is `{"amount":"1.10"}`. */
export const withTexts = (json: string): string =>
  eachValue(json, (token, text) => (text === undefined ? `"${withoutExponent(token)}"` : token));

/** The reverse. What is no decimal stays a string: ratewire names its field. */
export const withNumbers = (json: string): string =>
  eachValue(json, (token, text) => (text !== undefined && DECIMAL.test(text) ? text : token));

/** Replaces the strings and numbers that are values of decimal fields. */
function eachValue(json: string, replace: (token: string, text: string | undefined) => string): string {
  let isDecimal = false;
  return json.replace(TOKENS, (token: string, text: string | undefined, colon: string | undefined) => {
    if (colon === undefined) return isDecimal ? replace(token, text) : token;
    isDecimal = DECIMAL_FIELDS.has(text!);
    return token;
  });
}

/** JSON has 0.00000002 as 2e-8. */
function withoutExponent(token: string): string {
  const [, sign, whole = '', fraction = '', exponent] = EXPONENT.exec(token) ?? [];
  if (exponent === undefined) return token;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.slice(0, point).padEnd(point, '0') + (digits.length > point ? `.${digits.slice(point)}` : '');
}

/** What any text may be, at every door: how long, and of which characters. */

/** Longest text where a field has no maximum of its own, in characters (code points). */
export const TEXT_MAX = 255;

/** Longest id that is given out or accepted, in characters. */
export const ID_MAX = 64;

/** Characters as people count them, and not halves of them; a text of any length costs no more than one of `2 * max`. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

/** Printable ASCII, as most texts are. */
const PLAIN = /^[ -~]*$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Invisible, or changing how the characters around them are shown: terminals and pages would show another text than the stored one. */
const INVISIBLE = /[\p{Cs}\p{Co}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;
/** UAX #15, stream-safe text format: at most 30 non-starters in a row. The time of a normalisation grows with the square of the run. */
const LONG_RUN = /\p{M}{31}/u;

/**
 * What is wrong with the characters of a text that is not too long (see `isLongerThan`); undefined: nothing. Never normalises. Line breaks
 * are refused too, unless the text `hasLines`.
 */
export function characterFault(text: string, hasLines = false): string | undefined {
  if (PLAIN.test(text)) return undefined;
  if (CONTROL.test(hasLines ? text.replace(/\r?\n/g, ' ') : text))
    return hasLines
      ? 'line breaks are the only control characters'
      : 'send it without control characters and line breaks';
  if (INVISIBLE.test(text))
    return 'send it without bidirectional controls, private-use characters and halves of characters';
  return LONG_RUN.test(text) ? 'send it with at most 30 combining marks in a row' : undefined;
}

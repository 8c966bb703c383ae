/**
 * What a terminal does not show, or obeys, written as escapes: a description is a client's own text, and what was stored before such
 * characters were refused may have them.
 */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Line breaks stay: they are those of lists and of JSON itself. */
const UNSHOWN_BUT_BREAKS = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

const escapeSequence = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** For people, on several lines. */
export const shownText = (text: string): string => text.replace(UNSHOWN_BUT_BREAKS, escapeSequence);

/** For people, on one line. */
export const shownLine = (text: string): string => text.replace(UNSHOWN, escapeSequence);

/** Of JSON, which stays of the same value: two escapes for a character of two halves. */
export const shownJson = (json: string): string =>
  json.replace(UNSHOWN_BUT_BREAKS, (character) =>
    character.replace(/[\s\S]/g, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

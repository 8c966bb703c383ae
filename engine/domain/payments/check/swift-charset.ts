/** Which letters a text may have: plain ones where it leaves by SWIFT, after the nearest plain letter has taken each one's place. */
import { characterFault } from '../../core/text.js';

/** Letters that are no plain letter with an accent. */
const NEAREST: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ĸ: 'k',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': "'",
  '”': "'",
  '„': "'",
  '"': "'",
  '`': "'",
  '´': "'",
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  _: ' ',
  '\u00a0': ' ',
  '&': '+',
};
const SPECIAL = new RegExp(`[${Object.keys(NEAREST).join('').replace('-', '\\-')}]`, 'g');

/** Every letter as the nearest one of ASCII; what has none stays. */
function plainLetters(text: string): string {
  return text
    .replace(SPECIAL, (letter) => NEAREST[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC');
}

const X_SET = /^[A-Za-z0-9 /\-?:().,'+]*$/;

/** Han, kana of both widths, and the marks between them. */
const LOCAL = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u3000-\\u303f\\u30fb\\u30fc\\uff01-\\uff9f';
const IS_LOCAL = new RegExp(`[${LOCAL}]`, 'gu');
const NOT_LOCAL = new RegExp(`[^${LOCAL}]+`, 'gu');

/**
 * The text in SWIFT's X set, without its line breaks, other letters replaced by the nearest; the scripts of China and Japan stay where they are
 * allowed. Undefined: a character has no nearest one, or nothing is left.
 */
export function plainText(text: string, hasLocalScript = false): string | undefined {
  if (X_SET.test(text)) return text;
  const plain = (hasLocalScript ? text.replace(NOT_LOCAL, plainLetters) : plainLetters(text)).trim();
  return plain !== '' && X_SET.test(hasLocalScript ? plain.replace(IS_LOCAL, '') : plain) ? plain : undefined;
}

/** What is wrong with any text. Its length is checked first, because normalising a long text takes seconds. */
export function textFault(text: string): string | undefined {
  // Most texts are plain ASCII.
  if (/^[!-~]([ -~]*[!-~])?$/.test(text)) return undefined;
  const fault = characterFault(text);
  if (fault) return fault;
  if (text.trim() !== text) return 'send it without spaces in front and behind';
  if (text.normalize('NFC') !== text) return 'send it in Unicode normal form C (NFC)';
  return undefined;
}

/** Same name, however it is written: normal form, case and spaces do not count. */
export function isSameName(one: string, other: string): boolean {
  const folded = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  return folded(one) === folded(other);
}

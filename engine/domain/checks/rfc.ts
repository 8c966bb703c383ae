import { compact, WRONG_CHECK_DIGIT } from './written.js';

/**
 * RFC, tax number of Mexico: letters of the name (a person 4, a company 3), date of birth or founding, three of the tax office, the last
 * a check character. A person's may be written without these three. Takes the written form.
 */
export function rfcFault(value: string): string | undefined {
  const rfc = compact(value.replace(/ñ/g, 'Ñ'), '_.,:/');
  if (!/^([A-ZÑ&]{4}\d{6}([\dA-Z]{3})?|[A-ZÑ&]{3}\d{6}[\dA-Z]{3})$/.test(rfc))
    return 'an RFC has letters, six digits of a date, three characters';
  return undefined;
}

/** Whether the check character is right. */
export function rfcCheckFault(value: string): string | undefined {
  const rfc = compact(value.replace(/ñ/g, 'Ñ'), '_.,:/');
  return rfc.length > 10 && checkCharacter(rfc.slice(0, -1)) !== rfc.at(-1) ? WRONG_CHECK_DIGIT : undefined;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/** A company's is a person's with a space before it. */
function checkCharacter(base: string): string {
  const padded = base.padStart(12);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 1) sum += ALPHABET.indexOf(padded[at]!) * (13 - at);
  return '0123456789A'[(11 - (sum % 11)) % 11]!;
}

import { compact, WRONG_CHECK_DIGIT } from './written.js';

/**
 * RFC, tax number of Mexico: letters of the name (a person four, a company three), a date, three characters of the tax office. A person's
 * may be written without these three. The last is a check character; about one RFC in sixty was issued with a wrong one, so that is
 * `rfcCheckFault`, a warning. Takes the written form.
 */
export function rfcFault(value: string): string | undefined {
  const rfc = compactRfc(value);
  const parts = /^([A-ZÑ&]{3,4})(\d{6})([\dA-Z]{3})?$/.exec(rfc);
  if (!parts || rfc.length === 9) return 'an RFC has three or four letters, six digits of a date, three characters';
  const [, letters, date] = parts;
  if (NEVER_ISSUED.has(letters!)) return 'no RFC begins with these letters';
  return isDate(date!) ? undefined : 'the six digits are no date';
}

/** Whether the check character of a right RFC is right. */
export function rfcCheckFault(value: string): string | undefined {
  const rfc = compactRfc(value);
  return rfc.length > 10 && checkCharacter(rfc.slice(0, -1)) !== rfc.at(-1) ? WRONG_CHECK_DIGIT : undefined;
}

function compactRfc(value: string): string {
  return compact(value, '_').replace(/ñ/g, 'Ñ');
}

/** YYMMDD. The century is not written, so 29 February of 1900 passes as that of 2000. */
function isDate(date: string): boolean {
  const month = Number(date.slice(2, 4));
  const day = Number(date.slice(4));
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(2000 + Number(date.slice(0, 2)), month, 0)).getUTCDate();
}

const ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/** A company's is a person's with a space before it. */
function checkCharacter(base: string): string {
  const padded = base.padStart(12);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 1) sum += ALPHABET.indexOf(padded[at]!) * (13 - at);
  return '0123456789A'[(11 - (sum % 11)) % 11]!;
}

/** The tax office changes the last letter of a person's four where they would make one of these words. */
const NEVER_ISSUED: ReadonlySet<string> = new Set(
  `BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COJA COJE COJI COJO CULO FETO GUEY JOTO KACA KACO KAGA KAGO KAKA KOGE KOJO KULO MAME
  MAMO MEAR MEAS MEON MION MOCO MULA PEDA PEDO PENE PUTA PUTO QULO RATA RUIN`.split(/\s+/),
);

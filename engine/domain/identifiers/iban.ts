import { ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { compact } from './written.js';

/**
 * IBAN, ISO 13616: country known, length and structure of the country, mod-97. Takes the written form. The national check digits inside
 * are `ibanNationalFault`'s: banks have issued numbers without them, so they warn and do not refuse.
 */
export function ibanFault(value: string): string | undefined {
  const iban = compact(value);
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/.test(iban))
    return 'not an IBAN: two letters, two digits, up to 30 letters and digits';
  if (iban.slice(2, 4) < '02' || iban.slice(2, 4) > '98') return WRONG_MOD_97;
  if (isOtherUnregistered(iban)) return mod97(iban) === 1 ? undefined : WRONG_MOD_97;

  const { errorCodes } = validateIBAN(iban);
  for (const [code, fault] of FAULTS) if (errorCodes.includes(code)) return fault;
  return undefined;
}

/** What the national check digits within a right IBAN say; undefined also where the country has none. */
export function ibanNationalFault(value: string): string | undefined {
  const iban = compact(value);
  if (ibanFault(iban) !== undefined) return undefined;
  if (iban.startsWith('BE')) return belgianFault(iban.slice(4));
  return validateIBAN(iban).errorCodes.includes(ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
    ? WRONG_NATIONAL
    : undefined;
}

const WRONG_MOD_97 = 'wrong check digits (mod 97)';
const WRONG_NATIONAL = 'wrong national check digits';

const FAULTS: readonly (readonly [ValidationErrorsIBAN, string])[] = [
  [ValidationErrorsIBAN.NoIBANProvided, 'no IBAN'],
  [ValidationErrorsIBAN.NoIBANCountry, 'this country has no IBAN'],
  [ValidationErrorsIBAN.WrongBBANLength, 'wrong length for its country'],
  [ValidationErrorsIBAN.WrongBBANFormat, 'wrong structure for its country'],
  [ValidationErrorsIBAN.ChecksumNotNumber, WRONG_MOD_97],
  [ValidationErrorsIBAN.WrongIBANChecksum, WRONG_MOD_97],
];

/** Countries outside SWIFT's registry use IBANs of more than one form; ibantools knows one of them, this is the other. */
const OTHER_UNREGISTERED = /^(BF\d{25}|DZ\d{22}|SN\d{2}[A-Z]\d{23})$/;

function isOtherUnregistered(iban: string): boolean {
  return OTHER_UNREGISTERED.test(iban);
}

function mod97(iban: string): number {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const number = Number.parseInt(character, 36);
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97;
  }
  return remainder;
}

/** Bank (3), account (7) and two check digits: the first ten mod 97, 97 for 0. ibantools lets some wrong ones pass. */
function belgianFault(bban: string): string | undefined {
  const remainder = Number(bban.slice(0, 10)) % 97;
  return Number(bban.slice(10)) === (remainder === 0 ? 97 : remainder) ? undefined : WRONG_NATIONAL;
}

/** IBAN: country, length, structure and check digits, and the national check digits within. */
import { IBAN_STRUCTURES } from '../../data/directories.js';
import { compact, weightedSum } from './identifier-normalisation.js';

/** Digits, capitals, or either, as the registry names them. */
const KINDS = {
  n: { of: 'digits', pattern: '\\d', zero: '0' },
  a: { of: 'letters', pattern: '[A-Z]', zero: 'A' },
  c: { of: 'letters or digits', pattern: '[A-Z\\d]', zero: '0' },
} as const;

interface Structure {
  /** Of the whole IBAN. */
  readonly length: number;
  /** What follows the country and two check digits. */
  readonly form: RegExp;
  /** The same in words: `4 letters, 16 letters or digits`. */
  readonly is: string;
  readonly zeros: string;
}

const STRUCTURES: ReadonlyMap<string, Structure> = new Map(
  IBAN_STRUCTURES.split(/\s+/).map((entry) => {
    const [country = '', structure = ''] = entry.split('=');
    const parts = [...structure.matchAll(/(\d+)!([nac])/g)].map(([, count, kind]) => ({
      count: Number(count),
      ...KINDS[kind as keyof typeof KINDS],
    }));
    const length = parts.reduce((sum, { count }) => sum + count, 4);
    const form = new RegExp(`^${parts.map(({ count, pattern }) => `${pattern}{${count}}`).join('')}$`);
    const is = parts.map(({ count, of }) => `${count} ${of}`).join(', ');
    return [country, { length, form, is, zeros: parts.map(({ count, zero }) => zero.repeat(count)).join('') }];
  }),
);

/** Territories whose accounts have the IBANs of another country: the registry's entries of FI, FR and GB name them; SJ is Norway's. */
const IBANS_OF: Readonly<Record<string, string>> = {
  AX: 'FI',
  BL: 'FR',
  GF: 'FR',
  GG: 'GB',
  GP: 'FR',
  IM: 'GB',
  JE: 'GB',
  MF: 'FR',
  MQ: 'FR',
  NC: 'FR',
  PF: 'FR',
  PM: 'FR',
  RE: 'FR',
  SJ: 'NO',
  TF: 'FR',
  WF: 'FR',
  YT: 'FR',
};

/** The country that an account's IBAN names; undefined: no IBANs there. */
export function ibanCountryOf(country: string): string | undefined {
  return IBANS_OF[country] ?? (STRUCTURES.has(country) ? country : undefined);
}

/** An IBAN of the country's form that belongs to no account: zeros, and `A` where only letters are allowed. */
export function ibanExample(country: string): string {
  const { zeros } = STRUCTURES.get(country)!;
  return `${country}${String(98 - mod97(`${country}00${zeros}`)).padStart(2, '0')}${zeros}`;
}

/**
 * IBAN, ISO 13616: country known, length and structure of the country by SWIFT's registry, mod-97 (ISO 7064). Takes the written form. The
 * national check digits inside are `ibanNationalFault`'s: banks have issued numbers without them, so they warn and do not refuse.
 */
export function ibanFault(value: string): string | undefined {
  const iban = compact(value);
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/.test(iban))
    return 'not an IBAN: two letters, two digits, up to 30 letters and digits';
  if (iban.slice(2, 4) < '02' || iban.slice(2, 4) > '98') return WRONG_MOD_97;
  const country = iban.slice(0, 2);
  const structure = STRUCTURES.get(ibanCountryOf(country) ?? '');
  if (structure === undefined) return `this country has no IBAN: ${country} is not in SWIFT's registry`;
  const { length, form, is } = structure;
  if (iban.length !== length)
    return `wrong length for its country: ${iban.length} characters, and ${country} has ${length}`;
  if (!form.test(iban.slice(4)))
    return `wrong structure for its country: behind ${iban.slice(0, 4)} ${country} has ${is}`;
  return mod97(iban) === 1 ? undefined : WRONG_MOD_97;
}

/** What the national check digits within a right IBAN say; undefined also where the country has none. */
export function ibanNationalFault(value: string): string | undefined {
  const iban = compact(value);
  const isRight = NATIONAL[iban.slice(0, 2)];
  return isRight === undefined || ibanFault(iban) !== undefined || isRight(iban.slice(4)) ? undefined : WRONG_NATIONAL;
}

const WRONG_MOD_97 = 'wrong check digits (mod 97)';
const WRONG_NATIONAL = 'wrong national check digits';

/** The remainder of the digits, letters counted as 10 to 35, with the first four characters at the end. */
function mod97(iban: string): number {
  return remainder97(iban.slice(4) + iban.slice(0, 4));
}

function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const number = Number.parseInt(character, 36);
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97;
  }
  return remainder;
}

type Check = (bban: string) => boolean;

/** ISO 7064 mod 97-10 over all of it: the national banks of these countries. */
const isMod97: Check = (bban) => remainder97(bban) === 1;

/** Bank (3), account (7) and two check digits: the first ten mod 97, 97 for 0 (Febelfin). */
const isBelgian: Check = (bban) => Number(bban.slice(10)) === (Number(bban.slice(0, 10)) % 97 || 97);

/** Clé RIB (Comité français d'organisation et de normalisation bancaires): letters count 1 to 9, the whole is a multiple of 97. */
const isFrench: Check = (bban) =>
  remainder97(
    bban.replace(/[A-Z]/g, (letter) => String(((letter.charCodeAt(0) - (letter < 'S' ? 65 : 64)) % 9) + 1)),
  ) === 0;

/** Prefix and number, each a multiple of 11 by weight (Czech National Bank, decree 169/2011; National Bank of Slovakia, decree 8/2009). */
const isCzech: Check = (bban) =>
  weightedSum(bban.slice(4, 10), CZECH.slice(4)) % 11 === 0 && weightedSum(bban.slice(10), CZECH) % 11 === 0;
const CZECH = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1];

/** Two check digits, of bank and branch and of the account (Banco de España, código cuenta cliente). */
const isSpanish: Check = (bban) =>
  bban[8] === spanishDigit(`00${bban.slice(0, 8)}`) && bban[9] === spanishDigit(bban.slice(10));
const spanishDigit = (digits: string): string => {
  const check = 11 - (weightedSum(digits, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11);
  return String(check === 11 ? 0 : check === 10 ? 1 : check);
};

/** Branch and account by 7-3-1 from the right (Estonian Banking Association). */
const isEstonian: Check = (bban) =>
  (10 - (weightedSum([...bban.slice(2, 15)].reverse().join(''), repeated([7, 3, 1], 13)) % 10)) % 10 ===
  Number(bban[15]);

/** Bank and account each by ISO 7064 mod 11,10 (Croatian National Bank). */
const isCroatian: Check = (bban) => isMod11And10(bban.slice(0, 7)) && isMod11And10(bban.slice(7));
function isMod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) product = (((product + Number(digit)) % 10 || 10) * 2) % 11;
  return (product + Number(digits.at(-1))) % 10 === 1;
}

/** Bank and branch, and the account, by 9-7-3-1 (Magyar Nemzeti Bank, pénzforgalmi jelzőszám). */
const isHungarian: Check = (bban) =>
  [bban.slice(0, 8), bban.slice(8)].every((part) => weightedSum(part, repeated([9, 7, 3, 1], part.length)) % 10 === 0);

/** Mod 11 over the account; where its fifth and sixth digits are 0, also over the last digits alone (Bits, Norway). */
const isNorwegian: Check = (bban) =>
  [bban, bban.slice(4, 6) === '00' ? `000000${bban.slice(6)}` : bban].some(
    (counted) => weightedSum(counted, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  );

/** The number of the bank's branch by 3-9-7-1 (Narodowy Bank Polski). */
const isPolish: Check = (bban) => weightedSum(bban, [3, 9, 7, 1, 3, 9, 7, 1]) % 10 === 0;

const repeated = (weights: readonly number[], count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => weights[at % weights.length]!);

const NATIONAL: Readonly<Record<string, Check>> = {
  BA: isMod97,
  BE: isBelgian,
  CZ: isCzech,
  EE: isEstonian,
  ES: isSpanish,
  FR: isFrench,
  HR: isCroatian,
  HU: isHungarian,
  MC: isFrench,
  ME: isMod97,
  MK: isMod97,
  NO: isNorwegian,
  PL: isPolish,
  PT: isMod97,
  RS: isMod97,
  SI: isMod97,
  SK: isCzech,
};

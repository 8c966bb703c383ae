/** Numbers of persons and companies in Latin America; most have check digits. */
import { compact, isOneCharacter, WRONG_CHECK_DIGIT, weightedSum } from './identifier-normalisation.js';

/** Cédula de ciudadanía, Colombia: 6 to 10 digits, no check digit. Takes the written form (spaces, dots, dashes). */
export function ccFault(value: string): string | undefined {
  return isSixToTenDigits(value) ? undefined : 'a CC has 6 to 10 digits';
}

/** Cédula de extranjería, Colombia: 6 to 10 digits, no check digit. Takes the written form (spaces, dots, dashes). */
export function ceFault(value: string): string | undefined {
  return isSixToTenDigits(value) ? undefined : 'a CE has 6 to 10 digits';
}

function isSixToTenDigits(value: string): boolean {
  return /^\d{6,10}$/.test(compact(value, '.,'));
}

/** CI, identity card: Ecuador 10 digits, Uruguay 7 or 8 digits, Bolivia 5 to 10 digits with complement and department. */
export function ciFault(value: string, country: 'EC' | 'UY' | 'BO'): string | undefined {
  const ci = compact(value, '.');
  if (country === 'EC') return ecuadorianFault(ci);
  return country === 'UY' ? ciUruguayanFault(ci) : bolivianFault(ci);
}

/** Province (01 to 24, 30 and 50 for holders abroad), kind (0 to 6), check digit: every other digit doubled, as Luhn's. */
function ecuadorianFault(ci: string): string | undefined {
  if (!/^\d{10}$/.test(ci)) return 'a CI has 10 digits';
  if (!isProvince(ci)) return 'no province has these first two digits';
  if (Number(ci[2]) > 6) return 'the third digit is above 6';
  let sum = 0;
  for (let at = 0; at < ci.length; at += 1) {
    const product = Number(ci[at]) * (2 - (at % 2));
    sum += product > 9 ? product - 9 : product;
  }
  return sum % 10 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

/** Whether the first two digits of a CI or RUC of Ecuador are a province's. */
function isProvince(number: string): boolean {
  const province = number.slice(0, 2);
  return (province >= '01' && province <= '24') || province === '30' || province === '50';
}

/** The old numbers of six digits and their check digit are written with or without the leading zero. */
function ciUruguayanFault(ci: string): string | undefined {
  if (!/^\d{7,8}$/.test(ci)) return 'a CI has 7 or 8 digits with its check digit';
  const digits = ci.padStart(8, '0');
  return (10 - (weightedSum(digits, CI_URUGUAYAN) % 10)) % 10 === Number(digits[7]) ? undefined : WRONG_CHECK_DIGIT;
}

const CI_URUGUAYAN = [2, 9, 8, 7, 6, 3, 4];

/** No check digit: the number, a complement where two persons had the same one, the department that issued it. */
function bolivianFault(ci: string): string | undefined {
  return /^\d{5,10}(\d[A-Z])?(LP|CB|CH|OR|PT|PO|TJ|SC|SCZ|BE|BN|PA|PD|PN|QR)?$/.test(ci)
    ? undefined
    : 'a CI has 5 to 10 digits';
}

/**
 * CNPJ, tax number of a company in Brazil: twelve digits (since July 2026 letters too, each worth its ASCII code less 48) and two check
 * digits of mod 11, not all equal. Takes the written form (spaces, dots, slash, dashes).
 */
export function cnpjFault(value: string): string | undefined {
  const cnpj = compact(value, './');
  if (!/^[A-Z\d]{12}\d{2}$/.test(cnpj)) return 'a CNPJ has 12 digits or letters and 2 check digits';
  if (isOneCharacter(cnpj)) return 'all digits are equal';
  const base = cnpj.slice(0, 12);
  const first = cnpjCheckDigit(base);
  return cnpj.endsWith(first + cnpjCheckDigit(base + first)) ? undefined : WRONG_CHECK_DIGIT;
}

/** Weights 2 to 9 from the right, and again. */
function cnpjCheckDigit(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += (text.charCodeAt(at) - 48) * (((text.length - 1 - at) % 8) + 2);
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

/** CPF, tax number of a person in Brazil: nine digits and two of mod 11, not all equal. Takes the written form (spaces, dots, dashes). */
export function cpfFault(value: string): string | undefined {
  const digits = compact(value, '.');
  if (!/^\d{11}$/.test(digits)) return 'a CPF has 11 digits';
  if (isOneCharacter(digits)) return 'all digits are equal';
  return digits.endsWith(twoCheckDigits(digits.slice(0, 9))) ? undefined : WRONG_CHECK_DIGIT;
}

function twoCheckDigits(base: string): string {
  const first = cpfCheckDigit(base);
  return first + cpfCheckDigit(base + first);
}

/** Weights 2, 3, 4, ... from the right. */
function cpfCheckDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[at]) * (digits.length + 1 - at);
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

/** CUIT and CUIL, tax and social numbers of Argentina: prefix of the kind of holder, eight digits, check digit of mod 11. */
export function cuitFault(value: string): string | undefined {
  const digits = compact(value, '.');
  if (!/^\d{11}$/.test(digits)) return 'a CUIT or CUIL has 11 digits';
  if (!PREFIXES.has(digits.slice(0, 2))) return 'no holder has these first two digits';
  return cuitCheckDigit(digits) === digits[10] ? undefined : WRONG_CHECK_DIGIT;
}

/** 20 to 27 persons, 30 to 34 companies, 50 to 55 holders abroad. */
const PREFIXES: ReadonlySet<string> = new Set(['20', '23', '24', '25', '26', '27', '30', '33', '34', '50', '51', '55']);

const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** 10 does not fit into a digit and is written 9. */
function cuitCheckDigit(digits: string): string {
  const check = (11 - (weightedSum(digits, CUIT_WEIGHTS) % 11)) % 11;
  return check === 10 ? '9' : String(check);
}

/** DNI: Argentina 7 or 8 digits, no check digit; Peru 8 digits and, where written, a check digit or letter. */
export function dniFault(value: string, country: 'AR' | 'PE'): string | undefined {
  const dni = compact(value, '.');
  return country === 'AR' ? argentineFault(dni) : dniPeruvianFault(dni);
}

function argentineFault(dni: string): string | undefined {
  return /^\d{7,8}$/.test(dni) ? undefined : 'a DNI has 7 or 8 digits';
}

function dniPeruvianFault(dni: string): string | undefined {
  if (!/^\d{8}[\dA-K]?$/.test(dni)) return 'a DNI has 8 digits and at most a check digit or letter';
  if (dni.length === 8) return undefined;
  const remainder = weightedSum(dni, DNI_WEIGHTS) % 11;
  return dni[8] === CHECK_DIGITS[remainder] || dni[8] === CHECK_LETTERS[remainder] ? undefined : WRONG_CHECK_DIGIT;
}

const DNI_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const CHECK_DIGITS = '65432110987';
const CHECK_LETTERS = 'KJIHGFEDCBA';

/** NIT, tax number of Colombia: 7 to 15 digits and one of mod 11 over primes. Takes the written form (spaces, dots, commas, dashes). */
export function nitFault(value: string): string | undefined {
  const digits = compact(value, '.,');
  if (!/^\d{8,16}$/.test(digits)) return 'a NIT has 8 to 16 digits with its check digit';
  return nitCheckDigit(digits.slice(0, -1)) === digits.at(-1) ? undefined : WRONG_CHECK_DIGIT;
}

/** From the right. */
const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

function nitCheckDigit(base: string): string {
  let sum = 0;
  for (let at = 0; at < base.length; at += 1) sum += Number(base[base.length - 1 - at]) * NIT_WEIGHTS[at]!;
  const remainder = sum % 11;
  return String(remainder < 2 ? remainder : 11 - remainder);
}

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

/** RUC, tax number of Peru, Ecuador and Paraguay. Takes the written form (spaces, dots, dashes). */
export function rucFault(value: string, country: 'PE' | 'EC' | 'PY'): string | undefined {
  const ruc = compact(value, '.');
  if (country === 'PE') return rucPeruvianFault(ruc);
  return country === 'EC' ? rucEcuadorianFault(ruc) : paraguayanFault(ruc);
}

/** Kind of holder, eight digits, check digit of mod 11. */
function rucPeruvianFault(ruc: string): string | undefined {
  if (!/^\d{11}$/.test(ruc)) return 'a RUC has 11 digits';
  if (!PERUVIAN_KINDS.has(ruc.slice(0, 2))) return 'no kind of holder has these first two digits';
  return (11 - (weightedSum(ruc, PERUVIAN) % 11)) % 10 === Number(ruc[10]) ? undefined : WRONG_CHECK_DIGIT;
}

const PERUVIAN_KINDS: ReadonlySet<string> = new Set(['10', '15', '16', '17', '20']);
const PERUVIAN = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/**
 * The third digit is the kind: 0 to 5 a person, 6 a public body or a person, 9 a company. The SRI gives companies numbers without a check digit,
 * so of theirs the form alone is checked.
 */
function rucEcuadorianFault(ruc: string): string | undefined {
  if (!/^\d{13}$/.test(ruc)) return 'a RUC has 13 digits';
  if (!isProvince(ruc)) return 'no province has these first two digits';
  if (ruc[2]! < '6') return personFault(ruc);
  if (ruc[2] === '6') return publicBodyFault(ruc) && personFault(ruc);
  if (ruc[2] !== '9') return `the third digit is ${ruc[2]}: no kind of holder has it`;
  return ruc.endsWith('000') ? NO_ESTABLISHMENT : undefined;
}

function personFault(ruc: string): string | undefined {
  return ruc.endsWith('000') ? NO_ESTABLISHMENT : ecuadorianFault(ruc.slice(0, 10));
}

function publicBodyFault(ruc: string): string | undefined {
  if (ruc.endsWith('0000')) return NO_ESTABLISHMENT;
  return weightedSum(ruc, PUBLIC_BODY) % 11 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

const NO_ESTABLISHMENT = 'the number of the establishment is zero';
const PUBLIC_BODY = [3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Two to eight digits, a letter where persons had the same identity number, a check digit of mod 11 by the DNIT's algorithm: a letter counts as
 * the digits of its ASCII code, weights are 2 to 11 from the right and again, 10 and 11 are written 0.
 */
function paraguayanFault(ruc: string): string | undefined {
  if (!/^\d{2,8}[A-Z]?\d$/.test(ruc)) return 'a RUC has 2 to 8 digits, at most one letter, and a check digit';
  const counted = ruc.slice(0, -1).replace(/[A-Z]/, (letter) => String(letter.charCodeAt(0)));
  let sum = 0;
  for (let at = 0; at < counted.length; at += 1) sum += Number(counted[counted.length - 1 - at]) * (2 + (at % 10));
  return ((11 - (sum % 11)) % 11) % 10 === Number(ruc.at(-1)) ? undefined : WRONG_CHECK_DIGIT;
}

/** RUT, tax number of Chile (7 or 8 digits and one of mod 11, K for 10) and of Uruguay (12 digits). Takes the written form. */
export function rutFault(value: string, country: 'CL' | 'UY'): string | undefined {
  const rut = compact(value, '.');
  const national = rut.startsWith(country) ? rut.slice(2) : rut;
  return country === 'CL' ? chileanFault(national) : rutUruguayanFault(national);
}

function chileanFault(rut: string): string | undefined {
  if (!/^\d{7,8}[\dK]$/.test(rut)) return 'a RUT has 7 or 8 digits and a check digit or K';
  return chileanCheck(rut.slice(0, -1)) === rut.at(-1) ? undefined : WRONG_CHECK_DIGIT;
}

/** Weights 2 to 7 from the right, and again. */
function chileanCheck(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * ((at % 6) + 2);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'K' : String(check);
}

/** Office of registration (01 to 22), six digits, 001, check digit. */
function rutUruguayanFault(rut: string): string | undefined {
  if (!/^\d{12}$/.test(rut)) return 'a RUT has 12 digits';
  if (rut < '01' || rut.slice(0, 2) > '22') return 'no office has these first two digits';
  if (rut.slice(2, 8) === '000000') return 'digits 3 to 8 are all zero';
  if (rut.slice(8, 11) !== '001') return 'digits 9 to 11 are not 001';
  return (11 - (weightedSum(rut, RUT_URUGUAYAN) % 11)) % 11 === Number(rut[11]) ? undefined : WRONG_CHECK_DIGIT;
}

const RUT_URUGUAYAN = [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

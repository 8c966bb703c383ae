/**
 * What is sent about remitter and beneficiary: documents by kind and number (G13), dates against today (G7), and the purpose against who pays
 * whom (G14, G15).
 */

import {
  ccFault,
  ceFault,
  ciFault,
  cnpjFault,
  cpfFault,
  cuitFault,
  dniFault,
  nitFault,
  rfcFault,
  rucFault,
  rutFault,
} from '../../beneficiaries/identifiers/tax-ids-americas.js';
import {
  jpCorporateFault,
  orgCodeFault,
  passportFault,
  uenFault,
  usccFault,
} from '../../beneficiaries/identifiers/tax-ids-asia-pacific.js';
import type { IdentificationCheck } from '../corridors/corridor.js';
import type { BeneficiaryIdentificationType } from '../corridors/words.js';
import type { Examined } from './context.js';
import { isSameName } from './swift-charset.js';

export function checkIdentification(examined: Examined): void {
  const { submitted, found } = examined;
  const fault = remitterFault(
    submitted.text('remitter.identificationType'),
    submitted.text('remitter.identificationNumber'),
    yearOf(examined),
  );
  if (fault) found.add('remitter.identificationNumber', 'incorrect_format', fault, 'G13');
  checkBeneficiary(examined);
}

function checkBeneficiary(examined: Examined): void {
  const { submitted, found, corridor, circumstances, country } = examined;
  const sent = submitted.text('beneficiary.identificationType');
  if (sent === undefined || corridor === undefined) return;
  const { identification } = corridor;
  const rule = `${corridor.country}.identification`;
  // The same document by its two names.
  const type = (sent === 'Passport' ? 'PASS' : sent) as BeneficiaryIdentificationType;
  const party = circumstances.beneficiary ?? 'Individual';
  if (!identification[party].includes(type)) {
    const kinds = identification[party].join(', ');
    const isOfOther = identification[party === 'Company' ? 'Individual' : 'Company'].includes(type);
    const text = `for ${party} ${country ?? corridor.country} takes ${kinds}`;
    found.add('beneficiary.identificationType', isOfOther ? 'invalid_combination' : 'incorrect_value', text, rule);
    return;
  }
  const number = submitted.text('beneficiary.identificationValue');
  if (number === undefined) return;
  const fault =
    type === 'Company Registration No.' && identification.registration
      ? registrationFault(identification.registration.check, number, yearOf(examined))
      : documentFault(type, number, country ?? corridor.country);
  if (fault) found.add('beneficiary.identificationValue', 'incorrect_format', fault, 'G13');
}

const yearOf = ({ context }: Examined): number => new Date(context.now).getUTCFullYear();

/** A number for which no check exists. */
const ANY_NUMBER = /^[A-Za-z0-9][A-Za-z0-9 ./&-]{0,63}$/;
const anyFault = (number: string): string | undefined =>
  ANY_NUMBER.test(number) ? undefined : '1 to 64 letters, digits, spaces and . / & -';

/** ACRA is Singapore's register; CCPT a passport, by ISO 20022. */
function remitterFault(type: string | undefined, number: string | undefined, year: number): string | undefined {
  if (type === undefined || number === undefined) return undefined;
  if (type === 'ACRA') return uenFault(number, year);
  return type === 'CCPT' ? passportFault(number) : anyFault(number);
}

function registrationFault(check: IdentificationCheck, number: string, year: number): string | undefined {
  switch (check) {
    case 'uen':
      return uenFault(number, year);
    case 'rfc':
      return rfcFault(number);
    case 'jp corporate':
      return jpCorporateFault(number);
  }
}

function documentFault(type: BeneficiaryIdentificationType, number: string, country: string): string | undefined {
  switch (type) {
    case 'CPF':
      return cpfFault(number);
    case 'CNPJ':
      return cnpjFault(number);
    case 'CUIT':
    case 'CUIL':
      return cuitFault(number);
    case 'DNI':
      return dniFault(number, country === 'PE' ? 'PE' : 'AR');
    case 'RUT':
      return rutFault(number, country === 'UY' ? 'UY' : 'CL');
    case 'CC':
      return ccFault(number);
    case 'CE':
      return ceFault(number);
    case 'NIT':
      return nitFault(number);
    case 'RUC':
      return rucFault(number, country === 'PE' || country === 'EC' ? country : 'PY');
    case 'CI':
      return ciFault(number, country === 'EC' || country === 'UY' ? country : 'BO');
    case 'Company Social Credit Code':
      return usccFault(number);
    case 'Company Organization Code':
      return orgCodeFault(number);
    case 'PASS':
    case 'Passport':
      return passportFault(number);
    case 'Company Registration No.':
      return anyFault(number);
  }
}

export function checkDates({ submitted, found, circumstances, context }: Examined): void {
  const today = new Date(context.now).toISOString().slice(0, 10);
  for (const field of ['remitter.dob', 'beneficiary.dob'] as const) {
    const dob = submitted.text(field);
    if (dob === undefined || found.has(field)) continue;
    if (dob >= today) {
      found.add(field, 'incorrect_value', 'a day in the past', 'G7');
    } else if (field === 'remitter.dob' && circumstances.remitter === 'Individual') {
      const age = ageOn(today, dob);
      if (age < 18 || age > 120) found.add(field, 'incorrect_value', 'a person who pays is 18 to 120 years old', 'G7');
    }
  }
  const expiry = submitted.text('beneficiary.cardExpiryDate');
  if (expiry !== undefined && expiry < today.slice(0, 7))
    found.add('beneficiary.cardExpiryDate', 'incorrect_value', 'the card has expired', 'G7');
}

/** In full years; both as YYYY-MM-DD. */
function ageOn(today: string, dob: string): number {
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4));
  return today.slice(5) < dob.slice(5) ? years - 1 : years;
}

/** Between persons, or a person and a company; never from company to company. */
const PERSONAL: ReadonlySet<string> = new Set(['IR002', 'IR003', 'IR004', 'IR005', 'IR006', 'IR017']);

export function checkPurpose({ submitted, found, circumstances, context }: Examined): void {
  const purpose = submitted.text('remitter.purposeCode');
  if (purpose === undefined) return;
  const { remitter, beneficiary } = circumstances;
  const say = (text: string, rule: string) => found.add('remitter.purposeCode', 'invalid_combination', text, rule);
  if (purpose === 'IR001') {
    const from = submitted.text('remitter.name') ?? context.clientName;
    const to = submitted.text('beneficiary.name');
    if (from !== undefined && to !== undefined && !isSameName(from, to))
      say("own account: the beneficiary's name has to be the remitter's", 'G14');
  }
  if (PERSONAL.has(purpose) && remitter === 'Company' && beneficiary === 'Company')
    say('not for a payment from company to company', 'G15');
  if (purpose.startsWith('IR018') && remitter === 'Individual' && beneficiary === 'Individual')
    say('needs a company on one side', 'G15');
}

/** Documents: a kind that the corridor takes, a number that is right for its kind (G13). */

import type { IdentificationCheck } from '../corridors/corridor.js';
import type { BeneficiaryIdentificationType } from '../corridors/words.js';
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
} from '../identifiers/tax-ids-americas.js';
import {
  jpCorporateFault,
  orgCodeFault,
  passportFault,
  uenFault,
  usccFault,
} from '../identifiers/tax-ids-asia-pacific.js';
import type { Examined } from './context.js';

export function checkIdentification(examined: Examined): void {
  const { given, found } = examined;
  const fault = remitterFault(
    given.text('remitter.identificationType'),
    given.text('remitter.identificationNumber'),
    yearOf(examined),
  );
  if (fault) found.add('remitter.identificationNumber', 'incorrect_format', fault, 'G13');
  checkBeneficiary(examined);
}

function checkBeneficiary(examined: Examined): void {
  const { given, found, corridor, circumstances, country } = examined;
  const sent = given.text('beneficiary.identificationType');
  if (sent === undefined || corridor === undefined) return;
  const { identification } = corridor;
  const rule = `${corridor.country}.identification`;
  // The same document by its two names.
  const type = (sent === 'Passport' ? 'PASS' : sent) as BeneficiaryIdentificationType;
  const party = circumstances.beneficiary ?? 'Individual';
  if (!identification[party].includes(type)) {
    const kinds = identification[party].join(', ');
    const isOfOther = identification[party === 'Company' ? 'Individual' : 'Company'].includes(type);
    const text = `for ${party} ${corridor.country} takes ${kinds}`;
    found.add('beneficiary.identificationType', isOfOther ? 'invalid_combination' : 'incorrect_value', text, rule);
    return;
  }
  const number = given.text('beneficiary.identificationValue');
  if (number === undefined) return;
  const fault =
    type === 'Company Registration No.' && identification.registration
      ? registrationFault(identification.registration.check, number, yearOf(examined))
      : documentFault(type, number, country ?? corridor.country);
  if (fault) found.add('beneficiary.identificationValue', 'incorrect_format', fault, 'G13');
}

const yearOf = ({ context }: Examined): number => new Date(context.now).getUTCFullYear();

/** A number that nobody has a check for. */
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

/** The account, wallet or card that is paid: its form by the corridor, and its check digits (G11). */

import { luhnFault, nubanFault, nzAccountFault } from '../../beneficiaries/identifiers/account-numbers.js';
import { clabeFault } from '../../beneficiaries/identifiers/bank-codes.js';
import { ibanFault, ibanNationalFault } from '../../beneficiaries/identifiers/iban.js';
import { compact } from '../../beneficiaries/identifiers/identifier-normalisation.js';
import { cnpjFault, cpfFault } from '../../beneficiaries/identifiers/tax-ids-americas.js';
import { ukModulusFault } from '../../beneficiaries/identifiers/uk-modulus.js';
import type { Account, AccountCheck } from '../corridors/corridor.js';
import { isSepaCountry } from '../corridors/countries.js';
import type { Examined } from './context.js';
import type { Codes } from './routing.js';

export function checkAccount(examined: Examined, codes: Codes): void {
  const { version, method, corridor, submitted, found } = examined;
  if (corridor !== undefined && method === 'BANK')
    checkOne(examined, 'beneficiary.accountNumber', corridor.account, codes);
  if (corridor?.wallet !== undefined && method === 'WALLET')
    checkOne(examined, 'beneficiary.walletId', corridor.wallet, codes);
  const card = submitted.text('beneficiary.cardNumber');
  if (card === undefined) return;
  const fault = /^\d{12,19}$/.test(card) ? luhnFault(card) : '12 to 19 digits';
  if (fault) found.add('beneficiary.cardNumber', 'incorrect_format', fault, 'card');
  if (method === undefined || method === 'CARD') return;
  // It is not stored where the method does not pay to it.
  if (version === 1) found.warn('beneficiary.cardNumber', 'unsupported_field', `ignored: goes by ${method}`, 'card');
  else found.add('beneficiary.cardNumber', 'unsupported_field', `leave it out: goes by ${method}`, 'card');
}

function checkOne(
  examined: Examined,
  field: 'beneficiary.accountNumber' | 'beneficiary.walletId',
  { form, is, check, example }: Account,
  codes: Codes,
): void {
  const { submitted, found, corridor, context } = examined;
  const sent = submitted.text(field);
  if (sent === undefined || corridor === undefined) return;
  const rule = `${corridor.country}.account`;
  const isIban = examined.circumstances.isIban;
  const number = normal(sent, isIban ? 'iban' : check);
  if (!form.test(number)) {
    found.add(field, 'incorrect_format', example ? `${is}, such as ${example}` : is, rule);
    return;
  }
  const fault = accountFault(isIban ? 'iban' : check, number, examined, codes);
  if (fault) {
    found.add(field, 'incorrect_format', fault, isIban ? 'G11' : rule);
  } else if (isIban) {
    if (corridor.country === 'EU' && !isSepaCountry(number.slice(0, 2)))
      found.add(field, 'incorrect_value', `${number.slice(0, 2)} is not in SEPA`, rule);
    const national = ibanNationalFault(number);
    if (national) found.warn(field, 'incorrect_format', national, 'G11');
  } else if (check === 'uk modulus' && context.ukModulus === undefined) {
    found.warn(field, 'incorrect_format', 'sort code and account were judged by their shape alone', rule);
  }
}

/** An IBAN in capitals without spaces and dashes; an account of New Zealand with all its digits. */
function normal(number: string, check: AccountCheck | undefined): string {
  if (check === 'iban') return compact(number);
  if (check !== 'nz') return number;
  const parts = number.split(/[\s\p{Pd}]+/u);
  if (parts.length !== 4) return compact(number);
  const lengths = [2, 4, 8, 3];
  return parts.map((part, at) => part.padStart(lengths[at]!, '0')).join('-');
}

function accountFault(
  check: AccountCheck | undefined,
  number: string,
  { context }: Examined,
  codes: Codes,
): string | undefined {
  switch (check) {
    case undefined:
      return undefined;
    case 'iban':
      return ibanFault(number);
    case 'clabe':
      return clabeFault(number);
    case 'nz':
      return nzAccountFault(number);
    case 'pix':
      return pixKeyFault(number);
    case 'luhn of UnionPay':
      return /^62\d{14,17}$/.test(number) ? luhnFault(number) : undefined;
    case 'hdfc': {
      const isHdfc = codes.get('IFSC')?.value?.toUpperCase().startsWith('HDFC');
      return isHdfc && !/^\d{14}$/.test(number) ? 'an account at HDFC Bank has 14 digits' : undefined;
    }
    case 'nuban': {
      const bank = codes.get('BANK CODE')?.value;
      return bank !== undefined && /^(\d{3}|\d{6})$/.test(bank) ? nubanFault(bank, number) : undefined;
    }
    case 'uk modulus': {
      const sortCode = codes.get('SORT CODE')?.value;
      return sortCode !== undefined && /^\d{6}$/.test(sortCode)
        ? ukModulusFault(sortCode, number, context.ukModulus)
        : undefined;
    }
  }
}

const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PHONE = /^\+55\d{10,11}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** PIX key: a tax number, a telephone number, an email address, or a key that the central bank drew. */
function pixKeyFault(key: string): string | undefined {
  if (RANDOM.test(key) || PHONE.test(key) || EMAIL.test(key)) return undefined;
  if (/^\d{11}$/.test(key)) return cpfFault(key);
  if (/^[0-9A-Z]{12}\d{2}$/.test(key)) return cnpjFault(key);
  return 'not a PIX key: CPF, CNPJ, telephone number (+55...), email address or random key';
}

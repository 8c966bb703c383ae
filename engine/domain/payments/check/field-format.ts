/** The format of a payment's field in one corridor: the general rule, narrowed by the corridor. */
import { type Corridor, TOWN_MAX } from '../corridors/corridor.js';
import { deliveredDecimals } from '../corridors/corridor-of.js';
import { isoCountries, isSepaCountry } from '../corridors/countries.js';
import type { Field } from '../corridors/field.js';
import type { Threshold } from '../corridors/when.js';
import { ACCOUNT_TYPES, type AccountType, type BeneficiaryIdentificationType } from '../corridors/words.js';
import type { PaymentMethod } from '../payment-details.js';
import { textRule } from './texts.js';

export interface DetailsRequest {
  readonly corridor: Corridor;
  /** ISO 3166; that of the corridor, or for SEPA a country in it, where one was named. */
  readonly country: string | undefined;
  readonly method: PaymentMethod;
  /** Of the beneficiary; undefined: either. */
  readonly party: AccountType | undefined;
  readonly onBehalf: boolean;
  /** Of a payment, or of a stored beneficiary alone: then without what depends on a payment. */
  readonly of: 'payment' | 'beneficiary';
  /** Thresholds as amounts in the corridor's currency; undefined: not known, and it counts as reached. */
  readonly worthFrom: Readonly<Record<Threshold, number | undefined>>;
}

/** The format of a field, beyond its type. */
export interface FieldFormat {
  readonly is?: string;
  readonly pattern?: RegExp;
  readonly words?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isWhole?: boolean;
  readonly example?: string | number;
}

/** Numbers that pass their checks. */
const DOCUMENTS: Partial<Readonly<Record<BeneficiaryIdentificationType, string>>> = {
  PASS: 'K1234567',
  CPF: '29537995593',
  CNPJ: '07195358000166',
  'Company Social Credit Code': '911522010783762860',
  'Company Registration No.': '12345678',
};

export function fieldFormat(field: Field, request: DetailsRequest): FieldFormat {
  const { corridor, party } = request;
  const form = corridor.forms.find((one) => one.field === field && (one.when === undefined || party === 'Individual'));
  return {
    ...general(field),
    ...own(field, request),
    ...(form && { is: form.is, pattern: form.form, example: form.example, ...(form.words && { words: form.words }) }),
  };
}

function general(field: Field): FieldFormat {
  const { is, pattern, words, maxLength } = textRule(field);
  return { is, ...(pattern && { pattern }), ...(words && { words }), ...(maxLength && { maxLength }) };
}

function own(field: Field, { corridor, country, method, party }: DetailsRequest): FieldFormat {
  switch (field) {
    case 'destinationAmount': {
      const { max } = corridor.methods[method] ?? {};
      const decimals = deliveredDecimals(corridor, method);
      const minimum = Number(corridor.min);
      return {
        is: `an amount of ${corridor.currency} with at most ${decimals} decimals; its limits are for what is delivered, without deduct_amount`,
        minimum,
        ...(max !== undefined && { maximum: Number(max) }),
        isWhole: decimals === 0,
        example: minimum * 2,
      };
    }
    case 'destinationCurrency':
      return only(corridor.currency);
    case 'depositMethod':
      return only(method);
    case 'beneficiary.countryCode': {
      const countries = country === undefined ? isoCountries().filter(isSepaCountry) : [country];
      return { words: countries, example: countries.includes('DE') ? 'DE' : countries[0]! };
    }
    case 'beneficiary.accountType':
      return party === undefined ? { words: ACCOUNT_TYPES, example: 'Individual' } : only(party);
    case 'beneficiary.accountNumber':
      return { is: corridor.account.is, pattern: corridor.account.form, ...example(corridor.account.example) };
    case 'beneficiary.walletId':
      return corridor.wallet
        ? { is: corridor.wallet.is, pattern: corridor.wallet.form, ...example(corridor.wallet.example) }
        : {};
    case 'beneficiary.name':
      return { is: `1 to ${corridor.nameMax} characters with a letter among them`, maxLength: corridor.nameMax };
    case 'remitter.city':
    case 'beneficiary.city':
      return corridor.hasStructuredAddresses ? { is: `1 to ${TOWN_MAX} characters`, maxLength: TOWN_MAX } : {};
    case 'statementNarrative':
      return { is: `1 to ${corridor.narrativeMax} characters`, maxLength: corridor.narrativeMax, example: 'Invoice 7' };
    case 'beneficiary.identificationType': {
      const words = documentsOf(corridor, party);
      return { words, ...example(words[0]) };
    }
    case 'beneficiary.identificationValue': {
      const [type] = documentsOf(corridor, party);
      const { registration } = corridor.identification;
      const isRegistration = type === 'Company Registration No.' && registration !== undefined;
      return {
        is: 'the number of the document; its check digits are looked at',
        ...example(isRegistration ? registration.example : type && DOCUMENTS[type]),
      };
    }
    default:
      return {};
  }
}

const only = (word: string): FieldFormat => ({ words: [word], example: word });
const example = (text: string | undefined): FieldFormat => (text ? { example: text } : {});

/** Those of either party where none is named; a passport by both its names. */
export function documentsOf(
  { identification }: Corridor,
  party: AccountType | undefined,
): readonly BeneficiaryIdentificationType[] {
  const parties = party === undefined ? ACCOUNT_TYPES : [party];
  const types = parties.flatMap((one) => identification[one]);
  return [...new Set(types.flatMap((type) => (type === 'PASS' ? (['PASS', 'Passport'] as const) : [type])))];
}

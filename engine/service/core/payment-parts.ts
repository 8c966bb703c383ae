/**
 * The parts that both versions of the payment operation share. A schema here checks types only; values are checked by the rules
 * (domain/payments/check), which return all faults at once. An empty optional text is absent.
 */

import { z } from 'zod';
import type { Refusal } from '../../domain/core/refusal.js';
import { TEXT_MAX } from '../../domain/core/text.js';
import type { Field } from '../../domain/payments/corridors/field.js';
import {
  ACCOUNT_TYPES,
  BANK_ACCOUNT_TYPES,
  BENEFICIARY_IDENTIFICATION_TYPES,
  DEFAULT_SOURCE_OF_INCOME,
  DEPOSIT_METHODS,
  OCCUPATIONS,
  PAYOUT_METHODS,
  PURPOSE_CODES,
  PURPOSES,
  REMITTER_IDENTIFICATION_TYPES,
  ROUTING_KINDS,
} from '../../domain/payments/corridors/words.js';
import { REQUEST_ID } from './inputs.js';

/** The stored beneficiary that a payment names. */
export interface ResolvedBeneficiary {
  readonly id: string;
  readonly version: number;
  /** The version in which the fields were made; 0: unknown. */
  readonly fieldsVersion: number;
  /** Why the payment cannot name it. */
  readonly refusal?: Refusal | undefined;
  /** Fields that were sent beside the id. */
  readonly conflicts: readonly Field[];
}

/** A name in the spelling of the interface: countryCode is country_code, routingCodeType1 is routing_code_type_1. */
export const spelled = (name: string): string => name.replace(/[A-Z]|\d+/g, (found) => `_${found.toLowerCase()}`);

/** An absent object counts as empty: the faults name its missing fields, not the object. */
export const part = <Shape extends z.ZodRawShape>(shape: z.ZodObject<Shape>, description: string) =>
  shape.prefault({} as z.input<z.ZodObject<Shape>>).meta({ description });

export const AN_OBJECT = { error: 'an object' };

interface Hints {
  readonly examples?: readonly (string | number | boolean)[];
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly default?: string;
}

const hints = (description: string, { examples, enum: words, ...more }: Hints = {}) => ({
  description,
  ...more,
  ...(words && { enum: [...words] }),
  ...(examples && { examples: [...examples] }),
});

const A_TEXT = { error: 'a text' };

/** Its length is checked by the rules, which report it beside their other faults. */
export const text = (description: string, more?: Hints) =>
  z.string(A_TEXT).meta({ maxLength: TEXT_MAX, ...hints(description, more) });

/** Empty is absent. */
export const optionalText = (description: string, more?: Hints) =>
  text(description, more)
    .transform((given) => given || undefined)
    .optional();

export const amount = (description: string, ...examples: number[]) =>
  z.number({ error: 'a number' }).meta(hints(description, { examples }));

export const account = (description: string, ...examples: number[]) =>
  z.number({ error: 'an account number of 12 digits' }).int().nonnegative().meta(hints(description, { examples }));

const COUNTRY = 'ISO 3166-1 code of two upper-case letters';
const CURRENCY = 'ISO 4217 code of three upper-case letters';

const id = (description: string, example: string) => REQUEST_ID.meta(hints(description, { examples: [example] }));

/** Who is paid, as the name of a stored beneficiary. */
const BENEFICIARY_ID = optionalText(
  'Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes',
  { examples: ['BNF01K4M2V7Q8Z3X5YAB'] },
);

export const COMMON = {
  requestId: id('Unique id of the request, chosen by the client', 'req-20261120-0001'),
  transactionNumber: id(
    'Unique transaction number of the client, for ever and over both versions: a known one is answered with 409',
    'INV-2026-00417',
  ),
  destinationCurrency: optionalText(
    `Currency that the beneficiary receives: ${CURRENCY}. Default: that of the beneficiary country's corridor`,
    { examples: ['INR'] },
  ),
  localConversionCurrency: optionalText(`Local currency of the beneficiary's country: ${CURRENCY}. Moves no money`, {
    examples: ['INR'],
  }),
  statementNarrative: text(
    "What the beneficiary's statement says, in the letters of its rail; some corridors take less than 140 characters",
    {
      examples: ['Invoice 417'],
      maxLength: 140,
    },
  ),
  originalRemitterFi: optionalText(
    'Financial institution of the original remitter, where the client pays for another',
    {
      examples: ['First Bank'],
    },
  ),
  depositMethod: optionalText('How the beneficiary is paid. Default: BANK', {
    enum: DEPOSIT_METHODS,
    examples: ['BANK'],
  }),
  payoutMethod: optionalText('How the beneficiary is paid; it must agree with deposit_method. Default: BANK', {
    enum: PAYOUT_METHODS,
    examples: ['BANK'],
  }),
  ...routing(1, 'IFSC', 'HDFC0000001'),
  ...routing(2, 'SWIFT', 'HDFCINBB'),
  ...routing(3, 'BANK CODE', '001'),
  beneficiaryId: BENEFICIARY_ID,
  beneficiaryVersion: z
    .int({ error: 'a whole number from 1' })
    .min(1, { error: 'a whole number from 1' })
    .optional()
    .meta(
      hints('Version of that beneficiary: where it has changed since, the payment is refused with VERSION_CONFLICT', {
        examples: [1],
      }),
    ),
  verificationToken: optionalText(
    'Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old',
    { examples: ['q83vEjRWeJq83vEjRWeJq83v'] },
  ),
  /** What beneficiaryId leads to: made by the operation, never sent. */
  resolved: z.custom<ResolvedBeneficiary>().optional(),
};

/** Of a beneficiary alone: where the money goes. */
export const DESTINATION = {
  destinationCurrency: COMMON.destinationCurrency,
  payoutMethod: optionalText('How the beneficiary is paid. Default: BANK', {
    enum: PAYOUT_METHODS,
    examples: ['BANK'],
  }),
  routingCodeType1: COMMON.routingCodeType1,
  routingCodeValue1: COMMON.routingCodeValue1,
  routingCodeType2: COMMON.routingCodeType2,
  routingCodeValue2: COMMON.routingCodeValue2,
  routingCodeType3: COMMON.routingCodeType3,
  routingCodeValue3: COMMON.routingCodeValue3,
};

function routing<N extends 1 | 2 | 3>(n: N, kind: string, example: string) {
  const type = optionalText('Kind of the routing code; which ones, the corridor says. Value and type come together', {
    enum: ROUTING_KINDS,
    examples: [kind],
  });
  const value = optionalText('Routing code of the matching type', { examples: [example] });
  return { [`routingCodeType${n}`]: type, [`routingCodeValue${n}`]: value } as {
    [Key in `routingCodeType${N}`]: typeof type;
  } & { [Key in `routingCodeValue${N}`]: typeof value };
}

const PURPOSE_LIST = Object.entries(PURPOSES)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join('; ');

const PERSON = {
  contactNumber: optionalText('8 to 16 characters, digits with an optional + in front (E.164)', {
    examples: ['+919812345678'],
  }),
  dob: optionalText('Date of birth, YYYY-MM-DD', { examples: ['1985-04-12'] }),
  city: optionalText('City', { examples: ['Mumbai'] }),
  state: optionalText('State, province or region', { examples: ['Maharashtra'] }),
  postcode: optionalText('Postal code', { examples: ['400001'] }),
  address: optionalText('Street address', { examples: ['12 Marine Drive'] }),
};

export const REMITTER = {
  ...PERSON,
  name: optionalText("Remitter's name; mandatory where the client pays on behalf of others", {
    examples: ['Acme Trading Ltd'],
    maxLength: 140,
  }),
  givenName: z
    .boolean({ error: 'true or false' })
    .optional()
    .meta(hints("Whether the remitter's name may contain initials", { examples: [false] })),
  accountType: text('Individual or Company', { enum: ACCOUNT_TYPES, examples: ['Company'] }),
  bankAccountNumber: optionalText("Remitter's own bank account", { examples: ['0012345678'] }),
  identificationType: optionalText('Kind of document; type and number come together', {
    enum: REMITTER_IDENTIFICATION_TYPES,
    examples: ['Company Registration No'],
  }),
  identificationNumber: optionalText('Number of the document', { examples: ['197401143C'] }),
  countryCode: optionalText(COUNTRY, { examples: ['SG'] }),
  purposeCode: optionalText(`What the payment is for: ${PURPOSE_LIST}`, {
    enum: PURPOSE_CODES,
    examples: ['IR011'],
  }),
  sourceOfIncome: text("Source of the remitter's income", {
    default: DEFAULT_SOURCE_OF_INCOME,
    examples: [DEFAULT_SOURCE_OF_INCOME],
  })
    .optional()
    .transform((given) => given || DEFAULT_SOURCE_OF_INCOME),
  sourceOfFunds: optionalText('Where the money comes from', { examples: ['Business income'] }),
  placeOfBirth: optionalText(`Country of birth: ${COUNTRY}`, { examples: ['SG'] }),
  nationality: optionalText(`Nationality: ${COUNTRY}`, { examples: ['SG'] }),
  occupation: optionalText('Occupation', { enum: OCCUPATIONS, examples: ['ENGINEER'] }),
};

export const BENEFICIARY = {
  ...PERSON,
  /** Mandatory, as the country is: the rules say so, since a payment may name a stored beneficiary instead. */
  name: optionalText("Beneficiary's name", { examples: ['Asha Rao'], maxLength: 140 }),
  countryCode: optionalText(`Country in which the beneficiary is paid: ${COUNTRY}`, { examples: ['IN'] }),
  email: optionalText('Email address', { examples: ['asha.rao@example.com'], maxLength: 254 }),
  accountType: optionalText(
    'Individual or Company. Default: Company where the identification is one that companies alone have, else Individual',
    {
      enum: ACCOUNT_TYPES,
      examples: ['Individual'],
    },
  ),
  walletId: optionalText('Wallet, mostly a telephone number; mandatory for WALLET', { examples: ['+639171234567'] }),
  accountNumber: optionalText('Account number or IBAN; mandatory for BANK', { examples: ['50100012345678'] }),
  bankAccountType: optionalText('Checking, Saving or Maestra', { enum: BANK_ACCOUNT_TYPES, examples: ['Checking'] }),
  bankName: optionalText("Name of the beneficiary's bank", { examples: ['HDFC Bank'] }),
  bankCode: optionalText("Code of the beneficiary's bank, beside the routing codes", { examples: ['7171'] }),
  identificationType: optionalText('Kind of document; type and value come together', {
    enum: BENEFICIARY_IDENTIFICATION_TYPES,
    examples: ['PASS'],
  }),
  identificationValue: optionalText('Number of the document; its check digits are looked at', {
    examples: ['K1234567'],
  }),
  cardNumber: optionalText('Card number; mandatory for CARD', { examples: ['4111111111111111'] }),
  cardExpiryDate: optionalText('Month in which the card expires, YYYY-MM', { examples: ['2030-12'] }),
  relationship: optionalText('Relationship between remitter and beneficiary', { examples: ['Supplier'] }),
};

export const ADDITIONAL_INFO = {
  tradeOrderId: optionalText('Id of the order that is paid', { examples: ['PO-7781'] }),
  tradeTime: optionalText('Time of the order', { examples: ['2026-11-03'] }),
  tradeCurrency: optionalText(`Currency of the order: ${CURRENCY}`, { examples: ['CNY'] }),
  tradeAmount: amount('Amount of the order', 12500.5).optional(),
  tradeName: optionalText('What was ordered', { examples: ['LED panels'] }),
  tradeCount: z
    .int({ error: 'a whole number' })
    .optional()
    .meta(hints('How many were ordered', { examples: [40] })),
  goodsCarrier: optionalText('Who carries the goods', { examples: ['Ocean Line'] }),
  serviceDetail: optionalText('What the service is', { examples: ['Translation'] }),
  serviceTime: optionalText('When the service was given', { examples: ['2026-11-03'] }),
  cashPickup: optionalText('Where the beneficiary collects; mandatory for CASH', {
    examples: ['Any branch in Manila'],
  }),
};

/**
 * The stored form of a payment, as payments.lua reads and writes it: a hash of its facts, money and state. The facts are written once; the
 * journal entry of the creation has their hash.
 */

import type { PayeeAnswer } from '../../domain/beneficiaries/payee-verification.js';
import { type PayeeFacts, type Payment, type PaymentFacts, paymentOf } from '../../domain/payments/payment.js';
import type { PaymentDetails, PaymentMethod } from '../../domain/payments/payment-details.js';
import type { PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import { FORM, jsonOfFacts } from '../ledger/form.js';

/** Facts, money, state, the reference of the beneficiary's bank, and card numbers, encrypted. */
export const PAYMENT_FIELDS = ['f', 'm', 's', 'b', 'c'] as const;
export type PaymentValues = readonly (string | null)[];

export interface StoredPayment {
  readonly payment: Payment;
  /** The journal entries of its steps, in order. */
  readonly entries: readonly string[];
  /** As stored. */
  readonly facts: string;
}

/** From the values of PAYMENT_FIELDS; undefined for none. Throws UnknownForm; SyntaxError or TypeError for altered text. */
export function storedPayment(id: string, values: PaymentValues): StoredPayment | undefined {
  const [facts, money, state, bank, cards] = values;
  if (!facts || !state) return undefined;
  const [account = '', amount = '', toTransit = '', toFees = '', bookings] = (money ?? '').split('|');
  const { entries, status, subStatus, description, step, attempts, updatedAtMs } = stateOf(state);
  const payment = paymentOf(paymentFacts(id, facts), {
    status,
    subStatus,
    description,
    bankReference: bank ?? '',
    step,
    attempts,
    bookingIds: bookings ? bookings.split(' ') : [],
    account,
    amount,
    toTransit,
    toFees,
    updatedAtMs,
    sealedCards: cards ?? '',
  });
  return { payment, entries, facts };
}

/** Of the field `s`. */
export function stateOf(text: string) {
  const [status, subStatus, step, busy, attempts, at, entries = '', ...description] = text.split('|');
  return {
    status: status as PaymentStatus,
    subStatus: subStatus as PaymentSubStatus,
    step: Number(step),
    isBusy: busy === '1',
    attempts: Number(attempts),
    updatedAtMs: Number(at),
    entries: entriesOf(entries),
    description: description.join('|'),
  };
}

/** The first id is whole; of a later one the milliseconds are those after the first. */
function entriesOf(text: string): string[] {
  if (text === '') return [];
  const [first = '', ...later] = text.split(' ');
  const beganMs = Number.parseInt(first, 10);
  return [first, ...later.map((one) => `${beganMs + Number.parseInt(one, 10)}-${one.slice(one.indexOf('-') + 1)}`)];
}

export function entriesText([first = '', ...later]: readonly string[]): string {
  const beganMs = Number.parseInt(first, 10);
  const shortened = later.map((one) => `${Number.parseInt(one, 10) - beganMs}-${one.slice(one.indexOf('-') + 1)}`);
  return [first, ...shortened].join(' ');
}

/** In this order; the last ones are left out where they are '', '0' or 0. */
type PackedFacts = readonly [
  version: 1 | 2,
  requestId: string,
  transactionNumber: string,
  currency: string,
  country: string,
  method: PaymentMethod,
  feePayer: PaymentFacts['feePayer'],
  isSource: 0 | 1,
  minor: string,
  createdAtMs: number,
  remitter: object,
  beneficiary: object,
  additionalInfo: object,
  otherDetails: object,
  sourceAccount?: string,
  sourceCurrency?: string,
  feeFixed?: string,
  feePpm?: number,
  deduct?: string,
  holdId?: string,
  holdExpiryMs?: number,
  payee?: string,
];
const REQUIRED = 14;

/** Names of details that are stored as another. A name that is not here is stored as it is. */
const SHORT: Readonly<Record<string, string>> = {
  name: 'n',
  accountType: 't',
  countryCode: 'c',
  address: 'a',
  city: 'y',
  postcode: 'p',
  state: 's',
  accountNumber: 'k',
  contactNumber: 'o',
  dob: 'd',
  purposeCode: 'u',
  nationality: 'v',
  email: 'e',
  identificationType: 'it',
  identificationNumber: 'in',
  identificationValue: 'iv',
  bankAccountNumber: 'ba',
  placeOfBirth: 'pb',
  occupation: 'oc',
  sourceOfIncome: 'si',
  sourceOfFunds: 'sf',
  givenName: 'g',
  walletId: 'w',
  bankAccountType: 'bt',
  bankName: 'bn',
  bankCode: 'bc',
  relationship: 'r',
  statementNarrative: 'sn',
  depositMethod: 'dm',
  payoutMethod: 'pm',
  localConversionCurrency: 'lc',
  routingCodeType1: 't1',
  routingCodeType2: 't2',
  routingCodeType3: 't3',
  routingCodeValue1: 'v1',
  routingCodeValue2: 'v2',
  routingCodeValue3: 'v3',
};
const LONG = Object.fromEntries(Object.entries(SHORT).map(([long, short]) => [short, long]));

function renamed(part: object, names: Readonly<Record<string, string>>): object {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(part)) found[names[name] ?? name] = (part as Record<string, unknown>)[name];
  return found;
}

/** The facts of a payment as text. Its id is not among them: the key of the record has it. */
export function paymentFactsText(facts: PaymentFacts): string {
  const { remitter, beneficiary, additionalInfo, ...other } = facts.details;
  const packed = [
    facts.version,
    facts.requestId,
    facts.transactionNumber,
    facts.currency,
    facts.country,
    facts.method,
    facts.feePayer,
    facts.given.kind === 'source' ? 1 : 0,
    facts.given.minor,
    facts.createdAtMs,
    renamed(remitter, SHORT),
    renamed(beneficiary, SHORT),
    additionalInfo,
    renamed(other, SHORT),
    facts.sourceAccount,
    facts.sourceCurrency,
    facts.feeFixed,
    facts.feePpm,
    facts.deduct,
    facts.holdId,
    facts.holdExpiryMs,
    facts.payee ? payeeText(facts.payee) : '',
  ] satisfies PackedFacts;
  let { length } = packed;
  while (length > REQUIRED && (packed[length - 1] === '' || Number(packed[length - 1]) === 0)) length--;
  return FORM + JSON.stringify(packed.slice(0, length));
}

/** Throws UnknownForm; SyntaxError or TypeError for altered text. */
export function paymentFacts(id: string, text: string): PaymentFacts {
  const packed = JSON.parse(jsonOfFacts(text, `payment ${id}`)) as PackedFacts;
  const [version, requestId, transactionNumber, currency, country, method, feePayer, isSource, minor, ...more] = packed;
  const [createdAtMs, remitter, beneficiary, additionalInfo, other, sourceAccount = '', sourceCurrency = '', ...last] =
    more;
  const [feeFixed = '0', feePpm = 0, deduct = '0', holdId = '', holdExpiryMs = 0, payee = ''] = last;
  return {
    id,
    version,
    requestId,
    transactionNumber,
    feePayer,
    details: Object.assign(renamed(other, LONG), {
      remitter: renamed(remitter, LONG),
      beneficiary: renamed(beneficiary, LONG),
      additionalInfo,
    }) as PaymentDetails,
    currency,
    country,
    method,
    given: { kind: isSource === 1 ? 'source' : 'destination', minor },
    sourceAccount,
    sourceCurrency,
    feeFixed,
    feePpm,
    deduct,
    holdId,
    holdExpiryMs,
    createdAtMs,
    ...(payee !== '' && { payee: payeeFrom(payee) }),
  };
}

const payeeText = ({ beneficiaryId, beneficiaryVersion, verification: verified, waits }: PayeeFacts): string =>
  [beneficiaryId, beneficiaryVersion, verified?.answer, verified?.code, verified?.verifiedAtMs, waits ? 1 : '']
    .map((part) => part ?? '')
    .join('|');

function payeeFrom(text: string): PayeeFacts {
  const [beneficiaryId, version, answer, code = '', at, waits] = text.split('|');
  return {
    ...(beneficiaryId && { beneficiaryId, beneficiaryVersion: Number(version) }),
    ...(answer && { verification: { answer: answer as PayeeAnswer, code, verifiedAtMs: Number(at) } }),
    waits: waits === '1',
  };
}

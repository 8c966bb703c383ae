/** Payments that are right, for every corridor: what a row of a test then makes wrong. */

import type { CheckContext } from '../../../../engine/domain/payments/check/context.js';
import type { Corridor } from '../../../../engine/domain/payments/corridors/corridor.js';
import { CORRIDORS } from '../../../../engine/domain/payments/corridors/table.js';
import type { AccountType } from '../../../../engine/domain/payments/corridors/words.js';
import type { PaymentMethod } from '../../../../engine/domain/payments/payment-details.js';

const NOW = Date.parse('2026-11-20T08:00:00Z');

/** A dollar a unit: small payments stay below the thresholds. */
export const CONTEXT: CheckContext = {
  now: NOW,
  onBehalf: false,
  allowTruncation: false,
  clientName: 'Acme Trading Ltd',
  usdEquivalent: (amount) => amount / 1_000_000,
};

export interface Case {
  readonly corridor: Corridor;
  readonly method: PaymentMethod;
  readonly remitter: AccountType;
  readonly beneficiary: AccountType;
}

export const corridor = (country: string): Corridor => CORRIDORS.find((row) => row.country === country)!;

/** Every corridor by each of its methods, from and to persons and companies. */
export const CASES: readonly Case[] = CORRIDORS.flatMap((row) =>
  (Object.keys(row.methods) as PaymentMethod[]).flatMap((method) =>
    (['Individual', 'Company'] as const).flatMap((remitter) =>
      (['Individual', 'Company'] as const).map((beneficiary) => ({ corridor: row, method, remitter, beneficiary })),
    ),
  ),
);

type Fields = Record<string, unknown>;

export interface Payment extends Fields {
  remitter: Fields;
  beneficiary: Fields;
  additionalInfo: Fields;
}

/** Of the corridor's documents, with a number that is right. */
const NUMBERS: Readonly<Record<string, string>> = {
  PASS: 'K1234567',
  CPF: '29537995593',
  CNPJ: '07195358000166',
  'Company Social Credit Code': '911522010783762860',
  'Company Registration No.': '12345678',
};

/** First version, by the canonical names, with everything that the corridor may ask for. */
export function payment({ corridor: row, method, remitter, beneficiary }: Case): Payment {
  const form = (field: string, otherwise: string) => row.forms.find((one) => one.field === field)?.example ?? otherwise;
  const type = row.identification[beneficiary][0]!;
  const registration = type === 'Company Registration No.' ? row.identification.registration?.example : undefined;
  const codes = method === 'BANK' ? (row.route[0] ?? []) : [];
  return {
    requestId: 'req-1',
    transactionNumber: 'INV-1',
    destinationCurrency: row.currency,
    destinationAmount: Number(row.min) * 2,
    statementNarrative: 'Invoice 7',
    ...(method !== 'BANK' && { depositMethod: method }),
    ...Object.fromEntries(
      codes.flatMap((kind, at) => [
        [`routingCodeType${at + 1}`, kind],
        [`routingCodeValue${at + 1}`, row.codes[kind]!.example],
      ]),
    ),
    remitter: {
      accountType: remitter,
      name: remitter === 'Company' ? 'Acme Trading Ltd' : 'Jane Doe',
      countryCode: 'SG',
      address: '1 Raffles Place',
      city: 'Singapore',
      purposeCode: 'IR012',
      sourceOfFunds: 'Business income',
      ...(remitter === 'Individual' && { dob: '1980-02-29', nationality: 'SG', placeOfBirth: 'SG' }),
      identificationType: remitter === 'Company' ? 'ACRA' : 'CCPT',
      identificationNumber: remitter === 'Company' ? '197401143C' : 'K1234567',
    },
    beneficiary: {
      name: 'Asha Rao',
      accountType: beneficiary,
      countryCode: row.country === 'EU' ? 'DE' : row.country,
      address: '12 Marine Drive',
      city: 'Springfield',
      state: form('beneficiary.state', 'Central'),
      postcode: form('beneficiary.postcode', '400001'),
      contactNumber: '+919812345678',
      relationship: 'Supplier',
      bankName: 'First Bank',
      bankAccountType: 'Checking',
      identificationType: type,
      identificationValue: registration ?? NUMBERS[type],
      ...(beneficiary === 'Individual' && { dob: '1985-04-12' }),
      ...(method === 'BANK' && { accountNumber: row.account.example }),
      ...(method === 'WALLET' && { walletId: row.wallet!.example }),
    },
    additionalInfo: method === 'CASH' ? { cashPickup: 'Any branch in Dhaka' } : {},
  };
}

/** Fields by their dotted names; undefined takes one away. */
export function changed(of: Fields, what: Readonly<Record<string, unknown>>): Fields {
  const copy = structuredClone(of);
  for (const [path, value] of Object.entries(what)) {
    const [outer, inner] = path.split('.') as [string, string | undefined];
    if (inner === undefined) copy[outer] = value;
    else copy[outer] = { ...(copy[outer] as Fields | undefined), [inner]: value };
  }
  return copy;
}

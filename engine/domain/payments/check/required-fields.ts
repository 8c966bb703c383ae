/** Fields that are required: always, by what else was sent, and by the corridor; and fields that are only valid in pairs. */
import type { Corridor, RequiredField } from '../corridors/corridor.js';
import type { Field } from '../corridors/field.js';
import { ALWAYS, holds, type When } from '../corridors/when.js';
import type { Examined } from './context.js';

/** A required field with its rule and the text of the finding. */
export interface RequiredFieldRule extends RequiredField {
  readonly rule: string;
  readonly why: string;
}

const PERSON_PAYS: When = { remitter: 'Individual' };
const WORTH_IDENTITY: When = { worth: 'identity' };
const IDENTIFIED: When = { submitted: 'remitter.identificationNumber' };
const WITHOUT_ADDRESS: When = { not: { submitted: 'remitter.address' } };

const IDENTITY = [
  'bankAccountNumber',
  'identificationType',
  'identificationNumber',
  'countryCode',
  'address',
  'contactNumber',
  'dob',
  'city',
  'postcode',
  'state',
  'placeOfBirth',
  'nationality',
  'occupation',
] as const;

/** The remitter is the client by its own name, unless another person pays or the request names more of the remitter. */
const NAMED: When = {
  any: [
    { onBehalf: true },
    PERSON_PAYS,
    { submitted: 'originalRemitterFi' },
    ...IDENTITY.map((field): When => ({ submitted: `remitter.${field}` })),
  ],
};

/** Trade in goods. */
const GOODS: When = { purpose: ['IR01809', 'IR01810', 'IR01811'] };

const rule = (field: Field, when: When, why: string, rule = 'conditional'): RequiredFieldRule => ({
  field,
  when,
  why,
  rule,
});
const all = (...when: When[]): When => ({ all: when });

const REQUIRED: readonly Field[] = [
  'requestId',
  'transactionNumber',
  'statementNarrative',
  'remitter.accountType',
  'beneficiary.name',
  'beneficiary.countryCode',
];

/** FATF Recommendation 16: an address, a document, or date and place of birth. */
const NOT_OTHERWISE_KNOWN: When = {
  not: { any: [IDENTIFIED, all({ submitted: 'remitter.dob' }, { submitted: 'remitter.placeOfBirth' })] },
};
const BORN_INSTEAD = (other: Field): When =>
  all(PERSON_PAYS, WORTH_IDENTITY, { submitted: other }, WITHOUT_ADDRESS, { not: IDENTIFIED });
const COMPANY_UNKNOWN = all({ remitter: 'Company' }, { onBehalf: true }, WORTH_IDENTITY, WITHOUT_ADDRESS);

const WHY = {
  named: 'mandatory where the client pays for another person, or names more of the remitter',
  identity: 'mandatory for an amount of this size',
  born: 'date and place of birth come together where they stand for an address',
  town: 'mandatory beside an address: the rail takes town and country in fields of their own',
  cash: 'mandatory for CASH',
  card: 'mandatory for CARD',
} as const;

const GENERAL: readonly RequiredFieldRule[] = [
  ...REQUIRED.map((field) => rule(field, ALWAYS, 'required', 'required')),
  rule('remitter.name', NAMED, WHY.named),
  rule('remitter.countryCode', NAMED, WHY.named),
  rule(
    'remitter.address',
    all(NAMED, WORTH_IDENTITY, NOT_OTHERWISE_KNOWN),
    `${WHY.identity}, unless identification, or date and place of birth, are sent`,
  ),
  rule('remitter.identificationType', COMPANY_UNKNOWN, `${WHY.identity} for a company, unless its address is sent`),
  rule('remitter.identificationNumber', COMPANY_UNKNOWN, `${WHY.identity} for a company, unless its address is sent`),
  rule('remitter.purposeCode', { worth: 'purpose' }, 'mandatory for an amount of this size: send a purpose code'),
  rule('remitter.placeOfBirth', BORN_INSTEAD('remitter.dob'), WHY.born),
  rule('remitter.dob', BORN_INSTEAD('remitter.placeOfBirth'), WHY.born),
  rule('beneficiary.accountNumber', { method: 'BANK' }, 'mandatory for BANK'),
  rule('beneficiary.walletId', { method: 'WALLET' }, 'mandatory for WALLET'),
  rule('beneficiary.cardNumber', { method: 'CARD' }, WHY.card),
  rule('beneficiary.cardExpiryDate', { method: 'CARD' }, WHY.card),
  rule('beneficiary.contactNumber', { method: 'CASH' }, WHY.cash),
  rule('beneficiary.identificationType', { method: 'CASH' }, WHY.cash),
  rule('beneficiary.identificationValue', { method: 'CASH' }, WHY.cash),
  rule('additionalInfo.cashPickup', { method: 'CASH' }, WHY.cash),
];

/** The bank has to be named where neither an IBAN nor a routing code names it. */
const WITHOUT_BANK: When = all(
  { method: 'BANK' },
  { not: { iban: true } },
  ...([1, 2, 3] as const).map((n): When => ({ not: { submitted: `routingCodeValue${n}` } })),
);

const TRADE: readonly Field[] = [
  'additionalInfo.tradeOrderId',
  'additionalInfo.tradeName',
  'additionalInfo.tradeAmount',
  'additionalInfo.tradeCurrency',
];

const known = new WeakMap<Corridor, readonly RequiredFieldRule[]>();

/** All required fields of a payment by this corridor; without a corridor the general ones. */
export function requiredFieldsOf(corridor: Corridor | undefined): readonly RequiredFieldRule[] {
  if (corridor === undefined) return GENERAL;
  const rules = known.get(corridor) ?? allRequiredFields(corridor);
  known.set(corridor, rules);
  return rules;
}

function allRequiredFields(corridor: Corridor): readonly RequiredFieldRule[] {
  const { country } = corridor;
  const why = `mandatory for payments to ${country === 'EU' ? 'SEPA' : country}`;
  const documents = corridor.identification.needed;
  const rules = [
    ...GENERAL,
    ...corridor.beneficiary.map((row) => ({ ...row, why, rule: `${country}.${row.field.split('.')[0]}` })),
    ...corridor.remitter.map(({ field, when = ALWAYS }) => rule(field, all(NAMED, when), why, `${country}.remitter`)),
    ...(corridor.isPurposeNeeded ? [rule('remitter.purposeCode', ALWAYS, why, `${country}.purpose`)] : []),
    ...(documents
      ? (['beneficiary.identificationType', 'beneficiary.identificationValue'] as const).map((field) =>
          rule(field, documents, why, `${country}.identification`),
        )
      : []),
    ...(corridor.needsTradeOrder
      ? TRADE.map((field) => rule(field, GOODS, `mandatory for trade in goods to ${country}`, 'G15'))
      : []),
    // Where only an IBAN will do, the bank is never what is missing.
    ...(corridor.route.length === 0 && corridor.account.check !== 'iban'
      ? [rule('beneficiary.bankName', WITHOUT_BANK, 'mandatory for BANK without routing code and IBAN')]
      : []),
  ];
  if (!corridor.hasStructuredAddresses) return rules;
  return [...rules, ...(['remitter', 'beneficiary'] as const).map((party) => townOf(party, rules))];
}

/** Where a part of the address is sent, or the address is required; the country of each party is required by then. */
function townOf(party: 'remitter' | 'beneficiary', rules: readonly RequiredFieldRule[]): RequiredFieldRule {
  const sent = (['address', 'state', 'postcode'] as const).map((part): When => ({ submitted: `${party}.${part}` }));
  const needed = rules.filter(({ field }) => field === `${party}.address`).map(({ when = ALWAYS }) => when);
  return rule(`${party}.city`, { any: [...sent, ...needed] }, WHY.town);
}

export function checkRequiredFields({ submitted, found, corridor, circumstances }: Examined): void {
  for (const { field, when = ALWAYS, rule, why } of requiredFieldsOf(corridor))
    if (!submitted.has(field) && holds(when, circumstances)) found.add(field, 'field_missing', why, rule);
}

interface Pair {
  readonly kind: Field;
  readonly value: Field;
  readonly rule: string;
}

/** Fields that have no meaning alone: the kind of a number, and the number (G9, G13). */
export const PAIRS: readonly Pair[] = [
  { kind: 'routingCodeType1', value: 'routingCodeValue1', rule: 'G9' },
  { kind: 'routingCodeType2', value: 'routingCodeValue2', rule: 'G9' },
  { kind: 'routingCodeType3', value: 'routingCodeValue3', rule: 'G9' },
  { kind: 'remitter.identificationType', value: 'remitter.identificationNumber', rule: 'G13' },
  { kind: 'beneficiary.identificationType', value: 'beneficiary.identificationValue', rule: 'G13' },
];

export function checkPairs({ submitted, found }: Examined): void {
  for (const { kind, value, rule } of PAIRS) {
    if (submitted.has(kind) && !submitted.has(value))
      found.add(value, 'invalid_combination', 'its kind was sent without it: send both', rule);
    if (submitted.has(value) && !submitted.has(kind))
      found.add(kind, 'invalid_combination', 'its code or number was sent without it: send both', rule);
  }
}

/** The fields that a payment by one corridor requires, listed before it is sent: from the table and the rules that validate it. */

import { isOfBeneficiary } from '../../beneficiaries/beneficiary.js';
import { ibanExample } from '../../beneficiaries/identifiers/iban.js';
import { corridorCurrency } from '../corridors/corridor-of.js';
import { isEuroCountry, isoCountries } from '../corridors/countries.js';
import type { Field } from '../corridors/field.js';
import { ALWAYS, type Settled, simplified, type Threshold, type When } from '../corridors/when.js';
import { ACCOUNT_TYPES, type AccountType, type RoutingKind } from '../corridors/words.js';
import { type DetailsRequest, documentsOf, type FieldFormat, fieldFormat } from './field-format.js';
import { requiredFieldsOf } from './required-fields.js';

export interface RequiredDetails {
  readonly request: DetailsRequest;
  readonly fields: ReadonlyMap<Field, FieldFormat>;
  readonly required: readonly Field[];
  readonly conditions: readonly { readonly when: When; readonly fields: readonly Field[] }[];
  /** Kinds of routing codes that lead there together, one of these lists; none are needed where there is none. */
  readonly routes: readonly (readonly RoutingKind[])[];
  /** Instead of routing codes: the account is an IBAN, such as this one. */
  readonly ibanInstead?: string;
  /** Documents that go with one party alone, where the party is still open. */
  readonly documents: readonly { readonly party: AccountType; readonly types: readonly string[] }[];
  /** Countries that get this currency without its being named, where the country is still open. */
  readonly countriesOfCurrency?: readonly string[];
}

export function requiredDetails(request: DetailsRequest): RequiredDetails {
  const { corridor, country, method, party, onBehalf, worthFrom } = request;
  const isBank = method === 'BANK';
  const mayBeIban = isBank && corridor.account.check === 'uk modulus';
  const settled: Settled = {
    method,
    onBehalf,
    beneficiary: party,
    isIban: mayBeIban ? undefined : isBank && corridor.account.check === 'iban',
    reached: (Object.keys(worthFrom) as Threshold[]).filter((threshold) => worthFrom[threshold] === undefined),
  };
  const required = new Set<Field>([
    'requestId',
    'transactionNumber',
    'destinationAmount',
    ...(isBank ? [] : ['depositMethod' as const]),
    ...(party === 'Company' ? ['beneficiary.accountType' as const] : []),
    ...(country && corridorCurrency(country) !== corridor.currency ? ['destinationCurrency' as const] : []),
  ]);
  const conditions = new Map<string, { when: When; fields: Field[] }>();
  for (const { field, when = ALWAYS } of requiredFieldsOf(corridor)) {
    const left = simplified(when, settled);
    if (left === true) required.add(field);
    else if (left !== false) condition(conditions, left).fields.push(field);
  }
  const isOf = request.of === 'payment' ? () => true : isOfBeneficiary;
  const open = [...conditions.values()]
    .filter(({ when }) => request.of === 'payment' || !dependsOnPayment(when))
    .map(({ when, fields }) => ({ when, fields: fields.filter((field) => isOf(field) && !required.has(field)) }));
  const asksFor = open.filter(({ fields }) => fields.length > 0);
  const shown = new Set<Field>([
    ...required,
    ...asksFor.flatMap(({ when, fields }) => [...fields, ...fieldsIn(when)]),
    ...corridor.forms.map(({ field }) => field),
    ...(['destinationCurrency', 'depositMethod', 'beneficiary.accountType'] as const),
    ...(['beneficiary.identificationType', 'beneficiary.identificationValue', 'remitter.purposeCode'] as const),
  ]);
  return {
    request,
    fields: new Map([...shown].filter(isOf).map((field) => [field, fieldFormat(field, request)])),
    required: [...required].filter(isOf),
    conditions: asksFor,
    routes: isBank ? corridor.route : [],
    ...(mayBeIban && { ibanInstead: ibanExample(corridor.country) }),
    documents: party ? [] : ACCOUNT_TYPES.map((one) => ({ party: one, types: documentsOf(corridor, one) })),
    ...(country === undefined && { countriesOfCurrency: isoCountries().filter(isEuroCountry) }),
  };
}

function condition(conditions: Map<string, { when: When; fields: Field[] }>, when: When) {
  const key = JSON.stringify(when);
  const known = conditions.get(key) ?? { when, fields: [] };
  conditions.set(key, known);
  return known;
}

/** Of its amount, its purpose or its remitter. */
function dependsOnPayment(when: When): boolean {
  if ('all' in when) return when.all.some(dependsOnPayment);
  if ('any' in when) return when.any.some(dependsOnPayment);
  if ('not' in when) return dependsOnPayment(when.not);
  if ('submitted' in when) return !isOfBeneficiary(when.submitted);
  return 'remitter' in when || 'purpose' in when || 'worth' in when;
}

function fieldsIn(when: When): Field[] {
  if ('all' in when) return when.all.flatMap(fieldsIn);
  if ('any' in when) return when.any.flatMap(fieldsIn);
  if ('not' in when) return fieldsIn(when.not);
  if ('submitted' in when) return [when.submitted];
  if ('remitter' in when) return ['remitter.accountType'];
  return [];
}

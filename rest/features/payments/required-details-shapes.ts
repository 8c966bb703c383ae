/** What a payment needs, as JSON Schema (draft 2020-12) of the first version's body: generated, so that it says what the checks do. */
import { z } from 'zod';
import type { Field } from '../../../engine/domain/corridors/field.js';
import type { When } from '../../../engine/domain/corridors/when.js';
import { PAIRS } from '../../../engine/domain/payment-check/pairs.js';
import type { RequiredDetails } from '../../../engine/domain/payment-check/required-details.js';
import { TEXT_MAX } from '../../../engine/domain/text.js';
import { PAYMENT_NAMES } from './payment-shapes.js';
import { propertyOf, type Schema, theirs, withInner } from './required-fields.js';
import { codeTypes, IBAN_OF_GB, waysOf } from './required-routing.js';

export const REQUIRED_DETAILS_ANSWER = z
  .looseObject({
    $schema: z.string().meta({
      description: 'The dialect: JSON Schema draft 2020-12',
      maxLength: TEXT_MAX,
      examples: ['https://json-schema.org/draft/2020-12/schema'],
    }),
    title: z.string().meta({ description: 'What it is about', maxLength: TEXT_MAX, examples: ['INR to IN by BANK'] }),
    type: z.literal('object').meta({ description: 'A body is an object', examples: ['object'] }),
    properties: z.record(z.string().meta({ maxLength: TEXT_MAX }), z.unknown()).meta({
      description: 'The fields that are needed, or may be',
      examples: [{ beneficiary_city: { type: 'string', maxLength: 255, description: 'City' } }],
    }),
    required: z
      .array(z.string().meta({ maxLength: TEXT_MAX }))
      .meta({ description: 'Those that are needed in any case', examples: [['beneficiary_city']] }),
  })
  .meta({
    description:
      'Schema of the body of POST /api/v1/payments/create for one corridor. What is needed under a condition stands in allOf, as if and then; where routing codes may lead by several ways they stand in anyOf. Routing codes may be sent in another order than here',
  });

export function requiredDetailsBody(details: RequiredDetails): object {
  const { corridor, method } = details.asked;
  const [way, ...others] = waysOf(details);
  const properties: Record<string, Schema> = codeTypes(details);
  for (const [field, looks] of details.fields) {
    const [outer, inner] = theirs(field);
    const property = propertyOf(field, looks);
    properties[outer] = inner === undefined ? property : withInner(properties[outer], inner, property);
  }
  // One way alone is no alternative.
  const only = others.length === 0 ? way : undefined;
  const { required, ...nested } = needed(details.required);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${corridor.currency} to ${corridor.country} by ${method}`,
    type: 'object',
    properties: { ...properties, ...only?.properties },
    required: [...required, ...(only?.required ?? [])],
    allOf: [
      ...('properties' in nested ? [nested] : []),
      ...details.conditions.map(({ when, fields }) => ({ if: conditionOf(when, details), [THEN]: needed(fields) })),
      ...details.documents.map(({ party, types }) => ({
        if: is('beneficiary.accountType', { const: party }),
        [THEN]: { properties: { [theirs('beneficiary.identificationType')[0]]: { enum: types } } },
      })),
      ...(details.currencyIsTheirs
        ? [
            {
              if: { not: is('beneficiary.countryCode', { enum: details.currencyIsTheirs }) },
              [THEN]: needed(['destinationCurrency']),
            },
          ]
        : []),
    ],
    dependentRequired: pairsIn(properties),
    ...(others.length > 0 && { anyOf: [way, ...others] }),
  };
}

/** A word of JSON Schema, and not what makes a promise of an object. */
const THEN = 'then' as string;

/** What says nothing without the other. */
function pairsIn(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, readonly string[]>> {
  const pairs = PAIRS.map(({ kind, value }) => [PAYMENT_NAMES[kind]!, PAYMENT_NAMES[value]!] as const);
  const shown = pairs.filter(([kind, value]) => kind in properties && value in properties);
  return Object.fromEntries(
    shown.flatMap(([kind, value]) => [
      [kind, [value]],
      [value, [kind]],
    ]),
  );
}

/** Fields that have to be there, also those of the object within. */
function needed(fields: readonly Field[]): Schema & { readonly required: readonly string[] } {
  const names = fields.map(theirs);
  const outer = new Set(names.map(([name]) => name));
  const inner: Record<string, Schema> = {};
  for (const [name, within] of names)
    if (within !== undefined) inner[name] = { required: [...(inner[name]?.required ?? []), within] };
  return { required: [...outer], ...(Object.keys(inner).length > 0 && { properties: inner }) };
}

/** Sent, and like this. */
const is = (field: Field, rule: Schema): Schema => ({
  properties: { [theirs(field)[0]]: rule },
  required: [theirs(field)[0]],
});

function conditionOf(when: When, details: RequiredDetails): Schema {
  if ('all' in when) return { allOf: when.all.map((one) => conditionOf(one, details)) };
  if ('any' in when) return { anyOf: when.any.map((one) => conditionOf(one, details)) };
  if ('not' in when) return { not: conditionOf(when.not, details) };
  if ('given' in when) return needed([when.given]);
  if ('remitter' in when) return is('remitter.accountType', { const: when.remitter });
  if ('purpose' in when) return is('remitter.purposeCode', { enum: when.purpose });
  if ('iban' in when) return is('beneficiary.accountNumber', IBAN_OF_GB);
  if ('worth' in when) return is('destinationAmount', { minimum: details.asked.worthFrom[when.worth] });
  // A person, where nothing is said.
  if ('beneficiary' in when && when.beneficiary === 'Individual')
    return { not: is('beneficiary.accountType', { const: 'Company' }) };
  if ('beneficiary' in when) return is('beneficiary.accountType', { const: 'Company' });
  // Method and client are settled before.
  throw new RangeError(`a condition that is settled: ${JSON.stringify(when)}`);
}

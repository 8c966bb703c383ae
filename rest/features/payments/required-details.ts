/** What a corridor requires of a payment, as JSON Schema by the names of the first version. */
import { z } from 'zod';
import { TEXT_MAX } from '../../../engine/domain/core/text.js';
import type { FieldFormat } from '../../../engine/domain/payments/check/field-format.js';
import type { RequiredDetails } from '../../../engine/domain/payments/check/required-details.js';
import { PAIRS } from '../../../engine/domain/payments/check/required-fields.js';
import type { RoutingCode } from '../../../engine/domain/payments/corridors/corridor.js';
import type { Field } from '../../../engine/domain/payments/corridors/field.js';
import type { When } from '../../../engine/domain/payments/corridors/when.js';
import type { RoutingKind } from '../../../engine/domain/payments/corridors/words.js';
import { CREATE_PAYMENT_INPUT } from '../../../engine/service/payments/payment-input.js';
import { asBeneficiary } from '../beneficiaries/beneficiary-schema.js';
import { PAYMENT_NAMES } from './payment-shapes.js';

export const REQUIRED_DETAILS_RESPONSE = z
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
      'Schema of the body of POST /api/v1/payments/create for one corridor. What is required under a condition is in allOf, as if and then; alternative sets of routing codes are in anyOf. Routing codes may be sent in another order than here',
  });

export function requiredDetailsBody(details: RequiredDetails): object {
  const { corridor, method, of } = details.request;
  const [way, ...others] = waysOf(details);
  const properties: Record<string, Schema> = codeTypes(details);
  for (const [field, looks] of details.fields) {
    const [outer, inner] = theirs(field);
    const property = propertyOf(field, looks);
    properties[outer] = inner === undefined ? property : withInner(properties[outer], inner, property);
  }
  // A single way needs no anyOf.
  const only = others.length === 0 ? way : undefined;
  const { required, ...nested } = needed(details.required);
  const body: Schema = {
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
      ...(details.countriesOfCurrency
        ? [
            {
              if: { not: is('beneficiary.countryCode', { enum: details.countriesOfCurrency }) },
              [THEN]: needed(['destinationCurrency']),
            },
          ]
        : []),
    ],
    dependentRequired: pairsIn(properties),
    ...(others.length > 0 && { anyOf: [way, ...others] }),
  };
  return of === 'beneficiary' ? asBeneficiary(body) : body;
}

/** A keyword of JSON Schema; `then` would make the object a promise. */
const THEN = 'then' as string;

/** Keywords that have no effect without the other. */
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
  if ('submitted' in when) return needed([when.submitted]);
  if ('remitter' in when) return is('remitter.accountType', { const: when.remitter });
  if ('purpose' in when) return is('remitter.purposeCode', { enum: when.purpose });
  if ('iban' in when) return is('beneficiary.accountNumber', IBAN_OF_GB);
  if ('worth' in when) return is('destinationAmount', { minimum: details.request.worthFrom[when.worth] });
  // A person by default.
  if ('beneficiary' in when && when.beneficiary === 'Individual')
    return { not: is('beneficiary.accountType', { const: 'Company' }) };
  if ('beneficiary' in when) return is('beneficiary.accountType', { const: 'Company' });
  // Method and client were resolved before.
  throw new RangeError(`a condition that is settled: ${JSON.stringify(when)}`);
}

export interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [word: string]: unknown;
}

function theirs(field: Field): readonly [outer: string, inner: string | undefined] {
  const [outer, inner] = PAYMENT_NAMES[field]!.split('.');
  return [outer!, inner];
}

const withInner = (outer: Schema | undefined, inner: string, property: Schema): Schema => ({
  type: 'object',
  properties: { ...outer?.properties, [inner]: property },
  examples: [{ ...(firstOf(outer) as object | undefined), [inner]: firstOf(property) }],
});

const firstOf = (schema: Schema | undefined): unknown =>
  Array.isArray(schema?.examples) ? schema.examples[0] : undefined;

function propertyOf(field: Field, looks: FieldFormat): Schema {
  const { is, pattern, words, maxLength, minimum, maximum, isWhole, example } = looks;
  const { type, description, examples, enum: known } = fieldSchema(field);
  const text = [description, is].filter((part) => part !== undefined).join('. Here: ');
  const isText = type === 'string';
  return {
    type: isWhole ? 'integer' : type,
    description: words ? description : text,
    ...(isText && !words && { minLength: 1 }),
    ...(words ? { enum: words } : known ? { enum: known } : undefined),
    ...(pattern && !words && { pattern: pattern.source }),
    ...(isText && maxLength && !words && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    examples: example === undefined ? (examples ?? (words ? [words[0]] : [])) : [example],
  };
}

const FIELD_SCHEMAS = new Map<Field, Schema>();

/** By the input schema itself, which the body of a payment is read by; converted once. */
function fieldSchema(field: Field): Schema {
  const known = FIELD_SCHEMAS.get(field);
  if (known) return known;
  const [outer, inner] = field.split('.') as [string, string | undefined];
  const shape = CREATE_PAYMENT_INPUT.shape as Record<string, z.ZodType>;
  const type = shape[outer]!;
  const leaf = inner === undefined ? type : ((type as z.ZodPrefault<z.ZodObject>).unwrap().shape[inner] as z.ZodType);
  const { $schema: _, ...schema } = z.toJSONSchema(leaf, { io: 'input' }) as Schema;
  FIELD_SCHEMAS.set(field, schema);
  return schema;
}

const IBAN_OF_GB: Schema = { pattern: '^GB' };
const SLOTS = [1, 2, 3] as const;

/** The kinds that the corridor takes, in any position, and the form of each. */
function codeTypes({ request: { corridor, method } }: RequiredDetails): Record<string, Schema> {
  if (method !== 'BANK') return {};
  const kinds = Object.keys(corridor.codes) as RoutingKind[];
  const [[kind, code]] = Object.entries(corridor.codes) as [[RoutingKind, RoutingCode]];
  return Object.fromEntries(
    SLOTS.slice(0, kinds.length).flatMap((slot) => [
      [`routing_code_type_${slot}`, { ...fieldSchema(`routingCodeType${slot}`), enum: kinds, examples: [kind] }],
      [`routing_code_value_${slot}`, { ...fieldSchema(`routingCodeValue${slot}`), examples: [code.example] }],
    ]),
  );
}

/** Each way to the bank: its codes in the first places, or an account that needs none. */
function waysOf({ routes, ibanInstead, request: { corridor } }: RequiredDetails): Schema[] {
  const byCodes = routes.map((kinds): Schema => {
    const slots = kinds.map((kind, at) => ({ kind, slot: at + 1, code: corridor.codes[kind]! }));
    return {
      properties: Object.fromEntries(
        slots.flatMap(({ kind, slot, code }) => [
          [`routing_code_type_${slot}`, { type: 'string', const: kind, examples: [kind] }],
          [
            `routing_code_value_${slot}`,
            { type: 'string', description: `${kind} of the bank`, pattern: code.form.source, examples: [code.example] },
          ],
        ]),
      ),
      required: slots.flatMap(({ slot }) => [`routing_code_type_${slot}`, `routing_code_value_${slot}`]),
    };
  });
  if (ibanInstead === undefined) return byCodes;
  const byIban: Schema = { properties: { beneficiary_account_number: { ...IBAN_OF_GB, examples: [ibanInstead] } } };
  return [...byCodes, byIban];
}

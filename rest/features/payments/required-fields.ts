/** A field of a payment as JSON Schema, by its name in the first version. */
import { z } from 'zod';
import type { Field } from '../../../engine/domain/corridors/field.js';
import type { Looks } from '../../../engine/domain/payment-check/looks.js';
import { CREATE_PAYMENT_INPUT } from '../../../engine/service/payments/payment-input.js';
import { PAYMENT_NAMES } from './payment-shapes.js';

export interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [word: string]: unknown;
}

export function theirs(field: Field): readonly [outer: string, inner: string | undefined] {
  const [outer, inner] = PAYMENT_NAMES[field]!.split('.');
  return [outer!, inner];
}

export const withInner = (outer: Schema | undefined, inner: string, property: Schema): Schema => ({
  type: 'object',
  properties: { ...outer?.properties, [inner]: property },
  examples: [{ ...(firstOf(outer) as object | undefined), [inner]: firstOf(property) }],
});

const firstOf = (schema: Schema | undefined): unknown =>
  Array.isArray(schema?.examples) ? schema.examples[0] : undefined;

export function propertyOf(field: Field, looks: Looks): Schema {
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

/** By the input schema itself, which the body of a payment is read by. */
export function fieldSchema(field: Field): Schema {
  const [outer, inner] = field.split('.') as [string, string | undefined];
  const shape = CREATE_PAYMENT_INPUT.shape as Record<string, z.ZodType>;
  const type = shape[outer]!;
  const leaf = inner === undefined ? type : ((type as z.ZodPrefault<z.ZodObject>).unwrap().shape[inner] as z.ZodType);
  const { $schema: _, ...schema } = z.toJSONSchema(leaf, { io: 'input' }) as Schema;
  return schema;
}

/** The schema of a stored beneficiary, from that of a payment by the names of the first version: nested, and without a payment's own fields. */

import { PAYMENT_NAMES, PAYOUT_NAMES } from '../payments/payment-shapes.js';
import type { Schema } from '../payments/required-details.js';

/** From the flat name to the one in the object `beneficiary`. */
const INNER = new Map(
  Object.keys(PAYMENT_NAMES)
    .filter((field) => field.startsWith('beneficiary.'))
    .map((field) => [PAYMENT_NAMES[field]!, PAYOUT_NAMES[field]!.split('.')[1]!]),
);
/** A beneficiary has one name of the method, and its word for cash. */
const renamed = (name: string): string => (name === 'deposit_method' ? 'payout_method' : name);
const words = (texts: readonly unknown[]): unknown[] => texts.map((text) => (text === 'CASH' ? 'CASH_PAYOUT' : text));
const wordsOf = (method: Schema): Schema => ({
  ...method,
  ...(Array.isArray(method.enum) && { enum: words(method.enum) }),
  ...(Array.isArray(method.examples) && { examples: words(method.examples) }),
});

const PARTS = ['allOf', 'anyOf'] as const;
const CONDITIONS = ['if', 'then', 'not'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** The same rules, with the fields of the beneficiary in an object of their own. */
export function asBeneficiary(schema: Schema): Schema {
  const {
    properties,
    required,
    dependentRequired,
    examples: _,
    ...rest
  } = schema as Schema & {
    readonly dependentRequired?: Fields;
  };
  const isInner = (name: string) => INNER.has(name);
  const inner = {
    ...(properties && { properties: split(properties, isInner, (name) => INNER.get(name)!) }),
    ...(required && { required: required.filter(isInner).map((name) => INNER.get(name)!) }),
    ...(dependentRequired && { dependentRequired: innerPairs(dependentRequired) }),
  };
  const hasInner = [inner.properties, inner.dependentRequired].some(
    (fields) => fields && Object.keys(fields).length > 0,
  );
  const isNeeded = (inner.required?.length ?? 0) > 0;
  const outer: Record<string, unknown> = {
    ...rest,
    ...(properties || hasInner || isNeeded
      ? {
          properties: {
            ...split(properties ?? {}, (name) => !isInner(name), renamed),
            ...((hasInner || isNeeded) && { beneficiary: inner }),
          },
        }
      : undefined),
    ...(required && {
      required: [...required.filter((name) => !isInner(name)).map(renamed), ...(isNeeded ? ['beneficiary'] : [])],
    }),
    ...(dependentRequired && {
      dependentRequired: split(
        dependentRequired,
        (name) => !isInner(name),
        (name) => name,
      ),
    }),
  };
  for (const name of PARTS) {
    const parts = outer[name] as readonly Schema[] | undefined;
    if (parts?.length === 0) delete outer[name];
    else if (parts) outer[name] = parts.map(asBeneficiary);
  }
  for (const name of CONDITIONS) if (outer[name]) outer[name] = asBeneficiary(outer[name] as Schema);
  return outer;
}

const split = (
  fields: Fields,
  isOf: (name: string) => boolean,
  named: (name: string) => string,
): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => isOf(name))
      .map(([name, value]) => [named(name), name === 'deposit_method' ? wordsOf(value as Schema) : (value as Schema)]),
  );

const innerPairs = (pairs: Fields): Fields =>
  Object.fromEntries(
    Object.entries(pairs)
      .filter(([name]) => INNER.has(name))
      .map(([name, others]) => [
        INNER.get(name)!,
        (others as readonly string[]).map((other) => INNER.get(other) ?? other),
      ]),
  );

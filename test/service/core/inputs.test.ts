/**
 * Every text of an operation has a maximum length, which its schema states and which is checked whatever else the text
 * is.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkPayment } from '../../../engine/domain/payments/check/check-payment.js';
import { OPERATIONS, OPERATOR_OPERATIONS } from '../../../engine/service/operations.js';
import { CONTEXT } from '../../payments/domain/check/payments.js';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The texts in a schema, each with the path of its field. */
function* textsIn(schema: Schema, path: readonly string[] = []): Generator<readonly [path: string, schema: Schema]> {
  if (schema.type === 'string' && schema.const === undefined) yield [path.join('.'), schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* textsIn(inner, [...path, name]);
  for (const one of schema.anyOf ?? []) yield* textsIn(one, path);
  if (schema.items) yield* textsIn(schema.items, [...path, '[]']);
}

const INPUTS = Object.entries({ ...OPERATIONS, ...OPERATOR_OPERATIONS }).map(([name, { input }]) => {
  const schema = z.toJSONSchema(input as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
  return [name, input as z.ZodType, [...textsIn(schema)]] as const;
});

test('every text has a maximum', () => {
  const open = INPUTS.flatMap(([name, , texts]) =>
    texts
      .filter(([, { enum: words, maxLength }]) => words === undefined && maxLength === undefined)
      .map(([path]) => `${name}: ${path}`),
  );
  expect(open).toEqual([]);
});

const HOSTILE = '\u0301\u0327'.repeat(15_000);

test('rejects a text above its maximum, or truncates one that is only a search key', () => {
  const ofPayment = new Set(
    INPUTS.filter(([name]) => /^validatePay/.test(name)).flatMap(([, , texts]) => texts.map(([path]) => path)),
  );
  // The payment rules check these; see below, and of beneficiaries and payees test/rest/http/hostile-texts.
  const byRules = (name: string, path: string) =>
    /^(validate|create)Pay|^(create|change)Beneficiary$|^verifyPayee$/.test(name) && ofPayment.has(path);
  const taken = INPUTS.flatMap(([name, input, texts]) =>
    texts
      // Of a list of words no other text is accepted.
      .filter(([path, { enum: words }]) => words === undefined && !byRules(name, path))
      .filter(([path]) => {
        const parsed = input.safeParse(nested(path.split('.'), HOSTILE));
        const isNamed = parsed.error?.issues.some((issue) => covers(path, issue.path.join('.')));
        return !isNamed && !isLookedUp(input, path);
      })
      .map(([path]) => `${name}: ${path}`),
  );
  expect(taken).toEqual([]);
});

test('the payment rules reject every text that is too long and check nothing else of it', () => {
  const texts = INPUTS.find(([name]) => name === 'validatePayment')![2];
  for (const [path] of texts) {
    const { findings } = checkPayment({ version: 1, input: nested(path.split('.'), HOSTILE) }, CONTEXT);
    expect(findings.filter(({ field }) => field === path)).toHaveLength(1);
  }
});

function nested([name, ...inner]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '[]' ? [nested(inner, value)] : { [name]: nested(inner, value) };
}

const covers = (path: string, issue: string) => path.replace('[]', '0') === issue || issue === '';

/** A search key is truncated: the lookup costs nothing and finds nothing. */
function isLookedUp(input: z.ZodType, path: string): boolean {
  let type: unknown = input;
  for (const name of path.split('.')) {
    while (type instanceof z.ZodOptional || type instanceof z.ZodPrefault) type = type.unwrap();
    if (type instanceof z.ZodUnion) type = type.options.find((one) => one instanceof z.ZodObject && name in one.shape);
    type = name === '[]' ? (type as z.ZodArray).element : (type as z.ZodObject).shape[name];
  }
  while (type instanceof z.ZodOptional) type = type.unwrap();
  const parsed = type instanceof z.ZodString ? type.safeParse(HOSTILE) : undefined;
  return parsed?.success === true && parsed.data.length <= 2_049;
}

/** What integrators are told beforehand, and what a payment is judged by, are one thing: in every corridor, by every method. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CORRIDORS } from '../../engine/domain/corridors/table.js';
import { ACCOUNT_TYPES, type AccountType } from '../../engine/domain/corridors/words.js';
import { checkPayment } from '../../engine/domain/payment-check/check-payment.js';
import { requiredDetails } from '../../engine/domain/payment-check/required-details.js';
import type { PaymentMethod } from '../../engine/domain/payment-details.js';
import { CREATE_PAYMENT_INPUT } from '../../engine/service/payment-input.js';
import { inputBy, PAYMENT_NAMES } from '../../rest/payment-shapes.js';
import { requiredDetailsBody } from '../../rest/required-details-shapes.js';
import { CONTEXT } from '../domain/payment-check/payments.js';

type Body = Record<string, unknown>;
interface Property {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly examples?: readonly unknown[];
}

const USD_FROM = { identity: 1_000, purpose: 10_000 };
const toInput = inputBy(PAYMENT_NAMES);

interface Row {
  readonly country: string;
  readonly method: PaymentMethod;
  readonly party: AccountType | undefined;
  readonly onBehalf: boolean;
  /** Units of the currency to the dollar. */
  readonly perUsd: number;
}

const CLIENTS = [
  { onBehalf: false, perUsd: 1_000_000 },
  { onBehalf: false, perUsd: 0.0001 },
  { onBehalf: true, perUsd: 0.0001 },
];

const ROWS: readonly Row[] = CORRIDORS.flatMap(({ country, methods }) =>
  (Object.keys(methods) as PaymentMethod[]).flatMap((method) =>
    [undefined, ...ACCOUNT_TYPES].flatMap((party) => CLIENTS.map((client) => ({ country, method, party, ...client }))),
  ),
);

function schemaOf({ country, method, party, onBehalf, perUsd }: Row) {
  const corridor = CORRIDORS.find((row) => row.country === country)!;
  return requiredDetailsBody(
    requiredDetails({
      corridor,
      country: country === 'EU' ? undefined : country,
      method,
      party,
      onBehalf,
      worthFrom: { identity: USD_FROM.identity * perUsd, purpose: USD_FROM.purpose * perUsd },
    }),
  ) as Property & Body;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });

/** Begins with nothing but what kind of remitter pays, and adds the example of what the schema misses until it is content. */
function filled(schema: Property & Body, isValid: ValidateFunction, remitter: AccountType): Body {
  const body: Body = { remitter_account_type: remitter };
  for (let round = 0; round < 20 && !isValid(body); round++) {
    const missing = isValid.errors!.filter(({ keyword, schemaPath }) => keyword === 'required' && isWanted(schemaPath));
    for (const { instancePath, params } of missing) put(body, instancePath.slice(1), params.missingProperty, schema);
  }
  expect(isValid(body), JSON.stringify([body, isValid.errors])).toBe(true);
  return body;
}

/** Not what a condition looks at, and of several ways the first. */
const isWanted = (path: string): boolean => !path.includes('/if/') && !/anyOf\/[1-9]/.test(path);

function put(body: Body, outer: string, name: string, schema: Property): void {
  const into = outer === '' ? body : (body[outer] as Body);
  const property = (outer === '' ? schema : schema.properties![outer]!).properties?.[name];
  into[name] ??= property?.properties ? {} : (property?.examples?.[0] ?? exampleOfWay(schema, name));
}

/** A field that only one of several ways to the bank describes. */
function exampleOfWay(schema: Property & { readonly anyOf?: readonly Property[] }, name: string): unknown {
  return schema.anyOf?.[0]?.properties?.[name]?.examples?.[0];
}

function findingsOf(body: Body, { onBehalf, perUsd }: Row): string[] {
  const read = CREATE_PAYMENT_INPUT.safeParse(toInput(body));
  const typeFaults = read.error?.issues.map(({ path }) => path.join('.')) ?? [];
  const context = { ...CONTEXT, onBehalf, usdEquivalent: (amount: number) => amount / perUsd };
  const { findings } = checkPayment({ version: 1, input: toInput(body) }, context);
  return [...new Set([...typeFaults, ...findings.map(({ field }) => field)])];
}

test.each(CORRIDORS.flatMap(({ country, methods }) => Object.keys(methods).map((method) => [country, method])))(
  '%s by %s: from and to persons and companies, small and large amounts, for oneself and for others',
  (country, method) => {
    const rows = ROWS.filter((row) => row.country === country && row.method === method);
    expect(rows).toHaveLength(9);
    for (const row of rows) {
      const schema = schemaOf(row);
      const isValid = ajv.compile(schema);
      for (const remitter of ACCOUNT_TYPES) {
        const body = filled(schema, isValid, remitter);
        const about = [row, body];
        expect([about, findingsOf(body, row)]).toEqual([about, []]);

        // Whatever is left out: schema and checks miss something, or neither does.
        for (const name of Object.keys(body)) {
          // Without it the beneficiary is a person, and this schema was asked for a company.
          if (name === 'beneficiary_account_type') continue;
          const { [name]: _, ...less } = body;
          expect([about, name, findingsOf(less, row).length === 0]).toEqual([about, name, isValid(less)]);
        }
      }
    }
  },
);

test('an error of ajv is what this test takes it for', () => {
  const isValid = ajv.compile({ required: ['a'] });
  isValid({});
  expect((isValid.errors as ErrorObject[])[0]).toMatchObject({ keyword: 'required', params: { missingProperty: 'a' } });
});

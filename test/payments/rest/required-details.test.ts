/** The required details and the validation of payments agree: in every corridor, by every method. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { checkBeneficiary, checkPayment } from '../../../engine/domain/payments/check/check-payment.js';
import { requiredDetails } from '../../../engine/domain/payments/check/required-details.js';
import { corridorOf } from '../../../engine/domain/payments/corridors/corridor-of.js';
import { CORRIDORS } from '../../../engine/domain/payments/corridors/table.js';
import { ACCOUNT_TYPES, type AccountType } from '../../../engine/domain/payments/corridors/words.js';
import type { PaymentMethod } from '../../../engine/domain/payments/payment-details.js';
import { CREATE_PAYMENT_INPUT } from '../../../engine/service/payments/payment-input.js';
import { inputBy, PAYMENT_NAMES, PAYOUT_NAMES } from '../../../rest/features/payments/payment-shapes.js';
import { requiredDetailsBody } from '../../../rest/features/payments/required-details.js';
import { CONTEXT } from '../domain/check/payments.js';

type Body = Record<string, unknown>;
interface Property {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly examples?: readonly unknown[];
}

const USD_FROM = { identity: 1_000, purpose: 10_000 };
const toInput = inputBy(PAYMENT_NAMES);

interface Row {
  readonly country: string;
  /** By SWIFT, where it is not the country's own. */
  readonly currency?: string;
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

function schemaOf(
  { country, currency, method, party, onBehalf, perUsd }: Row,
  of: 'payment' | 'beneficiary' = 'payment',
) {
  const own = CORRIDORS.find((row) => row.country === country);
  const corridor = currency === undefined ? own! : corridorOf(country, currency)!;
  return requiredDetailsBody(
    requiredDetails({
      corridor,
      country: country === 'EU' ? undefined : country,
      method,
      party,
      onBehalf,
      of,
      worthFrom: { identity: USD_FROM.identity * perUsd, purpose: USD_FROM.purpose * perUsd },
    }),
  ) as Property & Body;
}

/** Strict: an unknown or misplaced keyword is a fault of ours. */
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });

/** Begins with nothing but what kind of remitter pays, and adds the example of what the schema misses until it is content. */
function filled(schema: Property & Body, isValid: ValidateFunction, remitter?: AccountType): Body {
  const body: Body = remitter === undefined ? {} : { remitter_account_type: remitter };
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
    for (const row of rows) agree(row);
  },
);

/** A body that is filled by the schema passes the checks; whatever is left out, schema and checks miss something, or neither does. */
function agree(row: Row): void {
  const schema = schemaOf(row);
  const isValid = ajv.compile(schema);
  for (const remitter of ACCOUNT_TYPES) {
    const body = filled(schema, isValid, remitter);
    const about = [row, body];
    expect([about, findingsOf(body, row)]).toEqual([about, []]);
    for (const name of Object.keys(body)) {
      // Without it the beneficiary is a person, and this schema was asked for a company.
      if (name === 'beneficiary_account_type') continue;
      // Without it the money goes another way, by the country's own corridor.
      if (name === 'destination_currency' && row.currency !== undefined) continue;
      const { [name]: _, ...less } = body;
      expect([about, name, findingsOf(less, row).length === 0]).toEqual([about, name, isValid(less)]);
    }
  }
}

const toBeneficiary = inputBy(PAYOUT_NAMES);

test.each(CORRIDORS.flatMap(({ country, methods }) => Object.keys(methods).map((method) => [country, method])))(
  '%s by %s: a stored beneficiary',
  (country, method) => {
    for (const row of ROWS.filter((one) => one.country === country && one.method === method)) {
      const schema = schemaOf(row, 'beneficiary');
      const isValid = ajv.compile(schema);
      const body = filled(schema, isValid);
      const found = (given: Body) =>
        checkBeneficiary(toBeneficiary(given), { ...CONTEXT, onBehalf: row.onBehalf }).findings;
      const about = [row, body];
      expect([about, found(body)]).toEqual([about, []]);
      expect(
        Object.keys(body).filter((name) => /^(remitter|request|transaction|additional)|_amount$/.test(name)),
      ).toEqual([]);
      const beneficiary = body.beneficiary as Body;
      for (const name of Object.keys(beneficiary)) {
        if (name === 'account_type') continue;
        const { [name]: _, ...less } = beneficiary;
        const given = { ...body, beneficiary: less };
        expect([about, name, found(given).length === 0]).toEqual([about, name, isValid(given)]);
      }
    }
  },
);

const BY_SWIFT = ['CH USD', 'CH CHF', 'AR USD', 'US EUR', 'GB USD', 'IN USD', 'CN USD', 'ZA USD', 'HK USD', 'NC USD'];

test.each(BY_SWIFT)('%s, by SWIFT', (way) => {
  const [country, currency] = way.split(' ') as [string, string];
  for (const party of [undefined, ...ACCOUNT_TYPES])
    for (const client of CLIENTS) {
      const row: Row = { country, currency, method: 'BANK', party, ...client };
      agree(row);
      // It is not what the country would get anyway.
      expect(schemaOf(row).required).toContain('destination_currency');
    }
});

const ANY: Omit<Row, 'country'> = { method: 'BANK', party: undefined, onBehalf: false, perUsd: 1_000_000 };

test('anywhere in SEPA: the currency has to be said outside the countries of the euro', () => {
  const schema = schemaOf({ ...ANY, country: 'EU' });
  const isValid = ajv.compile(schema);
  const { destination_currency: _, ...body } = filled(schema, isValid, 'Company');
  for (const [country, isEnough] of [
    ['FR', true],
    ['CH', false],
  ] as const) {
    expect(isValid({ ...body, beneficiary_country_code: country })).toBe(isEnough);
    expect(isValid({ ...body, beneficiary_country_code: country, destination_currency: 'EUR' })).toBe(true);
  }
});

test.each([
  ['BR', 'Individual', 'CPF', true],
  ['BR', 'Individual', 'CNPJ', false],
  ['BR', 'Company', 'CPF', false],
  ['BR', 'Company', 'CNPJ', true],
  ['BR', undefined, 'CNPJ', true],
  ['KE', 'Individual', 'Passport', true],
  ['KE', 'Company', 'Passport', false],
] as const)('%s: documents of each party, %s with %s', (country, party, document, isTaken) => {
  const row: Row = { ...ANY, country };
  const schema = schemaOf(row);
  const isValid = ajv.compile(schema);
  const body = {
    ...filled(schema, isValid, 'Company'),
    ...(party && { beneficiary_account_type: party }),
    beneficiary_identification_type: document,
  };
  expect(isValid(body)).toBe(isTaken);
  expect(findingsOf(body, row).includes('beneficiary.identificationType')).toBe(!isTaken);
});

test('an IBAN of GB instead of a sort code, and an object of its own, have examples that are right', () => {
  const row: Row = { ...ANY, country: 'GB' };
  const schema = schemaOf(row) as Property & Body & { readonly anyOf: readonly Property[] };
  const filledIn = filled(schema, ajv.compile(schema), 'Company');
  const { routing_code_type_1: _, routing_code_value_1: __, ...body } = filledIn;
  const [iban] = schema.anyOf[1]!.properties!.beneficiary_account_number!.examples ?? [];
  expect(findingsOf({ ...body, beneficiary_account_number: iban }, row)).toEqual([]);
  const cash = schemaOf({ ...row, country: 'PH', method: 'CASH' });
  expect(cash.properties!.additional_info!.examples).toEqual([{ cash_pickup: 'Any branch in Manila' }]);
});

test('no word of a schema is empty, or of another kind than its field', () => {
  const all = JSON.stringify(ROWS.map((row) => schemaOf(row)));
  expect(all).not.toContain('"examples":[]');
  expect(all.match(/"\$schema"/g)).toHaveLength(ROWS.length);
  expect(all).not.toMatch(/"type":"number"[^{}]*"maxLength"/);
});

test('an error of ajv has the form that this test expects', () => {
  const isValid = ajv.compile({ required: ['a'] });
  isValid({});
  expect((isValid.errors as ErrorObject[])[0]).toMatchObject({ keyword: 'required', params: { missingProperty: 'a' } });
});

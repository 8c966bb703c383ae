/** Values for fields: valid ones, and hostile ones. */
import fc from 'fast-check';
import { resolved } from '../described.js';
import { isOwnChoice, Kept, kindOfField } from './known.js';
import type { Field, Schema } from './operations.js';

/** JSON that no JavaScript value gives: it is sent as it is. */
export class Raw {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  [Symbol.for('fast-check/toStringMethod')](): string {
    return `raw(${this.json.slice(0, 80)})`;
  }
}

const NTH = fc.nat(50);
/** A number that chooses an unused id. */
export const FRESH = 'fresh';

/** Examples that only one record may have: the account of a stored beneficiary, the name of a sub-client. */
const ONLY_ONE: Readonly<Record<string, RegExp>> = { '000123456789': /^\d{12}$/, 'shop-1': /^shop-\d{6}$/ };

/** Mostly the example, with ids that there are. */
export function fitting(field: Field): fc.Arbitrary<unknown> {
  const others = ONLY_ONE[String(field.example)];
  if (others) return fc.stringMatching(others);
  const kind = kindOfField(field);
  const ours = bySchema(field.schema);
  if (kind === undefined)
    return field.example === undefined
      ? ours
      : fc.oneof({ arbitrary: fc.constant(field.example), weight: 40 }, { arbitrary: ours, weight: 1 });
  const known = NTH.map((nth) => new Kept(kind, nth));
  if (!isOwnChoice(kind) || field.place !== 'body') return fc.oneof({ arbitrary: known, weight: 20 }, ours);
  const fresh = fc.constant(new Kept(FRESH, 0));
  return fc.oneof({ arbitrary: fresh, weight: 60 }, { arbitrary: known, weight: 3 }, ours);
}

function bySchema(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map(bySchema));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
  if (schema.type === 'number') return fc.integer({ min: 1, max: 50_000_000 }).map((cents) => cents / 100);
  if (schema.type === 'array') return fc.array(bySchema(schema.items ?? {}), { maxLength: 3 });
  return text(schema);
}

function text({ pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength;
  if (pattern !== undefined) {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).filter(fits);
    } catch {
      // No generator for this form of pattern: any text, then.
    }
  }
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' }).filter(fits);
}

const NUMBERS = [
  ...['1e400', '-1e400', '1E2', '1e-7', '0.1e1', '-0', '0', '-1', '0.001', '0.0000001', '100.005', '1e999999999'],
  ...['9007199254740993', '999999999999999', '1000000000000000', '123456789012345678901234567890', '-1e-400'],
  ...['1.0000000000000000001', '99999999999999999999.99', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`, '1e', '01'],
].map((json) => new Raw(json));

const TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    'null',
    'true',
    'NaN',
    'Infinity',
    '0',
    '-1',
    '1e3',
    '1.5',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    '\0',
    'a\0b',
    '\r\nx-injected: 1',
    '\u001b[31m',
    '\u007f',
    '\u2028',
    '\ufeff',
    '\u202egpj.exe',
    'e\u0301',
    'ﷺ',
    '🏦',
  ],
  ...["' OR 1=1 --", '"; DROP', '{s00}:client:acme:accounts', '*', '../../etc/passwd', '%00', '$' + '{7*7}', '{{7*7}}'],
  ...['<script>alert(1)</script>', 'EUR', 'eur', 'ZZZ', 'XAU', 'BFX', '2028-02-30', '0000-00-00', '9999-12-31', '+'],
  ...['x'.repeat(141), 'x'.repeat(257), 'x'.repeat(5_000), 'é'.repeat(140), '1'.repeat(40), 'IR001', 'refusal'],
];

const OBJECTS = [
  ...['null', '[]', '{}', '[1]', '[null]', '{"a":1}', '{"__proto__":1}', '{"__proto__":{"x":1}}', '{"toString":1}'],
  ...['"\\ud800"', '"\\u0000"', '{"constructor":{"prototype":{}}}', '{"refusal":"NOT_FOUND","text":"x"}'],
  ...['[[[[[[1]]]]]]', '{"then":1}', '{"length":-1}', '{"toJSON":1}', '{"":""}', 'tru', 'undefined', 'NaN', '.5', '1.'],
  ...[`${'['.repeat(500)}${']'.repeat(500)}`, `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`],
].map((json) => new Raw(json));

/** What no field takes, and what some do. */
export const HOSTILE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...OBJECTS),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(true, false, 1, -1, 0.5, 100000000000, 999999999999),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.json({ maxDepth: 3 }).map((json) => new Raw(json)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => new Raw(JSON.stringify(number))),
  fc.nat(50).map((nth) => new Kept('account', nth)),
  fc.nat(50).map((nth) => new Kept('token', nth)),
);

/** Names of fields that there are not, or that mean something to JavaScript. */
export const NAMES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'refusal', 'text', ''],
    ...['a.b', 'a[b]', 'a[__proto__]', '__proto__[x]', 'beneficiary[name]', 'beneficiary', 'remitter', '[', ']', '[]'],
    ...['session', 'clientId', 'sellCurrency', 'buyAccount', 'address', 'quoteId', 'limitPrice', 'x'.repeat(300), '0'],
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

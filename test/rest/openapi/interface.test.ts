/** That the OpenAPI document has the interface's fields by their names and types, and nothing more than is named here. */
import { describe, expect, test } from 'vitest';
import { ON_BEHALF_OF } from '../../../rest/features/shapes.js';
import { at, escaped, resolved } from './described.js';
import { INTERFACE } from './interface.js';

interface Needed {
  readonly required: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly { readonly anyOf: readonly Needed[] }[];
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Field {
  readonly type: string;
  readonly required: boolean;
}
type Fields = Readonly<Record<string, Field>>;

/** In JSON a whole number is a number. */
const typeOf = ({ type }: Schema) => (type === 'integer' ? 'number' : String(type));

function written(fields: string): Fields {
  const parts = fields.split(' ').filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [, name, required, type] = /^([\w.]+)([!?]?):(\w+)$/.exec(part)!;
      return [name!, { type: type!, required: required === '!' }];
    }),
  );
}

/** Fields with those in objects: `beneficiary.name`. */
function fieldsOf(given: Schema, outer = ''): Fields {
  const { properties = {}, required = [] } = resolved(given);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      const inner = resolved(field);
      if (inner.type === 'object') return Object.entries(fieldsOf(inner, `${outer}${name}.`));
      return [[outer + name, { type: typeOf(inner), required: required.includes(name) }]];
    }),
  );
}

/** A field with a second name is needed as well, by one of the two; and those of a beneficiary, where no stored one is named. */
function fieldsAsked({ parameters = [], requestBody }: Operation): Fields {
  const schema = resolved(requestBody?.content['application/json']?.schema ?? {});
  const body = { ...fieldsOf(schema) };
  for (const { anyOf } of schema.allOf ?? []) {
    const [first, second] = anyOf.map(({ required: [name], properties = {} }) =>
      [name, ...(properties[name!]?.required ?? [])].join('.'),
    );
    if (second === 'beneficiary_id' || schema.properties?.[second!]?.description === `Same as ${first}`)
      body[first!] = { ...body[first!]!, required: true };
  }
  // Any path takes the header of a platform.
  const own = parameters.map(resolved).filter(({ name }) => name !== ON_BEHALF_OF);
  const placed = own.map(({ name, required, schema }) => [name, { type: typeOf(schema), required }]);
  return { ...Object.fromEntries(placed), ...body };
}

const names = (fields: Fields) => Object.keys(fields).sort();

const SERVED = Object.entries(INTERFACE).filter(([operation]) => {
  const [method, path] = operation.split(' ') as [string, string];
  return at(`/paths/${escaped(path)}/${method}`) !== undefined;
});

test('accounts, balances, Book FX and funding are served', () => {
  expect(SERVED.length).toBeGreaterThanOrEqual(11);
});

describe.each(SERVED)('%s', (operation, { asks, moreAsked = '', answers, moreAnswered = '', list }) => {
  const [method, path] = operation.split(' ') as [string, string];
  const described = at(`/paths/${escaped(path)}/${method}`) as Operation;
  const answer = described.responses['200']!.content['application/json']!.schema;

  test('asks for the fields of the interface, and those named here', () => {
    const asked = fieldsAsked(described);
    expect(asked).toMatchObject(written(asks));
    expect(names(asked)).toEqual(names(written(`${asks} ${moreAsked}`)));
    // What the interface does not know cannot be asked of its clients.
    for (const name of names(written(moreAsked))) expect([name, asked[name]!.required]).toEqual([name, false]);
  });

  test('answers the fields of the interface, and those named here', () => {
    expect(resolved(answer).type).toBe(list ? 'array' : 'object');
    const record = list ? resolved(answer).items! : answer;
    const expected = written(`${answers} ${moreAnswered}`);
    const always = (name: string) => !moreAnswered.includes(`${name}?:`);
    const all = Object.entries(expected).map(([name, field]) => [name, { ...field, required: always(name) }]);
    expect(fieldsOf(record)).toEqual(Object.fromEntries(all));
  });
});

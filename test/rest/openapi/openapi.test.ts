/** The OpenAPI document itself: valid, whole, and true of the routes behind it. What the server answers is held against it elsewhere. */
import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../../engine/service/operations.js';
import { ROUTES, type Route } from '../../../rest/features/routes.js';
import { ON_BEHALF_OF } from '../../../rest/features/shapes.js';
import { routesOf } from '../../../rest/openapi/document.js';
import { TAGS } from '../../../rest/openapi/reference.js';
import { at, DOCUMENT, escaped, faultsBy, resolved } from './described.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}
type Content = Readonly<Record<string, Media>>;
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

/** Operations with their place in the document. */
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    pointer: `/paths/${escaped(path)}/${method}`,
    operation: operation as unknown as Operation,
  })),
);
const each = describe.each(OPERATIONS.map((found) => [`${found.method} ${found.path}`, found] as const));

/** Every value in the document, with its place. */
function* everything(value: unknown, pointer = ''): Generator<readonly [pointer: string, value: unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* everything(inner, `${pointer}/${escaped(name)}`);
}

/** Fields of an object, those of objects in it too: `beneficiary.name`. */
function* fieldsOf(schema: Schema, outer = ''): Generator<readonly [name: string, schema: Schema]> {
  const found = resolved(schema);
  if (found.items) yield* fieldsOf(found.items, outer);
  for (const [name, field] of Object.entries(found.properties ?? {})) {
    yield [outer + name, field];
    yield* fieldsOf(field, `${outer}${name}.`);
  }
}

const parametersOf = ({ parameters = [] }: Operation): Parameter[] => parameters.map(resolved);

const nobodySaid = (schema: Schema) =>
  [...fieldsOf(schema)].filter(([, field]) => !field.description && !field.$ref).map(([name]) => name);

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(DOCUMENT))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('it has every route, and no other', () => {
  const described = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
  expect(described.sort()).toEqual(
    routesOf(ROUTES)
      .map(([, { method, path }]) => `${method} ${path}`)
      .sort(),
  );
  expect(described.length).toBeGreaterThan(12);
});

test('operation ids are unique, and fit for the name of a function', () => {
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
});

test('every $ref leads somewhere', () => {
  const refs = [...everything(DOCUMENT)].filter(([pointer]) => pointer.endsWith('/$ref')).map(([, ref]) => String(ref));
  expect(refs.length).toBeGreaterThan(50);
  expect(refs.filter((ref) => !ref.startsWith('#/') || at(ref.slice(1)) === undefined)).toEqual([]);
});

test('a body or a parameter that operations share is a component', () => {
  const places = OPERATIONS.flatMap(({ operation: { parameters = [], requestBody } }) => [
    ...parameters.filter(({ name }) => [ON_BEHALF_OF, 'If-Match', 'limit', 'cursor'].includes(name)),
    ...Object.values(requestBody?.content['application/json']?.schema.properties ?? {}).filter(
      ({ properties }) => properties !== undefined,
    ),
    ...(requestBody ? [requestBody.content['application/json']!.schema] : []),
  ]);
  const texts = places.filter(({ $ref }) => $ref === undefined).map((place) => JSON.stringify(place));
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

test('names of components are identifiers in every language', () => {
  const names = Object.entries(DOCUMENT.components)
    .filter(([kind]) => kind !== 'headers')
    .flatMap(([, components]) => Object.keys(components));
  expect(names).toEqual(expect.arrayContaining(['BadRequest', 'Unauthorized', 'TooManyRequests', 'Problem']));
  expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
});

test('no example looks like a secret', () => {
  const texts = [...everything(DOCUMENT)].filter((found): found is [string, string] => typeof found[1] === 'string');
  const secret = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])|\bCK_(?!YOUR)|PRIVATE KEY|password\s*[=:]/;
  expect(secret.test('x'.repeat(43))).toBe(true);
  // Names of rules and fields are long too, but they have no digit.
  expect(texts.filter(([, text]) => secret.test(text) && /\d/.test(text))).toEqual([]);
});

test('every text has a maximum, in requests, answers and headers', () => {
  const isText = (found: unknown): found is Readonly<Record<string, unknown>> =>
    typeof found === 'object' && found !== null && 'type' in found && found.type === 'string';
  const open = [...everything(DOCUMENT)].filter(
    ([pointer, found]) =>
      isText(found) &&
      !/\/examples?(\/|$)/.test(pointer) &&
      found.enum === undefined &&
      found.const === undefined &&
      found.maxLength === undefined,
  );
  expect(open.map(([pointer]) => pointer)).toEqual([]);
});

each('%s', (_name, { path, method, pointer, operation }) => {
  test('says what it does, under a heading that there is', () => {
    const { summary, description, tags } = operation;
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/^[A-Z].*\.$/s);
    expect(tags).toHaveLength(1);
    expect(Object.keys(TAGS)).toContain(tags[0]);
  });

  test('says what every field means', () => {
    const { parameters = [], requestBody, responses } = operation;
    expect(
      parameters
        .map(resolved)
        .filter(({ description }) => !description)
        .map(({ name }) => name),
    ).toEqual([]);
    for (const { schema } of Object.values(requestBody?.content ?? {})) expect(nobodySaid(schema)).toEqual([]);
    expect(nobodySaid(responses['200']!.content!['application/json']!.schema)).toEqual([]);
  });

  test('has an example of its request that fits', () => {
    const { parameters = [], requestBody } = operation;
    for (const [at, parameter] of parameters.entries()) {
      const { name, required, example } = resolved(parameter);
      if (required) expect([name, example]).not.toEqual([name, undefined]);
      const place = parameter.$ref?.slice(1) ?? `${pointer}/parameters/${at}`;
      if (example !== undefined) expect(faultsBy(`${place}/schema`, example)).toEqual([]);
    }
    for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
      expect(example).toBeDefined();
      expect(faultsBy(`${pointer}/requestBody/content/${escaped(type)}/schema`, example)).toEqual([]);
    }
    const other = path === '/api/v1/batches/{batch_id}/items' ? 'text/csv' : 'multipart/form-data';
    if (requestBody) expect(Object.keys(requestBody.content)).toEqual(['application/json', other]);
  });

  test('has an example of its answer that fits', () => {
    const { example } = operation.responses['200']!.content!['application/json']!;
    expect(example).toBeDefined();
    expect(faultsBy(`${pointer}/responses/200/content/application~1json/schema`, example)).toEqual([]);
  });

  test('has the refusals that any request can meet, and 404 for an id in the path', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(['200', '400', '401', '403', '429', '500', '503']));
    if (path.includes('{')) expect(statuses).toContain('404');
    expect(statuses).not.toContain('405');
  });

  test('names the parameters of its path', () => {
    const inPath = parametersOf(operation).filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  });

  const [name, route] = routesOf(ROUTES).find(
    ([, found]) => found.method === method && found.path.replace(/:(\w+)/g, '{$1}') === path,
  )!;

  test('takes its own example', () => {
    const example = operation.requestBody?.content['application/json']?.example as object | undefined;
    const given = Object.fromEntries(
      parametersOf(operation)
        .filter((one) => one.example !== undefined)
        .map((one) => [one.name, one.example]),
    );
    const read = operationNamed(name).input.safeParse({
      ...(asked(route, operation, given, example) as object),
      // The door knows it of the connection.
      ...(route.limit === 'authentication' && { address: '127.0.0.1' }),
    });
    expect(read.error?.issues ?? []).toEqual([]);
  });

  test('reads every field that it describes', () => {
    const nothing = asked(route, operation, {}, {});
    // The handler reads If-None-Match, of reference data alone, and x-on-behalf-of.
    const unread = parametersOf(operation)
      .filter(({ name }) => name !== 'If-None-Match' || !route.isReferenceData)
      .filter(({ name }) => name !== ON_BEHALF_OF)
      .filter((one) => isDeepStrictEqual(asked(route, operation, { [one.name]: probe(one.schema) }, {}), nothing))
      .map((one) => one.name);
    const body = operation.requestBody?.content['application/json']?.schema ?? {};
    for (const [field, schema] of fieldsOf(body)) {
      if (resolved(schema).type === 'object') continue;
      const sent = field.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), probe(schema)) as object;
      if (isDeepStrictEqual(asked(route, operation, {}, sent), nothing)) unread.push(field);
    }
    expect(unread).toEqual([]);
  });
});

/** What the operation is given of a request with these parameters and this body. */
function asked(route: Route, operation: Operation, given: Record<string, unknown>, body?: object): unknown {
  const placed = (place: Parameter['in']) =>
    Object.fromEntries(
      parametersOf(operation)
        .filter((one) => one.in === place && given[one.name] !== undefined)
        // As Node has the names of headers.
        .map((one) => [place === 'header' ? one.name.toLowerCase() : one.name, String(given[one.name])]),
    );
  const request = {
    params: placed('path'),
    query: placed('query'),
    headers: placed('header'),
    socket: { remoteAddress: '127.0.0.1' },
  };
  return route.input(request as unknown as Request, body as Record<string, unknown> | undefined);
}

/** A value of the field's type. */
function probe({ type, enum: choices }: Schema): unknown {
  if (choices) return choices.find((choice) => choice !== '');
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? 7 : 'probe';
}

test('the problems have examples that fit, and every status of the interface, and 408', () => {
  const statuses: unknown[] = [];
  for (const [name, response] of Object.entries(DOCUMENT.components.responses)) {
    const { example } = (response as { content: Content }).content['application/problem+json']!;
    statuses.push((example as { status: number }).status);
    const pointer = `/components/responses/${name}/content/application~1problem+json/schema`;
    expect(faultsBy(pointer, example)).toEqual([]);
  }
  expect(statuses).toEqual([400, 401, 403, 404, 408, 409, 429, 500, 503]);
});

test('every component is used', () => {
  const text = JSON.stringify(DOCUMENT);
  const unused = Object.entries(DOCUMENT.components as Readonly<Record<string, object>>)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`))
    .filter((pointer) => !text.includes(`"$ref":"${pointer}"`));
  expect(unused).toEqual([]);
});

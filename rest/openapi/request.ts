/** A route's request in the document: parameters, and the body as JSON and as a form. */

import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { Route } from '../features/routes.js';
import { MAX_BODY_BYTES } from '../http/body.js';
import { alternatives, type InputField, type InputFields, inputFields, type Schema } from './input-fields.js';
import { type FieldPlace, placeOf } from './unknown-fields.js';

type Example = Readonly<Record<string, unknown>>;

export interface RequestPart {
  readonly parameters: oas31.ParameterObject[];
  readonly requestBody: oas31.RequestBodyObject | undefined;
}

export function requestPart(input: z.ZodType, route: Route): RequestPart {
  const { example } = route.reference;
  const all = inputFields(input, route);
  const at = (place: FieldPlace) => all.fields.filter(({ path }) => placeOf(route, path.join('.')) === place);
  const inBody = at('body');
  const parameters = [
    ...at('path').map((field) => parameter(field, 'path', example)),
    ...at('If-Match').map(ifMatchParameter),
    ...at('query').map((field) => parameter(field, 'query', example)),
    ...at('header').map((field) => parameter(field, 'header', example)),
  ];
  return {
    parameters,
    requestBody: inBody.length > 0 ? requestBody(input, route, { ...all, fields: inBody }) : undefined,
  };
}

/** A version is a number in our input, and an entity tag in the header. */
function ifMatchParameter({ required }: InputField): oas31.ParameterObject {
  return {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT',
    required,
    schema: { type: 'string', maxLength: 32 },
    example: '"1"',
  };
}

function parameter({ path, schema, required }: InputField, place: 'path' | 'query' | 'header', example: Example) {
  const name = path.join('.');
  const { description, examples: _, ...rest } = schema;
  return {
    name,
    in: place,
    description: description!,
    required: required || place === 'path',
    schema: rest,
    ...(name in example && { example: example[name] }),
  };
}

function requestBody(input: z.ZodType, route: Route, fields: InputFields): oas31.RequestBodyObject {
  const parameters = new Set(route.path.split('/').map((segment) => segment.slice(1)));
  const { inQuery = [] } = route.reference;
  const isElsewhere = (key: string) => parameters.has(key) || inQuery.includes(key);
  const example = Object.fromEntries(Object.entries(route.reference.example).filter(([key]) => !isElsewhere(key)));
  const needed = alternatives(input, route);
  const rules = (requiring: (name: string) => Schema): Schema =>
    needed.length > 0 ? { allOf: needed.map((names) => ({ anyOf: names.map(requiring) })) } : {};
  const form = {
    schema: { ...flat(fields), ...rules((name) => ({ required: [formName(name.split('.'))] })) },
    example: flatExample(example),
  };
  return {
    required: needed.length > 0 || fields.fields.some(({ required }) => required),
    content: {
      'application/json': { schema: { ...nested(fields), ...rules(requiredWithin) }, example },
      ...(route.csv
        ? { 'text/csv': { schema: csvSchema(route.bodyMax), example: route.csvExample } }
        : { 'multipart/form-data': form }),
    },
  };
}

function requiredWithin(name: string): Schema {
  const [outer, inner] = name.split('.') as [string, string | undefined];
  return { required: [outer], ...(inner && { properties: { [outer]: { required: [inner] } } }) };
}

const csvSchema = (maxLength = MAX_BODY_BYTES): Schema => ({
  type: 'string',
  maxLength,
  description: 'The first record has the names of the fields',
});

/** As JSON has it: `beneficiary: { name }`. An object is required when a field in it is. */
function nested(all: InputFields, outer: readonly string[] = []): Schema {
  const depth = outer.length;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const name of new Set(all.fields.map(({ path }) => path[depth]!))) {
    const fields = all.fields.filter(({ path }) => path[depth] === name);
    const [only] = fields;
    const isLeaf = fields.length === 1 && only!.path.length === depth + 1;
    properties[name] = isLeaf ? only!.schema : nested({ ...all, fields }, [...outer, name]);
    if (fields.some((field) => field.required)) required.push(name);
  }
  const description = all.about.get(outer.join('.'));
  return { type: 'object', ...(description && { description }), ...rules(properties, required) };
}

/** As a form has it: `beneficiary[name]`. */
function flat(all: InputFields): Schema {
  const properties = Object.fromEntries(all.fields.map(({ path, schema }) => [formName(path), schema]));
  const required = all.fields.filter((field) => field.required).map(({ path }) => formName(path));
  return { type: 'object', ...rules(properties, required) };
}

const rules = (properties: Record<string, Schema>, required: string[]): Schema => ({
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const formName = ([outer, ...inner]: readonly string[]) => `${outer}${inner.map((name) => `[${name}]`).join('')}`;

function flatExample(example: Example): Example {
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, one]) => [formName([name, inner]), one])
        : [[name, value]],
    ),
  );
}

/** Undefined for a field that has none: then it is left out. */
export function exampleOf(type: z.core.$ZodType): unknown {
  const given = (z.globalRegistry.get(type) as { readonly examples?: readonly unknown[] } | undefined)?.examples?.[0];
  if (given !== undefined) return given;
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return exampleOf(type.unwrap());
  if (type instanceof z.ZodArray) return [exampleOf(type.element)];
  if (!(type instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(type.shape).map(([name, field]) => [name, exampleOf(field as z.core.$ZodType)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The fields that a route takes, from the operation's own input schema, by the names of the interface. */
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { Route } from '../features/routes.js';
import type { Names } from '../features/shapes.js';

export type Schema = oas31.SchemaObject;

export interface InputField {
  /** By the interface's names, from the outside in: `['beneficiary', 'name']`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
}

export interface InputFields {
  readonly fields: readonly InputField[];
  /** What an object that holds fields is about, by its path joined with dots. */
  readonly about: ReadonlyMap<string, string>;
}

/** Throws for a field without a description: the document is built at its first request, and in tests. */
export function inputFields(input: z.ZodType, route: Route): InputFields {
  const { aliases = {} } = route.reference;
  const about = new Map<string, string>();
  const fields: InputField[] = [];
  for (const { theirs, type, required, isObject } of inputTypes(input, route)) {
    if (isObject) {
      const description = jsonSchema(type).description;
      if (description) about.set(theirs, description);
    } else fields.push({ path: theirs.split('.'), schema: described(theirs, jsonSchema(type), route), required });
  }
  return { fields: fields.flatMap((field) => withAliases(field, aliases)), about };
}

export interface InputType {
  /** By the interface's names, joined with dots. */
  readonly theirs: string;
  readonly type: z.core.$ZodType;
  readonly required: boolean;
  /** The fields in it follow. */
  readonly isObject: boolean;
}

/** The fields of the input and the objects that hold them, by their first names: `aliases` has the others. */
export function* inputTypes(input: z.ZodType, route: Route): Generator<InputType> {
  const names = namesOf(route);
  const { hidden = [], schemas = {} } = route.reference;
  const found = new Set<string>();
  function* walk(shape: z.core.$ZodShape, outer: readonly string[], isNeeded: boolean): Generator<InputType> {
    for (const [ours, type] of Object.entries(shape)) {
      const path = [...outer, ours];
      const dotted = path.join('.');
      if (hidden.includes(dotted)) continue;
      const theirs = names[dotted] ?? dotted;
      found.add(theirs);
      const inner = objectIn(type);
      const required = isNeeded && (inner ? inner.isNeeded : type._zod.optin === undefined);
      yield { theirs, type: inner ? type : (schemas[theirs] ?? type), required, isObject: inner !== undefined };
      if (inner) yield* walk(inner.object.shape, path, required);
    }
  }
  if (input instanceof z.ZodObject) yield* walk(input.shape, [], true);
  for (const [theirs, type] of Object.entries(schemas))
    if (!found.has(theirs)) yield { theirs, type, required: type._zod.optin === undefined, isObject: false };
}

/** Where a field has two names, the first: that of an empty request. */
function namesOf({ names }: Route): Names {
  if (typeof names !== 'function') return names;
  return names({ query: {}, params: {}, headers: {} } as Parameters<typeof names>[0], undefined);
}

/** The object behind what makes it optional; with a prefault, an object that was not sent is an empty one. */
export function objectIn(type: z.core.$ZodType): { object: z.ZodObject; isNeeded: boolean } | undefined {
  if (type instanceof z.ZodObject) return { object: type, isNeeded: true };
  if (type instanceof z.ZodPrefault) return objectIn(type.unwrap());
  if (type instanceof z.ZodOptional) {
    const inner = objectIn(type.unwrap());
    return inner && { ...inner, isNeeded: false };
  }
  return undefined;
}

function jsonSchema(type: z.core.$ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  // The limit of JavaScript's integers is no information.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  return schema as Schema;
}

function described(theirs: string, schema: Schema, { path, reference }: Route): Schema {
  const description = reference.fields?.[theirs] ?? schema.description;
  if (description === undefined) throw new Error(`${path}: the field ${theirs} has no description`);
  return { ...schema, description };
}

/** Either name is accepted; that one of the two is required is described beside the fields. */
function withAliases(field: InputField, aliases: Readonly<Record<string, string>>): InputField[] {
  const seconds = Object.keys(aliases).filter((second) => aliases[second] === field.path.join('.'));
  if (seconds.length === 0) return [field];
  const isInstead = (names: string) => (field.required ? `needed, unless ${names} is sent` : `or as ${names}`);
  const first = { ...field.schema, description: `${field.schema.description}; ${isInstead(seconds.join(', '))}` };
  return [
    { ...field, schema: first, required: false },
    ...seconds.map((second) => ({
      path: second.split('.'),
      schema: { ...field.schema, description: `Same as ${field.path.join('.')}` },
      required: false,
    })),
  ];
}

/** Lists of names of which one is needed: those of the reference, and both names of a required field that has two. */
export function alternatives(input: z.ZodType, route: Route): readonly (readonly string[])[] {
  const { aliases = {}, needsOneOf = [] } = route.reference;
  const required = inputFields(input, { ...route, reference: { ...route.reference, aliases: {} } })
    .fields.filter((field) => field.required)
    .map(({ path }) => path.join('.'));
  const twice = required
    .map((first) => [first, ...Object.keys(aliases).filter((second) => aliases[second] === first)])
    .filter(({ length }) => length > 1);
  return [...needsOneOf, ...twice];
}

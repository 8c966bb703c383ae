/** Fields of a request that the OpenAPI document does not have: each is refused, with the name that was probably meant. */
import { z } from 'zod';
import { nearestName } from '../../engine/domain/core/nearest-name.js';
import { type FieldFault, UNKNOWN_FIELD } from '../../engine/domain/core/refusal.js';
import { operationNamed } from '../../engine/service/operations.js';
import type { RestOperation, Route } from '../features/routes.js';
import type { Body } from '../http/body.js';
import { inputTypes, objectIn } from './input-fields.js';

export type FieldPlace = 'path' | 'query' | 'body' | 'header' | 'If-Match';

/** Where the route takes the field, by its name in the interface. */
export function placeOf({ method, path, reference }: Route, theirs: string): FieldPlace {
  if (path.split('/').includes(`:${theirs}`)) return 'path';
  if (theirs === 'If-Match') return 'If-Match';
  if (reference.inQuery?.includes(theirs)) return 'query';
  return reference.place ?? (method === 'get' ? 'query' : 'body');
}

/** What a value may have inside; without either, nothing in it is a field. */
interface Known {
  members?: Map<string, Known>;
  items?: Scope;
}

/** What names are compared with: all of a request, or all of one item of a list. */
interface Scope extends Known {
  readonly names: readonly string[];
}

interface KnownFields {
  readonly query: Scope;
  readonly body: Scope;
}

const KNOWN = new WeakMap<Route, KnownFields>();

/** Faults that one answer names, and names for which a similar one is searched. */
export const UNKNOWN_MAX = 100;
const SEARCHED_MAX = 10;
/** Longer lists are refused by their length. */
const ITEMS_MAX = 1_000;
/** Names that a fault lists where none is similar. */
const LISTED_MAX = 12;
const NAME_MAX = 128;

/** The faults of query and body, 100 at most. */
export function unknownFields(
  name: RestOperation,
  route: Route,
  query: Readonly<Record<string, unknown>>,
  body: Body | undefined,
): readonly FieldFault[] {
  const { query: inQuery, body: inBody } = knownFields(name, route);
  const found: FieldFault[] = [];
  search(query, inQuery, inQuery, '', '', found);
  if (body) search(body, inBody, inBody, '', '', found);
  return found;
}

/** `at` is where the scope begins, `outer` where the value is within it: both empty, or with a point at the end. */
function search(value: unknown, known: Known, scope: Scope, at: string, outer: string, found: FieldFault[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = known;
    if (items === undefined || value.length > ITEMS_MAX) return;
    for (let i = 0; i < value.length && found.length < UNKNOWN_MAX; i++)
      search(value[i], items, items, `${at}${outer}${i}.`, '', found);
    return;
  }
  if (known.members === undefined) return;
  for (const name of Object.keys(value)) {
    if (found.length === UNKNOWN_MAX) return;
    const inner = known.members.get(name);
    if (inner) {
      const member = (value as Body)[name];
      if (typeof member === 'object') search(member, inner, scope, at, `${outer}${name}.`, found);
      continue;
    }
    const path = outer + name;
    const near = found.length < SEARCHED_MAX ? nearestName(path, scope.names) : undefined;
    const message = textOf(near === undefined ? undefined : at + near, scope.names);
    found.push({ field: (at + path).slice(0, NAME_MAX), code: 'unsupported_field', message, rule: UNKNOWN_FIELD });
  }
}

function textOf(near: string | undefined, names: readonly string[]): string {
  if (near !== undefined) return `no such field here: did you mean ${near}?`;
  if (names.length === 0) return 'no such field here: there are none';
  return names.length > LISTED_MAX ? 'no such field here' : `no such field here: there are ${names.join(', ')}`;
}

function knownFields(name: RestOperation, route: Route): KnownFields {
  const kept = KNOWN.get(route);
  if (kept !== undefined) return kept;
  const names: string[] = [];
  const known = { query: { members: new Map(), names }, body: { members: new Map(), names } };
  const { aliases = {} } = route.reference;
  for (const { theirs, type, isObject } of inputTypes(operationNamed(name).input, route)) {
    if (isObject) continue;
    for (const each of [theirs, ...Object.keys(aliases).filter((second) => aliases[second] === theirs)]) {
      const place = placeOf(route, each);
      if (place !== 'query' && place !== 'body') continue;
      put(known[place], each.split('.'), insideOf(type));
      names.push(each);
    }
  }
  KNOWN.set(route, known);
  return known;
}

function put(into: Known, [name, ...deeper]: readonly string[], known: Known): void {
  into.members ??= new Map();
  const inner = into.members.get(name!) ?? {};
  into.members.set(name!, inner);
  if (deeper.length > 0) put(inner, deeper, known);
  else Object.assign(inner, known);
}

function insideOf(type: z.core.$ZodType): Known {
  if (type instanceof z.ZodOptional) return insideOf(type.unwrap());
  if (type instanceof z.ZodArray) {
    const items = insideOf(type.element);
    return { items: { ...items, names: namesIn(items) } };
  }
  const object = objectIn(type)?.object;
  if (object === undefined) return {};
  const members = Object.entries(object.shape as z.core.$ZodShape).map(
    ([name, inner]) => [name, insideOf(inner)] as const,
  );
  return { members: new Map(members) };
}

const namesIn = ({ members = new Map() }: Known, outer = ''): string[] =>
  [...members].flatMap(([name, inner]) => (inner.members ? namesIn(inner, `${outer}${name}.`) : [outer + name]));

/** The operations of the OpenAPI document, each as the fields that a request of it is made of. */

import { type LimitName, ROUTES } from '../../../../rest/features/routes.js';
import { ON_BEHALF_OF } from '../../../../rest/features/shapes.js';
import { routesOf } from '../../../../rest/openapi/document.js';
import { DOCUMENT, resolved } from '../described.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Field {
  readonly place: 'path' | 'query' | 'header' | 'body';
  /** From the outside in: `['beneficiary', 'name']`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Asked for without a token. */
  readonly isOpen: boolean;
  /** Asked for with a token, or with a key and its secret instead. */
  readonly isEither: boolean;
  readonly takesBody: boolean;
  readonly limit: LimitName;
  readonly fields: readonly Field[];
}

interface Parameter extends Pick<Field, 'schema' | 'required' | 'example'> {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly unknown[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operation(method, path, described as unknown as Described)),
);

function operation(method: string, path: string, described: Described): Operation {
  const { operationId, parameters = [], requestBody, security } = described;
  const body = requestBody?.content['application/json'];
  const made = {
    id: operationId,
    method: method.toUpperCase(),
    path,
    isOpen: security?.length === 0,
    isEither: (security?.length ?? 0) > 1,
    takesBody: body !== undefined,
    limit: limitOf(method, path),
    fields: [
      // Which client a request is for is a matter of the whole request: see Party.
      ...parameters
        .map(resolved)
        .filter(({ name }) => name !== ON_BEHALF_OF)
        .map(({ name, in: place, ...rest }) => ({ place, path: [name], ...rest })),
      ...(body ? bodyFields(body.schema, body.example, []) : []),
    ],
  };
  // A counterexample names it; all of it would fill pages.
  return Object.defineProperty(made, Symbol.for('fast-check/toStringMethod'), { value: () => operationId });
}

function bodyFields(schema: Schema, example: unknown, outer: readonly string[]): Field[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).flatMap(([name, given]): Field[] => {
    const inner = resolved(given);
    const path = [...outer, name];
    const own = (example as Record<string, unknown> | undefined)?.[name];
    if (inner.properties) return bodyFields(inner, own, path);
    return [{ place: 'body', path, schema: inner, required: required.includes(name), example: own }];
  });
}

function limitOf(method: string, path: string): LimitName {
  const isThis = (route: { method: string; path: string }) =>
    route.method === method && route.path.replace(/:(\w+)/g, '{$1}') === path;
  return routesOf(ROUTES).find(([, route]) => isThis(route))![1].limit;
}

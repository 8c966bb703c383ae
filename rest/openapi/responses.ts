/** What a route answers, in the document: its body, and a problem for each status that it can refuse with. */
import { z } from 'zod';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Route } from '../features/routes.js';
import type { HttpStatus } from '../http/responses.js';
import { codesOf, PROBLEM, problemExample } from './problem-schema.js';
import { exampleOf } from './request.js';

/** By their names in HTTP: generators make identifiers of them. */
/** No operation answers 405: it is the answer to a method that a path does not have. */
type RefusalStatus = Exclude<HttpStatus, 405>;

const PROBLEM_NAMES: Readonly<Record<RefusalStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const PROBLEM_TEXTS: Readonly<Record<RefusalStatus, string>> = {
  400: 'The request, or what it asks for, is refused: the code says why, `errors` which fields',
  401: 'No valid token, or wrong credentials',
  403: 'The key lacks a right, or the client may not do this',
  404: 'The client has no record with this id',
  408: 'The request has not arrived in time: the connection is closed, and nothing was executed',
  409: 'The id was used before, for another command or payment, or the record has another version',
  429: 'Too many requests: Retry-After says when to continue',
  500: 'An internal error',
  503: 'No rate, or no store, for the moment: Retry-After says when to retry, `outcome` whether a command was executed',
};

/** On every answer, unless said otherwise. */
export const HEADERS: Readonly<Record<string, oas31.HeaderObject>> = {
  'x-request-id': header('Id of this answer', { type: 'string', maxLength: 128 }, true),
  'x-acting-for': header(
    'Id of the client that the request was for: the caller’s own, or that of x-on-behalf-of. Absent where the caller is not known',
    { type: 'string', maxLength: 64 },
  ),
  RateLimit: header('Requests left in this minute, and seconds until it ends', { type: 'string', maxLength: 128 }),
  'RateLimit-Policy': header('Requests in a minute, by kind', { type: 'string', maxLength: 128 }),
  'Retry-After': header('Seconds after which to try again', { type: 'integer', minimum: 1 }),
  'Idempotent-Replayed': header('true on an answer that repeats an earlier one', { type: 'string', const: 'true' }),
  ETag: header(
    'Of reference data: sent as If-None-Match, it is answered with 304 until they change. Of a record: its version, which a change sends as If-Match',
    { type: 'string', maxLength: 128 },
    true,
  ),
  'WWW-Authenticate': header('The required scheme', { type: 'string', const: 'Bearer' }, true),
};

function header(description: string, schema: oas31.SchemaObject, required = false): oas31.HeaderObject {
  return { description, required, schema };
}

const headerRefs = (...names: readonly (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A thousand records of a kilobyte. */
const CSV_MAX = 1_048_576;

const COUNTED = ['x-request-id', 'x-acting-for', 'RateLimit', 'RateLimit-Policy'] as const;

export function responses(route: Route): ZodOpenApiResponsesObject {
  const example = exampleOf(route.response);
  const own = route.isReferenceData || route.version ? ['ETag'] : [];
  const answer: ZodOpenApiResponseObject = {
    description: z.globalRegistry.get(route.response)?.description ?? 'Done',
    headers: headerRefs(...COUNTED, ...(route.headers ? ['Idempotent-Replayed'] : []), ...own),
    content: {
      'application/json': { schema: route.response, example },
      ...(route.text && { 'text/csv': { schema: { type: 'string', maxLength: CSV_MAX } } }),
    },
  };
  const refusals = statusesOf(route).map((status) => [
    String(status),
    { $ref: `#/components/responses/${PROBLEM_NAMES[status]}` },
  ]);
  const same = {
    description: 'If-None-Match has the ETag: nothing has changed',
    headers: headerRefs(...COUNTED, ...own),
  };
  return { '200': answer, ...(route.isReferenceData && { '304': same }), ...Object.fromEntries(refusals) };
}

/** Any request may be malformed, or find the store away; only an id of the client's can be known, unknown or used before. */
function statusesOf({ path, reference, names }: Route): RefusalStatus[] {
  const { example, alsoRefused = [] } = reference;
  const isVersioned = typeof names === 'object' && names.version === 'If-Match';
  const takesId = 'request_id' in example || 'transaction_number' in example;
  const also = [
    ...(path.includes(':') ? [404 as const] : []),
    ...(takesId || isVersioned ? [409 as const] : []),
    ...alsoRefused,
  ];
  return [...new Set<RefusalStatus>([400, 401, 403, ...[408 as const, ...also].sort(), 429, 500, 503])];
}

const OWN_HEADERS: Partial<Record<RefusalStatus, readonly string[]>> = {
  401: ['WWW-Authenticate', 'Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Shared by all routes. */
export function problemResponses(): Record<string, ZodOpenApiResponseObject> {
  const statuses = Object.keys(PROBLEM_TEXTS).map(Number) as RefusalStatus[];
  return Object.fromEntries(statuses.map((status) => [PROBLEM_NAMES[status], problemResponse(status)]));
}

function problemResponse(status: RefusalStatus): ZodOpenApiResponseObject {
  return {
    description: PROBLEM_TEXTS[status],
    headers: headerRefs(...COUNTED, ...(OWN_HEADERS[status] ?? [])),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { properties: { status: { const: status }, code: { enum: codesOf(status) } } },
            ...(status === 503 ? [{ required: ['outcome'] }] : []),
          ],
        },
        example: problemExample(status),
      },
    },
  };
}

export const SCHEMAS = { Problem: PROBLEM };

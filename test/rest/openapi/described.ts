/** Every answer that a test gets over REST is held against the OpenAPI document: so every test of the door tests the document too. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../../rest/openapi/document.js';

interface Given {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read as JSON. */
  readonly body: unknown;
}

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

type Operation = { readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>> };
type Path = Readonly<Partial<Record<string, Operation>>>;

// As a client reads it.
export const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument())) as {
  readonly paths: Readonly<Record<string, Path>>;
  readonly components: Readonly<Record<'responses' | 'headers' | 'schemas', Readonly<Record<string, object>>>>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(DOCUMENT, 'openapi');

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value by the schema at a place in the document: `/components/schemas/Problem`. */
export function faultsBy(pointer: string, value: unknown): readonly string[] {
  let validate = compiled.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
    compiled.set(pointer, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).map(faultText);
}

/** Throws, telling all that is wrong, for an answer that the document does not have. */
export function checkDescribed(method: string, address: string, answer: Given): void {
  const { path, operation } = operationOf(method, address);
  if (operation === undefined && answer.status === 405) {
    checkNotAllowed(method, address, answer);
    return;
  }
  const described = operation?.responses[answer.status];
  if (operation && described === undefined) fail(method, address, [`status ${answer.status} is not described`]);
  // To no operation of ours, only a refusal can be given.
  const pointer =
    described === undefined || '$ref' in described
      ? problemAt(answer.status)
      : `/paths/${escaped(path!)}/${methodOf(method)}/responses/${answer.status}`;
  checkAgainst(pointer, method, address, answer);
}

/** The same for a refusal by a route that is not in the document. */
export function checkProblem(method: string, address: string, answer: Given): void {
  if (answer.status === 405) checkNotAllowed(method, address, answer);
  else checkAgainst(problemAt(answer.status), method, address, answer);
}

/** No operation answers 405: it is the answer to a method that a path does not have. */
function checkNotAllowed(method: string, address: string, { headers, body }: Given): void {
  const { status, code, title } = (body ?? {}) as { status?: unknown; code?: unknown; title?: unknown };
  const faults = [
    ...(headers['content-type'] === 'application/problem+json; charset=utf-8' ? [] : ['the content type is another']),
    ...(headers.allow ? [] : ['the header Allow is missing']),
    ...(method === 'HEAD' || (status === 405 && code && title) ? [] : [`the body is ${JSON.stringify(body)}`]),
  ];
  if (faults.length > 0) fail(method, address, faults);
}

/** The one component whose problem has this status. */
function problemAt(status: number): string {
  const found = Object.entries(DOCUMENT.components.responses).find(([, response]) =>
    JSON.stringify(response).includes(`"status":{"const":${status}}`),
  );
  return `/components/responses/${found?.[0]}`;
}

function checkAgainst(pointer: string, method: string, address: string, { status, headers, body }: Given): void {
  const response = at(pointer) as Described | undefined;
  if (response === undefined) fail(method, address, [`status ${status} is not described`]);
  const [type] = Object.keys(response.content ?? {});
  const faults = headerFaults(response, headers);
  if (type === undefined) {
    if (faults.length > 0) fail(method, address, faults);
    return;
  }
  if (headers['content-type'] !== `${type}; charset=utf-8`) faults.push(`content-type is ${headers['content-type']}`);
  if (method !== 'HEAD') faults.push(...faultsBy(`${pointer}/content/${escaped(type!)}/schema`, body));
  if (faults.length > 0) fail(method, address, [`status ${status}: ${JSON.stringify(body)}`, ...faults]);
}

/** Headers that come only with some answers. */
const ON_SOME = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotent-replayed',
  'www-authenticate',
  'allow',
  'etag',
];

function headerFaults({ headers: described = {} }: Described, given: Given['headers']): string[] {
  const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
  const missing = [...names.values()].filter((name) => {
    const { required } = at(described[name]!.$ref.slice(1)) as { readonly required?: boolean };
    return required && given[name.toLowerCase()] === undefined;
  });
  const unknown = ON_SOME.filter((name) => given[name] !== undefined && !names.has(name));
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...unknown.map((name) => `the header ${name} is not described`),
  ];
}

/** A path without parameters comes before one that would take its last word for a value. */
function operationOf(method: string, address: string): { path?: string; operation?: Operation } {
  const [asked] = address.split('?');
  const path = Object.keys(DOCUMENT.paths)
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked!));
  const operation = path === undefined ? undefined : DOCUMENT.paths[path]![methodOf(method)];
  return { ...(path !== undefined && { path }), ...(operation && { operation }) };
}

const methodOf = (method: string) => (method === 'HEAD' ? 'get' : method.toLowerCase());

/** As a part of a JSON pointer. */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The value at this place of the document. */
export function at(pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  const step = (found: unknown, name: string) =>
    (found as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return names.reduce(step, DOCUMENT as unknown);
}

/** What is described where it is used, or named there as a component. */
export function resolved<Part extends { readonly $ref?: string }>(given: Part): Part {
  return given.$ref === undefined ? given : (at(given.$ref.slice(1)) as Part);
}

function faultText({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}

function fail(method: string, address: string, faults: readonly string[]): never {
  throw new Error(`${method} ${address} was not answered as the OpenAPI document says:\n${faults.join('\n')}`);
}

/** The body of a request, JSON or multipart/form-data: its bytes first, and its fields once the caller is authenticated and permitted. */

import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type Refusal, refuse } from '../../engine/domain/core/refusal.js';
import { jsonFault } from './json-fault.js';
import { LIST_ITEMS_MAX, shapeFault } from './json-shape.js';

export const MAX_BODY_BYTES = 65_536;
const CSV_TYPE = /^text\/csv\s*(;|$)/i;
/** A body may come a byte at a time, and each piece costs two hundred bytes: so many are kept unmerged. */
const MAX_PIECES = 256;
const ACCEPTED_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/i;

/** Fields by the names of the interface: of any type, and any of them may be missing. */
export type Body = Readonly<Record<string, unknown>>;

type Bytes = Buffer | Refusal | undefined;

/** What a route accepts. */
export interface BodyRule {
  readonly max: number;
  readonly csv: boolean;
}
const DEFAULT_RULE: BodyRule = { max: MAX_BODY_BYTES, csv: false };

/**
 * All bytes of the body; undefined without one, where any content-type is fine. Refuses with BODY_TOO_LARGE and
 * UNSUPPORTED_CONTENT_TYPE. A body that comes too slowly ends with its connection, by the server's limit on time.
 */
export function bytesOf(request: IncomingMessage, rule: BodyRule = DEFAULT_RULE): Bytes | Promise<Bytes> {
  const { headers } = request;
  // In chunks, only the end tells how long the body is, and whether there is one.
  if (headers['transfer-encoding'] !== undefined) return read(request, rule);
  const length = Number(headers['content-length'] ?? 0);
  // The server discards what is sent above the limit.
  return length === 0 ? undefined : (faultOf(length, headers, rule) ?? read(request, rule, length));
}

/** The fields in the bytes; wrapped, since their names are the sender's. Refuses with VALIDATION_FAILED. */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  types: FormTypes,
): { readonly fields: Body } | Refusal | Promise<{ readonly fields: Body } | Refusal> {
  if (!isUtf8(bytes)) return refuse('VALIDATION_FAILED', 'The body is not valid UTF-8');
  const type = headers['content-type'] ?? '';
  if (types.csv && CSV_TYPE.test(type)) return types.csv(bytes.toString());
  return /^m/i.test(type) ? formBody(bytes, type, types) : jsonBody(bytes.toString());
}

function faultOf(length: number, headers: IncomingHttpHeaders, { max, csv }: BodyRule): Refusal | undefined {
  if (length > max) return max > MAX_BODY_BYTES ? refuse('BODY_TOO_LARGE', tooLarge(max)) : refuse('BODY_TOO_LARGE');
  const type = headers['content-type'] ?? '';
  if (!ACCEPTED_TYPE.test(type) && !(csv && CSV_TYPE.test(type))) return refuse('UNSUPPORTED_CONTENT_TYPE');
  const [, charset = 'utf-8'] = CHARSET.exec(type) ?? [];
  if (!UTF_8.test(charset))
    return refuse(
      'UNSUPPORTED_CONTENT_TYPE',
      `Send the body in UTF-8: its content-type states ${charset.slice(0, 32)}`,
    );
  const encoding = headers['content-encoding']?.trim() ?? '';
  if (encoding === '' || /^identity$/i.test(encoding)) return undefined;
  return refuse('UNSUPPORTED_CONTENT_TYPE', 'Send the body as it is, without content-encoding');
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
/** ASCII is a part of it. */
const UTF_8 = /^(utf-?8|(us-)?ascii)$/i;

const tooLarge = (max: number): string => `The body is larger than ${max / 1_024} KiB: send it in parts`;

/**
 * `stated` is the length by the headers, if they have it: then nothing needs to be awaited after the last byte. Only what
 * comes first counts, and a listener for once costs more than one that stays.
 */
function read(request: IncomingMessage, rule: BodyRule, stated?: number): Promise<Bytes> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      const fault = stated === undefined ? faultOf(length, request.headers, rule) : undefined;
      if (fault) {
        chunks.length = 0;
        resolve(fault);
        return;
      }
      chunks.push(chunk);
      if (chunks.length === MAX_PIECES) chunks = [Buffer.concat(chunks)];
      if (length === stated) resolve(whole(chunks));
    });
    if (stated === undefined) request.on('end', () => resolve(whole(chunks)));
    // The peer has disconnected: no answer can be sent.
    request.on('close', () => resolve(refuse('VALIDATION_FAILED', 'The body broke off')));
  });
}

function whole(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
}

/** Digits that a number always preserves. */
const MAX_DIGITS = 15;
/**
 * A number that may be no plain decimal, or a text that looks like one. It costs little and decides whether each number is
 * looked at: an exponent, a zero with a sign, many digits, or so small that JavaScript would write an exponent.
 */
const SUSPECT = /[[:,\s]-?(?:(?<=-)0|[\d.]{16}|\d[\d.]*[eE]|0\.000000)/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Its numbers are decimals: a number that JavaScript would not return as it was sent is rejected. */
function jsonBody(text: string): { readonly fields: Readonly<Record<string, unknown>> } | Refusal {
  const fault = shapeFault(text);
  if (fault) return fault;
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      return refuse('VALIDATION_FAILED', 'The body must be a JSON object: fields in braces');
    }
    // Each member has a colon: where there are no more colons than members, no name is there twice.
    const duplicates = countColons(text) === countMembers(fields) ? [] : duplicateMembers(text);
    if (duplicates.length > 0) return refuseDuplicates(duplicates);
    return { fields: SUSPECT.test(text) ? JSON.parse(withDecimalsOnly(text)) : fields };
  } catch (error) {
    // V8's message quotes the body.
    if (error instanceof SyntaxError)
      return refuse('VALIDATION_FAILED', `The body is not valid JSON, ${jsonFault(text)}`);
    throw error;
  }
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count++;
  return count;
}

/** Fields lie no deeper than two objects. */
const DEEPEST = 4;

/** Of the value and what lies in it; NaN where that lies deeper than any field. */
function countMembers(value: object, depth = 0): number {
  if (depth > DEEPEST) return Number.NaN;
  const members = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members)
    if (typeof member === 'object' && member !== null) count += countMembers(member, depth + 1);
  return count;
}

/** Duplicates of one body that are named. */
const MAX_NAMED = 100;

/** Two values for one field: either may be the intended one. */
function refuseDuplicates(names: readonly string[]): Refusal {
  const message = 'sent more than once: send it once';
  const fields = names.slice(0, MAX_NAMED).map((field) => ({ field, code: 'invalid_combination' as const, message }));
  return refuse('VALIDATION_FAILED', undefined, { fields });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;

/**
 * Names of members that an object has twice, as errors name fields: `beneficiary.name`. The text is valid JSON, and is read once, from left
 * to right: JSON.parse takes the last of two without an error.
 */
function duplicateMembers(json: string): string[] {
  const found: string[] = [];
  /** Of each object that is open: its names, and the last of them. */
  const open: { readonly names: Set<string>; last: string }[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === OPEN) open.push({ names: new Set(), last: '' });
    else if (character === CLOSE) open.pop();
    else if (character === QUOTE) {
      const start = at;
      at = endOfText(json, start);
      if (!isName(json, at + 1)) continue;
      const object = open[open.length - 1]!;
      const written = json.slice(start + 1, at);
      object.last = written.includes('\\') ? JSON.parse(`"${written}"`) : written;
      if (!object.names.has(object.last)) object.names.add(object.last);
      else if (found.length < MAX_NAMED) found.push(pathOf(open));
    }
  }
  return [...new Set(found)];
}

/** Where the text that begins with the quote at `start` has its other one. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at++;
  }
}

function isName(json: string, from: number): boolean {
  let at = from;
  while (json.charCodeAt(at) <= SPACE) at++;
  return json.charCodeAt(at) === COLON;
}

/** Of a deeper member the outermost names are enough. */
const pathOf = (open: readonly { readonly last: string }[]): string =>
  open
    .slice(0, DEEPEST)
    .map(({ last }) => last)
    .join('.')
    .slice(0, 128);

/** Whether a number as sent is exactly the decimal that it reads: no exponent, at most 15 significant digits, no -0. */
function isPlainDecimal(text: string): boolean {
  const number = Number(text);
  const significant = text.replace(/^-?[0.]*/, '').replace('.', '').length;
  return significant <= MAX_DIGITS && !/e/i.test(`${text} ${number}`) && !Object.is(number, -0);
}

// Any other number becomes infinite, which no schema takes: so it is named with all other faults of the body.
function withDecimalsOnly(json: string): string {
  return json.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') || isPlainDecimal(token) ? token : '1e999'));
}

/** More than any operation has. */
const MAX_FIELDS = 200;
const NOT_A_FORM = 'The body is not valid multipart/form-data: check it, and the boundary in the content-type';
const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/;

/** A form has texts only: those to be parsed as another type. A nested field is named as in errors, `beneficiary.name`. */
export interface FormTypes {
  readonly numbers?: readonly string[];
  readonly booleans?: readonly string[];
  /** Lists: in a form texts with commas between them, or each as `name[0]`. */
  readonly lists?: readonly string[];
  /** The fields of a body of CSV; absent: none is accepted. */
  readonly csv?: (text: string) => { readonly fields: Body } | Refusal;
  readonly csvExample?: string;
}

// Without a prototype, so that no field's name means anything to JavaScript.
type Fields = Record<string, unknown>;
const noFields = (): Fields => Object.create(null);

/** The same fields as in JSON, nested as `beneficiary[name]`. What is no number where one is due stays a text, which the operation refuses under the field's name. */
function formBody(
  bytes: Buffer,
  contentType: string,
  types: FormTypes,
): Promise<{ readonly fields: Readonly<Fields> } | Refusal> {
  return new Promise((resolve) => {
    // The first fault counts: the parser may continue after it.
    const refused = (text: string) => resolve(refuse('VALIDATION_FAILED', text));
    const fields = noFields();
    const seen = new Set<string>();
    const duplicates = new Set<string>();
    try {
      busboy({
        headers: { 'content-type': contentType },
        limits: { files: 0, fields: MAX_FIELDS },
        defParamCharset: 'utf8',
      })
        .on('field', (name: string | undefined, value: string | undefined) => {
          if (name !== undefined && value !== undefined) put({ fields, seen, duplicates }, name, value, types);
          else refused('A part of the form has no name, or an unknown charset');
        })
        .on('filesLimit', () => refused('Files are not taken: send fields alone'))
        .on('fieldsLimit', () => refused(`More than ${MAX_FIELDS} fields`))
        .on('error', () => refused(NOT_A_FORM))
        .on('close', () =>
          resolve(duplicates.size > 0 ? refuseDuplicates([...duplicates]) : { fields: withLists(fields, types) }),
        )
        .end(bytes);
    } catch {
      refused(NOT_A_FORM);
    }
  });
}

interface Form {
  readonly fields: Fields;
  /** Names of parts so far, as they were sent. */
  readonly seen: Set<string>;
  /** Names that came twice, as errors name fields. */
  readonly duplicates: Set<string>;
}

/** An empty value counts as absent. A field that is a text and has fields inside is there twice too. */
function put({ fields, seen, duplicates }: Form, name: string, value: string, types: FormTypes): void {
  const [, outer = name, inner] = NESTED.exec(name) ?? [];
  const field = inner === undefined ? outer : `${outer}.${inner}`;
  if (seen.has(name)) duplicates.add(field.slice(0, 128));
  seen.add(name);
  if (value === '') return;
  const before = fields[outer];
  if (inner === undefined) {
    if (before !== undefined) duplicates.add(outer.slice(0, 128));
    fields[outer] = typed(value, field, types);
    return;
  }
  if (before !== undefined && typeof before !== 'object') duplicates.add(outer.slice(0, 128));
  const into = typeof before === 'object' ? (before as Fields) : noFields();
  fields[outer] = into;
  into[inner] = typed(value, field, types);
}

function withLists(fields: Fields, { lists = [], numbers }: FormTypes): Fields {
  for (const name of lists) {
    const value = fields[name];
    if (value === undefined) continue;
    // One too many is enough to be refused.
    const parts =
      typeof value === 'object' ? Object.values(value as Fields) : String(value).split(',', LIST_ITEMS_MAX + 1);
    fields[name] = numbers?.includes(name) ? parts.map((part) => decimalOf(String(part))) : parts;
  }
  return fields;
}

function typed(value: string, field: string, { numbers, booleans }: FormTypes): string | number | boolean {
  if (numbers?.includes(field)) return decimalOf(value);
  if (booleans?.includes(field) && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** Parses a text as a number; another text stays as it is. */
export function decimalOf(text: string): string | number {
  return NUMBER.test(text) && isPlainDecimal(text) ? Number(text) : text;
}

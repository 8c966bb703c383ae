/** A multipart/form-data body: the same fields as in JSON, nested as `beneficiary[name]`. */
import busboy from 'busboy';
import { type Refusal, refuse } from '../../engine/domain/refusal.js';
import { isPlainDecimal, refuseDuplicates } from './json-body.js';

/** More than any operation has. */
const MAX_FIELDS = 200;
const NOT_A_FORM = 'The body is not valid multipart/form-data: check it, and the boundary in the content-type';
const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/;

/** A form has texts alone: which of them are parsed as another type. A nested field is named as in errors, `beneficiary.name`. */
export interface FormTypes {
  readonly numbers?: readonly string[];
  readonly booleans?: readonly string[];
}

// Without a prototype, so that no field's name means anything to JavaScript.
type Fields = Record<string, unknown>;
const noFields = (): Fields => Object.create(null);

/** What is no number where one is due stays a text, which the operation refuses under the field's name. */
export function formBody(
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
        .on('close', () => resolve(duplicates.size > 0 ? refuseDuplicates([...duplicates]) : { fields }))
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

function typed(value: string, field: string, { numbers, booleans }: FormTypes): string | number | boolean {
  if (numbers?.includes(field)) return decimalOf(value);
  if (booleans?.includes(field) && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** Parses a text as a number; another text stays as it is. */
export function decimalOf(text: string): string | number {
  return NUMBER.test(text) && isPlainDecimal(text) ? Number(text) : text;
}

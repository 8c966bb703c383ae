/** A multipart/form-data body: the same fields as in JSON, nested as `beneficiary[name]`. */
import busboy from 'busboy';
import { type Refusal, refuse } from '../engine/domain/refusal.js';
import { isPlainDecimal } from './json-body.js';

/** More than any operation has. */
const MAX_FIELDS = 200;
const NOT_A_FORM = 'The body is not valid multipart/form-data: check it, and the boundary in the content-type';
const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/;

/** A form has texts alone: which of them stand for something else. A nested field is named as in errors, `beneficiary.name`. */
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
    // The first word counts: the parser may go on after it.
    const refused = (text: string) => resolve(refuse('VALIDATION_FAILED', text));
    const fields = noFields();
    try {
      busboy({
        headers: { 'content-type': contentType },
        limits: { files: 0, fields: MAX_FIELDS },
        defParamCharset: 'utf8',
      })
        .on('field', (name: string | undefined, value: string | undefined) => {
          if (name !== undefined && value !== undefined) put(fields, name, value, types);
          else refused('A part of the form has no name, or an unknown charset');
        })
        .on('filesLimit', () => refused('Files are not taken: send fields alone'))
        .on('fieldsLimit', () => refused(`More than ${MAX_FIELDS} fields`))
        .on('error', () => refused(NOT_A_FORM))
        .on('close', () => resolve({ fields }))
        .end(bytes);
    } catch {
      refused(NOT_A_FORM);
    }
  });
}

/** An empty value counts as absent; the last of several counts. */
function put(fields: Fields, name: string, value: string, types: FormTypes): void {
  if (value === '') return;
  const [, outer, inner] = NESTED.exec(name) ?? [];
  if (outer === undefined || inner === undefined) {
    fields[name] = typed(value, name, types);
    return;
  }
  const nested = fields[outer];
  const into = typeof nested === 'object' ? (nested as Fields) : noFields();
  fields[outer] = into;
  into[inner] = typed(value, `${outer}.${inner}`, types);
}

function typed(value: string, field: string, { numbers, booleans }: FormTypes): string | number | boolean {
  if (numbers?.includes(field)) return decimalOf(value);
  if (booleans?.includes(field) && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** The number that a text stands for; another text stays as it is. */
export function decimalOf(text: string): string | number {
  return NUMBER.test(text) && isPlainDecimal(text) ? Number(text) : text;
}

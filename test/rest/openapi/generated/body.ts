/** A body of fields, as JSON and as a form; names may come twice. */
import { Raw } from './values.js';

export interface Given {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Nested where a path has several names; a name that is given twice is written twice. */
export function jsonText(fields: readonly Given[]): string {
  const outers = new Set(fields.map(({ path }) => path[0]!));
  const members = [...outers].flatMap((outer) => {
    const own = fields.filter(({ path }) => path[0] === outer);
    const inner = own.filter(({ path }) => path.length > 1).map(({ path, value }) => ({ path: path.slice(1), value }));
    const leaves = own.filter(({ path }) => path.length === 1).map(({ value }) => jsonOf(value));
    return [...(inner.length > 0 ? [jsonText(inner)] : []), ...leaves].map(
      (json) => `${JSON.stringify(outer)}:${json}`,
    );
  });
  return `{${members.join(',')}}`;
}

export function formText(fields: readonly Given[], boundary: string): string {
  const parts = fields.map(({ path: [outer, ...inner], value }) => {
    const name = `${outer}${inner.map((one) => `[${one}]`).join('')}`.replace(/["\r\n]/g, '_');
    return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${plainText(value)}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

const jsonOf = (value: unknown): string => (value instanceof Raw ? value.json : (JSON.stringify(value) ?? 'null'));

/** As it is in a query, a path or a form. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

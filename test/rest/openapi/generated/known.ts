/** Ids and the like that answers have given, so that later requests can name what there is. */
import type { Field } from './operations.js';

/** The placeholder of a value that is chosen when the request is sent. */
export class Kept {
  readonly kind: string;
  readonly nth: number;

  constructor(kind: string, nth: number) {
    this.kind = kind;
    this.nth = nth;
  }

  [Symbol.for('fast-check/toStringMethod')](): string {
    return `kept(${this.kind}, ${this.nth})`;
  }
}

/** Fields with one meaning under several names. */
const SAME: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  cursor: 'cursor',
  rate_signature: 'rate_signature',
  request_id: 'request_id',
  transaction_number: 'transaction',
  item_id: 'item',
  reference_number: 'transaction',
  client_key: 'client_key',
  client_secret: 'client_secret',
  token: 'token',
  sub_client_id: 'sub_client',
  beneficiary_id: 'beneficiary',
  quote_id: 'quote',
  settlement_date: 'date',
  'If-Match': 'version',
};

/** Of others, whom the service does not know, and texts of the client's own: what looks like an id of ours is none. */
const THEIRS = /beneficiary|remitter|deposit|additional|payment_reference|(^|\.)(name|title|description|reason)$/;
const OUR_ID = /^([A-Z]{3})(?=.*\d)[0-9A-Z]{13,}$/;
const OUR_ACCOUNT = /^[1-9]\d{11}$/;

/** Undefined for a value that names nothing. `path` is joined with dots. */
function kindOf(path: string, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const name = path.split('.').at(-1)!;
  if (Object.hasOwn(SAME, name) && value !== '') return SAME[name];
  if (THEIRS.test(path)) return undefined;
  if (/account|reference/.test(name) && OUR_ACCOUNT.test(String(value))) return 'account';
  const [, prefix] = OUR_ID.exec(String(value)) ?? [];
  return prefix && `id ${prefix}`;
}

/** By its example, or its name: what a request names with this field. */
export function kindOfField({ path, example }: Pick<Field, 'path' | 'example'>): string | undefined {
  const name = path.join('.');
  if (example !== undefined) return kindOf(name, example);
  if (/(^|_)account(_number)?$/.test(name) && !THEIRS.test(name)) return 'account';
  return name.endsWith('hold_id') ? 'id HLD' : kindOf(name, 'x');
}

/** Chosen by the client: an unused one may exist. */
export const isOwnChoice = (kind: string): boolean =>
  kind === 'request_id' || kind === 'transaction' || kind === 'item';

export class Known {
  readonly #values = new Map<string, string[]>();

  add(kind: string, value: string): void {
    const values = this.#values.get(kind) ?? [];
    if (!values.includes(value)) values.push(value);
    if (values.length > 500) values.splice(0, 100);
    this.#values.set(kind, values);
  }

  /** All that an answer names, or a request that was executed. */
  learn(value: unknown, path = ''): void {
    if (Array.isArray(value)) for (const item of value) this.learn(item, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) this.learn(inner, path ? `${path}.${name}` : name);
    else {
      const kind = kindOf(path, value);
      if (kind) this.add(kind, String(value));
    }
  }

  /** One of a kind; the newest are asked for most. */
  pick(kind: string, nth: number): string | undefined {
    const values = this.#values.get(kind);
    return values?.[values.length - 1 - (nth % values.length)];
  }

  all(kind: string): readonly string[] {
    return this.#values.get(kind) ?? [];
  }

  get kinds(): readonly string[] {
    return [...this.#values.keys()];
  }
}

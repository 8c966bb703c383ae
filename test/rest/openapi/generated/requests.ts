/** Requests of every operation: as the document has them, and broken in each way that is listed here. */
import fc from 'fast-check';
import { formText, type Given, jsonText, plainText } from './body.js';
import { FAULTS, type FaultName } from './faults.js';
import { Kept, type Known, kindOfField } from './known.js';
import { type Field, OPERATIONS, type Operation } from './operations.js';
import type { Ready } from './ready.js';
import { FRESH, fitting, HOSTILE, NAMES } from './values.js';
import type { Sent } from './wire.js';

interface Edit {
  readonly what: 'drop' | 'replace' | 'twice' | 'unknown' | 'inside';
  readonly nth: number;
  readonly name: string;
  readonly value: unknown;
}

export interface Plan {
  readonly operation: Operation;
  readonly values: readonly { readonly field: Field; readonly value: unknown }[];
  readonly asForm: boolean;
  readonly edits: readonly Edit[];
  readonly faults: readonly { readonly fault: FaultName; readonly n: number }[];
}

const EDIT: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'twice', 'unknown', 'inside'),
  nth: fc.nat(100),
  name: NAMES,
  value: HOSTILE,
});
const FAULT = fc.record({ fault: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[])), n: fc.nat(100_000) });
const ASKED = { arbitrary: fc.constant([]), weight: 5 };

/** One that should be answered by 200, as far as the document tells. */
export const asDescribed = (operation: Operation): fc.Arbitrary<Plan> =>
  fc.record({
    operation: fc.constant(operation),
    values: fc.tuple(...operation.fields.map(givenFor)).map((values) => values.flat()),
    asForm: operation.takesBody ? fc.integer({ min: 0, max: 3 }).map((n) => n === 3) : fc.constant(false),
    edits: fc.constant([]),
    faults: fc.constant([]),
  });

export const ANY_PLAN: fc.Arbitrary<Plan> = fc
  .constantFrom(...OPERATIONS)
  .chain((operation) =>
    fc
      .tuple(
        asDescribed(operation),
        fc.oneof({ arbitrary: fc.array(EDIT, { minLength: 1, maxLength: 3 }), weight: 5 }, ASKED),
        fc.oneof({ arbitrary: fc.array(FAULT, { minLength: 1, maxLength: 2 }), weight: 2 }, ASKED),
      )
      .map(([plan, edits, faults]) => ({ ...plan, edits, faults })),
  );

/** What the document asks for, what its example has, and rarely another; of two names for one, the first. */
function givenFor(field: Field): fc.Arbitrary<Plan['values']> {
  const isUsual = field.required || field.example !== undefined;
  const value = fitting(field).map((value) => [{ field, value }]);
  return fc.oneof({ arbitrary: isUsual ? value : fc.constant([]), weight: 200 }, isUsual ? fc.constant([]) : value);
}

/** The request as it is sent; ids are chosen now, most of them from what was made for it. */
export function sentOf(plan: Plan, known: Known, ready: Ready, fresh: () => string, token: string): Sent {
  const { operation, asForm, faults } = plan;
  const chosen = (value: unknown, field?: Field): unknown => {
    if (!(value instanceof Kept)) return value;
    if (value.kind === FRESH) return fresh();
    const made = value.nth % 8 !== 7 ? ready[value.kind] : undefined;
    const found = made ?? known.pick(value.kind, value.nth) ?? field?.example ?? 'none';
    const isNumber = field
      ? field.schema.type === 'integer' || field.schema.type === 'number'
      : value.kind === 'account';
    return isNumber && /^\d+$/.test(String(found)) ? Number(found) : found;
  };
  const values = edited(
    plan.values.map(({ field, value }) => ({ field, path: field.path, value: chosen(value, field) })),
    plan.edits.map((edit) => ({ ...edit, value: chosen(edit.value) })),
    operation.takesBody ? 'body' : 'query',
  );
  const at = (place: Field['place']) => values.filter(({ field }) => field.place === place);
  const type = asForm ? 'multipart/form-data; boundary=cut' : 'application/json';
  const sent: Sent = {
    method: operation.method,
    target:
      operation.path.replace(/\{(\w+)\}/g, (_, name) => pathPart(at('path').find(({ path }) => path[0] === name))) +
      query(at('query')),
    version: 'HTTP/1.1',
    headers: [
      ['host', 'localhost'],
      ...(operation.isOpen || (operation.isEither && at('header').length > 0)
        ? []
        : [['authorization', `Bearer ${token}`] as const]),
      ...at('header').map(({ path, value }) => [path[0]!, headerText(value)] as const),
      ...(operation.takesBody ? [['content-type', type] as const] : []),
    ],
    body: operation.takesBody ? Buffer.from(asForm ? formText(at('body'), 'cut') : jsonText(at('body'))) : undefined,
    framing: 'length',
  };
  const broken = faults.reduce((so: Sent, { fault, n }) => FAULTS[fault](so, n), sent);
  return { ...broken, headers: broken.headers.map(([name, value]) => [name, known.pick(value, 0) ?? value]) };
}

type Placed = Given & { readonly field: Pick<Field, 'place'> };

function edited(values: readonly Placed[], edits: readonly Edit[], place: Field['place']): readonly Placed[] {
  const all = [...values];
  for (const { what, nth, name, value } of edits) {
    const at = nth % Math.max(1, all.length);
    const chosen = all[at];
    if (what === 'unknown' || chosen === undefined) all.push({ field: { place }, path: [name], value });
    else if (what === 'drop' && chosen.field.place !== 'path') all.splice(at, 1);
    else if (what === 'twice') all.push({ ...chosen, value });
    else if (what === 'inside') all.push({ ...chosen, path: [chosen.path[0]!, name], value });
    else all[at] = { ...chosen, value };
  }
  return all;
}

const escaped = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')).slice(0, 9_000);
const pathPart = (given: Given | undefined) => (given ? escaped(plainText(given.value)) : 'none');

function query(given: readonly Given[]): string {
  const parts = given.map(({ path, value }) => `${escaped(path.join('.'))}=${escaped(plainText(value))}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

const headerText = (value: unknown) =>
  plainText(value)
    .replace(/[\r\n]/g, ' ')
    .slice(0, 4_000);

/** What the request names, by kind: after a 200 these are ids that there are. */
export function namesIn({ values }: Plan, sent: Sent): readonly (readonly [kind: string, value: string])[] {
  const text = sent.body?.toString() ?? '';
  return values.flatMap(({ field, value }) => {
    const kind = kindOfField(field);
    if (kind === undefined || !(value instanceof Kept) || value.kind !== FRESH) return [];
    const found = new RegExp(`"${field.path.at(-1)}":"([^"]+)"|name="${field.path.at(-1)}"\\r\\n\\r\\n([^\\r]+)`).exec(
      text,
    );
    const name = found?.[1] ?? found?.[2];
    return name === undefined ? [] : [[kind, name] as const];
  });
}

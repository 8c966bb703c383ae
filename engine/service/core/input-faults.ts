/** The faults of an input, all at once: those of its schema, and those of the operation's own rules. */
import type { z } from 'zod';
import type { FieldFault, FieldFaultCode } from '../../domain/core/refusal.js';

/** Merges an operation's own faults with those of its schema; a field is reported once, preferring the operation's rule. */
export function withOwnFaults(faults: readonly FieldFault[], own: readonly FieldFault[]): readonly FieldFault[] {
  const named = new Map<string, FieldFault>(faults.map((fault) => [fault.field, { rule: 'type', ...fault }]));
  for (const fault of own) {
    const { field } = fault;
    const same = named.get(field);
    // A value that is no object has no missing fields.
    if (named.has(field.slice(0, Math.max(0, field.indexOf('.'))))) continue;
    if (same === undefined || same.code === fault.code) named.set(field, fault);
  }
  return [...named.values()];
}

/**
 * Validates again with `reportInput`, which distinguishes a missing field from one of another type and costs a microsecond. A fault of the
 * type of a field is not repeated by the checks of its length.
 */
export function fieldFaults(schema: z.ZodType, input: unknown): FieldFault[] {
  const { issues = [] } = schema.safeParse(input, { reportInput: true, error: sentence }).error ?? {};
  const named = new Map<string, FieldFault>();
  for (const fault of issues.flatMap(faultsOf)) {
    const key = JSON.stringify([fault.field, fault.message]);
    if (!named.has(key)) named.set(key, fault);
  }
  return [...named.values()];
}

/** Of a kind of value, where the field has no sentence of its own. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};
const NUMBERS = { number: true, int: true };
/** Of the length of a text and the like. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items', set: ' items' };

function sentence(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? 'a value of another kind';
  if (issue.code === 'too_big') return `at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return 'a value of another form';
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const code = faultCode(issue);
  const message = messageOf(issue, code);
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ field: path, code, message }];
  // As long as the name of any field may be: this one is the sender's own.
  const nameOf = (key: string) => (path ? `${path}.${key}` : key).slice(0, NAME_MAX);
  return issue.keys.map((key) => ({ field: nameOf(key), code, message: 'no such field here' }));
}

const NAME_MAX = 128;

function messageOf(issue: z.core.$ZodIssue, code: FieldFaultCode): string {
  if (code === 'field_missing') return 'required';
  if (issue.input === CONFLICTING) return CONFLICT;
  if (isNoDecimal(issue)) return NO_DECIMAL;
  // A number that is not whole is of the right type.
  const isNumber = typeof issue.input === 'number' && issue.code === 'invalid_type' && issue.expected in NUMBERS;
  return issue.code === 'invalid_type' && !isNumber
    ? `${issue.message}: ${kindOf(issue.input)} was sent`
    : issue.message;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? 'a value of another kind';
}

/** The value of a field that was sent twice, under two names and with two values. */
export const CONFLICTING = Symbol('conflicting');

const CONFLICT = 'sent by two names with different values: send one';
const NO_DECIMAL = 'a plain decimal: no exponent, no -0, at most 15 significant digits';

/** Infinity is the value of a number that FIX or REST could not accept. */
function isNoDecimal(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'number' && issue.input === Number.POSITIVE_INFINITY;
}

function faultCode(issue: z.core.$ZodIssue): FieldFaultCode {
  if (issue.code === 'unrecognized_keys') return 'unsupported_field';
  if (issue.input === CONFLICTING || (issue.code === 'custom' && issue.params?.combination))
    return 'invalid_combination';
  if (issue.input === undefined) return 'field_missing';
  return issue.code === 'invalid_type' || issue.code === 'invalid_format' ? 'incorrect_format' : 'incorrect_value';
}

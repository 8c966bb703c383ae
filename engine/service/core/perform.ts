import type { z } from 'zod';
import { OFF_UNIT, UNKNOWN_FIELD } from '../../domain/payment-check/finding.js';
import { type FieldFault, type FieldFaultCode, isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { Right } from '../../domain/rights.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { Caller } from './caller.js';
import { inTime } from './in-time.js';
import type { Answer, Audited, InputFaults } from './operation.js';
import { type AnyOperationName, OPERATOR_OPERATIONS, type OutputOf, operationNamed } from './operations.js';
import { recorded } from './recorded.js';
import type { Services } from './services.js';
import { storeAnswer } from './store-answer.js';

/** Any operation, seen from here: the table has checked that input and execute agree. */
interface Performable {
  readonly input: z.ZodType;
  readonly right?: Right;
  readonly open?: true;
  readonly grows?: true;
  readonly audited?: Audited<unknown>;
  faults?(services: Services, caller: Caller | undefined, input: unknown): Answer<InputFaults>;
  execute(services: Services, caller: Caller | undefined, input: unknown): Answer<unknown>;
}

/**
 * The only way in, for both doors and the command line: caller, then right, then input, then the operation itself, which is written down
 * before and behind where an operator changes something.
 * Refuses with TOKEN_REQUIRED, NOT_ENTITLED, VALIDATION_FAILED (all faults at once), STORE_FULL, STORE_UNAVAILABLE and as the
 * operation does.
 */
export async function perform<Name extends AnyOperationName>(
  services: Services,
  name: Name,
  caller: Caller | undefined,
  input: unknown,
): Promise<OutputOf<Name> | Refusal> {
  const refusal = mayPerform(name, caller);
  if (refusal) return refusal;
  const operation = operationNamed(name) as unknown as Performable;
  const read = operation.input.safeParse(input);
  const faults = read.success ? [] : fieldFaults(operation.input, input);
  if (faults.length > 0 && !operation.faults) return failed(faults);
  const execute = () => {
    if (operation.grows && services.store.isFull()) return refuse('STORE_FULL', undefined, FULL);
    const change = () => operation.execute(services, caller, read.data);
    return operation.audited ? recorded(services, name, operation.audited, read.data, change) : change();
  };
  const judged = () => judgedFirst(operation, services, caller, input, faults, execute);
  const answer = await storeAnswer(services, () => answerInTime(name, operation.faults ? judged() : execute()));
  return answer as OutputOf<Name> | Refusal;
}

function failed(fields: readonly FieldFault[], warnings?: readonly FieldFault[]): Refusal {
  const [first, ...others] = fields;
  const more = { fields, ...(warnings && { warnings }) };
  const isOffUnit = others.length === 0 && first?.rule?.endsWith(OFF_UNIT);
  return isOffUnit ? refuse('BAD_AMOUNT', first!.message, more) : refuse('VALIDATION_FAILED', undefined, more);
}

/** With the operation's own faults beside those of its schema; a field is named once, by the rule where one says the same. */
async function judgedFirst(
  operation: Performable,
  services: Services,
  caller: Caller | undefined,
  input: unknown,
  faults: readonly FieldFault[],
  execute: () => Answer<unknown>,
): Promise<unknown> {
  const own = await operation.faults!(services, caller, input);
  if (isRefusal(own)) return own;
  const named = new Map<string, FieldFault>(faults.map((fault) => [fault.field, { rule: 'type', ...fault }]));
  for (const fault of own.faults) {
    // A name that is no field may be spelled as one is.
    const key = fault.rule === UNKNOWN_FIELD ? `no field ${fault.field}` : fault.field;
    const same = named.get(key);
    // What is no object has no fields that could be missing.
    if (named.has(key.slice(0, Math.max(0, key.indexOf('.'))))) continue;
    if (same === undefined || same.code === fault.code) named.set(key, fault);
  }
  return named.size > 0 ? failed([...named.values()], own.warnings) : execute();
}

/** Somebody has to make room first. */
const FULL = { retryAfterS: 30, outcome: 'none' } as const;

/** Caller and right alone: a door asks before it counts the request against a rate limit. */
export function mayPerform(name: AnyOperationName, caller: Caller | undefined): Refusal | undefined {
  const operation = operationNamed(name) as unknown as Performable;
  // No desk and no REST client ever becomes the operator.
  if (name in OPERATOR_OPERATIONS && caller !== undefined) return refuse('NOT_ENTITLED');
  if (operation.open) return undefined;
  if (caller === undefined) return refuse('TOKEN_REQUIRED');
  return missingRight(caller, operation.right);
}

/** NOT_ENTITLED, naming the right that the caller's key lacks. */
export function missingRight(caller: Caller, right: Right | undefined): Refusal | undefined {
  if (right === undefined || caller.rights.has(right)) return undefined;
  return refuse('NOT_ENTITLED', `Not entitled: this key lacks the right ${right}`);
}

/** Each command to the store is bounded alone, by 2 s; with a slow store those of one answer would add up. Looking for the caller is one. */
const ANSWER_MS = 2_500;

/** Nobody waits longer at a door; the operator's own commands may take their time. */
function answerInTime(name: AnyOperationName, answer: Answer<unknown>): Answer<unknown> {
  if (!(answer instanceof Promise) || name in OPERATOR_OPERATIONS) return answer;
  return inTime(answer, ANSWER_MS, () => Promise.reject(new StoreUnavailable('unknown')));
}

/** Read once more, with the input of each fault, which tells a missing field from one of another type and costs a microsecond. */
function fieldFaults(schema: z.ZodType, input: unknown): FieldFault[] {
  return schema.safeParse(input, { reportInput: true }).error?.issues.flatMap(faultsOf) ?? [];
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const code = faultCode(issue);
  const message = messageOf(issue, code);
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ field: path, code, message }];
  return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, code, message: 'no such field here' }));
}

function messageOf(issue: z.core.$ZodIssue, code: FieldFaultCode): string {
  if (code === 'field_missing') return 'required';
  if (issue.input === CONFLICTING) return CONFLICT;
  return isNoDecimal(issue) ? NO_DECIMAL : issue.message;
}

/** What a door gives for a field that was sent twice, by two names and with two values. */
export const CONFLICTING = Symbol('conflicting');

const CONFLICT = 'sent by two names with different values: send one';
const NO_DECIMAL = 'a plain decimal: no exponent, no -0, at most 15 significant digits';

/** Infinity is what a door has for a number that it does not take. */
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

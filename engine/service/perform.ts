import { type FieldFault, isRefusal, type Refusal, refuse } from '../domain/core/refusal.js';
import type { Right } from '../domain/core/rights.js';
import { withTimeout } from '../domain/core/with-timeout.js';
import { OFF_UNIT } from '../domain/payments/check/context.js';
import { StoreUnavailable } from '../store/connection/errors.js';
import type { Caller } from './core/caller.js';
import { fieldFaults, withOwnFaults } from './core/input-faults.js';
import { type Answer, type AnyOperation, storeAnswer } from './core/operation.js';
import type { Services } from './core/services.js';
import { withAudit } from './core/with-audit.js';
import { type AnyOperationName, OPERATOR_OPERATIONS, type OutputOf, operationNamed } from './operations.js';

/**
 * The only entry point for FIX, REST and the command line. Checks the caller, the right and the input, executes the operation, and writes
 * an audit entry before and after a change by an operator.
 * `unknown`: faults of fields that were sent and that `sent` has no place for, reported behind the others.
 * Refuses with TOKEN_REQUIRED, NOT_ENTITLED, VALIDATION_FAILED (all faults at once), STORE_FULL, STORE_UNAVAILABLE and as the operation
 * does.
 */
export async function perform<Name extends AnyOperationName>(
  services: Services,
  name: Name,
  caller: Caller | undefined,
  sent: unknown,
  unknown: readonly FieldFault[] = [],
): Promise<OutputOf<Name> | Refusal> {
  const refusal = mayPerform(name, caller);
  if (refusal) return refusal;
  const operation = operationNamed(name);
  const resolving = operation.resolve?.(services, caller, sent);
  const input = resolving ? await storeAnswer(services, () => answerInTime(services, name, resolving)) : sent;
  if (isRefusal(input)) return input;
  const read = operation.input.safeParse(input);
  const faults = read.success ? [] : fieldFaults(operation.input, input);
  if (!operation.faults && faults.length + unknown.length > 0) return failed(withUnknown(faults, unknown));
  const execute = () => {
    if (operation.grows && services.store.isFull()) return refuse('STORE_FULL', undefined, FULL);
    const change = () => operation.execute(services, caller, read.data);
    return operation.audited ? withAudit(services, name, operation.audited, read.data, change) : change();
  };
  const validated = () => validateAll(operation, services, caller, input, { faults, unknown }, execute);
  const answering = () => answerInTime(services, name, operation.faults ? validated() : execute());
  const answer = await storeAnswer(services, answering);
  return answer as OutputOf<Name> | Refusal;
}

function failed(fields: readonly FieldFault[], warnings?: readonly FieldFault[]): Refusal {
  const [first, ...others] = fields;
  const more = { fields, ...(warnings && { warnings }) };
  const isOffUnit = others.length === 0 && first?.rule?.endsWith(OFF_UNIT);
  return isOffUnit ? refuse('BAD_AMOUNT', first!.message, more) : refuse('VALIDATION_FAILED', undefined, more);
}

/** A name that the schema has refused too is reported once. */
function withUnknown(faults: readonly FieldFault[], unknown: readonly FieldFault[]): readonly FieldFault[] {
  const isAlso = ({ field, code }: FieldFault) => unknown.some((other) => other.field === field && other.code === code);
  return [...faults.filter((fault) => !isAlso(fault)), ...unknown];
}

/** Refuses with the faults of the schema and of the operation's own rules. */
async function validateAll(
  operation: AnyOperation,
  services: Services,
  caller: Caller | undefined,
  input: unknown,
  { faults, unknown }: Readonly<Record<'faults' | 'unknown', readonly FieldFault[]>>,
  execute: () => Answer<unknown>,
): Promise<unknown> {
  const own = await operation.faults!(services, caller, input);
  if (isRefusal(own)) return own;
  const all = withUnknown(withOwnFaults(faults, own.faults), unknown);
  return all.length > 0 ? failed(all, own.warnings) : execute();
}

/** An operator has to make room first. */
const FULL = { retryAfterS: 30, outcome: 'none' } as const;

/** Checks caller and right only: FIX and REST do so before they count the request against a rate limit. */
export function mayPerform(name: AnyOperationName, caller: Caller | undefined): Refusal | undefined {
  const operation = operationNamed(name);
  // A FIX or REST caller never performs an operator's operation.
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

/**
 * Each store command has its limit, 2 s; on a slow store those of one answer would add up: together they may take so much longer than one.
 * The limit includes the lookup of the caller.
 */
const BEYOND_MS = 500;
/** Of an operation on up to a thousand items, on a busy machine. */
const LONG_BEYOND_MS = 13_000;

/** Limits the answer time by FIX and REST; the operator's own commands are not limited. */
function answerInTime({ store }: Services, name: AnyOperationName, answer: Answer<unknown>): Answer<unknown> {
  if (!(answer instanceof Promise) || name in OPERATOR_OPERATIONS) return answer;
  const { isLong } = operationNamed(name);
  const answerMs = store.answerMs + (isLong ? LONG_BEYOND_MS : BEYOND_MS);
  return withTimeout(answer, answerMs, () => Promise.reject(new StoreUnavailable('unknown')));
}

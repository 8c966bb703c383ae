import type { z } from 'zod';
import { type FieldFault, type FieldFaultCode, type Refusal, refuse } from '../domain/refusal.js';
import type { Right } from '../domain/rights.js';
import type { Caller } from './caller.js';
import type { Answer } from './operation.js';
import { type AnyOperationName, OPERATOR_OPERATIONS, type OutputOf, operationNamed } from './operations.js';
import type { Services } from './services.js';
import { storeAnswer } from './store-answer.js';

/** Any operation, seen from here: the table has checked that input and execute agree. */
interface Performable {
  readonly input: z.ZodType;
  readonly right?: Right;
  readonly open?: true;
  execute(services: Services, caller: Caller | undefined, input: unknown): Answer<unknown>;
}

/**
 * The only way in, for both doors and the command line: caller, then right, then input, then the operation itself.
 * Refuses with TOKEN_REQUIRED, NOT_ENTITLED, VALIDATION_FAILED (all faults at once), STORE_UNAVAILABLE and as the operation does.
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
  if (!read.success) return refuse('VALIDATION_FAILED', undefined, { fields: read.error.issues.map(fieldFault) });

  const answer = await storeAnswer(services, () => operation.execute(services, caller, read.data));
  return answer as OutputOf<Name> | Refusal;
}

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

function fieldFault(issue: z.core.$ZodIssue): FieldFault {
  return {
    field: issue.path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : ''),
    code: faultCode(issue),
    message: issue.message,
  };
}

function faultCode(issue: z.core.$ZodIssue): FieldFaultCode {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'field_missing' : 'incorrect_format';
  if (issue.code === 'unrecognized_keys') return 'unsupported_field';
  return issue.code === 'invalid_format' ? 'incorrect_format' : 'incorrect_value';
}

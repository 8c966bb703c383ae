import type { z } from 'zod';
import type { FieldFault, Refusal } from '../../domain/refusal.js';
import type { Right } from '../../domain/rights.js';
import type { Caller } from './caller.js';
import type { Services } from './services.js';

/** A command or query of a client: its input, the required right, and its execution. Rules belong here, not in FIX or REST. */
export interface Operation<Input extends z.ZodType, Output> {
  readonly input: Input;
  /** Required right of the caller's key; absent: any live token suffices. */
  readonly right?: Right;
  /** It adds records: refused when the store is almost full, so that work under way still has room. */
  readonly grows?: true;
  /** Checks that the input schema cannot make. Runs on any input, also one that the schema refuses: all faults are returned at once. */
  faults?(services: Services, caller: Caller, input: unknown): Answer<InputFaults>;
  execute(services: Services, caller: Caller, input: z.infer<Input>): Answer<Output>;
}

export interface InputFaults {
  readonly faults: readonly FieldFault[];
  /** Returned with a refusal, by operations that warn. */
  readonly warnings?: readonly FieldFault[];
}

/** An operation without a caller: `authenticate`, which creates one, and the commands of the operator. */
export interface OpenOperation<Input extends z.ZodType, Output> {
  readonly input: Input;
  readonly open: true;
  /** The audit entry of a change by an operator; absent: it changes nothing. */
  readonly audited?: Audited<z.infer<Input>>;
  execute(services: Services, caller: undefined, input: z.infer<Input>): Answer<Output>;
}

export interface Audited<Input> {
  /** The subject of the change, in searchable words: `client acme`, `pair EUR/USD`. */
  subject(input: Input): string;
  /**
   * The current state, read before and after the change; undefined: absent. Never a secret or its hash. Its `clientId` names the owner
   * where the subject does not.
   */
  state(services: Services, input: Input): Answer<object | undefined>;
  /** The field of the answer that names the created record, such as the number of a new account. Never a secret. */
  readonly made?: string;
}

export type Answer<Output> = Promise<Output | Refusal> | Output | Refusal;

export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

export function defineOpenOperation<Input extends z.ZodType, Output>(
  operation: Omit<OpenOperation<Input, Output>, 'open'>,
): OpenOperation<Input, Output> {
  return { ...operation, open: true };
}

/**
 * Reports amounts of 0 and below beside the other faults of the input; alone each is refused with BAD_AMOUNT, in its place in the order of
 * checks. For a schema's last `superRefine`, with BESIDE_OTHER_FAULTS.
 */
export const amountsAboveZero =
  (...names: readonly string[]) =>
  (input: object, context: z.RefinementCtx): void => {
    if (context.issues.length === 0) return;
    for (const name of names.filter((name) => isNotAboveZero((input as Record<string, unknown>)[name])))
      context.addIssue({ code: 'custom', path: [name], message: ABOVE_ZERO });
  };

export const isNotAboveZero = (amount: unknown): boolean => typeof amount === 'number' && amount <= 0;
export const ABOVE_ZERO = 'above 0';

/** Runs a rule over several fields even when other faults exist, since all faults are returned at once. */
export const BESIDE_OTHER_FAULTS: z.core.$ZodSuperRefineParams = { when: () => true };

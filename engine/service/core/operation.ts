import type { z } from 'zod';
import type { FieldFault, Refusal } from '../../domain/refusal.js';
import type { Right } from '../../domain/rights.js';
import type { Caller } from './caller.js';
import type { Services } from './services.js';

/** What a client can ask for: its input, the right it needs, and what it does. The rules stand here, not in a door. */
export interface Operation<Input extends z.ZodType, Output> {
  readonly input: Input;
  /** Right of the caller's key; absent: any live token will do. */
  readonly right?: Right;
  /** It adds what the store keeps: refused when the store is almost full, so that what is under way still finds room. */
  readonly grows?: true;
  /** What the input schema cannot know. Judges whatever was sent, also what the schema refuses: all faults are told at once. */
  faults?(services: Services, caller: Caller, input: unknown): Answer<InputFaults>;
  execute(services: Services, caller: Caller, input: z.infer<Input>): Answer<Output>;
}

export interface InputFaults {
  readonly faults: readonly FieldFault[];
  /** Told with a refusal, where the operation is one that warns. */
  readonly warnings?: readonly FieldFault[];
}

/** Needs no caller: `authenticate`, which makes one, and what the operator's command line asks for. */
export interface OpenOperation<Input extends z.ZodType, Output> {
  readonly input: Input;
  readonly open: true;
  /** How a change by an operator is written down; absent: it changes nothing. */
  readonly audited?: Audited<z.infer<Input>>;
  execute(services: Services, caller: undefined, input: z.infer<Input>): Answer<Output>;
}

export interface Audited<Input> {
  /** What is changed, in words that a search finds: `client acme`, `pair EUR/USD`. */
  subject(input: Input): string;
  /**
   * How it stands now, asked before and after the change; undefined: it is not there. Never a secret or its hash. A `clientId` in it says
   * whose it is, where the subject does not.
   */
  state(services: Services, input: Input): Answer<object | undefined>;
  /** The field of the answer that names what has come into being, such as the number of a new account. Never a secret. */
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
 * Names amounts of 0 and below beside the other faults of the input; alone each is refused with BAD_AMOUNT, in its place in the order of
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

/** For a rule over several fields: it is looked at beside other faults too, since all faults are told at once. */
export const BESIDE_OTHER_FAULTS: z.core.$ZodSuperRefineParams = { when: () => true };

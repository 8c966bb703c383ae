/** What an operation is, and what it answers when the store fails. */
import type { z } from 'zod';
import { type FieldFault, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Right } from '../../domain/core/rights.js';
import {
  AuditLogUnavailable,
  StoreClockTurned,
  StoreFull,
  StoreKeyFault,
  StoreUnavailable,
} from '../../store/connection/errors.js';
import type { Caller } from './caller.js';
import type { Services } from './services.js';

/** A command or query of a client: its input, the required right, and its execution. Rules belong here, not in FIX or REST. */
export interface Operation<Input extends z.ZodType, Output> {
  readonly input: Input;
  /** Required right of the caller's key; absent: any live token suffices. */
  readonly right?: Right;
  /** It adds records: refused when the store is almost full, so that work under way still has room. */
  readonly grows?: true;
  /** It reads many records page by page, and has longer to answer: each page still has the store's own limit. */
  readonly isLong?: true;
  /**
   * Completes the input with stored records that it names, before it is validated: then all faults are of what will be executed. Undefined:
   * it names none. A refusal ends the command.
   */
  resolve?(services: Services, caller: Caller, input: unknown): Promise<unknown> | undefined;
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

/** What all operations have in common: input and `execute` of one agree, as its definition has checked. */
export interface AnyOperation {
  readonly input: z.ZodType;
  readonly right?: Right;
  readonly open?: true;
  readonly grows?: true;
  readonly isLong?: true;
  readonly audited?: Audited<unknown>;
  resolve?(services: Services, caller: Caller | undefined, input: unknown): Promise<unknown> | undefined;
  faults?(services: Services, caller: Caller | undefined, input: unknown): Answer<InputFaults>;
  execute(services: Services, caller: Caller | undefined, input: unknown): Answer<unknown>;
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

/** An operator has to repair the key first. */
const MENDED_AFTER = { retryAfterS: 30, outcome: 'none' } as const;
const BAD_RECORD = 'A record has the wrong type: nothing was done; tell us, and send the same request again later';

const MEMORY_FULL = 'The memory of the store is full: nothing was done; try again later';
const WRONG_CLOCK = 'A clock of ours is wrong: nothing was done; send the same request again later';

/**
 * The store's answer; STORE_UNAVAILABLE with outcome `none` when the store or AUDIT_LOG is unavailable, or when a key has another type than
 * ratewire writes; the log names the cause for the operator. Any other error is a bug and is rethrown.
 */
export function storeAnswer<T>(services: Logging, ask: () => Promise<T> | T): Promise<T | Refusal> | T | Refusal {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch((error) => unavailable(services, error)) : answer;
  } catch (error) {
    return unavailable(services, error);
  }
}

type Logging = Pick<Services, 'log' | 'operator'>;

function unavailable(services: Logging, error: unknown): Refusal {
  if (error instanceof StoreKeyFault) {
    services.log.error(
      { role: error.role, err: error },
      'a key of the store has the wrong type: an operator has to repair it',
    );
    const text = services.operator === undefined ? BAD_RECORD : error.message;
    return refuse('STORE_UNAVAILABLE', text, MENDED_AFTER);
  }
  if (error instanceof StoreClockTurned) {
    services.log.error({ err: error }, 'a step was not executed');
    const text = services.operator === undefined ? WRONG_CLOCK : error.message;
    return refuse('STORE_UNAVAILABLE', text, MENDED_AFTER);
  }
  if (error instanceof StoreFull) {
    services.log.error({ err: error }, 'a step was not executed');
    const text = services.operator === undefined ? MEMORY_FULL : error.message;
    return refuse('STORE_FULL', text, MENDED_AFTER);
  }
  if (error instanceof AuditLogUnavailable) return refuse('STORE_UNAVAILABLE', error.message, MENDED_AFTER);
  if (!(error instanceof StoreUnavailable)) throw error;
  services.log.warn({ outcome: error.outcome }, 'the store does not answer');
  return refuse('STORE_UNAVAILABLE', undefined, { retryAfterS: 1, outcome: error.outcome });
}

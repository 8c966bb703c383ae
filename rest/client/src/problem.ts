/** What a call rejects with: a refusal of ratewire as its problem document (RFC 9457), or the lack of an answer. */
import type { components } from './openapi/document.js';

/** Amounts are numbers, or strings with the option `decimals: 'string'`. */
export type Problem = components<number | string>['schemas']['Problem'];
/** Every refusal that the REST API has; docs/refusals.md lists them with their remedies. */
export type ProblemCode = Problem['code'];
/** One faulty field. */
export type FieldFault = Problem['errors'][number];

/** ratewire refused the request: nothing was executed, unless `outcome` is `unknown`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** Why, for programs. */
  readonly code: ProblemCode;
  readonly status: number;
  /** All faults of the fields, at once; empty for other refusals. */
  readonly errors: readonly FieldFault[];
  /** Id of the answer: quote it in questions. */
  readonly requestId: string;
  /** With 503. `unknown`: the command may have been executed; the same request_id again gives its one answer. */
  readonly outcome: 'none' | 'unknown' | undefined;

  constructor(
    /** The whole document, with the members that only this code has. */
    readonly problem: Problem,
    /** Seconds after which to try again, where the answer says so. */
    readonly retryAfter?: number,
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
    this.errors = problem.errors;
    this.requestId = problem.request_id;
    this.outcome = problem.outcome;
  }
}

/** No answer of ratewire: connection lost, time over, or an answer of something between. A command may have been executed. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** Of what answered instead, such as a proxy. */
    readonly status?: number,
    /** Seconds after which to try again, where that answer says so. */
    readonly retryAfter?: number,
  ) {
    super(message, options);
  }
}

/** A problem document, as far as this client reads it. */
export function isProblem(value: unknown): value is Problem {
  const { code, status, detail, errors, request_id } = (value ?? {}) as Partial<Problem>;
  return (
    [code, detail, request_id].every((text) => typeof text === 'string') &&
    typeof status === 'number' &&
    Array.isArray(errors)
  );
}

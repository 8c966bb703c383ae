/** What a route is: an operation behind a path, and how its names are written there. */
import type { Request } from 'express';
import type { z } from 'zod';
import type { OperationName, OutputOf } from '../../engine/service/core/operations.js';
import type { Body, FormTypes } from '../http/body.js';
import type { Reference } from '../openapi/reference.js';
import type { Names } from './shapes.js';

/** Asked for over FIX alone. */
type OverFixOnly = 'renewToken' | 'revokeToken' | 'readToken' | 'listPairs' | 'marketStatus' | 'readHold' | 'readOrder';

export type RestOperation = Exclude<OperationName, OverFixOnly>;

export type LimitName = 'authentication' | 'reads' | 'writes';

export interface Route<Name extends RestOperation = RestOperation> extends FormTypes {
  readonly method: 'get' | 'post';
  /** Its parameters, `/:currency`, are in `request.params`. */
  readonly path: string;
  readonly limit: LimitName;
  /** Our input from their request and the fields of its body, undefined without a body; what is missing stays undefined. */
  input(request: Request, body: Body | undefined): unknown;
  /** Schema of their body, with a description and an example of each field. */
  readonly response: z.ZodType;
  /** What the OpenAPI document tells about the request. */
  readonly reference: Reference;
  /** Their body from our output, as `answers` has it. */
  body(output: OutputOf<Name>): object;
  /** Headers that this answer alone has: name, value, name, value ... */
  headers?(output: OutputOf<Name>): readonly string[];
  /** For the fields that errors name, and the members that a refusal adds; by what was sent, where a field has two names. */
  readonly names: Names | ((request: Request, body: Body | undefined) => Names);
}

/** One operation may be asked for in several ways. */
export type Routes = { readonly [Name in RestOperation]: Route<Name> | readonly Route<Name>[] };

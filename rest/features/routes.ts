/** The REST interface: what a route is, and the operation behind each path. */

import type { Request } from 'express';
import type { z } from 'zod';
import type { OperationName, OutputOf } from '../../engine/service/operations.js';
import type { Body, FormTypes } from '../http/body.js';
import type { Reference } from '../openapi/reference.js';
import { AUTHENTICATION_ROUTES } from './access/authentication.js';
import { ACCOUNT_ROUTES } from './accounts/accounts.js';
import { BATCH_ROUTES } from './batches/batch-routes.js';
import { BENEFICIARY_ROUTES } from './beneficiaries/beneficiaries.js';
import { VERIFICATION_ROUTES } from './beneficiaries/payee-verifications.js';
import { BOOK_FX_ROUTES } from './conversions/book-fx.js';
import { CHANGE_ROUTES } from './conversions/changes.js';
import { LOCK_ROUTES } from './conversions/lock-fx.js';
import { PRICE_ROUTES } from './conversions/price.js';
import { EVENT_ROUTES } from './events/events.js';
import { FUNDING_ROUTES } from './fundings/fundings.js';
import { PAYMENT_ROUTES } from './payments/payment-routes.js';
import { SUB_CLIENT_ROUTES } from './platforms/sub-clients.js';
import { TRADING_ROUTES } from './risk/trading.js';
import { SANDBOX_ROUTES } from './sandbox/sandbox.js';
import type { Names } from './shapes.js';
import { WEBHOOK_ROUTES } from './webhooks/webhooks.js';

/** Available over FIX alone. */
type OverFixOnly =
  | 'renewToken'
  | 'revokeToken'
  | 'readToken'
  | 'listPairs'
  | 'marketStatus'
  | 'readHold'
  | 'releaseHolds'
  | 'readOrder'
  // Over REST conversions are read by `listBookings`.
  | 'findTrades'
  | 'findOrders'
  | 'readTrades'
  | 'recordDontKnowTrade';

export type RestOperation = Exclude<OperationName, OverFixOnly>;

export type LimitName = 'authentication' | 'reads' | 'writes';

export interface Route<Name extends RestOperation = RestOperation> extends FormTypes {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Its parameters, `/:currency`, are in `request.params`. */
  readonly path: string;
  readonly limit: LimitName;
  /** Bytes of a body from a caller who may perform the operation; absent: 64 KiB. */
  readonly bodyMax?: number;
  /** Our input from their request and the fields of its body, undefined without a body; what is missing stays undefined. */
  input(request: Request, body: Body | undefined): unknown;
  /** Schema of their body, with a description and an example of each field. */
  readonly response: z.ZodType;
  /** The request's part of the OpenAPI document. */
  readonly reference: Reference;
  /** Their body from our output, as `response` has it. */
  body(output: OutputOf<Name>): object;
  /** The answer in another form than JSON, where it was asked for. */
  text?(output: OutputOf<Name>): TextAnswer | undefined;
  /** Headers that this answer alone has: name, value, name, value ... */
  headers?(output: OutputOf<Name>): readonly string[];
  /**
   * The version of the record that is answered: its ETag. A route that changes the record takes it as If-Match: `version: ifMatch(request)`
   * in its input, `version: 'If-Match'` in its names.
   */
  version?(output: OutputOf<Name>): number;
  /** The operation answers equal requests with one object, whose bytes are kept; they have an ETag, and If-None-Match gets a 304. */
  readonly isReferenceData?: true;
  /** For the fields that errors name, and the members that a refusal adds; by what was sent, where a field has two names. */
  readonly names: Names | ((request: Request, body: Body | undefined) => Names);
}

export interface TextAnswer {
  /** Its content-type. */
  readonly type: string;
  readonly text: string;
}

/** One operation may have several routes. */
export type Routes = { readonly [Name in RestOperation]: Route<Name> | readonly Route<Name>[] };

/** An operation that is forgotten here does not compile. Express matches from the top: the most frequent comes first. */
export const ROUTES: Routes = {
  ...BOOK_FX_ROUTES,
  ...PRICE_ROUTES,
  ...CHANGE_ROUTES,
  ...AUTHENTICATION_ROUTES,
  ...LOCK_ROUTES,
  ...FUNDING_ROUTES,
  ...PAYMENT_ROUTES,
  ...BATCH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...TRADING_ROUTES,
  ...SUB_CLIENT_ROUTES,
  ...BENEFICIARY_ROUTES,
  ...EVENT_ROUTES,
  ...SANDBOX_ROUTES,
  ...WEBHOOK_ROUTES,
  ...VERIFICATION_ROUTES,
};

/** The whole REST interface: which operation stands behind which path, and how its names are written there. */
import type { Request } from 'express';
import type { OperationName, OutputOf } from '../engine/service/operations.js';
import type { Body } from './body.js';
import type { FormTypes } from './form-body.js';
import { type Names, RATE_NAMES, rateBody, tokenBody } from './shapes.js';

/** Asked for over FIX alone. */
type OverFixOnly = 'renewToken' | 'revokeToken' | 'readToken' | 'listPairs' | 'marketStatus';

export type RestOperation = Exclude<OperationName, OverFixOnly>;

export type LimitName = 'authentication' | 'reads' | 'writes';

export interface Route<Name extends RestOperation = RestOperation> extends FormTypes {
  readonly method: 'get' | 'post';
  /** Its parameters, `/:currency`, are in `request.params`. */
  readonly path: string;
  readonly limit: LimitName;
  /** Our input from their request and the fields of its body, undefined without a body; what is missing stays undefined. */
  input(request: Request, body: Body | undefined): unknown;
  /** Their body from our output. */
  body(output: OutputOf<Name>): object;
  /** Headers that this answer alone has: name, value, name, value ... */
  headers?(output: OutputOf<Name>): readonly string[];
  /** For the fields that errors name, and the members that a refusal adds. */
  readonly names: Names;
}

/** One operation may be asked for in several ways. */
export type Routes = { readonly [Name in RestOperation]: Route<Name> | readonly Route<Name>[] };

/** An operation that is forgotten here does not compile. Express looks from the top: the most asked for comes first. */
export const ROUTES: Routes = {
  getRate: {
    method: 'get',
    path: '/api/v1/bookfx/rate',
    limit: 'reads',
    input: ({ query }) => ({ sellCurrency: query.sell_currency, buyCurrency: query.buy_currency, type: query.type }),
    body: rateBody,
    names: RATE_NAMES,
  },
  authenticate: {
    method: 'post',
    path: '/api/v1/authentication',
    limit: 'authentication',
    input: ({ headers, socket }) => ({
      clientKey: headers.client_key,
      clientSecret: headers.client_secret,
      address: socket.remoteAddress ?? 'unknown',
    }),
    body: tokenBody,
    names: { clientKey: 'client_key', clientSecret: 'client_secret' },
  },
};

/** The whole REST interface: which operation stands behind which path, and how its names are written there. */
import type { Request } from 'express';
import type { z } from 'zod';
import type { OperationName, OutputOf } from '../engine/service/operations.js';
import {
  ACCOUNTS_REFERENCE,
  BALANCE_REFERENCE,
  BALANCES_REFERENCE,
  CURRENCY_BALANCES_REFERENCE,
} from './account-references.js';
import { ACCOUNTS_ANSWER, accountsBody, BALANCES_ANSWER, balancesBody } from './account-shapes.js';
import { AUTHENTICATE_REFERENCE } from './authentication-reference.js';
import type { Body } from './body.js';
import {
  BOOKING_REFERENCE,
  BY_ACCOUNT_REFERENCE,
  BY_CURRENCY_REFERENCE,
  RATE_REFERENCE,
} from './book-fx-references.js';
import {
  ACCOUNT_NUMBERS,
  BOOK_FX_NAMES,
  BOOK_FX_NUMBERS,
  byAccountInput,
  byAccountNames,
  byCurrencyInput,
  CONFIRMATION_ANSWER,
  confirmationBody,
  replayHeaders,
} from './book-fx-shapes.js';
import type { FormTypes } from './form-body.js';
import { CREATE_FUNDING_REFERENCE, FUNDING_REFERENCE } from './funding-references.js';
import {
  CREATED_FUNDING_ANSWER,
  createdFundingBody,
  FUNDING_ANSWER,
  FUNDING_NAMES,
  FUNDING_NUMBERS,
  fundingBody,
  fundingInput,
} from './funding-shapes.js';
import { BOOKINGS_REFERENCE, ENTRIES_REFERENCE, FUNDINGS_REFERENCE, PAYMENTS_REFERENCE } from './list-references.js';
import {
  BOOKINGS_ANSWER,
  bookingsBody,
  ENTRIES_ANSWER,
  ENTRIES_NAMES,
  entriesBody,
  entriesInput,
  FUNDINGS_ANSWER,
  fundingsBody,
  listInput,
  PAYMENTS_ANSWER,
  paymentsBody,
} from './list-shapes.js';
import {
  LOCK_BY_POST_REFERENCE,
  LOCK_REFERENCE,
  LOCKABLE_RATE_REFERENCE,
  RELEASE_REFERENCE,
} from './lock-references.js';
import {
  HOLD_ANSWER,
  holdBody,
  LOCK_NAMES,
  LOCKABLE_RATE_ANSWER,
  lockableRateBody,
  lockableRateInput,
  lockableRateNames,
  RELEASE_NAMES,
} from './lock-shapes.js';
import type { Reference } from './openapi/reference.js';
import { type Names, RATE_ANSWER, RATE_NAMES, rateBody, TOKEN_ANSWER, tokenBody } from './shapes.js';

/** Asked for over FIX alone. */
type OverFixOnly = 'renewToken' | 'revokeToken' | 'readToken' | 'listPairs' | 'marketStatus' | 'readHold' | 'readOrder';

/** Their routes are being written. */
type NotServedYet = 'readPayment' | 'readPaymentByReference' | 'cancelPayment' | 'answerInformation';

export type RestOperation = Exclude<OperationName, OverFixOnly | NotServedYet>;

export type LimitName = 'authentication' | 'reads' | 'writes';

export interface Route<Name extends RestOperation = RestOperation> extends FormTypes {
  readonly method: 'get' | 'post';
  /** Its parameters, `/:currency`, are in `request.params`. */
  readonly path: string;
  readonly limit: LimitName;
  /** Our input from their request and the fields of its body, undefined without a body; what is missing stays undefined. */
  input(request: Request, body: Body | undefined): unknown;
  /** Schema of their body, with a description and an example of each field. */
  readonly answers: z.ZodType;
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

/** An operation that is forgotten here does not compile. Express looks from the top: the most asked for comes first. */
export const ROUTES: Routes = {
  getRate: {
    method: 'get',
    path: '/api/v1/bookfx/rate',
    limit: 'reads',
    input: ({ query }) => ({ sellCurrency: query.sell_currency, buyCurrency: query.buy_currency, type: query.type }),
    answers: RATE_ANSWER,
    reference: RATE_REFERENCE,
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
    answers: TOKEN_ANSWER,
    reference: AUTHENTICATE_REFERENCE,
    body: tokenBody,
    names: { clientKey: 'client_key', clientSecret: 'client_secret' },
  },
  bookFxByCurrency: {
    method: 'post',
    path: '/api/v1/bookfx/currency/create',
    limit: 'writes',
    input: (_request, body) => byCurrencyInput(body),
    answers: CONFIRMATION_ANSWER,
    reference: BY_CURRENCY_REFERENCE,
    body: confirmationBody,
    headers: replayHeaders,
    names: BOOK_FX_NAMES,
    numbers: BOOK_FX_NUMBERS,
  },
  bookFxByAccount: {
    method: 'post',
    path: '/api/v1/bookfx/account/create',
    limit: 'writes',
    input: (_request, body) => byAccountInput(body),
    answers: CONFIRMATION_ANSWER,
    reference: BY_ACCOUNT_REFERENCE,
    body: confirmationBody,
    headers: replayHeaders,
    names: (_request, body) => byAccountNames(body),
    numbers: ACCOUNT_NUMBERS,
  },
  readBooking: {
    method: 'get',
    path: '/api/v1/bookfx/:confirmation_id',
    limit: 'reads',
    input: ({ params }) => ({ confirmationId: params.confirmation_id }),
    answers: CONFIRMATION_ANSWER,
    reference: BOOKING_REFERENCE,
    body: confirmationBody,
    names: { confirmationId: 'confirmation_id' },
  },
  listBookings: {
    method: 'get',
    path: '/api/v1/bookfx',
    limit: 'reads',
    input: listInput,
    answers: BOOKINGS_ANSWER,
    reference: BOOKINGS_REFERENCE,
    body: bookingsBody,
    names: {},
  },
  getLockableRate: {
    method: 'get',
    path: '/api/v1/lockFx/getFxRate',
    limit: 'reads',
    input: lockableRateInput,
    answers: LOCKABLE_RATE_ANSWER,
    reference: LOCKABLE_RATE_REFERENCE,
    body: lockableRateBody,
    names: lockableRateNames,
  },
  // One offer becomes one hold, however often it is sent: so a GET may write it.
  lockRate: [
    {
      method: 'get',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: ({ query }) => ({ rateSignature: query.rate_signature }),
      answers: HOLD_ANSWER,
      reference: LOCK_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
    },
    {
      method: 'post',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: (_request, body) => ({ rateSignature: body?.rate_signature }),
      answers: HOLD_ANSWER,
      reference: LOCK_BY_POST_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
    },
  ],
  releaseHold: {
    method: 'post',
    path: '/api/v1/lockFx/releaseFxRate',
    limit: 'writes',
    input: (_request, body) => ({ holdId: body?.fx_hold_id }),
    answers: HOLD_ANSWER,
    reference: RELEASE_REFERENCE,
    body: ({ hold }) => holdBody({ hold: { ...hold, status: 'released' } }),
    names: RELEASE_NAMES,
  },
  createFunding: {
    method: 'post',
    path: '/api/v1/fund/create',
    limit: 'writes',
    input: (_request, body) => fundingInput(body),
    answers: CREATED_FUNDING_ANSWER,
    reference: CREATE_FUNDING_REFERENCE,
    body: createdFundingBody,
    headers: replayHeaders,
    names: FUNDING_NAMES,
    numbers: FUNDING_NUMBERS,
  },
  readFunding: {
    method: 'get',
    path: '/api/v1/fund/reference/:gl_reference_number',
    limit: 'reads',
    input: ({ params }) => ({ fundingId: params.gl_reference_number }),
    answers: FUNDING_ANSWER,
    reference: FUNDING_REFERENCE,
    body: fundingBody,
    names: { fundingId: 'gl_reference_number' },
  },
  listFundings: {
    method: 'get',
    path: '/api/v1/fund',
    limit: 'reads',
    input: listInput,
    answers: FUNDINGS_ANSWER,
    reference: FUNDINGS_REFERENCE,
    body: fundingsBody,
    names: {},
  },
  listPayments: {
    method: 'get',
    path: '/api/v1/payments',
    limit: 'reads',
    input: listInput,
    answers: PAYMENTS_ANSWER,
    reference: PAYMENTS_REFERENCE,
    body: paymentsBody,
    names: {},
  },
  listBalances: {
    method: 'get',
    path: '/api/v1/balance/all',
    limit: 'reads',
    input: () => ({}),
    answers: BALANCES_ANSWER,
    reference: BALANCES_REFERENCE,
    body: balancesBody,
    names: {},
  },
  listCurrencyBalances: {
    method: 'get',
    path: '/api/v1/balance/currency/:currency',
    limit: 'reads',
    input: ({ params }) => ({ currency: params.currency }),
    answers: BALANCES_ANSWER,
    reference: CURRENCY_BALANCES_REFERENCE,
    body: balancesBody,
    names: {},
  },
  readBalance: {
    method: 'get',
    path: '/api/v1/balance/account/:account_number',
    limit: 'reads',
    input: ({ params }) => ({ accountNumber: params.account_number }),
    answers: BALANCES_ANSWER,
    reference: BALANCE_REFERENCE,
    body: balancesBody,
    names: { accountNumber: 'account_number' },
  },
  listAccountEntries: {
    method: 'get',
    path: '/api/v1/balance/account/:account_number/entries',
    limit: 'reads',
    input: entriesInput,
    answers: ENTRIES_ANSWER,
    reference: ENTRIES_REFERENCE,
    body: entriesBody,
    names: ENTRIES_NAMES,
  },
  listAccounts: {
    method: 'get',
    path: '/api/v1/account',
    limit: 'reads',
    input: () => ({}),
    answers: ACCOUNTS_ANSWER,
    reference: ACCOUNTS_REFERENCE,
    body: accountsBody,
    names: {},
  },
};

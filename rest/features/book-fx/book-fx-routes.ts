/** The routes of rates and of conversions. */

import { BOOKINGS_REFERENCE } from '../list-references.js';
import { BOOKINGS_ANSWER, bookingsBody, listInput } from '../list-shapes.js';
import type { Routes } from '../route.js';
import { RATE_ANSWER, RATE_NAMES, rateBody } from '../shapes.js';
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

export const BOOK_FX_ROUTES: Pick<
  Routes,
  'getRate' | 'bookFxByCurrency' | 'bookFxByAccount' | 'readBooking' | 'listBookings'
> = {
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
};

/** Fundings: shapes, reference texts and routes. */
import { z } from 'zod';
import { FUNDING_STATUSES, type Funding } from '../../../engine/domain/fundings/funding.js';
import { minorToNumber } from '../../../engine/domain/money/money.js';
import type { Body } from '../../http/body.js';
import type { Reference } from '../../openapi/reference.js';
import { replayHeaders } from '../conversions/book-fx.js';
import { listInput, PAGES, page, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import {
  choiceField,
  currencyField,
  type Names,
  numberField,
  offsetTime,
  offsetTimeField,
  textField,
} from '../shapes.js';

/** Fields that a form has as texts and the interface as numbers. */
const FUNDING_NUMBERS = ['account_number', 'amount'];

const FUNDING_NAMES: Names = {
  accountNumber: 'account_number',
  depositAccount: 'instarem_deposit_account',
  reference: 'payment_reference',
  requestId: 'request_id',
};

function fundingInput(body: Body = {}): object {
  return {
    accountNumber: body.account_number,
    amount: body.amount,
    depositAccount: body.instarem_deposit_account,
    reference: body.payment_reference,
    requestId: body.request_id,
  };
}

const AMOUNT = numberField('Amount of the entry, in units of its currency', 2500.5);
const CURRENCY = currencyField('Currency of the account', 'USD');
const REFERENCE = textField('Ledger reference of the entry', 'GLR01K4M2V7Q8Z3X5YAB');
const STATUS = choiceField(FUNDING_STATUSES, 'Status of the entry', 'PENDING');
const TIMES = {
  created_at: offsetTimeField('When the entry was created'),
  updated_at: offsetTimeField('When its status last changed'),
};

export const CREATED_FUNDING_RESPONSE = z
  .strictObject({
    account_number: textField('Account to be credited, 12 digits', '400100000027'),
    amount: AMOUNT,
    currency: CURRENCY,
    gl_reference_number: REFERENCE,
    status: STATUS,
    ...TIMES,
  })
  .meta({ id: 'CreatedFunding' });

function createdFundingBody({ funding }: { readonly funding: Funding }): z.infer<typeof CREATED_FUNDING_RESPONSE> {
  const { gl_reference_number, status, amount, currency, ...times } = fundingFields(funding);
  return { account_number: funding.account, amount, currency, gl_reference_number, status, ...times };
}

export const FUNDING_RESPONSE = z
  .strictObject({ gl_reference_number: REFERENCE, status: STATUS, amount: AMOUNT, currency: CURRENCY, ...TIMES })
  .meta({ id: 'Funding' });

export function fundingBody({ funding }: { readonly funding: Funding }): z.infer<typeof FUNDING_RESPONSE> {
  return fundingFields(funding);
}

function fundingFields({ id, status, amount, currency, createdAtMs, updatedAtMs }: Funding) {
  return {
    gl_reference_number: id,
    status,
    amount: minorToNumber(BigInt(amount), currency),
    currency,
    created_at: offsetTime(createdAtMs),
    updated_at: offsetTime(updatedAtMs),
  };
}

const CREATE_FUNDING_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'Announce money for an account',
  description:
    'Announces an incoming transfer. It is PENDING until it is matched: then it becomes COMPLETED and the balance rises, or REJECTED. With a request_id, the same command repeats the first answer, with `Idempotent-Replayed: true`, and another command is rejected with 409.',
  example: {
    account_number: 400100000027,
    amount: 2500.5,
    instarem_deposit_account: 'DBS Bank-0012345678-USD',
    payment_reference: 'Invoice 417',
    request_id: 'fund-2026-11-20-1',
  },
  fields: {
    account_number: 'Account to be credited, 12 digits',
    amount: 'Amount in units of the account, above 0',
    instarem_deposit_account:
      'Where the money was sent: BankName-AccountNumber-Currency, in the currency of the account',
    payment_reference: 'Description of the entry, 1 to 140 characters',
    request_id: 'Unique id of your own; kept for 7 days. Without one every call is a new entry',
  },
};

const FUNDING_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'Read a funding entry',
  description: 'The current state of the entry.',
  example: { gl_reference_number: 'GLR01K4M2V7Q8Z3X5YAB' },
  fields: { gl_reference_number: 'Ledger reference returned by the creation' },
};

export const FUNDINGS_RESPONSE = page(FUNDING_RESPONSE, 'FundingList', 'Funding entries of the client');

const FUNDINGS_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'List funding entries',
  description: `The client’s funding entries. ${PAGES}`,
  example: { from: '2026-11-20', status: 'PENDING', currency: 'USD', limit: 50 },
};

export const FUNDING_ROUTES = {
  createFunding: {
    method: 'post',
    path: '/api/v1/fund/create',
    limit: 'writes',
    input: (_request, body) => fundingInput(body),
    response: CREATED_FUNDING_RESPONSE,
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
    response: FUNDING_RESPONSE,
    reference: FUNDING_REFERENCE,
    body: fundingBody,
    names: { fundingId: 'gl_reference_number' },
  },
  listFundings: {
    method: 'get',
    path: '/api/v1/fund',
    limit: 'reads',
    input: listInput,
    response: FUNDINGS_RESPONSE,
    reference: FUNDINGS_REFERENCE,
    body: pageBody(fundingFields),
    names: {},
  },
} satisfies Partial<Routes>;

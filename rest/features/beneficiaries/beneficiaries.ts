/** Stored beneficiaries: shapes, reference texts and routes. Nested as a payout is, and by its names. */
import type { Request } from 'express';
import { z } from 'zod';
import { BENEFICIARY_STATUSES, type Beneficiary } from '../../../engine/domain/beneficiaries/beneficiary.js';
import { PAYOUT_METHODS } from '../../../engine/domain/payments/corridors/words.js';
import { BENEFICIARY, DESTINATION } from '../../../engine/service/core/payment-parts.js';
import type { Body } from '../../http/body.js';
import type { Reference } from '../../openapi/reference.js';
import { replayHeaders } from '../conversions/book-fx.js';
import { listInput, PAGES, page, pageBody } from '../lists.js';
import { inputBy, PAYOUT_NAMES } from '../payments/payment-shapes.js';
import type { Routes } from '../routes.js';
import { choiceField, currencyField, ifMatch, type Names, offsetTime, offsetTimeField, textField } from '../shapes.js';

const FIELDS = [...Object.keys(DESTINATION), ...Object.keys(BENEFICIARY).map((name) => `beneficiary.${name}`)];

/** Ours to theirs, of the fields of a beneficiary: those of a payout. */
const BENEFICIARY_NAMES: Names = Object.fromEntries(FIELDS.map((name) => [name, PAYOUT_NAMES[name]!]));
/** The rules know the method by two names. */
const NAMES: Names = { ...BENEFICIARY_NAMES, depositMethod: 'payout_method', beneficiaryId: 'beneficiary_id' };
const CHANGE_NAMES: Names = { ...NAMES, version: 'If-Match' };

const createInput = inputBy({ ...BENEFICIARY_NAMES, requestId: 'request_id' });
const changeInput = inputBy(BENEFICIARY_NAMES);

/** What was not sent is absent. */
const DETAILS = z
  .strictObject(
    Object.fromEntries(
      Object.entries(BENEFICIARY).map(([ours, field]) => {
        const { description = '', examples = [''] } = field.unwrap().in.meta() as {
          readonly description?: string;
          readonly examples?: readonly string[];
        };
        return [theirs(`beneficiary.${ours}`), textField(description, examples[0]!).optional()];
      }),
    ),
  )
  .meta({ description: 'Who is paid: the fields that were sent; of a card number the last four digits' });

function theirs(name: string): string {
  return PAYOUT_NAMES[name]!.split('.').at(-1)!;
}

const CODES = (['1', '2', '3'] as const).flatMap((slot) => [
  [`routing_code_type_${slot}`, textField('Kind of the routing code', 'SWIFT').optional()] as const,
  [`routing_code_value_${slot}`, textField('Routing code of the matching type', 'COBADEFF').optional()] as const,
]);

export const BENEFICIARY_RESPONSE = z
  .strictObject({
    beneficiary_id: textField('Beneficiary id', 'BNF01K4M2V7Q8Z3X5YAB'),
    version: z
      .int()
      .min(1)
      .meta({ description: 'Counts its changes, from 1; also the ETag of the answer', examples: [1] }),
    status: choiceField(BENEFICIARY_STATUSES, 'DISABLED: payments that name it are refused', 'ACTIVE'),
    destination_currency: currencyField('Currency that the beneficiary receives', 'EUR'),
    payout_method: choiceField(PAYOUT_METHODS, 'How the beneficiary is paid', 'BANK'),
    ...(Object.fromEntries(CODES) as Record<(typeof CODES)[number][0], z.ZodOptional<z.ZodString>>),
    beneficiary: DETAILS,
    created_at: offsetTimeField('When the beneficiary was created'),
    updated_at: offsetTimeField('When it last changed'),
  })
  .meta({ id: 'Beneficiary' });

export function beneficiaryFields({ id, version, status, currency, method, details, ...times }: Beneficiary) {
  const { beneficiary, payoutMethod: _, ...codes } = details;
  return {
    beneficiary_id: id,
    version,
    status,
    destination_currency: currency,
    payout_method: method === 'CASH' ? ('CASH_PAYOUT' as const) : method,
    ...renamedFields(codes, ''),
    beneficiary: renamedFields(beneficiary, 'beneficiary.'),
    created_at: offsetTime(times.createdAtMs),
    updated_at: offsetTime(times.updatedAtMs),
  };
}

const renamedFields = (fields: object, prefix: string): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [theirs(prefix + name), String(value)]));

type Answered = { readonly beneficiary: Beneficiary };
const beneficiaryBody = ({ beneficiary }: Answered): z.infer<typeof BENEFICIARY_RESPONSE> =>
  beneficiaryFields(beneficiary);
const version = ({ beneficiary }: Answered): number => beneficiary.version;

const EXAMPLE = {
  destination_currency: 'USD',
  payout_method: 'BANK',
  routing_code_type_1: 'ACH CODE',
  routing_code_value_1: '011000015',
  beneficiary: {
    name: 'Ann Carter',
    account_type: 'Individual',
    country_code: 'US',
    address: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    postcode: '62701',
    account_number: '000123456789',
    bank_account_type: 'Checking',
  },
};
const ID = { beneficiary_id: 'BNF01K4M2V7Q8Z3X5YAB' };
const ID_FIELD = { beneficiary_id: 'Beneficiary id returned by the creation' };
const CHANGE_FIELDS = { ...ID_FIELD, 'If-Match': 'The version that the change is for' };
const HIDDEN = ['current'];
const REQUEST_FIELDS = {
  request_id:
    'Unique id of the request, chosen by the client, kept for 7 days: the same command again gets the first answer',
};

const CREATE_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Store a beneficiary',
  description:
    'Stores who is paid and where, checked by the rules of the corridor as far as they do not depend on a payment: `GET /api/v1/reference/required-details?for=beneficiary` has them. An account, in whatever notation, is in one beneficiary only: another one is rejected with 409 DUPLICATE_BENEFICIARY, which names the first as `beneficiary_id`. A client has 10,000 at most.',
  example: { request_id: 'ben-20261120-0001', ...EXAMPLE },
  fields: REQUEST_FIELDS,
  hidden: HIDDEN,
};

const READ_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Read a beneficiary',
  description: 'The newest version, or an earlier one, such as a payment shows as beneficiary_version.',
  example: { ...ID, version: 1 },
  fields: ID_FIELD,
};

const LIST_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'List beneficiaries',
  description: `The client’s beneficiaries. ${PAGES}`,
  example: { status: 'ACTIVE', currency: 'USD', country: 'US', name: 'Ann', limit: 50 },
};

const CHANGE_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Change a beneficiary',
  description:
    'Changes the fields that are sent; an empty text removes one. The whole is checked as at its creation, and becomes a new version; payments that were made keep theirs. With If-Match another version than that one is rejected with 409 VERSION_CONFLICT. One beneficiary takes 100 changes.',
  example: { ...ID, beneficiary: { address: '2 Main Street' } },
  fields: CHANGE_FIELDS,
  hidden: HIDDEN,
  alsoRefused: [409],
};

const DISABLE_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Disable a beneficiary',
  description:
    'Payments that name it are rejected with BENEFICIARY_DISABLED, until it is enabled; those that were made are paid.',
  example: ID,
  fields: CHANGE_FIELDS,
  alsoRefused: [409],
};

const ENABLE_REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Enable a beneficiary',
  description: 'Payments can name it again.',
  example: ID,
  fields: CHANGE_FIELDS,
  alsoRefused: [409],
};

const withId = ({ params }: Request) => ({ beneficiaryId: params.beneficiary_id });

const changeOfStatus = (request: Request) => ({ ...withId(request), version: ifMatch(request) });

/** A number in a query is a text. */
const versionIn = (text: unknown): unknown =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text || undefined;

export const BENEFICIARY_ROUTES = {
  createBeneficiary: {
    method: 'post',
    path: '/api/v1/beneficiaries',
    limit: 'writes',
    input: (_request, body?: Body) => createInput(body),
    response: BENEFICIARY_RESPONSE,
    reference: CREATE_REFERENCE,
    body: beneficiaryBody,
    headers: replayHeaders,
    version,
    names: { ...NAMES, requestId: 'request_id' },
  },
  listBeneficiaries: {
    method: 'get',
    path: '/api/v1/beneficiaries',
    limit: 'reads',
    input: listInput,
    response: page(BENEFICIARY_RESPONSE, 'BeneficiaryList', 'Beneficiaries of the client'),
    reference: LIST_REFERENCE,
    body: pageBody(beneficiaryFields),
    names: {},
  },
  readBeneficiary: {
    method: 'get',
    path: '/api/v1/beneficiaries/:beneficiary_id',
    limit: 'reads',
    input: (request) => ({ ...withId(request), version: versionIn(request.query.version) }),
    response: BENEFICIARY_RESPONSE,
    reference: READ_REFERENCE,
    body: beneficiaryBody,
    version,
    names: NAMES,
  },
  changeBeneficiary: {
    method: 'patch',
    path: '/api/v1/beneficiaries/:beneficiary_id',
    limit: 'writes',
    input: (request, body?: Body) => ({ ...changeInput(body), ...withId(request), version: ifMatch(request) }),
    response: BENEFICIARY_RESPONSE,
    reference: CHANGE_REFERENCE,
    body: beneficiaryBody,
    version,
    names: CHANGE_NAMES,
  },
  disableBeneficiary: {
    method: 'post',
    path: '/api/v1/beneficiaries/:beneficiary_id/disable',
    limit: 'writes',
    input: changeOfStatus,
    response: BENEFICIARY_RESPONSE,
    reference: DISABLE_REFERENCE,
    body: beneficiaryBody,
    version,
    names: CHANGE_NAMES,
  },
  enableBeneficiary: {
    method: 'post',
    path: '/api/v1/beneficiaries/:beneficiary_id/enable',
    limit: 'writes',
    input: changeOfStatus,
    response: BENEFICIARY_RESPONSE,
    reference: ENABLE_REFERENCE,
    body: beneficiaryBody,
    version,
    names: CHANGE_NAMES,
  },
} satisfies Partial<Routes>;

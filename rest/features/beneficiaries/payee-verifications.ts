/** Verification of a payee over REST. */
import { z } from 'zod';
import { PAYEE_ANSWERS, PAYEE_SCHEMES } from '../../../engine/domain/beneficiaries/payee-verification.js';
import { VERIFIED_FIELDS, type Verified } from '../../../engine/service/beneficiaries/verify-payee.js';
import { BENEFICIARY } from '../../../engine/service/core/payment-parts.js';
import type { Reference } from '../../openapi/reference.js';
import { inputBy } from '../payments/payment-shapes.js';
import type { Routes } from '../routes.js';
import { choiceField, type Names, textField, utcField } from '../shapes.js';

const CODES = [1, 2, 3].flatMap((slot) => [
  [`routingCodeType${slot}`, `routing_code_type_${slot}`],
  [`routingCodeValue${slot}`, `routing_code_value_${slot}`],
]);

const NAMES: Names = {
  beneficiaryId: 'beneficiary_id',
  'beneficiary.name': 'name',
  'beneficiary.countryCode': 'country',
  'beneficiary.accountType': 'account_type',
  'beneficiary.accountNumber': 'account_number',
  destinationCurrency: 'currency',
  ...Object.fromEntries(CODES),
};
const verificationInput = inputBy(NAMES);

export const VERIFICATION_RESPONSE = z
  .strictObject({
    verification_id: textField('Id of this verification, as its event has it', 'VRF01K4M2V7Q8Z3X5YAB'),
    answer: choiceField(
      PAYEE_ANSWERS,
      'MATCH: the account is in this name. CLOSE_MATCH: in one like it, see name. NO_MATCH: in another. NOT_POSSIBLE: the bank does not say',
      'CLOSE_MATCH',
    ),
    scheme: choiceField(['', ...PAYEE_SCHEMES], 'Who was asked; empty where no scheme covers the account', 'SEPA_VOP'),
    code: textField('The code of the scheme; empty where it has none', 'CMTC'),
    name: textField(
      'The name of the account, with MATCH and CLOSE_MATCH where the bank gives it; else empty',
      'Anna Schmidt',
    ),
    verification_token: textField('For a payment to this name and account', 'q83vEjRWeJq83vEjRWeJq83v'),
    expires_at: utcField('Until when a payment may carry the token: ten minutes'),
  })
  .meta({ id: 'PayeeVerification' });

const verificationBody = ({ id, answer, scheme, code, name, token, expiresAtMs }: Verified) => ({
  verification_id: id,
  answer,
  scheme,
  code,
  name,
  verification_token: token,
  expires_at: new Date(expiresAtMs).toISOString(),
});

const REFERENCE: Reference = {
  tag: 'Beneficiaries',
  summary: 'Verify a payee',
  description:
    'Asks the bank of an account whether it is in this name, by Verification of Payee for euro in SEPA and by Confirmation of Payee for sterling in the United Kingdom. Send the fields, or `beneficiary_id`. The answer is kept nowhere but in `verification_token`, which a payment of this client to this name and account may carry for ten minutes; the payment shows it. The operator decides which answers are enough, and with which the payment waits.',
  example: {
    name: 'Anna CLOSE MATCH Schmidt',
    country: 'DE',
    currency: 'EUR',
    account_number: 'DE89370400440532013000',
  },
  fields: {
    currency: 'Currency of the account, ISO 4217. Default: that of the country',
    country: 'Country of the payee, ISO 3166',
  },
  hidden: [
    ...['resolved', 'payoutMethod'],
    ...Object.keys(BENEFICIARY)
      .filter((name) => !(VERIFIED_FIELDS as readonly string[]).includes(name))
      .map((name) => `beneficiary.${name}`),
  ],
  needsOneOf: [
    ['name', 'beneficiary_id'],
    ['country', 'beneficiary_id'],
    ['account_number', 'beneficiary_id'],
  ],
};

export const VERIFICATION_ROUTES = {
  verifyPayee: {
    method: 'post',
    path: '/api/v1/payee-verifications',
    limit: 'writes',
    input: (_request, body) => verificationInput(body),
    response: VERIFICATION_RESPONSE,
    reference: REFERENCE,
    body: verificationBody,
    names: NAMES,
  },
} satisfies Partial<Routes>;

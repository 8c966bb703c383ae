/** Funding by the interface's names. Its account number is a text, and only in the answer to the creation. */
import { z } from 'zod';
import { FUNDING_STATUSES, type Funding } from '../../../engine/domain/funding.js';
import { minorToNumber } from '../../../engine/domain/money.js';
import type { Body } from '../../http/body.js';
import { choiceField, currencyField, numberField, offsetTimeField, textField } from '../answer-fields.js';
import { type Names, offsetTime } from '../shapes.js';

/** Fields that a form has as texts and the interface as numbers. */
export const FUNDING_NUMBERS = ['account_number', 'amount'];

export const FUNDING_NAMES: Names = {
  accountNumber: 'account_number',
  depositAccount: 'instarem_deposit_account',
  reference: 'payment_reference',
  requestId: 'request_id',
};

export function fundingInput(body: Body = {}): object {
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
const STATUS = choiceField(FUNDING_STATUSES, 'Where the entry stands', 'PENDING');
const TIMES = {
  created_at: offsetTimeField('When the entry was created'),
  updated_at: offsetTimeField('When its status last changed'),
};

export const CREATED_FUNDING_ANSWER = z
  .strictObject({
    account_number: textField('Account to be credited, 12 digits', '400100000019'),
    amount: AMOUNT,
    currency: CURRENCY,
    gl_reference_number: REFERENCE,
    status: STATUS,
    ...TIMES,
  })
  .meta({ id: 'CreatedFunding' });

export function createdFundingBody({ funding }: { readonly funding: Funding }): z.infer<typeof CREATED_FUNDING_ANSWER> {
  const { gl_reference_number, status, amount, currency, ...times } = fundingFields(funding);
  return { account_number: funding.account, amount, currency, gl_reference_number, status, ...times };
}

export const FUNDING_ANSWER = z
  .strictObject({ gl_reference_number: REFERENCE, status: STATUS, amount: AMOUNT, currency: CURRENCY, ...TIMES })
  .meta({ id: 'Funding' });

export function fundingBody({ funding }: { readonly funding: Funding }): z.infer<typeof FUNDING_ANSWER> {
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

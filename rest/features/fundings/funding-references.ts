import type { Reference } from '../../openapi/reference.js';

export const CREATE_FUNDING_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'Announce money for an account',
  description:
    'Writes down money that is on its way. It is PENDING until it is found: then it becomes COMPLETED and the balance rises, or REJECTED. With a request_id, the same command gives the first answer again, with `Idempotent-Replayed: true`, and another command is refused by 409.',
  example: {
    account_number: 400100000019,
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

export const FUNDING_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'Read a funding entry',
  description: 'The entry as it stands now.',
  example: { gl_reference_number: 'GLR01K4M2V7Q8Z3X5YAB' },
  fields: { gl_reference_number: 'Ledger reference that the creation answered' },
};

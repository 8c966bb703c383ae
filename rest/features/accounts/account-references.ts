import type { Reference } from '../../openapi/reference.js';
import { accountNumberField } from '../answer-fields.js';

export const ACCOUNTS_REFERENCE: Reference = {
  tag: 'Accounts',
  summary: 'List all accounts',
  description: 'All accounts of the client, closed and blocked ones too.',
  example: {},
};

export const BALANCES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balances of all accounts',
  description: 'Every account of the client with what is available in it.',
  example: {},
};

export const CURRENCY_BALANCES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balances in one currency',
  description: 'The accounts in this currency; an empty list where the client has none.',
  example: { currency: 'EUR' },
  fields: { currency: 'Three letters of ISO 4217' },
};

export const BALANCE_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balance of one account',
  description: 'A list of this one account.',
  example: { account_number: 400100000019 },
  schemas: { account_number: accountNumberField('Number of the account, 12 digits', 400100000019) },
};

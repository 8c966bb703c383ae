/** Accounts, their balances and statements: shapes, reference texts and routes. */
import type { Request } from 'express';
import { z } from 'zod';
import { minorToNumber } from '../../../engine/domain/money/money.js';
import { ENTRY_TYPES } from '../../../engine/service/accounts/account-entries.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Reference } from '../../openapi/reference.js';
import { listInput, PAGES, page } from '../lists.js';
import type { Routes } from '../routes.js';
import {
  accountNumberField,
  choiceField,
  currencyField,
  flagField,
  isoDate,
  type Names,
  numberField,
  textField,
  utc,
  utcField,
} from '../shapes.js';

type Account = OutputOf<'listAccounts'>['accounts'][number];

const ACCOUNT = z
  .strictObject({
    account_number: accountNumberField('Number of the account, 12 digits', 400100000019),
    currency: currencyField('Currency of the account', 'EUR'),
    auto_bookfx_sequence: z
      .number()
      .int()
      .min(0)
      .meta({
        description: 'Turn of the account in Auto Book FX, the lowest first; 0: not used for it',
        examples: [0],
      }),
    active: flagField('Whether the account can be used', true),
    default: flagField('Whether it is the default account of its currency', true),
    label: textField('Label of the account; may be empty', 'Demo EUR'),
  })
  .meta({ id: 'Account', description: 'An account of the client' });

const ACCOUNTS_RESPONSE = z.array(ACCOUNT).meta({ description: 'All accounts, in the order of their opening' });

const BALANCE = ACCOUNT.extend({
  balance: numberField('What is available in the account, in units of its currency', 1000000),
}).meta({ id: 'Balance', description: 'An account and what is available in it' });

const BALANCES_RESPONSE = z.array(BALANCE).meta({ description: 'Accounts and what is available in them' });

function accountsBody({ accounts }: OutputOf<'listAccounts'>): z.infer<typeof ACCOUNTS_RESPONSE> {
  return accounts.map(accountBody);
}

function balancesBody({ balances }: OutputOf<'listBalances'>): z.infer<typeof BALANCES_RESPONSE> {
  return balances.map((account) => ({
    ...accountBody(account),
    balance: minorToNumber(account.balance, account.currency),
  }));
}

export function accountBody({
  number,
  currency,
  autoBookFxSequence,
  active,
  isDefault,
  label,
}: Account): z.infer<typeof ACCOUNT> {
  return {
    account_number: Number(number),
    currency,
    auto_bookfx_sequence: autoBookFxSequence,
    active,
    default: isDefault,
    label,
  };
}

const ACCOUNTS_REFERENCE: Reference = {
  tag: 'Accounts',
  summary: 'List all accounts',
  description: 'All accounts of the client, closed and blocked ones too.',
  example: {},
};

const BALANCES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balances of all accounts',
  description: 'Every account of the client with what is available in it.',
  example: {},
};

const CURRENCY_BALANCES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balances in one currency',
  description: 'The accounts in this currency; an empty list where the client has none.',
  example: { currency: 'EUR' },
  fields: { currency: 'Three letters of ISO 4217' },
};

const BALANCE_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Balance of one account',
  description: 'A list of this one account.',
  example: { account_number: 400100000019 },
  schemas: { account_number: accountNumberField('Number of the account, 12 digits', 400100000019) },
};

const ENTRIES_NAMES: Names = { accountNumber: 'account_number' };

function entriesInput({ query, params }: Request): object {
  return { ...listInput({ query }), accountNumber: params.account_number };
}

const ENTRY = z
  .strictObject({
    entry_id: textField('Id of the entry, unique within the account', '1795161660000-0'),
    created_at: utcField('When it happened'),
    type: choiceField(ENTRY_TYPES, 'What it is about', 'book-fx'),
    reference: textField(
      'Confirmation id of a conversion, id of a payment, ledger reference of a funding, reference of a deposit, or what an adjustment corrects',
      'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ',
    ),
    amount: numberField('Amount credited, or below 0 debited', -1000),
    currency: currencyField('Currency of the account', 'EUR'),
    balance: numberField('Balance of the account after this entry', 999000),
    receivable: numberField('Change of the receivable by this entry, or below 0 what was repaid of it', 0),
    pays_on: textField('Of a cancellation with a gain: the date on which it is paid; empty else', '2026-11-24'),
  })
  .meta({ id: 'AccountEntry', description: 'A credit or a debit of an account' });

export const ENTRIES_RESPONSE = page(ENTRY, 'AccountEntryList', 'Statement of one account');

function entriesBody({
  items,
  currency,
  nextCursor,
}: OutputOf<'listAccountEntries'>): z.infer<typeof ENTRIES_RESPONSE> {
  const data = items.map(({ id, createdAtMs, type, reference, amount, balance, receivable, paysOn }) => ({
    entry_id: id,
    created_at: utc(createdAtMs),
    type,
    reference,
    amount: minorToNumber(amount, currency),
    currency,
    balance: minorToNumber(balance, currency),
    receivable: minorToNumber(receivable, currency),
    pays_on: paysOn && isoDate(paysOn),
  }));
  return { data, next_cursor: nextCursor };
}

const ENTRIES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Statement of one account',
  description: `The credits and debits of the account, with the balance after each. ${PAGES}`,
  example: { account_number: 400100000019, from: '2026-11-20', type: 'book-fx,payment', limit: 50 },
  schemas: { account_number: accountNumberField('Number of the account, 12 digits', 400100000019) },
};
export const ACCOUNT_ROUTES = {
  listBalances: {
    method: 'get',
    path: '/api/v1/balance/all',
    limit: 'reads',
    input: () => ({}),
    response: BALANCES_RESPONSE,
    reference: BALANCES_REFERENCE,
    body: balancesBody,
    names: {},
  },
  listCurrencyBalances: {
    method: 'get',
    path: '/api/v1/balance/currency/:currency',
    limit: 'reads',
    input: ({ params }) => ({ currency: params.currency }),
    response: BALANCES_RESPONSE,
    reference: CURRENCY_BALANCES_REFERENCE,
    body: balancesBody,
    names: {},
  },
  readBalance: {
    method: 'get',
    path: '/api/v1/balance/account/:account_number',
    limit: 'reads',
    input: ({ params }) => ({ accountNumber: params.account_number }),
    response: BALANCES_RESPONSE,
    reference: BALANCE_REFERENCE,
    body: balancesBody,
    names: { accountNumber: 'account_number' },
  },
  listAccountEntries: {
    method: 'get',
    path: '/api/v1/balance/account/:account_number/entries',
    limit: 'reads',
    input: entriesInput,
    response: ENTRIES_RESPONSE,
    reference: ENTRIES_REFERENCE,
    body: entriesBody,
    names: ENTRIES_NAMES,
  },
  listAccounts: {
    method: 'get',
    path: '/api/v1/account',
    limit: 'reads',
    input: () => ({}),
    response: ACCOUNTS_RESPONSE,
    reference: ACCOUNTS_REFERENCE,
    body: accountsBody,
    names: {},
  },
} satisfies Partial<Routes>;

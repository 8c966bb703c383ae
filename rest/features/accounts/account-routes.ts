/** The routes of accounts, of what is in them, and of what came in and went out. */

import { ENTRIES_REFERENCE } from '../list-references.js';
import { ENTRIES_ANSWER, ENTRIES_NAMES, entriesBody, entriesInput } from '../list-shapes.js';
import type { Routes } from '../route.js';
import {
  ACCOUNTS_REFERENCE,
  BALANCE_REFERENCE,
  BALANCES_REFERENCE,
  CURRENCY_BALANCES_REFERENCE,
} from './account-references.js';
import { ACCOUNTS_ANSWER, accountsBody, BALANCES_ANSWER, balancesBody } from './account-shapes.js';

export const ACCOUNT_ROUTES: Pick<
  Routes,
  'listBalances' | 'listCurrencyBalances' | 'readBalance' | 'listAccountEntries' | 'listAccounts'
> = {
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

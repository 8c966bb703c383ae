/** Accounts and balances by the interface's names. */
import { minorToNumber } from '../engine/domain/money.js';
import type { OutputOf } from '../engine/service/operations.js';

type Account = OutputOf<'listAccounts'>['accounts'][number];

export function accountsBody({ accounts }: OutputOf<'listAccounts'>): object {
  return accounts.map(accountBody);
}

export function balancesBody({ balances }: OutputOf<'listBalances'>): object {
  return balances.map((account) => ({
    ...accountBody(account),
    balance: minorToNumber(account.balance, account.currency),
  }));
}

function accountBody({ number, currency, autoBookFxSequence, active, isDefault, label }: Account): object {
  return {
    account_number: Number(number),
    currency,
    auto_bookfx_sequence: autoBookFxSequence,
    active,
    default: isDefault,
    label,
  };
}

/** Accounts and balances by the interface's names. */
import { z } from 'zod';
import { minorToNumber } from '../../../engine/domain/money.js';
import type { OutputOf } from '../../../engine/service/core/operations.js';
import { accountNumberField, currencyField, flagField, numberField, textField } from '../answer-fields.js';

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

export const ACCOUNTS_ANSWER = z.array(ACCOUNT).meta({ description: 'All accounts, in the order of their opening' });

const BALANCE = ACCOUNT.extend({
  balance: numberField('What is available in the account, in units of its currency', 1000000),
}).meta({ id: 'Balance', description: 'An account and what is available in it' });

export const BALANCES_ANSWER = z.array(BALANCE).meta({ description: 'Accounts and what is available in them' });

export function accountsBody({ accounts }: OutputOf<'listAccounts'>): z.infer<typeof ACCOUNTS_ANSWER> {
  return accounts.map(accountBody);
}

export function balancesBody({ balances }: OutputOf<'listBalances'>): z.infer<typeof BALANCES_ANSWER> {
  return balances.map((account) => ({
    ...accountBody(account),
    balance: minorToNumber(account.balance, account.currency),
  }));
}

function accountBody({
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

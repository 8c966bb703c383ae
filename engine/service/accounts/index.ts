/** What the table of operations and other features use of this one. */
export { adjustAccount, repayReceivable } from './adjust-account.js';
export { changeAccount } from './change-account.js';
export { creditAccount } from './credit-account.js';
export { listAccountEntries, listStatement } from './list-account-entries.js';
export { listAccounts } from './list-accounts.js';
export { listBalances } from './list-balances.js';
export { listClientAccounts } from './list-client-accounts.js';
export { listCurrencyBalances } from './list-currency-balances.js';
export { listReceivables } from './list-receivables.js';
export { openAccount } from './open-account.js';
export { readBalance } from './read-balance.js';

export { listAccountEntries, listStatement } from './account-entries.js';
export { adjustAccount, creditAccount, listReceivables, repayReceivable } from './adjust-account.js';
export { listAccounts, listBalances, listCurrencyBalances, readBalance } from './client-accounts.js';
export { changeAccount, listClientAccounts, openAccount } from './operator-accounts.js';

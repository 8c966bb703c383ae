import { z } from 'zod';
import { parsePositive } from '../../domain/money.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { ID_MAX } from '../../domain/text.js';
import { REQUEST_ID } from '../../store/keys/ledger-keys.js';
import { newId } from '../core/id.js';
import { boundedText, ID, patternText } from '../core/inputs.js';
import { DEACTIVATED, holderOf, noAccount } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';
import { balanceAudited } from './account-audited.js';

const REUSED = refuse(
  'REQUEST_ID_REUSED',
  'This reference was credited with another amount, or to another account: use a new one',
);

/**
 * Money that has come from outside, with a journal entry of its own. A reference is credited once; without one, each call is.
 * Refuses with UNKNOWN_ACCOUNT, BAD_AMOUNT, REQUEST_ID_REUSED, ACCOUNT_INACTIVE, BALANCE_LIMIT.
 */
export const creditAccount = defineOpenOperation({
  input: z.object({
    accountNumber: ID,
    /** Decimal text in units of the account's currency. */
    amount: boundedText(32),
    reference: patternText(REQUEST_ID, ID_MAX, '1 to 64 of A-Z a-z 0-9 _ . -').optional(),
  }),
  audited: balanceAudited,
  async execute(services, _operator, { accountNumber, amount, reference }) {
    const { accounts } = services.store;
    const client = await holderOf(services, accounts, accountNumber);
    const currency = client && (await accounts.currencyOf(client, accountNumber));
    if (client === undefined || currency === undefined) return noAccount(accountNumber);
    const minor = parsePositive(amount, currency);
    if (isRefusal(minor)) return minor;
    const id = reference ?? newId('DEP', services.now());
    const credited = await accounts.credit(client, id, accountNumber, minor);
    if (credited === 'ACCOUNT_INACTIVE') return DEACTIVATED;
    if (credited === 'REQUEST_ID_REUSED') return REUSED;
    if (typeof credited === 'string') return refuse(credited);
    return { clientId: client.id, accountNumber, currency, credited: minor, ...credited };
  },
});

import { z } from 'zod';
import { REQUEST_ID } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { ID_MAX } from '../../domain/core/text.js';
import { formatMinor, parsePositive } from '../../domain/money/money.js';
import type { Adjusted, AdjustmentKind, Receivable } from '../../store/accounts/accounts.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { newId } from '../core/ids.js';
import { boundedText, CLIENT_ID, ID, patternText, REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientsOf, DEACTIVATED, holderOf, noAccount } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { balanceAudited } from './operator-accounts.js';

const REUSED = refuse(
  'REQUEST_ID_REUSED',
  'This reference was credited with another amount, or to another account: use a new one',
);

/**
 * Credits money received from outside, with its own journal entry. A reference is credited once; without one, each call is credited.
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

const NAME = patternText(REQUEST_ID, ID_MAX, '1 to 64 of A-Z a-z 0-9 _ . -');

const INPUT = z.object({
  accountNumber: ID,
  /** Decimal text in units of the account's currency. */
  amount: boundedText(32),
  reason: REASON,
  /** What is corrected: the reference of a deposit, or the id of a funding, a payment or a conversion. */
  reference: NAME,
  /** The adjustment's own id: repeated, it changes nothing. Absent: each call is another adjustment. */
  id: NAME.optional(),
});

/**
 * Corrects an account's balance to match the outside world, with its own journal entry. A credit may go to an inactive account.
 * Refuses with UNKNOWN_ACCOUNT, BAD_AMOUNT, REQUEST_ID_REUSED, BALANCE_LIMIT, and a debit with ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE.
 */
export const adjustAccount = defineOpenOperation({
  input: INPUT.extend({ direction: z.enum(['credit', 'debit']) }),
  audited: { ...balanceAudited, made: 'id' },
  execute: (services, _operator, { direction, ...input }) => adjust(services, direction, input),
});

/**
 * Repays from an account what the client owes in its currency. Refuses with UNKNOWN_ACCOUNT, BAD_AMOUNT (also for more than is owed),
 * REQUEST_ID_REUSED, ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE.
 */
export const repayReceivable = defineOpenOperation({
  input: INPUT,
  audited: { ...balanceAudited, made: 'id' },
  execute: (services, _operator, input) => adjust(services, 'repay', input),
});

async function adjust(services: Services, kind: AdjustmentKind, input: z.infer<typeof INPUT>) {
  const { accountNumber, reason, reference } = input;
  const { accounts } = services.store;
  const client = await holderOf(services, accounts, accountNumber);
  const currency = client && (await accounts.currencyOf(client, accountNumber));
  if (client === undefined || currency === undefined) return noAccount(accountNumber);
  const amount = parsePositive(input.amount, currency);
  if (isRefusal(amount)) return amount;
  const id = input.id ?? newId('ADJ', services.now());
  const actor = 'operator';
  const adjusted = await accounts.adjust(client, {
    id,
    kind,
    account: accountNumber,
    amount,
    reference,
    actor,
    reason,
  });
  if (adjusted.kind === 'refused') return refusalOf(adjusted, currency);
  const { balance, owed } = adjusted;
  const replayed = adjusted.kind === 'replayed';
  return { clientId: client.id, accountNumber, currency, id, kind, amount, reference, balance, owed, replayed };
}

function refusalOf({ code, more }: Adjusted & { kind: 'refused' }, currency: string): Refusal {
  if (code === 'ACCOUNT_INACTIVE') return DEACTIVATED;
  if (code === 'REQUEST_ID_REUSED')
    return refuse(code, 'This id has another adjustment, or an amendment: use a new one');
  if (code === 'INSUFFICIENT_BALANCE') return insufficientBalance(more, 'an adjustment takes no more than there is');
  if (code !== 'BAD_AMOUNT') return refuse(code);
  const owed = formatMinor(BigInt(more), currency);
  return refuse(code, `The client owes ${owed} ${currency}: repay no more than that`);
}

/** Receivables: what clients owe beyond their balances, by client and currency; of one client, or of all. Refuses with UNKNOWN_CLIENT. */
export const listReceivables = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID.optional() }),
  async execute(services, _operator, { clientId }) {
    const { accounts } = services.store;
    const clients = await clientsOf(services, clientId);
    if (isRefusal(clients)) return clients;
    const receivables: (Receivable & { readonly clientId: string })[] = [];
    for await (const client of clients)
      for (const receivable of await accounts.receivables(client))
        receivables.push({ clientId: client.id, ...receivable });
    return { receivables };
  },
});

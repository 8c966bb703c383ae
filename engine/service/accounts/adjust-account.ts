import { z } from 'zod';
import { formatMinor, parsePositive } from '../../domain/money.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { ID_MAX } from '../../domain/text.js';
import { REQUEST_ID } from '../../store/keys/ledger-keys.js';
import type { Adjusted, AdjustmentKind } from '../../store/ledger/accounts.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { newId } from '../core/id.js';
import { boundedText, ID, patternText, REASON } from '../core/inputs.js';
import { DEACTIVATED, holderOf, noAccount } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { balanceAudited } from './account-audited.js';

const NAME = patternText(REQUEST_ID, ID_MAX, '1 to 64 of A-Z a-z 0-9 _ . -');

const INPUT = z.object({
  accountNumber: ID,
  /** Decimal text in units of the account's currency. */
  amount: boundedText(32),
  reason: REASON,
  /** What is corrected: the reference of a deposit, the id of a funding, a payment or a conversion. */
  reference: NAME,
  /** The adjustment's own id: the same one again changes nothing. Absent: each call is another adjustment. */
  id: NAME.optional(),
});

/**
 * Corrects the balance of an account against the outside world, with a journal entry of its own. A credit may go to an inactive account.
 * Refuses with UNKNOWN_ACCOUNT, BAD_AMOUNT, REQUEST_ID_REUSED, and as a debit ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE; BALANCE_LIMIT.
 */
export const adjustAccount = defineOpenOperation({
  input: INPUT.extend({ direction: z.enum(['credit', 'debit']) }),
  audited: { ...balanceAudited, made: 'id' },
  execute: (services, _operator, { direction, ...input }) => adjust(services, direction, input),
});

/**
 * Repays from an account what the client owes in its currency. Refuses with UNKNOWN_ACCOUNT, BAD_AMOUNT (also more than is owed),
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
  if (code === 'REQUEST_ID_REUSED') return refuse(code, 'This id has another adjustment: use a new one');
  if (code === 'INSUFFICIENT_BALANCE') return insufficientBalance(more, 'an adjustment takes no more than there is');
  if (code !== 'BAD_AMOUNT') return refuse(code);
  const owed = formatMinor(BigInt(more), currency);
  return refuse(code, `The client owes ${owed} ${currency}: repay no more than that`);
}

import { z } from 'zod';
import { isRefusal } from '../../domain/core/refusal.js';
import type { FundingStatus } from '../../domain/fundings/funding.js';
import { formatMinor } from '../../domain/money/money.js';
import { ID, REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { defineListOfAll, findById, findOfAnyClient } from '../core/operator-lookup.js';
import { FUNDINGS } from './client-fundings.js';
import { moveFunding } from './move-funding.js';

/** Fundings of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findFundings = defineListOfAll(FUNDINGS, (found) => ({
  fundings: found.map(({ clientId, one }) => ({ clientId, funding: one })),
}));

/** The current state of a funding, for the operator. Refuses with NOT_FOUND. */
export const showFunding = defineOpenOperation({
  input: z.object({ fundingId: ID }),
  async execute(services, _operator, { fundingId }) {
    const found = await findById(services, FUNDINGS, fundingId);
    return isRefusal(found) ? found : { clientId: found.client.id, funding: found.one };
  },
});

/** The money has arrived: credits the account. Refuses with NOT_FOUND, WRONG_STATE, ACCOUNT_INACTIVE, BALANCE_LIMIT. */
export const completeFunding = decision('COMPLETED', REASON.optional());

/** The money did not arrive. Refuses with NOT_FOUND, WRONG_STATE. */
export const rejectFunding = decision('REJECTED', REASON);

/** Cancels it before its money arrived. Refuses with NOT_FOUND, WRONG_STATE. */
export const cancelFunding = decision('CANCELLED', REASON.optional());

/**
 * The money was sent back: debits the account. Refuses with NOT_FOUND, WRONG_STATE, ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 * With `allowReceivable` the missing balance becomes a receivable, and INSUFFICIENT_BALANCE does not occur.
 */
export const reverseFunding = decision('REVERSED', REASON.optional());

function decision(to: Exclude<FundingStatus, 'PENDING'>, reason: z.ZodType<string | undefined>) {
  return defineOpenOperation({
    input: z.object({ fundingId: ID, reason, allowReceivable: z.boolean().optional() }),
    audited: {
      subject: (input) => `funding ${input.fundingId}`,
      async state(services, { fundingId }) {
        const found = await findOfAnyClient(services, FUNDINGS, fundingId);
        if (found === undefined) return undefined;
        const { status, amount, currency } = found.one;
        return { clientId: found.client.id, status, amount: formatMinor(BigInt(amount), currency), currency };
      },
    },
    async execute(services, _operator, { fundingId, reason = '', allowReceivable }) {
      const found = await findById(services, FUNDINGS, fundingId);
      if (isRefusal(found)) return found;
      return moveFunding(services, found.client, found.one, { to, actor: 'operator', reason, allowReceivable });
    },
  });
}

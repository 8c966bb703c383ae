import { FUNDING_STATUSES } from '../../domain/funding.js';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ACCOUNT_CURRENCY } from '../core/inputs.js';
import { listInput, someOf } from '../core/list-input.js';
import { listPage } from '../core/list-page.js';
import { defineOperation } from '../core/operation.js';

/** The caller's fundings, newest first. Refuses with VALIDATION_FAILED a cursor that is none of this list. */
export const listFundings = defineOperation({
  input: listInput({
    status: someOf(FUNDING_STATUSES, 'Only fundings that stand so; several with commas between them'),
    currency: ACCOUNT_CURRENCY.optional().describe('Only fundings in this currency'),
  }),
  right: 'read',
  async execute(services, caller, { status, currency, ...asked }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return listPage(services, client, asked, {
      list: 'fundings',
      filters: { status, currency },
      read: (id) => services.store.fundings.read(client, id),
      matches: (funding) =>
        (status === undefined || status.includes(funding.status)) &&
        (currency === undefined || currency === funding.currency),
    });
  },
});

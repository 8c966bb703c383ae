import { paymentAt } from '../../domain/payment.js';
import { PAYMENT_STATUSES } from '../../domain/payment-status.js';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ACCOUNT_CURRENCY } from '../core/inputs.js';
import { listInput, someOf } from '../core/list-input.js';
import { listPage } from '../core/list-page.js';
import { defineOperation } from '../core/operation.js';

/** The caller's payments, newest first. Refuses with VALIDATION_FAILED a cursor that is none of this list. */
export const listPayments = defineOperation({
  input: listInput({
    status: someOf(PAYMENT_STATUSES, 'Only payments that stand so; several with commas between them'),
    currency: ACCOUNT_CURRENCY.optional().describe('Only payments in this currency'),
  }),
  right: 'read',
  async execute(services, caller, { status, currency, ...asked }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return listPage(services, client, asked, {
      list: 'payments',
      filters: { status, currency },
      async read(id) {
        const payment = await services.store.payments.read(client, id);
        return payment && paymentAt(payment, services.store.clock.now(client));
      },
      matches: (payment) =>
        (status === undefined || status.includes(payment.status)) &&
        (currency === undefined || currency === payment.currency),
    });
  },
});

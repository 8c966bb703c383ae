import { z } from 'zod';
import { paymentAt } from '../../domain/payment.js';
import { PAYMENT_STATUSES } from '../../domain/payment-status.js';
import { isRefusal } from '../../domain/refusal.js';
import { dealingTime } from '../core/dealing.js';
import { NEWEST_INPUT, newestOfClients } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';

/** Payments of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findPayments = defineOpenOperation({
  input: z.object({
    ...NEWEST_INPUT,
    status: z.enum(PAYMENT_STATUSES, { error: `one of ${PAYMENT_STATUSES.join(', ')}` }).optional(),
  }),
  async execute(services, _operator, { status, ...asked }) {
    const found = await newestOfClients(services, asked, {
      list: 'payments',
      read: (client, id) => services.store.payments.read(client, id),
      matches: (payment) => status === undefined || payment.status === status,
    });
    if (isRefusal(found)) return found;
    const now = dealingTime(services);
    return { payments: found.map(({ clientId, one }) => ({ clientId, payment: paymentAt(one, now) })) };
  },
});

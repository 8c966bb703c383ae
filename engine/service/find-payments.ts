import { z } from 'zod';
import { type Payment, paymentAt } from '../domain/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../domain/payment-status.js';
import { refuse } from '../domain/refusal.js';
import type { Client } from '../store/clients.js';
import { CLIENT_ID } from './create-client.js';
import type { OperatorsPayment } from './decide-payment.js';
import { defineOpenOperation } from './operation.js';
import { everyClient } from './reconcile.js';
import type { Services } from './services.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };
const PAGE = 200;

/** Payments of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findPayments = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID.optional(),
    status: z.enum(PAYMENT_STATUSES, { error: `one of ${PAYMENT_STATUSES.join(', ')}` }).optional(),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute(services, _operator, { clientId, status, limit }) {
    const one = clientId === undefined ? undefined : await services.store.clients.get(clientId);
    if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
    let found: OperatorsPayment[] = [];
    for await (const client of one ? [one] : everyClient(services)) {
      const latest = await latestOf(services, client, limit, status);
      found.push(...latest.map((payment) => ({ clientId: client.id, payment })));
      // However many clients there are, no more is kept than is asked for.
      if (found.length > 2 * limit) found = newest(found, limit);
    }
    return { payments: newest(found, limit) };
  },
});

async function latestOf(
  { store, now }: Services,
  client: Client,
  limit: number,
  status: PaymentStatus | undefined,
): Promise<Payment[]> {
  const found: Payment[] = [];
  for (let after: string | undefined; found.length < limit; ) {
    const page = await store.lists.page(client, 'payments', {}, after, PAGE);
    for (const payment of await Promise.all(page.map(({ id }) => store.payments.read(client, id))))
      if (payment && (status === undefined || payment.status === status)) found.push(paymentAt(payment, now()));
    if (page.length < PAGE) break;
    after = page.at(-1)!.place;
  }
  return found.slice(0, limit);
}

function newest(all: readonly OperatorsPayment[], limit: number): OperatorsPayment[] {
  // Ids begin with the time.
  return all.toSorted((one, other) => (one.payment.id < other.payment.id ? 1 : -1)).slice(0, limit);
}

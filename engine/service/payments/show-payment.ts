import { z } from 'zod';
import { paymentAt } from '../../domain/payment.js';
import { isRefusal } from '../../domain/refusal.js';
import { withMoves } from '../audit/index.js';
import { ID } from '../core/inputs.js';
import { namedOfClients } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';

/** A payment as it stands, with every step that it has taken, for the operator. Refuses with NOT_FOUND. */
export const showPayment = defineOpenOperation({
  input: z.object({ paymentId: ID }),
  async execute(services, _operator, { paymentId }) {
    const found = await namedOfClients(services, services.store.payments, paymentId, 'payments');
    if (isRefusal(found)) return found;
    const { client, one: payment } = found;
    const kept = await services.store.payments.history(client, paymentId);
    const history = kept.map(withMoves);
    // What was archived of the journal is in its files.
    const archivedSteps = Math.max(0, payment.step - history.length);
    return {
      clientId: client.id,
      payment: paymentAt(payment, services.store.clock.now(client)),
      history,
      archivedSteps,
    };
  },
});

import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { movePayment } from './move-payment.js';

/**
 * The client takes a payment back before it is sent; what it cost comes back, the fee too. Refuses with NOT_FOUND, NOT_CANCELLABLE,
 * BALANCE_LIMIT.
 */
export const cancelPayment = defineOperation({
  input: z.object({ paymentId: ID }),
  right: 'pay',
  async execute(services, caller, { paymentId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return movePayment(services, client, paymentId, {
      to: 'USER_REJECTED',
      actor: 'client',
      refusedWith: 'NOT_CANCELLABLE',
    });
  },
});

import { z } from 'zod';
import { paymentAt } from '../../domain/payment.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { NO_PAYMENT } from './move-payment.js';

/** A payment of the caller as it stands, by its id. Refuses with NOT_FOUND, also for another client's payment. */
export const readPayment = defineOperation({
  input: z.object({ paymentId: ID }),
  right: 'read',
  async execute(services, caller, { paymentId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const payment = await services.store.payments.read(client, paymentId);
    return payment
      ? { payment: paymentAt(payment, services.store.clock.now(client)) }
      : refuse('NOT_FOUND', NO_PAYMENT);
  },
});

/** The same by the client's own transaction number. Refuses with NOT_FOUND. */
export const readPaymentByReference = defineOperation({
  input: z.object({ transactionNumber: ID }),
  right: 'read',
  async execute(services, caller, { transactionNumber }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const payment = await services.store.payments.byTransaction(client, transactionNumber);
    return payment
      ? { payment: paymentAt(payment, services.store.clock.now(client)) }
      : refuse('NOT_FOUND', NO_REFERENCE);
  },
});

const NO_REFERENCE = 'No payment of yours with this transaction number: check it';

import { z } from 'zod';
import { paymentAt } from '../../domain/payment.js';
import { PAYMENT_STATUSES } from '../../domain/payment-status.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ACCOUNT_CURRENCY, boundedText, ID } from '../core/inputs.js';
import { listInput, listPage, someOf } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import { movePayment, NO_PAYMENT } from './move-payment.js';

/** The current state of a payment of the caller, by its id. Refuses with NOT_FOUND, also for another client's payment. */
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

/** The caller's payments, newest first. Refuses with VALIDATION_FAILED for a cursor that is not of this list. */
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

/** Cancels a payment before it is sent, and refunds it with its fee. Refuses with NOT_FOUND, NOT_CANCELLABLE, BALANCE_LIMIT. */
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

const TEXT = '1 to 2000 characters, not only spaces';

/** The client's answer to a request for information; compliance screens the payment again. Refuses with NOT_FOUND, WRONG_STATE. */
export const answerInformation = defineOperation({
  input: z.object({
    paymentId: ID,
    information: boundedText(2_000, TEXT, true)
      .regex(/\S/, { error: TEXT })
      .describe('The information that was asked for, 1 to 2,000 characters'),
  }),
  right: 'pay',
  async execute(services, caller, { paymentId, information }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return movePayment(services, client, paymentId, {
      to: 'COMPLIANCE_VERIFICATION',
      from: ['INFO_REQUESTED'],
      subStatus: 'RFI_ANSWERED',
      actor: 'client',
      // The journal keeps it, and compliance reads it there.
      reason: information,
      next: 'now',
      refusedWith: 'WRONG_STATE',
    });
  },
});

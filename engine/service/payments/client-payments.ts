import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { type Payment, paymentAt } from '../../domain/payments/payment.js';
import { PAYMENT_STATUSES } from '../../domain/payments/payment-status.js';
import { clientOf } from '../core/caller.js';
import { ACCOUNT_CURRENCY, boundedText, ID } from '../core/inputs.js';
import { defineFind, defineList, type RecordKind } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import { movePayment, NO_PAYMENT } from './move-payment.js';

/** The current state of a payment of the caller, by its id. Refuses with NOT_FOUND. */
export const readPayment = defineFind({
  input: z.object({ paymentId: ID }),
  missing: refuse('NOT_FOUND', NO_PAYMENT),
  async find({ store }, client, { paymentId }) {
    const payment = await store.payments.read(client, paymentId);
    return payment && { payment: paymentAt(payment, store.clock.now(client)) };
  },
});

/** The same by the client's own transaction number. Refuses with NOT_FOUND. */
export const readPaymentByReference = defineFind({
  input: z.object({ transactionNumber: ID }),
  missing: refuse('NOT_FOUND', 'No payment of yours with this transaction number: check it'),
  async find({ store }, client, { transactionNumber }) {
    const payment = await store.payments.byTransaction(client, transactionNumber);
    return payment && { payment: paymentAt(payment, store.clock.now(client)) };
  },
});

export const PAYMENTS: RecordKind<Payment, 'payments'> = {
  list: 'payments',
  noun: 'payment',
  statuses: PAYMENT_STATUSES,
  currency: ACCOUNT_CURRENCY.optional().describe('Only payments in this currency'),
  currenciesOf: ({ currency }) => [currency],
  read: ({ store }, client, id) => store.payments.read(client, id),
  at: paymentAt,
};
export const listPayments = defineList(PAYMENTS);

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

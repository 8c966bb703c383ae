/** A decision that a payment's status does not allow is rejected with that status and the statuses that allow it. */
import { expect, test } from 'vitest';
import { startPayments } from './payment-rig.js';

test('each refusal names the statuses that allow the decision', async () => {
  const on = await startPayments();
  try {
    const client = await on.client('acme', { EUR: '60.00' });
    const { id: paymentId } = await on.pay(client, 'Erika');
    await on.work();
    const refused = [
      await on.as(client, 'cancelPayment', { paymentId }),
      await on.as(client, 'answerInformation', { paymentId, information: 'Invoice 417' }),
      await on.ask('retryPayment', { paymentId }),
      await on.ask('confirmPaid', { paymentId, text: 'NEFT-1' }),
    ].map((answer) => ('refusal' in answer ? `${answer.refusal}: ${answer.text}` : 'done'));
    expect(refused).toEqual([
      'NOT_CANCELLABLE: The payment is PAID: only one in AWAITING_FUNDS, IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED or COMPLIANCE_APPROVED can become USER_REJECTED',
      'WRONG_STATE: The payment is PAID: only one in INFO_REQUESTED can become COMPLIANCE_VERIFICATION',
      'WRONG_STATE: The payment is PAID: only one in ERROR can become COMPLIANCE_APPROVED',
      'WRONG_STATE: The payment is PAID: only one in PG_PROCESSING can become PAID',
    ]);
  } finally {
    await on.stop();
  }
});

/** A decision about a payment is answered with the payment after it, even if the store fails right after the step. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { AnyOperationName } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
let client: Client;
beforeEach(async () => {
  on = await startPayments();
  client = await on.client('acme', { EUR: '500.00' });
});
afterEach(() => on.stop());

const DECISIONS: readonly (readonly [name: string, operation: AnyOperationName, more: object])[] = [
  ['Erika INFO REQUESTED', 'answerInformation', { information: 'Invoice 417' }],
  ['Erika INFO REQUESTED', 'cancelPayment', {}],
  ['Erika COMPLIANCE VERIFICATION', 'approvePayment', { text: 'seen' }],
  ['Erika COMPLIANCE VERIFICATION', 'rejectPayment', { text: 'no' }],
  ['Erika COMPLIANCE VERIFICATION', 'requestInformation', { text: 'which invoice?' }],
  ['Erika TIMED OUT', 'confirmPaid', { text: 'BANK-1' }],
  ['Erika TIMED OUT', 'returnPayment', { text: 'closed' }],
  ['Erika RETURNED LATE', 'returnPayment', { text: 'closed' }],
];

test.each(DECISIONS)('%s: %s', async (name, operation, more) => {
  const { id } = await on.pay(client, name);
  await on.work();
  on.clock.now += 1_000;
  const caller = ['answerInformation', 'cancelPayment'].includes(operation) ? on.caller(client.id) : undefined;
  const answer = await perform(goneBehindTheStep(), operation, caller, { paymentId: id, ...more });
  expect((answer as { readonly payment: Payment }).payment).toEqual(await on.read(client, id));
});

/** The store becomes unavailable as soon as a payment has moved. */
function goneBehindTheStep(): Services {
  const { store } = on.services;
  let isGone = false;
  const payments: Services['store']['payments'] = {
    ...store.payments,
    read: async (...asked) => {
      if (isGone) throw new StoreUnavailable('none');
      return store.payments.read(...asked);
    },
    move: async (...asked) => {
      const moved = await store.payments.move(...asked);
      isGone = true;
      return moved;
    },
  };
  return { ...on.services, store: { ...store, payments } };
}

import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { defineOperation } from '../core/operation.js';
import { pay } from './pay.js';
import { paymentFaults } from './payment-faults.js';
import { CREATE_PAYMENT_INPUT } from './payment-input.js';
import { orderOfPayment } from './payment-order.js';

/** Pays a beneficiary, by the first version's fields. Refuses as pay does; an equivalent amount needs a rate too. */
export const createPayment = defineOperation({
  input: CREATE_PAYMENT_INPUT,
  right: 'pay',
  grows: true,
  faults: paymentFaults(1),
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return pay(services, client, orderOfPayment(services, client, input));
  },
});

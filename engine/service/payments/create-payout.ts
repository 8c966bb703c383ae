import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { defineOperation } from '../core/operation.js';
import { pay } from './pay.js';
import { paymentFaults } from './payment-faults.js';
import { CREATE_PAYOUT_INPUT } from './payment-input.js';
import { orderOfPayout } from './payment-order.js';

/** Pays a beneficiary, by the second version's fields. Refuses as pay does. */
export const createPayout = defineOperation({
  input: CREATE_PAYOUT_INPUT,
  right: 'pay',
  grows: true,
  faults: paymentFaults(2),
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const sourceCurrency = await services.store.accounts.currencyOf(client, String(input.sourceAccount));
    return pay(services, client, orderOfPayout(input, sourceCurrency));
  },
});

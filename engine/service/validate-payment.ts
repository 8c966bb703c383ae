import { isRefusal, type Refusal } from '../domain/refusal.js';
import type { Caller } from './caller.js';
import { defineOperation } from './operation.js';
import { paymentFaultsAndWarnings } from './payment-faults.js';
import { CREATE_PAYMENT_INPUT, CREATE_PAYOUT_INPUT } from './payment-input.js';
import type { Services } from './services.js';

/**
 * Dry runs: the same checks as the creation of a payment, and nothing is created. A payment that is refused is refused here with the same
 * faults; what may go wrong is told as warnings, either way.
 */
export const validatePayment = dryRun(CREATE_PAYMENT_INPUT, 1);
export const validatePayout = dryRun(CREATE_PAYOUT_INPUT, 2);

function dryRun<Input extends typeof CREATE_PAYMENT_INPUT | typeof CREATE_PAYOUT_INPUT>(input: Input, version: 1 | 2) {
  const judge = paymentFaultsAndWarnings(version);
  return defineOperation({
    input,
    right: 'pay',
    faults: judge,
    async execute(services: Services, caller: Caller, asked: unknown) {
      const judged = await judge(services, caller, asked);
      return isRefusal(judged) ? (judged as Refusal) : { valid: true, warnings: judged.warnings ?? [] };
    },
  });
}

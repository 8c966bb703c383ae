import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { boundedText, ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { movePayment } from './move-payment.js';

const TEXT = '1 to 2000 characters, not only spaces';

/** The client says what it was asked for, and compliance looks again. Refuses with NOT_FOUND, WRONG_STATE. */
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
      // The journal keeps it, where compliance reads it.
      reason: information,
      next: 'now',
      refusedWith: 'WRONG_STATE',
    });
  },
});

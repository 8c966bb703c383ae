import { z } from 'zod';
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { type Payment, paymentAt } from '../../domain/payments/payment.js';
import { withMoves } from '../audit/index.js';
import { boundedText, ID, REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { defineListOfAll, findById, findOfAnyClient } from '../core/operator-lookup.js';
import { dealingTime } from '../prices/index.js';
import { PAYMENTS } from './client-payments.js';
import { movePayment, type PaymentDecision } from './move-payment.js';

/** Payments of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findPayments = defineListOfAll(PAYMENTS, (found, services) => {
  const now = dealingTime(services);
  return { payments: found.map(({ clientId, one }) => ({ clientId, payment: paymentAt(one, now) })) };
});

/** The current state of a payment, with all its steps, for the operator. Refuses with NOT_FOUND. */
export const showPayment = defineOpenOperation({
  input: z.object({ paymentId: ID }),
  async execute(services, _operator, { paymentId }) {
    const found = await findById(services, PAYMENTS, paymentId);
    if (isRefusal(found)) return found;
    const { client, one: payment } = found;
    const kept = await services.store.payments.history(client, paymentId);
    const history = kept.map(withMoves);
    // Archived steps are in the archive files only.
    const archivedSteps = Math.max(0, payment.step - history.length);
    return {
      clientId: client.id,
      payment: paymentAt(payment, services.store.clock.now(client)),
      history,
      archivedSteps,
    };
  },
});

const A_REFERENCE = "the bank's number, 1 to 64 characters, no spaces at its ends";
const REFERENCE = boundedText(64, A_REFERENCE).regex(/^\S(.*\S)?$/u, { error: A_REFERENCE });

/** Compliance approves. All of these decisions refuse with NOT_FOUND and WRONG_STATE. */
export const approvePayment = decision(REASON.optional(), (reason) => ({
  to: 'COMPLIANCE_APPROVED',
  from: ['IN_PROCESS', 'COMPLIANCE_VERIFICATION'],
  reason,
  next: 'now',
}));

/** Compliance rejects: refunds everything, or refuses with BALANCE_LIMIT where the account has no room. */
export const rejectPayment = decision(REASON, (reason) => ({
  to: 'COMPLIANCE_REJECTED',
  reason,
  description: reason,
}));

/** Requests information from the client, who answers or cancels. */
export const requestInformation = decision(REASON, (what) => ({
  to: 'INFO_REQUESTED',
  reason: what,
  description: what,
}));

/** The beneficiary's bank has paid, under this reference. */
export const confirmPaid = decision(REFERENCE, (reference) => ({
  to: 'PAID',
  subStatus: 'SENT_TO_BENEFICIARY_BANK_ACCOUNT',
  bankReference: reference,
}));

/** The payment was returned: credits the delivered amount, or refuses with BALANCE_LIMIT where the account has no room; the fee is kept. */
export const returnPayment = decision(REASON, (reason) => ({ to: 'RETURNED', reason, description: reason }));

/** Sends a payment in ERROR again. */
export const retryPayment = decision(REASON.optional(), (reason) => ({
  to: 'COMPLIANCE_APPROVED',
  from: ['ERROR'],
  reason,
  next: 'now',
}));

/** Cancels a payment before it is sent, or in ERROR: refunds everything, or refuses with BALANCE_LIMIT where the account has no room. */
export const cancelPaymentByOperator = decision(REASON, (reason) => ({ to: 'CANCELLED', reason, description: reason }));

function decision(
  text: z.ZodType<string | undefined>,
  decide: (text: string) => Omit<PaymentDecision, 'actor' | 'refusedWith'>,
) {
  return defineOpenOperation({
    input: z.object({ paymentId: ID, text }),
    audited: {
      subject: (input) => `payment ${input.paymentId}`,
      async state(services, { paymentId }) {
        const found = await findOfAnyClient(services, PAYMENTS, paymentId);
        if (found === undefined) return undefined;
        const { status, subStatus, bankReference } = found.one;
        return { clientId: found.client.id, status, subStatus, bankReference };
      },
    },
    async execute(services, _operator, { paymentId, text = '' }): Promise<OperatorsPayment | Refusal> {
      const found = await findById(services, PAYMENTS, paymentId);
      if (isRefusal(found)) return found;
      const { client } = found;
      const decided = decide(text);
      const moved = await movePayment(services, client, paymentId, {
        ...decided,
        actor: 'operator',
        refusedWith: 'WRONG_STATE',
      });
      return isRefusal(moved) ? moved : { clientId: client.id, payment: moved.payment };
    },
  });
}

interface OperatorsPayment {
  readonly clientId: string;
  readonly payment: Payment;
}

/** Who is paid, as a payment keeps it: the stored beneficiary, and the verification that the payment carries, by the client's policy. */

import { schemeOf } from '../../domain/beneficiaries/payee-scheme.js';
import { judgePayee } from '../../domain/beneficiaries/payee-verification.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { PayeeFacts } from '../../domain/payments/payment.js';
import type { Client } from '../../store/access/clients.js';
import { openVerification } from '../beneficiaries/index.js';
import type { Services } from '../core/services.js';
import type { PaymentOrder } from './pay.js';
import type { CreatePaymentInput } from './payment-input.js';

/** Undefined where the payment names no stored beneficiary and the client has no policy. Refuses with the codes of verifications. */
export function payeeOf(
  { store, now }: Services,
  client: Client,
  { resolved, verificationToken }: Pick<CreatePaymentInput, 'resolved' | 'verificationToken'>,
  order: PaymentOrder,
): PayeeFacts | undefined | Refusal {
  const { verification: policy } = client;
  if (resolved === undefined && verificationToken === undefined && policy === undefined) return undefined;
  const verification =
    verificationToken === undefined
      ? undefined
      : openVerification(store.subKey, client.id, order, verificationToken, now());
  if (isRefusal(verification)) return verification;
  const { country, currency, method } = order;
  const judged = policy && judgePayee(policy, verification, schemeOf(country, currency, method));
  if (judged === 'missing') return refuse('VERIFICATION_REQUIRED');
  if (resolved === undefined && verification === undefined && judged !== 'waits') return undefined;
  return {
    beneficiaryId: resolved?.id,
    beneficiaryVersion: resolved?.version,
    verification,
    waits: judged === 'waits',
  };
}

/** Card numbers of payments at rest, bound to one payment. The step that pays or ends the payment erases them. */

import type { Payment } from '../../domain/payments/payment.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openCards } from '../core/sealed-cards.js';

/** The payment with its card numbers in clear, for the bank only. Throws where they cannot be decrypted; without any it is unchanged. */
export function withClearCards(subKey: SubKey, payment: Payment): Payment {
  if (payment.sealedCards === '') return payment;
  const cards = openCards(subKey, payment.id, payment.sealedCards);
  const { details } = payment;
  return { ...payment, details: { ...details, beneficiary: { ...details.beneficiary, ...cards } } };
}

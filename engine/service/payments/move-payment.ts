/** Status changes of a payment: the common part of a client's and an operator's decisions. */

import { type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import type { Payment } from '../../domain/payments/payment.js';
import { movesOf, type PaymentStatus, statusesBefore } from '../../domain/payments/payment-status.js';
import type { Client } from '../../store/access/clients.js';
import type { PaymentMove } from '../../store/payments/payment-step.js';
import type { MovedPayment } from '../../store/payments/payments.js';
import type { Services } from '../core/services.js';

export interface PaymentDecision
  extends Pick<PaymentMove, 'subStatus' | 'description' | 'actor' | 'reason' | 'bankReference' | 'next'> {
  readonly to: PaymentStatus;
  /** A subset of the statuses that lead there; absent: all of them. */
  readonly from?: readonly PaymentStatus[] | undefined;
  /** The refusal code for a status that does not allow it. */
  readonly refusedWith: Extract<RefusalCode, 'NOT_CANCELLABLE' | 'WRONG_STATE'>;
}

/** A worker may change the status first, and the new status may still allow the decision. */
const TRIES_MAX = 5;

/** Returns the payment after the change. Refuses with NOT_FOUND, NOT_CANCELLABLE or WRONG_STATE with its status, BALANCE_LIMIT. */
export async function movePayment(
  { store, log }: Services,
  client: Client,
  paymentId: string,
  { from, to, refusedWith, ...step }: PaymentDecision,
): Promise<{ readonly payment: Payment } | Refusal> {
  const allowed = statusesBefore(to).filter((status) => from?.includes(status) !== false);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const payment = await store.payments.read(client, paymentId);
    if (payment === undefined) return refuse('NOT_FOUND', NO_PAYMENT);
    const { status } = payment;
    if (!allowed.includes(status)) {
      log.warn(
        { client: client.id, payment: paymentId, status, to },
        'a payment was not moved: its status does not allow it',
      );
      return refuse(refusedWith, `The payment is ${status}: only one in ${either(allowed)} can become ${to}`, {
        details: { paymentStatus: status },
      });
    }
    const moves = movesOf(status, to);
    const moved = await store.payments.move(client, paymentId, {
      ...step,
      after: payment.step,
      from: [status],
      to,
      moves,
    });
    if (moved.kind === 'limit') return NO_ROOM;
    // The payment is not read again: a store outage after the step would be reported as if the step had not been sent.
    if (moved.kind === 'moved') return { payment: afterMove(payment, { ...step, to }, moved) };
  }
  return ON_THE_MOVE;
}

export const NO_ROOM = refuse('BALANCE_LIMIT', 'What would come back has no room in its account: use some of it first');
export const ON_THE_MOVE = refuse('STORE_UNAVAILABLE', 'The payment is on the move: send the same request again', {
  outcome: 'none',
});

/** The payment as the step left it. */
export const afterMove = (
  payment: Payment,
  step: Pick<PaymentMove, 'to' | 'subStatus' | 'description' | 'bankReference' | 'isAttempt'>,
  moved: Extract<MovedPayment, { readonly kind: 'moved' }>,
): Payment => ({
  ...payment,
  status: step.to,
  subStatus: step.subStatus ?? '',
  description: step.description ?? '',
  bankReference: step.bankReference || payment.bankReference,
  attempts: payment.attempts + (step.isAttempt ? 1 : 0),
  step: moved.step,
  updatedAtMs: moved.atMs,
});

export const either = (words: readonly string[]): string => words.join(', ').replace(/, (?=[^,]*$)/, ' or ');

export const NO_PAYMENT = 'No such payment of yours: check the id';

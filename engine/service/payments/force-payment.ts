/** A sandbox decides about a payment what the client, or the operator, has requested of it: by the steps that the real ports lead to. */

import { type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Payment } from '../../domain/payments/payment.js';
import { movesOf, type PaymentStatus, type PaymentSubStatus } from '../../domain/payments/payment-status.js';
import { type PaymentOutcome, paymentStatusesFor, paymentTarget, wayOfPayment } from '../../domain/sandbox/sandbox.js';
import type { Client } from '../../store/access/clients.js';
import type { PaymentMove } from '../../store/payments/payment-step.js';
import type { Services } from '../core/services.js';
import { fundingExpired } from './allocate-funds.js';
import { balancesAgree } from './check-balances.js';
import { afterMove, either, NO_PAYMENT, NO_ROOM, ON_THE_MOVE } from './move-payment.js';
import { bankReferenceOf, LEFT_TO_ITSELF_MS } from './sandbox-ports.js';
import { LEFT_AFTER_MS } from './work-payment.js';

export interface ForcedPayment {
  readonly outcome: PaymentOutcome;
  /** Of `processing` and `paid` alone. */
  readonly subStatus?: PaymentSubStatus | undefined;
  /** For the journal, and where the outcome shows a text to the client, for that. */
  readonly reason: string;
}

/** The longest way has five steps; a worker or a decision may take others meanwhile. */
const STEPS_MAX = 12;

/**
 * Leads a payment to an outcome, each step once, whatever a worker does meanwhile: a step names the one that it follows. What the sandbox
 * would have done by itself next is dropped with the first of them. If this process ends on the way, the worker continues from the status
 * that was reached. Where money would leave, the client's balances are recomputed before each step, as before a worker's. Refuses with NOT_FOUND,
 * WRONG_STATE, BALANCE_LIMIT.
 */
export async function forcePayment(
  services: Services,
  client: Client,
  paymentId: string,
  { outcome, subStatus, reason }: ForcedPayment,
): Promise<{ readonly payment: Payment } | Refusal> {
  const { payments } = services.store;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const payment = await payments.read(client, paymentId);
    if (payment === undefined) return refuse('NOT_FOUND', NO_PAYMENT);
    const way = wayOfPayment(outcome, payment.status, (subStatus ?? '') !== payment.subStatus);
    if (way === undefined) return refuseWay(payment, outcome);
    const leaves = payment.status !== 'PG_PROCESSING' && way.includes('PG_PROCESSING');
    if (leaves && !(await balancesAgree(services, client))) return refuseStopped(payment);
    const [to, ...rest] = way;
    const isLast = rest.length === 0;
    const step: PaymentMove = {
      ...(outcome === 'expired' ? await fundingExpired(services, client, payment) : stepTo(payment, to!, reason)),
      ...(isLast && lastStep(payment, to!, { outcome, subStatus, reason })),
      after: payment.step,
      from: [payment.status],
      actor: 'sandbox',
      next: !isLast ? LEFT_AFTER_MS : to === 'COMPLIANCE_APPROVED' ? LEFT_TO_ITSELF_MS : undefined,
    };
    const moved = await payments.move(client, paymentId, step);
    if (moved.kind === 'limit') return NO_ROOM;
    if (moved.kind === 'moved' && isLast) return { payment: afterMove(payment, step, moved) };
  }
  return ON_THE_MOVE;
}

function stepTo(
  payment: Payment,
  to: PaymentStatus,
  reason: string,
): Pick<PaymentMove, 'to' | 'moves' | 'reason' | 'isAttempt'> {
  const isNoted = to === payment.status;
  const isAttempt = to === 'PG_PROCESSING' && !isNoted;
  return { to, moves: isNoted ? 'none' : movesOf(payment.status, to), reason, isAttempt };
}

/** What the outcome itself adds to the payment, as the ports do. */
function lastStep(
  { id, attempts, method }: Payment,
  to: PaymentStatus,
  { outcome, subStatus, reason }: ForcedPayment,
): Partial<PaymentMove> {
  if (outcome === 'expired') return {};
  if (to === 'PAID') {
    const usual = method === 'BANK' ? 'SENT_TO_BENEFICIARY_BANK_ACCOUNT' : undefined;
    return { subStatus: subStatus ?? usual, bankReference: bankReferenceOf(`${id}-${attempts}`) };
  }
  if (to === 'PG_PROCESSING') return { subStatus };
  return SHOWS_REASON.includes(to) ? { description: reason } : {};
}

const SHOWS_REASON: readonly PaymentStatus[] = [
  'COMPLIANCE_REJECTED',
  'INFO_REQUESTED',
  'RETURNED',
  'ERROR',
  'CANCELLED',
];

function refuseStopped({ status }: Payment): Refusal {
  const text =
    'A balance differs from the journal: the payouts of this client are stopped until the operator has mended it';
  return refuse('WRONG_STATE', text, { details: { paymentStatus: status } });
}

function refuseWay({ status }: Payment, outcome: PaymentOutcome): Refusal {
  const allowed = either(paymentStatusesFor(outcome));
  const text = `The payment is ${status}: only one in ${allowed} can become ${paymentTarget(outcome)} by this outcome`;
  return refuse('WRONG_STATE', text, { details: { paymentStatus: status } });
}

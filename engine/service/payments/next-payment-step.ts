/** The next step of a payment, by its status and the answers of compliance and the bank. */
import { asItLeaves } from '../../domain/payments/check/leaving-texts.js';
import { type Payment, verificationText } from '../../domain/payments/payment.js';
import type { PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import type { PaidOut, PaymentPorts, Screened } from './payment-ports.js';

export interface NextStep {
  readonly to: PaymentStatus;
  readonly subStatus?: PaymentSubStatus | undefined;
  readonly actor: 'service' | 'compliance' | 'bank';
  readonly reason?: string;
  /** For the client, appended to the text of the status. */
  readonly description?: string;
  readonly bankReference?: string;
  /** After how many ms to check again; absent: on its next event. */
  readonly againMs?: number | undefined;
  readonly isAttempt?: true;
}

/** `nothing`: it waits for a decision. `later`: it is checked again unchanged. */
export type Next = NextStep | 'nothing' | { readonly later: number };

/** Automatic attempts to send; then an operator decides. */
export const ATTEMPTS_MAX = 3;
const RETRY_MS = 1_000;

/** Rejects when a port does. */
export async function nextStep({ compliance, payout }: PaymentPorts, payment: Payment): Promise<Next> {
  switch (payment.status) {
    case 'IN_PROCESS':
      return screenedFirst(await screened(compliance, payment), payment);
    case 'COMPLIANCE_VERIFICATION':
      return screenedAgain(await screened(compliance, payment));
    case 'COMPLIANCE_APPROVED':
      return TO_BANK;
    case 'PG_PROCESSING':
      return sent(payment, await payout.send(instructionOf(payment)));
    case 'PAID':
      return askedAfter(await payout.send(instructionOf(payment)));
    case 'ERROR': {
      const reason = `attempt ${payment.attempts + 1} of ${ATTEMPTS_MAX}`;
      return { to: 'COMPLIANCE_APPROVED', actor: 'service', reason, againMs: 0 };
    }
    default:
      return 'nothing';
  }
}

/** Follows every approval, without a question to an outside party. */
export const TO_BANK = {
  to: 'PG_PROCESSING',
  actor: 'service',
  isAttempt: true,
  againMs: 0,
} as const satisfies NextStep;

const instructionOf = (payment: Payment) => ({ id: `${payment.id}-${payment.attempts}`, payment: asItLeaves(payment) });

/** What compliance approves still waits for the operator where the client's policy of payee verification says so. */
async function screened(compliance: PaymentPorts['compliance'], payment: Payment): Promise<Screened> {
  const answer = await compliance.screen(payment);
  return answer.kind === 'approve' && payment.payee?.waits ? { kind: 'verify' } : answer;
}

/** A payment that is not approved at once goes to COMPLIANCE_VERIFICATION, where compliance states what it needs. */
function screenedFirst(screened: Screened, { payee }: Payment): Next {
  const { kind } = screened;
  if (kind === 'approve') return APPROVED;
  if (kind === 'wait') return { later: screened.againMs };
  const reason = payee?.waits ? verificationText(payee) : undefined;
  return {
    to: 'COMPLIANCE_VERIFICATION',
    actor: 'compliance',
    ...(reason !== undefined && { reason, description: reason }),
    ...(kind !== 'verify' && { againMs: 0 }),
  };
}

const APPROVED: NextStep = { to: 'COMPLIANCE_APPROVED', actor: 'compliance', againMs: 0 };

function screenedAgain(screened: Screened): Next {
  if (screened.kind === 'approve') return APPROVED;
  if (screened.kind === 'verify' || screened.kind === 'wait') return 'nothing';
  const isRejected = screened.kind === 'reject';
  const reason = shown(isRejected ? screened.reason : screened.what);
  return {
    to: isRejected ? 'COMPLIANCE_REJECTED' : 'INFO_REQUESTED',
    actor: 'compliance',
    reason,
    description: reason,
  };
}

function sent(payment: Payment, outcome: PaidOut): Next {
  switch (outcome.kind) {
    case 'paid': {
      const { reference, subStatus, againMs } = outcome;
      return { to: 'PAID', actor: 'bank', bankReference: shown(reference), subStatus, againMs };
    }
    case 'returned':
      return returned(outcome.reason);
    case 'error': {
      const text = shown(outcome.text);
      const againMs = outcome.retry && payment.attempts < ATTEMPTS_MAX ? RETRY_MS * payment.attempts : undefined;
      return { to: 'ERROR', actor: 'bank', reason: text, description: text, againMs };
    }
    case 'pending': {
      const { subStatus, againMs } = outcome;
      if (subStatus !== payment.subStatus) return { to: 'PG_PROCESSING', actor: 'bank', subStatus, againMs };
      return againMs === undefined ? 'nothing' : { later: againMs };
    }
  }
}

/** Of a payment reported as paid: confirmed, or returned. */
function askedAfter(outcome: PaidOut): Next {
  if (outcome.kind === 'returned') return returned(outcome.reason);
  return outcome.kind === 'paid' && outcome.againMs !== undefined ? { later: outcome.againMs } : 'nothing';
}

function returned(reason: string): NextStep {
  const text = shown(reason);
  return { to: 'RETURNED', actor: 'bank', reason: text, description: text };
}

/** A bank's text is untrusted: one line, of bounded length. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, 140);

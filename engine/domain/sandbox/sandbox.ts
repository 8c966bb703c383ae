/** The outcomes that can be requested of a sandbox, of payments, fundings and conversions, and the statuses that each starts from. */
import type { BookingStatus } from '../conversions/booking.js';
import { FUNDING_FROM, type FundingStatus } from '../fundings/funding.js';
import {
  PAYMENT_STATUSES,
  type PaymentStatus,
  type PaymentSubStatus,
  shortestWay,
} from '../payments/payment-status.js';

export const PAYMENT_OUTCOMES = [
  'compliance-verification',
  'info-requested',
  'approved',
  'rejected',
  'processing',
  'paid',
  'returned',
  'error',
  'cancelled',
  'expired',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export const FUNDING_OUTCOMES = ['completed', 'rejected', 'cancelled', 'reversed'] as const;
export type FundingOutcome = (typeof FUNDING_OUTCOMES)[number];

export const CONVERSION_OUTCOMES = ['settled', 'overdue', 'cancelled', 'closed-out', 'busted', 'corrected'] as const;
export type ConversionOutcome = (typeof CONVERSION_OUTCOMES)[number];

interface PaymentTarget {
  readonly to: PaymentStatus;
  /** Where it must be; absent: any status with a way to the outcome. */
  readonly from?: readonly PaymentStatus[];
  /** Without the steps in between: the status itself leads there. */
  readonly isDirect?: true;
}

const PAYMENT_TARGETS: Readonly<Record<PaymentOutcome, PaymentTarget>> = {
  'compliance-verification': { to: 'COMPLIANCE_VERIFICATION' },
  'info-requested': { to: 'INFO_REQUESTED' },
  approved: { to: 'COMPLIANCE_APPROVED' },
  rejected: { to: 'COMPLIANCE_REJECTED' },
  processing: { to: 'PG_PROCESSING' },
  paid: { to: 'PAID' },
  returned: { to: 'RETURNED' },
  error: { to: 'ERROR' },
  cancelled: { to: 'CANCELLED', isDirect: true },
  expired: { to: 'CANCELLED', from: ['AWAITING_FUNDS'], isDirect: true },
};

/** The statuses that compliance and the bank lead a payment through on its way. */
const ALONG: readonly PaymentStatus[] = ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_APPROVED', 'PG_PROCESSING'];

export const paymentTarget = (outcome: PaymentOutcome): PaymentStatus => PAYMENT_TARGETS[outcome].to;

/**
 * The steps that lead from a status to the outcome, as the real ports would take them; undefined: none do. One that the bank works on
 * may change its sub status.
 */
export function wayOfPayment(
  outcome: PaymentOutcome,
  status: PaymentStatus,
  changesSub: boolean,
): readonly PaymentStatus[] | undefined {
  const { to, from, isDirect } = PAYMENT_TARGETS[outcome];
  if (from?.includes(status) === false) return undefined;
  if (status === to) return changesSub && to === 'PG_PROCESSING' ? [to] : undefined;
  return shortestWay(status, to, isDirect ? [] : ALONG);
}

/** The statuses of a payment that allow an outcome. */
export const paymentStatusesFor = (outcome: PaymentOutcome): readonly PaymentStatus[] =>
  PAYMENT_STATUSES.filter((status) => wayOfPayment(outcome, status, false) !== undefined);

/** What the bank may add to PG_PROCESSING and to PAID. */
export const BANK_SUB_STATUSES = [
  'SENT_TO_BENEFICIARY_BANK_ACCOUNT',
  'SENT_TO_BENEFICIARY_BANK',
  'PROCESSED_BY_CLEARING',
  'DEEMED_PAID',
  'TIMED_OUT',
] as const satisfies readonly PaymentSubStatus[];

/** By how much a clock is advanced: `90s`, `30m`, `24h`, `2d`. */
export const DURATION = /^[1-9]\d{0,7}[smhd]$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const durationMs = (text: string): number =>
  Number(text.slice(0, -1)) * UNIT_MS[text.at(-1) as keyof typeof UNIT_MS];

export const mayHaveSubStatus = (outcome: PaymentOutcome): boolean => outcome === 'processing' || outcome === 'paid';

export const FUNDING_TARGETS: Readonly<Record<FundingOutcome, Exclude<FundingStatus, 'PENDING'>>> = {
  completed: 'COMPLETED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
  reversed: 'REVERSED',
};

export const fundingStatusFor = (outcome: FundingOutcome): FundingStatus => FUNDING_FROM[FUNDING_TARGETS[outcome]];

/** The statuses of a conversion that allow an outcome. Of `corrected` and `busted` also where it has not settled. */
export const CONVERSION_FROM: Readonly<Record<ConversionOutcome, readonly BookingStatus[]>> = {
  settled: ['OPEN', 'OVERDUE'],
  overdue: ['OPEN'],
  cancelled: ['OPEN', 'OVERDUE'],
  'closed-out': ['OVERDUE'],
  busted: ['OPEN', 'OVERDUE', 'SETTLED'],
  corrected: ['OPEN', 'OVERDUE', 'SETTLED'],
};

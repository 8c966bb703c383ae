/** Where a payment stands, and where it may go from there. Anything else is refused. */

export const PAYMENT_STATUSES = [
  'IN_PROCESS',
  'AWAITING_FUNDS',
  'COMPLIANCE_VERIFICATION',
  'COMPLIANCE_APPROVED',
  'COMPLIANCE_REJECTED',
  'INFO_REQUESTED',
  'PG_PROCESSING',
  'PAID',
  'RETURNED',
  'ERROR',
  'CANCELLED',
  'USER_REJECTED',
] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** More about a status; often there is nothing to add. */
export type PaymentSubStatus =
  | ''
  | 'SENT_TO_BENEFICIARY_BANK_ACCOUNT'
  | 'SENT_TO_BENEFICIARY_BANK'
  | 'PROCESSED_BY_CLEARING'
  | 'DEEMED_PAID'
  | 'TIMED_OUT'
  | 'FUNDING_EXPIRED'
  | 'HOLD_EXPIRED'
  | 'RFI_ANSWERED';

/** CANCELLED is by the service, USER_REJECTED by the client. */
const NEXT: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  AWAITING_FUNDS: ['IN_PROCESS', 'CANCELLED', 'USER_REJECTED'],
  IN_PROCESS: ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_APPROVED', 'CANCELLED', 'USER_REJECTED'],
  COMPLIANCE_VERIFICATION: ['COMPLIANCE_APPROVED', 'COMPLIANCE_REJECTED', 'INFO_REQUESTED', 'USER_REJECTED'],
  INFO_REQUESTED: ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_REJECTED', 'CANCELLED', 'USER_REJECTED'],
  COMPLIANCE_APPROVED: ['PG_PROCESSING', 'CANCELLED', 'USER_REJECTED'],
  PG_PROCESSING: ['PAID', 'RETURNED', 'ERROR'],
  // The first is the retry.
  ERROR: ['COMPLIANCE_APPROVED', 'CANCELLED'],
  // A late return.
  PAID: ['RETURNED'],
  COMPLIANCE_REJECTED: [],
  RETURNED: [],
  CANCELLED: [],
  USER_REJECTED: [],
};

export function mayMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}

/** What the step to a status does with the money: `paid` leaves for the world; `refund` and `return` go back to the account. */
export type PaymentMoves = 'none' | 'paid' | 'refund' | 'return';

/**
 * A payment that ends before it was sent gives everything back, the fee too; one that comes back from the beneficiary's bank gives back
 * what was delivered, and the fee stays. A payment that awaits its funds has none to give back.
 */
export function movesOf(from: PaymentStatus, to: PaymentStatus): PaymentMoves {
  if (to === 'PAID') return 'paid';
  if (to === 'RETURNED') return 'return';
  const isEnd = to === 'COMPLIANCE_REJECTED' || to === 'CANCELLED' || to === 'USER_REJECTED';
  return isEnd && from !== 'AWAITING_FUNDS' ? 'refund' : 'none';
}

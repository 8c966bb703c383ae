/** The statuses of a payment and the transitions between them. Any other transition is rejected. */

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

/** More about a status; often empty. */
export const PAYMENT_SUB_STATUSES = [
  '',
  'SENT_TO_BENEFICIARY_BANK_ACCOUNT',
  'SENT_TO_BENEFICIARY_BANK',
  'PROCESSED_BY_CLEARING',
  'DEEMED_PAID',
  'TIMED_OUT',
  'FUNDING_EXPIRED',
  'HOLD_EXPIRED',
  'RFI_ANSWERED',
] as const;

export type PaymentSubStatus = (typeof PAYMENT_SUB_STATUSES)[number];

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

/** The fewest steps from one status to another, of which those before the last are in `along`; undefined: there are none. */
export function shortestWay(
  from: PaymentStatus,
  to: PaymentStatus,
  along: readonly PaymentStatus[],
): readonly PaymentStatus[] | undefined {
  let ways: (readonly PaymentStatus[])[] = [[from]];
  const seen = new Set<PaymentStatus>([from]);
  while (ways.length > 0) {
    const found = ways.find((way) => mayMove(way.at(-1)!, to));
    if (found) return [...found.slice(1), to];
    ways = ways.flatMap((way) => {
      const next = along.filter((status) => !seen.has(status) && mayMove(way.at(-1)!, status));
      for (const status of next) seen.add(status);
      return next.map((status) => [...way, status]);
    });
  }
  return undefined;
}

/** In the order in which a payment comes through them. */
export const statusesBefore = (to: PaymentStatus): readonly PaymentStatus[] =>
  (Object.keys(NEXT) as PaymentStatus[]).filter((from) => mayMove(from, to));

/** A payment that has ended: its money is with the beneficiary, or refunded. One that is PAID may still be returned. */
export function hasArrived(status: PaymentStatus): boolean {
  return status === 'PAID' || NEXT[status].length === 0;
}

/** What the step to a status does with the money: `paid` leaves for the world; `refund` and `return` go back to the account. */
export type PaymentMoves = 'none' | 'paid' | 'refund' | 'return';

/**
 * A payment that ends before it was sent is refunded in full, the fee too; one that the beneficiary's bank returns is refunded
 * by what was delivered, without the fee. A payment that awaits its funds has none to refund.
 */
export function movesOf(from: PaymentStatus, to: PaymentStatus): PaymentMoves {
  if (to === 'PAID') return 'paid';
  if (to === 'RETURNED') return 'return';
  const isEnd = to === 'COMPLIANCE_REJECTED' || to === 'CANCELLED' || to === 'USER_REJECTED';
  return isEnd && from !== 'AWAITING_FUNDS' ? 'refund' : 'none';
}

/** What a status means, for the client. */
export const STATUS_TEXT: Readonly<Record<PaymentStatus, string>> = {
  IN_PROCESS: 'Payment in internal process',
  AWAITING_FUNDS: 'Payment is processed once funds are received',
  COMPLIANCE_VERIFICATION: 'Payment with compliance for further verification',
  COMPLIANCE_APPROVED: 'Payment approved by compliance',
  COMPLIANCE_REJECTED: 'Payment rejected by compliance',
  INFO_REQUESTED: 'Additional remitter or beneficiary information requested for compliance verification',
  PG_PROCESSING: 'Payment sent to the beneficiary bank',
  PAID: 'Payment successfully paid',
  RETURNED: 'Payment returned from the beneficiary bank',
  ERROR: 'Payment instruction erroneous',
  CANCELLED: 'Payment cancelled',
  USER_REJECTED: 'Transaction cancelled by the client',
};

/** Where a sub status changes what the client may expect. */
export const SUB_STATUS_TEXT: Readonly<Partial<Record<PaymentSubStatus, string>>> = {
  HOLD_EXPIRED: 'Its held rate has ended, and it is never converted at another: cancel it',
};

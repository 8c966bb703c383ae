/**
 * The words in a beneficiary's name that control a sandbox, defined independently: for each state of a payment, its next automatic step.
 */

export const WORDS = [
  'INFO REQUESTED',
  'COMPLIANCE REJECTED',
  'COMPLIANCE VERIFICATION',
  'RETURNED',
  'RETURNED LATE',
  'ERROR',
  'ERROR ALWAYS',
  'SLOW',
  'DEEMED PAID',
  'TIMED OUT',
] as const;
export type Word = (typeof WORDS)[number];

export interface Standing {
  /** '' before it is created. */
  readonly status: string;
  readonly sub: string;
  /** How often it was sent to the bank. */
  readonly attempts: number;
}

/** Status, sub status where there is one, and the actor of the step. */
export type Step = readonly [status: string, sub: string, actor: string];

const SENT_MAX = 3;
const PAID: Step = ['PAID', 'SENT_TO_BENEFICIARY_BANK_ACCOUNT', 'bank'];
const FAILED: Step = ['ERROR', '', 'bank'];
const APPROVED: Step = ['COMPLIANCE_APPROVED', '', 'compliance'];

/** Undefined: it waits for a decision, or has ended. */
export function nextByItself(word: Word | undefined, { status, sub, attempts }: Standing): Step | undefined {
  switch (status) {
    case 'IN_PROCESS':
      return isForCompliance(word) ? ['COMPLIANCE_VERIFICATION', '', 'compliance'] : APPROVED;
    case 'COMPLIANCE_VERIFICATION':
      if (word === 'COMPLIANCE REJECTED') return ['COMPLIANCE_REJECTED', '', 'compliance'];
      if (word !== 'INFO REQUESTED') return undefined;
      return sub === 'RFI_ANSWERED' ? APPROVED : ['INFO_REQUESTED', '', 'compliance'];
    case 'COMPLIANCE_APPROVED':
      return ['PG_PROCESSING', '', 'service'];
    case 'PG_PROCESSING':
      return atTheBank(word, sub, attempts);
    case 'PAID':
      return word === 'RETURNED LATE' ? ['RETURNED', '', 'bank'] : undefined;
    case 'ERROR':
      return attempts < SENT_MAX ? ['COMPLIANCE_APPROVED', '', 'service'] : undefined;
    default:
      return undefined;
  }
}

function isForCompliance(word: Word | undefined): boolean {
  return word === 'INFO REQUESTED' || word === 'COMPLIANCE REJECTED' || word === 'COMPLIANCE VERIFICATION';
}

function atTheBank(word: Word | undefined, sub: string, attempts: number): Step | undefined {
  switch (word) {
    case 'RETURNED':
      return ['RETURNED', '', 'bank'];
    case 'ERROR':
      return attempts > 1 ? PAID : FAILED;
    case 'ERROR ALWAYS':
      return FAILED;
    case 'DEEMED PAID':
      return ['PAID', 'DEEMED_PAID', 'bank'];
    case 'TIMED OUT':
      return sub === 'TIMED_OUT' ? undefined : ['PG_PROCESSING', 'TIMED_OUT', 'bank'];
    case 'SLOW':
      if (sub === 'PROCESSED_BY_CLEARING') return PAID;
      return ['PG_PROCESSING', sub === '' ? 'SENT_TO_BENEFICIARY_BANK' : 'PROCESSED_BY_CLEARING', 'bank'];
    default:
      return PAID;
  }
}

/** The statuses in which its client may cancel it. */
export const CANCELLABLE: ReadonlySet<string> = new Set([
  'AWAITING_FUNDS',
  'IN_PROCESS',
  'COMPLIANCE_VERIFICATION',
  'INFO_REQUESTED',
  'COMPLIANCE_APPROVED',
]);

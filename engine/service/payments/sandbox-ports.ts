/** Compliance and bank of a sandbox: both follow words in the beneficiary's name, which rest/README.md lists for integrators. */
import { createHash } from 'node:crypto';
import type { Payment } from '../../domain/payments/payment.js';
import type { CompliancePort, PaidOut, PayoutPort, Screened } from './payment-ports.js';

export const SANDBOX_COMPLIANCE: CompliancePort = {
  async screen(payment) {
    const word = wordIn(COMPLIANCE_WORDS, payment);
    // A sandbox accepts any answer of the client.
    if (word === undefined || (word === 'INFO REQUESTED' && payment.subStatus === 'RFI_ANSWERED'))
      return { kind: 'approve' };
    return DECIDED[word];
  },
};

/** So long a sandbox leaves a payment in IN_PROCESS or COMPLIANCE_APPROVED to the outcomes that are requested of it. */
export const LEFT_TO_ITSELF_MS = 24 * 60 * 60 * 1_000;

const DECIDED: Readonly<Record<(typeof COMPLIANCE_WORDS)[number], Screened>> = {
  'INFO REQUESTED': { kind: 'ask-information', what: 'Sandbox: send the invoice number and what was bought' },
  'COMPLIANCE REJECTED': { kind: 'reject', reason: 'Sandbox: the name of the beneficiary asks for it' },
  'COMPLIANCE VERIFICATION': { kind: 'verify' },
  MANUAL: { kind: 'wait', againMs: LEFT_TO_ITSELF_MS },
};

const SLOW_MS = 1_500;
const LATE_MS = 3_000;

export const SANDBOX_PAYOUT: PayoutPort = {
  async send({ id, payment }) {
    const word = wordIn(PAYOUT_WORDS, payment);
    return word === undefined ? paid(id, payment) : OUTCOMES[word](id, payment);
  },
};

const OUTCOMES: Readonly<Record<(typeof PAYOUT_WORDS)[number], (id: string, payment: Payment) => PaidOut>> = {
  RETURNED: () => RETURNED,
  'RETURNED LATE': (id, payment) => (payment.status === 'PAID' ? RETURNED : { ...paid(id, payment), againMs: LATE_MS }),
  ERROR: (id, payment) => (payment.attempts > 1 ? paid(id, payment) : FAILED),
  'ERROR ALWAYS': () => FAILED,
  SLOW(id, payment) {
    if (payment.subStatus === 'PROCESSED_BY_CLEARING') return paid(id, payment);
    const isSent = payment.subStatus === 'SENT_TO_BENEFICIARY_BANK';
    const subStatus = isSent ? 'PROCESSED_BY_CLEARING' : 'SENT_TO_BENEFICIARY_BANK';
    return { kind: 'pending', subStatus, againMs: SLOW_MS };
  },
  'DEEMED PAID': (id, payment) => ({ ...paid(id, payment), subStatus: 'DEEMED_PAID' }),
  'TIMED OUT': () => ({ kind: 'pending', subStatus: 'TIMED_OUT' }),
  MANUAL: (_id, { subStatus }) => ({ kind: 'pending', subStatus }),
};

const RETURNED: PaidOut = { kind: 'returned', reason: 'Sandbox: account closed' };
const FAILED: PaidOut = { kind: 'error', text: 'Sandbox: AC01 incorrect account number', retry: true };

/** The number under which the sandbox's bank knows an instruction. */
export const bankReferenceOf = (instructionId: string): string =>
  `SBX${createHash('sha256').update(instructionId).digest('hex').slice(0, 12).toUpperCase()}`;

function paid(id: string, { method }: Payment): Extract<PaidOut, { readonly kind: 'paid' }> {
  const reference = bankReferenceOf(id);
  return { kind: 'paid', reference, ...(method === 'BANK' && { subStatus: 'SENT_TO_BENEFICIARY_BANK_ACCOUNT' }) };
}

const COMPLIANCE_WORDS = ['INFO REQUESTED', 'COMPLIANCE REJECTED', 'COMPLIANCE VERIFICATION', 'MANUAL'] as const;
/** A longer word comes before a shorter one that it contains. */
const PAYOUT_WORDS = [
  'RETURNED LATE',
  'RETURNED',
  'ERROR ALWAYS',
  'ERROR',
  'SLOW',
  'DEEMED PAID',
  'TIMED OUT',
  'MANUAL',
] as const;

const ANY_WORD = /compliance|info|returned|error|slow|deemed|timed|manual/i;

/** The first word in the name, case-insensitively, with spaces, dashes and underscores as equal. */
function wordIn<Word extends string>(words: readonly Word[], { details }: Payment): Word | undefined {
  // Most names have none.
  if (!ANY_WORD.test(details.beneficiary.name ?? '')) return undefined;
  const name = ` ${(details.beneficiary.name ?? '').toUpperCase().replace(/[\s_-]+/g, ' ')} `;
  return words.find((word) => name.includes(` ${word} `));
}

/**
 * A bank that does what words in the beneficiary's name ask for, and pays everything else. It keeps nothing: what it answers follows from
 * the instruction and from how the payment stands, so that the same instruction has the same outcome whoever sends it again.
 */
import { createHash } from 'node:crypto';
import type { Payment } from '../../domain/payment.js';
import type { PaidOut, PayoutPort } from './payment-ports.js';
import { PAYOUT_WORDS, wordIn } from './sandbox-words.js';

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
};

const RETURNED: PaidOut = { kind: 'returned', reason: 'Sandbox: account closed' };
const FAILED: PaidOut = { kind: 'error', text: 'Sandbox: AC01 incorrect account number', retry: true };

function paid(id: string, { method }: Payment): Extract<PaidOut, { readonly kind: 'paid' }> {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 12).toUpperCase();
  const reference = `SBX${digest}`;
  return { kind: 'paid', reference, ...(method === 'BANK' && { subStatus: 'SENT_TO_BENEFICIARY_BANK_ACCOUNT' }) };
}

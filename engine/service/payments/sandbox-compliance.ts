/** Compliance that decides by words in the beneficiary's name, and lets everything else pass. */
import type { CompliancePort, Screened } from './payment-ports.js';
import { COMPLIANCE_WORDS, wordIn } from './sandbox-words.js';

export const SANDBOX_COMPLIANCE: CompliancePort = {
  async screen(payment) {
    const word = wordIn(COMPLIANCE_WORDS, payment);
    // What was answered is enough for a sandbox.
    if (word === undefined || (word === 'INFO REQUESTED' && payment.subStatus === 'RFI_ANSWERED'))
      return { kind: 'approve' };
    return DECIDED[word];
  },
};

const DECIDED: Readonly<Record<(typeof COMPLIANCE_WORDS)[number], Screened>> = {
  'INFO REQUESTED': { kind: 'ask-information', what: 'Sandbox: send the invoice number and what was bought' },
  'COMPLIANCE REJECTED': { kind: 'reject', reason: 'Sandbox: the name of the beneficiary asks for it' },
  'COMPLIANCE VERIFICATION': { kind: 'verify' },
};

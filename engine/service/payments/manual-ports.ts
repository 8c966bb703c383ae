/** Every decision is an operator's: `ratewire payments approve`, `reject`, `paid`, `return` and the others. */
import type { CompliancePort, PayoutPort } from './payment-ports.js';

export const MANUAL_COMPLIANCE: CompliancePort = {
  screen: async () => ({ kind: 'verify' }),
};

export const MANUAL_PAYOUT: PayoutPort = {
  send: async ({ payment }) => ({ kind: 'pending', subStatus: payment.subStatus }),
};

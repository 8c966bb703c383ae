/** The ports of compliance and payout, and their manual implementations, where an operator decides. */
import type { Payment } from '../../domain/payments/payment.js';
import type { PaymentSubStatus } from '../../domain/payments/payment-status.js';

export type Screened =
  | { readonly kind: 'approve' }
  /** A person has to review it: an operator decides. */
  | { readonly kind: 'verify' }
  | { readonly kind: 'reject'; readonly reason: string }
  /** Nothing is decided yet: it is screened again after that time. */
  | { readonly kind: 'wait'; readonly againMs: number }
  /** The client gets the question, and its answer is screened again. */
  | { readonly kind: 'ask-information'; readonly what: string };

export interface CompliancePort {
  /** Called for a payment IN_PROCESS, and again in COMPLIANCE_VERIFICATION: on entry, and with sub status RFI_ANSWERED. */
  screen(payment: Payment): Promise<Screened>;
}

export interface PayoutInstruction {
  /** `<payment id>-<attempt>`: a repeated id is the same instruction. */
  readonly id: string;
  /** The amount to deliver is `toTransit`; its status shows earlier answers. */
  readonly payment: Payment;
}

export type PaidOut =
  /** With `againMs` the port is queried once more after that time, to confirm that it stays paid. */
  | {
      readonly kind: 'paid';
      readonly reference: string;
      readonly subStatus?: PaymentSubStatus;
      readonly againMs?: number;
    }
  | { readonly kind: 'returned'; readonly reason: string }
  /** `retry`: another attempt may succeed. */
  | { readonly kind: 'error'; readonly text: string; readonly retry: boolean }
  /** Without `againMs` an operator has to enter the outcome. */
  | { readonly kind: 'pending'; readonly subStatus: PaymentSubStatus; readonly againMs?: number };

export interface PayoutPort {
  send(instruction: PayoutInstruction): Promise<PaidOut>;
}

export interface PaymentPorts {
  readonly compliance: CompliancePort;
  readonly payout: PayoutPort;
}

export const MANUAL_COMPLIANCE: CompliancePort = {
  screen: async () => ({ kind: 'verify' }),
};

export const MANUAL_PAYOUT: PayoutPort = {
  send: async ({ payment }) => ({ kind: 'pending', subStatus: payment.subStatus }),
};

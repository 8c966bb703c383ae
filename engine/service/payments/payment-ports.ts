/** Who decides about a payment and who pays it out: the ports, and the ones by which an operator decides. */
import type { Payment } from '../../domain/payment.js';
import type { PaymentSubStatus } from '../../domain/payment-status.js';

export type Screened =
  | { readonly kind: 'approve' }
  /** A person has to look: an operator decides. */
  | { readonly kind: 'verify' }
  | { readonly kind: 'reject'; readonly reason: string }
  /** The client is told what, and its answer is screened again. */
  | { readonly kind: 'ask-information'; readonly what: string };

export interface CompliancePort {
  /** Asked of a payment IN_PROCESS, and again in COMPLIANCE_VERIFICATION: at first, and with sub status RFI_ANSWERED. */
  screen(payment: Payment): Promise<Screened>;
}

export interface PayoutInstruction {
  /** `<payment id>-<attempt>`: the same id is one instruction, however often it is sent. */
  readonly id: string;
  /** What is to be delivered is in `toTransit`; how it stands tells what was answered before. */
  readonly payment: Payment;
}

export type PaidOut =
  /** With `againMs` it is asked after once more, so long later, whether it stays paid. */
  | {
      readonly kind: 'paid';
      readonly reference: string;
      readonly subStatus?: PaymentSubStatus;
      readonly againMs?: number;
    }
  | { readonly kind: 'returned'; readonly reason: string }
  /** `retry`: another attempt may succeed. */
  | { readonly kind: 'error'; readonly text: string; readonly retry: boolean }
  /** Without `againMs` nothing happens until an operator says what became of it. */
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

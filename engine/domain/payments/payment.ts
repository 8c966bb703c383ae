/** A payment: what it was agreed to be, which never changes, and its status. */
import type { PayeeVerification } from '../beneficiaries/payee-verification.js';
import type { PaymentDetails, PaymentMethod } from './payment-details.js';
import type { PaymentStatus, PaymentSubStatus } from './payment-status.js';

/** OUR: the remitter pays the fee on top. BEN: it comes out of what is delivered. */
export const FEE_PAYERS = ['OUR', 'BEN'] as const;
export type FeePayer = (typeof FEE_PAYERS)[number];

/** Days for which a payment awaits its funds. */
export const AWAITING_FUNDS_DAYS = 30;

/** What is given to decide the amounts, all in minor units. */
export type PaymentAmount =
  /** Of the payment's currency: what the payment is for. */
  | { readonly kind: 'destination'; readonly minor: bigint }
  /** Of the source account's currency: what leaves that account, and no other helps. */
  | { readonly kind: 'source'; readonly minor: bigint };

/** What a payment was agreed to be when it was created. Amounts are minor units of `currency`, as text. */
export interface PaymentFacts {
  readonly id: string;
  readonly transactionNumber: string;
  readonly requestId: string;
  /** Version of the operation that created it. */
  readonly version: 1 | 2;
  readonly currency: string;
  /** ISO 3166 code of the beneficiary's country. */
  readonly country: string;
  readonly method: PaymentMethod;
  /** As it was given; `minor` as text. A source amount becomes a payment amount when the money is there. */
  readonly given: { readonly kind: PaymentAmount['kind']; readonly minor: string };
  /** The account named by the client; '' when none was. */
  readonly sourceAccount: string;
  readonly sourceCurrency: string;
  readonly feePayer: FeePayer;
  /** Fixed part in minor units, and parts per million of the amount. */
  readonly feeFixed: string;
  readonly feePpm: number;
  readonly deduct: string;
  /** '' without one. */
  readonly holdId: string;
  /** Epoch ms; 0 without a hold. */
  readonly holdExpiryMs: number;
  readonly details: PaymentDetails;
  readonly createdAtMs: number;
  /** Absent where it names no stored beneficiary, and the client's payments need no verification. */
  readonly payee?: PayeeFacts | undefined;
}

/** The stored beneficiary that the fields are from, and the verification that the payment carried. */
export interface PayeeFacts {
  /** Both absent where none was named. */
  readonly beneficiaryId?: string | undefined;
  readonly beneficiaryVersion?: number | undefined;
  readonly verification?: PayeeVerification | undefined;
  /** By the client's policy the operator decides about it. */
  readonly waits: boolean;
}

/** For the history: how the payee was verified; '' where the client's payments need no verification and it has none. */
export function verificationText({ verification, waits }: PayeeFacts): string {
  if (verification === undefined) return waits ? 'payee not verified' : '';
  const { answer, code } = verification;
  return `payee verification ${answer}${code && ` ${code}`}`;
}

/** What changes. */
export interface PaymentState {
  readonly status: PaymentStatus;
  readonly subStatus: PaymentSubStatus;
  /** '' where the status is enough. */
  readonly description: string;
  /** The number that the beneficiary's bank gave; '' before. */
  readonly bankReference: string;
  /** Counts the steps: a worker's step is for the version that it has read. */
  readonly step: number;
  /** How often it was sent to the beneficiary's bank. */
  readonly attempts: number;
  /** Of the conversions made for it, in order; empty without. */
  readonly bookingIds: readonly string[];
  /** The account from which it leaves, in its own currency. */
  readonly account: string;
  /** Minor units; '' until the money is there. A source amount fixes it then. */
  readonly amount: string;
  readonly toTransit: string;
  readonly toFees: string;
  readonly updatedAtMs: number;
  /** Card numbers, encrypted; '' without, and when it is paid or has ended. */
  readonly sealedCards: string;
}

export interface Payment extends PaymentFacts, PaymentState {}

export const paymentOf = (facts: PaymentFacts, state: PaymentState): Payment => ({ ...facts, ...state });

/** Its status at `nowMs`: the expiry of the hold of a payment that awaits its funds may not be stored yet. */
export function paymentAt(payment: Payment, nowMs: number): Payment {
  const { status, holdId, holdExpiryMs } = payment;
  const isOver = status === 'AWAITING_FUNDS' && holdId !== '' && nowMs > holdExpiryMs;
  return isOver ? { ...payment, subStatus: 'HOLD_EXPIRED' } : payment;
}

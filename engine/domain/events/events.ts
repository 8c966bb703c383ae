/** Events: what a client can subscribe to. The step that changes state appends them; the list of types is closed. */
import type { PaymentStatus, PaymentSubStatus } from '../payments/payment-status.js';

/** By what they are about. */
export const EVENT_TYPES = [
  'payment.created',
  'payment.awaiting_funds',
  'payment.compliance',
  'payment.info_requested',
  'payment.processing',
  'payment.paid',
  'payment.returned',
  'payment.rejected',
  'payment.cancelled',
  'payment.expired',
  'payment.error',
  'conversion.booked',
  'conversion.settled',
  'conversion.overdue',
  'conversion.cancelled',
  'conversion.changed',
  'conversion.split',
  'conversion.busted',
  'hold.locked',
  'hold.reserved',
  'hold.freed',
  'hold.used',
  'hold.expired',
  'hold.revoked',
  'funding.created',
  'funding.completed',
  'funding.rejected',
  'funding.reversed',
  'funding.cancelled',
  'account.opened',
  'account.changed',
  'receivable.repaid',
  'key.rotated',
  'key.revoked',
  'beneficiary.created',
  'beneficiary.changed',
  'beneficiary.disabled',
  'verification.completed',
  'batch.created',
  'batch.validated',
  'batch.closed',
  'batch.processing',
  'batch.done',
  'batch.cancelled',
  'limit.warning',
  'webhook.created',
  'webhook.changed',
  'webhook.rotated',
  'webhook.disabled',
  'webhook.removed',
  'test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The part before the point: what the event is about. */
export type EventFamily = EventType extends infer Type
  ? Type extends `${infer Family}.${string}`
    ? Family
    : Type
  : never;

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const FAMILIES: ReadonlySet<string> = new Set(EVENT_TYPES.filter((type) => type.includes('.')).map(familyOf));

export const isEventType = (text: string): text is EventType => TYPES.has(text);

export function familyOf(type: EventType): EventFamily {
  return type.split('.')[0] as EventFamily;
}

/** A type, all of a family (`payment.*`), or all (`*`). */
export const isEventPattern = (text: string): boolean =>
  text === '*' || TYPES.has(text) || (text.endsWith('.*') && FAMILIES.has(text.slice(0, -2)));

/** Whether one of the patterns includes the type. */
export function matchesEvent(patterns: readonly string[], type: EventType): boolean {
  return patterns.some((one) => one === '*' || one === type || one === `${familyOf(type)}.*`);
}

/** The type of each step of a payment behind its creation, by the status that it leads to. */
const PAYMENT_EVENTS: Readonly<Record<PaymentStatus, EventType>> = {
  AWAITING_FUNDS: 'payment.awaiting_funds',
  // Its funds are there.
  IN_PROCESS: 'payment.processing',
  COMPLIANCE_VERIFICATION: 'payment.compliance',
  COMPLIANCE_APPROVED: 'payment.compliance',
  COMPLIANCE_REJECTED: 'payment.rejected',
  INFO_REQUESTED: 'payment.info_requested',
  PG_PROCESSING: 'payment.processing',
  PAID: 'payment.paid',
  RETURNED: 'payment.returned',
  ERROR: 'payment.error',
  CANCELLED: 'payment.cancelled',
  USER_REJECTED: 'payment.cancelled',
};

export const paymentEvent = (status: PaymentStatus, subStatus: PaymentSubStatus): EventType =>
  subStatus === 'FUNDING_EXPIRED' ? 'payment.expired' : PAYMENT_EVENTS[status];

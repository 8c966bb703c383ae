/** A batch: up to a thousand payments from one account, which are funded at once and drawn one by one. */

export const BATCH_STATUSES = ['OPEN', 'VALIDATED', 'CLOSED', 'PROCESSING', 'DONE', 'CANCELLED'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

export const BATCH_ITEMS_MAX = 1_000;
/** Of one client: batches that have not ended. */
export const OPEN_BATCHES_MAX = 100;

/** What never changes. */
export interface BatchFacts {
  readonly id: string;
  readonly requestId: string;
  readonly description: string;
  /** It pays all of its items. */
  readonly account: string;
  readonly currency: string;
  readonly createdAtMs: number;
}

/** What changes. Amounts are minor units of the account's currency, as text. */
export interface BatchState {
  readonly status: BatchStatus;
  /** Counts the changes of items and status, from 1. */
  readonly version: number;
  readonly items: number;
  /** What its items take with their fees: of its closing, then what was reserved when it was funded; '0' before it was closed. */
  readonly total: string;
  /** Items that have become payments, and what they took of the reserve. */
  readonly drawn: number;
  readonly drawnAmount: string;
  /** Items that could not become payments: their part of the reserve went back to the account. */
  readonly refused: number;
  readonly refusedAmount: string;
  readonly updatedAtMs: number;
}

export interface Batch extends BatchFacts, BatchState {}

/** What the batch still reserves, minor units. */
export function reservedIn({ status, total, drawnAmount, refusedAmount }: BatchState): bigint {
  return status === 'PROCESSING' ? BigInt(total) - BigInt(drawnAmount) - BigInt(refusedAmount) : 0n;
}

/** An item, and what has become of it. */
export interface BatchItem {
  readonly itemId: string;
  /** Its place in the batch, from 1: items are processed and listed in this order. */
  readonly number: number;
  /** '' where none was sent, or no valid one. */
  readonly transactionNumber: string;
  readonly outcome:
    | {
        readonly kind: 'pending';
        readonly fingerprint: string;
        /** Of a batch that was closed: the version in which the fields of the item's beneficiary were made. */
        readonly beneficiaryVersion: number | undefined;
      }
    | { readonly kind: 'drawn'; readonly paymentId: string }
    | { readonly kind: 'refused'; readonly code: string; readonly text: string };
}

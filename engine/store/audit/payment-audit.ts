/** What a reconciliation reads of one payment: the record, and everything that refers to it. */
import { PAYMENT_ID, REQUEST_ID } from '../../domain/ids.js';
import type { Payment } from '../../domain/payment.js';
import type { Connection } from '../connection/connection.js';
import { decodeOrUndefined, factsHash } from '../connection/fields.js';
import type { LedgerKeys } from '../keys/redis-keys.js';
import { placeOf } from '../ledger/lists.js';
import { asPayment, holderKey, PAYMENT_FIELDS } from '../ledger/payments.js';

export interface KeptPayment extends Payment {
  /** Computed as facts_hash of prelude.lua does. */
  readonly factsHash: string;
  /** The journal entries of its steps, in order. */
  readonly entries: readonly string[];
  /** Whether the client's list of payments has it. */
  readonly isListed: boolean;
  /** The payment that its transaction number leads to. */
  readonly ofTransaction: string | undefined;
  /** The client that its id leads to. */
  readonly holder: string | undefined;
}

/** Undefined also for an unreadable record. */
export async function keptPayment(
  connection: Connection,
  keys: LedgerKeys,
  id: string,
): Promise<KeptPayment | undefined> {
  if (!PAYMENT_ID.test(id)) return undefined;
  const fields = await connection.read((redis) => redis.hmget(keys.payment(id), ...PAYMENT_FIELDS, 'entries'));
  const payment = decodeOrUndefined(() => asPayment(fields));
  if (payment === undefined) return undefined;
  const { transactionNumber, createdAtMs } = payment;
  const [score, ofTransaction, holder] = await Promise.all([
    connection.read((redis) => redis.zscore(keys.index('payments'), placeOf(createdAtMs, id))),
    REQUEST_ID.test(transactionNumber)
      ? connection.read((redis) => redis.get(keys.transaction(transactionNumber)))
      : null,
    connection.read((redis) => redis.get(holderKey(id))),
  ]);
  return {
    ...payment,
    entries: fields.at(-1)?.split(' ') ?? [],
    factsHash: factsHash(fields[0]),
    isListed: score !== null,
    ofTransaction: ofTransaction ?? undefined,
    holder: holder ?? undefined,
  };
}

/** What a reconciliation reads of one payment or funding: the record, and everything that refers to it. */

import { FUNDING_ID, PAYMENT_ID, REQUEST_ID } from '../../domain/core/ids.js';
import { FUNDING_STATUSES, type Funding, type FundingStatus } from '../../domain/fundings/funding.js';
import type { Payment } from '../../domain/payments/payment.js';
import type { Connection } from '../connection/connection.js';
import { decodeOrUndefined, factsHash } from '../connection/fields.js';
import { asFunding, FUNDING_FIELDS, holderKey as fundingHolderKey } from '../fundings/fundings.js';
import type { LedgerKeys } from '../keys/redis-keys.js';
import { placeOf } from '../ledger/lists.js';
import { PAYMENT_FIELDS, storedPayment } from '../payments/payment-record.js';
import { holderKey as paymentHolderKey } from '../payments/payments.js';

interface KeptRecord {
  /** Computed as facts_hash of prelude.lua does. */
  readonly factsHash: string;
  /** Whether the client's list has it. */
  readonly isListed: boolean;
  /** The client that its id leads to. */
  readonly holder: string | undefined;
}

export interface KeptPayment extends Payment, KeptRecord {
  /** The journal entries of its steps, in order. */
  readonly entries: readonly string[];
  /** The payment that its transaction number leads to. */
  readonly ofTransaction: string | undefined;
}

export interface KeptFunding extends Funding, KeptRecord {
  /** The entry of the step to each status that it has had. */
  readonly entries: ReadonlyMap<FundingStatus, string>;
}

const ENTRY_FIELDS = FUNDING_STATUSES.map((status) => `journal:${status}`);

/** Undefined also for an unreadable record. */
export async function keptPayment(
  connection: Connection,
  keys: LedgerKeys,
  id: string,
): Promise<KeptPayment | undefined> {
  if (!PAYMENT_ID.test(id)) return undefined;
  const values = await connection.read((redis) => redis.hmget(keys.payment(id), ...PAYMENT_FIELDS));
  const stored = decodeOrUndefined(() => storedPayment(id, values));
  if (stored === undefined) return undefined;
  const { payment, entries, facts } = stored;
  const { transactionNumber, createdAtMs } = payment;
  const [references, ofTransaction] = await Promise.all([
    referencesTo(connection, keys.index('payments'), placeOf(createdAtMs, id), paymentHolderKey(id)),
    REQUEST_ID.test(transactionNumber)
      ? connection.read((redis) => redis.get(keys.transaction(transactionNumber)))
      : null,
  ]);
  return {
    ...payment,
    ...references,
    entries,
    factsHash: factsHash(facts),
    ofTransaction: ofTransaction ?? undefined,
  };
}

/** Undefined also for an unreadable record. */
export async function keptFunding(
  connection: Connection,
  keys: LedgerKeys,
  id: string,
): Promise<KeptFunding | undefined> {
  if (!FUNDING_ID.test(id)) return undefined;
  const fields = await connection.read((redis) => redis.hmget(keys.funding(id), ...FUNDING_FIELDS, ...ENTRY_FIELDS));
  const funding = decodeOrUndefined(() => asFunding(fields));
  if (funding === undefined) return undefined;
  const place = placeOf(funding.createdAtMs, id);
  const references = await referencesTo(connection, keys.index('fundings'), place, fundingHolderKey(id));
  const entries = new Map<FundingStatus, string>();
  FUNDING_STATUSES.forEach((status, i) => {
    const entry = fields[FUNDING_FIELDS.length + i];
    if (entry) entries.set(status, entry);
  });
  return { ...funding, ...references, entries, factsHash: factsHash(fields[0]) };
}

async function referencesTo(connection: Connection, index: string, place: string, holderKey: string) {
  const [score, holder] = await Promise.all([
    connection.read((redis) => redis.zscore(index, place)),
    connection.read((redis) => redis.get(holderKey)),
  ]);
  return { isListed: score !== null, holder: holder ?? undefined };
}

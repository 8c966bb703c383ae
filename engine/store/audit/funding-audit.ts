/** What a reconciliation reads of one funding: the record, the journal entries that it names, and its place in the list. */

import { FUNDING_STATUSES, type Funding, type FundingStatus } from '../../domain/funding.js';
import { FUNDING_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';
import { decodeOrUndefined, factsHash } from '../connection/fields.js';
import type { LedgerKeys } from '../keys/redis-keys.js';
import { asFunding, FUNDING_FIELDS, holderKey } from '../ledger/fundings.js';
import { placeOf } from '../ledger/lists.js';

export interface KeptFunding extends Funding {
  /** Computed as facts_hash of prelude.lua does. */
  readonly factsHash: string;
  /** The entry of the step to each status that it has had. */
  readonly entries: ReadonlyMap<FundingStatus, string>;
  /** Whether the client's list of fundings has it. */
  readonly isListed: boolean;
  /** The client that its id leads to. */
  readonly holder: string | undefined;
}

const ENTRY_FIELDS = FUNDING_STATUSES.map((status) => `journal:${status}`);

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
  const [score, holder] = await Promise.all([
    connection.read((redis) => redis.zscore(keys.index('fundings'), place)),
    connection.read((redis) => redis.get(holderKey(id))),
  ]);
  const entries = new Map<FundingStatus, string>();
  FUNDING_STATUSES.forEach((status, i) => {
    const entry = fields[FUNDING_FIELDS.length + i];
    if (entry) entries.set(status, entry);
  });
  const more = { isListed: score !== null, holder: holder ?? undefined, factsHash: factsHash(fields[0]) };
  return { ...funding, entries, ...more };
}

/** One page of a client's records, newest first. */
import { isRefusal, type Refusal } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { ListName } from '../../store/keys/ledger-keys.js';
import { type CursorScope, readCursor, writeCursor } from './cursor.js';
import { LOOKED_AT_MAX } from './list-input.js';
import type { Services } from './services.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** '' at the end of the list. */
  readonly nextCursor: string;
}

export interface ListAsked {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Listed<Item> {
  readonly list: ListName;
  /** The filters of `matches`, besides the period. */
  readonly filters: CursorScope['filters'];
  read(id: string): Promise<Item | undefined>;
  matches(item: Item): boolean;
}

/**
 * Records that existed at the first page are listed once each, whatever is created meanwhile: positions never change. A request reads at
 * most LOOKED_AT_MAX records. Refuses with VALIDATION_FAILED for a cursor that is not of this list.
 */
export async function listPage<Item>(
  { store }: Services,
  client: Client,
  { from, to, limit, cursor }: ListAsked,
  { list, filters, read, matches }: Listed<Item>,
): Promise<Page<Item> | Refusal> {
  const scope = { clientId: client.id, list, filters: { ...filters, from, to } };
  // Clients that always send the cursor begin with an empty one.
  let after = cursor ? readCursor(store.subKey, scope, cursor) : undefined;
  if (isRefusal(after)) return after;

  const items: Item[] = [];
  let isMore = true;
  for (let looked = 0; isMore && items.length < limit && looked < LOOKED_AT_MAX; ) {
    // With a selective filter, larger and larger parts are read.
    const part = Math.min(Math.max(limit, looked), LOOKED_AT_MAX - looked);
    const found = await store.lists.page(client, list, { fromMs: from, toMs: to }, after, part + 1);
    const records = await Promise.all(found.slice(0, part).map(({ id }) => read(id)));
    let seen = 0;
    while (seen < records.length && items.length < limit) {
      const record = records[seen]!;
      after = found[seen]!.place;
      if (record !== undefined && matches(record)) items.push(record);
      seen++;
    }
    looked += seen;
    isMore = seen < found.length;
  }
  return { items, nextCursor: isMore && after !== undefined ? writeCursor(store.subKey, scope, after) : '' };
}

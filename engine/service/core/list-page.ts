/** One page of what a client has created, newest first. */
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
  /** What `matches` goes by, beside the period. */
  readonly filters: CursorScope['filters'];
  read(id: string): Promise<Item | undefined>;
  matches(item: Item): boolean;
}

/**
 * What was there when the first page was read comes once each, whatever is created meanwhile: its place never changes. Of records that
 * do not match, a request looks at LOOKED_AT_MAX. Refuses with VALIDATION_FAILED a cursor that is none of this list.
 */
export async function listPage<Item>(
  { store }: Services,
  client: Client,
  { from, to, limit, cursor }: ListAsked,
  { list, filters, read, matches }: Listed<Item>,
): Promise<Page<Item> | Refusal> {
  const scope = { clientId: client.id, list, filters: { ...filters, from, to } };
  // An empty one is where a client begins that counts on getting one.
  let after = cursor ? readCursor(store.subKey, scope, cursor) : undefined;
  if (isRefusal(after)) return after;

  const items: Item[] = [];
  let isMore = true;
  for (let looked = 0; isMore && items.length < limit && looked < LOOKED_AT_MAX; ) {
    // What few records pass is read in larger and larger parts.
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

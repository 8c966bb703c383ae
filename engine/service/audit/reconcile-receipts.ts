/** Over all keys: every receipt against its record and journal entry, every open hold against the lists, every ledger against its client. */

import type { Client } from '../../store/access/clients.js';
import type { KeptReceipt } from '../../store/audit/ledger-audit.js';
import type { Services } from '../core/services.js';
import { DifferenceList } from './difference-list.js';
import type { Difference } from './ledger-replay.js';
import type { Pace } from './reconcile-client.js';

/** Of one client, or of all at once: the store is gone through once in either case. */
export async function reconcileReceipts(
  { store }: Services,
  client: Client | undefined,
  pace: Pace,
): Promise<{ readonly differences: DifferenceList; readonly receipts: number }> {
  const differences = new DifferenceList();
  /** A ledger has several keys. */
  const missed = new Set<string>();
  let receipts = 0;
  let cursor = '0';
  do {
    const page = await store.ledgerAudit.keyspace(client, cursor, pace.page, store.clock.steps);
    for (const receipt of page.receipts) differences.add(differencesOf(receipt));
    for (const { clientId, id, isOpen, isDue } of page.unlisted) {
      const differs = (what: string) => differences.add([{ client: clientId, what, expected: 'there', found: 'none' }]);
      if (!isOpen) differs(`open holds: ${id}`);
      if (!isDue) differs(`due list: hold ${id}`);
    }
    for (const { id, shard } of page.ledgers) {
      const holder = await store.clients.get(id);
      if (holder?.shard === shard) {
        // No round over all clients would look at it.
        const isMissed = !missed.has(id) && !(await store.clients.isListed(id));
        if (isMissed) differences.add([{ client: id, what: 'list of clients', expected: id, found: 'none' }]);
        if (isMissed) missed.add(id);
        continue;
      }
      const found = holder === undefined ? 'none' : `in shard ${holder.shard}`;
      differences.add([{ client: id, what: 'record of the client', expected: `in shard ${shard}`, found }]);
    }
    receipts += page.receipts.length;
    cursor = page.cursor;
    await pace.pause();
  } while (cursor !== '0');
  return { differences, receipts };
}

const KINDS = { booking: 'a conversion', funding: 'a funding', payment: 'a payment' } as const;

function differencesOf({ clientId, requestId, kind, id, record, isJournalled, ends }: KeptReceipt): Difference[] {
  const differs = (what: string, expected: string, found: string) => [{ client: clientId, what, expected, found }];
  const receipt = `receipt ${requestId}`;
  if (record === undefined) return differs(receipt, KINDS[kind], `${id}, which there is not`);
  if (record.requestId !== requestId) return differs(receipt, `${id} under ${record.requestId}`, id);
  if (!isJournalled) return differs(`${kind} ${id}: journal entry`, record.entry || 'one', 'none');
  return ends ? [] : differs(`${receipt}: end`, 'within 7 days', 'never');
}

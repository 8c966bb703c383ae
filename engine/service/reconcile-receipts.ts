/** The way back: every receipt that names a conversion, a funding or a payment against that one and its journal entry. */
import type { Client } from '../store/clients.js';
import type { KeptReceipt } from '../store/ledger-audit.js';
import { DifferenceList } from './difference-list.js';
import type { Difference } from './ledger-replay.js';
import type { Pace } from './reconcile-client.js';
import type { Services } from './services.js';

/** Of one client, or of all at once: the store is gone through once in either case. */
export async function reconcileReceipts(
  { store }: Services,
  client: Client | undefined,
  pace: Pace,
): Promise<{ readonly differences: DifferenceList; readonly receipts: number }> {
  const differences = new DifferenceList();
  let receipts = 0;
  let cursor = '0';
  do {
    const page = await store.ledgerAudit.receipts(client, cursor, pace.page);
    for (const receipt of page.receipts) differences.add(differencesOf(receipt));
    receipts += page.receipts.length;
    cursor = page.cursor;
    await pace.pause();
  } while (cursor !== '0');
  return { differences, receipts };
}

const KINDS = { booking: 'a conversion', funding: 'a funding', payment: 'a payment' } as const;

function differencesOf({ clientId, requestId, kind, id, record, isJournalled }: KeptReceipt): Difference[] {
  const differs = (what: string, expected: string, found: string) => [{ client: clientId, what, expected, found }];
  const receipt = `receipt ${requestId}`;
  if (record === undefined) return differs(receipt, KINDS[kind], `${id}, which there is not`);
  if (record.requestId !== requestId) return differs(receipt, `${id} under ${record.requestId}`, id);
  if (!isJournalled) return differs(`${kind} ${id}: journal entry`, record.entry || 'one', 'none');
  return [];
}

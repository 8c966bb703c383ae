/** The way back: every receipt that names a conversion against that conversion and its journal entry. */
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

function differencesOf({ clientId, requestId, confirmationId, booking, isJournalled }: KeptReceipt): Difference[] {
  const differs = (what: string, expected: string, found: string) => [{ client: clientId, what, expected, found }];
  const receipt = `receipt ${requestId}`;
  if (booking === undefined) return differs(receipt, 'a conversion', `${confirmationId}, which there is not`);
  if (booking.requestId !== requestId)
    return differs(receipt, `${confirmationId} under ${booking.requestId}`, confirmationId);
  if (!isJournalled) return differs(`booking ${confirmationId}: journal entry`, booking.entry || 'one', 'none');
  return [];
}

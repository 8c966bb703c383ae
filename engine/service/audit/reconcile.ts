import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { fileFault, refuse } from '../../domain/core/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { HOUSE, type MoneyOf } from '../../store/keys/redis-keys.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { clientReplay, DIRECTORY } from './archive-journal.js';
import { LedgerReplay } from './ledger-replay.js';
import type { Pace } from './list-pages.js';
import type { JournalReplay } from './recompute.js';
import { DifferenceList, reconcileClient, reconcileReceipts, reconcileShards } from './reconcile-client.js';
import { reconcileHolds } from './reconcile-holds.js';
import { HouseReplay, reconcileHouse } from './reconcile-house.js';
import { replayArchive } from './replay-archive.js';
import { reconcileShares } from './share-replay.js';

const PACE: Pace = { page: 500, pause: () => turn() };

/**
 * Compares balances, journal and receipts of one client or of all (and of the house's cover deals), while trading continues, and names every difference. With a directory it
 * also replays the journal archive. Refuses with UNKNOWN_CLIENT; VALIDATION_FAILED for an unreadable directory.
 */
export const reconcile = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID.optional(),
    /** Of the journal archive: replayed from its first file. */
    directory: DIRECTORY.optional(),
  }),
  execute: reconcileStore,
});

async function reconcileStore(
  services: Services,
  _operator: unknown,
  { clientId, directory }: { readonly clientId?: string | undefined; readonly directory?: string | undefined },
) {
  const client = clientId === undefined ? undefined : await services.store.clients.get(clientId);
  if (clientId !== undefined && client === undefined) return refuse('UNKNOWN_CLIENT');
  const differences = new DifferenceList();
  let clients = 0;
  let entries = 0;
  let archivedEntries = 0;
  const whole = services.progress && (await entriesOf(services, client));
  for await (const one of client ? [client] : everyClient(services)) {
    const replay = new LedgerReplay(one.id);
    const archive = await archiveOf(services, one, directory, clientReplay(services, one, replay));
    if (archive && 'refusal' in archive) return archive;
    if (archive) {
      differences.add(archive.differences);
      archivedEntries += archive.entries;
    }
    const before = entries;
    const pace = reportingPace(services, one, () => {
      entries += PACE.page;
      return entries / (whole || 1);
    });
    const reconciled = await reconcileClient(services, one, archive?.isWhole ? replay : undefined, pace);
    differences.addAll(reconciled.differences);
    entries = before + reconciled.entries;
    clients++;
  }
  if (client === undefined) {
    const replay = new HouseReplay(services.store);
    const archive = await archiveOf(services, HOUSE, directory, replay);
    if (archive && 'refusal' in archive) return archive;
    if (archive) {
      differences.add(archive.differences);
      archivedEntries += archive.entries;
    }
    const house = await reconcileHouse(services, PACE, archive?.isWhole ? replay : undefined);
    differences.addAll(house.differences);
    entries += house.entries;
  }
  const read = await reconcileReceipts(services, client, PACE);
  differences.addAll(read.differences);
  if (client === undefined) differences.add(await reconcileShards(services, PACE));
  differences.add(await reconcileShares(services, client));
  differences.add(await reconcileHolds(services, client));
  const lookupsWithoutRecord = client === undefined ? await lostLookups(services) : 0;
  return {
    clients,
    journalEntries: entries,
    archivedEntries,
    receipts: read.receipts,
    /**
     * Keys that lead from a number to a client but to no record, left by a process that ended in between. Counted when all clients are
     * reconciled.
     */
    lookupsWithoutRecord,
    /** The total; the first thousand are named. */
    count: differences.count,
    differences: differences.shown,
  };
}

async function lostLookups({ store }: Services): Promise<number> {
  let lost = 0;
  for (let cursor: string | undefined; cursor !== '0'; ) {
    const page = await store.lookupAudit.withoutRecord(cursor ?? '0', PACE.page, store.clients.cached);
    lost += page.found;
    cursor = page.cursor;
    await PACE.pause();
  }
  return lost;
}

/** Undefined: no directory is given, or nothing was archived. */
async function archiveOf(services: Services, client: MoneyOf, directory: string | undefined, replay: JournalReplay) {
  if (directory === undefined) return undefined;
  try {
    return await replayArchive(services, client, directory, replay);
  } catch (error) {
    return fileFault(error, 'archive', directory);
  }
}

/** Reports progress after each page. */
function reportingPace({ progress }: Services, { id }: Client, part: () => number): Pace {
  if (progress === undefined) return PACE;
  const pause = () => {
    progress(`journal of ${id}`, Math.min(1, part()));
    return PACE.pause();
  };
  return { ...PACE, pause };
}

async function entriesOf(services: Services, client: Client | undefined): Promise<number> {
  let entries = 0;
  for await (const one of client ? [client] : everyClient(services))
    entries += await services.store.journal.length(one);
  return entries;
}

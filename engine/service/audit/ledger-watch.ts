/** The engine's own reconciliation, in small slices beside its other work; metrics report what it finds. */
import { receivablesOf } from '../../store/accounts/accounts.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import type { LedgerReplay } from './ledger-replay.js';
import type { Pace } from './list-pages.js';
import { DifferenceList, reconcileClient, reconcileReceipts, reconcileShards } from './reconcile-client.js';
import { reconcileHouse } from './reconcile-house.js';
import { reconcileShares } from './share-replay.js';

const WHOLE_EVERY_MS = 24 * 60 * 60 * 1_000;

/** The result of the last complete round, over all clients. */
export interface LedgerSeen {
  readonly differences: number;
  /** When the round ended, epoch ms. */
  readonly atMs: number;
  readonly journalEntries: number;
  readonly openHolds: number;
  readonly overdue: number;
  /** The number of currencies with a receivable, summed over the clients. */
  readonly receivables: number;
  /** Time of the last step of the payment that has been without work for longest, epoch ms; undefined: none is. */
  readonly lostSinceMs: number | undefined;
  /** Batches that have not ended. */
  readonly openBatches: number;
  /** Since when the batch in process that has waited longest has drawn no item, epoch ms; undefined: none is in process. */
  readonly batchIdleSinceMs: number | undefined;
}

/**
 * The first round, and one each day, replay every journal from its beginning and check all receipts, the positions of all shards, and cover. The rounds between replay new entries
 * only, except for clients with a difference, which are replayed from the beginning until there is none.
 */
export class LedgerWatch {
  readonly #services: Services;
  readonly #played = new Map<string, LedgerReplay>();
  #wholeAtMs: number | undefined;
  #receiptDifferences = 0;
  /** Clients of the last complete round. */
  #ids = new Set<string>();
  /** Undefined before the first round has ended. */
  seen: LedgerSeen | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async round(pace: Pace): Promise<void> {
    const services = this.#services;
    const beganAtMs = services.now();
    const isWhole = this.#wholeAtMs === undefined || beganAtMs - this.#wholeAtMs >= WHOLE_EVERY_MS;
    if (isWhole) this.#played.clear();

    const found = { journalEntries: 0, openHolds: 0, overdue: 0, receivables: 0, openBatches: 0 };
    const differences = new DifferenceList();
    const ids = new Set<string>();
    let lostSinceMs: number | undefined;
    let batchIdleSinceMs: number | undefined;
    for await (const client of everyClient(services)) {
      ids.add(client.id);
      const earlier = this.#played.get(client.id);
      // An interrupted round has no result: the next one starts again.
      this.#played.delete(client.id);
      const { snapshot, replay, lost, batches, ...reconciled } = await reconcileClient(services, client, earlier, pace);
      if (reconciled.differences.count === 0) this.#played.set(client.id, replay);
      else services.log.error({ client: client.id, differences: reconciled.differences.count }, DIFFERS);
      differences.addAll(reconciled.differences);
      found.journalEntries += snapshot.entries;
      found.openHolds += snapshot.openHolds;
      for (const { sinceMs } of lost) lostSinceMs = Math.min(sinceMs, lostSinceMs ?? sinceMs);
      found.openBatches += batches.count;
      if (batches.idleMs !== undefined) {
        const sinceMs = services.now() - batches.idleMs;
        batchIdleSinceMs = Math.min(sinceMs, batchIdleSinceMs ?? sinceMs);
      }
      found.overdue += Object.keys(snapshot.overdue).length;
      found.receivables += receivablesOf(snapshot.balances).length;
      await pace.pause();
    }
    // A client is never deleted: one that is missing from the list still has its ledger.
    const hasLost = [...this.#ids].some((id) => !ids.has(id));
    if (isWhole || hasLost || this.#receiptDifferences > 0) {
      const receipts = await reconcileReceipts(services, undefined, pace);
      receipts.differences.add(await reconcileShards(services, pace));
      receipts.differences.add(await reconcileShares(services, undefined));
      receipts.differences.addAll((await reconcileHouse(services, pace)).differences);
      this.#receiptDifferences = receipts.differences.count;
      if (this.#receiptDifferences > 0) services.log.error({ receipts: this.#receiptDifferences }, DIFFERS);
    }
    this.#ids = ids;
    if (isWhole) this.#wholeAtMs = beganAtMs;
    this.seen = {
      ...found,
      lostSinceMs,
      batchIdleSinceMs,
      differences: differences.count + this.#receiptDifferences,
      atMs: services.now(),
    };
  }
}

const DIFFERS = 'balances, journal and receipts do not agree: `npx ratewire reconcile` names what differs';

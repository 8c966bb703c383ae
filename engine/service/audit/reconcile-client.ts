/** Reconciles one client: balances with the journal, and the journal with conversions, fundings, payments, receipts and deposits. */
import type { Client } from '../../store/access/clients.js';
import type { KeptReceipt } from '../../store/audit/ledger-audit.js';
import type { LedgerSnapshot } from '../../store/audit/ledger-snapshot.js';
import type { LostPayment } from '../../store/audit/work-audit.js';
import { HOUSE, SHARDS } from '../../store/keys/redis-keys.js';
import { isBefore } from '../../store/ledger/journal.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { ENDED } from './journal-steps.js';
import { LedgerReplay } from './ledger-replay.js';
import { listPages, type Pace } from './list-pages.js';
import { compareShard } from './position-replay.js';
import { type Difference, type Differing, shown } from './recompute.js';
import { compareBatches, type OpenBatches, walkBatches } from './reconcile-batches.js';
import { compareBeneficiaries } from './reconcile-beneficiaries.js';
import { compareDeliveries } from './reconcile-deliveries.js';
import { compareEvents } from './reconcile-events.js';

export interface ClientReconciled {
  readonly differences: DifferenceList;
  /** Number of journal entries played. */
  readonly entries: number;
  readonly snapshot: LedgerSnapshot;
  /** Payments without the work entry that would continue them. */
  readonly lost: readonly LostPayment[];
  readonly batches: OpenBatches;
  /** Pass it in again to continue from here. */
  readonly replay: LedgerReplay;
}

/** Retries when an archive overtakes the read: only one with `insist` archives entries that recent, and rarely more often than this. */
const READS_MAX = 5;

/**
 * Safe while bookings and an archive run: everything compared belongs to one moment, or cannot have changed since. `earlier` is a replay
 * without differences up to some entry; only later entries are played now. Without it, the balances after the last archived entry represent
 * the archived part.
 */
export async function reconcileClient(
  services: Services,
  client: Client,
  earlier: LedgerReplay | undefined,
  pace: Pace,
): Promise<ClientReconciled> {
  for (let reads = 1; ; reads++) {
    const found = await reconcileOnce(services, client, earlier, pace);
    const until = await services.store.journalArchive.until(client);
    if (!isBefore(found.snapshot.lastEntry, until) || reads === READS_MAX) return found;
  }
}

async function reconcileOnce(
  services: Services,
  client: Client,
  earlier: LedgerReplay | undefined,
  pace: Pace,
): Promise<ClientReconciled> {
  const { ledgerAudit, journal, journalArchive } = services.store;
  const fromArchive = async () => new LedgerReplay(client.id, await journalArchive.read(client));
  const snapshot = await ledgerAudit.snapshot(client);
  const { lastEntry, serverMs } = snapshot;
  let replay = earlier && !isBefore(lastEntry, earlier.position) ? earlier : await fromArchive();
  const differences = new DifferenceList();
  let entries = 0;
  while (isBefore(replay.position, lastEntry)) {
    const page = await journal.page(client, replay.position, lastEntry, pace.page);
    // Checked after the page was read: the page has all entries that were not archived at that time.
    if (isBefore(replay.position, await journalArchive.until(client))) {
      replay = await fromArchive();
      continue;
    }
    if (page.length === 0) break;
    differences.add(replay.take(await ledgerAudit.evidence(client, page), serverMs));
    entries += page.length;
    await pace.pause();
  }
  differences.add(replay.compare(snapshot));
  await compareOpen(services, client, replay, lastEntry, pace, differences);
  const addAll = (differing: readonly Differing[]) => {
    for (const [what, expected, found] of differing)
      differences.add([{ client: client.id, what: shown(what), expected: shown(expected), found: shown(found) }]);
  };
  const batches = await compareBatches(services, client, Object.keys(snapshot.balances));
  addAll(batches.differing);
  const lost = await lostPayments(services, client, replay, pace, differences);
  if (replay !== earlier) {
    await walkLists(services, client, pace, differences);
    addAll(await compareBeneficiaries(services, client, pace));
    addAll(await walkBatches(services, client, pace));
    differences.add(await compareEvents(services, client, lastEntry, pace));
    addAll(await compareDeliveries(services, client, pace));
    await compareAstray(services, client, Object.keys(snapshot.accounts), pace, differences);
  }
  return { differences, entries, snapshot, replay, lost, batches: batches.open };
}

async function lostPayments(
  { store }: Services,
  client: Client,
  replay: LedgerReplay,
  pace: Pace,
  differences: DifferenceList,
): Promise<LostPayment[]> {
  const ids = [...replay.underWay];
  const lost: LostPayment[] = [];
  for (let from = 0; from < ids.length; from += pace.page) {
    lost.push(...(await store.workAudit.lost(client, ids.slice(from, from + pace.page))));
    await pace.pause();
  }
  for (const { id, status } of lost) {
    const expected = status === 'AWAITING_FUNDS' ? 'a time at which it is given up' : 'work, or a time for it';
    differences.add([{ client: client.id, what: `payment ${id}: next step`, expected, found: 'none' }]);
  }
  return lost;
}

/** The reverse direction: each listed record exists, with the journal entry of its creation. */
async function walkLists({ store }: Services, client: Client, pace: Pace, differences: DifferenceList): Promise<void> {
  for (const [list, kind] of LISTS) {
    for await (const ids of listPages(store, client, list, pace)) {
      for (const { id, record, isJournalled } of await store.ledgerAudit.listed(client, list, ids)) {
        const differs = (what: string, expected: string) =>
          differences.add([{ client: client.id, what, expected, found: 'none' }]);
        if (record === undefined) differs(`list of ${list}: record of ${id}`, `a ${kind}`);
        else if (!isJournalled) differs(`list of ${list}: journal entry of ${id}`, record.entry || 'one');
      }
    }
  }
}

/** Other keys that must refer to this client's records: the client of each account number, and the records of its open holds. */
async function compareAstray(
  { store }: Services,
  client: Client,
  names: readonly string[],
  pace: Pace,
  differences: DifferenceList,
): Promise<void> {
  // The hash also has fields such as `default:EUR`.
  const numbers = names.filter((name) => /^\d+$/.test(name));
  const { accounts, holds } = await store.ledgerAudit.astray(client, numbers, store.clock.now(client));
  const differs = (what: string, expected: string, found = 'none') =>
    differences.add([{ client: client.id, what, expected, found }]);
  for (const { number, clientId } of accounts) differs(`account ${number}: client`, client.id, clientId);
  for (const id of holds) differs(`open holds: record of ${id}`, 'a hold');
  for (const { holdId, expected, found } of await store.ledgerAudit.misreserved(client, store.clock.now(client)))
    differs(`hold ${holdId}: reserved for`, expected ?? 'no payment', found && shown(found));
  await pace.pause();
}

const LISTS = [
  ['bookings', 'booking'],
  ['payments', 'payment'],
  ['fundings', 'funding'],
  ['changes', 'change'],
] as const;

async function compareOpen(
  { store }: Services,
  client: Client,
  replay: LedgerReplay,
  lastEntry: string,
  pace: Pace,
  differences: DifferenceList,
): Promise<void> {
  const ids = [...replay.open];
  for (let from = 0; from < ids.length; from += pace.page) {
    const now = await store.ledgerAudit.open(client, ids.slice(from, from + pace.page));
    const suspects = replay.compareOpen(now, new Set());
    // Conversions that settled during the comparison have an entry after the last one played.
    if (suspects.length > 0) {
      const movedOn = await journalledSince(store.journal, client, lastEntry, pace);
      differences.add(replay.compareOpen(now, movedOn));
    }
    await pace.pause();
  }
}

async function journalledSince(
  journal: Services['store']['journal'],
  client: Client,
  after: string,
  pace: Pace,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let from = after; ; ) {
    const page = await journal.page(client, from, '+', pace.page);
    for (const { step, id } of page) if (step in ENDED || step === 'date-fx') ids.add(id);
    if (page.length < pace.page) return ids;
    from = page.at(-1)!.entry;
  }
}

/** For one client or for all: either way the store is scanned once. */
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
      if (id === HOUSE.id && shard === HOUSE.shard) continue;
      const holder = await store.clients.get(id);
      if (holder?.shard === shard) {
        // No round over all clients would find it.
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

/** Clients that are created and book during a comparison would count as differences. */
const SHARD_READS_MAX = 3;

/** The position of each shard is the sum of those of its clients, and of the house's own. */
export async function reconcileShards(services: Services, pace: Pace): Promise<Difference[]> {
  const { positions } = services.store;
  let differing: Difference[] = [];
  let shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  for (let reads = 1; shards.length > 0 && reads <= SHARD_READS_MAX; reads++) {
    const idsOf = new Map<number, string[]>(shards.map((shard) => [shard, []]));
    idsOf.get(HOUSE.shard)?.push(HOUSE.id);
    for await (const { id, shard } of everyClient(services)) idsOf.get(shard)?.push(id);
    differing = [];
    for (const [shard, ids] of idsOf) {
      const hashes = await positions.hashes(shard, ids);
      for (const [what, expected, found] of compareShard(hashes.shard, hashes.clients))
        differing.push({ client: `shard ${shard}`, what: shown(what), expected: shown(expected), found: shown(found) });
      await pace.pause();
    }
    shards = shards.filter((shard) => differing.some(({ client }) => client === `shard ${shard}`));
  }
  return differing;
}

const KINDS = {
  booking: 'a conversion',
  change: 'a change of a conversion',
  funding: 'a funding',
  payment: 'a payment',
} as const;

function differencesOf({ clientId, requestId, kind, id, record, isJournalled, ends }: KeptReceipt): Difference[] {
  const differs = (what: string, expected: string, found: string) => [{ client: clientId, what, expected, found }];
  const receipt = `receipt ${requestId}`;
  if (record === undefined) return differs(receipt, KINDS[kind], `${id}, which there is not`);
  if (record.requestId !== requestId) return differs(receipt, `${id} under ${record.requestId}`, id);
  if (!isJournalled) return differs(`${kind} ${id}: journal entry`, record.entry || 'one', 'none');
  return ends ? [] : differs(`${receipt}: end`, 'within 7 days', 'never');
}

const SHOWN_MAX = 1_000;

/** Differences without duplicates; the first thousand are kept, the others counted. */
export class DifferenceList {
  readonly shown: Difference[] = [];
  readonly #names = new Set<string>();
  count = 0;

  add(found: readonly Difference[]): void {
    for (const difference of found) {
      const name = JSON.stringify(difference);
      if (this.#names.has(name)) continue;
      this.count++;
      if (this.shown.length >= SHOWN_MAX) continue;
      this.#names.add(name);
      this.shown.push(difference);
    }
  }

  addAll(other: DifferenceList): void {
    this.add(other.shown);
    this.count += other.count - other.shown.length;
  }
}

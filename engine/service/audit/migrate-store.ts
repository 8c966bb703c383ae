/** Converts a store from the form of an earlier release: reconciled before, and again after. */
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { StoreStartError } from '../../store/connection/errors.js';
import { HOUSE, SHARDS } from '../../store/keys/redis-keys.js';
import type { PositionFields } from '../../store/ledger/positions.js';
import type { Converted } from '../../store/migration/migration.js';
import { defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { PositionReplay } from './position-replay.js';
import { reconcileStore } from './reconcile.js';
import { storedBookings } from './reconcile-client.js';

const AT_ONCE = 200;

/**
 * Refuses with WRONG_STATE while an engine or a sidecar runs, for a store that does not agree with itself, and for a record that cannot be
 * read; then nothing more is converted, and no program opens a store that is converted in part. The same command continues it.
 */
export const migrateStore = defineOpenOperation({
  input: z.object({}),
  audited: {
    subject: () => 'form of the store',
    state: async ({ store }) => ({ form: await store.migration.state() }),
  },
  async execute(services) {
    const { migration } = services.store;
    const found = await migration.state();
    const nothing = { bookings: 0, receipts: 0, payments: 0 };
    if (found === 'unknown')
      return refuse('WRONG_STATE', 'The store is of a later form: install the newest release, and give its command');
    if (found === 'current') return { found, ...nothing, clients: 0, journalEntries: 0 };
    // First: from now on no program of this release starts.
    const form = await migration.begin();
    const before = (await inUse(services)) ?? (await agreed(during(services, 0, 0.3), 'before'));
    if (isRefusal(before)) {
      if (found === 'earlier') await migration.abandon(form);
      return before;
    }
    const converted = await convertAll(during(services, 0.3, 0.7), before.records);
    if (isRefusal(converted)) return converted;
    await writePositions(during(services, 0.7, 0.8), before.clients);
    const after = await agreed(during(services, 0.8, 1), 'after');
    if (isRefusal(after)) return after;
    await migration.finish();
    const { clients, journalEntries } = after;
    return { found, ...converted, clients, journalEntries };
  },
});

async function inUse({ store }: Services): Promise<Refusal | undefined> {
  const running = await store.ports.change({});
  if (running.length > 0)
    return refuse(
      'WRONG_STATE',
      `Running: ${running.join(', ')}. Stop every engine and sidecar first; one that was killed counts for 30 seconds`,
    );
  if (await store.migration.isInUse())
    return refuse('WRONG_STATE', 'An engine runs: stop every engine and sidecar first');
  return undefined;
}

/** Progress as a part of the whole. */
function during(services: Services, from: number, to: number): Services {
  const { progress } = services;
  return progress === undefined
    ? services
    : { ...services, progress: (done, part) => progress(done, from + (to - from) * part) };
}

/** All records, `expected` at most, in passes until one finds nothing: a record that a scan has missed is found by the next. */
async function convertAll({ store, progress }: Services, expected: number): Promise<Converted | Refusal> {
  const sum = { bookings: 0, receipts: 0, payments: 0 };
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (let cursor: string | undefined; cursor !== '0'; ) {
      const page = await converted(() => store.migration.convert(cursor ?? '0', AT_ONCE));
      if (isRefusal(page)) return page;
      sum.bookings += page.bookings;
      sum.receipts += page.receipts;
      sum.payments += page.payments;
      if (page.bookings + page.receipts + page.payments > 0) isDone = false;
      cursor = page.cursor;
      progress?.(
        `${sum.bookings} conversions, ${sum.receipts} receipts, ${sum.payments} payments`,
        (sum.bookings + sum.receipts + sum.payments) / Math.max(1, expected),
      );
      await turn();
    }
  }
  return sum;
}

/** From the conversions: of every client, then of every shard as their sum. Written anew after an interruption. */
async function writePositions(services: Services, expected: number): Promise<void> {
  const { store, progress } = services;
  const now = services.now();
  const shards = Array.from({ length: SHARDS }, () => new PositionReplay());
  let clients = 0;
  for await (const client of everyClient(services)) {
    const position = new PositionReplay();
    for await (const booking of storedBookings(store, client)) position.counted(booking);
    const { folded, lines } = position.stateAt(now);
    await store.positions.replace(client, hashOf(folded, lines));
    shards[client.shard]!.addLines(lines);
    progress?.(`positions of ${++clients} clients`, Math.min(1, clients / Math.max(1, expected)));
    await turn();
  }
  // Its deals were booked with their positions: earlier forms know no such deals.
  const {
    clients: [house = {}],
  } = await store.positions.hashes(HOUSE.shard, [HOUSE.id]);
  const { folded: _, ...own } = house;
  shards[HOUSE.shard]!.addLines(own);
  for (const [shard, position] of shards.entries()) {
    const { folded, lines } = position.stateAt(now);
    await store.positions.replace({ shard }, hashOf(folded, lines, { last: 'migrated' }));
  }
}

const hashOf = (folded: string, lines: PositionFields, more?: PositionFields): PositionFields =>
  Object.keys(lines).length === 0 ? {} : { ...lines, folded, ...more };

async function converted<Page>(convert: () => Promise<Page>): Promise<Page | Refusal> {
  try {
    return await convert();
  } catch (error) {
    if (error instanceof StoreStartError) return refuse('WRONG_STATE', error.message);
    throw error;
  }
}

/** Refuses with the first difference. */
async function agreed(services: Services, when: 'before' | 'after') {
  // Before the conversion there are none, or some of an interrupted one.
  const report = await reconcileStore(services, {}, when === 'after');
  if (isRefusal(report)) return report;
  const { clients, journalEntries, archivedEntries, receipts, count, differences } = report;
  const [first] = differences;
  const records = journalEntries + archivedEntries + receipts;
  if (first === undefined) return { clients, journalEntries, records };
  const { client, what, expected, found } = first;
  const rest = count > 1 ? `; ${count - 1} more` : '';
  const remedy =
    when === 'before'
      ? 'nothing was converted. Repair it with the release that wrote it'
      : 'keep the copy, and report it';
  return refuse('WRONG_STATE', `client ${client}: ${what}: expected ${expected}, found ${found}${rest}: ${remedy}`);
}

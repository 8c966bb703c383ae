import { z } from 'zod';
import type { JournalledList } from '../../store/keys/redis-keys.js';
import { defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';

/**
 * Bytes of one record with its index and journal entries, in memory and in the append-only file until its next rewrite: measured by
 * benchmarks/record-size.ts.
 */
const BYTES_EACH: Readonly<Record<Kind, { readonly memory: number; readonly file: number }>> = {
  bookings: { memory: 940, file: 1_300 },
  payments: { memory: 1_860, file: 2_670 },
  fundings: { memory: 1_820, file: 2_680 },
  // Of a conversion by its client, its amendment included.
  changes: { memory: 680, file: 2_380 },
  // Until it is paid, beside its change.
  gains: { memory: 360, file: 40 },
  // Of what scheduled conversions sell: one of each client, and one of each group.
  sums: { memory: 150, file: 180 },
};
type Kind = JournalledList | 'gains' | 'sums';
const LISTS = ['bookings', 'payments', 'fundings', 'changes'] as const;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Above this part of its maxmemory a store rejects new commands. */
const FULL = 0.95;

/**
 * The contents and capacity of the store, the size of so many more records, and when it is full at the rate of the last seven days. Uses
 * the measured bytes per record; of a cluster all nodes are summed, although the fullest one decides.
 */
export const forecastStore = defineOpenOperation({
  input: z.object({ records: z.int().min(1).max(1_000_000_000).default(10_000_000) }),
  async execute(services, _operator, { records }) {
    const { store, now } = services;
    const fromMs = now() - WEEK_MS;
    const kinds = LISTS.map((list) => ({ list, stored: 0, addedInWeek: 0 }));
    // They end, or are one of each client: no pace is theirs.
    const beside = { gains: 0, sums: 0 };
    for await (const client of everyClient(services)) {
      const counts = await Promise.all(LISTS.map((list) => store.lists.count(client, list, { fromMs })));
      for (const [i, { all, within }] of counts.entries()) {
        kinds[i]!.stored += all;
        kinds[i]!.addedInWeek += within;
      }
      const { gains, sums } = await store.lists.beside(client);
      beside.gains += gains;
      beside.sums += sums;
    }
    const servers = store.servers().map(({ name, memory }) => ({
      name,
      usedBytes: memory?.usedBytes,
      maxBytes: memory?.maxBytes,
      fileBytes: memory?.fileBytes,
    }));
    const free = servers.map(({ usedBytes, maxBytes }) =>
      usedBytes === undefined || maxBytes === undefined ? undefined : Math.max(0, FULL * maxBytes - usedBytes),
    );
    const freeBytes = free.includes(undefined) ? undefined : free.reduce((sum, one) => sum! + one!, 0);
    const perDay = kinds.reduce((sum, { list, addedInWeek }) => sum + (addedInWeek * BYTES_EACH[list].memory) / 7, 0);
    return {
      servers,
      records: [
        ...kinds,
        ...(['gains', 'sums'] as const).map((list) => ({ list, stored: beside[list], addedInWeek: undefined })),
      ].map(({ list, stored, addedInWeek }) => {
        const { memory, file } = BYTES_EACH[list];
        return {
          record: list,
          stored,
          addedInWeek,
          memoryBytesEach: memory,
          fileBytesEach: file,
          forecastRecords: records,
          forecastMemoryBytes: records * memory,
          forecastFileBytes: records * file,
          stillFit: freeBytes === undefined ? undefined : Math.floor(freeBytes / memory),
        };
      }),
      daysUntilFull: freeBytes === undefined || perDay === 0 ? undefined : Math.floor(freeBytes / perDay),
    };
  },
});

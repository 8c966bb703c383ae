/**
 * Work on the ledger that the engine starts itself: due entries each second, every two minutes a reconciliation in small slices, and every
 * hour the events that are no longer kept.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerWatch } from '../../service/audit/ledger-watch.js';
import type { Services } from '../../service/core/services.js';
import { type KeptEvents, keepEvents } from '../../service/events/index.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import { type SettledRound, settleDue } from './settle-due.js';

export interface LedgerScheduler {
  /** Counted since the start. */
  readonly settled: { settled: number; overdue: number; expired: number };
  /** Entries that the last round left due, at least; 0 when it processed all. */
  backlog(): number;
  readonly watch: LedgerWatch;
  /** Undefined before the first round has ended. */
  keptEvents(): KeptEvents | undefined;
  stop(): Promise<void>;
}

const SETTLE_EVERY_MS = 1_000;
/** Entries of one shard in one round, and the pause before the next round when a shard had that many. */
const SETTLE_MAX = 50;
const SETTLE_MORE_MS = 20;
const RECONCILE_FIRST_MS = 3_000;
const RECONCILE_EVERY_MS = 120_000;
/** A slice takes about a millisecond of the event loop; the pauses leave the loop to the ticks. */
const SLICE = 20;
const SLICE_PAUSE_MS = 20;
const EVENTS_FIRST_MS = 60_000;
const EVENTS_EVERY_MS = 3_600_000;

export function startLedgerScheduler(
  services: Services,
  eventsKept: Parameters<typeof keepEvents>[1] = { days: 30, most: 100_000 },
): LedgerScheduler {
  const settled = { settled: 0, overdue: 0, expired: 0 };
  let backlog = 0;
  const watch = new LedgerWatch(services);

  const settle = async (): Promise<number> => {
    const round: SettledRound = await settleDue(services, SETTLE_MAX);
    for (const outcome of ['settled', 'overdue', 'expired'] as const) settled[outcome] += round[outcome];
    backlog = round.isFull ? round.due : 0;
    return round.isFull ? SETTLE_MORE_MS : SETTLE_EVERY_MS;
  };
  const reconcile = async (signal: AbortSignal): Promise<number> => {
    await watch.round({ page: SLICE, pause: () => pause(SLICE_PAUSE_MS, undefined, { signal }) });
    return RECONCILE_EVERY_MS;
  };
  let keptEvents: KeptEvents | undefined;
  const keep = async (signal: AbortSignal): Promise<number> => {
    keptEvents = await keepEvents(services, eventsKept, () => pause(SLICE_PAUSE_MS, undefined, { signal }));
    return EVENTS_EVERY_MS;
  };
  /** The steps enforce the number themselves, as they append. */
  const bound = async (): Promise<number> => {
    await services.store.events.keepAtMost(eventsKept.most);
    return EVENTS_EVERY_MS;
  };
  const stops = [
    repeat(services, 0, SETTLE_EVERY_MS, settle),
    repeat(services, RECONCILE_FIRST_MS, RECONCILE_EVERY_MS, reconcile),
    repeat(services, 0, EVENTS_EVERY_MS, bound),
    repeat(services, EVENTS_FIRST_MS, EVENTS_EVERY_MS, keep),
  ];
  return {
    settled,
    backlog: () => backlog,
    watch,
    keptEvents: () => keptEvents,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/**
 * Repeats `round`, which returns the pause before the next one; never two at a time, and none during a store outage. The returned function
 * stops the repetition and waits for the round in progress.
 */
function repeat(
  { store, log }: Services,
  firstMs: number,
  againMs: number,
  round: (signal: AbortSignal) => Promise<number>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const once = async (): Promise<number> => {
    if (!store.isUp()) return STORE_DOWN_RETRY_MS;
    try {
      return await round(signal);
    } catch (error) {
      if (signal.aborted) return againMs;
      // The store logs its own outages.
      if (error instanceof StoreUnavailable) return STORE_DOWN_RETRY_MS;
      log.error({ err: error }, 'a round over the ledger failed: it is retried');
      return againMs;
    }
  };
  const running = (async () => {
    for (let waitMs = firstMs; ; ) {
      await pause(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      waitMs = await once();
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}

const STORE_DOWN_RETRY_MS = 1_000;

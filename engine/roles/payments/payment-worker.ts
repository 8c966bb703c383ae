/**
 * The payment worker: takes jobs from the work stream of each shard and processes up to 64 of them concurrently. Any number of processes may
 * run one. A notification announces new work; a sweep each second finds jobs whose notification was lost, and those of a dead worker.
 */

import { withTimeout } from '../../domain/core/with-timeout.js';
import type { PortModes } from '../../domain/system/port-mode.js';
import { processBatch } from '../../service/batches/index.js';
import type { Services } from '../../service/core/services.js';
import { MANUAL_COMPLIANCE, MANUAL_PAYOUT, type PaymentPorts } from '../../service/payments/payment-ports.js';
import { SANDBOX_COMPLIANCE, SANDBOX_PAYOUT } from '../../service/payments/sandbox-ports.js';
import { LEFT_AFTER_MS, processJob, type WorkOutcome } from '../../service/payments/work-payment.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { WorkEntry } from '../../store/coordination/work.js';
import { SHARDS } from '../../store/keys/redis-keys.js';

export interface PaymentWorker {
  /** Outcomes of entries, counted since the start. */
  readonly outcomes: Readonly<Record<WorkOutcome, number>>;
  /** Entries of all shards at the last sweep, taken or not, and the age of the oldest in seconds. */
  readonly backlog: { readonly entries: number; readonly oldestS: number };
  /** Finishes the jobs in progress within two seconds; another worker takes the rest at its next sweep. */
  stop(): Promise<void>;
}

const AT_ONCE = 64;
/** Payments of this process that wait for their turn here; further ones go to the stream. */
const OWN_MAX = 256;
const SWEEP_MS = 1_000;
const FORGET_EVERY_MS = 600_000;
const FORGET_AFTER_MS = 3_600_000;
const STOP_MS = 2_000;

export interface PaymentWorkerOptions {
  /** Absent: as the store's settings say. */
  readonly ports?: PaymentPorts;
  readonly leftAfterMs?: number;
}

export function startPaymentWorker(
  services: Services,
  { ports = paymentPorts(services.store.ports.modes), leftAfterMs = LEFT_AFTER_MS }: PaymentWorkerOptions = {},
): PaymentWorker {
  const { store, log } = services;
  const { work, engineId } = store;
  const outcomes = { moved: 0, woken: 0, 'put-off': 0, done: 0 };
  let backlog = { entries: 0, oldestS: 0 };
  /** Shards that may have new entries, in the order of their notifications. */
  const asking = new Set<number>();
  const inProgress = new Map<string, { readonly entry: WorkEntry; readonly done: Promise<void> }>();
  /** Payments that this process has created, and when. */
  const own: { readonly entry: WorkEntry; readonly atMs: number }[] = [];
  let taking: Promise<void> | undefined;
  let isStopped = false;
  let forgottenAtMs = 0;

  /** An unavailable store has been logged already. */
  const logFault = (error: unknown, what: string): void => {
    if (!(error instanceof StoreUnavailable)) log.error({ err: error }, what);
  };
  const notHandedBack = (error: unknown): void =>
    logFault(error, 'work could not be handed back: others wait until it looks left');
  const doOne = async (entry: WorkEntry): Promise<void> => {
    try {
      const { batchId } = entry;
      const isStopping = () => isStopped;
      const done =
        batchId === undefined
          ? processJob(services, ports, entry, isStopping)
          : processBatch(services, { ...entry, batchId }, isStopping);
      outcomes[await done]++;
    } catch (error) {
      // The entry remains this worker's, and is taken again when the store is back.
      logFault(error, 'a worker has failed: its entry is taken again');
    }
  };
  const begin = (entries: readonly WorkEntry[]): void => {
    for (const entry of entries) {
      const name = entry.entry === '' ? entry.paymentId! : `${entry.shard} ${entry.entry}`;
      if (inProgress.has(name)) continue;
      const done = doOne(entry).finally(() => {
        inProgress.delete(name);
        beginOwn();
        takeMore();
      });
      inProgress.set(name, { entry, done });
    }
  };
  const beginOwn = (): void => {
    while (own.length > 0 && inProgress.size < AT_ONCE && !isStopped) {
      const { entry, atMs } = own.shift()!;
      // It has waited for so long that the rest of its lease may not be enough: its due entry brings it back.
      if (performance.now() - atMs < leftAfterMs / 4) begin([entry]);
    }
  };
  work.setOwnWorker({
    leasedMs: leftAfterMs,
    hasRoom: () => own.length < OWN_MAX && store.isUp(),
    begin({ id: clientId, shard }, payment) {
      const entry = { shard, entry: '', clientId, paymentId: payment.id, step: payment.step, payment };
      own.push({ entry, atMs: performance.now() });
      if (isStopped) void handBackOwn().catch(notHandedBack);
      else beginOwn();
    },
  });
  const mayTake = (): boolean => inProgress.size < AT_ONCE && !isStopped && store.isUp();
  const take = async (): Promise<void> => {
    for (const shard of asking) {
      if (!mayTake()) return;
      asking.delete(shard);
      const free = AT_ONCE - inProgress.size;
      const taken = await work.take(shard, engineId, free);
      // There may be more: the shard is queued again, behind the others.
      if (taken.length === free) asking.add(shard);
      begin(taken);
    }
  };
  const takeMore = (): void => {
    if (asking.size === 0) return;
    taking ??= take()
      .catch((error: unknown) => logFault(error, 'work could not be taken: it is tried again'))
      .finally(() => {
        taking = undefined;
        // An entry may have ended while `take` found no capacity.
        if (mayTake() && asking.size > 0) takeMore();
      });
  };
  const sweep = async (): Promise<void> => {
    const busy = await work.busyShards();
    const oldestMs = Math.min(...busy.map((shard) => shard.oldestMs));
    const entries = busy.reduce((sum, shard) => sum + shard.entries, 0);
    backlog = { entries, oldestS: entries === 0 ? 0 : Math.max(0, (Date.now() - oldestMs) / 1_000) };
    for (const { shard } of busy) {
      asking.add(shard);
      if (mayTake()) begin(await work.takeOver(shard, engineId, leftAfterMs, AT_ONCE - inProgress.size));
    }
    takeMore();
    if (performance.now() - forgottenAtMs < FORGET_EVERY_MS) return;
    forgottenAtMs = performance.now();
    for (let shard = 0; shard < SHARDS; shard++) await work.forgetWorkers(shard, FORGET_AFTER_MS);
  };

  /** Includes entries that were taken while the store did not answer, and are not in progress. */
  const releaseEntries = async (): Promise<void> => {
    await handBackOwn();
    for (const { shard } of await work.busyShards()) await work.release(shard, engineId, leftAfterMs);
  };
  /** Leased payments, which have no entry in the stream. */
  const handBackOwn = async (): Promise<void> => {
    const unfinished = [...own.splice(0), ...inProgress.values()];
    for (const { shard, clientId, paymentId } of unfinished.map(({ entry }) => entry)) {
      const of = { id: clientId, shard };
      const payment = paymentId === undefined ? undefined : await store.payments.read(of, paymentId);
      if (payment) await work.handBack(of, payment.id, payment.step);
    }
  };

  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (sweeping !== undefined || !store.isUp()) return;
    sweeping = sweep()
      .catch((error: unknown) => logFault(error, 'a sweep over the work has failed: it comes again'))
      .finally(() => {
        sweeping = undefined;
      });
  }, SWEEP_MS);
  const unsubscribe = work.onWork((shard) => {
    asking.add(shard);
    takeMore();
  });

  return {
    outcomes,
    get backlog() {
      return backlog;
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
      store.work.setOwnWorker(undefined);
      const idle = async (): Promise<void> => {
        while (sweeping || taking || inProgress.size > 0)
          await Promise.allSettled([sweeping, taking, ...[...inProgress.values()].map(({ done }) => done)]);
      };
      await withTimeout(idle(), STOP_MS, () => {});
      await releaseEntries().catch(notHandedBack);
    },
  };
}

/** An undecided mode is manual: an operator decides. */
export function paymentPorts({ compliance, payout }: PortModes): PaymentPorts {
  return {
    compliance: compliance === 'sandbox' ? SANDBOX_COMPLIANCE : MANUAL_COMPLIANCE,
    payout: payout === 'sandbox' ? SANDBOX_PAYOUT : MANUAL_PAYOUT,
  };
}

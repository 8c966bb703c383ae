/**
 * The worker: takes what payments ask for from the stream of each shard and does it, some of it at once. Any number of processes may do so.
 * New work rings; what rings in vain is found by a sweep each second, and so is what another worker left half done.
 */
import type { PortModes } from '../domain/port-mode.js';
import { inTime } from '../service/core/in-time.js';
import type { Services } from '../service/core/services.js';
import { MANUAL_COMPLIANCE, MANUAL_PAYOUT, type PaymentPorts } from '../service/payments/payment-ports.js';
import { SANDBOX_COMPLIANCE, SANDBOX_PAYOUT } from '../service/payments/sandbox-ports.js';
import { type WorkOutcome, workOn } from '../service/payments/work-payment.js';
import { StoreUnavailable } from '../store/connection/errors.js';
import type { WorkEntry } from '../store/coordination/work.js';
import { SHARDS } from '../store/keys/ids.js';

export interface PaymentRounds {
  /** What became of entries, counted since the start. */
  readonly outcomes: Readonly<Record<WorkOutcome, number>>;
  /** Entries of all shards at the last sweep, taken or not, and the age of the oldest in seconds. */
  readonly backlog: { readonly entries: number; readonly oldestS: number };
  /** Finishes what it has, but no longer than two seconds: what is left then is another worker's, at its next sweep. */
  stop(): Promise<void>;
}

const AT_ONCE = 16;
const SWEEP_MS = 1_000;
/** Longer than any step takes whose worker lives: a port has five seconds, and the store two for each command. */
const LEFT_AFTER_MS = 12_000;
const FORGET_EVERY_MS = 600_000;
const FORGET_AFTER_MS = 3_600_000;
const STOP_MS = 2_000;

export interface PaymentRoundsOptions {
  /** Absent: as the store's settings say. */
  readonly ports?: PaymentPorts;
  readonly leftAfterMs?: number;
}

export function startPaymentRounds(
  services: Services,
  { ports = paymentPorts(services.store.ports.modes), leftAfterMs = LEFT_AFTER_MS }: PaymentRoundsOptions = {},
): PaymentRounds {
  const { store, log } = services;
  const { work, engineId } = store;
  const outcomes = { moved: 0, woken: 0, 'put-off': 0, done: 0 };
  let backlog = { entries: 0, oldestS: 0 };
  /** Shards that may have something new, in the order in which they asked. */
  const asking = new Set<number>();
  const inHand = new Map<string, Promise<void>>();
  let taking: Promise<void> | undefined;
  let isStopped = false;
  let forgottenAtMs = 0;

  /** The store says itself that it is away. */
  const told = (error: unknown, what: string): void => {
    if (!(error instanceof StoreUnavailable)) log.error({ err: error }, what);
  };
  const doOne = async (entry: WorkEntry): Promise<void> => {
    try {
      outcomes[await workOn(services, ports, entry)]++;
    } catch (error) {
      // The entry stays this worker's, and is taken again when the store is back.
      told(error, 'a worker has failed: its entry is taken again');
    }
  };
  const begin = (entries: readonly WorkEntry[]): void => {
    for (const entry of entries) {
      const name = `${entry.shard} ${entry.entry}`;
      if (inHand.has(name)) continue;
      const doing = doOne(entry).finally(() => {
        inHand.delete(name);
        takeMore();
      });
      inHand.set(name, doing);
    }
  };
  const mayTake = (): boolean => inHand.size < AT_ONCE && !isStopped && store.isUp();
  const take = async (): Promise<void> => {
    for (const shard of asking) {
      if (!mayTake()) return;
      asking.delete(shard);
      const free = AT_ONCE - inHand.size;
      const taken = await work.take(shard, engineId, free);
      // There may be more: it asks again, behind the others.
      if (taken.length === free) asking.add(shard);
      begin(taken);
    }
  };
  const takeMore = (): void => {
    taking ??= take()
      .catch((error: unknown) => told(error, 'work could not be taken: it is tried again'))
      .finally(() => {
        taking = undefined;
        // A hand became free in the very moment in which it gave up.
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
      if (mayTake()) begin(await work.takeOver(shard, engineId, leftAfterMs, AT_ONCE - inHand.size));
    }
    takeMore();
    if (performance.now() - forgottenAtMs < FORGET_EVERY_MS) return;
    forgottenAtMs = performance.now();
    for (let shard = 0; shard < SHARDS; shard++) await work.forgetWorkers(shard, FORGET_AFTER_MS);
  };

  /** Also what was taken while the store did not answer, and is not in hand. */
  const handBack = async (): Promise<void> => {
    for (const { shard } of await work.busyShards()) await work.handBack(shard, engineId, leftAfterMs);
  };

  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (sweeping !== undefined || !store.isUp()) return;
    sweeping = sweep()
      .catch((error: unknown) => told(error, 'a sweep over the work has failed: it comes again'))
      .finally(() => {
        sweeping = undefined;
      });
  }, SWEEP_MS);
  const deafen = work.onWork((shard) => {
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
      deafen();
      const idle = async (): Promise<void> => {
        while (sweeping || taking || inHand.size > 0) await Promise.allSettled([sweeping, taking, ...inHand.values()]);
      };
      await inTime(idle(), STOP_MS, () => {});
      await handBack().catch((error: unknown) =>
        told(error, 'work could not be handed back: others wait until it looks left'),
      );
    },
  };
}

/** A mode that is not known is an operator's: nothing decides by itself. */
export function paymentPorts({ compliance, payout }: PortModes): PaymentPorts {
  return {
    compliance: compliance === 'sandbox' ? SANDBOX_COMPLIANCE : MANUAL_COMPLIANCE,
    payout: payout === 'sandbox' ? SANDBOX_PAYOUT : MANUAL_PAYOUT,
  };
}

/**
 * Payment jobs: a stream for each shard, read by the consumer group `workers`. An entry stays until the requested step has been recorded,
 * which removes it; an abandoned entry is claimed by another worker.
 */
import { BATCH_ID, CLIENT_ID, PAYMENT_ID } from '../../domain/core/ids.js';
import type { Payment } from '../../domain/payments/payment.js';
import type { Connection } from '../connection/connection.js';
import { StoreFault } from '../connection/errors.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { readAllShards } from '../connection/shards.js';
import { ledgerKeys, type MoneyOf, SHARDS, workKey } from '../keys/redis-keys.js';
import type { StoreClock } from './store-clock.js';

/** A payment whose next step is due, a batch whose items are to be drawn, or a client whose waiting payments may be funded now. */
export interface WorkEntry {
  readonly shard: number;
  /** Its id in the stream; '' for a payment that this process has created and leased: its due entry brings it to another worker. */
  readonly entry: string;
  readonly clientId: string;
  /** Undefined: the client's waiting payments. */
  readonly paymentId: string | undefined;
  /** A funded batch with items to draw; then there is no payment. */
  readonly batchId?: string | undefined;
  /** The last step of the payment when the entry was made. */
  readonly step: number;
  /** As this process has created it; undefined: it is read. */
  readonly payment?: Payment;
}

/** The payment worker of this process: it takes payments that this process creates without the stream. */
export interface OwnWorker {
  readonly leasedMs: number;
  /** Whether it accepts another payment now. */
  hasRoom(): boolean;
  begin(of: MoneyOf, payment: Payment): void;
}

export interface BusyShard {
  readonly shard: number;
  /** Number of entries, claimed or not. */
  readonly entries: number;
  /** When the oldest of them was added, epoch ms by the server's clock. */
  readonly oldestMs: number;
}

/** Of rescheduled work; empty: the client's waiting payments. */
export interface WorkSubject {
  readonly paymentId: string;
  readonly step: number;
  readonly batchId: string;
}

export interface Work {
  busyShards(): Promise<readonly BusyShard[]>;
  /** Claims unclaimed entries, at most `limit`. */
  take(shard: number, worker: string, limit: number): Promise<readonly WorkEntry[]>;
  /** Claims entries that another worker claimed more than `idleMs` ago and has not finished. */
  takeOver(shard: number, worker: string, idleMs: number, limit: number): Promise<readonly WorkEntry[]>;
  /** Makes the worker's unfinished entries claimable at once, as if it had abandoned them `idleMs` ago; returns their number. */
  release(shard: number, worker: string, idleMs: number): Promise<number>;
  /** The entry requested nothing that is left to do; with `of`, its payment waits for an event. */
  done(entry: WorkEntry, of?: MoneyOf): Promise<void>;
  /** Reschedules an entry in `ms`: it returns as a new one. */
  reschedule(of: MoneyOf, entry: WorkEntry, ms: number): Promise<void>;
  /** From now on, credited money requests the client's waiting payments again. */
  beginWake(of: MoneyOf): Promise<void>;
  /** Retries the client's waiting payments after `ms`, or earlier. */
  wakeAfter(of: MoneyOf, ms: number): Promise<void>;
  /** The worker is still at it: no other claims the entry for as long as a new one. */
  extend(entry: WorkEntry, worker: string): Promise<void>;
  /** Moves a rescheduled entry that is due to the stream, once. */
  moveDue(of: MoneyOf, dueEntry: string, subject: Partial<WorkSubject>): Promise<boolean>;
  /** Moves a leased payment to the stream, once, before its time. */
  handBack(of: MoneyOf, paymentId: string, step: number): Promise<boolean>;
  /** The worker of this process while it has room. */
  ownWorker(): OwnWorker | undefined;
  setOwnWorker(worker: OwnWorker | undefined): void;
  /** Called with a shard that has a new entry, until the returned function is called; may get lost. */
  onWork(changed: (shard: number) => void): () => void;
  /** Removes workers that have been away for long and have no entries; returns their number. */
  forgetWorkers(shard: number, idleMs: number): Promise<number>;
}

const GROUP = 'workers';
const CHANNEL = 'work';
/** A worker has far fewer entries. */
const RELEASE_MAX = 1_000;

const ENQUEUE_WORK = step(import.meta.url, 'enqueue-work', {
  inReserve: true,
  keys: ['due', 'work'],
  // Without a payment: the client's waiting ones. `step` is the payment's last step.
  args: ['dueEntry', 'client', 'paymentId?', 'step', 'isHandedBack', 'batchId?'],
});
export const RELEASE_WORK = step(import.meta.url, 'release-work', {
  inReserve: true,
  keys: ['work'],
  args: ['worker', 'idleMs', 'most'],
});
export const FORGET_WORKERS = step(import.meta.url, 'forget-workers', {
  inReserve: true,
  keys: ['work'],
  args: ['idleMs'],
});
/** With a payment, its last step; without, only the entry is done. */
const FINISH_WORK = step(import.meta.url, 'finish-work', {
  inReserve: true,
  keys: ['work', 'payment?', 'due?'],
  args: ['entry?', 'step?', 'dueEntry?'],
  uses: ['payments'],
});

/** The server's other shards, where that is no cluster. */
export const READ_WORK = step(import.meta.url, 'read-work', { readsOnly: true, keys: ['work'], rest: 'others' });

type RawEntry = [entry: string, fields: string[] | null];

export function work(connection: Connection, clock: Pick<StoreClock, 'steps'>): Work {
  // The step that adds a shard's first entry creates its stream and group. A notification without them is forged, or of a store that was
  // emptied.
  const unlessNew = async <T>(shard: number, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      const isWithout = error instanceof StoreFault && error.message.startsWith('NOGROUP');
      if (!isWithout || (await connection.read((redis) => redis.xlen(workKey(shard)))) > 0) throw error;
      return undefined;
    }
  };
  let ownWorker: OwnWorker | undefined;
  const enqueue = async (
    of: MoneyOf,
    dueEntry: string,
    { paymentId, step = 0, batchId }: Partial<WorkSubject>,
    early: boolean,
  ) => {
    const { due, work } = ledgerKeys(of);
    const args = { dueEntry, client: of.id, paymentId, step, isHandedBack: early, batchId };
    return (await connection.step(ENQUEUE_WORK, { due, work }, args)) === 1;
  };
  return {
    async busyShards() {
      const all = await readAllShards(connection, workKey, async (shard, others) => {
        const found = await connection.runUnreplicated(READ_WORK, { work: workKey(shard) }, { others });
        return (found as [number, string][]).map(([entries, oldest]) => ({
          entries,
          oldestMs: Number.parseInt(oldest, 10),
        }));
      });
      return all.filter(({ entries }) => entries > 0);
    },
    async take(shard, worker, limit) {
      const key = workKey(shard);
      const found = await unlessNew(shard, () =>
        connection.write((redis) => redis.xreadgroup('GROUP', GROUP, worker, 'COUNT', limit, 'STREAMS', key, '>')),
      );
      return entriesOf(shard, (found as [string, RawEntry[]][] | null | undefined)?.[0]?.[1] ?? []);
    },
    async takeOver(shard, worker, idleMs, limit) {
      const key = workKey(shard);
      const found = await unlessNew(shard, () =>
        connection.write((redis) => redis.xautoclaim(key, GROUP, worker, idleMs, '0', 'COUNT', limit)),
      );
      return entriesOf(shard, (found as [string, RawEntry[]] | undefined)?.[1] ?? []);
    },
    release: async (shard, worker, idleMs) =>
      (await connection.step(RELEASE_WORK, { work: workKey(shard) }, { worker, idleMs, most: RELEASE_MAX })) as number,
    async done({ shard, entry, paymentId, step }, of) {
      if (of === undefined || paymentId === undefined) {
        await connection.step(FINISH_WORK, { work: workKey(shard) }, { entry });
        return;
      }
      const { work, due, payment } = ledgerKeys(of);
      const dueEntry = laterEntry(of, paymentId, step);
      await connection.step(FINISH_WORK, { work, payment: payment(paymentId), due }, { entry, step, dueEntry });
    },
    async reschedule(of, { entry, paymentId, step, batchId }, ms) {
      const { due, work: key } = ledgerKeys(of);
      const atMs = clock.steps(of) + ms;
      await connection.write((redis) => {
        // An earlier attempt to fund stays; a payment's step may have an entry already, for the case that this worker dies.
        const later =
          batchId !== undefined
            ? redis.multi().zadd(due, atMs, batchEntry(of, batchId))
            : paymentId === undefined
              ? redis.multi().zadd(due, 'LT', atMs, wakeEntry(of))
              : redis.multi().zadd(due, atMs, laterEntry(of, paymentId, step));
        return (entry === '' ? later : later.xack(key, GROUP, entry).xdel(key, entry)).exec();
      }, key);
    },
    async beginWake(of) {
      await connection.write((redis) => redis.del(ledgerKeys(of).woken));
    },
    async wakeAfter(of, ms) {
      await connection.write((redis) => redis.zadd(ledgerKeys(of).due, 'LT', clock.steps(of) + ms, wakeEntry(of)));
    },
    async extend({ shard, entry }, worker) {
      await connection.write((redis) => redis.xclaim(workKey(shard), GROUP, worker, 0, entry, 'JUSTID'));
    },
    moveDue: (of, dueEntry, subject) => enqueue(of, dueEntry, subject, false),
    handBack: (of, paymentId, step) => enqueue(of, laterEntry(of, paymentId, step), { paymentId, step }, true),
    ownWorker: () => (ownWorker?.hasRoom() ? ownWorker : undefined),
    setOwnWorker(worker) {
      ownWorker = worker;
    },
    onWork: (changed) =>
      connection.subscribe(CHANNEL, (message) => {
        const shard = Number(message.toString('latin1'));
        if (Number.isInteger(shard) && shard >= 0 && shard < SHARDS) changed(shard);
      }),
    forgetWorkers: async (shard, idleMs) =>
      (await connection.step(FORGET_WORKERS, { work: workKey(shard) }, { idleMs })) as number,
  };
}

const laterEntry = (of: MoneyOf, paymentId: string, step: number): string => `work:${of.id}:${paymentId}.${step}`;
export const batchEntry = (of: MoneyOf, batchId: string): string => `batch:${of.id}:${batchId}`;
const wakeEntry = (of: MoneyOf): string => `wake:${of.id}:later`;

/** An unreadable entry has no client: it is done. */
function entriesOf(shard: number, found: readonly RawEntry[]): WorkEntry[] {
  return found.map(([entry, fields]) => {
    const { client = '', payment = '', step, batch = '' } = fieldsOf(fields ?? []);
    const clientId = CLIENT_ID.test(client) ? client : '';
    const paymentId = PAYMENT_ID.test(payment) ? payment : undefined;
    const batchId = BATCH_ID.test(batch) ? batch : undefined;
    return { shard, entry, clientId, paymentId, batchId, step: Number(step) };
  });
}

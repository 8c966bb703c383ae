/**
 * Executes due work without a request: settles conversions, expires held rates, completes sandbox fundings, and retries or fails waiting
 * payments.
 */

import { RETRY_MS } from '../../service/conversions/force-conversion.js';
import { payGain } from '../../service/conversions/pay-gain.js';
import type { Services } from '../../service/core/services.js';
import { autoCompleteFunding } from '../../service/fundings/index.js';
import { fundingExpired } from '../../service/payments/index.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { Due } from '../../store/ledger/due-queue.js';

/** The counts of one round. */
export interface SettledRound {
  /** Number of due entries; when a shard reached `limit`, more wait. */
  readonly due: number;
  readonly settled: number;
  readonly overdue: number;
  readonly expired: number;
  readonly isFull: boolean;
}

type Outcome = 'settled' | 'overdue' | 'expired' | 'nothing';

/**
 * Executes what is due now, at most `limit` entries of each shard. Several engines may run it concurrently: every step is executed once.
 * Within a shard the oldest entry comes first: of two conversions that wait for one account's money the older settles first.
 */
export async function settleDue(services: Services, limit: number): Promise<SettledRound> {
  const shards = new Map<number, Due[]>();
  const found = await services.store.dueQueue.due(limit);
  for (const due of found) {
    const others = shards.get(due.shard);
    if (others) others.push(due);
    else shards.set(due.shard, [due]);
  }

  const count = { settled: 0, overdue: 0, expired: 0, nothing: 0 };
  const inTurn = async (dues: readonly Due[]): Promise<void> => {
    for (const due of dues) count[await settleOne(services, due)]++;
  };
  const lists = [...shards.values()];
  const ended = await Promise.allSettled(lists.map(inTurn));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  const { settled, overdue, expired } = count;
  return { settled, overdue, expired, due: found.length, isFull: lists.some((dues) => dues.length >= limit) };
}

async function settleOne(services: Services, due: Due): Promise<Outcome> {
  const { store, log } = services;
  try {
    return await settleNamed(services, due);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    // One unreadable record must not block all that come after it.
    log.error({ ...due.names, err: error }, 'an entry of the due list could not be done: it is tried again in an hour');
    await store.dueQueue.postpone(due, RETRY_MS);
    return 'nothing';
  }
}

async function settleNamed(services: Services, due: Due): Promise<Outcome> {
  const { store, log } = services;
  const { names, shard } = due;
  const client = names && (await store.clients.cached(names.clientId));
  if (names === undefined || client?.shard !== shard) return drop(due);

  if (names.kind === 'hold') {
    const hold = await store.holds.read(client, names.id);
    if (hold === undefined) return drop(due);
    return (await store.dueQueue.expireHold(client, names.id, hold.owner)) ? 'expired' : 'nothing';
  }
  if (names.kind === 'fund') {
    const outcome = await autoCompleteFunding(services, client, names.id);
    if (outcome === 'later') await store.dueQueue.postpone(due, RETRY_MS);
    else if (outcome === 'nothing') await store.dueQueue.drop(due);
    return 'nothing';
  }
  if (names.kind === 'work' || names.kind === 'wake' || names.kind === 'batch') {
    const payment = names.kind === 'work' ? { paymentId: names.id, step: names.step } : {};
    const batch = names.kind === 'batch' ? { batchId: names.id } : {};
    await store.work.moveDue(client, due.entry, { ...payment, ...batch });
    return 'nothing';
  }
  if (names.kind === 'expire') {
    const payment = await store.payments.read(client, names.id);
    if (payment?.status === 'AWAITING_FUNDS') {
      const expired = { ...(await fundingExpired(services, client, payment)), dueEntry: due.entry };
      const moved = await store.payments.move(client, names.id, expired);
      if (moved.kind === 'early') return 'nothing';
    }
    await store.dueQueue.drop(due);
    return 'nothing';
  }
  const booking = await store.bookings.read(client, names.id);
  if (booking === undefined) return drop(due);
  if (names.kind === 'gain') {
    await payGain(services, client, booking);
    return 'nothing';
  }
  const outcome = await store.dueQueue.settle(client, booking, RETRY_MS);
  // One that was amended meanwhile is still due: the next round settles it.
  if (outcome === 'done' || outcome === 'early' || outcome === 'changed') return 'nothing';
  if (outcome === 'overdue')
    log.warn(
      { client: client.id, conversion: booking.id },
      'a conversion is overdue: its money is not there, or one of its accounts is inactive',
    );
  return outcome;

  async function drop(nothing: Due): Promise<Outcome> {
    log.warn({ ...names }, 'an entry of the due list names nothing: it is dropped');
    await store.dueQueue.drop(nothing);
    return 'nothing';
  }
}

/**
 * Processes one entry of the work stream: the next steps of a payment, or an attempt to fund waiting payments. Any process may process
 * it, repeatedly.
 */

import { withTimeout } from '../../domain/core/with-timeout.js';
import type { Payment } from '../../domain/payments/payment.js';
import { mayMove, movesOf } from '../../domain/payments/payment-status.js';
import type { Client } from '../../store/access/clients.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { WorkEntry } from '../../store/coordination/work.js';
import type { Services } from '../core/services.js';
import { allocateFunds } from './allocate-funds.js';
import { balancesAgree } from './check-balances.js';
import { afterMove } from './move-payment.js';
import { ATTEMPTS_MAX, type Next, type NextStep, nextStep, TO_BANK } from './next-payment-step.js';
import type { PaymentPorts } from './payment-ports.js';
import { withClearCards } from './sealed-cards.js';

/** `done`: there was nothing left to do. */
export type WorkOutcome = 'moved' | 'woken' | 'put-off' | 'done';

/** Timeout of a port; then it is called again. */
const PORT_MS = 5_000;
const PORT_RETRY_MS = 5_000;
/** Room in an account appears when the client uses it. */
const ROOM_RETRY_MS = 60_000;
const FAULT_RETRY_MS = 60_000;
/** Its client's balances differ from the journal. */
const STOPPED_RETRY_MS = 60_000;
/** Work that was begun so long ago belongs to a dead worker: a port may take five seconds, and the store two for each command. */
export const LEFT_AFTER_MS = 12_000;

/**
 * The entry is done or rescheduled when this resolves; it rejects with StoreUnavailable only, and then a process claims the entry again.
 */
export async function processJob(
  services: Services,
  ports: PaymentPorts,
  entry: WorkEntry,
  isStopping: () => boolean = () => false,
): Promise<WorkOutcome> {
  const { store, log } = services;
  const client = await store.clients.cached(entry.clientId);
  if (client?.shard !== entry.shard) {
    log.warn(
      { shard: entry.shard, entry: entry.entry },
      'an entry of the stream of work names no client: it is dropped',
    );
    return done(services, entry);
  }
  try {
    return await (entry.paymentId === undefined
      ? wake(services, client, entry)
      : stepOf(services, ports, client, entry, entry.paymentId, isStopping));
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    // One unreadable payment must not be claimed again and again before all that come after it.
    log.error(
      { client: client.id, payment: entry.paymentId, err: error },
      'work could not be done: it is put off for a minute',
    );
    return reschedule(services, client, entry, FAULT_RETRY_MS);
  }
}

async function wake(services: Services, client: Client, entry: WorkEntry): Promise<WorkOutcome> {
  // First: money that arrives during the attempt requests another one.
  await services.store.work.beginWake(client);
  await allocateFunds(services, client);
  await services.store.work.done(entry);
  return 'woken';
}

async function stepOf(
  services: Services,
  ports: PaymentPorts,
  client: Client,
  entry: WorkEntry,
  paymentId: string,
  isStopping: () => boolean,
): Promise<WorkOutcome> {
  const found = entry.payment ?? (await services.store.payments.read(client, paymentId));
  if (found === undefined)
    services.log.warn({ client: client.id, payment: paymentId }, 'work for a payment that there is not');
  if (found?.step !== entry.step) return done(services, entry);
  // Steps that are due at once follow in this process. If it dies, the due entry of the last step brings the payment back.
  const { shard, entry: name, clientId } = entry;
  for (let payment = found; ; ) {
    const own = { shard, entry: name, clientId, paymentId, step: payment.step };
    // A card number is sent to the bank only.
    const instructed = payment.status === 'PG_PROCESSING' ? withClearCards(services.store.subKey, payment) : payment;
    const next = await answerOfPort(services, client, payment, nextStep(ports, instructed));
    if (next === 'nothing') return done(services, own, client);
    if ('later' in next) return reschedule(services, client, own, next.later);
    // Approval is followed by the instruction of the bank.
    const leaves = next.to !== payment.status && (next.to === 'COMPLIANCE_APPROVED' || next.to === 'PG_PROCESSING');
    if (leaves && !(await balancesAgree(services, client))) return reschedule(services, client, own, STOPPED_RETRY_MS);
    const taken = await take(services, client, payment, own, next, isStopping());
    if (typeof taken === 'string') return taken;
    payment = taken;
  }
}

/** Returns the payment when its next step is due at once and this process takes it: always, unless this step is the last one here. */
async function take(
  services: Services,
  client: Client,
  payment: Payment,
  entry: WorkEntry,
  step: NextStep,
  isLast: boolean,
): Promise<Payment | WorkOutcome> {
  const { store, log } = services;
  const { id, status } = payment;
  const { to, subStatus, description, actor, reason, bankReference, againMs } = step;
  // Only the sub status changes.
  const isNoted = step.to === status;
  if (!isNoted && !mayMove(status, step.to)) throw new Error(`a payment cannot go from ${status} to ${step.to}`);
  const isToBank = step.to === 'COMPLIANCE_APPROVED' && againMs === 0 && !isLast;
  const moved = await store.payments.move(client, id, {
    after: payment.step,
    from: [status],
    to,
    subStatus,
    description,
    actor,
    reason,
    bankReference,
    moves: isNoted ? 'none' : movesOf(status, to),
    entry: entry.entry,
    next: againMs !== 0 ? againMs : isLast ? 'now' : LEFT_AFTER_MS,
    isAttempt: isToBank || step.isAttempt,
    followedBy: isToBank ? TO_BANK : undefined,
  });
  if (moved.kind === 'limit') {
    log.warn(
      { client: client.id, payment: id, to: step.to },
      'a payment has no room where its money is to go: it is tried again',
    );
    return reschedule(services, client, entry, ROOM_RETRY_MS);
  }
  if (step.to === 'ERROR' && againMs === undefined)
    log.warn({ client: client.id, payment: id, attempts: payment.attempts, most: ATTEMPTS_MAX }, NEEDS_OPERATOR);
  if (moved.kind !== 'moved') return 'done';
  if (againMs !== 0 || isLast) return 'moved';
  const after = afterMove(payment, step, moved);
  return isToBank ? afterMove(after, TO_BANK, moved) : after;
}

const NEEDS_OPERATOR = 'a payment stays in ERROR: `ratewire payments retry` or `cancel` it';

/** A port that is late or fails is called again. Its error may contain names and accounts: only the kind is logged. */
async function answerOfPort(
  { log }: Services,
  client: Client,
  { id, status }: Payment,
  next: Promise<Next>,
): Promise<Next> {
  try {
    return await withTimeout(next, PORT_MS, () => Promise.reject(new Error('no answer in time')));
  } catch (error) {
    const fault = error instanceof Error ? error.name : typeof error;
    log.warn(
      { client: client.id, payment: id, status, fault },
      'compliance or payout did not answer: asked again in 5 s',
    );
    return { later: PORT_RETRY_MS };
  }
}

async function done({ store }: Services, entry: WorkEntry, of?: Client): Promise<WorkOutcome> {
  await store.work.done(entry, of);
  return 'done';
}

async function reschedule({ store }: Services, client: Client, entry: WorkEntry, ms: number): Promise<WorkOutcome> {
  await store.work.reschedule(client, entry, ms);
  return 'put-off';
}

/** NewOrderSingle(D): books a conversion and reports the outcome. */

import type { Field, MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Booked } from '../../service/conversions/book-fx.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, faultOf, inOrder, noteRefusal } from '../context.js';
import type { Desk } from '../desk.js';
import { isReject } from '../fields.js';
import { BUSINESS_REASON } from '../refusals.js';
import { businessReject, sendReject } from '../rejects.js';
import { bookedReport, keptExecId, newExecId, pendingReport, rejectedReport } from './execution-report.js';
import { type NewOrder, parseNewOrder, readNewOrder, type SentOrder, toOrderReject } from './new-order.js';

/** Without an answer of the store for so long, the order is reported as pending and the desk's next message is processed. */
export const PENDING_AFTER_MS = 50;
/** An order without an answer of the store is retried after so long, until there is one. */
const AGAIN_AFTER_MS = 1_000;

export function handleNewOrder(context: FixContext, desk: Desk, message: MessageView): void {
  const order = parseNewOrder(message);
  if (isReject(order)) {
    sendReject(context, desk, message, order);
    return;
  }
  const kept = message.copy();
  // Rejected before the desk is logged out: the order was not sent to the store.
  if (desk.isFull) reject(context, desk, order, refuse('STORE_UNAVAILABLE'));
  // Its number is counted: it is processed even when the desk has logged out meanwhile, and reported at its next logon.
  inOrder(context, desk, () => place(context, desk, order, kept), 'logged on or not');
}

/** The desk exceeds its message rate. */
export function rejectThrottledNewOrder(context: FixContext, desk: Desk, message: MessageView): void {
  const order = readNewOrder(message);
  const refusal = refuse('RATE_LIMITED');
  // Its outcome is unknown, so it is not rejected.
  if (context.orders.get(desk.identity.caller.clientId, order.id)) send(desk, order, pending(context, order, 'status'));
  // Nor is one that may have been booked before.
  else if (message.flag(Tag.PossDupFlag) || message.flag(Tag.PossResend))
    businessReject(context, desk, message, BUSINESS_REASON.other, refusal);
  else reject(context, desk, order, refusal);
}

async function place(context: FixContext, desk: Desk, order: NewOrder, message: MessageView): Promise<void> {
  const { clientId } = desk.identity.caller;
  const { booking } = order;
  const before = context.orders.get(clientId, order.id);
  if (before) {
    if (isSameBooking(booking, before.order.booking)) return send(desk, order, pending(context, order, 'status'));
    return reject(context, desk, order, refuse('REQUEST_ID_REUSED'));
  }
  const { compId, shard } = desk.identity;
  const receivedAtMs = context.sessions.nowMs({ shard });
  const open = context.orders.open({ clientId, compId, order, receivedAtMs });
  if (open === undefined) {
    const tooMany = refuse('STORE_UNAVAILABLE', 'The store does not answer and too many orders wait for it already');
    return reject(context, desk, order, tooMany);
  }
  const finished = desk.identity.inFlight.begin(message.int(Tag.MsgSeqNum)!);
  const carriedOut = async (): Promise<void> => {
    try {
      await carryOut(context, desk, open, message);
    } catch (error) {
      faultOf(context, desk, error);
    }
    context.orders.close(open);
    if (!open.isGivenUp) finished();
  };
  await withTimeout(carriedOut(), PENDING_AFTER_MS, () => undefined);
  if (context.orders.isOpen(open)) send(desk, order, pending(context, order, 'pending'));
}

/** A repeated order has the same booking. */
function isSameBooking(one: NewOrder['booking'], other: NewOrder['booking']): boolean {
  if (isRefusal(one) || isRefusal(other)) return false;
  return one.name === other.name && JSON.stringify(one.input) === JSON.stringify(other.input);
}

/** Checks caller, right and message, then books: the first refusal is the answer. */
async function carryOut(context: FixContext, desk: Desk, open: OpenOrder, message: MessageView): Promise<void> {
  const { order } = open;
  const caller = await callerOf(context, desk, order.token);
  if (isRefusal(caller)) return reportRefused(context, desk, open, caller);
  const missing = mayPerform('bookFxByCurrency', caller);
  if (missing) return businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, missing);
  const { booking } = order;
  if (isRefusal(booking)) return reportRefused(context, desk, open, booking);

  const { name, description } = booking;
  const route = order.route.length === 0 ? undefined : order.route;
  const input = { ...booking.input, description, session: open.compId, route };
  let answer = await perform(context.services, name, caller, input);
  let isUnknown = false;
  // While the outcome is unknown the same request is retried: its ClOrdID(11) cannot be booked twice.
  while (isAway(answer) && (isUnknown || answer.outcome !== 'none')) {
    isUnknown = true;
    if (!(await context.orders.pause(AGAIN_AFTER_MS))) {
      open.isGivenUp = true;
      return;
    }
    answer = await perform(context.services, name, caller, input);
  }
  if (isRefusal(answer)) reportRefused(context, desk, open, toOrderReject(answer), isUnknown);
  else await reportBooked(context, desk, open, answer, isUnknown);
}

/** A full store rejects every command, and so does not report the outcome of an earlier one either. */
const isAway = (answer: Booked | Refusal): answer is Refusal =>
  isRefusal(answer) && (answer.refusal === 'STORE_UNAVAILABLE' || answer.refusal === 'STORE_FULL');

/** `isUnknown`: an earlier attempt had no answer. */
async function reportBooked(
  context: FixContext,
  desk: Desk,
  open: OpenOrder,
  { booking, current: now = booking, replayed, outboxEntry }: Booked,
  isUnknown: boolean,
): Promise<void> {
  const { order, compId } = open;
  if (!replayed) {
    if (outboxEntry === undefined) return;
    const fields = bookedReport(booking, 'trade', desk.identity.priceShown, order);
    context.outbox.send(compId, order.route.length === 0 ? fields : [...order.route, ...fields], outboxEntry);
    return;
  }
  // An earlier attempt may have booked it: then its report is in the outbox, under an entry that this process does not know.
  if (isUnknown) await context.outbox.drain(compId);
  if (!open.isReported)
    send(current(context, desk), order, bookedReport(now, 'status', desk.identity.priceShown, order));
}

function reportRefused(
  context: FixContext,
  desk: Desk,
  { order }: OpenOrder,
  refusal: Refusal,
  isUnknown = false,
): void {
  reject(context, current(context, desk), order, refusal, refusal.replayed && !isUnknown ? 'status' : 'rejected');
}

/** The desk's current session, when it has logged on again meanwhile. */
const current = (context: FixContext, desk: Desk): Desk => context.outbox.deskOf(desk.identity.compId) ?? desk;

export function reject(
  context: FixContext,
  desk: Desk,
  order: Pick<NewOrder, 'route'> & Parameters<typeof rejectedReport>[0],
  refusal: Refusal,
  as: 'rejected' | 'status' = 'rejected',
): void {
  const nowMs = context.services.now();
  const isKept = refusal.kept || refusal.replayed;
  const execId = isKept ? keptExecId(desk.identity.caller.clientId, order.id) : newExecId(nowMs);
  noteRefusal(context, desk, '8', refusal);
  send(desk, order, rejectedReport(order, refusal, as, execId, nowMs));
}

function pending(context: FixContext, order: SentOrder, as: 'pending' | 'status'): Field[] {
  return pendingReport(order, as, context.services.now());
}

function send(desk: Desk, { route }: Pick<NewOrder, 'route'>, fields: readonly Field[]): void {
  desk.session.send('8', [...route, ...fields]);
}

/** An order whose outcome is not known yet. */
export interface OpenOrder {
  readonly clientId: string;
  readonly compId: string;
  readonly order: NewOrder;
  /** When it was received, by this process's estimate of the store's clock, epoch ms. */
  readonly receivedAtMs: number;
  /** Its report has been sent by way of the outbox. */
  isReported: boolean;
  /** The gateway stops and the outcome is unknown: the message is requested again at the next logon. */
  isGivenUp: boolean;
}

/** Orders of one session that may wait for the store; more are rejected, because they were not sent to it. */
const OF_SESSION_MAX = 100;

/**
 * Orders in progress, by client and ClOrdID(11). An order without an answer of the store stays here, whatever happens to its session,
 * until its outcome is known.
 */
export class OpenOrders {
  private readonly orders = new Map<string, OpenOrder>();
  private readonly ofSession = new Map<string, number>();
  private readonly sleepers = new Set<() => void>();
  private readonly idlers = new Set<() => void>();
  private stopping = false;

  get(clientId: string, orderId: string): OpenOrder | undefined {
    return this.orders.get(keyOf(clientId, orderId));
  }

  /** Those of a client, in the order in which they were received. */
  ofClient(clientId: string): OpenOrder[] {
    return [...this.orders.values()].filter((open) => open.clientId === clientId);
  }

  /** Undefined: the session has too many. */
  open(order: Omit<OpenOrder, 'isReported' | 'isGivenUp'>): OpenOrder | undefined {
    const count = this.ofSession.get(order.compId) ?? 0;
    if (count >= OF_SESSION_MAX) return undefined;
    const open = { isReported: false, isGivenUp: false, ...order };
    this.ofSession.set(order.compId, count + 1);
    this.orders.set(keyOf(order.clientId, order.order.id), open);
    return open;
  }

  isOpen(order: OpenOrder): boolean {
    return this.get(order.clientId, order.order.id) === order;
  }

  close(order: OpenOrder): void {
    this.orders.delete(keyOf(order.clientId, order.order.id));
    const count = (this.ofSession.get(order.compId) ?? 1) - 1;
    if (count > 0) this.ofSession.set(order.compId, count);
    else this.ofSession.delete(order.compId);
    if (this.orders.size === 0) for (const idle of this.idlers) idle();
  }

  /** Waits before the next attempt; false: the gateway is stopping. */
  async pause(ms: number): Promise<boolean> {
    if (this.stopping) return false;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.sleepers.add(wake);
    });
    return !this.stopping;
  }

  /** Gives up orders that wait for their next attempt; orders at the store, and those sent to it until `last`, have `ms` to be answered. */
  async stop(last: Promise<unknown>, ms: number): Promise<void> {
    this.stopping = true;
    for (const wake of [...this.sleepers]) wake();
    const idle = last.then(
      () =>
        new Promise<void>((resolve) => {
          if (this.orders.size === 0) resolve();
          else this.idlers.add(resolve);
        }),
    );
    await withTimeout(idle, ms, () => undefined);
  }
}

const keyOf = (clientId: string, orderId: string): string => `${clientId}\n${orderId}`;

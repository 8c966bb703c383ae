import type { NewOrder } from './new-order.js';

/** An order whose outcome is not known yet. */
export interface OpenOrder {
  readonly clientId: string;
  readonly compId: string;
  readonly order: NewOrder;
  /** The booking: the same in each repeat of the order. Undefined: the order cannot be booked. */
  readonly asked: string | undefined;
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

  /** Undefined: the session has too many. */
  open(order: Omit<OpenOrder, 'isReported' | 'isGivenUp'>): OpenOrder | undefined {
    const count = this.ofSession.get(order.compId) ?? 0;
    if (count >= OF_SESSION_MAX) return undefined;
    const open = { ...order, isReported: false, isGivenUp: false };
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

  /** What waits for its next attempt is given up; what is at the store, and what comes there until `last`, has so long to be answered. */
  async stop(last: Promise<unknown>, ms: number): Promise<void> {
    this.stopping = true;
    for (const wake of [...this.sleepers]) wake();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      void last.then(() => {
        if (this.orders.size === 0) done();
        else this.idlers.add(done);
      });
    });
  }
}

const keyOf = (clientId: string, orderId: string): string => `${clientId}\n${orderId}`;

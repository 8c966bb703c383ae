import { closeSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** One execution of an order at the simulated provider. */
export interface LpFill {
  /** ExecID(17), unique for ever where the list is in a file. */
  readonly execId: string;
  /** Whole units of base. */
  readonly quantity: number;
  /** In decimals, as it is on the wire. */
  readonly price: string;
}

/** A `lost` one has arrived, and the provider does not know it: its connection was cut first. */
export type LpOrderStatus = 'open' | 'filled' | 'cancelled' | 'rejected' | 'lost';

/** One NewOrderSingle(D) that the simulated provider has taken. */
export interface LpOrder {
  readonly orderId: string;
  /** SenderCompID(49) of the client; a ClOrdID(11) is unique within it. */
  readonly client: string;
  readonly clOrdId: string;
  readonly symbol: string;
  readonly side: '1' | '2';
  /** Whole units of base. */
  readonly quantity: number;
  /** Price(44) of a limit order. */
  readonly limit: string | undefined;
  /** TimeInForce(59): IOC or FOK. */
  readonly timeInForce: '3' | '4';
  readonly fills: LpFill[];
  status: LpOrderStatus;
  /** OrdRejReason(103) of a rejected one. */
  reason: number | undefined;
  text: string | undefined;
  /** How many times its ClOrdID(11) has come again; none of them is filled. */
  repeats: number;
}

type NewOrder = Omit<LpOrder, 'fills' | 'status' | 'reason' | 'text' | 'repeats'>;

type Line =
  | { readonly order: NewOrder }
  | { readonly fill: LpFill; readonly orderId: string }
  | { readonly end: LpOrderStatus; readonly orderId: string; readonly reason?: number; readonly text?: string }
  | { readonly repeat: true; readonly orderId: string };

/** More are rejected: what a provider for trials keeps in memory. */
export const MAX_ORDERS = 200_000;

/** What a file of orders says, in the order of their arrival. A last line that was cut off is none. Throws the file system's error. */
export function readOrderList(path: string): readonly LpOrder[] {
  return [...ordersOf(wholeLines(readFileSync(path, 'utf8'))).values()];
}

/**
 * The orders that a simulated provider has taken, and what it has filled of each. With a file each change is on the disk before the method
 * returns, so that it is there before a report of it leaves.
 */
export class OrderList {
  readonly #orders: Map<string, LpOrder>;
  readonly #byClOrdId = new Map<string, LpOrder>();
  #file: number | undefined;

  /** Continues a file that exists. Throws the file system's error, and SyntaxError for a file that is no list of orders. */
  constructor(path?: string) {
    if (path === undefined) {
      this.#orders = new Map();
      return;
    }
    this.#file = openSync(path, 'a+', 0o600);
    const text = readFileSync(path, 'utf8');
    const whole = wholeLines(text);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    this.#orders = ordersOf(whole);
    for (const order of this.#orders.values()) this.#byClOrdId.set(keyOf(order), order);
  }

  get count(): number {
    return this.#orders.size;
  }

  all(): readonly LpOrder[] {
    return [...this.#orders.values()];
  }

  find(client: string, clOrdId: string): LpOrder | undefined {
    return this.#byClOrdId.get(keyOf({ client, clOrdId }));
  }

  byOrderId(orderId: string): LpOrder | undefined {
    return this.#orders.get(orderId);
  }

  add(order: NewOrder): LpOrder {
    this.#write({ order });
    const added = open(order);
    this.#orders.set(order.orderId, added);
    this.#byClOrdId.set(keyOf(order), added);
    return added;
  }

  fill(order: LpOrder, fill: LpFill): void {
    this.#write({ fill, orderId: order.orderId });
    order.fills.push(fill);
  }

  end(order: LpOrder, end: LpOrderStatus, text?: string, reason?: number): void {
    this.#write({
      end,
      orderId: order.orderId,
      ...(reason !== undefined && { reason }),
      ...(text !== undefined && { text }),
    });
    order.status = end;
    order.text = text;
    order.reason = reason;
  }

  repeated(order: LpOrder): void {
    this.#write({ repeat: true, orderId: order.orderId });
    order.repeats++;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(line: Line): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
    fdatasyncSync(this.#file);
  }
}

function keyOf({ client, clOrdId }: Pick<LpOrder, 'client' | 'clOrdId'>): string {
  return `${client} ${clOrdId}`;
}

function open(order: NewOrder): LpOrder {
  return { ...order, fills: [], status: 'open', reason: undefined, text: undefined, repeats: 0 };
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function ordersOf(lines: string): Map<string, LpOrder> {
  const orders = new Map<string, LpOrder>();
  for (const text of lines.split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as Line;
    if ('order' in line) {
      orders.set(line.order.orderId, open(line.order));
      continue;
    }
    const order = orders.get(line.orderId);
    if (order === undefined) throw new SyntaxError(`no order ${line.orderId} before its ${Object.keys(line)[0]}`);
    if ('fill' in line) order.fills.push(line.fill);
    else if ('repeat' in line) order.repeats++;
    else {
      order.status = line.end;
      order.reason = line.reason;
      order.text = line.text;
    }
  }
  return orders;
}

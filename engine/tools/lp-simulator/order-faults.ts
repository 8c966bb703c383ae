/** What a simulated provider does with an order, and the command that chooses it. */

export type OrderBehaviour =
  /** At its price of the moment, level by level; what its levels do not carry within the limit is cancelled. */
  | { readonly kind: 'fill' }
  /** So many percent of an IOC order at most; a FOK order is cancelled. */
  | { readonly kind: 'partial'; readonly percent: number }
  | { readonly kind: 'reject' }
  /** Held for `ms`, then filled at the price of that moment, or rejected. */
  | { readonly kind: 'last-look'; readonly ms: number; readonly accepts: boolean }
  /** No report leaves; only OrderStatusRequest(H) and TradeCaptureReportRequest(AD) find it. */
  | { readonly kind: 'silent'; readonly fills: boolean }
  /** The connection is cut, with the fill or instead of it; reports of a fill are resent behind the next Logon(A), with PossDupFlag(43)=Y. */
  | { readonly kind: 'cut'; readonly fills: boolean }
  /** Each report comes a second time with its ExecID(17), and a third time with PossResend(97)=Y. */
  | { readonly kind: 'duplicate' }
  /** A number before the first report is left out, as of a message that is lost: the client asks for it. */
  | { readonly kind: 'gap' };

export const ORDER_COMMANDS =
  'orders [next n] fill | partial <percent> | reject | last-look <ms> [reject] | silent | silent-fill | cut | fill-cut | duplicate | gap, orders random <seed>, orders status on|off, orders list';

const FILL: OrderBehaviour = { kind: 'fill' };
const PLAIN: ReadonlyMap<string, OrderBehaviour> = new Map<string, OrderBehaviour>([
  ['fill', FILL],
  ['reject', { kind: 'reject' }],
  ['silent', { kind: 'silent', fills: false }],
  ['silent-fill', { kind: 'silent', fills: true }],
  ['cut', { kind: 'cut', fills: false }],
  ['fill-cut', { kind: 'cut', fills: true }],
  ['duplicate', { kind: 'duplicate' }],
  ['gap', { kind: 'gap' }],
]);
/** Half of the orders of `random` are filled as they should be. */
const DRAWN: readonly OrderBehaviour[] = [
  ...PLAIN.values(),
  { kind: 'partial', percent: 40 },
  { kind: 'last-look', ms: 120, accepts: true },
  { kind: 'last-look', ms: 120, accepts: false },
];
const MAX_LAST_LOOK_MS = 60_000;

/** Whether `OrderFaults.command` takes the line. */
export function isOrderCommand(line: string): boolean {
  return new OrderFaults().command(line.split(' ')) !== undefined;
}

/** The behaviour of a word with its argument, as `partial 40`; undefined: it is none. */
function behaviourOf([word = '', argument, more]: readonly string[]): OrderBehaviour | undefined {
  const plain = PLAIN.get(word);
  if (plain) return argument === undefined ? plain : undefined;
  const number = argument === undefined || !/^\d{1,5}$/.test(argument) ? Number.NaN : Number(argument);
  if (word === 'partial' && number >= 1 && number <= 99 && more === undefined)
    return { kind: 'partial', percent: number };
  if (word === 'last-look' && number <= MAX_LAST_LOOK_MS && (more === undefined || more === 'reject'))
    return { kind: 'last-look', ms: number, accepts: more === undefined };
  return undefined;
}

/** What the orders to come meet. */
export class OrderFaults {
  /** False: OrderStatusRequest(H) and TradeCaptureReportRequest(AD) are not answered. */
  answersStatus = true;
  #standing = FILL;
  #next = FILL;
  #nextCount = 0;
  #random: (() => number) | undefined;

  /** Carries out what follows the word `orders`. Returns the reply; undefined: it is no such command. */
  command(words: readonly string[]): string | undefined {
    const [first, argument = ''] = words;
    if (first === 'status' && /^(on|off)$/.test(argument) && words.length === 2) {
      this.answersStatus = argument === 'on';
      return `requests for a status are ${this.answersStatus ? '' : 'not '}answered`;
    }
    if (first === 'random' && /^\d{1,9}$/.test(argument) && words.length === 2) {
      this.#random = drawing(Number(argument));
      return `each order draws how it is dealt, with the seed ${argument}`;
    }
    const next = first === 'next' && /^[1-9]\d{0,5}$/.test(argument) ? Number(argument) : undefined;
    const named = next === undefined ? words : words.slice(2);
    const behaviour = behaviourOf(named);
    if (behaviour === undefined) return undefined;
    this.set(behaviour, next);
    return `${next === undefined ? 'orders' : `the next ${next} orders`}: ${named.join(' ')}`;
  }

  /** Of every order from now on, or of the `next` ones. */
  set(behaviour: OrderBehaviour, next?: number): void {
    if (next !== undefined) {
      this.#next = behaviour;
      this.#nextCount = next;
      return;
    }
    this.#standing = behaviour;
    this.#random = undefined;
    this.#nextCount = 0;
  }

  take(): OrderBehaviour {
    if (this.#nextCount > 0) {
      this.#nextCount--;
      return this.#next;
    }
    if (this.#random === undefined) return this.#standing;
    const at = Math.floor(this.#random() * 2 * DRAWN.length);
    return DRAWN[at] ?? FILL;
  }
}

/** Lehmer's generator: numbers from 0 to below 1. */
function drawing(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

/** Computes amounts again from the agreed prices, fees and conversions, and defines how replays name a difference. */

import { isRefusal } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { amountsGiven } from '../../domain/payments/payment-amounts.js';
import type { KeptPayment } from '../../store/audit/kept-records.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { isBefore, isPlace, type JournalEntry } from '../../store/ledger/journal.js';

/** Checks sell, buy and margin of a conversion against its prices and the amount that the client gave. */
export function bookingAmountsDiffer(booking: KeptBooking): Differing[] {
  const { id, sellCurrency, buyCurrency, dealt, sell, buy, margin, marginCurrency, price, providerPrice } = booking;
  const pair = pairBySymbol(booking.pair);
  const symbols = pair && [pair.base, pair.quote].sort().join(' ');
  if (pair === undefined || symbols !== [sellCurrency, buyCurrency].sort().join(' '))
    return [[`booking ${id}: pair`, [sellCurrency, buyCurrency].sort().join(' '), booking.pair]];
  const computed = decodeOrUndefined(() => {
    const amount = { side: dealt, minor: BigInt(dealt === 'sell' ? sell : buy) };
    return convert({ pair, sell: sellCurrency, price, providerPrice, amount });
  });
  const expected =
    computed === undefined || isRefusal(computed)
      ? 'amounts at a price that a client may get'
      : `${computed.sellMinor} ${computed.buyMinor} ${computed.marginMinor} ${computed.marginCurrency}`;
  return difference(
    `booking ${id}: sell, buy, margin, minor units`,
    expected,
    `${sell} ${buy} ${margin} ${marginCurrency}`,
  );
}

/**
 * Checks amount, delivered and fees of a funded payment. `bought` is the total of its conversions, minor units: a source amount in another
 * currency is paid from it.
 */
export function paymentAmountsDiffer(payment: KeptPayment, bought: bigint | undefined): Differing[] {
  const { id, given, sourceCurrency, currency, bookingIds } = payment;
  if (payment.amount === '') return [];
  const found = `${payment.amount} ${payment.toTransit} ${payment.toFees}`;
  const what = `payment ${id}: amount, delivered, fees, minor units`;
  if (bookingIds.length > 0 && bought === undefined) return [[`payment ${id}: conversions`, 'into its currency', NONE]];
  const isConverted = given.kind === 'source' && sourceCurrency !== currency;
  const computed = decodeOrUndefined(() => amountsGiven(payment, isConverted ? bought! : BigInt(given.minor)));
  if (computed === undefined || isRefusal(computed)) return [[what, 'amounts that can be paid', found]];
  const { amount, total, transit, fees } = computed;
  if (bought !== undefined && bought > total)
    return [[`payment ${id}: bought by its conversions, minor units`, `${total} at most`, String(bought)]];
  return difference(what, `${amount} ${transit} ${fees}`, found);
}

/** Two places that should agree and do not. */
export interface Difference {
  /** Or `shard 12`. */
  readonly client: string;
  /** `balance EUR/110000000012`, `receipt order-1`. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Stored text may have been altered: control characters must not reach the terminal. */
export function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 200 ? `${plain.slice(0, 200)}...` : plain;
}

/** What is compared, the expected value, and the found value. */
export type Differing = readonly [what: string, expected: string, found: string];

export const NONE = 'none';

/** Empty where both are equal. */
export function difference(what: string, expected: string, found: string | undefined): Differing[] {
  return found === expected ? [] : [[what, expected || NONE, found || NONE]];
}

/** Steps that records name and no entry played so far has. */
export class PendingSteps {
  readonly #what: 'booking' | 'funding' | 'payment';
  /** Id to the entry of its last step. */
  readonly #last: Map<string, string>;

  constructor(what: 'booking' | 'funding' | 'payment', last: Iterable<readonly [string, string]> = []) {
    this.#what = what;
    this.#last = new Map(last);
  }

  /** State for a replay that continues from here. */
  get state(): [id: string, lastEntry: string][] {
    return [...this.#last];
  }

  /** Called when `entry` has been played, of a record that names `last` as its last. */
  played(id: string, entry: string, last: string): void {
    if (entry === last) this.#last.delete(id);
    else if (isPlace(last) && isBefore(entry, last)) this.#last.set(id, last);
  }

  /** Called when all entries up to `lastEntry` have been played. */
  compare(lastEntry: string): Differing[] {
    return [...this.#last]
      .filter(([, entry]) => !isBefore(lastEntry, entry))
      .map(([id, entry]) => [`${this.#what} ${id}: journal entry`, entry, NONE]);
  }
}

/** Minor units of stored text; undefined where it was altered. */
export function amountOf(text: string): bigint | undefined {
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

/** A journal that is replayed beside the records that it names. */
export interface JournalReplay {
  /** By name, minor units as text: after the last entry played. */
  readonly balances: Readonly<Record<string, string>>;
  /** For a replay that continues from here. */
  readonly state: string;
  /** The next entries. Returns the differences. */
  play(entries: readonly JournalEntry[]): Promise<readonly Difference[]>;
}

/** Amounts computed again from what was agreed (prices, fees, what conversions bought), and how replays name a difference. */
import { convert } from '../../domain/conversion.js';
import { pairBySymbol } from '../../domain/pair.js';
import { amountsGiven } from '../../domain/payment-amounts.js';
import { isRefusal } from '../../domain/refusal.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import type { KeptPayment } from '../../store/audit/payment-audit.js';
import { readable } from '../../store/connection/readable.js';
import { isBefore, isPlace } from '../../store/ledger/journal.js';

/** Sell, buy and margin of a conversion from its prices and the amount that the client gave. */
export function bookingAmountsDiffer(booking: KeptBooking): Differing[] {
  const { id, sellCurrency, buyCurrency, dealt, sell, buy, margin, marginCurrency, price, providerPrice } = booking;
  const pair = pairBySymbol(booking.pair);
  const symbols = pair && [pair.base, pair.quote].sort().join(' ');
  if (pair === undefined || symbols !== [sellCurrency, buyCurrency].sort().join(' '))
    return [[`booking ${id}: pair`, [sellCurrency, buyCurrency].sort().join(' '), booking.pair]];
  const computed = readable(() => {
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
 * Amount, delivered and fees of a payment that has its funds. `bought` is what its conversions brought, minor units: of a source amount
 * in another currency that is what it is paid from.
 */
export function paymentAmountsDiffer(payment: KeptPayment, bought: bigint | undefined): Differing[] {
  const { id, given, sourceCurrency, currency, bookingIds } = payment;
  if (payment.amount === '') return [];
  const found = `${payment.amount} ${payment.toTransit} ${payment.toFees}`;
  const what = `payment ${id}: amount, delivered, fees, minor units`;
  if (bookingIds.length > 0 && bought === undefined) return [[`payment ${id}: conversions`, 'into its currency', NONE]];
  const isConverted = given.kind === 'source' && sourceCurrency !== currency;
  const computed = readable(() => amountsGiven(payment, isConverted ? bought! : BigInt(given.minor)));
  if (computed === undefined || isRefusal(computed)) return [[what, 'amounts that can be paid', found]];
  const { amount, total, transit, fees } = computed;
  if (bought !== undefined && bought > total)
    return [[`payment ${id}: bought by its conversions, minor units`, `${total} at most`, String(bought)]];
  return difference(what, `${amount} ${transit} ${fees}`, found);
}

/** A place, what should be there, and what is. */
export type Differing = readonly [what: string, expected: string, found: string];

export const NONE = 'none';

/** Nothing where both say the same. */
export function difference(what: string, expected: string, found: string | undefined): Differing[] {
  return found === expected ? [] : [[what, expected || NONE, found || NONE]];
}

/** Steps that records name, and that no entry has told so far. */
export class StepsAhead {
  readonly #what: 'funding' | 'payment';
  /** Id to the entry of its last step. */
  readonly #last: Map<string, string>;

  constructor(what: 'funding' | 'payment', last: Iterable<readonly [string, string]> = []) {
    this.#what = what;
    this.#last = new Map(last);
  }

  /** For one that goes on from here. */
  get state(): [id: string, lastEntry: string][] {
    return [...this.#last];
  }

  /** When `entry` has been played, of a record that names `last` as its last. */
  played(id: string, entry: string, last: string): void {
    if (entry === last) this.#last.delete(id);
    else if (isPlace(last) && isBefore(entry, last)) this.#last.set(id, last);
  }

  /** When all entries up to `lastEntry` have been played. */
  compare(lastEntry: string): Differing[] {
    return [...this.#last]
      .filter(([, entry]) => !isBefore(lastEntry, entry))
      .map(([id, entry]) => [`${this.#what} ${id}: journal entry`, entry, NONE]);
  }
}

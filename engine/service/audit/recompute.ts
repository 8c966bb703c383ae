/** Amounts computed again from what was agreed: prices, fees and what conversions bought. The stored records may have been altered. */
import { convert } from '../../domain/conversion.js';
import { pairBySymbol } from '../../domain/pair.js';
import { amountsGiven } from '../../domain/payment-amounts.js';
import { isRefusal } from '../../domain/refusal.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import type { KeptPayment } from '../../store/audit/payment-audit.js';
import { readable } from '../../store/connection/readable.js';
import { type Differing, difference, NONE } from './replayed.js';

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

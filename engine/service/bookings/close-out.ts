/** What it costs, or brings, to unwind a scheduled conversion at the market of this moment. */
import type { Booking, CloseOut } from '../../domain/booking.js';
import { convert } from '../../domain/conversion.js';
import { pairBySymbol } from '../../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { PRICE_RETRY_AFTER_S } from '../../rates/pricing.js';
import { notDealt } from '../core/dealing.js';
import type { Services } from '../core/services.js';

/**
 * The sell amount is bought back for the buy currency, at the provider's price of the side that this hits, without a margin: the client has paid
 * the margin of the conversion already. Its cost is rounded up. Above what the conversion would have brought, the difference is charged, below it
 * is credited, in the buy currency. Refuses with MARKET_CLOSED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT.
 */
export function closeOutOf(
  services: Services,
  client: { readonly shard: number },
  booking: Booking,
): Omit<CloseOut, 'receivable'> | Refusal {
  const pair = pairBySymbol(booking.pair)!;
  const closed = notDealt(services, pair, services.store.clock.now(client));
  if (closed) return closed;
  const market = services.book.read(pair.index);
  if (market === undefined) return refuse('RATE_UNAVAILABLE', undefined, { retryAfterS: PRICE_RETRY_AFTER_S });
  const { buyCurrency, sell, buy } = booking;
  const price = buyCurrency === pair.base ? market.bid : market.offer;
  const amount = { side: 'buy', minor: BigInt(sell) } as const;
  const bought = convert({ pair, sell: buyCurrency, price, providerPrice: price, amount });
  if (isRefusal(bought)) return bought;
  const difference = BigInt(buy) - bought.sellMinor;
  const kind = difference < 0n ? 'charge' : 'credit';
  const due = difference < 0n ? -difference : difference;
  return { kind, currency: buyCurrency, amount: String(due), cost: String(bought.sellMinor), price };
}

import { z } from 'zod';
import { asAmended } from '../../domain/conversions/amendment.js';
import type { Booking, CloseOut } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { formatMinor } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { PRICE_RETRY_AFTER_S } from '../../rates/pricing.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_ID, ID, REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { DEACTIVATED } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { type Dealt, refuseIfNotTradable, takeLevels, withTaken } from '../prices/index.js';

/** The current state of a client's conversion, for the operator. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const showBooking = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, confirmationId: ID }),
  async execute({ store }, _operator, { clientId, confirmationId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const booking = await store.bookings.read(client, confirmationId);
    return booking
      ? { booking: asAmended(booking) }
      : refuse('NOT_FOUND', `No such conversion of ${clientId}: check the confirmation id`);
  },
});

/** Conversions of a client, newest first, as they were booked: a page. Refuses with UNKNOWN_CLIENT. */
export const pageBookings = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    /** Epoch ms, of their creation; both included. */
    fromMs: z.number().optional(),
    toMs: z.number().optional(),
    /** The place of the last one of the page before. */
    after: z.string().max(64).optional(),
  }),
  async execute({ store }, _operator, { clientId, fromMs, toMs, after }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const page = await store.lists.page(client, 'bookings', { fromMs, toMs }, after, PAGE);
    const bookings = await Promise.all(page.map(({ id }) => store.bookings.read(client, id)));
    const last = page.length < PAGE ? undefined : page.at(-1)!.place;
    return { bookings: bookings.filter((one) => one !== undefined), after: last };
  },
});

const PAGE = 500;

/**
 * Cancels a scheduled conversion that has not settled. With a close-out, cancels an OVERDUE one: the difference to the current market price
 * is charged or credited to its buy account, with a reason; what the account lacks becomes a receivable. Refuses with UNKNOWN_CLIENT,
 * NOT_FOUND, NOT_CANCELLABLE; with a close-out also with MARKET_CLOSED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT,
 * ACCOUNT_INACTIVE, BALANCE_LIMIT.
 */
export const cancelBooking = defineOpenOperation({
  input: z
    .object({
      clientId: CLIENT_ID,
      confirmationId: ID,
      reason: REASON.optional(),
      closeOut: z.boolean().optional(),
    })
    .refine(({ closeOut, reason }) => !closeOut || reason !== undefined, {
      path: ['reason'],
      error: 'a close-out needs a reason: say why it is booked',
    }),
  audited: {
    subject: ({ clientId, confirmationId }) => `conversion ${confirmationId} of client ${clientId}`,
    async state({ store }, { clientId, confirmationId }) {
      const client = await store.clients.get(clientId);
      const booking = client && (await store.bookings.read(client, confirmationId));
      if (!booking) return undefined;
      const { status, settledAtMs, closeOut } = booking;
      if (closeOut === undefined) return { status, settledAtMs };
      const { kind, currency, amount, receivable } = closeOut;
      const [closedOut, owed] = [amount, receivable].map((minor) => formatMinor(BigInt(minor), currency));
      return { status, settledAtMs, closeOut: kind, closedOut, owed, currency };
    },
  },
  async execute(services, _operator, { clientId, confirmationId, reason = '', closeOut: wanted = false }) {
    const { store } = services;
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const booking = await store.bookings.read(client, confirmationId);
    if (booking === undefined)
      return refuse('NOT_FOUND', `No such conversion of ${clientId}: check the confirmation id`);
    return cancelConversion(services, client, booking, { actor: 'operator', reason, isClosedOut: wanted });
  },
});

/** Refuses as `cancelBooking` does. */
export async function cancelConversion(
  services: Services,
  client: Client,
  booking: Booking,
  { actor, reason, isClosedOut }: { readonly actor: string; readonly reason: string; readonly isClosedOut: boolean },
): Promise<{ readonly booking: Booking } | Refusal> {
  if (isClosedOut && booking.status !== 'OVERDUE') return refuse('NOT_CANCELLABLE', notClosedOut(booking.status));
  const closed = isClosedOut ? closeOutOf(services, asAmended(booking)) : undefined;
  if (isRefusal(closed)) return closed;
  const taken = closed && takeLevels(services, closed.dealt);
  if (isRefusal(taken)) return taken;
  const cancel = () => services.store.dueQueue.cancel(client, booking, { actor, reason, closeOut: closed?.closeOut });
  const outcome = await withTaken(services, taken, cancel, ({ kind }) => kind === 'cancelled');
  if (outcome.kind === 'cancelled') return { booking: asAmended(outcome.booking) };
  if (outcome.kind === 'changed') return refuse('NOT_CANCELLABLE', 'The conversion has just been corrected: try again');
  if (outcome.kind === 'refused')
    return outcome.code === 'ACCOUNT_INACTIVE' && actor === 'operator' ? DEACTIVATED : refuse(outcome.code);
  const text = `The conversion is ${outcome.status}: only OPEN and OVERDUE end`;
  return refuse('NOT_CANCELLABLE', isClosedOut ? notClosedOut(outcome.status) : text);
}

const notClosedOut = (status: string | undefined): string =>
  `The conversion is ${status}: only an OVERDUE one is closed out; cancel an OPEN one without --close-out`;

/**
 * Also of a halted client: it is the operator's deal. Buys the sell amount back for the buy currency, at the opposite side of the provider's price and without a margin: the conversion already
 * included it. The cost is rounded up. The buy currency is charged the cost above the conversion's buy amount, or credited the rest.
 * Refuses with MARKET_CLOSED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, INSUFFICIENT_LIQUIDITY.
 */
function closeOutOf(
  services: Services,
  booking: Booking,
): { readonly closeOut: Omit<CloseOut, 'receivable'>; readonly dealt: Dealt } | Refusal {
  const pair = pairBySymbol(booking.pair)!;
  const closed = refuseIfNotTradable(services, undefined, pair);
  if (closed) return closed;
  const { book } = services;
  if (book.read(pair.index) === undefined)
    return refuse('RATE_UNAVAILABLE', undefined, { retryAfterS: PRICE_RETRY_AFTER_S });
  const { buyCurrency, sell, buy } = booking;
  const amount = { side: 'buy', minor: BigInt(sell) } as const;
  const isBid = buyCurrency === pair.base;
  const bought = isBid ? { numerator: amount.minor, denominator: 1n } : amount.minor;
  const sized = book.priceFor(pair.index, isBid, bought);
  if (sized === undefined) return refuse('INSUFFICIENT_LIQUIDITY');
  const { price } = sized;
  const converted = convert({ pair, sell: buyCurrency, price, providerPrice: price, amount });
  if (isRefusal(converted)) return converted;
  const difference = BigInt(buy) - converted.sellMinor;
  const kind = difference < 0n ? 'charge' : 'credit';
  const due = difference < 0n ? -difference : difference;
  const cost = String(converted.sellMinor);
  return {
    closeOut: { kind, currency: buyCurrency, amount: String(due), cost, price },
    dealt: { pair: pair.symbol, sellCurrency: buyCurrency, sell: cost, buy: sell, providerPrice: price },
  };
}

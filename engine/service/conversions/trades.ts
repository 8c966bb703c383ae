/** The caller's conversions as trades: all of them have a number, counted from 1 in the order in which they were booked. */
import { z } from 'zod';
import type { Booking } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { tradeDate, tradeDatePeriod } from '../../domain/money/value-date.js';
import type { Client } from '../../store/access/clients.js';
import { storedBooking } from '../../store/ledger/records.js';
import { clientOf } from '../core/caller.js';
import { ID, PAIR, patternText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** Maximum trades of one request, and of one request for the orders of the day. */
const TRADES_MAX = 10_000;
export const ORDERS_MAX = 1_000;
/** Trades that are read at once. */
export const TRADES_PAGE = 100;

/** Consecutive numbers; with `symbol` only those of that pair count. */
export interface TradeRange {
  readonly first: number;
  readonly count: number;
  /** The number from which a further request continues; undefined: nothing is left out. */
  readonly next?: number | undefined;
}

export interface Trade {
  readonly number: number;
  readonly booking: Booking;
}

const TRADE_DATE = patternText(/^\d{8}$/, 8, 'a date, YYYYMMDD');
const NUMBER = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * Which trades a request names: those of the trade dates from `fromDate` to `toDate`, those from a number on, or both; without either all of
 * them. At most 10,000, the oldest. Refuses with VALIDATION_FAILED for a day that there is not, or a period that ends before it begins.
 */
export const findTrades = defineOperation({
  input: z.object({
    fromDate: TRADE_DATE.optional(),
    /** Absent: `fromDate`. */
    toDate: TRADE_DATE.optional(),
    /** 0 as 1. */
    fromNumber: NUMBER.optional(),
  }),
  right: 'trade',
  async execute(services, caller, { fromDate, toDate = fromDate, fromNumber = 1 }): Promise<TradeRange | Refusal> {
    const period = fromDate === undefined ? {} : tradeDatePeriod(fromDate, toDate!);
    if (period === undefined) return refuse('VALIDATION_FAILED', 'There is no such trade date');
    if (fromDate !== undefined && toDate! < fromDate)
      return refuse('VALIDATION_FAILED', 'The first trade date is after the second one: the period is empty');
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { first, count } = await services.store.lists.numbers(client, 'bookings', period);
    const from = Math.max(first, fromNumber);
    const left = Math.max(0, first + count - from);
    return left > TRADES_MAX
      ? { first: from, count: TRADES_MAX, next: from + TRADES_MAX }
      : { first: from, count: left };
  },
});

interface OrderRange extends TradeRange {
  /** Those of `requestIds` that are in the range. */
  readonly booked: ReadonlySet<string>;
}

/**
 * The newest conversions of the current trade date, of all pairs or of one: at most `most`, from the oldest of them on. `requestIds`: those
 * whose outcome the caller does not know, of any form.
 */
export const findOrders = defineOperation({
  input: z.object({
    symbol: PAIR.optional(),
    most: z.number().int().min(0).max(ORDERS_MAX),
    requestIds: z.array(ID).max(ORDERS_MAX),
  }),
  right: 'trade',
  async execute(services, caller, { symbol, most, requestIds }): Promise<OrderRange | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const today = tradeDate(services.store.clock.now(client));
    const { first, count } = await services.store.lists.numbers(client, 'bookings', tradeDatePeriod(today, today)!);
    if (symbol !== undefined || requestIds.length > 0)
      return newestOf(services, client, symbol, most, { first, count }, new Set(requestIds));
    const some = Math.min(count, most);
    return { first: first + count - some, count: some, booked: new Set() };
  },
});

async function newestOf(
  services: Services,
  client: Client,
  symbol: string | undefined,
  most: number,
  day: TradeRange,
  requestIds: ReadonlySet<string>,
): Promise<OrderRange> {
  const booked = new Set<string>();
  const found = { first: day.first, count: 0, booked };
  for (let end = day.first + day.count; end > day.first && found.count < most; ) {
    const start = Math.max(day.first, end - TRADES_PAGE);
    const page = await pageOf(services, client, start, end - start);
    for (const { number, booking } of page.toReversed()) {
      if ((symbol !== undefined && booking.pair !== symbol) || found.count === most) continue;
      if (requestIds.has(booking.requestId)) booked.add(booking.requestId);
      found.first = number;
      found.count++;
    }
    end = start;
  }
  return found;
}

/** Trades from the number `first` on, at most 100, in order of their numbers. */
export const readTrades = defineOperation({
  input: z.object({ first: NUMBER.min(1), count: z.number().int().min(0).max(TRADES_PAGE) }),
  right: 'trade',
  async execute(services, caller, { first, count }): Promise<{ readonly trades: readonly Trade[] } | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return { trades: count === 0 ? [] : await pageOf(services, client, first, count) };
  },
});

async function pageOf({ store }: Services, client: Client, first: number, count: number): Promise<readonly Trade[]> {
  const found = await store.lists.numbered(client, 'bookings', first, count);
  return found.map(({ member }, i) => ({ number: first + i, booking: storedBooking(member).booking }));
}

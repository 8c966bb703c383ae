/** Which deals of clients a cover order covers: first in, first out. */
import { asAmended, isBusted } from '../../domain/conversions/amendment.js';
import type { Booking } from '../../domain/conversions/booking.js';
import type { CoverRecord } from '../../store/cover/cover.js';
import { storedBooking } from '../../store/ledger/records.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

export interface CoveredDeal {
  readonly clientId: string;
  readonly confirmationId: string;
  readonly createdAtMs: number;
  /** Minor units of base: of the deal, and what of it this order covers. */
  readonly amount: bigint;
  readonly covered: bigint;
}

const PAGE = 200;
/** Of one client, and shown. */
const READ_MAX = 20_000;
const SHOWN_MAX = 1_000;

/**
 * With first in, first out the position that an order was planned for consists of the newest deals on its side that come to its size: the
 * deals before them were covered before, by orders or by deals of clients on the other side. The order covers the oldest of them. Its own
 * fills count, or its amount while it has none. `isWhole`: not cut off by a bound, and no later bust has changed the deals.
 */
export async function dealsCovered(
  services: Services,
  cover: CoverRecord,
): Promise<{ readonly deals: readonly CoveredDeal[]; readonly isWhole: boolean }> {
  const size = cover.net < 0n ? -cover.net : cover.net;
  const found: CoveredDeal[] = [];
  for await (const client of everyClient(services)) {
    let sum = 0n;
    let read = 0;
    for (let after: string | undefined; sum < size && read < READ_MAX; ) {
      const page = await services.store.lists.page(client, 'bookings', { toMs: cover.netAtMs }, after, PAGE);
      read += page.length;
      for (const { member } of page) {
        const amount = amountFor(cover, storedBooking(member).booking);
        if (amount === undefined || sum >= size) continue;
        const { id: confirmationId, createdAtMs } = storedBooking(member).booking;
        found.push({ clientId: client.id, confirmationId, createdAtMs, amount, covered: 0n });
        sum += amount;
      }
      if (page.length < PAGE) break;
      after = page.at(-1)!.place;
    }
  }
  // Newest first; ids begin with the time.
  found.sort((a, b) => (a.confirmationId < b.confirmationId ? 1 : -1));
  const position: CoveredDeal[] = [];
  let left = size;
  for (const deal of found) {
    if (left === 0n) break;
    const part = deal.amount < left ? deal.amount : left;
    position.push({ ...deal, covered: part });
    left -= part;
  }
  let toCover = cover.filled > 0n ? cover.filled : cover.amount;
  const deals: CoveredDeal[] = [];
  for (const deal of position.reverse()) {
    if (toCover === 0n) break;
    const covered = deal.covered < toCover ? deal.covered : toCover;
    deals.push({ ...deal, covered });
    toCover -= covered;
  }
  return { deals: deals.slice(0, SHOWN_MAX), isWhole: left === 0n && toCover === 0n && deals.length <= SHOWN_MAX };
}

/** Minor units of base that the deal has added to the position's side; undefined: it has not. */
function amountFor({ pair, net }: CoverRecord, booked: Booking): bigint | undefined {
  if (booked.pair !== pair || booked.status === 'CANCELLED' || booked.status === 'SPLIT' || isBusted(booked))
    return undefined;
  const { sellCurrency, sell, buy } = asAmended(booked);
  // The client sells base: the house is longer.
  const isLonger = pair.startsWith(sellCurrency);
  if (isLonger !== net > 0n) return undefined;
  return BigInt(isLonger ? sell : buy);
}

/** Pays the gain of a cancellation at its date, as far as what its group owes and has lost in open conversions allows. */
import { asAmended, lastAmendment, originOf } from '../../domain/conversions/amendment.js';
import type { Booking } from '../../domain/conversions/booking.js';
import { Decimal } from '../../domain/money/decimal.js';
import { exponentOf } from '../../domain/money/money.js';
import { pairOf } from '../../domain/money/pair.js';
import type { Client } from '../../store/access/clients.js';
import type { GroupReading } from '../../store/ledger/due-queue.js';
import type { Services } from '../core/services.js';
import { RETRY_MS } from './force-conversion.js';

/** The group may change between its reading and the step. */
const READS_MAX = 5;
const READ_AT_ONCE = 100;
/** Without a mid nothing is paid: it is retried within the hour. */
const HELD_WHOLE = 999_999_999_999_999n;

export async function payGain(services: Services, client: Client, booking: Booking): Promise<void> {
  const { dueQueue } = services.store;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const group = await dueQueue.readGroup(client);
    const heldMinor = (await heldBack(services, client, booking, group)) ?? HELD_WHOLE;
    const terms = { heldMinor, retryMs: RETRY_MS, changes: group.changes };
    if ((await dueQueue.payGain(client, booking, terms)) !== 'changed') return;
  }
}

/**
 * Minor units of the gain's currency, rounded up: what the clients of the group owe, and what each of their conversions that have not settled,
 * and that were booked before the cancellation, has lost at the mid; gains of others are not set off, for they may never be paid for. What the
 * client owes in the currency itself is repaid from the gain. Undefined: there is no mid for a part of it.
 */
async function heldBack(
  services: Services,
  client: Client,
  cancelled: Booking,
  { owing, open }: GroupReading,
): Promise<bigint | undefined> {
  const { store } = services;
  const { sellCurrency: currency } = cancelled;
  const cancelledAtMs = lastAmendment(cancelled)?.atMs ?? 0;
  let held = new Decimal(0);
  for (const id of owing) {
    for (const receivable of await store.accounts.receivables({ id, shard: client.shard })) {
      if (id === client.id && receivable.currency === currency) continue;
      const worth = worthIn(services, receivable.currency, currency);
      if (worth === undefined) return undefined;
      held = held.plus(worth.times(receivable.owed.toString()));
    }
  }
  for (let from = 0; from < open.length; from += READ_AT_ONCE) {
    const page = open.slice(from, from + READ_AT_ONCE);
    const found = await Promise.all(
      page.map(({ clientId, id }) => store.bookings.read({ id: clientId, shard: client.shard }, id)),
    );
    for (const one of found) {
      if (one === undefined || originOf(one).bookedAtMs > cancelledAtMs) continue;
      const loss = lossOf(services, one, currency);
      if (loss === undefined) return undefined;
      held = held.plus(loss);
    }
  }
  const minor = BigInt(held.toFixed(0, Decimal.ROUND_CEIL));
  return minor < HELD_WHOLE ? minor : HELD_WHOLE;
}

/** 0 of one with a gain. The margin is none of its loss: it is earned when it settles. */
function lossOf(services: Services, stored: Booking, currency: string): Decimal | undefined {
  const { sellCurrency, sell, buyCurrency, buy, marginCurrency, margin } = asAmended(stored);
  const [given, got] = [worthIn(services, sellCurrency, currency), worthIn(services, buyCurrency, currency)];
  if (given === undefined || got === undefined) return undefined;
  const [sold, bought] = [
    new Decimal(sell).minus(marginCurrency === sellCurrency ? margin : 0),
    new Decimal(buy).plus(marginCurrency === buyCurrency ? margin : 0),
  ];
  return Decimal.max(0, sold.times(given).minus(bought.times(got)));
}

/** Minor units of `to` for one of `from`, at the last known mids of their pair, or through USD. */
function worthIn(services: Services, from: string, to: string): Decimal | undefined {
  if (from === to) return new Decimal(1);
  const units = mid(services, from, to) ?? through(services, from, to);
  return units?.times(new Decimal(10).pow(exponentOf(to) - exponentOf(from)));
}

function through(services: Services, from: string, to: string): Decimal | undefined {
  const [first, second] = [mid(services, from, 'USD'), mid(services, 'USD', to)];
  return first && second?.times(first);
}

function mid({ book }: Services, from: string, to: string): Decimal | undefined {
  const found = pairOf(from, to);
  const price = found && book.lastMid(found.pair.index);
  return price && (found.inverse ? new Decimal(1).div(price) : price);
}

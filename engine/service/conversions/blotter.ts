/** The blotter: the newest bookings and payments, and later those that the journal shows as changed. */
import { asAmended } from '../../domain/conversions/amendment.js';
import type { Booking } from '../../domain/conversions/booking.js';
import { type Payment, paymentAt } from '../../domain/payments/payment.js';
import type { Client } from '../../store/access/clients.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

export type BlotterRow =
  | { readonly clientId: string; readonly id: string; readonly createdAtMs: number; readonly booking: Booking }
  | { readonly clientId: string; readonly id: string; readonly createdAtMs: number; readonly payment: Payment };

type Kind = 'bookings' | 'payments';

interface Placed {
  readonly client: Client;
  readonly kind: Kind;
  readonly id: string;
  /** Sort key: time, and within a millisecond the id. */
  readonly place: string;
}

/** Clients whose lists are read together. */
const AT_ONCE = 50;
/** Maximum journal entries per read, however many were added since the last one. */
export const ENTRIES_MAX = 200;
/** Entries of a journal that is read for the first time. */
const ENTRIES_AT_FIRST = 20;

/** The newest of one client, newest first. */
export async function newestRows(services: Services, client: Client, limit: number): Promise<readonly BlotterRow[]> {
  return rowsOf(services, newestPlaced(await placed(services, client, limit), limit));
}

/** The newest of all clients; reads at most `clientsMax` clients, in order of their ids. */
export async function newestRowsOfAll(
  services: Services,
  limit: number,
  clientsMax: number,
): Promise<readonly BlotterRow[]> {
  let found: Placed[] = [];
  let together: Client[] = [];
  let looked = 0;
  const take = async () => {
    const lists = await Promise.all(together.map((client) => placed(services, client, limit)));
    found = newestPlaced([found, ...lists].flat(), limit);
    together = [];
  };
  for await (const client of everyClient(services)) {
    together.push(client);
    if (together.length === AT_ONCE) await take();
    if (++looked === clientsMax) break;
  }
  await take();
  return rowsOf(services, found);
}

export interface Moved {
  readonly rows: readonly BlotterRow[];
  /** The last entry of the journal that is included: the next read starts after it. Undefined: the journal is empty. */
  readonly seen: string | undefined;
}

/** The current state of what changed after the entry `seen`; for a journal never read, of what its last entries are about. */
export async function movedRows(services: Services, client: Client, seen: string | undefined): Promise<Moved> {
  const { journal } = services.store;
  let entries = seen === undefined ? [] : await journal.page(client, seen, '+', ENTRIES_MAX);
  // The oldest new entries are skipped when there are too many: the newest are shown.
  if (entries.length === ENTRIES_MAX) entries = (await journal.latest(client, ENTRIES_MAX)).toReversed();
  if (seen === undefined) entries = (await journal.latest(client, ENTRIES_AT_FIRST)).toReversed();
  const ids = new Set(entries.map(({ id }) => id));
  const about = [...ids].flatMap((id) => {
    const kind = kindOf(id);
    return kind === undefined ? [] : [{ client, kind, id }];
  });
  return { rows: await rowsOf(services, about), seen: entries.at(-1)?.entry ?? seen };
}

async function placed({ store }: Services, client: Client, limit: number): Promise<Placed[]> {
  const kinds: readonly Kind[] = ['bookings', 'payments'];
  const pages = await Promise.all(kinds.map((kind) => store.lists.page(client, kind, {}, undefined, limit)));
  return kinds.flatMap((kind, i) => pages[i]!.map(({ id, place }) => ({ client, kind, id, place })));
}

function newestPlaced(all: readonly Placed[], limit: number): Placed[] {
  return all.toSorted((one, other) => (one.place < other.place ? 1 : -1)).slice(0, limit);
}

function kindOf(id: string): Kind | undefined {
  if (id.startsWith('BFX')) return 'bookings';
  return id.startsWith('PAY') ? 'payments' : undefined;
}

async function rowsOf(services: Services, all: readonly Pick<Placed, 'client' | 'kind' | 'id'>[]) {
  const rows = await Promise.all(all.map((one) => rowOf(services, one)));
  return rows.filter((row) => row !== undefined);
}

async function rowOf(
  { store }: Services,
  { client, kind, id }: Pick<Placed, 'client' | 'kind' | 'id'>,
): Promise<BlotterRow | undefined> {
  const clientId = client.id;
  if (kind === 'bookings') {
    const booking = await store.bookings.read(client, id);
    return booking && { clientId, id, createdAtMs: booking.createdAtMs, booking: asAmended(booking) };
  }
  const payment = await store.payments.read(client, id);
  return (
    payment && { clientId, id, createdAtMs: payment.createdAtMs, payment: paymentAt(payment, store.clock.now(client)) }
  );
}

/**
 * The form of a store, and its conversion from the form of an earlier release, record by record. Each record is converted by one atomic
 * step, so that an interrupted conversion is continued by the next.
 */
import { BOOKING_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';
import { StoreStartError } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { FEED_LEASE, leaseKey } from '../coordination/lease.js';
import { type LedgerKeys, ledgerKeys } from '../keys/redis-keys.js';
import { FORM, STORE_FORM } from '../ledger/form.js';
import { currentRecords } from '../ledger/records.js';
import { bookingFrom, bookingIndex, paymentFrom, receiptFrom, typeOfBooking } from './form-1.js';

const FORM_KEY = 'store:form';
/** Of a store whose conversion has begun and not ended. */
const UNFINISHED = 'migrating';

/** @public Tests corrupt their keys. */
export const MIGRATE_BOOKING = step('migrate-booking', {
  keys: ['booking', 'bookings', 'index'],
  args: ['member', 'place'],
});
/** @public */
export const MIGRATE_RECEIPT = step('migrate-receipt', { keys: ['receipt'], args: ['value'] });
/** @public */
export const MIGRATE_PAYMENT = step('migrate-payment', { keys: ['payment'], rest: 'fields' });

export interface Converted {
  readonly bookings: number;
  readonly receipts: number;
  readonly payments: number;
}

export interface Migration {
  /**
   * `current`: this release's; `earlier` and `unfinished`: it has to be converted, from the beginning or from where it ended; `unknown`: a
   * later release's, which this one does not convert.
   */
  state(): Promise<'current' | 'earlier' | 'unfinished' | 'unknown'>;
  /** An engine of any release has run in the last 3 seconds. */
  isInUse(): Promise<boolean>;
  /** From now on no program of this release opens the store, until `finish`. Returns the form before, for `abandon`. */
  begin(): Promise<string | null>;
  /** Before anything was converted: as if it had not begun. */
  abandon(form: string | null): Promise<void>;
  /** Converts the records of about `count` keys from cursor '0' until it is '0' again. Throws for an unreadable record, which stays. */
  convert(cursor: string, count: number): Promise<Converted & { readonly cursor: string }>;
  finish(): Promise<void>;
}

/** An empty store gets this release's form. Throws StoreStartError for a store of another one. */
export async function agreeOnForm(connection: Connection): Promise<void> {
  const state = await stateOf(connection);
  if (state === 'current') return;
  if (state === 'unfinished')
    throw new StoreStartError('the conversion of this store has not ended: run `ratewire store migrate` again');
  if (state === 'earlier')
    throw new StoreStartError(
      'this store was written by an earlier release: stop every engine and sidecar, copy the store (docs/operations.md), and run `ratewire store migrate`',
    );
  throw new StoreStartError(
    `this store is of a later form than ${STORE_FORM}, which this release reads: install the newest release, and run its \`ratewire store migrate\``,
  );
}

async function stateOf(connection: Connection): ReturnType<Migration['state']> {
  const form = (await connection.read((redis) => redis.get(FORM_KEY))) ?? (await formOfUnmarked(connection));
  if (form === String(STORE_FORM)) return 'current';
  if (form === UNFINISHED) return 'unfinished';
  // Of form 2 are the stores of builds before 0.2.0: its records are those of this release, without positions.
  return form === '1' || form === String(FORM) ? 'earlier' : 'unknown';
}

/** A store without clients has no records. Of several programs that create it at once one is first. */
async function formOfUnmarked(connection: Connection): Promise<string> {
  if ((await connection.read((redis) => redis.zcard('clients'))) > 0) return '1';
  await connection.write((redis) => redis.set(FORM_KEY, String(STORE_FORM), 'NX'));
  return (await connection.write((redis) => redis.get(FORM_KEY))) ?? '1';
}

type Kind = 'booking' | 'receipt' | 'payment';
const OWN_KEY = /^\{s(\d\d)\}:client:([^:]+):(booking|receipt|payment):(.+)$/;

export function migration(connection: Connection): Migration {
  const current = currentRecords(connection);
  const convertBooking = async (keys: LedgerKeys, key: string, id: string): Promise<boolean> => {
    const fields = await connection.read((redis) => redis.hgetall(key));
    if (Object.keys(fields).length === 0 || !BOOKING_ID.test(id)) return false;
    const { member, place } = readable(key, () => bookingFrom(id, fields));
    const named = { booking: key, bookings: keys.bookings, index: bookingIndex(keys) };
    return (await connection.step(MIGRATE_BOOKING, named, { member, place })) === 1;
  };
  const convertReceipt = async (keys: LedgerKeys, key: string): Promise<boolean> => {
    if ((await connection.read((redis) => redis.type(key))) !== 'hash') return false;
    const fields = await connection.read((redis) => redis.hgetall(key));
    const type = fields.booking && !fields.type ? await typeOfBooking(connection, current, keys, fields.booking) : '';
    const value = readable(key, () => receiptFrom(fields, type));
    return (await connection.step(MIGRATE_RECEIPT, { receipt: key }, { value })) === 1;
  };
  const convertPayment = async (_keys: LedgerKeys, key: string): Promise<boolean> => {
    const fields = await connection.read((redis) => redis.hgetall(key));
    if (fields.status === undefined) return false;
    const converted = readable(key, () => paymentFrom(fields));
    return (await connection.step(MIGRATE_PAYMENT, { payment: key }, { fields: converted })) === 1;
  };
  return {
    state: () => stateOf(connection),
    isInUse: async () => (await connection.read((redis) => redis.exists(leaseKey(FEED_LEASE)))) === 1,
    async begin() {
      const form = await connection.read((redis) => redis.get(FORM_KEY));
      await connection.write((redis) => redis.set(FORM_KEY, UNFINISHED));
      return form;
    },
    async abandon(form) {
      await connection.write(
        (redis): Promise<unknown> => (form === null ? redis.del(FORM_KEY) : redis.set(FORM_KEY, form)),
      );
    },
    async convert(cursor, count) {
      const [next, found] = await connection.scan(cursor, '{s??}:client:*:[bpr]*', count);
      const converted = await Promise.all(
        found.map(async (key) => {
          const [, shard, clientId = '', kind, id = ''] = OWN_KEY.exec(key) ?? [];
          if (shard === undefined) return undefined;
          const keys = ledgerKeys({ id: clientId, shard: Number(shard) });
          const convert = { booking: convertBooking, receipt: convertReceipt, payment: convertPayment }[kind as Kind];
          return (await convert(keys, key, id)) ? kind : undefined;
        }),
      );
      const sum = (kind: string) => converted.filter((one) => one === kind).length;
      return { cursor: next, bookings: sum('booking'), receipts: sum('receipt'), payments: sum('payment') };
    },
    async finish() {
      await connection.write((redis) => redis.set(FORM_KEY, String(STORE_FORM)));
    },
  };
}

/** Names the key of a record that cannot be converted. */
function readable<Read>(key: string, read: () => Read): Read {
  try {
    return read();
  } catch {
    throw new StoreStartError(
      `${key} cannot be read: restore it from a copy, then run \`ratewire store migrate\` again`,
    );
  }
}

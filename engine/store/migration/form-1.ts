/**
 * Form 1, of release 0.1.0 and of builds before 0.2.0: each conversion is a hash of its own, `booking:<id>`, listed in `index:bookings`; a
 * receipt is a hash; a payment's record has a field for each of its parts. Only `ratewire store migrate` reads it.
 */
import type { BookingFacts } from '../../domain/booking.js';
import { BOOKING_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';
import { decodeOrUndefined, fieldsOf } from '../connection/fields.js';
import type { LedgerKeys } from '../keys/redis-keys.js';
import { FORM } from '../ledger/form.js';
import { placeOf } from '../ledger/lists.js';
import { entriesText, PAYMENT_FIELDS } from '../ledger/payment-record.js';
import {
  bookingMember,
  currentRecords,
  FINGERPRINT_LENGTH,
  RECORD_KINDS,
  type RecordReader,
} from '../ledger/records.js';

/** A record as a hash. */
export type Fields = Readonly<Record<string, string>>;

/** The keys of the client of `bookings`: `{sNN}:client:<id>:bookings`. */
const ownKey = ({ bookings }: Pick<LedgerKeys, 'bookings'>, name: string): string =>
  bookings.slice(0, -'bookings'.length) + name;
const bookingKey = (keys: LedgerKeys, id: string): string => ownKey(keys, `booking:${id}`);
export const bookingIndex = (keys: LedgerKeys): string => ownKey(keys, 'index:bookings');

/**
 * The member of `bookings`, and its position in the list of form 1. The facts stay as they are: the journal has their hash. Throws
 * TypeError or SyntaxError for an unreadable record.
 */
export function bookingFrom(id: string, fields: Fields): { readonly member: string; readonly place: string } {
  const { facts = '', status = '', sellAccount = '', buyAccount = '', settledAt = '', journal = '' } = fields;
  const { createdAtMs } = JSON.parse(facts) as BookingFacts;
  if (status === '' || sellAccount === '' || buyAccount === '' || !Number.isSafeInteger(createdAtMs))
    throw new TypeError('not the record of a conversion');
  const member = bookingMember(id, {
    ...{ status, sellAccount, buyAccount, entry: journal, afterwards: fields.closeOut ?? '', facts },
    settledAt: settledAt === String(createdAtMs) ? '' : settledAt,
  });
  return { member, place: placeOf(createdAtMs, id) };
}

/** `type` is that of the conversion that it names: a receipt of 0.1.0 does not state it. Throws TypeError for an unreadable one. */
export function receiptFrom(fields: Fields, type: string): string {
  const { fingerprint = '', refusal, text = '', more = '' } = fields;
  const kind = RECORD_KINDS.find((one) => fields[one]);
  if (kind === undefined && refusal === undefined) throw new TypeError('not a receipt');
  const named = kind === undefined ? ['refusal', refusal!] : [kind, fields[kind]!];
  const own = kind === 'payment' ? '' : fingerprint.slice(0, FINGERPRINT_LENGTH);
  return [FORM, ...named, own, fields.type ?? type, more, text].join('|').replace(/\|+$/, '');
}

/** Of a conversion with facts of form 1, wherever its record is; '' for another. */
export async function typeOfBooking(connection: Connection, reader: RecordReader, keys: LedgerKeys, id: string) {
  const facts = await connection.read((redis) => redis.hget(bookingKey(keys, id), 'facts'));
  const text = facts ?? (await reader.booking(keys, id))?.replace(/^(?:[^|]*\|){7}/, '');
  return text?.startsWith('{') ? ((JSON.parse(text) as BookingFacts).type ?? '') : '';
}

/** Fields and values of a payment's record. The facts stay as they are. Throws TypeError for an unreadable one. */
export function paymentFrom(fields: Fields): string[] {
  const { facts = '', status = '', subStatus = '', step = '', busy = '', attempts = '0', updatedAt = '' } = fields;
  const { entries = '', description = '', account = '', amount = '', toTransit = '', toFees = '' } = fields;
  if (!facts.startsWith('{') || status === '' || step === '' || entries === '') throw new TypeError('not a payment');
  const isBusy = busy === step ? '1' : '';
  const places = entriesText(entries.split(' '));
  return Object.entries({
    f: facts,
    m: [account, amount, toTransit, toFees, fields.bookings ?? ''].join('|'),
    s: [status, subStatus, step, isBusy, attempts, updatedAt, places, description].join('|'),
    b: fields.bankReference ?? '',
    c: fields.cards ?? '',
  })
    .filter(([, value]) => value !== '')
    .flat();
}

const UNREADABLE = '1';

/** Reads records of form 2, and those that are still of form 1. */
export function anyRecords(connection: Connection): RecordReader {
  const current = currentRecords(connection);
  return {
    async booking(keys, id) {
      const member = await current.booking(keys, id);
      if (member !== undefined || !BOOKING_ID.test(id)) return member;
      const fields = await connection.read((redis) => redis.hgetall(bookingKey(keys, id)));
      // An unreadable record reads as one without parts.
      return fields.facts === undefined ? undefined : (decodeOrUndefined(() => bookingFrom(id, fields).member) ?? id);
    },
    async receipt(key) {
      const type = await connection.read((redis) => redis.type(key));
      if (type !== 'hash') return current.receipt(key);
      const fields = await connection.read((redis) => redis.hgetall(key));
      return decodeOrUndefined(() => receiptFrom(fields, '')) ?? UNREADABLE;
    },
    async payment(key) {
      const values = await current.payment(key);
      if (values.at(-1) === null) return values;
      const fields = await connection.read((redis) => redis.hgetall(key));
      const converted = fieldsOf(
        decodeOrUndefined(() => paymentFrom(fields)) ?? ['f', UNREADABLE, 's', fields.status ?? ''],
      );
      return PAYMENT_FIELDS.map((name) => converted[name] ?? null);
    },
  };
}

/** Stored records, as tests read and alter them: in the form that records.ts and journal.ts read. */
import type { Redis } from 'ioredis';
import type { Booking } from '../../engine/domain/conversions/booking.js';
import type { LedgerKeys } from '../../engine/store/keys/redis-keys.js';
import { asEntry, type JournalEntry } from '../../engine/store/ledger/journal.js';
import {
  bookingFactsText,
  bookingMember,
  memberOf,
  type StoredBooking,
  storedBooking,
} from '../../engine/store/ledger/records.js';
import {
  entriesText,
  PAYMENT_FIELDS,
  paymentFacts,
  paymentFactsText,
  stateOf,
} from '../../engine/store/payments/payment-record.js';

type Commands = Pick<Redis, 'zrange' | 'zrem' | 'zadd' | 'xrange' | 'xadd' | 'del'>;

export async function readStoredBooking(
  redis: Commands,
  keys: LedgerKeys,
  id: string,
): Promise<StoredBooking | undefined> {
  const [member] = await redis.zrange(keys.bookings, ...memberOf(id));
  return member === undefined ? undefined : storedBooking(member);
}

export async function removeBooking(redis: Commands, keys: LedgerKeys, id: string): Promise<void> {
  await redis.zrem(keys.bookings, (await redis.zrange(keys.bookings, ...memberOf(id)))[0]!);
}

/** Writes the record anew with these changes; returns its facts as stored. */
export async function alterBooking(
  redis: Commands,
  keys: LedgerKeys,
  id: string,
  change: Partial<Booking> & { readonly entry?: string; readonly afterwards?: string; readonly factsText?: string },
): Promise<string> {
  const stored = (await readStoredBooking(redis, keys, id))!;
  const { entry = stored.entry, afterwards, factsText, ...changed } = change;
  const booking = { ...stored.booking, ...changed };
  const facts = factsText ?? bookingFactsText(booking);
  await removeBooking(redis, keys, id);
  await redis.zadd(keys.bookings, 0, memberText(booking, { entry, facts, afterwards }));
  return facts;
}

/** The record of a conversion as the store has it. */
export function memberText(
  { id, status, sellAccount, buyAccount, settledAtMs, createdAtMs, closeOut }: Booking,
  {
    entry,
    facts,
    afterwards,
  }: { readonly entry: string; readonly facts: string; readonly afterwards?: string | undefined },
): string {
  return bookingMember(id, {
    ...{ status, sellAccount, buyAccount, entry, facts },
    settledAt: settledAtMs === undefined || settledAtMs === createdAtMs ? '' : String(settledAtMs),
    afterwards: afterwards ?? (closeOut === undefined ? '' : JSON.stringify([closeOut])),
  });
}

/** The field of an entry of the journal. */
export function entryFields(entry: Partial<JournalEntry>): string[] {
  const { step = '', id = '', atMs = 0, moves = '', hash = '', actor = '', from = '', to = '', sub = '' } = entry;
  const { reference = '', reason = '' } = entry;
  const text = [step, id, atMs, moves, hash, actor, from, to, sub, reference, reason].join('|');
  return ['1', text.replace(/\|+$/, '')];
}

/** Writes the whole journal anew, each entry as `change` has it: an entry of a stream cannot be changed. */
export async function rewriteJournal(
  redis: Commands,
  journal: string,
  change: (entry: JournalEntry) => Partial<JournalEntry>,
): Promise<void> {
  const all = await redis.xrange(journal, '-', '+');
  await redis.del(journal);
  for (const raw of all) await redis.xadd(journal, raw[0], ...entryFields(change(asEntry(raw))));
}

type PaymentCommands = Pick<Redis, 'hmget' | 'hset'>;
const idOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/** The record of a payment, each part under its name. */
export async function readStoredPayment(redis: PaymentCommands, key: string): Promise<Record<string, string>> {
  const [f, m, s, b, c] = await redis.hmget(key, ...PAYMENT_FIELDS);
  if (!f || !m || !s) return {};
  const [account = '', amount = '', toTransit = '', toFees = '', bookings = ''] = m.split('|');
  const [status = '', subStatus = '', step = '', busy = '', attempts = '', updatedAt = '', , description = ''] =
    s.split('|');
  return {
    ...{
      account,
      amount,
      toTransit,
      toFees,
      bookings,
      status,
      subStatus,
      step,
      busy,
      attempts,
      updatedAt,
      description,
    },
    facts: JSON.stringify(paymentFacts(idOf(key), f)),
    entries: stateOf(s).entries.join(' '),
    bankReference: b ?? '',
    cards: c ?? '',
  };
}

/** Writes parts of the record; `facts` as JSON of PaymentFacts. */
export async function alterPayment(
  redis: PaymentCommands,
  key: string,
  { facts, ...change }: Readonly<Record<string, string>>,
): Promise<void> {
  const is = { ...(await readStoredPayment(redis, key)), ...change };
  const m = [is.account, is.amount, is.toTransit, is.toFees, is.bookings].join('|');
  const entries = entriesText(is.entries!.split(' '));
  const s = [is.status, is.subStatus, is.step, is.busy, is.attempts, is.updatedAt, entries, is.description].join('|');
  await redis.hset(key, { m, s, ...(facts !== undefined && { f: paymentFactsText(JSON.parse(facts)) }) });
}

/** What a reconciliation reads: a client's money at one moment, and the records that each journal entry speaks of. */
import type { Booking } from '../domain/booking.js';
import { asBooking, BOOKING_FIELDS } from './bookings.js';
import type { Connection } from './connection.js';
import { fieldsOf } from './fields.js';
import { type KeptFunding, keptFunding } from './funding-audit.js';
import { isBefore, isPlace, JOURNAL_START, type JournalEntry } from './journal.js';
import { BOOKING_ID, type LedgerKeys, ledgerKeys, type MoneyOf, REQUEST_ID } from './ledger-keys.js';
import { type KeptPayment, keptPayment } from './payment-audit.js';
import { readable } from './readable.js';
import { script } from './scripts.js';

/** Everything of one moment. */
export interface LedgerSnapshot {
  /** `EUR/<account or house sub-account>` to minor units. */
  readonly balances: Readonly<Record<string, string>>;
  /** Account number to its record, which begins with the currency; and `default:EUR` to a number. */
  readonly accounts: Readonly<Record<string, string>>;
  /** The last journal entry whose moves the balances hold. */
  readonly lastEntry: string;
  readonly entries: number;
  /** Currency to the open scheduled sells in it. */
  readonly scheduled: Readonly<Record<string, string>>;
  /** Confirmation id to sell account. */
  readonly overdue: Readonly<Record<string, string>>;
  readonly openHolds: number;
  /** Ids of the payments that await their funds. */
  readonly waiting: readonly string[];
  /** The server's clock, by which receipts end. */
  readonly serverMs: number;
}

/** A conversion as it is kept, with the journal entry that it names. */
export interface KeptBooking extends Booking {
  readonly entry: string;
}

/** What there is beside a journal entry. */
export interface Evidence {
  readonly entry: JournalEntry;
  /** Of the conversion that the entry names; undefined: there is none that can be read. */
  readonly booking: KeptBooking | undefined;
  /** Of the funding that the entry names. */
  readonly funding: KeptFunding | undefined;
  /** Of the payment that the entry names, or that its conversion was made for. */
  readonly payment: KeptPayment | undefined;
  /** What the receipt of the booking's, the funding's or the payment's request names; undefined: nothing. */
  readonly receipt: string | undefined;
  /** The record of a deposit: account and amount. */
  readonly deposit: string | undefined;
}

/** A conversion that has not settled, as it stands now. */
export interface OpenConversion {
  readonly id: string;
  readonly booking: KeptBooking | undefined;
  /** Whether the due list still has it. */
  readonly isDue: boolean;
}

/** A receipt that names a record, and whether that one and the journal entry of its creation are there. */
export interface KeptReceipt {
  readonly clientId: string;
  readonly requestId: string;
  readonly kind: 'booking' | 'funding' | 'payment';
  /** Of the record. */
  readonly id: string;
  readonly record: { readonly requestId: string; readonly entry: string } | undefined;
  readonly isJournalled: boolean;
}

export interface LedgerAudit {
  snapshot(of: MoneyOf, now: number): Promise<LedgerSnapshot>;
  evidence(of: MoneyOf, entries: readonly JournalEntry[]): Promise<readonly Evidence[]>;
  open(of: MoneyOf, ids: readonly string[]): Promise<readonly OpenConversion[]>;
  /** Goes through all receipts, of one client or of all: about `count` keys a call, from cursor '0' until it is '0' again. */
  receipts(
    of: MoneyOf | undefined,
    cursor: string,
    count: number,
  ): Promise<{ readonly cursor: string; readonly receipts: readonly KeptReceipt[] }>;
}

const READ = script('read-ledger');
const KINDS = ['booking', 'funding', 'payment'] as const;
const RECEIPT_KEY = /^\{s(\d\d)\}:client:([^:]+):receipt:(.+)$/;

export function ledgerAudit(connection: Connection): LedgerAudit {
  const booking = async (keys: LedgerKeys, id: string): Promise<KeptBooking | undefined> => {
    if (!BOOKING_ID.test(id)) return undefined;
    const fields = await connection.read((redis) => redis.hmget(keys.booking(id), ...BOOKING_FIELDS, 'journal'));
    const kept = readable(() => asBooking(fields));
    return kept && { ...kept, entry: fields.at(-1) ?? '' };
  };
  const receiptOf = async (
    keys: LedgerKeys,
    kind: KeptReceipt['kind'],
    requestId: string | undefined,
  ): Promise<string | undefined> => {
    if (requestId === undefined || !REQUEST_ID.test(requestId)) return undefined;
    return (await connection.read((redis) => redis.hget(keys.receipt(requestId), kind))) ?? undefined;
  };
  const recordOf = async (keys: LedgerKeys, kind: KeptReceipt['kind'], id: string): Promise<KeptReceipt['record']> => {
    if (kind === 'booking') return booking(keys, id);
    if (kind === 'payment') {
      const paid = await keptPayment(connection, keys, id);
      return paid && { requestId: paid.requestId, entry: paid.entries[0] ?? '' };
    }
    const found = await keptFunding(connection, keys, id);
    return found && { requestId: found.requestId, entry: found.entries.get('PENDING') ?? '' };
  };
  const depositOf = async (keys: LedgerKeys, { step, id }: JournalEntry): Promise<string | undefined> => {
    if (step !== 'deposit' || !REQUEST_ID.test(id)) return undefined;
    return (await connection.read((redis) => redis.get(keys.deposit(id)))) ?? undefined;
  };
  const journalHas = async (keys: LedgerKeys, entry: string, id: string): Promise<boolean> => {
    const found = await connection.read((redis) => redis.xrange(keys.journal, entry, entry));
    if (found[0]) return found[0][1].includes(id);
    // Read after the journal: what it has lost since is archived by now.
    const archived = (await connection.read((redis) => redis.hget(keys.archived, 'entry'))) ?? JOURNAL_START;
    return isPlace(entry) && !isBefore(archived, entry);
  };
  const keptReceipt = async (key: string): Promise<KeptReceipt | undefined> => {
    const [, shard, clientId, requestId] = RECEIPT_KEY.exec(key) ?? [];
    if (shard === undefined || clientId === undefined || requestId === undefined) return undefined;
    const named = await connection.read((redis) => redis.hmget(key, ...KINDS));
    const kind = KINDS.find((_kind, i) => named[i]);
    // A remembered refusal.
    if (kind === undefined) return undefined;
    const id = named[KINDS.indexOf(kind)]!;
    const keys = ledgerKeys({ id: clientId, shard: Number(shard) });
    const record = await recordOf(keys, kind, id);
    const entry = record?.entry;
    const isJournalled = entry ? await journalHas(keys, entry, id) : false;
    return { clientId, requestId, kind, id, record, isJournalled };
  };

  return {
    async snapshot(of, now) {
      const { balances, accounts, journal, scheduled, overdue, openHolds, waiting: queue, archived } = ledgerKeys(of);
      const read = await connection.step(
        READ,
        [balances, accounts, journal, scheduled, overdue, openHolds, queue, archived],
        [String(now)],
      );
      const [money, records, lastEntry, entries, sells, late, holds, serverMs, awaiting] = read as [
        string[],
        string[],
        string,
        number,
        string[],
        string[],
        number,
        string,
        string[],
      ];
      return {
        balances: fieldsOf(money),
        accounts: fieldsOf(records),
        lastEntry,
        entries,
        scheduled: fieldsOf(sells),
        overdue: waiting(late),
        openHolds: holds,
        waiting: awaiting.map((member) => member.split('|')[0]!),
        serverMs: Number(serverMs),
      };
    },
    async evidence(of, entries) {
      const keys = ledgerKeys(of);
      return Promise.all(
        entries.map(async (entry) => {
          const [conversion, money, deposit] = await Promise.all([
            booking(keys, entry.id),
            keptFunding(connection, keys, entry.id),
            depositOf(keys, entry),
          ]);
          const payment = await keptPayment(connection, keys, conversion?.paymentId ?? entry.id);
          const evidence = { entry, booking: conversion, funding: money, payment, deposit };
          if (entry.step === 'book-fx')
            return { ...evidence, receipt: await receiptOf(keys, 'booking', conversion?.requestId) };
          if (entry.step === 'payment')
            return { ...evidence, receipt: await receiptOf(keys, 'payment', payment?.requestId) };
          const requestId = entry.step === 'fund' ? money?.requestId || undefined : undefined;
          return { ...evidence, receipt: await receiptOf(keys, 'funding', requestId) };
        }),
      );
    },
    async open(of, ids) {
      const keys = ledgerKeys(of);
      return Promise.all(
        ids.map(async (id) => {
          // The due list first: what has left it meanwhile has settled by the time its record is read.
          const score = await connection.read((redis) => redis.zscore(keys.due, `settle:${of.id}:${id}`));
          return { id, booking: await booking(keys, id), isDue: score !== null };
        }),
      );
    },
    async receipts(of, cursor, count) {
      const pattern = of ? `${ledgerKeys(of).receipts}*` : '{s*}:client:*:receipt:*';
      const [next, keys] = await connection.scan(cursor, pattern, count);
      const found = await Promise.all(keys.map(keptReceipt));
      return { cursor: next, receipts: found.filter((receipt) => receipt !== undefined) };
    },
  };
}

/** From members `<account>|<confirmation id>`. */
function waiting(members: readonly string[]): Record<string, string> {
  const parts = members.map((member) => member.split('|'));
  return Object.fromEntries(parts.map(([account = '', id = '']) => [id, account]));
}

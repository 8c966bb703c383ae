/** What a reconciliation reads: a client's ledger at one moment, and the records that each journal entry names. */

import { isChange } from '../../domain/conversions/amendment.js';
import { type Booking, type Hold, holdSelling } from '../../domain/conversions/booking.js';
import { BOOKING_ID, CL_ORD_ID, HOLD_ID, REQUEST_ID } from '../../domain/core/ids.js';
import { holderKey } from '../accounts/accounts.js';
import type { Connection } from '../connection/connection.js';
import { decodeOrUndefined, factsHash } from '../connection/fields.js';
import { REST_OWNER } from '../conversions/holds.js';
import type { StoreClock } from '../coordination/store-clock.js';
import { type JournalledList, type LedgerKeys, ledgerKeys, type MoneyOf, receiptName } from '../keys/redis-keys.js';
import { asEntry, isBefore, isPlace, JOURNAL_START, type JournalEntry } from '../ledger/journal.js';
import { factsFrom, memberOf, type RECORD_KINDS, storedBooking, storedReceipt } from '../ledger/records.js';
import { type KeptFunding, type KeptPayment, keptFunding, keptPayment } from './kept-records.js';
import { type LedgerSnapshot, readLedger } from './ledger-snapshot.js';

/** A conversion as stored, with the journal entry that it names. */
export interface KeptBooking extends Booking {
  readonly entry: string;
  /** Computed as facts_hash of prelude.lua does. */
  readonly factsHash: string;
}

/** The records that belong to a journal entry. */
export interface Evidence {
  readonly entry: JournalEntry;
  /** Of the conversion that the entry names; undefined: missing or unreadable. */
  readonly booking: KeptBooking | undefined;
  /** Of a conversion that a split has made: the one that was split; undefined: missing or unreadable. */
  readonly parent?: KeptBooking | undefined;
  /** Of a conversion: what its hold was used for (the hold's status if for nothing). */
  readonly holdUse?: string | undefined;
  /** Of a conversion: the price of its hold in its direction, 0 where the hold has another direction; undefined: no hold, or unreadable. */
  readonly heldPrice?: number | undefined;
  /** Minor units of its currency that the conversions of a payment bought; undefined: unreadable, or the entry is no creation. */
  readonly bought?: bigint | undefined;
  /** Of the funding that the entry names. */
  readonly funding: KeptFunding | undefined;
  /** Of the payment that the entry names, or that its conversion was made for. */
  readonly payment: KeptPayment | undefined;
  /** What the receipt of the booking's, change's, funding's or payment's request names; undefined: nothing. */
  readonly receipt: string | undefined;
  /** The record of a deposit: account and amount. */
  readonly deposit: string | undefined;
  /** The record of a correction: kind, account, amount and reference. */
  readonly adjustment: string | undefined;
}

/** The current state of a conversion that has not settled. */
export interface OpenConversion {
  readonly id: string;
  readonly booking: KeptBooking | undefined;
  /** Whether the due list still has it. */
  readonly isDue: boolean;
}

type NamedKind = (typeof RECORD_KINDS)[number] | 'change';

/** A receipt that names a record, and whether that record and the journal entry of its creation exist. */
export interface KeptReceipt {
  readonly clientId: string;
  readonly requestId: string;
  readonly kind: NamedKind;
  /** Of the record; of a change as its list has it. */
  readonly id: string;
  readonly record: { readonly requestId: string; readonly entry: string } | undefined;
  readonly isJournalled: boolean;
  /** It has an expiry. */
  readonly ends: boolean;
}

export interface UnlistedHold {
  readonly clientId: string;
  readonly id: string;
  /** Whether the client's open holds include it, and whether the due list has its expiry (true where none is needed). */
  readonly isOpen: boolean;
  readonly isDue: boolean;
}

export interface LedgerAudit {
  snapshot(of: MoneyOf): Promise<LedgerSnapshot>;
  evidence(of: MoneyOf, entries: readonly JournalEntry[]): Promise<readonly Evidence[]>;
  open(of: MoneyOf, ids: readonly string[]): Promise<readonly OpenConversion[]>;
  /** Accounts whose number does not lead to the client, and unexpired open holds without a record. */
  astray(of: MoneyOf, accounts: readonly string[], now: number): Promise<Astray>;
  /** Holds that are not reserved for the payment that awaits funds with them, or for one that does not; safe while payments are made. */
  misreserved(of: MoneyOf, now: number): Promise<readonly Misreserved[]>;
  /** Balances of the house's sub-account of this name, by currency, minor units. */
  subAccounts(of: MoneyOf, name: string): Promise<ReadonlyMap<string, bigint>>;
  /** What the open holds of a platform and its sub-clients count, by `<client>|<id>`, and `usd`, their sum; undefined: none has counted. */
  countedHolds(platform: MoneyOf): Promise<ReadonlyMap<string, string> | undefined>;
  /** US cents of the open holds of one client: those of its list, and of these ids. */
  openHolds(of: MoneyOf, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Currency to the open scheduled sells of the client, or of its group, which has also the field `changes`. */
  scheduled(of: MoneyOf, key: 'scheduled' | 'groupScheduled'): Promise<Readonly<Record<string, string>>>;
  /** The records that members of a list name. */
  listed(of: MoneyOf, list: JournalledList, ids: readonly string[]): Promise<readonly ListedRecord[]>;
  /** Scans all keys, of one client or of all: about `count` keys a call, from cursor '0' until it is '0' again. */
  keyspace(
    of: MoneyOf | undefined,
    cursor: string,
    count: number,
    now: StoreClock['steps'],
  ): Promise<{
    readonly cursor: string;
    readonly receipts: readonly KeptReceipt[];
    /** Unexpired open holds that are missing from the open holds or the due list. */
    readonly unlisted: readonly UnlistedHold[];
    /** Clients with a journal or balances, with the shard of the keys. */
    readonly ledgers: readonly MoneyOf[];
  }>;
}

export interface Misreserved {
  readonly holdId: string;
  /** The payment that awaits funds with it; undefined: none. */
  readonly expected: string | undefined;
  /** The payment that it is reserved for, or its status; undefined: no record. */
  readonly found: string | undefined;
}

export interface Astray {
  /** With the client that the number leads to. */
  readonly accounts: readonly { readonly number: string; readonly clientId: string | undefined }[];
  readonly holds: readonly string[];
}

/** A member of a list, and the record that it names. */
export interface ListedRecord {
  readonly id: string;
  /** Undefined: missing or unreadable. */
  readonly record: { readonly entry: string } | undefined;
  readonly isJournalled: boolean;
}

const KIND_OF = { bookings: 'booking', payments: 'payment', fundings: 'funding', changes: 'change' } as const;
const LEDGER_KEY = /^\{s(\d\d)\}:client:([^:]+):(?:journal|balances)$/;
const HOLD_KEY = /^\{s(\d\d)\}:client:([^:]+):hold:(HLD[0-9A-Z]{10,20})$/;
const HOLD_ENDS_MS = 10_000;
const RECEIPT_KEY = /^\{s(\d\d)\}:client:([^:]+):receipt:(.+)$/;

export function ledgerAudit(connection: Connection): LedgerAudit {
  const booking = async (keys: LedgerKeys, id: string): Promise<KeptBooking | undefined> => {
    if (!BOOKING_ID.test(id)) return undefined;
    const [member] = await connection.read((redis) => redis.zrange(keys.bookings, ...memberOf(id)));
    const stored = member === undefined ? undefined : decodeOrUndefined(() => storedBooking(member));
    return stored && { ...stored.booking, entry: stored.entry, factsHash: factsHash(stored.facts) };
  };
  const receiptOf = async (
    keys: LedgerKeys,
    kind: KeptReceipt['kind'],
    requestId: string | undefined,
  ): Promise<string | undefined> => {
    if (requestId === undefined || !CL_ORD_ID.test(requestId)) return undefined;
    const stored = await connection.read((redis) => redis.get(keys.receipt(requestId)));
    const named = decodeOrUndefined(() => storedReceipt(stored));
    return named?.kind === kind ? named.id : undefined;
  };
  const holdOf = async (keys: LedgerKeys, { holdId, sellCurrency }: Booking) => {
    if (!HOLD_ID.test(holdId)) return {};
    const key = keys.hold(holdId);
    const [status, use, facts] = await connection.read((redis) => redis.hmget(key, 'status', 'booking', 'facts'));
    const hold = facts ? decodeOrUndefined(() => holdSelling(factsFrom<Hold>(facts), sellCurrency)) : undefined;
    const heldPrice = hold && (hold.sellCurrency === sellCurrency ? hold.price : 0);
    return { holdUse: (use || status) ?? undefined, heldPrice };
  };
  const boughtFor = async (keys: LedgerKeys, { bookingIds, currency }: KeptPayment): Promise<bigint | undefined> => {
    const made = await Promise.all(bookingIds.map((id) => booking(keys, id)));
    return decodeOrUndefined(() =>
      made.reduce((sum, one) => {
        if (one?.buyCurrency !== currency) throw new TypeError('a conversion into another currency');
        return sum + BigInt(one.buy);
      }, 0n),
    );
  };
  const recordOf = async (keys: LedgerKeys, kind: KeptReceipt['kind'], id: string): Promise<KeptReceipt['record']> => {
    if (kind === 'booking') return booking(keys, id);
    if (kind === 'change') {
      const [confirmationId = '', number] = id.split('.');
      const change = (await booking(keys, confirmationId))?.amendments?.[Number(number) - 1];
      return change && isChange(change) ? { requestId: change.id, entry: change.entry } : undefined;
    }
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
  const adjustmentOf = async (keys: LedgerKeys, { step, id }: JournalEntry): Promise<string | undefined> => {
    if ((step !== 'adjust' && step !== 'repay') || !REQUEST_ID.test(id)) return undefined;
    return (await connection.read((redis) => redis.get(keys.adjustment(id)))) ?? undefined;
  };
  const journalHas = async (keys: LedgerKeys, entry: string, id: string): Promise<boolean> => {
    const found = await connection.read((redis) => redis.xrange(keys.journal, entry, entry));
    const [there] = found;
    // A change is an entry of its conversion.
    if (there) return decodeOrUndefined(() => asEntry(there))?.id === id.split('.')[0];
    // Read after the journal: entries trimmed since are in the archive record.
    const archived = (await connection.read((redis) => redis.hget(keys.archived, 'entry'))) ?? JOURNAL_START;
    return isPlace(entry) && !isBefore(archived, entry);
  };
  const keptReceipt = async (key: string): Promise<KeptReceipt | undefined> => {
    const [, shard, clientId, name] = RECEIPT_KEY.exec(key) ?? [];
    if (shard === undefined || clientId === undefined || name === undefined) return undefined;
    const stored = await connection.read((redis) => redis.get(key));
    const named = decodeOrUndefined(() => storedReceipt(stored));
    if (named === undefined || named.kind === 'refusal') return undefined;
    const { kind, id } = named;
    const keys = ledgerKeys({ id: clientId, shard: Number(shard) });
    const record = await recordOf(keys, kind, id);
    const entry = record?.entry;
    const isJournalled = entry ? await journalHas(keys, entry, id) : false;
    // -2: it has just expired.
    const ends = (await connection.read((redis) => redis.pttl(key))) !== -1;
    const isOfRecord =
      record !== undefined && CL_ORD_ID.test(record.requestId) && receiptName(record.requestId) === name;
    return { clientId, requestId: isOfRecord ? record.requestId : name, kind, id, record, isJournalled, ends };
  };

  const unlistedHold = async (key: string, now: StoreClock['steps']): Promise<UnlistedHold | undefined> => {
    const [, shard, clientId, id] = HOLD_KEY.exec(key) ?? [];
    if (shard === undefined || clientId === undefined || id === undefined) return undefined;
    const of = { id: clientId, shard: Number(shard) };
    const keys = ledgerKeys(of);
    const look = async (aheadMs: number) => {
      const [status, expiry, owner = ''] = await connection.read((redis) =>
        redis.hmget(key, 'status', 'expiry', 'owner'),
      );
      // One that expires during the read is skipped.
      const isOpen = status === 'open' || status === 'reserved';
      return isOpen && Number(expiry) > now(of) + aheadMs + HOLD_ENDS_MS ? (owner ?? '') : undefined;
    };
    const owner = await look(0);
    if (owner === undefined) return undefined;
    const [open, due] = await Promise.all([
      connection.read((redis) => redis.zscore(keys.openHolds, `${owner}|${id}`)),
      owner === REST_OWNER ? '' : connection.read((redis) => redis.zscore(keys.due, `hold:${clientId}:${id}`)),
    ]);
    if (open !== null && due !== null) return undefined;
    // By the client's own clock it may have expired before.
    const ahead = await connection.read((redis) => redis.get(keys.clock));
    if ((await look(Number(ahead ?? '0'))) === undefined) return undefined;
    return { clientId, id, isOpen: open !== null, isDue: due !== null };
  };

  const misreservedNow = async (of: MoneyOf, now: number): Promise<Misreserved[]> => {
    const keys = ledgerKeys(of);
    const waiting = await connection.read((redis) => redis.zrange(keys.waiting, '0', '-1'));
    const payments = await Promise.all(waiting.map((member) => keptPayment(connection, keys, member.split('|')[0]!)));
    const wanted = new Map<string, string>();
    for (const payment of payments)
      if (payment?.status === 'AWAITING_FUNDS' && HOLD_ID.test(payment.holdId)) wanted.set(payment.holdId, payment.id);
    const open = await connection.read((redis) => redis.zrange(keys.openHolds, '0', '-1'));
    const ids = new Set([...wanted.keys(), ...open.map((member) => member.slice(member.indexOf('|') + 1))]);
    const judged = [...ids].map(async (holdId): Promise<readonly Misreserved[]> => {
      if (!HOLD_ID.test(holdId)) return [];
      const fields = await connection.read((redis) => redis.hmget(keys.hold(holdId), 'status', 'expiry', 'payment'));
      const [status, expiry, payment] = fields;
      const expected = wanted.get(holdId);
      // One that expires meanwhile may have either status; the record of an ended one is removed after some days.
      const isOver = !status || status === 'expired' || status === 'withdrawn' || Number(expiry) <= now + HOLD_ENDS_MS;
      const found = status === 'reserved' ? (payment ?? '') : (status ?? undefined);
      if (isOver || found === expected || (expected === undefined && status !== 'reserved')) return [];
      return [{ holdId, expected, found }];
    });
    return (await Promise.all(judged)).flat();
  };

  return {
    async misreserved(of, now) {
      const first = await misreservedNow(of, now);
      if (first.length === 0) return first;
      // A payment may be created, funded or cancelled during a read.
      const again = await misreservedNow(of, now);
      return again.filter(({ holdId, found }) => first.some((one) => one.holdId === holdId && one.found === found));
    },
    snapshot: (of) => readLedger(connection, of),
    async evidence(of, entries) {
      const keys = ledgerKeys(of);
      return Promise.all(
        entries.map(async (entry) => {
          const [conversion, money, deposit, adjustment] = await Promise.all([
            booking(keys, entry.id),
            keptFunding(connection, keys, entry.id),
            depositOf(keys, entry),
            adjustmentOf(keys, entry),
          ]);
          const payment = await keptPayment(connection, keys, conversion?.paymentId ?? entry.id);
          const evidence = { entry, booking: conversion, funding: money, payment, deposit, adjustment };
          if (entry.step === 'book-fx') {
            const receipt = await receiptOf(keys, 'booking', conversion?.requestId);
            const { parentId } = conversion ?? {};
            const parent = parentId === undefined ? undefined : await booking(keys, parentId);
            return { ...evidence, receipt, parent, ...(conversion && (await holdOf(keys, conversion))) };
          }
          const change = conversion?.amendments?.find((one) => one.entry === entry.entry && isChange(one));
          if (change) return { ...evidence, receipt: await receiptOf(keys, 'change', change.id) };
          if (entry.step === 'payment') {
            const receipt = await receiptOf(keys, 'payment', payment?.requestId);
            return {
              ...evidence,
              receipt,
              bought: entry.from === '' && payment ? await boughtFor(keys, payment) : undefined,
            };
          }
          const requestId = entry.step === 'fund' ? money?.requestId || undefined : undefined;
          return { ...evidence, receipt: await receiptOf(keys, 'funding', requestId) };
        }),
      );
    },
    async open(of, ids) {
      const keys = ledgerKeys(of);
      return Promise.all(
        ids.map(async (id) => {
          // The due list first: an entry that leaves it meanwhile belongs to a record that reads as settled.
          const score = await connection.read((redis) => redis.zscore(keys.due, `settle:${of.id}:${id}`));
          return { id, booking: await booking(keys, id), isDue: score !== null };
        }),
      );
    },
    async subAccounts(of, name) {
      const balances = await connection.read((redis) => redis.hgetall(ledgerKeys(of).balances));
      const own = Object.entries(balances).filter(([key]) => key.endsWith(`/${name}`));
      return new Map(own.map(([key, balance]) => [key.slice(0, 3), BigInt(balance)]));
    },
    async countedHolds(platform) {
      const counted = await connection.read((redis) => redis.hgetall(ledgerKeys(platform).allHolds));
      return Object.keys(counted).length === 0 ? undefined : new Map(Object.entries(counted).sort());
    },
    async openHolds(of, ids) {
      const keys = ledgerKeys(of);
      const listed = await connection.read((redis) => redis.zrange(keys.openHolds, '0', '-1'));
      const own = new Set([...listed.map((member) => member.slice(member.indexOf('|') + 1)), ...ids]);
      const found = await Promise.all(
        [...own].map(async (id) => {
          if (!HOLD_ID.test(id)) return [];
          const [status, usd] = await connection.read((redis) => redis.hmget(keys.hold(id), 'status', 'usd'));
          return (status === 'open' || status === 'reserved') && usd ? [[id, usd] as const] : [];
        }),
      );
      return new Map(found.flat());
    },
    scheduled: (of, key) => connection.read((redis) => redis.hgetall(ledgerKeys(of)[key])),
    async astray(of, numbers, now) {
      const keys = ledgerKeys(of);
      const from = now + HOLD_ENDS_MS;
      const open = await connection.read((redis) => redis.zrange(keys.openHolds, from, '+inf', 'BYSCORE'));
      const ids = open.map((member) => member.slice(member.indexOf('|') + 1));
      // Read after the list: the record of a hold that expires meanwhile is kept for days.
      const [holders, records] = await Promise.all([
        Promise.all(numbers.map((number) => connection.read((redis) => redis.get(holderKey(number))))),
        Promise.all(ids.map((id) => HOLD_ID.test(id) && connection.read((redis) => redis.hget(keys.hold(id), 'usd')))),
      ]);
      return {
        accounts: numbers
          .map((number, i) => ({ number, clientId: holders[i] ?? undefined }))
          .filter(({ clientId }) => clientId !== of.id),
        holds: ids.filter((_, i) => !records[i]),
      };
    },
    async listed(of, list, ids) {
      const keys = ledgerKeys(of);
      return Promise.all(
        ids.map(async (id) => {
          const record = await recordOf(keys, KIND_OF[list], id);
          return { id, record, isJournalled: record?.entry ? await journalHas(keys, record.entry, id) : false };
        }),
      );
    },
    async keyspace(of, cursor, count, now) {
      // Receipts, holds, journals and balances; other keys with this prefix are skipped.
      const pattern = of ? `${ledgerKeys(of).receipts.slice(0, -'receipt:'.length)}[rhjb]*` : '{s*}:client:*:[rhjb]*';
      const [next, keys] = await connection.scan(cursor, pattern, count);
      const [receipts, holds] = await Promise.all([
        Promise.all(keys.map(keptReceipt)),
        Promise.all(keys.map((key) => unlistedHold(key, now))),
      ]);
      const ledgers = keys.flatMap((key) => {
        const [, shard, id] = LEDGER_KEY.exec(key) ?? [];
        return id === undefined ? [] : [{ id, shard: Number(shard) }];
      });
      const there = <One>(one: One | undefined): one is One => one !== undefined;
      return { cursor: next, receipts: receipts.filter(there), unlisted: holds.filter(there), ledgers };
    },
  };
}

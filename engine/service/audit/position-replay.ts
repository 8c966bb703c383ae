/**
 * The house's position by the journal of a client and its records, compared with the hash that the steps keep. It has sums by field of
 * positions.ts, never the conversions.
 */
import { asAmended, lastAmendment } from '../../domain/conversions/amendment.js';
import type { Booking, Reversal } from '../../domain/conversions/booking.js';
import { formatMinor, isAccountCurrency } from '../../domain/money/money.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import type { JournalEntry } from '../../store/ledger/journal.js';
import { closeOutField, positionField } from '../../store/risk/positions.js';
import { amendmentsBefore } from './amendment-replay.js';
import type { Differing } from './recompute.js';

type Amounts = readonly [received: bigint, given: bigint, margin: bigint];
type Fields = Readonly<Record<string, string>>;
type Change = readonly [field: string, amounts: Amounts];

export interface PositionState {
  /** Lines up to this value date, 'YYYYMMDD', are in those of the date '0'; '': none. */
  readonly folded: string;
  /** By field, as the store has them. */
  readonly lines: Fields;
}

/** Value dates that are this much older than the last entry are folded in the state of an archive: conversions for them are rare. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const LINES = 200;

export class PositionReplay {
  #sums: Map<string, Amounts>;
  #folded: string;
  /** With so many lines the old ones are folded: a replay of years is kept in memory for each client. */
  #foldAt = LINES;

  constructor({ folded, lines }: PositionState = { folded: '', lines: {} }) {
    this.#folded = folded;
    this.#sums = sumsOf(lines).sums;
  }

  /** After the entry of this time, epoch ms. */
  stateAt(atMs: number): PositionState {
    const day = dayOf(atMs - KEPT_MS);
    if (day > this.#folded) this.#folded = day;
    this.#sums = folded(this.#sums, this.#folded);
    return { folded: this.#folded, lines: this.fields };
  }

  /** As the store has them, without those that are 0. */
  get fields(): Fields {
    return Object.fromEntries([...this.#sums].map(([field, amounts]) => [field, amounts.join(' ')]));
  }

  /** Adds what the step of the entry has changed. */
  played(entry: JournalEntry, booking: Booking): void {
    if (this.#sums.size > this.#foldAt) {
      this.stateAt(Number.parseInt(entry.entry, 10));
      this.#foldAt = Math.max(LINES, 2 * this.#sums.size);
    }
    const before = amendmentsBefore(entry.entry, booking);
    if (entry.step === 'book-fx') this.#add(booked(booking));
    else if (entry.step === 'bust-fx') this.#add(booked(asAmended(booking, before), -1n));
    else if (entry.step === 'cancel-fx' || entry.step === 'split-fx')
      this.#add(booked(asAmended(booking, before), -1n));
    else if (entry.step === 'close-out-fx')
      this.#add([...booked(asAmended(booking, before), -1n), ...closedOut(booking)]);
    else if (entry.step === 'unwind-fx') this.#add([...booked(asAmended(booking, before), -1n), ...reversed(booking)]);
    else if (entry.step === 'correct-fx' || entry.step === 'date-fx')
      this.#add([...booked(asAmended(booking, before), -1n), ...booked(asAmended(booking, before + 1))]);
  }

  #add(changes: readonly Change[]): void {
    for (const [field, amounts] of changes) add(this.#sums, field, amounts);
  }

  /** With the client's hash. */
  compare(found: Fields): Differing[] {
    return comparePositions({ folded: this.#folded, lines: this.fields }, stateOf(found));
  }
}

const stateOf = ({ folded = '', last: _, ...lines }: Fields): PositionState => ({ folded, lines });

/** The hash of a shard with the sum of those of its clients. */
export function compareShard(shard: Fields, clients: readonly Fields[]): Differing[] {
  const last = latest([shard, ...clients].map(({ folded = '' }) => folded));
  const sums = new Map<string, Amounts>();
  for (const client of clients)
    for (const [field, amounts] of folded(sumsOf(stateOf(client).lines).sums, last)) add(sums, field, amounts);
  const lines = Object.fromEntries([...sums].map(([field, amounts]) => [field, amounts.join(' ')]));
  return comparePositions({ folded: last, lines }, stateOf(shard));
}

/** Lines up to the later of the two folds are compared as one. */
function comparePositions(expected: PositionState, found: PositionState): Differing[] {
  const last = latest([expected.folded, found.folded]);
  const { sums, unreadable } = sumsOf(found.lines);
  const [wanted, there] = [folded(sumsOf(expected.lines).sums, last), folded(sums, last)];
  const differing: Differing[] = unreadable.map((field) => [`position ${field}`, 'three amounts', found.lines[field]!]);
  for (const field of [...new Set([...wanted.keys(), ...there.keys()])].sort()) {
    const [a, b] = [wanted.get(field) ?? NOTHING, there.get(field) ?? NOTHING];
    if (a.join() !== b.join()) differing.push([nameOf(field, last), textOf(field, a), textOf(field, b)]);
  }
  return differing;
}

/** Of days as text. */
const latest = (days: readonly string[]): string => days.toSorted().at(-1)!;

const NOTHING: Amounts = [0n, 0n, 0n];
const FIELD = /^([A-Z]{3})(?:\/([A-Z]{3}))?\|(0|\d{8})\|(?:([BS])([bq])|C)$/;
const VALUE = /^(-?\d+) (-?\d+) (-?\d+)$/;

function sumsOf(lines: Fields): { sums: Map<string, Amounts>; unreadable: string[] } {
  const sums = new Map<string, Amounts>();
  const unreadable: string[] = [];
  for (const [field, value] of Object.entries(lines)) {
    const [, received, given, margin] = VALUE.exec(value) ?? [];
    if (!FIELD.test(field) || margin === undefined) unreadable.push(field);
    else add(sums, field, [BigInt(received!), BigInt(given!), BigInt(margin)]);
  }
  return { sums, unreadable };
}

/** The lines up to `day` are added to those of the date '0'. */
function folded(sums: ReadonlyMap<string, Amounts>, day: string): Map<string, Amounts> {
  const all = new Map<string, Amounts>();
  for (const [field, amounts] of sums) {
    const [name, date = '', what] = field.split('|');
    add(all, date !== '0' && date <= day ? `${name}|0|${what}` : field, amounts);
  }
  return all;
}

function add(sums: Map<string, Amounts>, field: string, [received, given, margin]: Amounts): void {
  const before = sums.get(field) ?? NOTHING;
  const after: Amounts = [before[0] + received, before[1] + given, before[2] + margin];
  if (after.every((part) => part === 0n)) sums.delete(field);
  else sums.set(field, after);
}

/** Empty for amounts that cannot be read: they are reported where the conversion is. */
function booked(booking: Booking, factor = 1n): Change[] {
  const { sell, buy, margin } = booking;
  const amounts = decodeOrUndefined(
    (): Amounts => [factor * BigInt(sell), factor * BigInt(buy), factor * BigInt(margin)],
  );
  return amounts === undefined ? [] : [[positionField(booking), amounts]];
}

function closedOut(booking: Booking): Change[] {
  const { closeOut } = booking;
  return closeOut === undefined ? [] : settledIn(closeOut, asAmended(booking).valueDate);
}

/** The charge or gain of a cancellation by the client. */
function reversed(booking: Booking): Change[] {
  const reversal = lastAmendment(booking)?.reversal;
  return reversal === undefined ? [] : settledIn(reversal, asAmended(booking).valueDate);
}

function settledIn(closeOut: Pick<Reversal, 'kind' | 'currency' | 'amount'>, valueDate: string): Change[] {
  const amount = decodeOrUndefined(() => BigInt(closeOut.amount));
  if (amount === undefined) return [];
  const amounts: Amounts = closeOut.kind === 'charge' ? [amount, 0n, 0n] : [0n, amount, 0n];
  return [[closeOutField(closeOut.currency, valueDate), amounts]];
}

function nameOf(field: string, last: string): string {
  const [, base, quote, date] = FIELD.exec(field)!;
  const day = date === '0' ? `folded until ${last}` : date;
  return quote === undefined
    ? `position: close-outs in ${base}, ${day}`
    : `position ${base}/${quote} ${day}, ${sideOf(field)}`;
}

const sideOf = (field: string): string => (field.includes('|B') ? 'bought' : 'sold');

function textOf(field: string, [received, given, margin]: Amounts): string {
  const [, base = '', quote = base, , side = 'B', marginIn] = FIELD.exec(field)!;
  const money = (minor: bigint, currency: string) =>
    `${isAccountCurrency(currency) ? formatMinor(minor, currency) : String(minor)} ${currency}`;
  const [first, second] = side === 'B' ? [base, quote] : [quote, base];
  const kept = marginIn === undefined ? '' : `, margin ${money(margin, marginIn === 'b' ? base : quote)}`;
  return `received ${money(received, first)}, given ${money(given, second)}${kept}`;
}

const dayOf = (atMs: number): string => new Date(Math.max(0, atMs)).toISOString().slice(0, 10).replaceAll('-', '');

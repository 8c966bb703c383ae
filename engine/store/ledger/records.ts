/**
 * The stored forms of conversions and receipts, as prelude.lua reads and writes them, and of every record's facts.
 *
 * Facts are written once and never again: the journal entry of their creation has their hash. They begin with the number of their form.
 */
import { isBusted, isChange } from '../../domain/conversions/amendment.js';
import type {
  Amendment,
  BookedOrder,
  Booking,
  BookingFacts,
  BookingStatus,
  CloseOut,
} from '../../domain/conversions/booking.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import { factsHash } from '../connection/fields.js';
import { FORM, jsonOfFacts, UnknownForm } from './form.js';

/** Characters of a command's fingerprint in its receipt: 132 bits. */
export const FINGERPRINT_LENGTH = 22;

/** Facts as text, of a record whose fields keep their names. */
export const factsText = (facts: object): string => FORM + JSON.stringify(facts);

/** From factsText. Throws UnknownForm, and SyntaxError for altered text. */
export function factsFrom<Facts>(text: string): Facts {
  return JSON.parse(jsonOfFacts(text, 'a record')) as Facts;
}

const TYPE_CODES = { PREFUNDING: 'P', SCHEDULED1: '1', SCHEDULED2: '2' } as const satisfies Record<BookFxType, string>;
const TYPES = new Map(Object.entries(TYPE_CODES).map(([type, code]) => [code as string, type as BookFxType]));
const KIND_CODES = { market: 'm', quoted: 'q', limit: 'l' } as const satisfies Record<BookedOrder['kind'], string>;
const KINDS = new Map(Object.entries(KIND_CODES).map(([kind, code]) => [code as string, kind as BookedOrder['kind']]));

/** In this order; the last ones are left out where they are ''. */
type PackedBooking = readonly [
  pair: string,
  sellsBase: 0 | 1,
  price: number,
  providerPrice: number,
  marginPpm: number,
  type: string,
  /** YYYYMMDD. */
  valueDate: string,
  requestId: string,
  description: string,
  dealtSell: 0 | 1,
  /** Minor units, below 10^15: exact as JSON numbers. */
  sell: number,
  buy: number,
  margin: number,
  marginInBase: 0 | 1,
  createdAtMs: number,
  /** After its creation. */
  expiryMs: number,
  /** A letter, and behind it the proof of the price. */
  kind: string,
  limit?: string,
  holdId?: string,
  paymentId?: string,
  session?: string,
  route?: BookingFacts['route'] | '',
  parentId?: string,
  dateChanges?: number | '',
  originAtMs?: number | '',
  originDate?: string,
];

/** The facts of a conversion as text. Its id is not among them: the record has it. */
export function bookingFactsText(facts: BookingFacts): string {
  const { pair, sellCurrency, price, providerPrice, marginPpm, type, valueDate, requestId, description } = facts;
  const {
    dealt,
    sell,
    buy,
    margin,
    marginCurrency,
    holdId,
    paymentId,
    order,
    session,
    route,
    parentId,
    dateChanges,
    origin,
    createdAtMs,
    expiryMs,
  } = facts;
  const kind = KIND_CODES[order.kind] + facts.proof;
  const packed: PackedBooking = [
    ...([pair, isBase(sellCurrency, pair), price, providerPrice, marginPpm, TYPE_CODES[type], valueDate] as const),
    ...([requestId, description, dealt === 'sell' ? 1 : 0, Number(sell), Number(buy), Number(margin)] as const),
    ...([isBase(marginCurrency, pair), createdAtMs, expiryMs - createdAtMs, kind] as const),
    ...withoutEmptyEnd([
      ...([order.limit ?? '', holdId, paymentId ?? '', session ?? '', route ?? ''] as const),
      ...([parentId ?? '', dateChanges || '', origin?.bookedAtMs ?? '', origin?.valueDate ?? ''] as const),
    ]),
  ];
  return FORM + JSON.stringify(packed);
}

const isBase = (currency: string, pair: string): 0 | 1 => (pair.startsWith(currency) ? 1 : 0);

type End = [
  limit?: string,
  holdId?: string,
  paymentId?: string,
  session?: string,
  route?: PackedBooking[21],
  parentId?: string,
  dateChanges?: number | '',
  originAtMs?: number | '',
  originDate?: string,
];

function withoutEmptyEnd(end: End): End {
  while (end.at(-1) === '') end.pop();
  return end;
}

/** Throws UnknownForm; SyntaxError or TypeError for altered text. */
function bookingFacts(id: string, text: string): BookingFacts {
  const body = jsonOfFacts(text, `conversion ${id}`);
  const [pair, sellsBase, price, providerPrice, marginPpm, type, valueDate, requestId, description, ...amounts] =
    JSON.parse(body) as PackedBooking;
  const [dealtSell, sell, buy, margin, marginInBase, createdAtMs, lasts, kind, limit = '', holdId = '', ...by] =
    amounts;
  const [paymentId = '', session = '', route = '', parentId = '', dateChanges = '', originAtMs = '', originDate = ''] =
    by;
  const [base, quote] = [pair.slice(0, 3), pair.slice(4)];
  const facts: BookingFacts = {
    pair,
    sellCurrency: sellsBase === 1 ? base : quote,
    buyCurrency: sellsBase === 1 ? quote : base,
    price,
    providerPrice,
    marginPpm,
    type: known(TYPES, type),
    valueDate,
    id,
    requestId,
    description,
    dealt: dealtSell === 1 ? 'sell' : 'buy',
    sell: String(sell),
    buy: String(buy),
    margin: String(margin),
    marginCurrency: marginInBase === 1 ? base : quote,
    holdId,
    order: limit === '' ? { kind: known(KINDS, kind[0]!) } : { kind: known(KINDS, kind[0]!), limit },
    proof: kind.slice(1),
    createdAtMs,
    expiryMs: createdAtMs + lasts,
  };
  if (paymentId === '' && session === '' && parentId === '') return facts;
  return {
    ...facts,
    ...(paymentId !== '' && { paymentId }),
    ...(session !== '' && { session }),
    ...(route !== '' && { route }),
    ...(parentId !== '' && { parentId }),
    ...(dateChanges !== '' && { dateChanges }),
    ...(originAtMs !== '' && { origin: { bookedAtMs: originAtMs, valueDate: originDate } }),
  };
}

function known<Word>(words: ReadonlyMap<string, Word>, code: string): Word {
  const word = words.get(code);
  if (word === undefined) throw new TypeError('an unknown word in a record');
  return word;
}

/** A conversion, the journal entry of its booking, and its facts as stored. */
export interface StoredBooking {
  readonly booking: Booking;
  readonly entry: string;
  readonly facts: string;
}

const BOOKING = /^([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|(.*)$/s;

/**
 * From a member of a client's bookings, as booking_of of prelude.lua describes it. Throws UnknownForm; SyntaxError or TypeError for altered
 * text.
 */
export function storedBooking(member: string): StoredBooking {
  const [, id = '', status, sellAccount = '', buyAccount = '', settledAt, entry = '', afterwards, facts = ''] =
    BOOKING.exec(member) ?? [];
  if (facts === '') throw new TypeError('not the record of a conversion');
  const kept = bookingFacts(id, facts);
  const endedAtMs = settledAt ? Number(settledAt) : status === 'SETTLED' ? kept.createdAtMs : undefined;
  const state = { id, sellAccount, buyAccount, status: status as BookingStatus, settledAtMs: endedAtMs };
  const booking: Booking = { ...kept, ...state, ...(afterwards && doneAfterwards(afterwards)) };
  if (status !== 'CANCELLED' || isBusted(booking)) return { booking, entry, facts };
  return { booking: Object.assign(booking, { settledAtMs: undefined, cancelledAtMs: endedAtMs }), entry, facts };
}

/** The conversion of that member as it was: what is done afterwards is a list that only grows, and `length` bytes of it were there. */
export function pastBooking(
  member: string,
  { status, settledAt, length }: { readonly status: string; readonly settledAt: string; readonly length: number },
): Booking {
  const [, id, , sellAccount, buyAccount, , entry, afterwards = '', facts] = BOOKING.exec(member) ?? [];
  const bytes = Buffer.from(afterwards);
  const part = length === bytes.length ? afterwards : `${bytes.toString('utf8', 0, length - 1)}]`;
  const then = length === 0 ? '' : part;
  return storedBooking([id, status, sellAccount, buyAccount, settledAt, entry, then, facts].join('|')).booking;
}

/** A list of amendments, the last of which may be a close-out. */
function doneAfterwards(text: string): Partial<Booking> {
  const all = JSON.parse(text) as (Amendment | CloseOut)[];
  const last = all.at(-1);
  const closeOut = last?.kind === 'charge' || last?.kind === 'credit' ? last : undefined;
  const amendments = (closeOut === undefined ? all : all.slice(0, -1)) as readonly Amendment[];
  const isRead = amendments.every(
    (one) => typeof one?.entry === 'string' && (one.kind === 'bust' || one.kind === 'correct' || isChange(one)),
  );
  if (!isRead) throw new TypeError('not the amendments of a conversion');
  return { amendments, ...(closeOut && { closeOut }) };
}

/** As amend-booking.lua and change-booking.lua write them. */
export const amendmentsText = (all: readonly Amendment[] = []): string => (all.length === 0 ? '' : withoutBars(all));

/** As JSON, without the character that divides a record: a reason may have it. */
export const withoutBars = (value: object): string => JSON.stringify(value).replaceAll('|', '\\u007c');

/** In its journal entry: of one that moves nothing only this shows that its terms were altered since. */
export function amendmentHash({ atMs: _, entry: _entry, receivable: _receivable, ...given }: Amendment): string {
  return factsHash(withoutBars(given));
}

/** The member of a client's bookings, as write_booking of prelude.lua writes it. */
export function bookingMember(
  id: string,
  kept: Readonly<
    Record<'status' | 'sellAccount' | 'buyAccount' | 'settledAt' | 'entry' | 'afterwards' | 'facts', string>
  >,
): string {
  const { status, sellAccount, buyAccount, settledAt, entry, afterwards, facts } = kept;
  return [id, status, sellAccount, buyAccount, settledAt, entry, afterwards, facts].join('|');
}

/** The id of the change of this number of a conversion, in the list of changes. */
export const changeId = (confirmationId: string, number: number): string => `${confirmationId}.${number}`;

export const RECORD_KINDS = ['booking', 'funding', 'payment'] as const;

/** What a receipt names: a record, the change of this number of a conversion, or a refusal that is returned again. */
export type StoredReceipt =
  | { readonly kind: (typeof RECORD_KINDS)[number]; readonly id: string }
  | { readonly kind: 'change'; readonly id: string }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly more: string; readonly text: string };

/** As write_receipt of prelude.lua writes it. Undefined for none. Throws UnknownForm. */
export function storedReceipt(stored: string | null): StoredReceipt | undefined {
  if (stored === null) return undefined;
  const [form, kind, id = '', _fingerprint, _type, more = '', ...text] = stored.split('|');
  if (form !== String(FORM)) throw new UnknownForm('a receipt');
  if (kind === 'refusal') return { kind, code: id as RefusalCode, more, text: text.join('|') };
  if (kind === 'change') return { kind, id: changeId(id, Number(more)) };
  const named = RECORD_KINDS.find((one) => one === kind);
  if (named === undefined) throw new UnknownForm('a receipt');
  return { kind: named, id };
}

/** How a member of a client's bookings is found by its id: arguments of ZRANGE. */
export const memberOf = (id: string) => [`[${id}|`, `(${id}}`, 'BYLEX', 'LIMIT', 0, 1] as const;

/**
 * What a process decides, as the day record has it: each booking and hold with all that its price was computed from, each refusal with its
 * code, and the time from the order to its outcome. Nothing is written, and nothing computed, without RECORD.
 */
import type { AgreedRate, BookingFacts, DealtSide, Hold, RateFigures } from '../../domain/conversions/booking.js';
import type { HoldMargin } from '../../domain/conversions/hold-period.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import { pairOf } from '../../domain/money/pair.js';
import type { PriceShift } from '../../domain/prices/effective-margin.js';
import type { Taken } from '../../rates/takes.js';
import type { Services, StreamedPrice, StreamedQuote } from './services.js';

/** Where in the record the price of a decision is. */
export interface PricedAt {
  /** Number and source of the input that made the book's prices, see RateBook. */
  readonly position: number;
  readonly source: number;
  /** When the book was read, monotonic ms; absent of a price that was streamed: when that input arrived. */
  readonly ms?: number;
  /** What the rules of pricing change on the pair's margins then; absent: nothing. */
  readonly shift?: PriceShift;
  /** What deals of this process have taken from the levels of the relay; absent: nothing that its publisher does not know. */
  readonly taken?: readonly Taken[];
}

/** How a rate came about. */
export type RateKind =
  /** The price of the moment, of an amount. */
  | 'market'
  /** A price that was streamed: of the first band, or of the band for `limit` units of base. */
  | 'stream'
  | 'band'
  /** A quote that was streamed for its amount. */
  | 'quote'
  /** That of a hold. */
  | 'hold';

export interface RecordedDecision {
  readonly type: 'decision';
  readonly operation: 'book' | 'payment' | 'offer' | 'lock';
  /** `booked`, `offered`, `held`, or the code of the refusal. */
  readonly outcome: 'booked' | 'offered' | 'held' | RefusalCode;
  readonly client: string;
  readonly pair: string;
  readonly sellCurrency: string;
  /** From the arrival of the order at its operation to its outcome, microseconds: what the store needs to be durable is in it. */
  readonly tookUs?: number | undefined;
  readonly kind?: RateKind;
  readonly at?: PricedAt | undefined;
  readonly bookFxType?: string;
  /** Minor units, or absent: the first band's. */
  readonly dealt?: { readonly side: DealtSide; readonly minor: string };
  readonly limit?: number;
  /** Of a price that was streamed: the client's own margin; the effective one is the rate's. */
  readonly rulePpm?: number;
  readonly addOnPpm?: number;
  /** Of an offer, the value of its hold as an option. */
  readonly floorPpm?: number;
  readonly rate?: RateFigures;
  readonly opposite?: RateFigures;
  readonly sell?: string;
  readonly buy?: string;
  readonly margin?: string;
  /** Of a booking, and of a hold. */
  readonly id?: string;
  readonly hold?: string;
  /** Price(44) of an order at a quoted or streamed price, decimal text: the price that the client wants. */
  readonly quoted?: string | undefined;
}

/** Behind a price that was just made, of the pair of two currencies. */
export function pricedAt(
  { record, book, pricing }: Services,
  sellCurrency: string | undefined,
  buyCurrency: string | undefined,
): PricedAt | undefined {
  if (record === undefined) return undefined;
  const pair = pairOf(sellCurrency ?? '', buyCurrency ?? '')?.pair.index;
  const { position, source } = book;
  const isShifted = pair !== undefined && pricing.shifts.isOn[pair] === 1;
  const taken = pair === undefined || source === 0 ? undefined : book.takes.own(pair);
  const shift = isShifted ? { shift: pricing.shifts.present(pair) } : {};
  return { position, source, ms: record.ms, ...shift, ...(taken && { taken }) };
}

const rateOf = ({ price, providerPrice, marginPpm }: RateFigures): RateFigures => ({
  price,
  providerPrice,
  marginPpm,
});

/** A conversion that was booked, alone or for a payment. */
export function recordBooking(
  { record }: Services,
  client: string,
  facts: BookingFacts,
  priced: Pick<RecordedDecision, 'kind' | 'at' | 'limit' | 'rulePpm' | 'quoted'>,
  tookUs?: number,
): void {
  const { pair, sellCurrency, type, dealt, sell, buy, margin, holdId, paymentId, id } = facts;
  record?.json({
    type: 'decision',
    operation: paymentId === undefined ? 'book' : 'payment',
    outcome: 'booked',
    client,
    pair,
    sellCurrency,
    tookUs,
    ...priced,
    bookFxType: type,
    rate: rateOf(facts),
    sell,
    buy,
    margin,
    id,
    dealt: { side: dealt, minor: dealt === 'sell' ? sell : buy },
    ...(holdId !== '' && { hold: holdId }),
  } satisfies RecordedDecision);
}

/** An order, or the lock of a rate, that was refused. */
export function recordRefusal(
  { record }: Services,
  operation: RecordedDecision['operation'],
  outcome: RefusalCode,
  client: string,
  currencies: { readonly sellCurrency?: string | undefined; readonly buyCurrency?: string | undefined },
  tookUs?: number,
): void {
  const { sellCurrency = '', buyCurrency = '' } = currencies;
  const pair = pairOf(sellCurrency, buyCurrency)?.pair.symbol ?? '';
  record?.json({ type: 'decision', operation, outcome, client, pair, sellCurrency, tookUs } satisfies RecordedDecision);
}

/** A rate that can be locked, as the hold that it can become. */
export function recordOffer(
  { record }: Services,
  client: string,
  hold: string,
  rate: AgreedRate & Pick<Hold, 'amount' | 'opposite'>,
  priced: HoldMargin & { readonly at: PricedAt | undefined },
): void {
  const { pair, sellCurrency, type, amount, opposite } = rate;
  record?.json({
    type: 'decision',
    operation: 'offer',
    outcome: 'offered',
    kind: 'market',
    client,
    pair,
    sellCurrency,
    hold,
    ...priced,
    bookFxType: type,
    rate: rateOf(rate),
    ...(amount && { dealt: amount }),
    ...(opposite && { opposite: rateOf(opposite) }),
  } satisfies RecordedDecision);
}

/** A hold that was locked: its price is that of the offer with its id. */
export function recordHold({ record }: Services, client: string, hold: Hold, tookUs?: number): void {
  const { id, pair, sellCurrency, type, amount, opposite } = hold;
  record?.json({
    type: 'decision',
    operation: 'lock',
    outcome: 'held',
    kind: 'hold',
    client,
    pair,
    sellCurrency,
    hold: id,
    tookUs,
    bookFxType: type,
    rate: rateOf(hold),
    ...(amount && { dealt: amount }),
    ...(opposite && { opposite: rateOf(opposite) }),
  } satisfies RecordedDecision);
}

/** How the rate of a booking came about, and where. */
export function pricedBy(
  { book }: Services,
  at: PricedAt | undefined,
  holdId: string | undefined,
  streamed: StreamedPrice | StreamedQuote | undefined,
  sellsBase: boolean,
): Pick<RecordedDecision, 'kind' | 'at' | 'limit' | 'rulePpm'> {
  if (at === undefined || holdId !== undefined) return { kind: 'hold' };
  if (streamed === undefined) return { kind: 'market', at };
  if ('amount' in streamed) return { kind: 'quote', at: streamed.at };
  const { position } = streamed;
  const { source } = book;
  const { limit, rulePpm } = sellsBase ? streamed.bidBand : streamed.offerBand;
  const isBounded = Number.isFinite(limit);
  return { kind: streamed.isBand ? 'band' : 'stream', at: { position, source }, rulePpm, ...(isBounded && { limit }) };
}

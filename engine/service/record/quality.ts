/**
 * How a client's orders were executed, for each pair: from its conversions in the store, and from the day record what the store does not keep, the
 * orders that were refused, the time from order to outcome, and the market behind each deal. Nothing here decides: figures are doubles.
 *
 * There is no last look: an order is judged once, at the price of its arrival or of its hold.
 */
import { join } from 'node:path';
import type { Booking } from '../../domain/conversions/booking.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { logFiles } from '../../store/day-files/block-files.js';
import type { RecordLine } from '../../store/record/record-lines.js';
import type { RecordedDecision } from '../core/day-record.js';
import { readRecord, recordFolders } from './read-record.js';
import { ReplayedBook } from './replayed-book.js';

const MARK_OUTS_MS = [100, 1_000, 10_000, 60_000] as const;
type MarkOut = (typeof MARK_OUTS_MS)[number];
const SIDES = ['buys', 'sells'] as const;
/** What the client does with the pair's base. */
type Side = (typeof SIDES)[number];

/** An average in pips, and of how many deals. Undefined: of none. */
export interface Average {
  readonly pips: number | undefined;
  readonly deals: number;
}

export interface PairQuality {
  readonly pair: string;
  readonly booked: number;
  /** Of them those that are not in the record: lines of it are missing. Undefined, as `refused`: nothing is recorded. */
  readonly unrecorded: number | undefined;
  readonly refused: number | undefined;
  /** Booked of all orders, percent. */
  readonly fillRatio: number | undefined;
  readonly refusals: Readonly<Record<string, number>>;
  /** From order to outcome, ms. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** The price of a limit order against its limit, and of an order at a quoted or streamed price against that; above 0 is good for the client. */
  readonly againstLimit: Average;
  readonly againstQuote: Average;
  /** The client's price against the provider's, and against the mid at the deal; above 0 is paid. */
  readonly marginPaid: Average;
  readonly spreadPaid: Average;
  /** The mid so long after the deal, less its price; above 0 is good for the client. */
  readonly markOut: Readonly<Record<Side, Readonly<Record<MarkOut, Average>>>>;
}

export interface Quality {
  /** False: there is no record of the time, or none was given. */
  readonly isRecorded: boolean;
  readonly pairs: readonly PairQuality[];
}

export interface QualityRequest {
  readonly client: string;
  /** Epoch ms; `fromMs` included, `toMs` not. */
  readonly fromMs: number;
  readonly toMs: number;
  /** In any order. */
  readonly bookings: readonly Booking[];
  /** Undefined: nothing is recorded. */
  readonly directory: string | undefined;
}

/** Throws the file system's error, and SyntaxError for files of another release. */
export function qualityOf({ client, fromMs, toMs, bookings, directory }: QualityRequest): Quality {
  const files = directory === undefined ? [] : recordedFiles(directory, fromMs, toMs + Math.max(...MARK_OUTS_MS));
  const orders = files.flatMap((lines) => [...ordersOf(readRecord(lines), client, fromMs, toMs)]);
  const byPair = new Map<string, PairFigures>();
  const of = (pair: string): PairFigures => {
    const known = byPair.get(pair) ?? new PairFigures(pair);
    byPair.set(pair, known);
    return known;
  };
  const deals = new Map<string, Order>();
  for (const order of orders) {
    of(order.decision.pair).order(order);
    if (order.decision.id !== undefined) deals.set(order.decision.id, order);
  }
  const targets: Target[] = [];
  for (const booking of bookings) {
    // A part of one that was split: the order was for the whole.
    if (booking.parentId !== undefined) continue;
    const figures = of(booking.pair);
    figures.booking(booking);
    const order = deals.get(booking.id);
    if (order === undefined) {
      figures.unrecorded++;
      continue;
    }
    if (order.decision.quoted !== undefined) figures.quoted(booking, order.decision.quoted);
    for (const afterMs of [0, ...MARK_OUTS_MS])
      targets.push({
        atUs: order.dealtUs + afterMs * 1_000,
        booking,
        take: (mid) => figures.mid(booking, afterMs, mid),
      });
  }
  targets.sort((one, other) => one.atUs - other.atUs);
  for (const lines of files) takeMids(readRecord(lines), targets);
  const isRecorded = files.length > 0;
  const pairs = [...byPair.values()].map((figures) => figures.result(isRecorded));
  return { isRecorded, pairs: pairs.sort((one, other) => (one.pair < other.pair ? -1 : 1)) };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

/** The files of each process that has some of the time. */
function recordedFiles(directory: string, fromMs: number, toMs: number) {
  const [from, to] = [dayOf(fromMs), dayOf(toMs)];
  return recordFolders(directory)
    .map((folder) => logFiles(join(directory, folder)).filter(({ day }) => day >= from && day <= to))
    .filter((files) => files.length > 0);
}

interface Order {
  readonly decision: RecordedDecision;
  /** When its price was read, epoch us. */
  readonly dealtUs: number;
}

function* ordersOf(lines: Iterable<RecordLine>, client: string, fromMs: number, toMs: number): Generator<Order> {
  for (const line of lines) {
    if (line.kind !== 'json' || line.value.type !== 'decision' || line.value.client !== client) continue;
    const { us, epochUs } = line;
    const decision = line.value as unknown as RecordedDecision;
    if (decision.operation !== 'book' && decision.operation !== 'payment') continue;
    if (epochUs < fromMs * 1_000 || epochUs >= toMs * 1_000) continue;
    const { at, kind: priced, tookUs = 0 } = decision;
    const readUs = priced === 'market' && at?.ms !== undefined ? Math.round(at.ms * 1_000) : us - tookUs;
    yield { decision, dealtUs: epochUs - (us - readUs) };
  }
}

/** A moment whose mid is needed. */
interface Target {
  readonly atUs: number;
  readonly booking: Booking;
  take(mid: number): void;
}

/** Mids of the rate book that the recorded ticks make; where the process has no feed at the moment, none. Those taken are removed. */
function takeMids(lines: Iterable<RecordLine>, targets: Target[]): void {
  const book = new ReplayedBook(() => {});
  let next = 0;
  const left: Target[] = [];
  for (const line of lines) {
    for (; next < targets.length && targets[next]!.atUs < line.epochUs; next++) {
      const target = targets[next]!;
      const pair = pairBySymbol(target.booking.pair)!;
      const ms = (line.us - (line.epochUs - target.atUs)) / 1_000;
      let mid: number | undefined;
      if (book.isLive && ms >= book.ms)
        book.at(ms, () => {
          const price = book.book.read(pair.index);
          mid = price && (price.bid + price.offer) / 2;
        });
      if (mid === undefined) left.push(target);
      else target.take(mid);
    }
    book.take(line);
  }
  targets.splice(0, next, ...left);
  targets.sort((one, other) => one.atUs - other.atUs);
}

class Sum {
  #sum = 0;
  deals = 0;

  add(pips: number): void {
    this.#sum += pips;
    this.deals++;
  }

  get average(): Average {
    return { pips: this.deals === 0 ? undefined : this.#sum / this.deals, deals: this.deals };
  }
}

const sums = () => Object.fromEntries(MARK_OUTS_MS.map((ms) => [ms, new Sum()])) as Record<MarkOut, Sum>;

class PairFigures {
  readonly #pair: string;
  readonly #pip: number;
  readonly #digits: number;
  /** Conversions of the store that the record does not have. */
  unrecorded = 0;
  #booked = 0;
  #refused = 0;
  readonly #refusals: Record<string, number> = {};
  readonly #tookUs: number[] = [];
  readonly #limit = new Sum();
  readonly #quote = new Sum();
  readonly #margin = new Sum();
  readonly #spread = new Sum();
  readonly #markOuts: Record<Side, Record<MarkOut, Sum>> = { buys: sums(), sells: sums() };

  constructor(symbol: string) {
    this.#pair = symbol;
    const pair = pairBySymbol(symbol);
    this.#pip = pair === undefined ? 1 : 10 ** (pair.priceDigits - pair.pipDigits);
    this.#digits = pair?.priceDigits ?? 0;
  }

  order({ decision: { outcome, tookUs } }: Order): void {
    if (tookUs !== undefined) this.#tookUs.push(tookUs);
    if (outcome === 'booked') return;
    this.#refused++;
    this.#refusals[outcome] = (this.#refusals[outcome] ?? 0) + 1;
  }

  booking(booking: Booking): void {
    this.#booked++;
    this.#margin.add(-this.#gain(booking, booking.providerPrice));
    if (booking.order.limit !== undefined) this.#limit.add(this.#gain(booking, this.#scaled(booking.order.limit)));
  }

  quoted(booking: Booking, price: string): void {
    this.#quote.add(this.#gain(booking, this.#scaled(price)));
  }

  mid(booking: Booking, afterMs: number, mid: number): void {
    const gain = this.#gain(booking, mid);
    if (afterMs === 0) this.#spread.add(-gain);
    else this.#markOuts[this.#side(booking)][afterMs as MarkOut].add(gain);
  }

  result(isRecorded: boolean): PairQuality {
    const took = this.#tookUs.toSorted((one, other) => one - other);
    const quantile = (part: number) => {
      const us = took[Math.max(0, Math.ceil(took.length * part) - 1)];
      return us === undefined ? undefined : us / 1_000;
    };
    const orders = this.#booked + this.#refused;
    const markOut = Object.fromEntries(
      SIDES.map((side) => [side, Object.fromEntries(MARK_OUTS_MS.map((ms) => [ms, this.#markOuts[side][ms].average]))]),
    ) as PairQuality['markOut'];
    return {
      pair: this.#pair,
      booked: this.#booked,
      unrecorded: isRecorded ? this.unrecorded : undefined,
      refused: isRecorded ? this.#refused : undefined,
      fillRatio: isRecorded && orders > 0 ? (100 * this.#booked) / orders : undefined,
      refusals: this.#refusals,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      againstLimit: this.#limit.average,
      againstQuote: this.#quote.average,
      marginPaid: this.#margin.average,
      spreadPaid: this.#spread.average,
      markOut,
    };
  }

  #side({ pair, buyCurrency }: Booking): Side {
    return pair.startsWith(buyCurrency) ? 'buys' : 'sells';
  }

  #scaled(price: string): number {
    return Number(price) * 10 ** this.#digits;
  }

  /** What the client would gain if it closed the deal at a price, pips. */
  #gain(booking: Booking, price: number): number {
    const distance = (price - booking.price) / this.#pip;
    return this.#side(booking) === 'buys' ? distance : -distance;
  }
}

/**
 * Computes every price of a day again, from the record alone: the recorded ticks drive the rate book, and the margins in force the pricing, of this
 * release. Each booking, offer and hold is compared with what was recorded, to the last digit.
 *
 * Where a process runs the feed, a decision names the input after which it was priced. Elsewhere it names the message of the relay that its book
 * had: that message is made again of the book of the process that published it, and read by a book of its own.
 */

import type { RateFigures } from '../../domain/conversions/booking.js';
import { isRefusal } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { bandPrice } from '../../domain/money/ladder.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { clientBid, clientOffer } from '../../domain/money/rate.js';
import { TradingStates } from '../../domain/risk/trading-state.js';
import { CROSS_PLANS } from '../../rates/crosses.js';
import { type MarginRule, MarginTable, Pricing } from '../../rates/pricing.js';
import type { RateBook } from '../../rates/rate-book.js';
import type { BookSnapshot } from '../../rates/recorded-book.js';
import type { RecordLine } from '../../store/record/record-lines.js';
import type { PricedAt, RecordedDecision } from '../core/day-record.js';
import { pricedRate } from '../prices/index.js';
import { readRecord, recordFiles, recordFolders } from './read-record.js';
import { ReplayedBook, ReplayedFollower } from './replayed-book.js';

export interface ReplayDifference {
  readonly folder: string;
  readonly time: string;
  readonly operation: string;
  /** Of the booking, or of the hold. */
  readonly id: string;
  readonly field: string;
  readonly recorded: string;
  readonly replayed: string;
}

export interface Replay {
  readonly folders: number;
  readonly ticks: number;
  /** Priced again: bookings, those of payments among them, holds, and offers. */
  readonly bookings: number;
  readonly holds: number;
  readonly offers: number;
  /** Ticks that are taken or refused otherwise than they were. */
  readonly ticksOtherwise: number;
  readonly differences: readonly ReplayDifference[];
  /** Decisions that cannot be priced again, by reason. */
  readonly unpriced: ReadonlyMap<string, number>;
}

/** Differences that are kept; further ones are only counted. */
const DIFFERENCES_MAX = 10_000;

/** A decision, with what its process knew. */
interface Decided {
  readonly folder: string;
  readonly run: number;
  readonly decision: RecordedDecision;
  readonly epochUs: number;
  /** When its price was read: by the clock of its process, and as epoch time. */
  readonly pricedUs: number;
  readonly pricedEpochUs: number;
  readonly margins: readonly MarginRule[];
  /** Pairs that its process knew to be halted. */
  readonly halted: readonly string[];
  readonly options: BookSnapshot['options'];
}

/** What a process took over, and when by its clock. */
type Changes<T> = { us: number; value: T }[];

const inForce = <T>(changes: Changes<T>, us: number): T | undefined =>
  (changes.findLast((change) => change.us <= us) ?? changes[0])?.value;

/** Decisions by the number of the input, or of the message, that made their prices. */
type ByPosition = Map<number, Decided[]>;

/** The day, YYYYMMDD, of a directory. Throws SyntaxError for files of another release, RangeError for other pairs than those of this one. */
export async function replayDay(directory: string, day: string, onProgress?: (part: number) => void): Promise<Replay> {
  const folders = recordFolders(directory).filter((folder) => recordFiles(directory, folder, day).length > 0);
  const replayed = new ReplayedDay();
  for (const folder of folders) replayed.collect(folder, readRecord(recordFiles(directory, folder, day)));
  // What was offered before midnight may be held, and booked, after it.
  for (const before of daysBefore(day))
    for (const folder of recordFolders(directory))
      replayed.collectOffers(readRecord(recordFiles(directory, folder, before)));
  try {
    for (const [i, folder] of folders.entries()) {
      onProgress?.(i / folders.length);
      replayed.play(folder, readRecord(recordFiles(directory, folder, day)));
    }
    replayed.judgeHeld();
  } finally {
    await replayed.end();
  }
  return { folders: folders.length, ...replayed.result() };
}

const DAY_MS = 86_400_000;
/** A hold lasts a day at most. */
function daysBefore(day: string): string[] {
  const ms = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
  return [1, 2].map((days) => new Date(ms - days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', ''));
}

class ReplayedDay {
  /** By folder and run; by publisher. */
  readonly #own = new Map<string, ByPosition>();
  readonly #relayed = new Map<number, ByPosition>();
  readonly #held: Decided[] = [];
  /** The rates of offers, by the id of the hold that they become: priced again, or of an earlier day as recorded. */
  readonly #offers = new Map<string, Terms>();
  /** Ids of the offers of the day, priced again or not. */
  readonly #offered = new Set<string>();
  /** By publisher: the last message that it has recorded. */
  readonly #lastMark = new Map<number, number>();
  readonly #unpriced = new Map<string, number>();
  readonly #pending = new Set<Decided>();
  readonly #differences: ReplayDifference[] = [];
  readonly #counts = { ticks: 0, ticksOtherwise: 0, bookings: 0, holds: 0, offers: 0 };
  readonly #follower = new ReplayedFollower();

  end(): Promise<void> {
    return this.#follower.stop();
  }

  /** First: which prices are needed, and the margins at each. */
  collect(folder: string, lines: Iterable<RecordLine>): void {
    let run = 0;
    let options: BookSnapshot['options'] = {};
    const margins: Changes<readonly MarginRule[]> = [];
    const halts: Changes<readonly string[]> = [];
    for (const line of lines) {
      if (line.kind !== 'json') continue;
      const { value, us, epochUs } = line;
      if (value.type === 'process') {
        if (run !== value.run) {
          margins.length = 0;
          halts.length = 0;
        }
        run = value.run as number;
      }
      if (value.type === 'margins') margins.push({ us, value: value.rules as readonly MarginRule[] });
      if (value.type === 'halts') halts.push({ us, value: value.halted as readonly string[] });
      if (value.type === 'book') {
        const snapshot = value as unknown as BookSnapshot;
        options = snapshot.options;
        halts.push({ us, value: snapshot.halted });
      }
      if (value.type !== 'decision') continue;
      const decision = value as unknown as RecordedDecision;
      if (decision.rate === undefined) continue;
      const pricedUs = decision.at?.ms === undefined ? us : Math.round(decision.at.ms * 1_000);
      const decided: Decided = {
        folder,
        run,
        decision,
        epochUs,
        pricedUs,
        pricedEpochUs: epochUs - (us - pricedUs),
        margins: inForce(margins, pricedUs) ?? [],
        halted: inForce(halts, pricedUs) ?? [],
        options,
      };
      this.#sort(decided, decision.at);
    }
  }

  #sort(decided: Decided, at: PricedAt | undefined): void {
    if (decided.decision.kind === 'hold' || at === undefined) {
      this.#held.push(decided);
      return;
    }
    const { operation, hold = '' } = decided.decision;
    if (operation === 'offer') this.#offered.add(hold);
    const own = `${decided.folder} ${decided.run}`;
    const all =
      at.source === 0 ? getOr(this.#own, own, () => new Map()) : getOr(this.#relayed, at.source, () => new Map());
    getOr(all, at.position, () => [] as Decided[]).push(decided);
    this.#pending.add(decided);
  }

  collectOffers(lines: Iterable<RecordLine>): void {
    for (const line of lines) {
      if (line.kind !== 'json' || line.value.operation !== 'offer') continue;
      const { hold = '', rate, opposite, sellCurrency } = line.value as unknown as RecordedDecision;
      if (rate) this.#offers.set(hold, { sellCurrency, rate, opposite });
    }
  }

  /** Then: the ticks of a process, and the decisions that were priced by them, there and elsewhere. */
  play(folder: string, lines: Iterable<RecordLine>): void {
    const book = new ReplayedBook((line, position) => {
      if (line.kind === 'mark') this.#judgeRelayed(book, line.number, line.epochUs);
      else for (const decided of own?.get(position) ?? []) this.#judgeOwn(book, decided);
    });
    let own: ByPosition | undefined;
    for (const line of lines) {
      if (line.kind === 'json' && line.value.type === 'process') own = this.#own.get(`${folder} ${line.value.run}`);
      book.take(line);
    }
    this.#counts.ticks += book.ticks;
    this.#counts.ticksOtherwise += book.ticksOtherwise;
  }

  #judgeOwn(book: ReplayedBook, decided: Decided): void {
    if (!this.#pending.delete(decided)) return;
    const { decision } = decided;
    // A streamed price has no time of its own: it is the price that the input made.
    book.at(decision.at?.ms ?? book.ms, () => this.#judge(decided, book.book));
  }

  #judgeRelayed(book: ReplayedBook, number: number, epochUs: number): void {
    this.#lastMark.set(book.publisher, number);
    const all = this.#relayed.get(book.publisher)?.get(number);
    for (const decided of all ?? []) {
      if (!this.#pending.delete(decided)) continue;
      const pair = pairBySymbol(decided.decision.pair)!;
      const sinceMs =
        decided.decision.at?.ms === undefined ? 0 : Math.max(0, (decided.pricedEpochUs - epochUs) / 1_000);
      const { options, halted } = decided;
      const follower = this.#follower.book(book, legsOf(pair), options, halted, sinceMs);
      for (const taken of decided.decision.at?.taken ?? []) follower.takes.add(taken);
      this.#judge(decided, follower);
    }
  }

  #judge(decided: Decided, book: RateBook): void {
    const { decision, margins } = decided;
    const table = new MarginTable();
    table.replace(margins);
    const pricing = new Pricing(book, table, new TradingStates());
    const pair = pairBySymbol(decision.pair)!;
    const { shift } = decision.at ?? {};
    if (shift) {
      for (const name of ['skew', 'widening', 'spreadMin', 'spreadMax'] as const)
        pricing.shifts[name][pair.index] = shift[name];
      pricing.shifts.isOn[pair.index] = 1;
    }
    const rate = ratedAgain(pricing, book, pair, decision);
    this.#compare(decided, pair, rate);
    if (decision.operation !== 'offer') return;
    const opposite =
      decision.opposite &&
      ratedAgain(pricing, book, pair, {
        ...decision,
        sellCurrency: otherOf(pair, decision.sellCurrency),
        ...(decision.dealt && { dealt: turned(decision.dealt) }),
      });
    if (decision.opposite) this.#compareRate(decided, 'opposite ', decision.opposite, opposite);
    if (typeof rate !== 'string')
      this.#offers.set(decision.hold!, {
        sellCurrency: decision.sellCurrency,
        rate,
        opposite: typeof opposite === 'string' ? undefined : opposite,
      });
  }

  /** Holds, and conversions at them, have the rate of their offer. */
  judgeHeld(): void {
    for (const decided of this.#held) {
      const { decision } = decided;
      const offered = this.#offers.get(decision.hold ?? '');
      if (offered === undefined) {
        const isOffered = this.#offered.has(decision.hold ?? '');
        this.#count(`the offer of its hold ${isOffered ? 'cannot be priced again' : 'is not in the record'}`);
        continue;
      }
      const pair = pairBySymbol(decision.pair)!;
      const rate = decision.sellCurrency === offered.sellCurrency ? offered.rate : offered.opposite;
      this.#compare(decided, pair, rate ?? 'no rate in this direction');
    }
    for (const { decision, run, folder } of this.#pending) {
      const { source, position } = decision.at!;
      const last = this.#lastMark.get(source);
      if (source === 0 ? this.#own.has(`${folder} ${run}`) : last !== undefined && position <= last)
        this.#count('lines before it are missing');
      else if (last === undefined) this.#count('the process with the feed is not in the record');
      else this.#count('the process with the feed was killed before it had written them, or has not written them yet');
    }
  }

  #count(why: string): void {
    this.#unpriced.set(why, (this.#unpriced.get(why) ?? 0) + 1);
  }

  #compare(decided: Decided, pair: Pair, rate: RateFigures | string): void {
    const { decision } = decided;
    const { operation, sell, buy, margin, dealt, sellCurrency } = decision;
    if (operation === 'offer') this.#counts.offers++;
    else if (operation === 'lock') this.#counts.holds++;
    else this.#counts.bookings++;
    this.#compareRate(decided, '', decision.rate!, rate);
    if (typeof rate === 'string' || sell === undefined || dealt === undefined) return;
    const { price, providerPrice } = rate;
    const converted = convert({
      pair,
      sell: sellCurrency,
      price,
      providerPrice,
      amount: { side: dealt.side, minor: BigInt(dealt.minor) },
    });
    if (isRefusal(converted)) {
      this.#differs(decided, 'sell', sell, converted.refusal);
      return;
    }
    const { sellMinor, buyMinor, marginMinor } = converted;
    for (const [field, was, is] of [
      ['sell', sell, sellMinor],
      ['buy', buy, buyMinor],
      ['margin', margin, marginMinor],
    ] as const)
      if (was !== String(is)) this.#differs(decided, field, was ?? '', String(is));
  }

  #compareRate(decided: Decided, prefix: string, was: RateFigures, is: RateFigures | string | undefined): void {
    if (typeof is !== 'object') {
      this.#differs(decided, `${prefix}price`, String(was.price), is ?? 'none');
      return;
    }
    for (const field of ['price', 'providerPrice', 'marginPpm'] as const)
      if (was[field] !== is[field]) this.#differs(decided, `${prefix}${field}`, String(was[field]), String(is[field]));
  }

  #differs({ folder, epochUs, decision }: Decided, field: string, recorded: string, replayed: string): void {
    if (this.#differences.length >= DIFFERENCES_MAX) return;
    const { operation, id, hold = '' } = decision;
    const time = new Date(epochUs / 1_000).toISOString();
    this.#differences.push({ folder, time, operation, id: id ?? hold, field, recorded, replayed });
  }

  result(): Omit<Replay, 'folders'> {
    return { ...this.#counts, differences: this.#differences, unpriced: this.#unpriced };
  }
}

interface Terms {
  readonly sellCurrency: string;
  readonly rate: RateFigures;
  readonly opposite: RateFigures | undefined;
}

/** The rate of a decision by the book of its moment; or the code of a refusal. */
function ratedAgain(pricing: Pricing, book: RateBook, pair: Pair, decision: RecordedDecision): RateFigures | string {
  const { client: clientId, sellCurrency, kind, limit, dealt, addOnPpm = 0, floorPpm = 0, rulePpm, rate } = decision;
  const type = decision.bookFxType as 'PREFUNDING';
  const isBid = sellCurrency === pair.base;
  if (kind === 'stream' || kind === 'band') {
    const own = pricing.marginPpm(clientId, pair, type, limit ?? Number.POSITIVE_INFINITY);
    if (own !== rulePpm) return `margin ${own}`;
    const price = kind === 'stream' ? book.read(pair.index) : undefined;
    const side = kind === 'band' ? book.ladder(pair.index)?.[isBid ? 'bid' : 'offer'] : undefined;
    const providerPrice = side ? bandPrice(side, limit!) : price?.[isBid ? 'bid' : 'offer'];
    if (providerPrice === undefined) return 'RATE_UNAVAILABLE';
    // What the rules of pricing made of the margin when it was streamed.
    const { marginPpm } = rate!;
    return { providerPrice, marginPpm, price: (isBid ? clientBid : clientOffer)(providerPrice, marginPpm) };
  }
  const amount = dealt && { side: dealt.side, minor: BigInt(dealt.minor) };
  const buyCurrency = otherOf(pair, sellCurrency);
  const wanted = { clientId, pair, sellCurrency, buyCurrency, type, amount };
  const again = pricedRate({ pricing }, wanted, { addOnPpm, floorPpm });
  return isRefusal(again) ? again.refusal : again.rate;
}

const otherOf = ({ base, quote }: Pair, currency: string): string => (currency === base ? quote : base);

const turned = ({ side, minor }: NonNullable<RecordedDecision['dealt']>) =>
  ({ side: side === 'sell' ? 'buy' : 'sell', minor }) as const;

/** The pairs whose quotes can make the price of a pair. */
function legsOf(pair: Pair): number[] {
  const legs = CROSS_PLANS[pair.index]!.flatMap(({ first, second }) => [first.index, second.index]);
  return [...new Set([pair.index, ...legs])];
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A client's price: the operator's margin that applies to it, and the book's price less that margin. */
import { platformOf, subClientsOf } from '../domain/core/ids.js';
import { type Refusal, refuse } from '../domain/core/refusal.js';
import type { QuoteAmount } from '../domain/money/ladder.js';
import { exponentOf } from '../domain/money/money.js';
import type { Pair } from '../domain/money/pair.js';
import { clientBid, clientOffer, isClientPrice, type MarginBand, WHOLE_PPM } from '../domain/money/rate.js';
import type { BookFxType } from '../domain/money/value-date.js';
import type { MarginParts } from '../domain/prices/effective-margin.js';
import { clientHalted, pairHalted, type TradingStates } from '../domain/risk/trading-state.js';
import { PriceShifts } from './price-shifts.js';
import type { RateBook } from './rate-book.js';

/** A client's own price of this moment. Prices are scaled by the pair's price digits. */
export interface ClientQuote {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
  readonly providerBid: number;
  readonly providerOffer: number;
  /** Whole units of base; 0: not sent by the provider. */
  readonly bidSize: number;
  readonly offerSize: number;
  /** What the first band carries, whole units of base; Infinity: any amount. */
  readonly bidLimit: number;
  readonly offerLimit: number;
  /** The effective margins, and the client's own that they are made from. */
  readonly bidMarginPpm: number;
  readonly offerMarginPpm: number;
  readonly rulePpm: number;
  /** The client's own margins by size, the first above 0. */
  readonly bands: readonly MarginBand[];
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: number;
  readonly ageMs: number;
  /** Epoch ms after which the price would be too old, should no tick come. */
  readonly validUntilMs: number;
}

/** An amount to price, minor units above 0: of the pair's base, or of its quote, which is then priced in it. */
export interface PricedAmount {
  readonly isBase: boolean;
  readonly minor: bigint;
}

/** The price of an amount on one side, scaled by the pair's price digits. */
export interface SizedPrice {
  /** The providers' volume-weighted price, and the client's. */
  readonly providerPrice: number;
  readonly price: number;
  readonly ageMs: number;
  /** How many levels of the book it takes. */
  readonly levels: number;
  /** Epoch ms after which the price would be too old, should no tick come. */
  readonly validUntilMs: number;
}

// A provider reconnects within its first attempts, or much later.
export const PRICE_RETRY_AFTER_S = 2;

/** What a client pays: the book's price less its effective margin. */
export class Pricing {
  /** What the rules of pricing change on each client's margins. */
  readonly shifts: PriceShifts;
  readonly #book: RateBook;
  readonly #margins: MarginTable;
  readonly #states: Pick<TradingStates, 'isHalted'>;
  readonly #now: () => number;

  /** `now` is epoch ms. */
  constructor(
    book: RateBook,
    margins: MarginTable,
    states: Pick<TradingStates, 'isHalted'>,
    now: () => number = Date.now,
  ) {
    this.#book = book;
    this.#margins = margins;
    this.#states = states;
    this.#now = now;
    this.shifts = new PriceShifts(book);
  }

  /** The client's own margin of an amount of base, in units; of the first band where none is given. Undefined: the pair is not offered to this client. */
  marginPpm(clientId: string, pair: Pair, type: BookFxType, size = 0): number | undefined {
    return this.#margins.find(clientId, pair.symbol, type, size);
  }

  /** The client's own margins by size, the first above 0; undefined: the pair is not offered to this client. */
  marginBands(clientId: string, pair: Pair, type: BookFxType): readonly MarginBand[] | undefined {
    return this.#margins.bands(clientId, pair.symbol, type);
  }

  /** The first band. Refuses with NOT_ENTITLED, TRADING_HALTED while the pair or the client is halted, or RATE_UNAVAILABLE, in this order. */
  quote(clientId: string, pair: Pair, type: BookFxType): ClientQuote | Refusal {
    const bands = this.marginBands(clientId, pair, type);
    if (bands === undefined)
      return refuse('NOT_ENTITLED', `${pair.symbol} is not offered to you: ask us to add the pair`);

    const { marginPpm: rulePpm } = bands[0]!;
    if (this.#book.isHalted(pair.index)) return pairHalted(pair);
    if (this.#states.isHalted(clientId)) return clientHalted();
    // First: listeners to another shift read the book too.
    this.shifts.judge(pair.index);
    const price = this.#book.read(pair.index);
    if (!price) return unavailable();
    const { bidPpm, offerPpm } = this.shifts.margin(pair.index, price.bid, price.offer, rulePpm);
    const bid = clientBid(price.bid, bidPpm);
    const offer = clientOffer(price.offer, offerPpm);
    if (!isClientPrice(bid, offer)) return unavailable();
    const bandLimit = bands[1]?.above ?? Number.POSITIVE_INFINITY;

    return {
      pair,
      bid,
      offer,
      providerBid: price.bid,
      providerOffer: price.offer,
      bidSize: price.bidSize,
      offerSize: price.offerSize,
      bidLimit: Math.min(price.bidLimit, bandLimit),
      offerLimit: Math.min(price.offerLimit, bandLimit),
      bidMarginPpm: bidPpm,
      offerMarginPpm: offerPpm,
      rulePpm,
      bands,
      sourceTimeUs: price.sourceTimeUs,
      ageMs: price.ageMs,
      validUntilMs: this.#validUntilMs(price.ageMs),
    };
  }

  /**
   * The price of an amount at an effective margin: at the bid where base is sold, else at the offer. Of an amount of quote the provider pays more
   * than the client gets, by the margin, and gets less than the client pays. Refuses with RATE_UNAVAILABLE, and INSUFFICIENT_LIQUIDITY where
   * the book ends before the amount.
   */
  sized(
    { pair }: ClientQuote,
    isBid: boolean,
    { isBase, minor }: PricedAmount,
    marginPpm: number,
  ): SizedPrice | Refusal {
    if (marginPpm >= WHOLE_PPM) return unavailable();
    const amount = isBase ? minor : atProvider(minor, isBid, BigInt(marginPpm));
    const found = this.#book.priceFor(pair.index, isBid, amount);
    if (found === undefined) return refuse('INSUFFICIENT_LIQUIDITY');
    const price = (isBid ? clientBid : clientOffer)(found.price, marginPpm);
    if (!isClientPrice(price, price)) return unavailable();
    const { price: providerPrice, ageMs, levels } = found;
    return { providerPrice, price, ageMs, levels, validUntilMs: this.#validUntilMs(ageMs) };
  }

  /** What a margin of the client becomes on one side of its quote. It is judged at the best price, for every amount. */
  effectivePpm({ pair, providerBid, providerOffer }: ClientQuote, isBid: boolean, rulePpm: number): number {
    const { bidPpm, offerPpm } = this.shifts.margin(pair.index, providerBid, providerOffer, rulePpm);
    return isBid ? bidPpm : offerPpm;
  }

  /** The rule of the client's own margin for an amount of base, in units; undefined: there is none. */
  rule(clientId: string, pair: Pair, type: BookFxType, size: number): MarginPlace | undefined {
    return this.#margins.rule(clientId, pair.symbol, type, size);
  }

  /** The part of the client's own margin that its platform has set; 0 for a client that is no sub-client. */
  platformPpm(clientId: string, pair: Pair, type: BookFxType): number {
    return this.#margins.platformPpm(clientId, pair.symbol, type);
  }

  /** What the effective margin of one side is made of, for a margin of the client; allocates. */
  marginParts({ pair, providerBid, providerOffer }: ClientQuote, isBid: boolean, rulePpm: number): MarginParts {
    return this.shifts.parts(pair.index, providerBid, providerOffer, rulePpm)[isBid ? 'bid' : 'offer'];
  }

  #validUntilMs(ageMs: number): number {
    return this.#now() + this.#book.maxAgeMs - ageMs;
  }
}

const WHOLE = BigInt(WHOLE_PPM);

/** What the provider pays for, or is paid, where a client gets or pays an amount of quote. */
const atProvider = (minor: bigint, isBid: boolean, marginPpm: bigint): QuoteAmount =>
  isBid
    ? { numerator: minor * WHOLE, denominator: WHOLE - marginPpm }
    : { numerator: minor * (WHOLE - marginPpm), denominator: WHOLE };

const unavailable = (): Refusal => refuse('RATE_UNAVAILABLE', undefined, { retryAfterS: PRICE_RETRY_AFTER_S });

/** Units of base for an amount in minor units: for the comparison with the whole units of a band. */
export function unitsOf({ base }: Pair, baseMinor: bigint): number {
  return Number(baseMinor) / 10 ** exponentOf(base);
}

/** One line of the operator's margin sheet; `*` means every client, pair or type. */
export interface MarginRule {
  readonly clientId: string;
  /** `EUR/USD` or `*`. */
  readonly pair: string;
  readonly type: BookFxType | '*';
  /** Margin in millionths: percent x 10,000; 0 to 999,999. */
  readonly marginPpm: number;
  /** For amounts above so many whole units of the pair's base; absent: for every amount. */
  readonly above?: number | undefined;
}

/** A place of a rule that may apply to a client, pair and type. */
export interface MarginPlace extends Omit<MarginRule, 'marginPpm'> {
  /** Undefined: there is no rule at this place, or of its rules none for the amount. */
  readonly marginPpm: number | undefined;
}

/** What applies to a client, pair and type. */
interface Nearest {
  /** The rule for every amount. */
  readonly rule: MarginPlace | undefined;
  readonly bands: readonly MarginBand[] | undefined;
}

/** Most of what is kept of them, a third of a kilobyte each. */
const FOUND_MAX = 20_000;

/** The largest margin. */
const PPM_MAX = 999_999;

/** The margins in force, in memory, because each price needs one. Replaced as a whole when the sheet changes. */
export class MarginTable {
  /** By place, each in order of size. */
  #rules = new Map<string, readonly MarginBand[]>();
  /** Some rule is for a size alone. */
  #hasBands = false;
  /** What was found for a client, pair and type: each price needs it, and a rule may be at eight places. */
  readonly #found = new Map<string, Map<string, Map<BookFxType, Nearest>>>();
  #foundCount = 0;
  readonly #listeners = new Set<() => void>();

  replace(rules: readonly MarginRule[]): void {
    const places = new Map<string, MarginBand[]>();
    for (const { clientId, pair, type, above = 0, marginPpm } of rules) {
      const key = keyOf(clientId, pair, type);
      places.set(key, [...(places.get(key) ?? []), { above, marginPpm }]);
    }
    for (const bands of places.values()) bands.sort((a, b) => a.above - b.above);
    this.#rules = places;
    this.#hasBands = rules.some(({ above }) => above !== undefined);
    this.#forget();
    for (const listener of this.#listeners) listener();
  }

  /** Called after each replace, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The margin of the nearest rule that is for the amount, `size` units of base: one for the client before one for all, within that one for
   * the pair before one for all, within that one for the type before one for all, and of the rules there the one for the largest amount.
   * Undefined: no rule, so the pair is not offered to the client. The rules of a sub-client are those of its platform, and their margin has
   * `platformPpm` in it.
   */
  find(clientId: string, pair: string, type: BookFxType, size = 0): number | undefined {
    return this.rule(clientId, pair, type, size)?.marginPpm;
  }

  /** The rule of that margin. */
  rule(clientId: string, pair: string, type: BookFxType, size = 0): MarginPlace | undefined {
    const isOfEveryAmount = size === 0 || !this.#hasBands;
    return isOfEveryAmount ? this.#nearest(clientId, pair, type).rule : this.#search(clientId, pair, type, size);
  }

  /** The margins of a client by size, each from where it begins: the first above 0. Undefined: no rule is for every amount. */
  bands(clientId: string, pair: string, type: BookFxType): readonly MarginBand[] | undefined {
    return this.#nearest(clientId, pair, type).bands;
  }

  // A key of all three would be made and hashed for each price.
  #nearest(clientId: string, pair: string, type: BookFxType): Nearest {
    return this.#found.get(clientId)?.get(pair)?.get(type) ?? this.#find(clientId, pair, type);
  }

  #find(clientId: string, pair: string, type: BookFxType): Nearest {
    const rule = this.#search(clientId, pair, type, 0);
    const bands = rule?.marginPpm === undefined ? undefined : this.#bandsFrom(rule.marginPpm, clientId, pair, type);
    const nearest = { rule, bands };
    if (this.#foundCount++ >= FOUND_MAX) this.#forget();
    const ofClient = this.#found.get(clientId) ?? new Map<string, Map<BookFxType, Nearest>>();
    const ofPair = ofClient.get(pair) ?? new Map<BookFxType, Nearest>();
    this.#found.set(clientId, ofClient.set(pair, ofPair.set(type, nearest)));
    return nearest;
  }

  #forget(): void {
    this.#found.clear();
    this.#foundCount = 0;
  }

  /** Of a sub-client the rule of its platform, with what the platform adds. */
  #search(clientId: string, pair: string, type: BookFxType, size: number): MarginPlace | undefined {
    const platform = platformOf(clientId);
    if (platform === undefined) return this.#searchRules(clientId, pair, type, size);
    const rule = this.#searchRules(platform, pair, type, size);
    if (rule?.marginPpm === undefined) return rule;
    const marginPpm = Math.min(PPM_MAX, rule.marginPpm + this.platformPpm(clientId, pair, type));
    return { ...rule, marginPpm };
  }

  /**
   * What a platform adds to the margin of this sub-client: by its rule for the sub-client before that for all of them, within these for the pair
   * before all pairs. 0: nothing, or the client is no sub-client.
   */
  platformPpm(clientId: string, pair: string, type: BookFxType): number {
    const platform = platformOf(clientId);
    if (platform === undefined) return 0;
    for (const scope of [clientId, subClientsOf(platform)])
      for (const own of NEAREST_FIRST) {
        const band = own.client && this.#at(own, scope, pair, type)?.[0];
        if (band) return band.marginPpm;
      }
    return 0;
  }

  #searchRules(clientId: string, pair: string, type: BookFxType, size: number): MarginPlace | undefined {
    for (const own of NEAREST_FIRST) {
      const band = bandOf(this.#at(own, clientId, pair, type), size);
      if (band === undefined) continue;
      const [client, symbol, kind] = placeOf(own, clientId, pair, type);
      return { clientId: client, pair: symbol, type: kind, ...band };
    }
    return undefined;
  }

  #bandsFrom(marginPpm: number, clientId: string, pair: string, type: BookFxType): readonly MarginBand[] {
    const bands = [{ above: 0, marginPpm }];
    if (!this.#hasBands) return bands;
    const begins = new Set<number>();
    const holder = platformOf(clientId) ?? clientId;
    for (const own of NEAREST_FIRST)
      for (const { above } of this.#at(own, holder, pair, type) ?? []) if (above > 0) begins.add(above);
    for (const above of [...begins].sort((a, b) => a - b)) {
      // A size just above it: amounts have fewer than three decimals.
      const next = this.find(clientId, pair, type, above + 0.001)!;
      if (next !== bands[bands.length - 1]!.marginPpm) bands.push({ above, marginPpm: next });
    }
    return bands;
  }

  /** Every place that `find` checks, in its order, and the rule there for the amount: the first rule applies. Of a sub-client those of its platform. */
  places(ofClient: string, pair: string, type: BookFxType, size = 0): MarginPlace[] {
    const clientId = platformOf(ofClient) ?? ofClient;
    return NEAREST_FIRST.map((own) => {
      const [client, symbol, kind] = placeOf(own, clientId, pair, type);
      const band = bandOf(this.#at(own, clientId, pair, type), size);
      const place = { clientId: client, pair: symbol, type: kind, marginPpm: band?.marginPpm };
      return band === undefined || band.above === 0 ? place : { ...place, above: band.above };
    });
  }

  #at(own: Own, clientId: string, pair: string, type: BookFxType): readonly MarginBand[] | undefined {
    return this.#rules.get(keyOf(own.client ? clientId : '*', own.pair ? pair : '*', own.type ? type : '*'));
  }
}

/** Of a client's margins by size that of an amount, units of base. */
export function marginOf(bands: readonly MarginBand[], size: number): number {
  return bandOf(bands, size)!.marginPpm;
}

function bandOf(bands: readonly MarginBand[] | undefined, size: number): MarginBand | undefined {
  return bands?.findLast(({ above }) => above === 0 || above < size);
}

/** Which parts of a rule name one client, pair or type, and not all of them. */
interface Own {
  readonly client: boolean;
  readonly pair: boolean;
  readonly type: boolean;
}

const NEAREST_FIRST: readonly Own[] = [true, false].flatMap((client) =>
  [true, false].flatMap((pair) => [true, false].map((type) => ({ client, pair, type }))),
);

function placeOf(own: Own, clientId: string, pair: string, type: BookFxType): [string, string, BookFxType | '*'] {
  return [own.client ? clientId : '*', own.pair ? pair : '*', own.type ? type : '*'];
}

// A client id has no blank in it, nor has a symbol.
function keyOf(clientId: string, pair: string, type: string): string {
  return `${clientId} ${pair} ${type}`;
}

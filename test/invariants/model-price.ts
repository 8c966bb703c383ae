/** Prices and amounts by the rules, in whole numbers, without any code of the engine. */
export interface HandConversion {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly margin: bigint;
  readonly marginCurrency: string;
  /** The client's price, scaled. */
  readonly price: bigint;
  readonly providerPrice: bigint;
  /** What a platform has added is in it. */
  readonly marginPpm: bigint;
}

interface HandPair {
  readonly base: string;
  readonly quote: string;
  readonly digits: number;
}

/** Both sides of the provider's price, scaled, and the client's margin on it. */
export interface HandQuote {
  readonly bid: bigint;
  readonly offer: bigint;
  readonly marginPpm: number;
}

export interface Given {
  readonly side: 'sell' | 'buy';
  readonly minor: bigint;
}

const PAIRS: readonly HandPair[] = [
  { base: 'EUR', quote: 'USD', digits: 7 },
  { base: 'USD', quote: 'JPY', digits: 5 },
  { base: 'EUR', quote: 'JPY', digits: 5 },
  { base: 'EUR', quote: 'GBP', digits: 7 },
  { base: 'GBP', quote: 'USD', digits: 7 },
  { base: 'GBP', quote: 'JPY', digits: 5 },
];
const SMALLEST = 1n;
const LARGEST = 5_000_000n;
const WHOLE = 1_000_000n;

export const unitOf = (currency: string): bigint => (currency === 'JPY' ? 1n : 100n);

export function parseByHand(amount: number, currency: string): bigint | 'bad' {
  const [whole = '', decimals = ''] = String(amount).split('.');
  const places = currency === 'JPY' ? 0 : 2;
  if (!/^\d{1,15}$/.test(whole) || decimals.length > places) return 'bad';
  const minor = BigInt(whole + decimals.padEnd(places, '0'));
  return minor > 0n && minor <= 999_999_999_999_999n ? minor : 'bad';
}

/** Sells base: bid x (1 - m). Sells quote: offer / (1 - m). To the nearest, a half to the even one. */
function clientPrice(sellsBase: boolean, { bid, offer, marginPpm }: HandQuote): bigint {
  const less = WHOLE - BigInt(marginPpm);
  return sellsBase ? halfEven(bid * less, WHOLE) : halfEven(offer * WHOLE, less);
}

function halfEven(above: bigint, below: bigint): bigint {
  const down = above / below;
  const twice = (above % below) * 2n;
  return twice > below || (twice === below && down % 2n === 1n) ? down + 1n : down;
}

export function convertByHand(pair: HandPair, sellCurrency: string, quote: HandQuote, given: Given): HandConversion {
  const sellsBase = sellCurrency === pair.base;
  const providerPrice = sellsBase ? quote.bid : quote.offer;
  const marginPpm = BigInt(quote.marginPpm);
  return convertAt(pair, sellCurrency, { price: clientPrice(sellsBase, quote), providerPrice, marginPpm }, given);
}

/** At these prices, scaled. */
export function convertAt(
  pair: HandPair,
  sellCurrency: string,
  { price, providerPrice, marginPpm }: Pick<HandConversion, 'price' | 'providerPrice' | 'marginPpm'>,
  given: Given,
): HandConversion {
  const sellsBase = sellCurrency === pair.base;
  const sellGiven = given.side === 'sell';
  const at = (scaled: bigint): bigint => {
    // Minor units of quote for one of base, as a fraction.
    const above = scaled * unitOf(pair.quote);
    const below = 10n ** BigInt(pair.digits) * unitOf(pair.base);
    const [times, over] = sellGiven === sellsBase ? [above, below] : [below, above];
    const exact = given.minor * times;
    return sellGiven ? exact / over : (exact + over - 1n) / over;
  };
  const computed = at(price);
  const atProvider = at(providerPrice);
  return {
    sell: sellGiven ? given.minor : computed,
    buy: sellGiven ? computed : given.minor,
    margin: sellGiven ? atProvider - computed : computed - atProvider,
    marginCurrency: sellGiven === sellsBase ? pair.quote : pair.base,
    price,
    providerPrice,
    marginPpm,
  };
}

/** More than 200 parts per million away, in either direction: what was offered is not dealt. */
export function hasMoved(was: bigint, is: bigint): boolean {
  return (is > was ? is - was : was - is) * WHOLE > was * 200n;
}

/** The margin between two prices: 1 less the smaller by the larger, to the nearest. */
export function marginBetween(price: bigint, providerPrice: bigint): bigint {
  const [less, more] = price < providerPrice ? [price, providerPrice] : [providerPrice, price];
  return (2n * (more - less) * WHOLE + more) / (2n * more);
}

/** The current quotes of the providers; none quotes the pound. */
export class Market {
  readonly #quotes = new Map<string, { bid: bigint; offer: bigint }>();

  constructor(readonly marginPpm: number) {}

  /** Prices as text with at most the market's decimals. */
  tick(symbol: string, bid: string, offer: string): void {
    const { digits } = PAIRS.find(({ base, quote }) => `${base}/${quote}` === symbol)!;
    this.#quotes.set(symbol, { bid: scaled(bid, digits), offer: scaled(offer, digits) });
  }

  pair(one: string, other: string): HandPair {
    return PAIRS.find(({ base, quote }) => [one, other].includes(base) && [one, other].includes(quote))!;
  }

  quote(one: string, other: string, addOnPpm: number): HandQuote | undefined {
    const { base, quote } = this.pair(one, other);
    const sides = this.#quotes.get(`${base}/${quote}`);
    return sides && { ...sides, marginPpm: this.marginPpm + addOnPpm };
  }

  /** Checked in base; where that takes a price and there is none, not checked. */
  size(sell: string, buy: string, given: Given, conversion: HandConversion | undefined): string | undefined {
    const { base } = this.pair(sell, buy);
    const sellsBase = sell === base;
    if (conversion && (conversion.sell === 0n || conversion.buy === 0n)) return 'AMOUNT_BELOW_MIN';
    const dealt = (given.side === 'sell') === sellsBase ? given.minor : undefined;
    const minor = conversion ? (sellsBase ? conversion.sell : conversion.buy) : dealt;
    if (minor === undefined) return undefined;
    if (minor < SMALLEST * unitOf(base)) return 'AMOUNT_BELOW_MIN';
    return minor > LARGEST * unitOf(base) ? 'AMOUNT_ABOVE_LIMIT' : undefined;
  }

  isWithin(limit: string, sell: string, buy: string, { price }: HandConversion): boolean {
    const { base, digits } = this.pair(sell, buy);
    return sell === base ? price >= scaled(limit, digits) : price <= scaled(limit, digits);
  }
}

function scaled(text: string, digits: number): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(digits, '0'));
}

import { describe, expect, test } from 'vitest';
import { bandPrice, LadderSide, sizePrice } from '../../engine/domain/money/ladder.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import { random } from '../domain/random.js';
import { bookWithClock, quoteLadder, sideOf } from './clock.js';

const ANY = Number.POSITIVE_INFINITY;
const pairOf = (symbol: string) => pairBySymbol(symbol)!;

/** A book whose providers quote ladders. */
function books(options: RateBookOptions = {}) {
  const made = bookWithClock({ maxAgeMs: 5_000, maxJumpPercent: 100, maxSpreadPercent: 100, ...options });
  const { book } = made;
  const quote = (provider: string, symbol: string, bids: string, offers: string, isLadder = true) => {
    quoteLadder(book, book.registerProvider(provider), [symbol, bids, offers], 0, isLadder);
  };
  /** Units of base; the price as text. */
  const price = (symbol: string, side: 'bid' | 'offer', units: number, decimals = 2) => {
    const { index, priceDigits } = pairOf(symbol);
    const minor = BigInt(units * 10 ** decimals);
    const found = book.priceFor(index, side === 'bid', minor)?.price;
    return found === undefined ? undefined : (found / 10 ** priceDigits).toFixed(priceDigits);
  };
  return { ...made, quote, price };
}

describe('the price of an amount', () => {
  const EURUSD = pairOf('EUR/USD');
  const side = sideOf('1.1000x1000000 1.0990x1000000 1.0970x3000000', 'EUR/USD');

  test.each([
    // minor           price
    [1n, 11_000_000],
    [100_000_000n, 11_000_000],
    // One cent of the second level.
    [100_000_001n, 11_000_000],
    [200_000_000n, 10_995_000],
    [300_000_000n, Math.round((11_000_000 + 10_990_000 + 10_970_000) / 3)],
    [500_000_000n, (11_000_000 + 10_990_000 + 3 * 10_970_000) / 5],
    [500_000_001n, undefined],
  ])('of %d cents is %s', (minor, price) => {
    expect(sizePrice(side, EURUSD, minor)?.price).toBe(price);
  });

  test('is rounded half-even', () => {
    const two = new LadderSide();
    two.add(10_000_001, 1);
    two.add(10_000_000, 3);
    expect(sizePrice(two, EURUSD, 200n)?.price).toBe(10_000_000);
    two.price[0] = 10_000_003;
    two.price[1] = 10_000_002;
    expect(sizePrice(two, EURUSD, 200n)?.price).toBe(10_000_002);
    two.price[1] = 10_000_000;
    expect(sizePrice(two, EURUSD, 200n)?.price).toBe(10_000_002);
  });

  test('of whole units is the same without an allocation', () => {
    const next = random(7);
    const pairs = ['EUR/USD', 'USD/JPY', 'KRW/IDR', 'USD/CAD'].map(pairOf);
    for (let round = 0; round < 4_000; round++) {
      const pair = pairs[round % pairs.length]!;
      const isBid = next() < 0.5;
      const made = new LadderSide();
      const largest = Number(pair.maxAmount);
      let price = Math.floor(next() * 8_000_000_000) + 1_000_000_000;
      for (let level = 0; level < 10; level++) {
        made.add(price, next() < 0.05 ? ANY : Math.floor(next() * largest) + 1);
        // Near and far levels: the distances are what is summed.
        const distance = Math.floor(next() ** 8 * 900_000_000);
        price = isBid ? Math.max(1, price - distance) : Math.min(9_000_000_000, price + distance);
      }
      const size = Math.floor(next() * largest) + 1;
      const exact = sizePrice(made, pair, BigInt(size) * (pair.base === 'KRW' ? 1n : 100n))?.price;
      expect(bandPrice(made, size)).toBe(exact ?? Number.NaN);
    }
  });
});

describe('the book', () => {
  test('takes the best levels of all providers', () => {
    const { quote, price } = books();
    quote('A', 'EUR/USD', '1.1000x1000000 1.0990x2000000', '1.1010x1000000 1.1030x2000000');
    quote('B', 'EUR/USD', '1.0998x1000000 1.0980x2000000', '1.1012x500000 1.1013x500000');
    expect(price('EUR/USD', 'bid', 1_000_000)).toBe('1.1000000');
    expect(price('EUR/USD', 'bid', 2_000_000)).toBe('1.0999000');
    expect(price('EUR/USD', 'bid', 4_000_000)).toBe('1.0994500');
    expect(price('EUR/USD', 'bid', 6_000_000)).toBe('1.0989667');
    expect(price('EUR/USD', 'bid', 6_000_000.01)).toBeUndefined();
    expect(price('EUR/USD', 'offer', 2_000_000)).toBe('1.1011250');
    expect(price('EUR/USD', 'offer', 4_000_000)).toBe('1.1020625');
    expect(price('EUR/USD', 'offer', 4_500_000)).toBeUndefined();
  });

  test('a provider with one level, and a level without a size, carries any amount', () => {
    const { quote, price, book } = books();
    quote('A', 'EUR/USD', '1.1000x1000000', '1.1010x1000000', false);
    expect(price('EUR/USD', 'bid', 5_000_000)).toBe('1.1000000');
    expect(book.bidLimit[pairOf('EUR/USD').index]).toBe(ANY);
    quote('A', 'EUR/USD', '1.1000x1000000', '1.1010x1000000', true);
    expect(price('EUR/USD', 'bid', 5_000_000)).toBe('1.1000000');
    quote('A', 'EUR/USD', '1.1000x1000000 1.0990', '1.1010x1000000');
    expect(price('EUR/USD', 'bid', 5_000_000)).toBe('1.0992000');
    // One level of a ladder that states its size.
    expect(price('EUR/USD', 'offer', 1_000_000)).toBe('1.1010000');
    expect(price('EUR/USD', 'offer', 1_000_001)).toBeUndefined();
    expect(book.bidLimit[pairOf('EUR/USD').index]).toBe(1_000_000);
  });

  test('firm: what is stated, and no more', () => {
    const { quote, price, book } = books({ isFirm: true });
    quote('A', 'EUR/USD', '1.1000x1000000', '1.1010', false);
    quote('B', 'EUR/USD', '1.0990x500000', '1.1020x500000', false);
    expect(price('EUR/USD', 'bid', 1_500_000)).toBe('1.0996667');
    expect(price('EUR/USD', 'bid', 1_500_001)).toBeUndefined();
    expect(price('EUR/USD', 'offer', 500_000)).toBe('1.1020000');
    expect(price('EUR/USD', 'offer', 500_001)).toBeUndefined();
    expect(book.bidLimit[pairOf('EUR/USD').index]).toBe(1_000_000);
    expect(book.offerLimit[pairOf('EUR/USD').index]).toBe(0);
  });

  test('of providers that are crossed against each other the newer alone has levels', () => {
    const { quote, price } = books();
    quote('A', 'EUR/USD', '1.1000x1000000 1.0990x1000000', '1.1010x1000000 1.1020x1000000');
    quote('B', 'EUR/USD', '1.1015x1000000 1.1005x1000000', '1.1025x1000000 1.1035x1000000');
    expect(price('EUR/USD', 'bid', 2_000_000)).toBe('1.1010000');
    expect(price('EUR/USD', 'bid', 2_000_001)).toBeUndefined();
  });

  test('levels of a provider whose price is too old are no levels, and their end is notified', () => {
    const { quote, price, book, clock } = books();
    const changed: number[] = [];
    quote('A', 'EUR/USD', '1.1000x1000000 1.0990x1000000', '1.1010x1000000 1.1020x1000000');
    clock.ms += 3_000;
    quote('B', 'EUR/USD', '1.1001x1000000 1.0980x1000000', '1.1009x1000000 1.1030x1000000');
    const found = book.priceFor(pairOf('EUR/USD').index, true, 200_000_000n);
    expect(found).toEqual({ price: 11_000_500, ageMs: 3_000, levels: 2 });
    clock.ms += 2_001;
    expect(price('EUR/USD', 'bid', 2_000_000)).toBe('1.0990500');
    book.onDepthChange((pair) => changed.push(pair));
    clock.ms += 3_000;
    book.sweep();
    expect(changed).toEqual([pairOf('EUR/USD').index]);
    expect(price('EUR/USD', 'bid', 1)).toBeUndefined();
  });

  test('a tick without levels ends those before it; a withdrawal ends all', () => {
    const { quote, price, book } = books();
    quote('A', 'EUR/USD', '1.1000x1000000 1.0990x1000000', '1.1010x1000000 1.1020x1000000');
    quote('A', 'EUR/USD', '1.1000x1000000', '1.1010x1000000', false);
    expect(price('EUR/USD', 'bid', 5_000_000)).toBe('1.1000000');
    book.withdraw(0, pairOf('EUR/USD').index);
    expect(price('EUR/USD', 'bid', 1)).toBeUndefined();
  });

  test.each([
    ['a bid that rises', '1.1000x1 1.1001x1', '1.1010x1'],
    ['an offer that falls', '1.1000x1', '1.1010x1 1.1009x1'],
    ['a size below zero', '1.1000x1 1.0990x-1', '1.1010x1'],
    ['a size that is none', '1.1000x1 1.0990x1e', '1.1010x1'],
    ['a bid of zero', '1.1000x1 0x1', '1.1010x1'],
  ])('refuses a ladder with %s, and counts it', (_, bids, offers) => {
    const { quote, price, book } = books();
    quote('A', 'EUR/USD', '1.0500x1000000', '1.0510x1000000');
    quote('A', 'EUR/USD', bids, offers);
    expect(book.refused.ladder).toBe(1);
    expect(price('EUR/USD', 'bid', 1_000_000)).toBe('1.0500000');
  });

  test('drops a level too far from the mid and those behind it, and counts it', () => {
    const { book } = bookWithClock();
    const provider = book.registerProvider('A');
    const price = (units: number, isBid = true) =>
      book.priceFor(pairOf('EUR/USD').index, isBid, BigInt(units * 100))?.price;
    quoteLadder(book, provider, ['EUR/USD', '1.0800x1000000 0.0001x50000000', '1.0801x1000000 90.0x50000000']);
    expect([price(1_000_000), price(1_000_001), price(1_000_001, false)]).toEqual([10_800_000, undefined, undefined]);
    expect(book.refused.level).toBe(2);
    // Ten percent, five times the widest spread: a thin market may be as deep.
    quoteLadder(book, provider, [
      'EUR/USD',
      '1.0800x1000000 0.9800x1000000 0.9700x1000000',
      '1.0801x1000000 1.18x1000000',
    ]);
    expect([price(2_000_000), price(2_000_001), price(2_000_000, false)]).toEqual([10_300_000, undefined, 11_300_500]);
    expect(book.refused.level).toBe(3);
  });
});

test('a ladder is read once until a price changes or a level is too old; its levels grow older', () => {
  const { quote, book, clock } = books();
  const of = (symbol: string) => {
    const ladder = book.ladder(pairOf(symbol).index);
    return (
      ladder && [...ladder.bid.price.subarray(0, ladder.bid.count)].map((price, i) => [price, ladder.bid.ageMs[i]])
    );
  };
  quote('A', 'EUR/USD', '1.1000x1000000 1.0990x1000000', '1.1010x1000000 1.1020x1000000');
  quote('A', 'USD/JPY', '150.00x9000000', '150.10x9000000', false);
  const first = [
    [16_500_000, 0],
    [16_485_000, 0],
  ];
  expect(of('EUR/JPY')).toEqual(first);
  clock.ms += 4_000;
  expect(of('EUR/JPY')).toEqual(first.map(([price]) => [price, 4_000]));
  expect(book.priceFor(pairOf('EUR/JPY').index, true, 100n)?.ageMs).toBe(4_000);
  quote('B', 'EUR/USD', '1.0995x1000000 1.0980x1000000', '1.1011x1000000 1.1020x1000000');
  expect(of('EUR/JPY')?.map(([price]) => price)).toEqual([16_500_000, 16_492_500, 16_485_000, 16_470_000]);
  quote('A', 'USD/JPY', '151.00x9000000', '151.10x9000000', false);
  expect(of('EUR/JPY')?.[0]).toEqual([16_610_000, 4_000]);
  // With no tick, and nothing that looks for what is too old: A's levels end.
  clock.ms += 1_001;
  expect(of('EUR/JPY')?.map(([price]) => price)).toEqual([16_602_450, 16_579_800]);
  const halted = (symbols: string[]) => book.halt(new Set(symbols.map((symbol) => pairOf(symbol).index)));
  halted(['USD/JPY']);
  expect(of('EUR/JPY')).toBeUndefined();
  halted([]);
  expect(of('EUR/JPY')).toHaveLength(2);
  book.withdraw(1, pairOf('EUR/USD').index);
  expect(of('EUR/JPY')).toBeUndefined();
});

describe('a cross', () => {
  test('has the levels of its legs in step, each as far as both carry', () => {
    const { quote, price, book } = books();
    quote('A', 'EUR/USD', '1.1000x1000000 1.0900x1000000', '1.1100x1000000 1.1200x1000000');
    // 1,650,000 USD: 1,000,000 EUR and the rest of the second level.
    quote('A', 'USD/JPY', '150.000x1650000 149.000x5000000', '151.000x1110000 152.000x5000000');
    expect(price('EUR/JPY', 'bid', 1_000_000)).toBe('165.00000');
    const levels = book.ladder(pairOf('EUR/JPY').index)!;
    const of = ({ count, price: at, size }: LadderSide) =>
      [...at.subarray(0, count)].map((scaled, i) => `${size[i]}@${scaled / 1e5}`);
    expect(of(levels.bid)).toEqual(['1000000@165', '504587@163.5', '495412@162.41']);
    expect(of(levels.offer)).toEqual(['1000000@167.61', '1000000@170.24']);
    expect(book.read(pairOf('EUR/JPY').index)).toMatchObject({ bidLimit: 1_000_000, offerLimit: 1_000_000 });
    expect(price('EUR/JPY', 'bid', 2_000_000)).toBeUndefined();
  });

  test('of providers with one level carries any amount', () => {
    const { quote, price, book } = books();
    quote('A', 'EUR/USD', '1.1000x1000000', '1.1100x1000000', false);
    quote('A', 'GBP/USD', '1.3000x1000000', '1.3100x1000000', false);
    expect(price('EUR/GBP', 'bid', 5_000_000)).toBe('0.8396946');
    expect(book.read(pairOf('EUR/GBP').index)).toMatchObject({ bidLimit: ANY, offerLimit: ANY });
  });
});

import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { formatScaled } from '../../../engine/domain/money/money.js';
import { PAIRS, type Pair, pairBySymbol, pairOf } from '../../../engine/domain/money/pair.js';
import {
  clientBid,
  clientOffer,
  crossBid,
  crossLegs,
  crossOffer,
  MAX_SCALED,
  marginPpmFromText,
  scaledFromBytes,
  scaledFromText,
  writeScaled,
} from '../../../engine/domain/money/rate.js';
import { random } from '../../domain/random.js';
import { cases } from '../../support/sizes.js';

const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_EVEN });

describe('margins by the printed examples', () => {
  test.each([
    // provider      margin   client         printed digits
    ['74.884041', '0.25', '74.6968309', 7],
    ['4.277', '0.5', '4.2556', 4],
    ['111.25', '0.35', '110.8606', 4],
    ['1.08158', '0.25', '1.0788760', 7],
  ])('a bid of %s less %s percent is %s', (provider, margin, client, digits) => {
    // One digit would be too few to round the printed ones from: the price is taken at seven.
    const price = clientBid(scaledFromText(provider, 7, 'down'), marginPpmFromText(margin) ?? Number.NaN);
    expect(new Exact(formatScaled(price, 7)).toFixed(digits)).toBe(client);
  });

  test('an offer of 1.08164 with 0.25 percent is 1.0843509', () => {
    expect(formatScaled(clientOffer(10_816_400, 2500), 7)).toBe('1.0843509');
  });

  test.each([
    // Exactly between two prices: the even one.
    [5, 500_000, 2],
    [7, 500_000, 4],
    [15, 500_000, 8],
  ])('half of %i with %i ppm is %i', (bid, ppm, client) => expect(clientBid(bid, ppm)).toBe(client));
});

const CASES = cases(5_000, 100_000);

// Three times as many cases in all, each against decimal.js.
describe('exact against decimal.js', () => {
  test('client bid and offer', () => {
    const next = random(20_261_120);
    let wrong = 0;
    for (let i = 0; i < CASES; i++) {
      const price = Math.floor(next() * 10 ** (1 + Math.floor(next() * 9.96)));
      const ppm = i % 4 === 0 ? Math.floor(next() * 1_000_000) : Math.floor(next() * 30_000);
      const bid = new Exact(price).mul(1_000_000 - ppm).div(1_000_000);
      const offer = new Exact(price).mul(1_000_000).div(1_000_000 - ppm);
      if (price > MAX_SCALED) continue;
      if (!bid.toDecimalPlaces(0).eq(clientBid(price, ppm)) || !offer.toDecimalPlaces(0).eq(clientOffer(price, ppm)))
        wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('the largest numbers and the narrowest roundings', () => {
    for (const price of [MAX_SCALED, MAX_SCALED - 1, 8_999_999_993]) {
      for (const ppm of [0, 1, 3, 7, 333_333, 499_999, 500_000, 999_998, 999_999]) {
        const offer = new Exact(price).mul(1_000_000).div(1_000_000 - ppm);
        expect(clientOffer(price, ppm)).toBe(offer.toDecimalPlaces(0).toNumber());
        const bid = new Exact(price).mul(1_000_000 - ppm).div(1_000_000);
        expect(clientBid(price, ppm)).toBe(bid.toDecimalPlaces(0).toNumber());
      }
    }
  });

  test('parse, format and write', () => {
    const next = random(7);
    const out = new Uint8Array(40);
    let wrong = 0;
    for (let i = 0; i < CASES; i++) {
      const digits = Math.floor(next() * 10);
      const figures = Math.floor(next() * 14);
      const text = new Exact(Math.floor(next() * 10 ** figures)).div(10 ** Math.floor(next() * 12)).toFixed();
      const exact = new Exact(text).mul(10 ** digits);
      for (const [rounding, mode] of [
        ['down', Decimal.ROUND_FLOOR],
        ['up', Decimal.ROUND_CEIL],
      ] as const) {
        const expected = exact.toDecimalPlaces(0, mode);
        const scaled = scaledFromText(text, digits, rounding);
        const fits = expected.lte(MAX_SCALED);
        if (fits ? scaled !== expected.toNumber() : !Number.isNaN(scaled)) wrong++;
        if (!fits || digits === 0) continue;
        const formatted = new Exact(scaled).div(10 ** digits).toFixed(digits);
        const end = writeScaled(out, 3, scaled, digits);
        if (formatScaled(scaled, digits) !== formatted || Buffer.from(out.subarray(3, end)).toString() !== formatted)
          wrong++;
      }
    }
    expect(wrong).toBe(0);
  });

  test('crosses: never better than the two legs, never crossed, and the nearest such price', () => {
    const next = random(99);
    const plans = PAIRS.flatMap((pair) => ['USD', 'EUR'].map((via) => crossLegs(pair, via))).filter(
      (plan) => plan !== undefined,
    );
    let wrong = 0;
    for (let i = 0; i < CASES; i++) {
      const legs = plans[i % plans.length];
      if (!legs) continue;
      const bid1 = 1 + Math.floor(next() * 10 ** (3 + Math.floor(next() * 7)));
      const bid2 = 1 + Math.floor(next() * 10 ** (3 + Math.floor(next() * 7)));
      const offer1 = bid1 + Math.floor(next() * bid1 * 0.01);
      const offer2 = bid2 + Math.floor(next() * bid2 * 0.01);
      if (offer1 > MAX_SCALED || offer2 > MAX_SCALED) continue;
      const rate = (scaled: number, digits: number) => new Exact(scaled).div(new Exact(10).pow(digits));
      const one = new Exact(1);
      const { first, second } = legs;
      const trueBid = (
        legs.firstInverse ? one.div(rate(offer1, first.priceDigits)) : rate(bid1, first.priceDigits)
      ).mul(legs.secondInverse ? one.div(rate(offer2, second.priceDigits)) : rate(bid2, second.priceDigits));
      const trueOffer = (
        legs.firstInverse ? one.div(rate(bid1, first.priceDigits)) : rate(offer1, first.priceDigits)
      ).mul(legs.secondInverse ? one.div(rate(bid2, second.priceDigits)) : rate(offer2, second.priceDigits));
      const bid = crossBid(legs, bid1, offer1, bid2, offer2);
      const offer = crossOffer(legs, bid1, offer1, bid2, offer2);
      const unit = new Exact(10).pow(legs.pair.priceDigits);
      // A quotient of 80 digits may differ minimally from the whole number that it is.
      const down = trueBid.mul(unit).toSignificantDigits(60).floor();
      const up = trueOffer.mul(unit).toSignificantDigits(60).ceil();
      if (down.lte(MAX_SCALED) ? !down.eq(bid) : !Number.isNaN(bid)) wrong++;
      if (up.lte(MAX_SCALED) ? !up.eq(offer) : !Number.isNaN(offer)) wrong++;
      if (bid > offer) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('crosses that are a whole number, or one unit beside it, where the product does not fit 53 bits', () => {
    const legs = crossLegs(pairBySymbol('EUR/JPY') as Pair, 'USD');
    if (!legs) throw new Error('EUR/JPY through USD');
    const unit = 10_000_000n; // 7 + 5 - 5 decimals
    const next = random(2);
    for (let i = 0; i < 3_000; i++) {
      const eurUsd = 20_000_001 + 10 * Math.floor(next() * 900_000);
      const beside = BigInt(i % 4) - 1n;
      // usdJpy = beside / eurUsd modulo the unit, so that the product is that far beside a whole number of units.
      const solved = (((beside * inverseModulo(BigInt(eurUsd), unit)) % unit) + unit) % unit;
      const usdJpy = Number(solved) + 10_000_000 * (1 + Math.floor(next() * 290));
      const product = BigInt(eurUsd) * BigInt(usdJpy);
      const down = Number(product / unit);
      expect(crossBid(legs, eurUsd, eurUsd, usdJpy, usdJpy)).toBe(down);
      expect(crossOffer(legs, eurUsd, eurUsd, usdJpy, usdJpy)).toBe(product % unit === 0n ? down : down + 1);
    }
  });
});

describe('prices from a provider', () => {
  test.each([
    ['1.08158', 10_815_800],
    ['0', 0],
    ['0.0', 0],
    ['1', 10_000_000],
    ['1.', 10_000_000],
    ['.5', 5_000_000],
    ['00001.5', 15_000_000],
    ['1.08158000000000', 10_815_800],
  ])('%s is read', (text, scaled) => {
    expect(scaledFromText(text, 7, 'down')).toBe(scaled);
    expect(scaledFromText(text, 7, 'up')).toBe(scaled);
  });

  test.each(['', '.', '-1', '+1', '1e3', '1,5', '1.2.3', ' 1', '1 ', 'NaN', '1\u0661', '901', '0'.repeat(33), '٣'])(
    '%j is no price',
    (text) => {
      expect(scaledFromText(text, 7, 'down')).toBeNaN();
    },
  );

  test('rounds decimals that do not fit against us', () => {
    expect(scaledFromText('1.00000001', 7, 'down')).toBe(10_000_000);
    expect(scaledFromText('1.00000001', 7, 'up')).toBe(10_000_001);
    expect(scaledFromText('900.00000001', 7, 'up')).toBeNaN();
  });

  test('from the middle of a buffer', () => {
    const bytes = Buffer.from('132=1.0815|');
    expect(scaledFromBytes(bytes, 4, 10, 7, 'down')).toBe(10_815_000);
    expect(scaledFromBytes(bytes, 4, 11, 7, 'down')).toBeNaN();
  });
});

describe('crosses', () => {
  test('EUR/NZD through USD: the euro is sold at the bid and dollars buy kiwis at the offer', () => {
    const pair = pairBySymbol('EUR/NZD');
    const legs = pair && crossLegs(pair, 'USD');
    expect(legs).toMatchObject({ firstInverse: false, secondInverse: true });
    if (!legs) return;
    expect(formatScaled(crossBid(legs, 13_944_700, 13_944_900, 8_765_000, 8_765_200), 7)).toBe('1.5909163');
    expect(formatScaled(crossOffer(legs, 13_944_700, 13_944_900, 8_765_000, 8_765_200), 7)).toBe('1.5909755');
  });

  test('no plan through a currency of the pair, no cross from a leg without a price', () => {
    const pair = pairOf('EUR', 'GBP')?.pair;
    if (!pair) throw new Error('EUR/GBP');
    expect(crossLegs(pair, 'EUR')).toBeUndefined();
    expect(crossLegs(pair, 'QQQ')).toBeUndefined();
    const legs = crossLegs(pair, 'USD');
    if (!legs) throw new Error('EUR/GBP through USD');
    expect(crossBid(legs, 0, 0, 10, 10)).toBeNaN();
    expect(crossOffer(legs, 10, 10, 10, 0)).not.toBeNaN();
    expect(crossOffer(legs, 10, 10, 0, 10)).toBeNaN();
  });
});

/** Extended Euclid; `a` and `modulus` have no common factor. */
function inverseModulo(a: bigint, modulus: bigint): bigint {
  let [rest, next, x, y] = [a % modulus, modulus, 1n, 0n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

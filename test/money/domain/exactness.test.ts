/**
 * Amounts against a computation of their own: decimals of 60 digits, written from the rules and not from the code, and
 * then fractions of whole numbers. And that the code of money has nothing to do with binary floating point.
 */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { DEFAULT_HOLD_ADD_ONS } from '../../../engine/domain/conversions/hold-period.js';
import { isRefusal, type Refusal } from '../../../engine/domain/core/refusal.js';
import { type Conversion, type ConvertedPair, convert } from '../../../engine/domain/money/conversion.js';
import { PAIRS } from '../../../engine/domain/money/pair.js';
import { clientBid, clientOffer, MAX_SCALED } from '../../../engine/domain/money/rate.js';
import { random } from '../../domain/random.js';
import { cases as sized } from '../../support/sizes.js';
import { filesEndingIn, linesMatching } from '../../tidy/tree.js';

const SEED = 20_261_120;
const CASES = sized(15_000, 300_000);

// No pair with a currency of three decimals is offered, so some are made up, on either side.
const MADE_UP: readonly ConvertedPair[] = [
  { base: 'KWD', quote: 'USD', priceDigits: 7 },
  { base: 'USD', quote: 'KWD', priceDigits: 7 },
  { base: 'KWD', quote: 'JPY', priceDigits: 5 },
  { base: 'JPY', quote: 'KWD', priceDigits: 9 },
  { base: 'BHD', quote: 'KRW', priceDigits: 4 },
  { base: 'KRW', quote: 'BHD', priceDigits: 9 },
  { base: 'KWD', quote: 'BHD', priceDigits: 7 },
  { base: 'JPY', quote: 'KRW', priceDigits: 0 },
];
const ALL_PAIRS: readonly ConvertedPair[] = [...PAIRS, ...MADE_UP];
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, KWD: 3, BHD: 3 };
const decimalsOf = (currency: string) => DECIMALS[currency] ?? 2;
const ADD_ONS = Object.values(DEFAULT_HOLD_ADD_ONS);
const LARGEST = 999_999_999_999_999;

interface Case {
  readonly pair: ConvertedPair;
  readonly sell: string;
  readonly side: 'sell' | 'buy';
  readonly minor: bigint;
  readonly providerPrice: number;
  readonly marginPpm: number;
}

/** Endless cases: each pair in turn, each side, each kind of amount; sizes spread evenly over all magnitudes. */
function* cases(seed: number): Generator<Case> {
  const draw = random(seed);
  const below = (limit: number) => Math.floor(draw() * limit);
  const upTo = (largest: number) => {
    const kind = below(50);
    if (kind < 2) return kind === 0 ? 1 : largest;
    return Math.min(largest, 1 + Math.floor(Math.exp(draw() * Math.log(largest)) + draw()));
  };
  for (let i = 0; ; i++) {
    const pair = ALL_PAIRS[i % ALL_PAIRS.length];
    yield {
      pair,
      sell: draw() < 0.5 ? pair.base : pair.quote,
      side: draw() < 0.5 ? 'sell' : 'buy',
      minor: BigInt(upTo(LARGEST)),
      providerPrice: upTo(MAX_SCALED),
      marginPpm: draw() < 0.1 ? 0 : below(50_001) + ADD_ONS[below(ADD_ONS.length)],
    };
  }
}

/** The client's price as the engine publishes it, and the conversion at it; undefined where the margin left no price. */
function converted({ pair, sell, side, minor, providerPrice, marginPpm }: Case) {
  const price = (sell === pair.base ? clientBid : clientOffer)(providerPrice, marginPpm);
  if (price < 1 || price > MAX_SCALED) return undefined;
  return { price, answer: convert({ pair, sell, price, providerPrice, amount: { side, minor } }) };
}

/** Runs `faultOf` over CASES conversions and gives the first fault, with all that is needed to see it again. */
function firstFault(
  faultOf: (each: Case, price: number, answer: Conversion) => string | undefined,
): string | undefined {
  let conversions = 0;
  for (const each of cases(SEED)) {
    const result = converted(each);
    if (!result || isRefusal(result.answer)) continue;
    const fault = faultOf(each, result.price, result.answer);
    if (fault) return `seed ${SEED}, conversion ${conversions}: ${fault}\n${shown({ ...each, ...result })}`;
    if (++conversions === CASES) return undefined;
  }
  return undefined;
}

function shown(value: object): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}

describe(`${CASES.toLocaleString('en')} conversions`, () => {
  const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN, toExpPos: 99, toExpNeg: -99 });
  const DOWN = Decimal.ROUND_FLOOR;
  const UP = Decimal.ROUND_CEIL;

  /** The rules, in decimals: what is sold, bought and kept. */
  function byTheRules({ pair, sell, side, minor, providerPrice, marginPpm }: Case) {
    const digits = pair.priceDigits;
    const buy = sell === pair.base ? pair.quote : pair.base;
    const provider = new Exact(providerPrice).div(new Exact(10).pow(digits));
    const kept = new Exact(1).minus(new Exact(marginPpm).div(1_000_000));
    const client = (sell === pair.base ? provider.mul(kept) : provider.div(kept)).toDecimalPlaces(digits);
    const [given, computed, rounding] = side === 'sell' ? [sell, buy, DOWN] : [buy, sell, UP];
    const amount = new Exact(minor.toString()).div(new Exact(10).pow(decimalsOf(given)));
    const at = (price: Decimal) =>
      (given === pair.base ? amount.mul(price) : amount.div(price)).toDecimalPlaces(decimalsOf(computed), rounding);
    const inMinor = (decimal: Decimal) => decimal.mul(new Exact(10).pow(decimalsOf(computed))).toFixed();
    return {
      price: client.mul(new Exact(10).pow(digits)).toNumber(),
      computed: inMinor(at(client)),
      margin: inMinor(at(provider).minus(at(client)).abs()),
      marginCurrency: computed,
    };
  }

  test('agree with decimals to the minor unit, and so do the refusals', () => {
    let agreed = 0;
    const refused = { AMOUNT_BELOW_MIN: 0, AMOUNT_ABOVE_LIMIT: 0 };
    for (const each of cases(SEED)) {
      const result = converted(each);
      if (!result) continue;
      const { price, answer } = result;
      const right = byTheRules(each);
      const same = isRefusal(answer) ? answer.refusal === refusalFor(right) : agree(each, answer, right, price);
      if (!same) expect.fail(`seed ${SEED}, conversion ${agreed}: ${shown({ ...each, ...result, right })}`);
      if (isRefusal(answer)) refused[answer.refusal as keyof typeof refused]++;
      else if (++agreed === CASES) break;
    }
    expect(agreed).toBe(CASES);
    expect(refused.AMOUNT_BELOW_MIN).toBeGreaterThan(CASES / 300);
    expect(refused.AMOUNT_ABOVE_LIMIT).toBeGreaterThan(CASES / 300);
  });

  type Right = ReturnType<typeof byTheRules>;

  function agree({ side, minor }: Case, answer: Conversion, right: Right, price: number): boolean {
    const [given, computed] =
      side === 'sell' ? [answer.sellMinor, answer.buyMinor] : [answer.buyMinor, answer.sellMinor];
    return (
      price === right.price &&
      given === minor &&
      computed.toString() === right.computed &&
      answer.marginMinor.toString() === right.margin &&
      answer.marginCurrency === right.marginCurrency
    );
  }

  function refusalFor({ computed, margin }: Right): Refusal['refusal'] | undefined {
    if (computed === '0') return 'AMOUNT_BELOW_MIN';
    return Number(computed) > LARGEST || Number(margin) > LARGEST ? 'AMOUNT_ABOVE_LIMIT' : undefined;
  }

  test('never give the client a better rate than the price, nor a worse one than rounding takes', () => {
    expect(
      firstFault((each, price, { sellMinor, buyMinor }) => {
        if (isBetter(each, sellMinor, buyMinor, price)) return 'better than the price';
        const [lessSold, moreBought] = each.side === 'sell' ? [sellMinor, buyMinor + 1n] : [sellMinor - 1n, buyMinor];
        return isBetter(each, lessSold, moreBought, price) ? undefined : 'more than a minor unit was taken';
      }),
    ).toBeUndefined();
  });

  test('keep a margin of 0 or more, and the legs and the margin make the same conversion at the provider', () => {
    expect(
      firstFault((each, _, { sellMinor, buyMinor, marginMinor }) => {
        if (marginMinor < 0n) return 'a negative margin';
        if (each.marginPpm === 0 && marginMinor !== 0n) return 'a margin where there is none';
        const sells = each.side === 'sell';
        const [sold, bought] = sells ? [sellMinor, buyMinor + marginMinor] : [sellMinor - marginMinor, buyMinor];
        if (isBetter(each, sold, bought, each.providerPrice)) return 'the house pays for the margin';
        const [lessSold, moreBought] = sells ? [sold, bought + 1n] : [sold - 1n, bought];
        return isBetter(each, lessSold, moreBought, each.providerPrice) ? undefined : 'a part of the margin is lost';
      }),
    ).toBeUndefined();
  });

  /** Whether these two amounts are a better deal for the client than the price: fractions, multiplied out. */
  function isBetter({ pair, sell }: Case, sellMinor: bigint, buyMinor: bigint, price: number): boolean {
    const sellsBase = sell === pair.base;
    const [base, quote] = sellsBase ? [sellMinor, buyMinor] : [buyMinor, sellMinor];
    const quoteSide = quote * 10n ** BigInt(decimalsOf(pair.base) + pair.priceDigits);
    const baseSide = base * BigInt(price) * 10n ** BigInt(decimalsOf(pair.quote));
    return sellsBase ? quoteSide > baseSide : quoteSide < baseSide;
  }
});

describe('money is never a binary fraction', () => {
  // What computes, keeps or moves amounts.
  const MONEY = filesEndingIn('.ts').filter((file) =>
    /^engine\/(domain\/(money\/(conversion|money)|conversions\/(amendment|booking|split)|fundings|platforms|payments\/(fee|payment-amounts))|store\/(ledger|accounts|batches|conversions|cover|fundings|payments|prices|risk)|service\/(accounts|conversions|fundings))(\/[\w-]+)?\.ts$/.test(
      file,
    ),
  );
  const AMOUNT = '\\b\\w*([aA]mount|[mM]inor|[bB]alance|[mM]oney)\\w*\\b';
  const FLOATS = [
    /\bparseFloat\b/,
    // Not of times: Math.ceil((expiry - now) / 1000) is seconds.
    /\bMath\.(f?round|floor|ceil|trunc|pow)\b(?!.*([mM]s|[nN]ow|At)\b)/,
    /\.toFixed\((?!.*Decimal\.ROUND_)|\.toPrecision\(/,
    new RegExp(`\\b(Number|parseInt)\\([^)]*${AMOUNT}`),
    new RegExp(`(^|[=(,?:]\\s*)\\+${AMOUNT}`),
    /^(?!.*\/\/)[^'"`]*(?<![\w.])\d+\.\d+(?![\w.])/,
  ];

  test.each([
    'const paid = parseFloat(text);',
    'return Math.round(sold * rate);',
    'const text = bought.toFixed(2);',
    'const sum = Number(sellMinor) + 1;',
    "const sum = parseInt(record['amount'], 10);",
    'const sum = +balance + fee;',
    'const kept = sold * 0.0025;',
  ])('%s would be found', (line) => expect(FLOATS.some((pattern) => pattern.test(line))).toBe(true));

  test.each([
    'const unit = POWER_OF_TEN[exponentOf(base)];',
    'return BigInt(minor.toFixed(0, Decimal.ROUND_FLOOR));',
    'const sum = BigInt(amount) + balance;',
    'const at = Number(fields.at);',
    'const retryAfterS = Math.ceil((expiry - now) / 1000);',
    "const text = 'at most 9.99';",
    'const most = 999n; // 9.99',
  ])('%s is sound', (line) => expect(FLOATS.filter((pattern) => pattern.test(line))).toEqual([]));

  test.each(FLOATS)('no %s in the code of money', (pattern) => {
    expect(MONEY.length).toBeGreaterThan(30);
    expect(linesMatching(pattern, MONEY).filter((line) => !/^\S+ (\/\/|\/?\*)/.test(line))).toEqual([]);
  });
});

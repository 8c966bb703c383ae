import { PAIRS, type Pair } from '../../domain/money/pair.js';
import { FeedSettingError } from './port.js';

// A currency's three letters as a number to base 26, and the pair of two currencies: a tick needs no string.
const LETTERS = 26;
const A = 65;
const currencyOf = new Int16Array(LETTERS ** 3).fill(-1);
const codes = [...new Set(PAIRS.flatMap((pair) => [pair.base, pair.quote]))];
codes.forEach((code, number) => {
  currencyOf[base26(Buffer.from(code), 0)] = number;
});
const pairOfCurrencies = new Int16Array(codes.length ** 2).fill(-1);
for (const pair of PAIRS)
  pairOfCurrencies[codes.indexOf(pair.base) * codes.length + codes.indexOf(pair.quote)] = pair.index;

/** The index of the pair that these bytes name, `EURUSD` or with one of `/ . - _` between; -1 when we do not offer it so. */
export function pairOfBytes(bytes: Uint8Array, start: number, end: number): number {
  const quoteAt = end - 3;
  if (end - start === 7) {
    const between = bytes[start + 3];
    if (between !== 0x2f && between !== 0x2e && between !== 0x2d && between !== 0x5f) return -1;
  } else if (end - start !== 6) return -1;

  const base = base26(bytes, start);
  const quote = base26(bytes, quoteAt);
  if (base < 0 || quote < 0) return -1;
  const baseNumber = currencyOf[base];
  const quoteNumber = currencyOf[quote];
  return baseNumber < 0 || quoteNumber < 0 ? -1 : pairOfCurrencies[baseNumber * codes.length + quoteNumber];
}

/** The same for text. */
export function pairOfSymbol(symbol: string): number {
  return symbol.length > 7 ? -1 : pairOfBytes(Buffer.from(symbol, 'latin1'), 0, symbol.length);
}

function base26(bytes: Uint8Array, at: number): number {
  const first = bytes[at] - A;
  const second = bytes[at + 1] - A;
  const third = bytes[at + 2] - A;
  if (first < 0 || first >= LETTERS || second < 0 || second >= LETTERS || third < 0 || third >= LETTERS) return -1;
  return (first * LETTERS + second) * LETTERS + third;
}

/** `EURUSD+USDJPY`: the pairs that a setting names. Throws FeedSettingError. */
export function symbolsOf(text: string): readonly Pair[] {
  return text.split(/[ +;]/).map((symbol) => {
    const pair = pairOfSymbol(symbol);
    if (pair < 0)
      throw new FeedSettingError(
        `symbols=... names '${symbol.slice(0, 20)}', which we do not offer; write symbols=EURUSD+USDJPY`,
      );
    return PAIRS[pair];
  });
}

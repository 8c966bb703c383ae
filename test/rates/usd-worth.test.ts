/** What a currency is worth in dollars, for thresholds: by the last price however old, else by the newest reference rate on file. */
import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../engine/domain/money/money.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import { usdWorth } from '../../engine/rates/usd-worth.js';
import { usdEquivalent } from '../../engine/service/payments/payment-faults.js';
import { bookWithClock } from './clock.js';

const DAY_MS = 86_400_000;

function desk() {
  const made = bookWithClock({ maxAgeMs: 5_000, maxJumpPercent: 90, maxSpreadPercent: 90 });
  const provider = made.book.registerProvider('A');
  const tick = (symbol: string, bid: string, offer: string) => {
    const { index, priceDigits } = pairBySymbol(symbol)!;
    const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
    made.book.tick(provider, index, scaled(bid), scaled(offer), 0, 0, 0, 0);
  };
  const worth = (currency: string) => usdWorth(made.book, currency)?.toString();
  return { ...made, provider, tick, worth };
}

describe('by the last price', () => {
  test('the middle of bid and offer, whichever way the pair is quoted', () => {
    const { tick, worth } = desk();
    tick('EUR/USD', '1.08158', '1.08165');
    tick('USD/JPY', '159.99', '160.01');
    expect([worth('EUR'), worth('JPY'), worth('USD')]).toEqual(['1.081615', '0.00625', '1']);
  });

  test('through the euro, where the dollar is not quoted', () => {
    const { tick, worth } = desk();
    tick('EUR/USD', '1.25', '1.25');
    tick('EUR/CHF', '0.625', '0.625');
    expect(worth('CHF')).toBe('2');
  });

  test('of any age, also after its provider disconnected', () => {
    const { book, clock, provider, tick, worth } = desk();
    tick('EUR/USD', '2', '2');
    clock.ms += 30 * DAY_MS;
    book.sweep();
    expect(book.read(pairBySymbol('EUR/USD')!.index)).toBeUndefined();
    expect(worth('EUR')).toBe('2');
    book.providerDown(provider);
    book.providerUp(provider);
    expect(worth('EUR')).toBe('2');
    tick('EUR/USD', '3', '3');
    expect(worth('EUR')).toBe('3');
  });

  test('never by a rejected tick', () => {
    const { tick, worth } = desk();
    tick('EUR/USD', '2', '1.9');
    expect(worth('EUR')).toBe('1.0389');
  });
});

describe('without a price, by the reference rates of 2024-12-31', () => {
  test.each([
    ['EUR', '1.0389'],
    ['GBP', String(1.0389 / 0.82918).slice(0, 12)],
    ['JPY', String(1.0389 / 163.06).slice(0, 12)],
    ['AED', String(1 / 3.6725).slice(0, 12)],
    ['CNH', String(1.0389 / 7.5833).slice(0, 12)],
  ])('%s', (currency, worth) => {
    expect(desk().worth(currency)?.slice(0, 12)).toBe(worth);
  });

  test('every currency that is converted here has one', () => {
    const { worth } = desk();
    expect(CURRENCIES.map(({ code }) => code).filter((code) => worth(code) === undefined)).toEqual([]);
  });

  test.each(['BDT', 'KES', 'NGN', 'VND', 'XAU', ''])('the worth of %j is not known', (currency) => {
    expect(desk().worth(currency)).toBeUndefined();
    expect(usdEquivalent(desk(), 1_000_000, currency)).toBeUndefined();
  });
});

test.each([
  // amount  at      dollars; in binary floating point each would be off in its last digit
  [909.09, '1.1', 999.999],
  [934.58, '1.07', 1_000.0006],
  [100, '1.15', 115],
])('%d euro at %s are %d dollars, exactly', (amount, price, dollars) => {
  const on = desk();
  on.tick('EUR/USD', price, price);
  expect(usdEquivalent(on, amount, 'EUR')).toBe(dollars);
  expect(usdEquivalent(on, amount, 'USD')).toBe(amount);
});

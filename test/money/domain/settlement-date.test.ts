import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import { checkSettlementDate, settlesAtMs } from '../../../engine/domain/money/value-date.js';

describe('a requested settlement date', () => {
  test.each([
    // symbol    traded (UTC)            asked         refusal, or undefined
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-11-23', undefined],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-11-24', undefined],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-11-20', '2026-11-20 is past or today: use 2026-11-23'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2025-11-20', '2025-11-20 is past or today: use 2026-11-23'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-11-22', '2026-11-22 is no good day, weekend: use 2026-11-23'],
    [
      'EUR/USD',
      '2026-11-20T12:00:00Z',
      '2026-11-25',
      '2026-11-25 is beyond spot 2026-11-24, and there are no forwards: use 2026-11-24',
    ],
    [
      'USD/JPY',
      '2026-11-20T12:00:00Z',
      '2026-11-23',
      '2026-11-23 is no good day, Labour Thanksgiving Day (JPY): use 2026-11-24',
    ],
    [
      'EUR/GBP',
      '2026-11-25T12:00:00Z',
      '2026-11-26',
      '2026-11-26 is no good day, Thanksgiving Day (USD): use 2026-11-27',
    ],
    // After 17:00 in New York today is the day after.
    ['EUR/USD', '2026-11-20T22:00:00Z', '2026-11-23', '2026-11-23 is past or today: use 2026-11-24'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-02-30', '2026-02-30 is no date: send YYYY-MM-DD'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '20261124', '20261124 is no date: send YYYY-MM-DD'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '', ' is no date: send YYYY-MM-DD'],
    ['EUR/USD', '2026-11-20T12:00:00Z', '2026-11-24T00:00', '2026-11-24 is no date: send YYYY-MM-DD'],
    [
      'USD/AED',
      '2026-12-01T12:00:00Z',
      '2026-12-03',
      'No spot date for USD/AED: whether 2026-12-02 is a holiday is not known for AED',
    ],
    [
      'USD/AED',
      '2027-03-04T12:00:00Z',
      '2027-03-08',
      'No spot date for USD/AED: AED holidays are known until 2027-03-05 only',
    ],
  ])('%s at %s on %s: %s', (symbol, at, date, text) => {
    expect(checkSettlementDate(pair(symbol), date, Date.parse(at))).toEqual(
      text && { refusal: 'BAD_SETTLEMENT_DATE', text },
    );
  });
});

describe('when a conversion settles', () => {
  test.each([
    // type         sells  buys    from (UTC)             settles
    ['PREFUNDING', 'EUR', 'USD', '2026-11-20T08:00:00Z', '2026-11-20T20:00:00.000Z'],
    ['SCHEDULED1', 'EUR', 'USD', '2026-11-19T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['SCHEDULED1', 'EUR', 'USD', '2026-11-20T08:00:00Z', '2026-11-23T08:00:00.000Z'], // over the weekend
    ['SCHEDULED2', 'EUR', 'USD', '2026-11-24T08:00:00Z', '2026-11-27T08:00:00.000Z'], // Thanksgiving on the 26th
    ['SCHEDULED1', 'USD', 'JPY', '2026-11-20T08:00:00Z', '2026-11-24T08:00:00.000Z'], // Monday is free in Tokyo
    ['SCHEDULED1', 'USD', 'ILS', '2026-11-19T08:00:00Z', '2026-11-23T08:00:00.000Z'], // Friday is free in Tel Aviv
    ['SCHEDULED2', 'USD', 'THB', '2026-12-29T08:00:00Z', '2027-01-04T08:00:00.000Z'], // the year end in Bangkok
    ['SCHEDULED1', 'USD', 'CNY', '2026-12-31T08:00:00Z', '2027-01-04T08:00:00.000Z'],
    // It needs no calendar.
    ['PREFUNDING', 'USD', 'AED', '2030-01-01T08:00:00Z', '2030-01-01T20:00:00.000Z'],
  ] as const)('%s %s to %s from %s: %s', (type, sells, buys, from, settles) => {
    const at = settlesAtMs(type, sells, buys, Date.parse(from));
    if (isRefusal(at)) throw new Error(at.text);
    expect(new Date(at).toISOString()).toBe(settles);
    expect(settlesAtMs(type, buys, sells, Date.parse(from))).toBe(at);
  });

  test.each([
    ['SCHEDULED1', 'AED', '2026-12-01T08:00:00Z', 'whether 2026-12-02 is a holiday is not known for AED'],
    ['SCHEDULED2', 'AED', '2027-03-05T08:00:00Z', 'AED holidays are known until 2027-03-05 only'],
    ['SCHEDULED1', 'CNY', '2027-01-29T08:00:00Z', 'CNY holidays are known until 2027-01-29 only'],
    ['SCHEDULED1', 'EUR', '2028-12-31T08:00:00Z', 'EUR holidays are known until 2028-12-31 only'],
  ] as const)('%s to %s from %s is refused, never guessed', (type, currency, from, reason) => {
    const refusal = { refusal: 'BAD_SETTLEMENT_DATE', text: `No settlement date for ${type}: ${reason}` };
    expect(settlesAtMs(type, currency, 'USD', Date.parse(from))).toEqual(refusal);
  });
});

function pair(symbol: string): Pair {
  const found = pairBySymbol(symbol);
  if (!found) throw new Error(`no pair ${symbol}`);
  return found;
}

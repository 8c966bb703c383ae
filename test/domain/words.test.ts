import { describe, expect, test } from 'vitest';
import { isRefusal, REFUSAL_CODES, REFUSALS, refuse } from '../../engine/domain/core/refusal.js';
import { isRight } from '../../engine/domain/core/rights.js';
import { formatMargin } from '../../engine/domain/money/money.js';
import { marginPpmFromText } from '../../engine/domain/money/rate.js';
import { isBookFxType } from '../../engine/domain/money/value-date.js';

describe('margins', () => {
  test.each([
    ['0', 0, '0'],
    ['0.25', 2500, '0.25'],
    ['0.2500', 2500, '0.25'],
    ['1', 10_000, '1'],
    ['10', 100_000, '10'],
    ['0.0001', 1, '0.0001'],
    ['99.9999', 999_999, '99.9999'],
  ])('%s percent is %i ppm and reads %s', (text, ppm, shown) => {
    expect(marginPpmFromText(text)).toBe(ppm);
    expect(formatMargin(ppm)).toBe(shown);
  });

  test.each(['', '-1', '100', '0.00001', '1e1', '.5', '5.', '0,25', ' 1', 'x'])('%j is no margin', (text) => {
    expect(marginPpmFromText(text)).toBeUndefined();
  });
});

describe('refusals', () => {
  test('each has a text of one line', () => {
    for (const code of REFUSAL_CODES) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z0-9]+)*$/);
      expect(REFUSALS[code]).toMatch(/^[A-Z`][^\n]{20,140}[^.\s]$/);
    }
  });

  test('the order of checks', () => {
    const inOrder =
      'TOKEN_REQUIRED TOKEN_INVALID TOKEN_EXPIRED TOKEN_REVOKED NOT_ENTITLED RATE_LIMITED VALIDATION_FAILED REQUEST_ID_REUSED ' +
      'UNKNOWN_ACCOUNT ACCOUNT_INACTIVE ACCOUNT_CURRENCY SAME_CURRENCY BAD_AMOUNT AMOUNT_BELOW_MIN AMOUNT_ABOVE_LIMIT ' +
      'BAD_SETTLEMENT_DATE MARKET_CLOSED TRADING_HALTED HOLD_NOT_FOUND HOLD_USED HOLD_EXPIRED HOLD_MISMATCH QUOTE_STALE RATE_UNAVAILABLE ' +
      'LIMIT_NOT_MET RATE_MOVED CREDIT_LIMIT INSUFFICIENT_BALANCE BALANCE_LIMIT';
    const listed = inOrder.split(' ');
    expect(REFUSAL_CODES.filter((code) => listed.includes(code))).toEqual(listed);
  });

  test('a refusal is a value', () => {
    expect(refuse('HOLD_USED')).toEqual({ refusal: 'HOLD_USED', text: REFUSALS.HOLD_USED });
    const refusal = refuse('RATE_UNAVAILABLE', 'EUR/USD: no fresh price', { retryAfterS: 5 });
    expect(refusal).toEqual({ refusal: 'RATE_UNAVAILABLE', text: 'EUR/USD: no fresh price', retryAfterS: 5 });
    expect([refusal, undefined, null, 'refusal', {}, { refusal: 'X' }].map(isRefusal)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

test('closed words', () => {
  expect(['PREFUNDING', 'SCHEDULED1', 'SCHEDULED2', 'SCHEDULE1', 'prefunding'].map(isBookFxType)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(['read', 'rates', 'trade', 'pay', 'operate', 'all'].map(isRight)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});

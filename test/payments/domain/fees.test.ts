/** What a payment costs. */
import { describe, expect, test } from 'vitest';
import {
  type FeeRule,
  feeFor,
  feePpmFromText,
  feeRuleName,
  feeTermsFor,
  NO_FEE,
} from '../../../engine/domain/payments/fee.js';
import type { PaymentMethod } from '../../../engine/domain/payments/payment-details.js';

/** The fixed part identifies the rule. */
const rules = (...names: string[]) =>
  new Map(
    names.map((name, i) => {
      const [corridor = '', method] = name.split('/');
      const rule: FeeRule = { corridor, method: method as FeeRule['method'], fixed: String(i + 1), ppm: 0 };
      return [feeRuleName(rule), rule];
    }),
  );

describe('the nearest rule applies', () => {
  const NEAREST_FIRST = ['US-USD/BANK', 'US-USD/*', 'US/BANK', 'US/*', '*-USD/BANK', '*-USD/*', '*/BANK', '*/*'];
  const where = { country: 'US', currency: 'USD', method: 'BANK' } as const;

  test.each(NEAREST_FIRST.map((name, i) => [name, i] as const))('%s, before all wider ones', (_name, i) => {
    expect(feeTermsFor(rules(...NEAREST_FIRST.slice(i)), where)).toEqual({ fixedMinor: 100n, ppm: 0 });
  });

  test.each(['GB/*', 'US-EUR/*', '*-EUR/*', '*/CASH', 'US/WALLET'])('%s does not apply', (name) => {
    expect(feeTermsFor(rules(name), where)).toEqual(NO_FEE);
  });

  test('charges no fee without a rule', () => {
    expect(feeTermsFor(new Map(), where)).toEqual(NO_FEE);
  });
});

test.each([
  // fixed   currency  minor units
  ['5', 'USD', 500n],
  ['5.25', 'USD', 525n],
  ['5.255', 'USD', 526n],
  ['5.250', 'USD', 525n],
  ['0.001', 'USD', 1n],
  ['0', 'JPY', 0n],
  ['0.5', 'JPY', 1n],
  ['150.000', 'JPY', 150n],
  ['1.234', 'KWD', 1_234n],
  ['999999999999.999', 'KWD', 999_999_999_999_999n],
])('a fixed part of %s in %s is %s minor units', (fixed, currency, minor) => {
  const any = new Map([['*/*', { corridor: '*', method: '*', fixed, ppm: 7 } as const]]);
  const terms = feeTermsFor(any, { country: 'US', currency, method: 'CARD' satisfies PaymentMethod });
  expect(terms).toEqual({ fixedMinor: minor, ppm: 7 });
});

test.each([
  // percent  of minor units  fee
  ['0', 100_000n, 0n],
  ['0.5', 100_000n, 500n],
  ['0.0001', 1_000_000n, 1n],
  ['0.0001', 1_000_001n, 2n],
  ['100', 12_345n, 12_345n],
  ['100.0000', 1n, 1n],
])('%s percent of %s is %s, rounded up', (percent, amount, fee) => {
  expect(feeFor({ fixedMinor: 0n, ppm: feePpmFromText(percent)! }, amount)).toBe(fee);
});

test.each(['', '-1', '100.0001', '101', '0.00001', '1e1', '.5', '5.', '0,5', ' 1', 'x'])('%j is no percent', (text) => {
  expect(feePpmFromText(text)).toBeUndefined();
});

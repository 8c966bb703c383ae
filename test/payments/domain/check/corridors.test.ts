import { expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import { CASES, CONTEXT, payment } from './payments.js';

test('all corridors of the sheet', () => {
  expect(new Set(CASES.map(({ corridor }) => corridor.country)).size).toBe(23);
});

test.each(CASES.map((one) => [one.corridor.country, one.method, one.remitter, one.beneficiary, one] as const))(
  '%s by %s from %s to %s: nothing is wrong',
  (_country, _method, _remitter, _beneficiary, one) => {
    expect(checkPayment({ version: 1, input: payment(one) }, CONTEXT).findings).toEqual([]);
  },
);

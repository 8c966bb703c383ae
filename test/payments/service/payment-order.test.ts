import { expect, test } from 'vitest';
import { CREATE_PAYOUT_INPUT } from '../../../engine/service/payments/payment-input.js';
import { orderOfPayout } from '../../../engine/service/payments/payment-order.js';
import { corridor, payment } from '../domain/check/payments.js';

test('truncates a narrative to the length that its corridor accepts', () => {
  const narrative = (country: string, statementNarrative: string) => {
    const right = payment({ corridor: corridor(country), method: 'BANK', remitter: 'Company', beneficiary: 'Company' });
    const input = { ...right, statementNarrative, sourceAccount: 100_000_000_003, feePayer: 'OUR' };
    return orderOfPayout(CREATE_PAYOUT_INPUT.parse(input), 'USD').details.statementNarrative;
  };
  expect(narrative('US', 'Invoice 41 of May')).toBe('Invoice 41');
  expect(narrative('US', 'Invoices 4 and 5')).toBe('Invoices 4');
  expect(narrative('US', 'Invoices, 4 and 5')).toBe('Invoices,');
  expect(narrative('IN', 'x'.repeat(140))).toHaveLength(140);
});

/** The stored form of a payment: what was written is read, whatever its texts. */
import { expect, test } from 'vitest';
import type { PaymentFacts } from '../../../engine/domain/payments/payment.js';
import {
  entriesText,
  paymentFacts as factsFrom,
  PAYMENT_FIELDS,
  paymentFactsText,
  stateOf,
  storedPayment,
} from '../../../engine/store/payments/payment-record.js';
import { paymentFacts } from './payment-steps.js';

const FACTS: PaymentFacts = paymentFacts({
  details: {
    statementNarrative: 'a | b',
    depositMethod: 'BANK',
    routingCodeType1: 'SWIFT',
    routingCodeValue1: 'DEUTDEFF',
    remitter: { name: 'Aiko "Tanaka"', accountType: 'Individual', givenName: false, dob: '1985-04-12' },
    beneficiary: { name: 'Erika\u2028', accountNumber: 'DE89370400440532013000', relationship: 'x' },
    additionalInfo: { tradeAmount: 1.5, serviceDetail: 'e' },
  },
});

test.each<[what: string, facts: PaymentFacts]>([
  ['details of each part', FACTS],
  ['no details', paymentFacts()],
  [
    'a source amount',
    paymentFacts({ given: { kind: 'source', minor: '999999999999999' }, sourceAccount: '123456789012' }),
  ],
  ['a hold', paymentFacts({ holdId: 'HLD1234567890', holdExpiryMs: 1_795_161_660_000, feePpm: 5, feeFixed: '0' })],
])('facts are read as they were written: %s', (_what, facts) => {
  expect(factsFrom(facts.id, paymentFactsText(facts))).toEqual(facts);
});

test('facts of another form are refused', () => {
  for (const text of ['2[]', '{}', '[]'])
    expect(() => factsFrom('PAY1', text)).toThrow('payment PAY1 is of a form that this release does not read');
  expect(
    storedPayment(
      'PAY1',
      PAYMENT_FIELDS.map(() => null),
    ),
  ).toBeUndefined();
});

test('journal entries are stored as times after the first', () => {
  const entries = ['1795393647592-0', '1795393647592-1', '1795393647602-0', '1795480047592-12'];
  const text = entriesText(entries);
  expect(text).toBe('1795393647592-0 0-1 10-0 86400000-12');
  expect(stateOf(`PAID||4||1|5|${text}|a | b`)).toMatchObject({ entries, description: 'a | b', isBusy: false });
});

/** The stored form of a payment: what was written is read, whatever its texts, and a record of form 1 becomes the same payment. */
import { expect, test } from 'vitest';
import type { PaymentFacts } from '../../../engine/domain/payments/payment.js';
import {
  entriesText,
  paymentFacts as factsFrom,
  PAYMENT_FIELDS,
  paymentFactsText,
  stateOf,
  storedPayment,
} from '../../../engine/store/ledger/payment-record.js';
import { paymentFrom } from '../../../engine/store/migration/form-1.js';
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

test('facts of another form are refused, with the command that converts them', () => {
  expect(() => factsFrom('PAY1', '3[]')).toThrow(/payment PAY1 is of a form .* `ratewire store migrate`/);
  expect(() => storedPayment('PAY1', [null, null, null, null, null, 'PAID'])).toThrow('ratewire store migrate');
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

test('a record of form 1 becomes the same payment', () => {
  const entries = '1795393647592-0 1795393647602-0';
  const money = { account: '123456789012', amount: '5000', toTransit: '5000', toFees: '100', bookings: 'BFX1 BFX2' };
  const state = { status: 'PG_PROCESSING', subStatus: 'TIMED_OUT', description: 'x|y', updatedAt: '7', attempts: '1' };
  const fields = { ...money, ...state, step: '2', busy: '2', entries, bankReference: 'a|b', cards: 'cards-1.x' };
  const list = paymentFrom({ ...fields, facts: JSON.stringify(FACTS), requestId: FACTS.requestId });
  const converted = Object.fromEntries(Array.from({ length: list.length / 2 }, (_, i) => list.slice(2 * i, 2 * i + 2)));
  const stored = storedPayment(
    FACTS.id,
    PAYMENT_FIELDS.map((name) => converted[name] ?? null),
  )!;
  expect(stored.payment).toEqual({
    ...FACTS,
    ...{ account: '123456789012', amount: '5000', toTransit: '5000', toFees: '100', bookingIds: ['BFX1', 'BFX2'] },
    ...{
      status: 'PG_PROCESSING',
      subStatus: 'TIMED_OUT',
      description: 'x|y',
      bankReference: 'a|b',
      step: 2,
      attempts: 1,
    },
    ...{ updatedAtMs: 7, sealedCards: 'cards-1.x' },
  });
  expect(stored.entries).toEqual(entries.split(' '));
  expect(stored.facts).toBe(JSON.stringify(FACTS));
  expect(stateOf(converted.s!).isBusy).toBe(true);
  expect(() => paymentFrom({ ...fields, facts: '' })).toThrow(TypeError);
});

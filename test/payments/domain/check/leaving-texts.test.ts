/** Texts that leave with a payment: in the characters of the rail, and as long as they are once these have replaced others. */
import { describe, expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import { narrativeFor } from '../../../../engine/domain/payments/check/corridor-rules.js';
import { asItLeaves, leaves, leavingText } from '../../../../engine/domain/payments/check/leaving-texts.js';
import type { Payment } from '../../../../engine/domain/payments/payment.js';
import { CASES, CONTEXT, changed, corridor, payment } from './payments.js';

const ALONE = "letters, digits, spaces and / - ? : ( ) . , ' + alone";

const faults = (country: string, change: Record<string, unknown>, context = {}) =>
  checkPayment(
    { version: 2, input: changed(payment(CASES.find((one) => one.corridor.country === country)!), change) },
    { ...CONTEXT, ...context },
  ).findings.filter(({ field }) => field in change);

const LEAVING = [
  ...['statementNarrative', 'originalRemitterFi'],
  ...['name', 'address', 'city', 'state', 'postcode'].flatMap((name) => [`remitter.${name}`, `beneficiary.${name}`]),
  ...['remitter.sourceOfIncome', 'remitter.sourceOfFunds', 'remitter.bankAccountNumber'],
  ...['beneficiary.bankName', 'beneficiary.bankCode', 'beneficiary.relationship'],
  ...['tradeOrderId', 'tradeTime', 'tradeName', 'goodsCarrier', 'serviceDetail', 'serviceTime', 'cashPickup'].map(
    (name) => `additionalInfo.${name}`,
  ),
];

test('every free text that leaves is named', () => {
  expect(LEAVING.filter((field) => !leaves(field))).toEqual([]);
  expect(['beneficiary.email', 'requestId', 'beneficiary.identificationValue'].filter(leaves)).toEqual([]);
});

describe.each(['IN', 'GB', 'EU', 'US', 'CN'])('to %s', (country) => {
  test.each(LEAVING)('%s has no emoji, no Cyrillic, no braces', (field) => {
    for (const text of ['Rent \u{1F600}', 'Rent Счёт', 'Rent {1}'])
      expect(faults(country, { [field]: text })).toMatchObject([{ field, code: 'incorrect_format', message: ALONE }]);
  });
});

test('a text of which nothing is left is none', () => {
  for (const field of LEAVING)
    expect(faults('EU', { [field]: '_' })).toMatchObject([{ field, code: 'incorrect_format' }]);
});

test('the script of the country is a text there alone', () => {
  for (const field of ['statementNarrative', 'beneficiary.bankName', 'remitter.address']) {
    expect(faults('CN', { [field]: '货款 2026' })).toEqual([]);
    expect(faults('EU', { [field]: '货款 2026' })).toMatchObject([{ field, message: ALONE }]);
  }
});

test('other letters are replaced, numbers are not', () => {
  expect(
    faults('EU', { statementNarrative: 'Größe & Łódź – „Æble“', 'beneficiary.bankName': 'Crédit Agricole' }),
  ).toEqual([]);
  expect(faults('EU', { 'remitter.bankAccountNumber': '12&3' })).toMatchObject([{ message: ALONE }]);
  expect(leavingText('Größe & Łódź – „Æble“', corridor('EU'))).toBe("Grosse + Lodz - 'AEble'");
  // A mark that belongs to a letter of the script stays with it.
  expect(leavingText('株式会社 ガス & é', corridor('JP'))).toBe('株式会社 ガス + e');
});

describe('judged against its length after the replacement', () => {
  const sharp = (count: number) => 'ß'.repeat(count);
  test.each<[string, string, string, string | undefined]>([
    ['EU', 'statementNarrative', sharp(70), undefined],
    [
      'EU',
      'statementNarrative',
      sharp(71),
      '1 to 140 characters: it has 142 once its letters are replaced by plain ones',
    ],
    ['GB', 'statementNarrative', sharp(9), undefined],
    [
      'GB',
      'statementNarrative',
      sharp(10),
      'at most 18 characters for GB: it has 20 once its letters are replaced by plain ones',
    ],
    ['EU', 'beneficiary.name', sharp(35), undefined],
    [
      'EU',
      'beneficiary.name',
      sharp(36),
      'at most 70 characters: it has 72 once its letters are replaced by plain ones',
    ],
    [
      'IN',
      'remitter.name',
      sharp(71),
      '1 to 140 characters with a letter among them: it has 142 once its letters are replaced by plain ones',
    ],
    [
      'EU',
      'beneficiary.address',
      sharp(128),
      '1 to 255 characters: it has 256 once its letters are replaced by plain ones',
    ],
    ['EU', 'beneficiary.address', '…'.repeat(85), undefined],
    [
      'EU',
      'beneficiary.address',
      '…'.repeat(86),
      '1 to 255 characters: it has 258 once its letters are replaced by plain ones',
    ],
  ])('%s %s', (country, field, text, message) => {
    expect(faults(country, { [field]: text })).toMatchObject(message === undefined ? [] : [{ field, message }]);
  });

  test('and cut by it where the client has allowed that', () => {
    expect(faults('GB', { statementNarrative: sharp(10) }, { allowTruncation: true })).toEqual([]);
    expect(narrativeFor(sharp(10), corridor('GB'))).toBe('s'.repeat(18));
    expect(narrativeFor('für Miete', corridor('GB'))).toBe('für Miete');
  });
});

test('the bank gets the texts as they leave', () => {
  const details = {
    statementNarrative: 'Größe',
    remitter: { name: 'Müller & Söhne', address: 'Weißer Weg 1', contactNumber: '+4930123456' },
    beneficiary: { name: 'Łukasz', bankName: 'Crédit', email: 'a_b@example.com', accountNumber: 'DE89' },
    additionalInfo: { serviceDetail: 'Übersetzung', tradeAmount: 12.5 },
  };
  const sent = asItLeaves({ country: 'DE', currency: 'EUR', details } as unknown as Payment).details;
  expect(sent).toEqual({
    statementNarrative: 'Grosse',
    remitter: { name: 'Muller + Sohne', address: 'Weisser Weg 1', contactNumber: '+4930123456' },
    beneficiary: { name: 'Lukasz', bankName: 'Credit', email: 'a_b@example.com', accountNumber: 'DE89' },
    additionalInfo: { serviceDetail: 'Ubersetzung', tradeAmount: 12.5 },
  });
});

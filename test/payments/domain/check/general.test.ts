/** The general rules, a row each: one thing is wrong, and it is found by its field, code and rule. */
import { expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import type { CheckContext } from '../../../../engine/domain/payments/check/context.js';
import { CONTEXT, changed, corridor, payment } from './payments.js';

type Change = Readonly<Record<string, unknown>>;
type Row = readonly [country: string, what: Change, finding: string, context?: Partial<CheckContext>];

const IN_COMPANY = { 'beneficiary.accountType': 'Company' };
const REMITTER_COMPANY = {
  'remitter.accountType': 'Company',
  'remitter.dob': undefined,
  'remitter.identificationType': 'ACRA',
  'remitter.identificationNumber': '197401143C',
};
const LATIN_A = 'a'.repeat(140);

const ROWS: readonly Row[] = [
  // G1
  ['IN', { requestId: '-1' }, 'requestId incorrect_format G1'],
  ['IN', { transactionNumber: 'a b' }, 'transactionNumber incorrect_format G1'],
  ['IN', { transactionNumber: 'a'.repeat(65) }, 'transactionNumber incorrect_format G1'],
  // G2
  ['IN', { 'beneficiary.city': ' Mumbai' }, 'beneficiary.city incorrect_format G2'],
  ['IN', { 'beneficiary.bankName': 'First\nBank' }, 'beneficiary.bankName incorrect_format G2'],
  ['IN', { 'remitter.sourceOfFunds': 'cafe\u0301' }, 'remitter.sourceOfFunds incorrect_format G2'],
  ['IN', { 'remitter.occupation': 'ENGINEER', 'beneficiary.name': '\ud800x' }, 'beneficiary.name incorrect_format G2'],
  ['IN', { 'beneficiary.name': 'Иван Петров' }, 'beneficiary.name incorrect_format G2'],
  ['IN', { 'beneficiary.address': '海淀区 1' }, 'beneficiary.address incorrect_format G2'],
  ['IN', { 'beneficiary.name': 'Müller & Søn_Łódź' }, ''],
  ['CN', { 'beneficiary.name': '上海贸易有限公司' }, ''],
  ['JP', { 'beneficiary.name': 'ﾔﾏﾀﾞ ﾀﾛｳ' }, ''],
  ['JP', { 'beneficiary.name': 'Иван Петров' }, 'beneficiary.name incorrect_format G2'],
  [
    'IN',
    { 'remitter.occupation': 'ENGINEER', 'remitter.sourceOfFunds': 'x'.repeat(256) },
    'remitter.sourceOfFunds incorrect_format G2',
  ],
  // G3
  ['GB', { 'beneficiary.name': '12345' }, 'beneficiary.name incorrect_format G3'],
  ['GB', { 'beneficiary.name': `${LATIN_A}b` }, 'beneficiary.name incorrect_format G3'],
  ['GB', { 'beneficiary.name': LATIN_A }, ''],
  ['IN', { 'remitter.name': 'J. Doe' }, 'remitter.name incorrect_format G3'],
  ['IN', { 'remitter.name': 'J. Doe', 'remitter.givenName': true }, ''],
  ['IN', { ...REMITTER_COMPANY, 'remitter.name': 'J P Traders' }, ''],
  // G4
  ['IN', { 'beneficiary.address': 'x'.repeat(256) }, 'beneficiary.address incorrect_format G4'],
  ['US', { 'beneficiary.address': 'P.O. Box 12' }, 'beneficiary.address incorrect_format G4'],
  ['US', { 'beneficiary.address': 'PO BOX12' }, 'beneficiary.address incorrect_format G4'],
  ['US', { 'beneficiary.address': 'Attn. Jo, POB 12' }, 'beneficiary.address incorrect_format G4'],
  ['US', { 'beneficiary.address': '12 Pobst Street, Tempo Boxing Hall' }, ''],
  ['CN', { 'beneficiary.address': 'PO BOX 12' }, 'beneficiary.address incorrect_format G4'],
  ['IN', { 'beneficiary.address': 'PO BOX 12' }, ''],
  // G5
  ['IN', { 'beneficiary.countryCode': 'in' }, 'beneficiary.countryCode incorrect_value G5'],
  ['IN', { 'beneficiary.countryCode': 'EU' }, 'beneficiary.countryCode incorrect_value G5'],
  ['IN', { 'remitter.nationality': 'XK' }, 'remitter.nationality incorrect_value G5'],
  ['IN', { destinationCurrency: 'inr' }, 'destinationCurrency incorrect_value G5'],
  ['IN', { destinationCurrency: 'BRL' }, 'destinationCurrency not_allowed G5'],
  ['IN', { destinationCurrency: 'XOF' }, 'destinationCurrency incorrect_value G5'],
  ['IN', { localConversionCurrency: 'ZZZ' }, 'localConversionCurrency incorrect_value G5'],
  ['IN', { destinationCurrency: undefined }, ''],
  // Its worth is not known, and it does not make more fields required.
  ['TH', { destinationCurrency: 'thb', 'remitter.purposeCode': undefined }, 'destinationCurrency incorrect_value G5'],
  // G6
  ['IN', { destinationAmount: -1 }, 'destinationAmount incorrect_format G6'],
  ['IN', { destinationAmount: 10.001 }, 'destinationAmount incorrect_format G6'],
  ['IN', { destinationAmount: 1_500_000.01 }, 'destinationAmount not_allowed IN.max'],
  ['IN', { destinationAmount: 1_500_000 }, ''],
  ['IN', { destinationAmount: 0.99 }, 'destinationAmount not_allowed IN.min'],
  ['ID', { destinationAmount: 20_000.5 }, 'destinationAmount incorrect_format ID.decimals'],
  ['JP', { destinationAmount: 1.5 }, 'destinationAmount incorrect_format G6'],
  ['BD', { destinationAmount: 1e15 }, 'destinationAmount incorrect_format G6'],
  // G7
  ['IN', { 'remitter.dob': '2001-02-29' }, 'remitter.dob incorrect_value G7'],
  ['IN', { 'remitter.dob': '2008-11-21' }, 'remitter.dob incorrect_value G7'],
  ['IN', { 'remitter.dob': '2008-11-20' }, ''],
  ['IN', { 'remitter.dob': '1905-11-19' }, 'remitter.dob incorrect_value G7'],
  ['IN', { 'beneficiary.dob': '2026-11-20' }, 'beneficiary.dob incorrect_value G7'],
  ['IN', { 'beneficiary.dob': '2026-11-19' }, ''],
  ['IN', { 'beneficiary.cardExpiryDate': '2026-10' }, 'beneficiary.cardExpiryDate incorrect_value G7'],
  ['IN', { 'beneficiary.cardExpiryDate': '2026-13' }, 'beneficiary.cardExpiryDate incorrect_value G7'],
  ['IN', { 'beneficiary.cardExpiryDate': '2026-11' }, ''],
  // G8
  ['IN', { 'beneficiary.email': 'asha@localhost' }, 'beneficiary.email incorrect_format G8'],
  ['IN', { 'beneficiary.email': `${'a'.repeat(65)}@example.com` }, 'beneficiary.email incorrect_format G8'],
  ['IN', { 'beneficiary.email': '.asha@example.com' }, 'beneficiary.email incorrect_format G8'],
  ['IN', { 'beneficiary.email': 'asha..rao@example.com' }, 'beneficiary.email incorrect_format G8'],
  ['IN', { 'beneficiary.email': 'asha.rao+pay@example.co.in' }, ''],
  ['IN', { 'beneficiary.contactNumber': '+1234567' }, ''],
  ['IN', { 'beneficiary.contactNumber': '1234567' }, 'beneficiary.contactNumber incorrect_format G8'],
  ['IN', { 'beneficiary.contactNumber': '+1234567890123456' }, 'beneficiary.contactNumber incorrect_format G8'],
  ['IN', { 'remitter.contactNumber': '98-1234-5678' }, 'remitter.contactNumber incorrect_format G8'],
  // G9
  ['IN', { routingCodeType2: 'SWIFT' }, 'routingCodeValue2 invalid_combination G9'],
  ['IN', { routingCodeValue2: 'HDFCINBB' }, 'routingCodeType2 invalid_combination G9'],
  ['IN', { routingCodeType2: 'IFSC', routingCodeValue2: 'HDFC0000001' }, 'routingCodeType2 invalid_combination G9'],
  ['IN', { routingCodeType2: 'SORT CODE', routingCodeValue2: '089999' }, 'routingCodeType2 unsupported_field G9'],
  ['IN', { routingCodeType2: 'IBAN', routingCodeValue2: 'x' }, 'routingCodeType2 incorrect_value G9'],
  // The code that is needed may be this one.
  ['IN', { routingCodeType1: undefined }, 'routingCodeType1 invalid_combination G9'],
  ['IN', { routingCodeType1: 'Ifsc' }, 'routingCodeType1 incorrect_value G9'],
  // G10
  ['SG', { routingCodeValue1: 'DBSSHKHH' }, 'routingCodeValue1 incorrect_format G10'],
  ['SG', { routingCodeValue1: 'DBSSSGS' }, 'routingCodeValue1 incorrect_format G10'],
  ['SG', { routingCodeValue1: 'dbsssgsgxxx' }, ''],
  ['SG', { routingCodeValue1: 'DBSS SG SG' }, ''],
  ['EU', { routingCodeType1: 'SWIFT', routingCodeValue1: 'BOFAUS3N' }, 'routingCodeValue1 incorrect_format G10'],
  // G11
  ['EU', { 'beneficiary.accountNumber': 'DE88370400440532013000' }, 'beneficiary.accountNumber incorrect_format G11'],
  ['EU', { 'beneficiary.accountNumber': 'de89 3704 0044 0532 0130 00' }, ''],
  ['EU', { 'beneficiary.accountNumber': 'ES77 1234-1234-16 1234567890' }, ''],
  // Its bank is right, whatever the account says.
  [
    'AE',
    { 'beneficiary.accountNumber': 'DE89370400440532013000' },
    'beneficiary.accountNumber incorrect_format AE.account',
  ],
  ['AE', { 'beneficiary.accountNumber': 'AE080331234567890123456' }, 'beneficiary.accountNumber incorrect_format G11'],
  [
    'EU',
    { 'beneficiary.accountNumber': 'AE070331234567890123456' },
    'beneficiary.accountNumber incorrect_value EU.account',
  ],
  // G12
  ['IN', { depositMethod: 'BANK', payoutMethod: 'WALLET' }, 'payoutMethod invalid_combination G12'],
  ['IN', { depositMethod: 'BANK', payoutMethod: 'BANK' }, ''],
  ['IN', { payoutMethod: 'CASH' }, 'payoutMethod incorrect_value list'],
  // G13
  ['IN', { 'beneficiary.identificationType': undefined }, 'beneficiary.identificationType invalid_combination G13'],
  ['IN', { 'remitter.identificationNumber': undefined }, 'remitter.identificationNumber invalid_combination G13'],
  [
    'IN',
    { 'beneficiary.identificationType': 'CPF' },
    'beneficiary.identificationType incorrect_value IN.identification',
  ],
  ['IN', { 'beneficiary.identificationType': 'Tax' }, 'beneficiary.identificationType incorrect_value G13'],
  ['IN', { 'beneficiary.identificationType': 'Passport' }, ''],
  ['IN', { 'beneficiary.identificationValue': 'K-1' }, 'beneficiary.identificationValue incorrect_format G13'],
  ['IN', { 'remitter.identificationType': 'ACRA' }, 'remitter.identificationNumber incorrect_format G13'],
  ['IN', { 'remitter.identificationType': 'PASS' }, 'remitter.identificationType incorrect_value G13'],
  ['IN', IN_COMPANY, 'beneficiary.identificationType invalid_combination IN.identification'],
  [
    'IN',
    {
      'beneficiary.accountType': undefined,
      'beneficiary.identificationType': 'Company Registration No.',
      'beneficiary.identificationValue': 'U12345',
    },
    '',
  ],
  // G14
  ['IN', { 'remitter.purposeCode': 'IR001' }, 'remitter.purposeCode invalid_combination G14'],
  ['IN', { 'remitter.purposeCode': 'IR001', 'beneficiary.name': 'JANE  doe' }, ''],
  // G15
  ['IN', { 'remitter.purposeCode': 'IR01802' }, 'remitter.purposeCode invalid_combination G15'],
  ['IN', { ...REMITTER_COMPANY, 'remitter.purposeCode': 'IR01802' }, ''],
  ['IN', { ...REMITTER_COMPANY, 'remitter.purposeCode': 'IR017' }, ''],
  ['IN', { 'remitter.purposeCode': 'IR018' }, 'remitter.purposeCode incorrect_value list'],
  // G16
  ['IN', { statementNarrative: 'x'.repeat(141) }, 'statementNarrative incorrect_format G16'],
  ['GB', { statementNarrative: 'x'.repeat(19) }, 'statementNarrative incorrect_format G16'],
  ['GB', { statementNarrative: 'x'.repeat(19) }, '', { allowTruncation: true }],
  ['GB', { statementNarrative: 'x'.repeat(18) }, ''],
  // G18
  ['IN', { deductAmount: -1 }, 'deductAmount incorrect_value G18'],
  ['IN', { deductAmount: 2 }, 'deductAmount incorrect_value G18'],
  ['IN', { deductAmount: 1.99 }, ''],
  ['IN', { deductAmount: 0 }, ''],
  // Lists of the interface.
  ['IN', { 'remitter.accountType': 'company' }, 'remitter.accountType incorrect_value list'],
  ['IN', { 'remitter.occupation': 'Engineer' }, 'remitter.occupation incorrect_value list'],
  ['IN', { depositMethod: 'CHEQUE' }, 'depositMethod incorrect_value list'],
  ['IN', { 'beneficiary.bankAccountType': 'Current' }, 'beneficiary.bankAccountType incorrect_value list'],
  ['IN', { 'beneficiary.cardNumber': '4111111111111112' }, 'beneficiary.cardNumber incorrect_format card'],
  ['IN', { 'beneficiary.cardNumber': '4111111111111111' }, ''],
  // Required by the interface; an empty text is none.
  ...['requestId', 'transactionNumber', 'statementNarrative', 'beneficiary.name'].flatMap((field): Row[] => [
    ['IN', { [field]: undefined }, `${field} field_missing required`],
    ['IN', { [field]: '' }, `${field} field_missing required`],
  ]),
  ['IN', { destinationAmount: undefined }, 'destinationAmount field_missing required'],
];

/** As for a currency without a price: its worth is not known, and an amount counts as large. */
const usdEquivalent = (amount: number, currency: string) =>
  /^[A-Z]{3}$/.test(currency) ? CONTEXT.usdEquivalent(amount, currency) : undefined;

test.each(ROWS.map(([country, what, finding, context = {}]) => [country, what, finding, context] as const))(
  '%s %o: %s',
  (country, what, finding, context) => {
    const right = payment({
      corridor: corridor(country),
      method: 'BANK',
      remitter: 'Individual',
      beneficiary: country === 'CN' && !what['beneficiary.address'] ? 'Company' : 'Individual',
    });
    const { findings } = checkPayment(
      { version: 1, input: changed(right, what) },
      { ...CONTEXT, usdEquivalent, ...context },
    );
    expect(findings.map(({ field, code, rule }) => `${field} ${code} ${rule}`)).toEqual(finding ? [finding] : []);
    for (const { message } of findings) expect(message).toMatch(/\S/);
  },
);

test('companies: purposes of persons only, and the order of traded goods', () => {
  const of = (country: string, what: Change) =>
    checkPayment(
      {
        version: 1,
        input: changed(
          payment({ corridor: corridor(country), method: 'BANK', remitter: 'Company', beneficiary: 'Company' }),
          what,
        ),
      },
      CONTEXT,
    ).findings.map(({ field, code, rule }) => [field, code, rule]);
  for (const purpose of ['IR002', 'IR003', 'IR004', 'IR005', 'IR006', 'IR017'])
    expect(of('IN', { 'remitter.purposeCode': purpose })).toEqual([
      ['remitter.purposeCode', 'invalid_combination', 'G15'],
    ]);
  const trade = {
    'additionalInfo.tradeOrderId': 'PO-1',
    'additionalInfo.tradeName': 'LED panels',
    'additionalInfo.tradeAmount': 40.5,
    'additionalInfo.tradeCurrency': 'CNY',
  };
  for (const purpose of ['IR01809', 'IR01810', 'IR01811']) {
    expect(of('IN', { 'remitter.purposeCode': purpose })).toEqual([]);
    expect(of('CN', { 'remitter.purposeCode': purpose })).toEqual(
      Object.keys(trade).map((field) => [field, 'field_missing', 'G15']),
    );
    expect(of('CN', { 'remitter.purposeCode': purpose, ...trade })).toEqual([]);
  }
});

test('an own account has the name of the client where no remitter is named', () => {
  const base = payment({ corridor: corridor('GB'), method: 'BANK', remitter: 'Company', beneficiary: 'Company' });
  const input = { ...base, remitter: { accountType: 'Company', purposeCode: 'IR001' } };
  const findings = (name: string) =>
    checkPayment({ version: 1, input: changed(input, { 'beneficiary.name': name }) }, CONTEXT).findings;
  expect(findings('ACME Trading Ltd')).toEqual([]);
  expect(findings('Asha Rao')).toMatchObject([{ field: 'remitter.purposeCode', rule: 'G14' }]);
});

/** The corridors, a row for each thing that one of them asks for. */
import { describe, expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import { fieldFormat } from '../../../../engine/domain/payments/check/field-format.js';
import type { RoutingCode } from '../../../../engine/domain/payments/corridors/corridor.js';
import { CORRIDORS } from '../../../../engine/domain/payments/corridors/table.js';
import type { PaymentMethod } from '../../../../engine/domain/payments/payment-details.js';
import { CASES, CONTEXT, changed, corridor, payment } from './payments.js';

type Change = Readonly<Record<string, unknown>>;

function check(
  to: string,
  what: Change,
  by: PaymentMethod = 'BANK',
  beneficiary: 'Individual' | 'Company' = 'Individual',
) {
  const right = payment({ corridor: corridor(to), method: by, remitter: 'Company', beneficiary });
  const { findings, warnings } = checkPayment({ version: 1, input: changed(right, what) }, CONTEXT);
  const inOrder = (all: typeof findings) => all.map(({ field, code, rule }) => `${field} ${code} ${rule}`).sort();
  return { findings: inOrder(findings), warnings: inOrder(warnings) };
}

const account = (number: string): Change => ({ 'beneficiary.accountNumber': number });
const wallet = (id: string): Change => ({ 'beneficiary.walletId': id });
const code = (value: string): Change => ({ routingCodeValue1: value });
const by = (...codes: string[]): Change =>
  Object.fromEntries(
    [1, 2, 3].flatMap((n) => [
      [`routingCodeType${n}`, codes[n * 2 - 2]],
      [`routingCodeValue${n}`, codes[n * 2 - 1]],
    ]),
  );
const WRONG = 'beneficiary.accountNumber incorrect_format';
const WRONG_WALLET = 'beneficiary.walletId incorrect_format';
const DOCUMENT = (type: string, value: string): Change => ({
  'beneficiary.identificationType': type,
  'beneficiary.identificationValue': value,
});

test.each<[string, Change, string[], PaymentMethod?]>([
  // Accounts.
  ['IN', account('5010001234567'), [`${WRONG} IN.account`]],
  ['IN', { ...account('5010001234567'), ...code('SBIN0000300') }, []],
  ['IN', code('HDFC1000001'), ['routingCodeValue1 incorrect_format IN.routing']],
  ['IN', code('QQQQ0000001'), ['routingCodeValue1 incorrect_format IN.routing']],
  ['GB', account('1234567'), [`${WRONG} GB.account`]],
  ['GB', { ...by(), ...account('GB82WEST12345698765432') }, []],
  ['GB', { ...by('SWIFT', 'BARCGB22'), ...account('GB82 WEST 1234 5698 7654 32') }, []],
  ['GB', { ...by(), ...account('GB83WEST12345698765432') }, [`${WRONG} G11`]],
  ['GB', by(), ['routingCodeType1 field_missing GB.routing']],
  ['US', code('011000016'), ['routingCodeValue1 incorrect_format US.routing']],
  ['US', account('123456789012345678'), [`${WRONG} US.account`]],
  ['US', by('SWIFT', 'CHASUS33'), []],
  ['US', { 'beneficiary.state': 'New York' }, ['beneficiary.state incorrect_value US.beneficiary']],
  ['US', { 'beneficiary.postcode': '1000' }, ['beneficiary.postcode incorrect_format US.beneficiary']],
  ['US', { 'beneficiary.postcode': '10001-1234' }, []],
  ['AU', code('01200'), ['routingCodeValue1 incorrect_format AU.routing']],
  ['AU', { 'beneficiary.postcode': '20000' }, ['beneficiary.postcode incorrect_format AU.beneficiary']],
  ['SG', by('BANK CODE', '7171', 'BRANCH CODE', '001'), []],
  ['SG', by('BANK CODE', '7171'), ['routingCodeType2 field_missing SG.routing']],
  [
    'SG',
    DOCUMENT('Company Registration No.', '1'),
    ['beneficiary.identificationType invalid_combination SG.identification'],
  ],
  ['HK', by('SWIFT', 'HSBCHKHH'), []],
  ['HK', by('BANK CODE', '04'), ['routingCodeValue1 incorrect_format HK.routing']],
  ['BR', by('BANK CODE', '001'), ['routingCodeType2 field_missing BR.routing']],
  ['BR', DOCUMENT('CPF', '29537995594'), ['beneficiary.identificationValue incorrect_format G13']],
  ['BR', DOCUMENT('CPF', '11111111111'), ['beneficiary.identificationValue incorrect_format G13']],
  ['BR', { 'beneficiary.bankAccountType': 'Maestra' }, ['beneficiary.bankAccountType incorrect_value BR.beneficiary']],
  ['BR', wallet('29537995593'), [], 'WALLET'],
  ['BR', wallet('29537995594'), [`${WRONG_WALLET} BR.account`], 'WALLET'],
  ['BR', wallet('+5511987654321'), [], 'WALLET'],
  ['BR', wallet('123e4567-e89b-12d3-a456-426614174000'), [], 'WALLET'],
  ['BR', wallet('someone'), [`${WRONG_WALLET} BR.account`], 'WALLET'],
  ['MX', account('002010077777777772'), [`${WRONG} MX.account`]],
  ['MX', { 'beneficiary.name': 'Juan 2' }, ['beneficiary.name incorrect_format MX.beneficiary']],
  ['PH', wallet('+639171234567'), [], 'WALLET'],
  ['PH', wallet('09171234567'), [`${WRONG_WALLET} PH.account`], 'WALLET'],
  ['ID', by('BANK CODE', '014'), []],
  ['ID', { destinationAmount: 350_000_001 }, ['destinationAmount not_allowed ID.max']],
  ['ID', { destinationAmount: 20_000_001 }, ['destinationAmount not_allowed ID.max'], 'WALLET'],
  ['BD', code('12345678'), ['routingCodeValue1 incorrect_format BD.routing']],
  ['VN', { destinationAmount: 1_000.5 }, ['destinationAmount incorrect_format G6']],
  ['VN', { statementNarrative: 'x'.repeat(106) }, ['statementNarrative incorrect_format G16']],
  ['TH', { ...by('SWIFT', 'KASITHBK', 'BANK CODE', '004') }, []],
  ['CN', by('SWIFT', 'ICBKCNBJ'), []],
  ['CN', by('BANK CODE', '1021000999'), ['routingCodeValue1 incorrect_format CN.routing']],
  ['CN', account('6222021234567891'), [`${WRONG} CN.account`]],
  ['CN', wallet('+8613812345678'), [], 'WALLET'],
  ['CN', { destinationAmount: 50_001 }, ['destinationAmount not_allowed CN.max'], 'WALLET'],
  ['JP', account('12345678'), [`${WRONG} JP.account`]],
  ['CA', { 'beneficiary.postcode': 'K1A0B' }, ['beneficiary.postcode incorrect_format CA.beneficiary']],
  ['NZ', account('01-0137-0026279-01'), []],
  ['NZ', account('01-0137-0026278-00'), [`${WRONG} NZ.account`]],
  ['NZ', account('01-902-0998384-00'), []],
  // As people write it.
  ['NZ', account('01-0819-0120-238-00'), []],
  ['NZ', account('03\u20101355\u20100659087\u201000'), []],
  ['NZ', account('06 \u2013 0177 \u2013 0140 367 \u2013 01'), []],
  ['NZ', account('06 \u2013 0177 \u2013 0140 368 \u2013 01'), [`${WRONG} NZ.account`]],
  ['ZA', by('SWIFT', 'NEDSZAJJ'), []],
  ['NG', account('0152792741'), [`${WRONG} NG.account`]],
  ['KE', by('BANK CODE', '01', 'BRANCH CODE', '100'), []],
  ['KE', wallet('+254612345678'), [`${WRONG_WALLET} KE.account`], 'WALLET'],
  ['KE', { destinationAmount: 200.5 }, ['destinationAmount incorrect_format KE.decimals'], 'WALLET'],
  ['KE', { destinationAmount: 200.5 }, []],
])('%s %o: %s %s', (to, what, expected, method) => {
  expect(check(to, what, method).findings).toEqual(expected);
});

test('checks the UK modulus with the table of the operator', () => {
  const right = payment({ corridor: corridor('GB'), method: 'BANK', remitter: 'Company', beneficiary: 'Individual' });
  const weights = [0, 0, 0, 0, 0, 0, 7, 1, 3, 7, 1, 3, 7, 1];
  const ukModulus = {
    rows: [{ from: '089000', to: '089999', method: 'MOD10' as const, weights, exception: undefined }],
    substitutes: new Map<string, string>(),
  };
  const checkWithTable = (what: Change) =>
    checkPayment({ version: 1, input: changed(right, what) }, { ...CONTEXT, ukModulus });
  expect(checkWithTable({})).toEqual({ findings: [], warnings: [] });
  expect(checkWithTable(account('66374959')).findings).toMatchObject([
    { field: 'beneficiary.accountNumber', rule: 'GB.account' },
  ]);
});

describe.each(CORRIDORS.map((row) => [row.country, row] as const))('%s', (country, row) => {
  const amount = (units: string | undefined, more: number) => ({ destinationAmount: Number(units) + more });

  test('accepts each right code of the route, and rejects a wrong and a missing one', () => {
    for (const [kind, { form }] of Object.entries(row.codes) as [string, RoutingCode][])
      expect([kind, form.test('-')]).toEqual([kind, false]);
    const route = row.route[0];
    if (route === undefined) return;
    expect(check(country, by()).findings).toEqual(
      route.map((_, at) => `routingCodeType${at + 1} field_missing ${country}.routing`),
    );
  });

  test('rejects an account of another form', () => {
    expect(check(country, account('?')).findings).toEqual([`${WRONG} ${country}.account`]);
    if (row.wallet)
      expect(check(country, wallet('?'), 'WALLET').findings).toEqual([`${WRONG_WALLET} ${country}.account`]);
  });

  test('amounts at the limits of each method, and methods that do not exist', () => {
    const step = row.decimals === 0 ? 1 : 0.01;
    for (const [method, { max }] of Object.entries(row.methods) as [PaymentMethod, { max?: string }][]) {
      expect(check(country, amount(row.min, 0), method).findings).toEqual([]);
      const less = Math.round((Number(row.min) - step) * 100) / 100;
      if (less > 0)
        expect(check(country, { destinationAmount: less }, method).findings.join()).toMatch(
          /^destinationAmount \w+ \w\w\.(min|decimals)$/,
        );
      if (max === undefined) continue;
      expect(check(country, amount(max, 0), method).findings).toEqual([]);
      expect(check(country, amount(max, 1), method).findings).toEqual([`destinationAmount not_allowed ${country}.max`]);
    }
    for (const method of ['BANK', 'WALLET', 'CASH', 'CARD'] as const)
      if (row.methods[method] === undefined)
        expect(check(country, { depositMethod: method }).findings).toContain(
          `depositMethod incorrect_value ${country}.methods`,
        );
  });

  test('rejects a name and a narrative that are one character too long', () => {
    const name = 'a'.repeat(row.nameMax + 1);
    const rule = row.nameMax < 140 ? `${country}.name` : 'G3';
    expect(check(country, { 'beneficiary.name': name }).findings).toEqual([
      `beneficiary.name incorrect_format ${rule}`,
    ]);
    expect(check(country, { 'beneficiary.name': name.slice(1) }).findings).toEqual([]);
    const narrative = 'a'.repeat(row.narrativeMax + 1);
    expect(check(country, { statementNarrative: narrative }).findings).toEqual([
      'statementNarrative incorrect_format G16',
    ]);
    expect(check(country, { statementNarrative: narrative.slice(1) }).findings).toEqual([]);
  });

  test('requires a purpose where the corridor does, and documents', () => {
    expect(check(country, { 'remitter.purposeCode': undefined }).findings).toEqual(
      row.isPurposeNeeded ? [`remitter.purposeCode field_missing ${country}.purpose`] : [],
    );
    expect(check(country, DOCUMENT('CUIT', '20055361682')).findings).toEqual([
      `beneficiary.identificationType incorrect_value ${country}.identification`,
    ]);
  });
});

test.each(
  CASES.flatMap((one) =>
    one.corridor.beneficiary.map(
      ({ field, when }) => [one.corridor.country, one.method, one.beneficiary, field, when, one] as const,
    ),
  ),
)('%s by %s to %s asks for %s', (country, _method, _party, field, when, one) => {
  const { findings } = checkPayment({ version: 1, input: changed(payment(one), { [field]: undefined }) }, CONTEXT);
  const isAsked =
    when === undefined ||
    JSON.stringify(when).includes(`"method":"${one.method}"`) ||
    JSON.stringify(when).includes(`"beneficiary":"${one.beneficiary}"`);
  expect(findings.map((finding) => finding.field)).toEqual(isAsked ? [field] : []);
  // CASH asks for some of them everywhere.
  for (const finding of findings) expect(['conditional', `${country}.${field.split('.')[0]}`]).toContain(finding.rule);
});

describe('town and country in fields of their own, where an address is sent or required', () => {
  const TOWN = (party: string) => [`${party}.city field_missing conditional`];
  const gone = (...fields: string[]): Change => Object.fromEntries(fields.map((field) => [field, undefined]));
  const BARE = gone(...['address', 'state', 'postcode', 'city'].map((part) => `beneficiary.${part}`));
  const dollars: Change = {
    destinationCurrency: 'USD',
    'beneficiary.countryCode': 'AR',
    ...by('SWIFT', 'GALIARBA'),
    ...account('12345678'),
    ...gone('beneficiary.identificationType', 'beneficiary.identificationValue'),
  };

  test.each<[string, Change, string[]]>([
    ['SEPA', {}, []],
    ['by SWIFT', dollars, []],
    ['SEPA, the payee without a town', gone('beneficiary.city'), TOWN('beneficiary')],
    ['by SWIFT, the payee without a town', { ...dollars, ...gone('beneficiary.city') }, TOWN('beneficiary')],
    ['a postcode alone is an address', { ...BARE, 'beneficiary.postcode': '10115' }, TOWN('beneficiary')],
    ['a state alone is an address', { ...BARE, 'beneficiary.state': 'Bayern' }, TOWN('beneficiary')],
    ['no address of the payee', BARE, []],
    ['the payer without a town', gone('remitter.city'), TOWN('remitter')],
    ['by SWIFT, the payer without a town', { ...dollars, ...gone('remitter.city') }, TOWN('remitter')],
    [
      'an address that SEPA requires',
      gone('remitter.city', 'remitter.address', 'remitter.identificationType', 'remitter.identificationNumber'),
      ['remitter.address field_missing EU.remitter', ...TOWN('remitter')],
    ],
    ['the payer by a document, without an address', gone('remitter.city', 'remitter.address'), []],
  ])('%s', (_name, change, findings) => {
    expect(check('EU', change).findings).toEqual(findings);
  });

  test.each<[string, Change, string[]]>([
    ['of 35 characters', { 'beneficiary.city': 'x'.repeat(35), 'remitter.city': 'y'.repeat(35) }, []],
    ['of 36', { 'beneficiary.city': 'x'.repeat(36) }, ['beneficiary.city incorrect_format G4']],
    ['of 36, of the payer', { 'remitter.city': 'x'.repeat(36) }, ['remitter.city incorrect_format G4']],
    ['by SWIFT', { ...dollars, 'beneficiary.city': 'x'.repeat(36) }, ['beneficiary.city incorrect_format G4']],
    ['of 35 that leave as 36', { 'beneficiary.city': `${'x'.repeat(34)}ß` }, ['beneficiary.city incorrect_format G4']],
    ['of 35 that leave as 35', { 'beneficiary.city': `${'x'.repeat(34)}é` }, []],
    ['of more than any text', { 'beneficiary.city': 'x'.repeat(300) }, ['beneficiary.city incorrect_format G4']],
  ])('a town %s', (_name, change, findings) => {
    expect(check('EU', change).findings).toEqual(findings);
  });

  test('a domestic rail has no such limit of the town, and details say the limit where there is one', () => {
    expect(check('GB', { 'beneficiary.city': 'x'.repeat(36) }).findings).toEqual([]);
    const format = (country: string) =>
      fieldFormat('beneficiary.city', {
        ...{ corridor: corridor(country), country: undefined, method: 'BANK', party: undefined },
        ...{ onBehalf: false, of: 'payment', worthFrom: { identity: 0, purpose: 0 } },
      });
    expect([format('EU').maxLength, format('GB').maxLength]).toEqual([35, 255]);
  });

  test('at any clock', () => {
    const right = payment({ corridor: corridor('EU'), method: 'BANK', remitter: 'Company', beneficiary: 'Individual' });
    for (const now of ['2026-11-01', '2026-11-30', '2031-01-01'].map(Date.parse)) {
      const { findings } = checkPayment(
        { version: 1, input: changed(right, gone('remitter.city')) },
        { ...CONTEXT, now },
      );
      expect(findings.map(({ field }) => field)).toEqual(['remitter.city']);
    }
  });

  test('a domestic rail asks for no more than it did', () => {
    expect(check('GB', gone('beneficiary.city')).findings).toEqual([]);
  });
});

describe('by SWIFT, to a country without a corridor', () => {
  const swift = (to: string, currency: string, bic: string, number: string, more: Change = {}) =>
    check('EU', {
      'beneficiary.countryCode': to,
      destinationCurrency: currency,
      ...by('SWIFT', bic),
      ...account(number),
      'beneficiary.identificationType': undefined,
      'beneficiary.identificationValue': undefined,
      ...more,
    }).findings;

  test.each<[string, string[]]>([
    ['an account in dollars in India', swift('IN', 'USD', 'HDFCINBB', '50100012345678')],
    ['an account in Argentina', swift('AR', 'USD', 'GALIARBA', '12345678', DOCUMENT('CUIT', '20-05536168-2'))],
    ['an IBAN in Turkey', swift('TR', 'EUR', 'AKBKTRIS', 'TR330006100519786457841326')],
    ['an IBAN of a territory by its own code', swift('NC', 'USD', 'BCALNCNX', 'NC8420041010050500013M02606')],
    ['an IBAN of a territory by that of its country', swift('NC', 'USD', 'BCALNCNX', 'FR1420041010050500013M02606')],
    ['dollars to a territory by the BIC of its country', swift('PR', 'USD', 'BOFAUS3N', '000123456789')],
    ['dollars to a territory by a BIC of its own', swift('PR', 'USD', 'BPPRPRSX', '000123456789')],
    ['pounds to Bermuda by a British BIC', swift('BM', 'GBP', 'BARCGB22', '000123456789')],
    ['euros to Kosovo', swift('XK', 'EUR', 'NCBVXKPR', 'XK051212012345678906')],
    ['an IBAN of Pakistan with letters', swift('PK', 'USD', 'HABBPKKA', 'PK13ABCD00A1000000000007')],
    ['an IBAN of SEPA at a bank elsewhere in SEPA', swift('DE', 'USD', 'REVOLT21', 'DE89370400440532013000')],
    ['the same in euros', swift('DE', 'EUR', 'REVOLT21', 'DE89370400440532013000')],
    ['euro within SEPA, but not in a country of the euro', swift('SE', 'EUR', 'ESSESESS', 'SE4550000000058398257466')],
  ])('%s', (_name, findings) => {
    expect(findings).toEqual([]);
  });

  test.each<[string, string[], string[]]>([
    [
      'no code',
      swift('TR', 'EUR', '', 'TR330006100519786457841326', by()),
      ['routingCodeType1 field_missing TR.routing'],
    ],
    ['a bank elsewhere', swift('IN', 'USD', 'CHASUS33', '50100012345678'), ['routingCodeValue1 incorrect_format G10']],
    [
      'a territory by a BIC of another country',
      swift('PR', 'USD', 'BARCGB22', '000123456789'),
      ['routingCodeValue1 incorrect_format G10'],
    ],
    [
      'a country by a BIC of its territory',
      swift('US', 'EUR', 'BPPRPRSX', '000123456789'),
      ['routingCodeValue1 incorrect_format G10'],
    ],
    [
      'an IBAN of SEPA at a bank outside',
      swift('DE', 'EUR', 'BOFAUS3N', 'DE89370400440532013000'),
      ['routingCodeValue1 incorrect_format G10'],
    ],
    [
      'an IBAN outside SEPA at a bank elsewhere',
      swift('TR', 'EUR', 'DEUTDEFF', 'TR330006100519786457841326'),
      ['routingCodeValue1 incorrect_format G10'],
    ],
    ['no IBAN where there are some', swift('TR', 'EUR', 'AKBKTRIS', '12345678'), [`${WRONG} TR.account`]],
    [
      'a currency that does not travel',
      swift('AR', 'ARS', 'GALIARBA', '12345678'),
      ['destinationCurrency incorrect_value G5'],
    ],
    [
      'cash',
      swift('IN', 'USD', 'HDFCINBB', '50100012345678', { depositMethod: 'WALLET', 'beneficiary.walletId': '1' }),
      ['depositMethod incorrect_value IN.methods'],
    ],
    [
      'goods to China, in dollars',
      swift('CN', 'USD', 'ICBKCNBJ', '0200001234567', { 'remitter.purposeCode': 'IR01809' }),
      ['Name', 'Amount', 'Currency', 'OrderId'].map((of) => `additionalInfo.trade${of} field_missing G15`).sort(),
    ],
    [
      'a person who pays into South Africa, in dollars',
      swift('ZA', 'USD', 'NEDSZAJJ', '1234567890', {
        'remitter.accountType': 'Individual',
        'remitter.identificationType': undefined,
        'remitter.identificationNumber': undefined,
      }),
      ['dob', 'identificationNumber', 'identificationType', 'nationality'].map(
        (of) => `remitter.${of} field_missing ZA.remitter`,
      ),
    ],
    [
      'a document of another country',
      swift('AR', 'USD', 'GALIARBA', '12345678', DOCUMENT('RUT', '1')),
      ['beneficiary.identificationType incorrect_value AR.identification'],
    ],
  ])('%s', (_name, findings, expected) => {
    expect(findings.filter((finding) => !finding.startsWith('routingCodeValue1 invalid_combination'))).toEqual(
      expected,
    );
  });

  test('a country without a currency of its own here', () => {
    expect(check('EU', { 'beneficiary.countryCode': 'AR', destinationCurrency: undefined }).findings).toEqual([
      'destinationCurrency field_missing G5',
    ]);
    expect(
      check('EU', { 'beneficiary.countryCode': 'FR', destinationCurrency: undefined, routingCodeType1: undefined })
        .findings,
    ).toEqual([]);
  });
});

test.each<[string, Change, string[]]>([
  ['AU', { routingCodeValue1: '999-999' }, ['routingCodeValue1 incorrect_value AU.routing']],
  ['SG', { routingCodeValue1: '1BSSSGSG' }, ['routingCodeValue1 incorrect_value G10']],
  ['SG', { destinationAmount: 200_001 }, ['destinationAmount not_allowed SG.max']],
  ['JP', { 'beneficiary.name': 'a'.repeat(31) }, ['beneficiary.name incorrect_format JP.name']],
  ['GB', {}, ['beneficiary.accountNumber incorrect_format GB.account']],
  ['EU', account('FR1520041010050500013M02606'), []],
  ['IN', {}, []],
])('%s %o: only warned, %s', (to, what, expected) => {
  expect(check(to, what)).toMatchObject({ warnings: expected });
});

test.each(['SBIN0999999', 'BARB0ZOOTIN', 'HDFC0ZZZZZZ'])(
  'accepts the branch %s of a known bank, and warns that the directory lacks it',
  (value) => {
    expect(check('IN', { ...account('50100012345678'), ...code(value) })).toEqual({
      findings: [],
      warnings: ['routingCodeValue1 incorrect_value IN.routing'],
    });
  },
);

/** Every field that a payment is asked with, by its names in the two versions: what it may be, where it is kept, and how it is refused. */
import type { Fields } from '../../rest/money-door.js';

export type Type = 'text' | 'number' | 'whole' | 'account' | 'flag';

/** The expected fault of a value, with its exact message. */
type Wrong = readonly [value: unknown, code: string, message: string];

export interface PaymentField {
  /** Its name in the first version and in the second; '' where a version has none. */
  readonly names: readonly [v1: string, v2: string];
  readonly type: Type;
  /** A value that is taken, and that is kept as it is where nothing else is said. */
  readonly right: unknown;
  /** Where the payment has it, and what is there. */
  readonly kept: readonly [path: string, value?: unknown];
  /** Other fields that it comes with, by their names in the second version. */
  readonly beside?: Fields;
  /** How its absence is refused; a field without this may be left out. */
  readonly absent?: readonly [code: string, message: string, v1Message?: string];
  readonly wrong?: readonly Wrong[];
}

const MISSING = ['field_missing', 'required'] as const;
const FORMAT = 'incorrect_format';
const VALUE = 'incorrect_value';

const ID = '1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit';
const NAME = '1 to 140 characters with a letter among them';
const PLACE = '1 to 255 characters';
const TOWN = 'mandatory beside an address: the rail takes town and country in fields of their own';
const PHONE = '8 to 16 characters: a telephone number with its country code, optionally + in front';
const DAY = 'a real day as YYYY-MM-DD';
const PLAIN = "letters, digits, spaces and / - ? : ( ) . , ' + alone";
const DECIMAL = 'a plain decimal: no exponent, no -0, at most 15 significant digits';
const COUNTRY = 'an ISO 3166-1 country code of two upper-case letters';
const CURRENCY = 'an ISO 4217 currency code of three upper-case letters';
const METHODS = 'CASH, BANK, CARD, WALLET';
const REMITTER_DOCUMENTS =
  'Registration Number, Registration ID, ACRA, Travel agent License number, Company Registration No, License No, ARNU, DRLC, NIDN, CCPT';
const BENEFICIARY_DOCUMENTS =
  'Company Organization Code, Company Social Credit Code, Passport, Company Registration No., CUIT, CUIL, CPF, CNPJ, RUT, CC, NIT, CE, PASS, DNI, RUC, CI';
const PURPOSES =
  'IR001, IR002, IR003, IR004, IR005, IR006, IR007, IR008, IR009, IR010, IR011, IR012, IR013, IR014, IR015, IR016, IR017, ' +
  'IR01801, IR01802, IR01803, IR01804, IR01805, IR01806, IR01807, IR01808, IR01809, IR01810, IR01811';
const OCCUPATIONS =
  'ADMINISTRATIVE, AGRICULTURE, AUTOMOTIVE, CONSULTING, CUSTOMER CARE/RETAIL, EDUCATION, ENGINEER, ENTERTAINMENT, ENTREPRENEUR, ' +
  'EXECUTIVE, EXPLICIT SERVICES, FINANCIAL SERVICES, HEALTHCARE, HUMAN RESOURCES, INFORMATION TECHNOLOGY (IT), LEGAL, ' +
  'PERSONAL SERVICES, PHYSICAL WORKER, PUBLIC SERVANT, RELIGIOUS, RESTAURANT, RETIREE, SPORT, STUDENT, UNEMPLOYED/HOMEMAKER';

const wrongIds: readonly Wrong[] = ['-x', 'two words', 'x'.repeat(65), 'ümlaut', 'x/y'].map((id) => [id, FORMAT, ID]);
const wrongPhones: readonly Wrong[] = ['1234567', '+0123456789', '0123456789', '12345678901234567', '12-345678'].map(
  (text) => [text, FORMAT, PHONE],
);
const wrongDays: readonly Wrong[] = [
  ...['1985-02-30', '1985-2-3', '12.04.1985'].map((text): Wrong => [text, VALUE, DAY]),
  ['2028-07-03', VALUE, 'a day in the past'],
];
const wrongCountries: readonly Wrong[] = ['XX', 'de', 'DEU', 'UK'].map((text) => [text, VALUE, COUNTRY]);
const wrongCurrencies: readonly Wrong[] = ['ZZZ', 'eur', 'EURO', 'E'].map((text) => [text, VALUE, CURRENCY]);
const oneOf = (words: string, ...values: string[]): readonly Wrong[] =>
  values.map((text) => [text, VALUE, `one of ${words}`]);
const places: readonly Wrong[] = [
  ['x'.repeat(256), FORMAT, PLACE],
  ['Москва', FORMAT, PLAIN],
];
const wrongAmounts: readonly Wrong[] = [
  [-1, FORMAT, 'above 0'],
  [Number.POSITIVE_INFINITY, FORMAT, DECIMAL],
];

const text = (
  names: PaymentField['names'],
  right: string,
  kept: string,
  more: Partial<PaymentField> = {},
): PaymentField => ({
  ...{ names, type: 'text', right, kept: [`details.${kept}`] },
  ...more,
});
const both = (name: string): [string, string] => [name, name];

const COMMON: readonly PaymentField[] = [
  text(both('request_id'), 'A-1_2.z', '', {
    kept: ['requestId'],
    absent: MISSING,
    wrong: [...wrongIds, ['', FORMAT, ID]],
  }),
  text(both('transaction_number'), `T${'9'.repeat(63)}`, '', {
    ...{ kept: ['transactionNumber'], absent: MISSING, wrong: [...wrongIds, ['', FORMAT, ID]] },
  }),
  // Absent: the currency of the country's corridor.
  text(both('destination_currency'), 'EUR', '', {
    kept: ['currency'],
    wrong: [
      ...wrongCurrencies,
      [
        'INR',
        'not_allowed',
        'INR does not go to DE: send EUR, or by SWIFT AUD, CAD, CHF, DKK, EUR, GBP, HKD, JPY, NOK, NZD, SEK, SGD, USD',
      ],
      ['XOF', VALUE, 'XOF is not paid out'],
    ],
  }),
  {
    ...{ names: both('destination_amount'), type: 'number', right: 100.5, kept: ['given.minor', '10050'] },
    absent: [
      ...([
        'field_missing',
        'send destination_amount or source_amount',
        'required; 0 where equivalent_amount decides',
      ] as const),
    ],
    wrong: [...wrongAmounts, [0.001, FORMAT, 'EUR has 2 decimals']],
  },
  text(both('local_conversion_currency'), 'EUR', 'localConversionCurrency', { wrong: wrongCurrencies }),
  text(both('statement_narrative'), 'Invoice 417, ü', 'statementNarrative', {
    absent: MISSING,
    wrong: [
      ['', 'field_missing', 'required'],
      ['x'.repeat(141), FORMAT, '1 to 140 characters'],
    ],
  }),
  text(both('original_remitter_fi'), 'First Bank', 'originalRemitterFi', { wrong: [['x'.repeat(256), FORMAT, PLACE]] }),
  text(both('deposit_method'), 'BANK', 'depositMethod', {
    wrong: [...oneOf(METHODS, 'bank', 'CASH_PAYOUT', 'x'), ['CARD', VALUE, 'EUR to DE goes by BANK']],
  }),
  text(both('payout_method'), 'BANK', 'payoutMethod', {
    wrong: [
      ...oneOf('CASH_PAYOUT, BANK, CARD, WALLET', 'bank', 'CASH', 'x'),
      ['WALLET', VALUE, 'EUR to DE goes by BANK'],
    ],
  }),
  ...([1, 2, 3] as const).flatMap((n): readonly PaymentField[] => {
    const [type, value] = [`routing_code_type_${n}`, `routing_code_value_${n}`];
    const kinds = 'SWIFT, IFSC, SORT CODE, ACH CODE, BRANCH CODE, BSB CODE, BANK CODE';
    return [
      text(both(type), 'SWIFT', `routingCodeType${n}`, {
        beside: { [value]: 'COBADEFF' },
        absent: ['invalid_combination', 'its code or number was sent without it: send both'],
        wrong: [
          ...oneOf(kinds, 'swift', 'BIC'),
          ['IFSC', 'unsupported_field', 'payments to DE do not take IFSC; they take SWIFT'],
        ],
      }),
      text(both(value), 'COBADEFFXXX', `routingCodeValue${n}`, {
        beside: { [type]: 'SWIFT' },
        absent: ['invalid_combination', 'its kind was sent without it: send both'],
        wrong: [['COBADE', FORMAT, 'not a SWIFT such as COBADEFF']],
      }),
    ];
  }),
];

const info = (
  name: string,
  kept: string,
  right: string,
  wrong: readonly Wrong[] = [['x'.repeat(256), FORMAT, PLACE]],
) => text(both(`additional_info.${name}`), right, `additionalInfo.${kept}`, { wrong });

const ADDITIONAL_INFO: readonly PaymentField[] = [
  info('trade_order_id', 'tradeOrderId', 'PO-7781'),
  info('trade_time', 'tradeTime', '2028-07-01T09:00:00Z'),
  info('trade_currency', 'tradeCurrency', 'CNY', wrongCurrencies),
  {
    ...{ names: both('additional_info.trade_amount'), type: 'number', right: 12500.5 },
    ...{ kept: ['details.additionalInfo.tradeAmount'], wrong: [...wrongAmounts, [0, FORMAT, 'above 0']] },
  },
  info('trade_name', 'tradeName', 'LED panels'),
  {
    ...{ names: both('additional_info.trade_count'), type: 'whole', right: 40 },
    kept: ['details.additionalInfo.tradeCount'],
  },
  info('goods_carrier', 'goodsCarrier', 'Maersk'),
  info('service_detail', 'serviceDetail', 'Advice'),
  info('service_time', 'serviceTime', 'June 2028'),
  info('cash_pickup', 'cashPickup', 'Main street office'),
];

const remitter = (name: string, kept: string, right: string, more: Partial<PaymentField> = {}) =>
  text([`remitter_${name}`, `remitter.${name}`], right, `remitter.${kept}`, more);
const ANY: Partial<PaymentField> = { wrong: [['x'.repeat(256), FORMAT, PLACE]] };
const NAMED = 'mandatory where the client pays for another person, or names more of the remitter';

const REMITTER: readonly PaymentField[] = [
  remitter('name', 'name', 'Acme Trading (Export)', {
    absent: ['field_missing', NAMED],
    wrong: [
      ['12345', FORMAT, NAME],
      ['x'.repeat(141), FORMAT, NAME],
      ['Ромашка', FORMAT, PLAIN],
    ],
  }),
  {
    ...{ names: ['remitter_given_name', 'remitter.given_name'], type: 'flag', right: true },
    kept: ['details.remitter.givenName'],
  },
  remitter('account_type', 'accountType', 'Company', {
    absent: MISSING,
    wrong: [...oneOf('Individual, Company', 'company', 'Firm'), ['', 'field_missing', 'required']],
  }),
  remitter('bank_account_number', 'bankAccountNumber', '0012345678', ANY),
  remitter('identification_type', 'identificationType', 'License No', {
    beside: { remitter: { identification_number: '201812345K' } },
    absent: ['invalid_combination', 'its code or number was sent without it: send both'],
    wrong: oneOf(REMITTER_DOCUMENTS, 'PASS', 'Company Registration No.'),
  }),
  remitter('identification_number', 'identificationNumber', '201812345K', {
    beside: { remitter: { identification_type: 'Registration ID' } },
    absent: ['invalid_combination', 'its kind was sent without it: send both'],
    wrong: [['#1', FORMAT, '1 to 64 letters, digits, spaces and . / & -']],
  }),
  remitter('country_code', 'countryCode', 'AU', { absent: ['field_missing', NAMED], wrong: wrongCountries }),
  remitter('address', 'address', '2 George Street', {
    absent: ['field_missing', 'mandatory for payments to SEPA'],
    wrong: places,
  }),
  text(['remit_purpose_code', 'remitter.purpose_code'], 'IR01805', 'remitter.purposeCode', {
    wrong: [
      ...oneOf(PURPOSES, 'IR099', 'ir001', 'IR018'),
      ['IR001', 'invalid_combination', "own account: the beneficiary's name has to be the remitter's"],
    ],
  }),
  // Absent, or empty: Business Relations.
  remitter('source_of_income', 'sourceOfIncome', 'Sale of goods', ANY),
  remitter('contact_number', 'contactNumber', '+6561234567', { wrong: wrongPhones }),
  remitter('dob', 'dob', '1985-04-12', { wrong: wrongDays }),
  remitter('city', 'city', 'Singapore', { absent: ['field_missing', TOWN], wrong: places }),
  remitter('postcode', 'postcode', '048616', ANY),
  remitter('state', 'state', 'Singapore', { wrong: places }),
  remitter('place_of_birth', 'placeOfBirth', 'SG', { wrong: wrongCountries }),
  remitter('nationality', 'nationality', 'SG', { wrong: wrongCountries }),
  remitter('occupation', 'occupation', 'CUSTOMER CARE/RETAIL', { wrong: oneOf(OCCUPATIONS, 'Engineer', '7') }),
  remitter('source_of_funds', 'sourceOfFunds', 'Business income', ANY),
];

const beneficiary = (name: string, kept: string, right: string, more: Partial<PaymentField> = {}) =>
  text([`beneficiary_${name}`, `beneficiary.${name}`], right, `beneficiary.${kept}`, more);
const PERSON = 'PASS';

const TOWN_BESIDE = { beneficiary: { city: 'Köln' } };

const BENEFICIARY: readonly PaymentField[] = [
  beneficiary('name', 'name', 'Jörg Müller', {
    absent: MISSING,
    wrong: [
      ['', 'field_missing', 'required'],
      ['12345', FORMAT, NAME],
      ['x'.repeat(71), FORMAT, 'at most 70 characters'],
      ['Мюллер', FORMAT, PLAIN],
    ],
  }),
  beneficiary('address', 'address', 'Hauptstraße 1', { beside: TOWN_BESIDE, wrong: places }),
  beneficiary('city', 'city', 'Köln', { wrong: places }),
  beneficiary('country_code', 'countryCode', 'FR', { absent: MISSING, wrong: wrongCountries }),
  beneficiary('email', 'email', 'anna.schmidt@example.com', {
    wrong: ['anna', 'anna@', '@example.com', 'a b@example.com', `${'x'.repeat(65)}@example.com`].map((email) => [
      ...([email, FORMAT, 'an email address of at most 254 characters'] as const),
    ]),
  }),
  beneficiary('account_type', 'accountType', 'Company', { wrong: oneOf('Individual, Company', 'Person') }),
  beneficiary('contact_number', 'contactNumber', '4930123456', { wrong: wrongPhones }),
  beneficiary('dob', 'dob', '1990-02-28', { wrong: wrongDays }),
  beneficiary('state', 'state', 'Bayern', { beside: TOWN_BESIDE, wrong: places }),
  beneficiary('postcode', 'postcode', '50667', { ...ANY, beside: TOWN_BESIDE }),
  beneficiary('wallet_id', 'walletId', '+491701234567', ANY),
  beneficiary('account_number', 'accountNumber', 'FR1420041010050500013M02606', {
    absent: ['field_missing', 'mandatory for BANK'],
    wrong: [
      ['12345678', FORMAT, 'an IBAN of a SEPA country, such as DE89370400440532013000'],
      ['DE88370400440532013000', FORMAT, 'wrong check digits (mod 97)'],
    ],
  }),
  beneficiary('bank_account_type', 'bankAccountType', 'Maestra', {
    wrong: oneOf('Checking, Saving, Maestra', 'Current'),
  }),
  beneficiary('bank_name', 'bankName', 'Commerzbank', ANY),
  beneficiary('bank_code', 'bankCode', '37040044', ANY),
  beneficiary('identification_type', 'identificationType', 'Passport', {
    beside: { beneficiary: { identification_value: 'K1234567', account_type: 'Individual' } },
    absent: ['invalid_combination', 'its code or number was sent without it: send both'],
    wrong: [
      ...oneOf(BENEFICIARY_DOCUMENTS, 'passport', 'CCPT'),
      ['CPF', VALUE, 'for Individual DE takes PASS'],
      ['Company Registration No.', 'invalid_combination', 'for Individual DE takes PASS'],
    ],
  }),
  beneficiary('identification_value', 'identificationValue', 'K7654321', {
    beside: { beneficiary: { identification_type: PERSON } },
    absent: ['invalid_combination', 'its kind was sent without it: send both'],
    wrong: [['K-1', FORMAT, 'a passport number has 6 to 12 letters and digits']],
  }),
  // No corridor pays to a card: the second version refuses it, and the first keeps nothing of it.
  beneficiary('card_number', 'cardNumber', '4111111111111111', {
    names: ['beneficiary_card_number', ''],
    kept: ['sealedCards', ''],
    wrong: [
      ['4111111111111112', FORMAT, 'wrong check digit'],
      ['41111111111', FORMAT, '12 to 19 digits'],
    ],
  }),
  beneficiary('card_expiry_date', 'cardExpiryDate', '2028-07', {
    wrong: [
      ...['2028-13', '07/28', '2028-7'].map((month): Wrong => [month, VALUE, 'a month as YYYY-MM']),
      ['2028-06', VALUE, 'the card has expired'],
    ],
  }),
  text(['remitter_beneficiary_relationship', 'beneficiary.relationship'], 'Supplier', 'beneficiary.relationship', ANY),
];

const ACCOUNT = 'an account number of 12 digits';
const deducted: readonly Wrong[] = [
  [-1, VALUE, '0 or more'],
  [100, VALUE, 'less than destination_amount'],
  [0.001, FORMAT, 'EUR has 2 decimals'],
  [Number.POSITIVE_INFINITY, FORMAT, DECIMAL],
];
const wrongAccounts: readonly Wrong[] = [
  [1.5, FORMAT, ACCOUNT],
  [-1, VALUE, ACCOUNT],
];

/** `account` is one of the client's, in EUR. */
export const fieldsWith = (account: number): readonly PaymentField[] => [
  ...COMMON,
  ...ADDITIONAL_INFO,
  ...REMITTER,
  ...BENEFICIARY,
  {
    ...{ names: ['account_number', ''], type: 'account', right: account, kept: ['sourceAccount', String(account)] },
    wrong: wrongAccounts,
  },
  {
    ...{ names: ['equivalent_amount', ''], type: 'number', right: 12.34, kept: ['given.minor', '1234'] },
    beside: { destination_amount: 0, equivalent_currency: 'EUR' },
    absent: ['field_missing', 'mandatory when destination_amount is 0'],
    wrong: [...wrongAmounts, [0, FORMAT, 'above 0'], [0.001, FORMAT, 'EUR has 2 decimals']],
  },
  {
    ...{ names: ['equivalent_currency', ''], type: 'text', right: 'EUR', kept: ['given.minor', '1234'] },
    beside: { destination_amount: 0, equivalent_amount: 12.34 },
    absent: ['field_missing', 'mandatory with equivalent_amount'],
    wrong: [...wrongCurrencies, ['KES', VALUE, 'KES is not converted into EUR']],
  },
  {
    ...{
      names: ['deduct_amount', 'payout_options.deduct_amount'],
      type: 'number',
      right: 5.25,
      kept: ['deduct', '525'],
    },
    wrong: deducted,
  },
  {
    ...{ names: ['', 'source_account'], type: 'account', right: account, kept: ['sourceAccount', String(account)] },
    absent: MISSING,
    wrong: wrongAccounts,
  },
  {
    ...{ names: ['', 'source_amount'], type: 'number', right: 20.02, kept: ['given.minor', '2002'] },
    beside: { destination_amount: undefined },
    wrong: [...wrongAmounts, [0, FORMAT, 'above 0'], [0.001, FORMAT, 'EUR has 2 decimals']],
  },
  {
    ...{ names: ['', 'destination_account'], type: 'account', right: 400100000019 },
    ...{ kept: ['details.destinationAccount'], wrong: wrongAccounts },
  },
  text(['', 'fee_payer'], 'BEN', '', {
    kept: ['feePayer'],
    absent: MISSING,
    wrong: oneOf('OUR, BEN', 'SHA', 'our'),
  }),
];

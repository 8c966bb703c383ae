/**
 * The corridors, one row each: what comparable payout interfaces ask for on the way to a country. Limits are those of the ways that the
 * money takes, not of any law. Examples pass every check of their row.
 */
import type { Account, Corridor, Form, Need, RoutingCode } from './corridor.js';
import type { Field } from './field.js';
import type { When } from './when.js';

const PERSON_PAYS: When = { remitter: 'Individual' };
const PERSON_IS_PAID: When = { beneficiary: 'Individual' };
const COMPANY_IS_PAID: When = { beneficiary: 'Company' };
const PERSON_TO_PERSON: When = { all: [PERSON_PAYS, PERSON_IS_PAID] };
const COMPANY_FOR_ANOTHER: When = { all: [{ remitter: 'Company' }, { onBehalf: true }] };
const BANK: When = { method: 'BANK' };
const CASH: When = { method: 'CASH' };
const CASH_OR_WALLET: When = { any: [CASH, { method: 'WALLET' }] };

const needs = (...fields: Field[]): Need[] => fields.map((field) => ({ field }));
const when = (condition: When, ...fields: Field[]): Need[] => fields.map((field) => ({ field, when: condition }));
const remitterIdentified = (condition: When): Need[] =>
  when(condition, 'remitter.identificationType', 'remitter.identificationNumber');

const ADDRESS = needs('beneficiary.address', 'beneficiary.city');
const BANK_NAME = when(BANK, 'beneficiary.bankName');
const KIND_OF_ACCOUNT = when(BANK, 'beneficiary.bankAccountType');
/** About the payment and not about who the remitter is: asked for also where the client itself pays. */
const FUNDS = needs('remitter.sourceOfFunds');

const NAME_AND_COUNTRY = needs('remitter.name', 'remitter.countryCode');
const REMITTER = [...NAME_AND_COUNTRY, ...needs('remitter.address')];
const DOB = when(PERSON_PAYS, 'remitter.dob');

const bic = (example: string): RoutingCode => ({
  form: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  check: 'bic',
  example,
});
const code = (form: RegExp, example: string, check?: RoutingCode['check']): RoutingCode => ({
  form,
  example,
  ...(check && { check }),
});
const account = (form: RegExp, is: string, example: string, check?: Account['check']): Account => ({
  form,
  is,
  example,
  ...(check && { check }),
});
const phone = (form: RegExp, prefix: string, example: string): Account =>
  account(form, `a mobile number of this country, +${prefix} in front`, example);
const postcode = (form: RegExp, is: string, example: string): Form => ({
  field: 'beneficiary.postcode',
  form,
  is,
  example,
});

const REGISTERED = { Individual: ['PASS'], Company: ['Company Registration No.'] } as const;

/** USPS: states, the district, territories and forces. */
const US_STATES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI UM FM MH PW AA AE AP'.split(
    ' ',
  );

const NOTHING = { codes: {}, route: [], isPurposeNeeded: false, forms: [] } as const;

export const CORRIDORS: readonly Corridor[] = [
  {
    ...{ country: 'IN', currency: 'INR', decimals: 2, min: '1', methods: { BANK: { max: '1500000' } } },
    codes: { IFSC: code(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'HDFC0000001', 'ifsc'), SWIFT: bic('HDFCINBB') },
    route: [['IFSC']],
    account: account(/^[0-9A-Z]{6,20}$/, '6 to 20 letters and digits', '50100012345678', 'hdfc'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: [...ADDRESS, ...BANK_NAME],
    remitter: [...REMITTER, ...DOB, ...remitterIdentified(COMPANY_FOR_ANOTHER)],
    ...{ forms: [], nameMax: 50, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'GB', currency: 'GBP', decimals: 2, min: '0.01', methods: { BANK: { max: '1000000' } } },
    codes: { 'SORT CODE': code(/^\d{6}$/, '089999', 'sort code'), SWIFT: bic('BARCGB22') },
    route: [['SORT CODE']],
    account: account(/^(\d{8}|GB\d{2}[A-Z]{4}\d{14})$/, '8 digits, or an IBAN of GB', '66374958', 'uk modulus'),
    identification: REGISTERED,
    beneficiary: [],
    remitter: [...REMITTER, ...needs('remitter.city')],
    ...{ nameMax: 140, nameShown: 40, narrativeMax: 18 },
  },
  {
    ...NOTHING,
    ...{ country: 'US', currency: 'USD', decimals: 2, min: '0.01', methods: { BANK: { max: '1000000' } } },
    codes: {
      'ACH CODE': code(/^(0[1-9]|1[0-2]|2[1-9]|3[0-2])\d{7}$/, '011000015', 'aba'),
      SWIFT: bic('CHASUS33'),
    },
    route: [['ACH CODE'], ['SWIFT']],
    account: account(/^\d{1,17}$/, '1 to 17 digits', '000123456789'),
    identification: REGISTERED,
    beneficiary: [...ADDRESS, ...needs('beneficiary.state', 'beneficiary.postcode'), ...KIND_OF_ACCOUNT],
    remitter: [...REMITTER, ...needs('remitter.city'), ...DOB],
    forms: [
      {
        field: 'beneficiary.state',
        form: new RegExp(`^(${US_STATES.join('|')})$`),
        is: 'a state by its two letters, such as NY',
        words: US_STATES,
        example: 'NY',
      },
      postcode(/^\d{5}(-\d{4})?$/, 'five digits, or nine with a dash', '10001'),
    ],
    ...{ nameMax: 35, nameShown: 22, narrativeMax: 10, refusesPoBox: true },
  },
  {
    ...NOTHING,
    ...{ country: 'AU', currency: 'AUD', decimals: 2, min: '0.01', methods: { BANK: { max: '9999999.99' } } },
    codes: { 'BSB CODE': code(/^\d{3}-?\d{3}$/, '012-004', 'bsb'), SWIFT: bic('ANZBAU3M') },
    route: [['BSB CODE'], ['SWIFT']],
    account: account(/^\d{3,9}$/, '3 to 9 digits', '123456789'),
    identification: REGISTERED,
    beneficiary: [...ADDRESS, ...needs('beneficiary.postcode')],
    remitter: [...REMITTER, ...DOB],
    forms: [postcode(/^\d{4}$/, 'four digits', '2000')],
    ...{ nameMax: 140, narrativeMax: 18 },
  },
  {
    ...NOTHING,
    ...{ country: 'SG', currency: 'SGD', decimals: 2, min: '1' },
    methods: { BANK: { max: '9999999.99', slowAbove: '200000' } },
    codes: { SWIFT: bic('DBSSSGSG'), 'BANK CODE': code(/^\d{4}$/, '7171'), 'BRANCH CODE': code(/^\d{3}$/, '001') },
    route: [['SWIFT'], ['BANK CODE', 'BRANCH CODE']],
    account: account(/^[0-9A-Z]{7,17}$/, '7 to 17 letters and digits', '0012345678'),
    identification: { ...REGISTERED, registration: { check: 'uen', example: '197401143C' } },
    beneficiary: BANK_NAME,
    remitter: NAME_AND_COUNTRY,
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'HK', currency: 'HKD', decimals: 2, min: '0.01', methods: { BANK: { max: '10000000' } } },
    codes: { 'BANK CODE': code(/^\d{3}$/, '004'), SWIFT: bic('HSBCHKHH') },
    route: [['BANK CODE'], ['SWIFT']],
    account: account(/^\d{6,17}$/, '6 to 17 digits', '123456789012'),
    identification: REGISTERED,
    beneficiary: needs('beneficiary.address'),
    remitter: [...REMITTER, ...remitterIdentified(PERSON_TO_PERSON)],
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'EU', currency: 'EUR', decimals: 2, min: '0.01', methods: { BANK: { slowAbove: '100000' } } },
    codes: { SWIFT: bic('COBADEFF') },
    account: account(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'an IBAN of a SEPA country', 'DE89370400440532013000', 'iban'),
    identification: REGISTERED,
    beneficiary: [],
    remitter: [
      ...needs('remitter.name'),
      { field: 'remitter.address', when: { not: { given: 'remitter.identificationNumber' } } },
    ],
    ...{ nameMax: 70, narrativeMax: 140 },
  },
  {
    ...{ country: 'BR', currency: 'BRL', decimals: 2, min: '0.01' },
    methods: { BANK: { max: '9999999.99' }, WALLET: { max: '9999999.99' } },
    codes: { 'BANK CODE': code(/^\d{3}$/, '001'), 'BRANCH CODE': code(/^\d{3,5}(-?[0-9Xx])?$/, '1234-5') },
    route: [['BANK CODE', 'BRANCH CODE']],
    account: account(/^\d{1,13}-?[0-9Xx]?$/, '1 to 13 digits and a check digit', '123456-7'),
    wallet: account(
      /^[^\s]{1,77}$/,
      'a PIX key: CPF, CNPJ, telephone number (+55...), email address or random key',
      'asha.rao@example.com',
      'pix',
    ),
    identification: { Individual: ['CPF', 'PASS'], Company: ['CNPJ'], needed: { all: [] } },
    isPurposeNeeded: true,
    beneficiary: [...KIND_OF_ACCOUNT, ...BANK_NAME],
    remitter: [...NAME_AND_COUNTRY, ...remitterIdentified(COMPANY_FOR_ANOTHER)],
    forms: [
      {
        field: 'beneficiary.bankAccountType',
        form: /^(Checking|Saving)$/,
        is: 'Checking or Saving',
        words: ['Checking', 'Saving'],
        example: 'Checking',
      },
    ],
    ...{ nameMax: 140, narrativeMax: 120 },
  },
  {
    ...NOTHING,
    ...{ country: 'MX', currency: 'MXN', decimals: 2, min: '0.10', methods: { BANK: { max: '9999999.99' } } },
    codes: { SWIFT: bic('BCMRMXMM') },
    account: account(/^\d{18}$/, 'a CLABE of 18 digits', '002010077777777771', 'clabe'),
    identification: { ...REGISTERED, registration: { check: 'rfc', example: 'GODE561231GR8' } },
    beneficiary: [...ADDRESS, ...needs('beneficiary.state', 'beneficiary.postcode')],
    remitter: NAME_AND_COUNTRY,
    forms: [
      { field: 'beneficiary.name', form: /^\D*$/, is: 'without digits', when: PERSON_IS_PAID, example: 'Asha Rao' },
    ],
    ...{ nameMax: 100, nameShown: 35, narrativeMax: 39 },
  },
  {
    ...NOTHING,
    ...{ country: 'PH', currency: 'PHP', decimals: 2, min: '1' },
    methods: { BANK: { max: '1300000', slowAbove: '50000' }, WALLET: { max: '500000' }, CASH: {} },
    codes: { SWIFT: bic('BOPIPHMM'), 'BANK CODE': code(/^\d{4,9}$/, '010040018') },
    route: [['SWIFT']],
    account: account(/^\d{6,17}$/, '6 to 17 digits', '1234567890'),
    wallet: phone(/^(\+?63)\d{10}$/, '63', '+639171234567'),
    identification: { ...REGISTERED, needed: CASH },
    isPurposeNeeded: true,
    beneficiary: [...ADDRESS, ...when(CASH_OR_WALLET, 'beneficiary.contactNumber'), ...FUNDS],
    remitter: [...REMITTER, ...when(PERSON_TO_PERSON, 'remitter.nationality')],
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'ID', currency: 'IDR', decimals: 0, min: '10000' },
    methods: { BANK: { max: '350000000', slowAbove: '250000000' }, WALLET: { max: '20000000' } },
    codes: { SWIFT: bic('CENAIDJA'), 'BANK CODE': code(/^\d{3}$/, '014') },
    route: [['SWIFT'], ['BANK CODE']],
    account: account(/^\d{5,20}$/, '5 to 20 digits', '1234567890'),
    wallet: phone(/^(\+?62)\d{8,12}$/, '62', '+6281234567890'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: [...ADDRESS, ...needs('beneficiary.relationship'), ...FUNDS],
    remitter: REMITTER,
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'BD', currency: 'BDT', decimals: 2, min: '10', methods: { BANK: {}, WALLET: {}, CASH: {} } },
    codes: { 'BRANCH CODE': code(/^\d{9}$/, '060261726'), SWIFT: bic('BRAKBDDH') },
    route: [['BRANCH CODE']],
    account: account(/^\d{9,17}$/, '9 to 17 digits', '1501201234567'),
    wallet: phone(/^(\+?880)1\d{9}$/, '880', '+8801712345678'),
    identification: { ...REGISTERED, needed: CASH },
    isPurposeNeeded: true,
    beneficiary: [...ADDRESS, ...needs('beneficiary.contactNumber'), ...BANK_NAME],
    remitter: [
      ...REMITTER,
      ...DOB,
      ...when(PERSON_TO_PERSON, 'remitter.nationality'),
      ...remitterIdentified(PERSON_TO_PERSON),
    ],
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'VN', currency: 'VND', decimals: 0, min: '300', methods: { BANK: { max: '300000000' } } },
    codes: { SWIFT: bic('BFTVVNVX') },
    route: [['SWIFT']],
    account: account(/^[0-9A-Z]{6,30}$/, '6 to 30 letters and digits', '0071001234567'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: [...BANK_NAME, ...FUNDS],
    remitter: REMITTER,
    ...{ nameMax: 70, narrativeMax: 105 },
  },
  {
    ...NOTHING,
    ...{ country: 'MY', currency: 'MYR', decimals: 2, min: '1', methods: { BANK: { max: '100000' } } },
    codes: { SWIFT: bic('MBBEMYKL') },
    route: [['SWIFT']],
    account: account(/^\d{5,17}$/, '5 to 17 digits', '112233445566'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: ADDRESS,
    remitter: REMITTER,
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'TH', currency: 'THB', decimals: 2, min: '1', methods: { BANK: { slowAbove: '2000000' } } },
    codes: { SWIFT: bic('KASITHBK'), 'BANK CODE': code(/^\d{3}$/, '004') },
    route: [['SWIFT']],
    account: account(/^\d{7,15}$/, '7 to 15 digits', '1234567890'),
    identification: REGISTERED,
    beneficiary: [],
    remitter: NAME_AND_COUNTRY,
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'CN', currency: 'CNY', decimals: 2, min: '1' },
    methods: { BANK: { max: '4999999' }, WALLET: { max: '50000' } },
    codes: { 'BANK CODE': code(/^\d{12}$/, '102100099996'), SWIFT: bic('ICBKCNBJ') },
    route: [['BANK CODE'], ['SWIFT']],
    account: account(/^\d{9,32}$/, '9 to 32 digits', '0200001234567890123', 'luhn of UnionPay'),
    wallet: phone(/^(\+?86)1\d{10}$/, '86', '+8613812345678'),
    identification: {
      Individual: ['PASS'],
      Company: ['Company Social Credit Code', 'Company Organization Code'],
      needed: COMPANY_IS_PAID,
    },
    isPurposeNeeded: true,
    beneficiary: ADDRESS,
    remitter: [...REMITTER, ...remitterIdentified(COMPANY_FOR_ANOTHER)],
    ...{ nameMax: 140, narrativeMax: 140, hasLocalScript: true, refusesPoBox: true, needsTradeOrder: true },
  },
  {
    ...NOTHING,
    ...{ country: 'JP', currency: 'JPY', decimals: 0, min: '1', methods: { BANK: { max: '9999999' } } },
    codes: { 'BANK CODE': code(/^\d{4}$/, '0001'), 'BRANCH CODE': code(/^\d{3}$/, '001') },
    route: [['BANK CODE', 'BRANCH CODE']],
    account: account(/^\d{4,7}$/, '4 to 7 digits', '1234567'),
    identification: { ...REGISTERED, registration: { check: 'jp corporate', example: '1020281079130' } },
    beneficiary: KIND_OF_ACCOUNT,
    remitter: REMITTER,
    ...{ nameMax: 48, nameShown: 30, narrativeMax: 20, hasLocalScript: true },
  },
  {
    ...NOTHING,
    ...{ country: 'CA', currency: 'CAD', decimals: 2, min: '0.01', methods: { BANK: { max: '200000' } } },
    codes: { 'BANK CODE': code(/^\d{3}$/, '003'), 'BRANCH CODE': code(/^\d{5}$/, '00001') },
    route: [['BANK CODE', 'BRANCH CODE']],
    account: account(/^\d{5,12}$/, '5 to 12 digits', '1234567'),
    identification: REGISTERED,
    beneficiary: [...ADDRESS, ...needs('beneficiary.state', 'beneficiary.postcode')],
    remitter: REMITTER,
    forms: [postcode(/^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, 'a postal code such as K1A 0B1', 'K1A 0B1')],
    ...{ nameMax: 140, narrativeMax: 15 },
  },
  {
    ...NOTHING,
    ...{ country: 'NZ', currency: 'NZD', decimals: 2, min: '0.01', methods: { BANK: { max: '99999999.99' } } },
    codes: { SWIFT: bic('ANZBNZ22') },
    account: account(
      /^\d{2}-?\d{4}-?\d{7,8}-?\d{2,3}$/,
      'bank, branch, account and suffix: 15 to 17 digits',
      '01-0137-0026279-00',
      'nz',
    ),
    identification: REGISTERED,
    beneficiary: [],
    remitter: NAME_AND_COUNTRY,
    ...{ nameMax: 140, narrativeMax: 12 },
  },
  {
    ...NOTHING,
    ...{ country: 'AE', currency: 'AED', decimals: 2, min: '1', methods: { BANK: { max: '9999999.99' } } },
    codes: { SWIFT: bic('EBILAEAD') },
    route: [['SWIFT']],
    account: account(/^AE\d{21}$/, 'an IBAN of AE', 'AE070331234567890123456', 'iban'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    // The nationality of a beneficiary is asked for too, and the interface has no field for it.
    beneficiary: [...ADDRESS, ...BANK_NAME, ...when(PERSON_IS_PAID, 'beneficiary.dob')],
    remitter: [...REMITTER, ...remitterIdentified(COMPANY_FOR_ANOTHER)],
    ...{ nameMax: 140, narrativeMax: 140 },
  },
  {
    ...NOTHING,
    ...{ country: 'ZA', currency: 'ZAR', decimals: 2, min: '1', methods: { BANK: { max: '5000000' } } },
    codes: { 'BRANCH CODE': code(/^\d{6}$/, '198765'), SWIFT: bic('NEDSZAJJ') },
    route: [['BRANCH CODE'], ['SWIFT']],
    account: account(/^\d{7,13}$/, '7 to 13 digits', '1234567890'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: [...KIND_OF_ACCOUNT, ...needs('beneficiary.contactNumber')],
    remitter: [
      ...REMITTER,
      ...DOB,
      ...when(PERSON_TO_PERSON, 'remitter.nationality'),
      ...remitterIdentified(PERSON_TO_PERSON),
    ],
    ...{ nameMax: 140, narrativeMax: 30 },
  },
  {
    ...NOTHING,
    ...{ country: 'NG', currency: 'NGN', decimals: 2, min: '1', methods: { BANK: { max: '5000000' } } },
    codes: { 'BANK CODE': code(/^(\d{3}|\d{6})$/, '058'), SWIFT: bic('GTBINGLA') },
    route: [['BANK CODE']],
    account: account(/^\d{10}$/, 'a NUBAN of 10 digits', '0152792740', 'nuban'),
    identification: REGISTERED,
    isPurposeNeeded: true,
    beneficiary: needs('beneficiary.address', 'beneficiary.contactNumber'),
    remitter: REMITTER,
    ...{ nameMax: 140, narrativeMax: 16 },
  },
  {
    ...NOTHING,
    ...{ country: 'KE', currency: 'KES', decimals: 2, min: '100' },
    methods: { BANK: { max: '999999' }, WALLET: { max: '250000', decimals: 0 } },
    codes: { 'BANK CODE': code(/^\d{2}$/, '01'), 'BRANCH CODE': code(/^\d{3}$/, '100') },
    route: [['BANK CODE']],
    account: account(/^\d{6,16}$/, '6 to 16 digits', '1234567890'),
    wallet: phone(/^(\+?254)[17]\d{8}$/, '254', '+254712345678'),
    identification: { ...REGISTERED, needed: { all: [] } },
    isPurposeNeeded: true,
    beneficiary: ADDRESS,
    remitter: REMITTER,
    ...{ nameMax: 140, narrativeMax: 140 },
  },
];

/** What rows of the table have in common: conditions, fields that go together, and the shapes of their cells. */
import type { Account, Form, RequiredField, RoutingCode } from './corridor.js';
import type { Field } from './field.js';
import type { When } from './when.js';

const PERSON_PAYS: When = { remitter: 'Individual' };
export const PERSON_IS_PAID: When = { beneficiary: 'Individual' };
export const COMPANY_IS_PAID: When = { beneficiary: 'Company' };
export const PERSON_TO_PERSON: When = { all: [PERSON_PAYS, PERSON_IS_PAID] };
export const COMPANY_FOR_ANOTHER: When = { all: [{ remitter: 'Company' }, { onBehalf: true }] };
const BANK: When = { method: 'BANK' };
export const CASH: When = { method: 'CASH' };
export const CASH_OR_WALLET: When = { any: [CASH, { method: 'WALLET' }] };

export const required = (...fields: Field[]): RequiredField[] => fields.map((field) => ({ field }));
export const when = (condition: When, ...fields: Field[]): RequiredField[] =>
  fields.map((field) => ({ field, when: condition }));
export const remitterIdentified = (condition: When): RequiredField[] =>
  when(condition, 'remitter.identificationType', 'remitter.identificationNumber');

export const ADDRESS = required('beneficiary.address', 'beneficiary.city');
export const BANK_NAME = when(BANK, 'beneficiary.bankName');
export const KIND_OF_ACCOUNT = when(BANK, 'beneficiary.bankAccountType');
/** About the payment and not about the remitter: required also where the client itself pays. */
export const FUNDS = required('remitter.sourceOfFunds');

export const NAME_AND_COUNTRY = required('remitter.name', 'remitter.countryCode');
export const REMITTER = [...NAME_AND_COUNTRY, ...required('remitter.address')];
export const DOB = when(PERSON_PAYS, 'remitter.dob');

export const bic = (example: string): RoutingCode => ({
  form: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  check: 'bic',
  example,
});
export const code = (form: RegExp, example: string, check?: RoutingCode['check']): RoutingCode => ({
  form,
  example,
  ...(check && { check }),
});
export const account = (form: RegExp, is: string, example: string, check?: Account['check']): Account => ({
  form,
  is,
  example,
  ...(check && { check }),
});
export const phone = (form: RegExp, prefix: string, example: string): Account =>
  account(form, `a mobile number of this country, +${prefix} in front`, example);
export const postcode = (form: RegExp, is: string, example: string): Form => ({
  field: 'beneficiary.postcode',
  form,
  is,
  example,
});

export const REGISTERED = { Individual: ['PASS'], Company: ['Company Registration No.'] } as const;

/** USPS: states, the district, territories and forces. */
export const US_STATES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI UM FM MH PW AA AE AP'.split(
    ' ',
  );

export const NOTHING = { codes: {}, route: [], isPurposeNeeded: false, forms: [] } as const;

/** The interface's own lists of words: the values that a field may have. */

export const ACCOUNT_TYPES = ['Individual', 'Company'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export const DEPOSIT_METHODS = ['CASH', 'BANK', 'CARD', 'WALLET'] as const;
export const PAYOUT_METHODS = ['CASH_PAYOUT', 'BANK', 'CARD', 'WALLET'] as const;
export const BANK_ACCOUNT_TYPES = ['Checking', 'Saving', 'Maestra'] as const;

/** BANK CODE and BRANCH CODE also carry CNAPS, institution, transit and Zengin codes. */
export const ROUTING_KINDS = [
  'SWIFT',
  'IFSC',
  'SORT CODE',
  'ACH CODE',
  'BRANCH CODE',
  'BSB CODE',
  'BANK CODE',
] as const;
export type RoutingKind = (typeof ROUTING_KINDS)[number];

/** ACRA is Singapore's register (UEN); ARNU, DRLC, NIDN and CCPT are ISO 20022: alien registration, driving licence, national identity, passport. */
export const REMITTER_IDENTIFICATION_TYPES = [
  'Registration Number',
  'Registration ID',
  'ACRA',
  'Travel agent License number',
  'Company Registration No',
  'License No',
  'ARNU',
  'DRLC',
  'NIDN',
  'CCPT',
] as const;

export const BENEFICIARY_IDENTIFICATION_TYPES = [
  'Company Organization Code',
  'Company Social Credit Code',
  'Passport',
  'Company Registration No.',
  'CUIT',
  'CUIL',
  'CPF',
  'CNPJ',
  'RUT',
  'CC',
  'NIT',
  'CE',
  'PASS',
  'DNI',
  'RUC',
  'CI',
] as const;
export type BeneficiaryIdentificationType = (typeof BENEFICIARY_IDENTIFICATION_TYPES)[number];

export const OCCUPATIONS = [
  'ADMINISTRATIVE',
  'AGRICULTURE',
  'AUTOMOTIVE',
  'CONSULTING',
  'CUSTOMER CARE/RETAIL',
  'EDUCATION',
  'ENGINEER',
  'ENTERTAINMENT',
  'ENTREPRENEUR',
  'EXECUTIVE',
  'EXPLICIT SERVICES',
  'FINANCIAL SERVICES',
  'HEALTHCARE',
  'HUMAN RESOURCES',
  'INFORMATION TECHNOLOGY (IT)',
  'LEGAL',
  'PERSONAL SERVICES',
  'PHYSICAL WORKER',
  'PUBLIC SERVANT',
  'RELIGIOUS',
  'RESTAURANT',
  'RETIREE',
  'SPORT',
  'STUDENT',
  'UNEMPLOYED/HOMEMAKER',
] as const;

export const DEFAULT_SOURCE_OF_INCOME = 'Business Relations';

/** What a payment may be for, with the interface's text. */
export const PURPOSES = {
  IR001: 'Transfer to own account',
  IR002: 'Family maintenance',
  IR003: 'Education-related student expenses',
  IR004: 'Medical treatment',
  IR005: 'Hotel accommodation',
  IR006: 'Travel',
  IR007: 'Utility bills',
  IR008: 'Repayment of loans',
  IR009: 'Tax payment',
  IR010: 'Purchase of residential property',
  IR011: 'Payment of property rental',
  IR012: 'Insurance premium',
  IR013: 'Product indemnity insurance',
  IR014: 'Insurance claims payment',
  IR015: 'Mutual fund investment',
  IR016: 'Investment in shares',
  IR017: 'Donations',
  IR01801: 'Information service charges',
  IR01802: 'Advertising and public relations-related expenses',
  IR01803: 'Royalty, trademark, patent and copyright fees',
  IR01804: 'Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee',
  IR01805: 'Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists',
  IR01806: 'Representative office expenses',
  IR01807: 'Construction costs/expenses',
  IR01808: 'Transportation fees for goods',
  IR01809: 'Payment for exported goods',
  IR01810: 'Delivery fees for goods',
  IR01811: 'General goods trades, offline trade',
} as const;

export const PURPOSE_CODES = Object.keys(PURPOSES);

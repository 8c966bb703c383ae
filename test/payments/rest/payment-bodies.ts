/** Payments that can be sent as they are, in both versions: by the currency that the beneficiary receives. */
import type { Fields } from '../../rest/money-door.js';

export const CREATE_PAYMENT = '/api/v1/payments/create';
export const CREATE_PAYOUT = '/api/v2/payouts';

interface Party {
  readonly beneficiary: Readonly<Record<string, string>>;
  readonly routing: readonly (readonly [type: string, value: string])[];
  readonly remitter?: Readonly<Record<string, string>>;
}

const ADDRESS = { address: '1 Main Street', city: 'Springfield' };
const EURO: Party = {
  beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: 'DE89370400440532013000' },
  routing: [],
};

const PARTIES: Readonly<Record<string, Party>> = {
  EUR: EURO,
  USD: {
    beneficiary: {
      ...{ name: 'Ann Carter', country_code: 'US', account_number: '000123456789', ...ADDRESS },
      ...{ state: 'IL', postcode: '62701', bank_account_type: 'Checking' },
    },
    routing: [['ACH CODE', '011000015']],
  },
  GBP: {
    beneficiary: { name: 'Ann Carter', country_code: 'GB', account_number: '66374958' },
    routing: [['SORT CODE', '089999']],
  },
  JPY: {
    beneficiary: {
      ...{ name: 'Hanako Sato', country_code: 'JP', account_number: '1234567', bank_account_type: 'Saving' },
    },
    routing: [
      ['BANK CODE', '0001'],
      ['BRANCH CODE', '001'],
    ],
  },
  KES: {
    beneficiary: {
      ...{ name: 'Wanjiru Kamau', country_code: 'KE', account_number: '1234567890', ...ADDRESS },
      ...{ identification_type: 'PASS', identification_value: 'K1234567' },
    },
    routing: [['BANK CODE', '01']],
  },
  IDR: {
    beneficiary: {
      ...{ name: 'Budi Santoso', country_code: 'ID', account_number: '1234567890', relationship: 'Supplier' },
      ...ADDRESS,
    },
    routing: [['SWIFT', 'CENAIDJA']],
    remitter: { source_of_funds: 'Business income' },
  },
};

const COMPANY = { account_type: 'Company', purpose_code: 'IR01802' };

let next = 0;
const common = (currency: string) => {
  const { beneficiary, routing, remitter } = PARTIES[currency] ?? EURO;
  const number = String(++next).padStart(5, '0');
  const codes = routing.flatMap(([type, value], at) => [
    [`routing_code_type_${at + 1}`, type],
    [`routing_code_value_${at + 1}`, value],
  ]);
  const top = {
    request_id: `R-${number}`,
    transaction_number: `T-${number}`,
    destination_currency: currency,
    statement_narrative: 'Invoice 7',
    ...Object.fromEntries(codes),
  };
  return { top, beneficiary, remitter: { ...COMPANY, ...remitter } };
};

/** First version, of 100 units unless `more` says otherwise. A field that is undefined there is left out. */
export function payment(currency: string, more: Fields = {}): Fields {
  const { top, beneficiary, remitter } = common(currency);
  const flat = {
    ...Object.fromEntries(Object.entries(beneficiary).map(([name, value]) => [`beneficiary_${name}`, value])),
    ...Object.fromEntries(Object.entries(remitter).map(([name, value]) => [`remitter_${name}`, value])),
  };
  const { beneficiary_relationship, remitter_purpose_code, ...same } = flat;
  return {
    ...{ ...top, destination_amount: 100, ...same, remit_purpose_code: remitter_purpose_code },
    ...(beneficiary_relationship && { remitter_beneficiary_relationship: beneficiary_relationship }),
    ...more,
  };
}

/** Second version; objects in `more` are put into those of the payment. */
export function payout(currency: string, sourceAccount: number, more: Fields = {}): Fields {
  const { top, beneficiary, remitter } = common(currency);
  const body: Record<string, unknown> = {
    ...{ ...top, source_account: sourceAccount, fee_payer: 'OUR', beneficiary, remitter },
    ...('source_amount' in more ? {} : { destination_amount: 100 }),
  };
  for (const [name, value] of Object.entries(more)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    body[name] = isObject ? { ...(body[name] as object | undefined), ...value } : value;
  }
  return body;
}

/** As a form has it: `beneficiary[name]`. */
export function asForm(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[name, value]];
      return Object.entries(value).flatMap(([inner, part]) =>
        part === undefined ? [] : [[`${name}[${inner}]`, part]],
      );
    }),
  );
}

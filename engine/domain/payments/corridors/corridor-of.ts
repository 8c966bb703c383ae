import { ibanCountryOf, ibanExample } from '../../beneficiaries/identifiers/iban.js';
import { exponentOf, isIsoCurrency } from '../../money/money.js';
import type { PaymentMethod } from '../payment-details.js';
import type { Corridor } from './corridor.js';
import { isEuroCountry, isSepaCountry, SWIFT_CURRENCIES } from './countries.js';
import { CORRIDORS } from './table.js';
import type { AccountType, BeneficiaryIdentificationType } from './words.js';

const BY_COUNTRY = new Map(CORRIDORS.map((corridor) => [corridor.country, corridor]));
const SEPA = BY_COUNTRY.get('EU')!;

/**
 * The corridor by which a currency reaches a country: its own, SEPA for euro, or by SWIFT to any account where the currency crosses
 * borders. Undefined: none.
 */
export function corridorOf(country: string, currency: string): Corridor | undefined {
  const own = BY_COUNTRY.get(country);
  if (own?.currency === currency) return own;
  if (currency === SEPA.currency && isSepaCountry(country)) return SEPA;
  return SWIFT_CURRENCIES.includes(currency) ? bySwift(country, currency) : undefined;
}

/** The currency of a payment that names none: that of the country's corridor. */
export function corridorCurrency(country: string): string | undefined {
  return BY_COUNTRY.get(country)?.currency ?? (isEuroCountry(country) ? SEPA.currency : undefined);
}

/** Of an amount that is delivered by this method. */
export const deliveredDecimals = ({ decimals, methods }: Corridor, method: PaymentMethod): number =>
  methods[method]?.decimals ?? decimals;

/** In minor units: 100n where the ledger has two decimals and what is delivered has none. */
export function deliveredUnit(country: string, currency: string, method: PaymentMethod): bigint {
  const corridor = corridorOf(country, currency);
  const ledger = exponentOf(currency);
  return 10n ** BigInt(corridor ? ledger - deliveredDecimals(corridor, method) : 0);
}

/** Every currency that some corridor pays out or that goes by SWIFT. */
export function isPaidOut(currency: string): boolean {
  return (
    isIsoCurrency(currency) &&
    (SWIFT_CURRENCIES.includes(currency) || CORRIDORS.some((corridor) => corridor.currency === currency))
  );
}

type Kinds = Readonly<Partial<Record<AccountType, readonly BeneficiaryIdentificationType[]>>>;

/** Documents of countries that have no corridor of their own. */
const DOCUMENTS: Readonly<Record<string, Kinds>> = {
  AR: { Individual: ['CUIT', 'CUIL', 'DNI'], Company: ['CUIT'] },
  BO: { Individual: ['CI'] },
  BR: { Individual: ['CPF'], Company: ['CNPJ'] },
  CL: { Individual: ['RUT'], Company: ['RUT'] },
  CN: { Company: ['Company Social Credit Code', 'Company Organization Code'] },
  CO: { Individual: ['CC', 'CE', 'NIT'], Company: ['NIT'] },
  EC: { Individual: ['CI', 'RUC'], Company: ['RUC'] },
  PE: { Individual: ['DNI', 'RUC'], Company: ['RUC'] },
  PY: { Individual: ['RUC'], Company: ['RUC'] },
  UY: { Individual: ['CI', 'RUT'], Company: ['RUT'] },
};

/**
 * Where the country's accounts have IBANs the account is one. What a country requires about certain remitters, and about goods, applies by
 * SWIFT too.
 */
function bySwift(country: string, currency: string): Corridor {
  const own = BY_COUNTRY.get(country);
  const iban = ibanCountryOf(country);
  const decimals = exponentOf(currency);
  return {
    country,
    currency,
    decimals,
    methods: { BANK: {} },
    min: decimals === 0 ? '1' : '0.01',
    codes: {
      SWIFT: { form: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, check: 'bic', example: `AAAA${country}22` },
    },
    route: [['SWIFT']],
    account: iban
      ? {
          form: new RegExp(`^(${iban}|${country})\\d{2}[A-Z0-9]{11,30}$`),
          is: `an IBAN of ${iban}`,
          check: 'iban',
          example: ibanExample(iban),
        }
      : { form: /^[A-Z0-9]{1,34}$/, is: '1 to 34 letters and digits', example: '1234567890' },
    identification: {
      Individual: ['PASS', ...(DOCUMENTS[country]?.Individual ?? [])],
      Company: ['Company Registration No.', ...(DOCUMENTS[country]?.Company ?? [])],
    },
    isPurposeNeeded: false,
    beneficiary: [],
    remitter: own?.remitter.filter(({ when }) => when !== undefined) ?? [],
    forms: [],
    nameMax: 140,
    narrativeMax: 140,
    hasStructuredAddresses: true,
    ...(own?.needsTradeOrder && { needsTradeOrder: true }),
  };
}

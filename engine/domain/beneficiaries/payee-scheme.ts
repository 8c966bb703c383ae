/** Which scheme of payee verification covers an account. Apart from the answers: the table of countries loads what the command line does not need. */
import { isSepaCountry } from '../payments/corridors/countries.js';
import type { PaymentMethod } from '../payments/payment-details.js';
import type { PayeeScheme } from './payee-verification.js';

/** Undefined: no scheme covers such an account. */
export function schemeOf(country: string, currency: string, method: PaymentMethod): PayeeScheme | undefined {
  if (method !== 'BANK') return undefined;
  if (currency === 'GBP' && country === 'GB') return 'UK_COP';
  return currency === 'EUR' && isSepaCountry(country) ? 'SEPA_VOP' : undefined;
}

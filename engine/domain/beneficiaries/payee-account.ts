/** The one notation of an account that is paid, in which duplicates are found and a verified payee is recognised. */
import { corridorOf } from '../payments/corridors/corridor-of.js';
import type { PayeeDetails, PaymentMethod } from '../payments/payment-details.js';
import { nzAccount } from './identifiers/account-numbers.js';
import { compact } from './identifiers/identifier-normalisation.js';

export interface Payee {
  readonly country: string;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly details: PayeeDetails;
}

/**
 * Where the money goes: the same for the same account however it was written. Of an IBAN nothing else counts; of other accounts the routing codes
 * that lead there count, and what was sent beside them does not.
 */
export function accountOf({ country, currency, method, details }: Payee): readonly string[] {
  const { beneficiary } = details;
  const of = (...parts: readonly (string | undefined)[]) => [
    currency,
    method,
    country,
    ...parts.map((part) => compact(part ?? '', './')),
  ];
  if (method === 'WALLET') return of(beneficiary.walletId);
  if (method === 'CARD') return of(beneficiary.cardNumber);
  if (method === 'CASH')
    return of(beneficiary.contactNumber, beneficiary.identificationType, beneficiary.identificationValue);
  const number = compact(beneficiary.accountNumber ?? '');
  const corridor = corridorOf(country, currency);
  const check = corridor?.account.check;
  if (check === 'uk modulus' && number.startsWith('GB')) return of('SORT CODE', number.slice(8, 14), number.slice(14));
  // The country of an IBAN is in it: the beneficiary may live in another.
  if (check === 'iban') return [currency, method, 'IBAN', number];
  const codes = codesOf(details);
  const route = corridor?.route.find((kinds) => kinds.every((kind) => codes.has(kind))) ?? [...codes.keys()].sort();
  const account = (check === 'nz' && nzAccount(beneficiary.accountNumber ?? '')) || number;
  return of(...route.flatMap((kind) => [kind, codes.get(kind)]), account);
}

function codesOf(details: PayeeDetails): Map<string, string> {
  const codes = new Map<string, string>();
  for (const slot of [1, 2, 3] as const) {
    const [kind, value] = [details[`routingCodeType${slot}`], details[`routingCodeValue${slot}`]];
    if (kind === undefined || value === undefined) continue;
    const code = compact(value);
    // The head office has both forms.
    codes.set(kind, kind === 'SWIFT' && code.length === 8 ? code + HEAD_OFFICE : code);
  }
  return codes;
}

/** The branch in the long form of a BIC. */
const HEAD_OFFICE = 'X'.repeat(3);

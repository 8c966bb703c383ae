/** A version of a beneficiary from its fields: checked, its account hashed, its card numbers encrypted. And its fields again. */

import type { Beneficiary, BeneficiaryDetails, BeneficiaryFacts } from '../../domain/beneficiaries/beneficiary.js';
import type { Payee } from '../../domain/beneficiaries/payee-account.js';
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { withoutCards } from '../../domain/payments/card.js';
import { checkBeneficiary } from '../../domain/payments/check/check-payment.js';
import { corridorCurrency } from '../../domain/payments/corridors/corridor-of.js';
import type { PaymentMethod } from '../../domain/payments/payment-details.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { type Caller, clientOf } from '../core/caller.js';
import type { InputFaults } from '../core/operation.js';
import { openCards, sealCards } from '../core/sealed-cards.js';
import type { Services } from '../core/services.js';
import { payeeHash } from './payee-hash.js';

/** The fields of a beneficiary, by the names of a payment. */
export interface BeneficiaryInput extends BeneficiaryDetails {
  readonly destinationCurrency?: string | undefined;
}

/** All faults of the fields by themselves. */
export async function beneficiaryFaults(
  services: Services,
  caller: Caller,
  input: unknown,
): Promise<InputFaults | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { findings } = checkBeneficiary(input, {
    now: services.now(),
    onBehalf: client.onBehalf,
    allowTruncation: client.allowTruncation,
    ukModulus: services.settings.ukModulus,
    // There is no amount.
    usdEquivalent: () => undefined,
  });
  return { faults: findings };
}

/** Names of details in the order in which they are kept. */
const KEPT = [
  'payoutMethod',
  ...(['routingCodeType1', 'routingCodeValue1', 'routingCodeType2', 'routingCodeValue2'] as const),
  ...(['routingCodeType3', 'routingCodeValue3'] as const),
] as const;

export interface Version {
  readonly facts: BeneficiaryFacts;
  readonly account: string;
  readonly sealedCards: string;
}

/** Where the fields say that is paid. */
export function placeOf(input: BeneficiaryInput): Omit<Payee, 'details'> {
  const country = input.beneficiary.countryCode ?? '';
  const { destinationCurrency, payoutMethod = 'BANK' } = input;
  return {
    country,
    currency: destinationCurrency ?? corridorCurrency(country) ?? '',
    method: (payoutMethod === 'CASH_PAYOUT' ? 'CASH' : payoutMethod) as PaymentMethod,
  };
}

/** Of fields that were checked. */
export function versionOf(subKey: SubKey, id: string, input: BeneficiaryInput, by: string): Version {
  const details: BeneficiaryDetails = { beneficiary: sent(input.beneficiary) };
  for (const name of KEPT) if (input[name] !== undefined) Object.assign(details, { [name]: input[name] });
  const clear = { ...placeOf(input), details, by };
  const { facts, cards } = withoutCards(clear);
  return { facts, account: payeeHash(subKey, clear), sealedCards: sealCards(subKey, id, cards) };
}

/** In one order, so that equal fields are equal text. */
const sent = <Part extends object>(part: Part): Part =>
  Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ) as Part;

/** Its fields with card numbers in clear, as they were sent. */
export function fieldsOf(subKey: SubKey, { id, currency, details, sealedCards }: Beneficiary): BeneficiaryInput {
  const cards = openCards(subKey, id, sealedCards);
  return { ...details, destinationCurrency: currency, beneficiary: { ...details.beneficiary, ...cards } };
}

/** The hash of the account of a stored beneficiary, computed again. */
export function accountHash(subKey: SubKey, beneficiary: Beneficiary): string {
  const { country, currency, method } = beneficiary;
  return payeeHash(subKey, { country, currency, method, details: fieldsOf(subKey, beneficiary) });
}

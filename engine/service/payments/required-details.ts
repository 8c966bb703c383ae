import { z } from 'zod';
import { corridorCurrency, corridorOf } from '../../domain/corridors/corridor-of.js';
import { isCountry } from '../../domain/corridors/countries.js';
import { THRESHOLDS_USD, type Threshold } from '../../domain/corridors/when.js';
import { ACCOUNT_TYPES } from '../../domain/corridors/words.js';
import { isIsoCurrency } from '../../domain/money.js';
import { requiredDetails as detailsOf } from '../../domain/payment-check/required-details.js';
import { PAYMENT_METHODS } from '../../domain/payment-details.js';
import { isRefusal, refuseField } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { boundedText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { usdEquivalent } from './payment-faults.js';

const words = <const Words extends readonly [string, ...string[]]>(given: Words, description: string) =>
  z
    .enum(['', ...given], { error: `one of ${given.join(', ')}` })
    .optional()
    .meta({ description, enum: [...given], examples: [given[0]] });

/**
 * The details that a payment to a country in a currency by a method requires of this client: the rules of `validatePayment`, in advance.
 * Refuses with VALIDATION_FAILED where there is no such corridor.
 */
export const requiredDetails = defineOperation({
  input: z.object({
    country: boundedText(8, 'a country code').meta({
      description: 'Country of the beneficiary, ISO 3166-1 code of two letters; EU means any country of SEPA',
      examples: ['IN'],
    }),
    currency: boundedText(8, 'a currency code')
      .optional()
      .meta({ description: 'Currency that the beneficiary receives. Default: that of the country', examples: ['INR'] }),
    method: words(PAYMENT_METHODS, 'How the beneficiary is paid. Default: BANK'),
    party: words(ACCOUNT_TYPES, 'Who is paid. Default: either, with conditions for each'),
  }),
  async execute(services, caller, input) {
    const { country } = input;
    const currency = input.currency || corridorCurrency(country);
    const method = input.method || 'BANK';
    const isSepa = country === 'EU' && currency === 'EUR';
    if (!isSepa && !isCountry(country)) return refuseField('country', `${country} is no ISO 3166-1 country code`);
    if (currency === undefined)
      return refuseField('currency', `${country} has no currency of its own here: name one`, 'field_missing');
    const corridor = isIsoCurrency(currency) ? corridorOf(country, currency) : undefined;
    if (corridor === undefined) return refuseField('currency', `${currency} does not go to ${country}`);
    if (corridor.methods[method] === undefined)
      return refuseField('method', `${currency} to ${country} goes by ${Object.keys(corridor.methods).join(', ')}`);

    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return detailsOf({
      corridor,
      country: isSepa ? undefined : country,
      method,
      party: input.party || undefined,
      onBehalf: client.onBehalf,
      worthFrom: { identity: worthOf(services, 'identity', currency), purpose: worthOf(services, 'purpose', currency) },
    });
  },
});

/** A threshold in units of the currency. */
function worthOf(services: Services, threshold: Threshold, currency: string): number | undefined {
  const usd = usdEquivalent(services, 1, currency);
  const limit = (services.settings.thresholdsUsd ?? THRESHOLDS_USD)[threshold];
  return usd === undefined ? undefined : Math.floor((limit / usd) * 100) / 100;
}

import { z } from 'zod';
import { keepLast } from '../../domain/core/keep-last.js';
import { isRefusal, refuseField } from '../../domain/core/refusal.js';
import { isIsoCurrency } from '../../domain/money/money.js';
import type { DetailsRequest } from '../../domain/payments/check/field-format.js';
import { requiredDetails as detailsOf, type RequiredDetails } from '../../domain/payments/check/required-details.js';
import { corridorCurrency, corridorOf } from '../../domain/payments/corridors/corridor-of.js';
import { isPayeeCountry } from '../../domain/payments/corridors/countries.js';
import { THRESHOLDS_USD } from '../../domain/payments/corridors/when.js';
import { ACCOUNT_TYPES } from '../../domain/payments/corridors/words.js';
import { PAYMENT_METHODS } from '../../domain/payments/payment-details.js';
import { clientOf } from '../core/caller.js';
import { boundedText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
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
    for: words(
      ['payment', 'beneficiary'],
      'What the fields are for: a payment, or a stored beneficiary. Default: payment',
    ),
    party: words(ACCOUNT_TYPES, 'Who is paid. Default: either, with conditions for each'),
  }),
  async execute(services, caller, input) {
    const { country } = input;
    const currency = input.currency || corridorCurrency(country);
    const method = input.method || 'BANK';
    const isSepa = country === 'EU' && currency === 'EUR';
    if (!isSepa && !isPayeeCountry(country)) return refuseField('country', `${country} is no ISO 3166-1 country code`);
    if (currency === undefined)
      return refuseField('currency', `${country} has no currency of its own here: name one`, 'field_missing');
    const corridor = isIsoCurrency(currency) ? corridorOf(country, currency) : undefined;
    if (corridor === undefined) return refuseField('currency', `${currency} does not go to ${country}`);
    if (corridor.methods[method] === undefined)
      return refuseField('method', `${currency} to ${country} goes by ${Object.keys(corridor.methods).join(', ')}`);

    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const usd = usdEquivalent(services, 1, currency);
    const thresholds = services.settings.thresholdsUsd ?? THRESHOLDS_USD;
    return cachedDetails({
      corridor,
      country: isSepa ? undefined : country,
      method,
      party: input.party || undefined,
      onBehalf: client.onBehalf,
      of: input.for || 'payment',
      worthFrom: { identity: worthOf(thresholds.identity, usd), purpose: worthOf(thresholds.purpose, usd) },
    });
  },
});

/** The corridors that clients use, in the few forms in which they ask for them; the entry used longest ago is evicted first. */
const CACHED_MAX = 256;
const cached = new Map<string, RequiredDetails>();

/** The same object for the same request: REST keeps the bytes of its answer with it. */
function cachedDetails(request: DetailsRequest): RequiredDetails {
  const { corridor, country, method, party, onBehalf, of, worthFrom } = request;
  const rest = [method, party, onBehalf, of, worthFrom.identity, worthFrom.purpose];
  const name = [country, corridor.country, corridor.currency, ...rest].join(' ');
  const details = cached.get(name) ?? detailsOf(request);
  keepLast(cached, name, details, CACHED_MAX);
  return details;
}

/** A threshold in units of a currency of which one is worth `usd`. */
const worthOf = (thresholdUsd: number, usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : Math.floor((thresholdUsd / usd) * 100) / 100;

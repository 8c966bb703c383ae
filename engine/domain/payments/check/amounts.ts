/** How much: one amount decides, and it is one that the corridor carries (G6, G18). */

import { Decimal } from '../../money/decimal.js';
import { exponentOf, isIsoCurrency } from '../../money/money.js';
import { pairOf } from '../../money/pair.js';
import { deliveredDecimals } from '../corridors/corridor-of.js';
import type { Field } from '../corridors/field.js';
import { type Examined, type Findings, OFF_UNIT } from './context.js';

/** Of significant digits, as JSON numbers keep them. */
const MAX_DIGITS = 15;

/** The amount that decides, as submitted, where there is one: thresholds are measured by it. */
export function decidingAmount({
  submitted,
  currency,
  context,
}: Pick<Examined, 'submitted' | 'currency' | 'context'>):
  | { readonly amount: number; readonly currency: string }
  | undefined {
  const positive = (amount: number | undefined, of: string | undefined) =>
    amount !== undefined && amount > 0 && of !== undefined && isIsoCurrency(of) ? { amount, currency: of } : undefined;
  return (
    positive(submitted.number('destinationAmount'), currency) ??
    positive(submitted.number('equivalentAmount'), submitted.text('equivalentCurrency')) ??
    positive(submitted.number('sourceAmount'), context.sourceCurrency)
  );
}

export function checkAmounts(examined: Examined): void {
  if (examined.version === 1) checkFirstVersion(examined);
  else checkSecondVersion(examined);
  checkDeduction(examined);
  const trade = examined.submitted.number('additionalInfo.tradeAmount');
  if (trade !== undefined) checkPositive(examined.found, 'additionalInfo.tradeAmount', trade);
}

function checkFirstVersion(examined: Examined): void {
  const { submitted, found } = examined;
  const destination = submitted.number('destinationAmount');
  const equivalent = submitted.number('equivalentAmount');
  if (!submitted.has('destinationAmount')) {
    found.add('destinationAmount', 'field_missing', 'required; 0 where equivalent_amount decides', 'required');
  } else if (destination === 0) {
    if (!submitted.has('equivalentAmount'))
      found.add('equivalentAmount', 'field_missing', 'mandatory when destination_amount is 0', 'conditional');
  } else if (destination !== undefined) {
    checkDestination(examined, destination);
    if (submitted.has('equivalentAmount'))
      found.add('equivalentAmount', 'invalid_combination', 'send it with destination_amount 0 alone', 'conditional');
  }
  if (equivalent === undefined) return;
  const currency = submitted.text('equivalentCurrency');
  checkPositive(found, 'equivalentAmount', equivalent, currency);
  if (equivalent > 0 && !submitted.has('equivalentCurrency'))
    found.add('equivalentCurrency', 'field_missing', 'mandatory with equivalent_amount', 'conditional');
  const into = examined.currency;
  const isConverted = currency === undefined || into === undefined || currency === into || pairOf(currency, into);
  if (!isConverted)
    found.add('equivalentCurrency', 'incorrect_value', `${currency} is not converted into ${into}`, 'conditional');
}

function checkSecondVersion(examined: Examined): void {
  const { submitted, found, context } = examined;
  if (!submitted.has('sourceAccount')) found.add('sourceAccount', 'field_missing', 'required', 'required');
  if (!submitted.has('feePayer')) found.add('feePayer', 'field_missing', 'required', 'required');
  const isSource = submitted.has('sourceAmount');
  const isDestination = submitted.has('destinationAmount');
  if (isSource && isDestination)
    found.add(
      'sourceAmount',
      'invalid_combination',
      'send source_amount or destination_amount, not both',
      'conditional',
    );
  if (!isSource && !isDestination)
    found.add('destinationAmount', 'field_missing', 'send destination_amount or source_amount', 'conditional');
  const source = submitted.number('sourceAmount');
  if (source !== undefined) checkPositive(found, 'sourceAmount', source, context.sourceCurrency);
  const destination = submitted.number('destinationAmount');
  if (destination !== undefined) checkDestination(examined, destination);
}

/**
 * In units of the corridor's currency. With OUR the beneficiary is to have all of it, but for a deduction: it must be one that the method
 * delivers. What fee and deduction leave is judged when the payment is created; it is never more than this.
 */
function checkDestination(examined: Examined, amount: number): void {
  const { version, submitted, found, corridor, method, limits } = examined;
  const field = 'destinationAmount';
  checkPositive(found, field, amount, corridor?.currency);
  if (corridor === undefined || method === undefined || limits === undefined || found.has(field)) return;
  const { country, currency, min } = corridor;
  const { max, slowAbove } = limits;
  const decimals = deliveredDecimals(corridor, method);
  const isOur = version === 1 || submitted.text('feePayer') !== 'BEN';
  const isDelivered = isOur && !submitted.number(deductionOf(version));
  if (isOur && decimalsOf(amount) > decimals) {
    const is = decimals === 0 ? `whole ${currency} only` : `at most ${decimals} decimals`;
    found.add(
      field,
      'incorrect_format',
      `payments to ${examined.country ?? country} by ${method} take ${is}`,
      `${country}${OFF_UNIT}`,
    );
  } else if (new Decimal(amount).lt(min)) {
    found.add(field, 'not_allowed', `at least ${currency} ${min}`, `${country}.min`);
  } else if (isDelivered && max !== undefined && new Decimal(amount).gt(max)) {
    found.add(field, 'not_allowed', `at most ${currency} ${max}`, `${country}.max`);
  } else if (slowAbove !== undefined && new Decimal(amount).gt(slowAbove)) {
    found.warn(field, 'not_allowed', `above ${currency} ${slowAbove} it is not instant`, `${country}.max`);
  }
}

function checkPositive(found: Findings, field: Field, amount: number, currency?: string): void {
  const text = new Decimal(amount).toFixed();
  if (amount <= 0) {
    found.add(field, 'incorrect_format', 'above 0', 'G6');
  } else if (text.replace('.', '').replace(/^0+/, '').length > MAX_DIGITS) {
    found.add(field, 'incorrect_format', `at most ${MAX_DIGITS} significant digits`, 'G6');
  } else if (currency !== undefined && isIsoCurrency(currency) && decimalsOf(amount) > exponentOf(currency)) {
    found.add(field, 'incorrect_format', `${currency} has ${exponentOf(currency)} decimals`, 'G6');
  }
}

/** What is deducted leaves something to deliver (G18). */
function checkDeduction({ submitted, found, version, currency }: Examined): void {
  const field = deductionOf(version);
  const deducted = submitted.number(field);
  if (deducted === undefined) return;
  const destination = submitted.number('destinationAmount');
  if (deducted < 0) found.add(field, 'incorrect_value', '0 or more', 'G18');
  else if (destination !== undefined && destination > 0 && new Decimal(deducted).gte(destination))
    found.add(field, 'incorrect_value', 'less than destination_amount', 'G18');
  else if (deducted > 0) checkPositive(found, field, deducted, currency);
}

const deductionOf = (version: 1 | 2): Field => (version === 1 ? 'deductAmount' : 'payoutOptions.deductAmount');

function decimalsOf(amount: number): number {
  return new Decimal(amount).decimalPlaces();
}

/**
 * Whether a payment can be made as requested: the general rules, what becomes mandatory by what else was sent, and the corridor's
 * own. All that is wrong at once; never throws, whatever was sent.
 */

import { isOfBeneficiary } from '../../beneficiaries/beneficiary.js';
import { isIsoCurrency } from '../../money/money.js';
import type { Corridor } from '../corridors/corridor.js';
import { corridorCurrency, corridorOf, isPaidOut } from '../corridors/corridor-of.js';
import { isPayeeCountry, SWIFT_CURRENCIES } from '../corridors/countries.js';
import { type Circumstances, THRESHOLDS_USD } from '../corridors/when.js';
import { ACCOUNT_TYPES, type AccountType } from '../corridors/words.js';
import { checkAccount } from './account.js';
import { checkAmounts, decidingAmount } from './amounts.js';
import { type CheckContext, type Examined, type Finding, Findings, type PaymentToCheck } from './context.js';
import { checkForms, checkMethod, checkNames, checkNarrative, checkTowns, methodOf } from './corridor-rules.js';
import { checkDates, checkIdentification, checkPurpose } from './parties.js';
import { checkPairs, checkRequiredFields } from './required-fields.js';
import { checkRouting } from './routing.js';
import { SubmittedFields } from './submitted-fields.js';
import { checkTexts } from './texts.js';

export interface Checked {
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export function checkPayment(payment: PaymentToCheck, context: CheckContext): Checked {
  const examined = examine(payment, context);
  checkTexts(examined);
  checkCountryAndCurrency(examined);
  checkMethod(examined);
  checkPairs(examined);
  checkRequiredFields(examined);
  checkAmounts(examined);
  checkNames(examined);
  checkTowns(examined);
  checkNarrative(examined);
  checkForms(examined);
  checkDates(examined);
  checkAccount(examined, checkRouting(examined));
  checkIdentification(examined);
  checkPurpose(examined);
  const { all: findings, warnings } = examined.found;
  return { findings, warnings };
}

/** What is wrong with a beneficiary by itself: what depends on a payment's amount, purpose or remitter is checked again with each payment. */
export function checkBeneficiary(input: unknown, context: CheckContext): Checked {
  const { findings, warnings } = checkPayment({ version: 2, input }, context);
  const concerns = ({ field }: Finding) => isOfBeneficiary(field);
  return { findings: findings.filter(concerns), warnings: warnings.filter(concerns) };
}

function examine({ version, input }: PaymentToCheck, context: CheckContext): Examined {
  const submitted = new SubmittedFields(input);
  const sentCountry = submitted.text('beneficiary.countryCode');
  const country = sentCountry !== undefined && isPayeeCountry(sentCountry) ? sentCountry : undefined;
  const sentCurrency = submitted.text('destinationCurrency');
  const ownCurrency =
    country === undefined || submitted.has('destinationCurrency') ? undefined : corridorCurrency(country);
  const currency = sentCurrency !== undefined && isIsoCurrency(sentCurrency) ? sentCurrency : ownCurrency;
  const corridor = country === undefined || currency === undefined ? undefined : corridorOf(country, currency);
  const method = methodOf(submitted);
  const found = new Findings();
  const deciding = decidingAmount({ submitted, currency, context });
  const usd = deciding && context.usdEquivalent(deciding.amount, deciding.currency);
  const thresholds = context.thresholds ?? THRESHOLDS_USD;
  const circumstances: Circumstances = {
    method,
    remitter: accountType(submitted.text('remitter.accountType')),
    beneficiary: submitted.has('beneficiary.accountType')
      ? accountType(submitted.text('beneficiary.accountType'))
      : partyWith(submitted.text('beneficiary.identificationType'), corridor),
    onBehalf: context.onBehalf,
    isIban: method === 'BANK' && isIbanShaped(submitted.text('beneficiary.accountNumber'), corridor?.account.check),
    purpose: submitted.text('remitter.purposeCode'),
    reaches: (threshold) => deciding !== undefined && (usd === undefined || usd >= thresholds[threshold]),
    isSubmitted: (field) => submitted.has(field),
  };
  const limits = method && corridor?.methods[method];
  return { version, submitted, found, context, circumstances, country, currency, method, corridor, limits };
}

function accountType(text: string | undefined): AccountType | undefined {
  return ACCOUNT_TYPES.find((type) => type === text);
}

/** The documented default: a company where only companies have such a document, else a person. */
function partyWith(document: string | undefined, corridor: Corridor | undefined): AccountType {
  const has = (party: AccountType) => corridor?.identification[party].some((type) => type === document);
  return has('Company') && !has('Individual') ? 'Company' : 'Individual';
}

/** An account is an IBAN where the corridor requires one, or where a GB account has the form of one. */
function isIbanShaped(account: string | undefined, check: string | undefined): boolean {
  if (account === undefined) return false;
  return check === 'iban' || (check === 'uk modulus' && /^\s*gb/i.test(account));
}

/** Whether the currency reaches the country at all (G5). */
function checkCountryAndCurrency({ submitted, found, country, currency, corridor }: Examined): void {
  if (country === undefined || corridor !== undefined) return;
  const own = corridorCurrency(country);
  const ways = `${own ? `${own}, or ` : ''}by SWIFT ${SWIFT_CURRENCIES.join(', ')}`;
  if (!submitted.has('destinationCurrency')) {
    found.add('destinationCurrency', 'field_missing', `${country} has no currency of its own here: send ${ways}`, 'G5');
  } else if (currency !== undefined) {
    const isKnown = isPaidOut(currency);
    const text = isKnown ? `${currency} does not go to ${country}: send ${ways}` : `${currency} is not paid out`;
    found.add('destinationCurrency', isKnown ? 'not_allowed' : 'incorrect_value', text, 'G5');
  }
}

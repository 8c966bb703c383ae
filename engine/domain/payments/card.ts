/**
 * Card numbers in a payment: the number of the beneficiary's card, and an account number of China that is one of a UnionPay card. What is kept of
 * them in clear is the last four digits.
 */
import { luhnFault } from '../beneficiaries/identifiers/account-numbers.js';
import { compact } from '../beneficiaries/identifiers/identifier-normalisation.js';
import type { PaymentFacts } from './payment.js';
import type { Beneficiary } from './payment-details.js';

/** In clear; absent where the payment has none. */
export interface Cards {
  readonly cardNumber?: string | undefined;
  readonly accountNumber?: string | undefined;
}

/** What may hold one: a payment, or a stored beneficiary. */
interface Holder extends Pick<PaymentFacts, 'country' | 'method'> {
  readonly details: { readonly beneficiary: Beneficiary };
}

const SHOWN_DIGITS = 4;

/** The facts without what is to be kept secret, and that; a card number is kept for the method CARD alone. */
export function withoutCards<Facts extends Holder>(facts: Facts): { readonly facts: Facts; readonly cards: Cards } {
  const { beneficiary } = facts.details;
  const { cardNumber, accountNumber } = clearCards(facts);
  if (beneficiary.cardNumber === undefined && accountNumber === undefined) return { facts, cards: {} };
  const { cardNumber: _number, ...others } = beneficiary;
  const ofMethod = facts.method === 'CARD' ? beneficiary : others;
  const masked = {
    ...ofMethod,
    ...(cardNumber !== undefined && { cardNumber: lastFour(cardNumber) }),
    ...(accountNumber !== undefined && { accountNumber: lastFour(accountNumber) }),
  };
  return {
    facts: { ...facts, details: { ...facts.details, beneficiary: masked } },
    cards: { ...(cardNumber !== undefined && { cardNumber }), ...(accountNumber !== undefined && { accountNumber }) },
  };
}

function clearCards({ details: { beneficiary }, country, method }: Holder): Cards {
  const { cardNumber, accountNumber } = beneficiary;
  return {
    ...(method === 'CARD' && isNumber(cardNumber) && { cardNumber }),
    ...(isUnionPay(country, accountNumber) && { accountNumber }),
  };
}

const isNumber = (text: string | undefined): text is string => text !== undefined && /\d{5}/.test(compact(text));

/** Of China: 62 and 14 to 17 digits more, with Luhn's check digit. */
function isUnionPay(country: string, account: string | undefined): account is string {
  if (country !== 'CN' || account === undefined) return false;
  const digits = compact(account);
  return /^62\d{14,17}$/.test(digits) && luhnFault(digits) === undefined;
}

function lastFour(number: string): string {
  const digits = compact(number);
  return `${'*'.repeat(Math.max(0, digits.length - SHOWN_DIGITS))}${digits.slice(-SHOWN_DIGITS)}`;
}

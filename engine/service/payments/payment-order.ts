/** The common form of a requested payment, from either version of the operation. */

import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { parseAmount, parsePositive } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { narrativeFor } from '../../domain/payments/check/corridor-rules.js';
import { corridorCurrency, corridorOf, deliveredUnit } from '../../domain/payments/corridors/corridor-of.js';
import type { PaymentAmount } from '../../domain/payments/payment.js';
import type { PaymentDetails, PaymentMethod } from '../../domain/payments/payment-details.js';
import type { Client } from '../../store/access/clients.js';
import type { Services } from '../core/services.js';
import type { PaymentOrder } from './pay.js';
import type { CreatePaymentInput, CreatePayoutInput } from './payment-input.js';
import { paymentRate } from './payment-sells.js';

/** Version 1: the fee is on top, and an amount in another currency is converted once, now. */
export function orderOfPayment(services: Services, client: Client, input: CreatePaymentInput): PaymentOrder {
  const { accountNumber, destinationAmount, equivalentAmount, equivalentCurrency, deductAmount = 0 } = input;
  const where = whereOf(input);
  const { currency } = where;
  const amount =
    equivalentAmount === undefined || equivalentCurrency === undefined
      ? destination(parsePositive(destinationAmount, currency))
      : equivalent(services, client, where, parsePositive(equivalentAmount, equivalentCurrency), equivalentCurrency);
  return orderFrom(input, where, {
    version: 1,
    amount,
    sourceAccount: accountNumber === undefined ? undefined : String(accountNumber),
    feePayer: 'OUR',
    deduct: deductOf(deductAmount, currency),
    holdId: undefined,
  });
}

/** Version 2: `sourceCurrency` is that of the source account, undefined where the account is not the client's. */
export function orderOfPayout(input: CreatePayoutInput, sourceCurrency: string | undefined): PaymentOrder {
  const { sourceAccount, sourceAmount, destinationAmount, feePayer, payoutOptions } = input;
  const where = whereOf(input);
  const { currency } = where;
  const amount =
    sourceAmount === undefined
      ? destination(parsePositive(destinationAmount ?? 0, currency))
      : source(parsePositive(sourceAmount, sourceCurrency ?? currency));
  return orderFrom(input, where, {
    version: 2,
    amount,
    sourceAccount: String(sourceAccount),
    feePayer,
    deduct: deductOf(payoutOptions.deductAmount ?? 0, currency),
    holdId: payoutOptions.fxHoldId,
  });
}

type Same = PaymentDetails & Pick<CreatePaymentInput, 'requestId' | 'transactionNumber' | 'destinationCurrency'>;
type Where = Pick<PaymentOrder, 'country' | 'currency' | 'method'>;
type Own = Pick<PaymentOrder, 'version' | 'amount' | 'sourceAccount' | 'feePayer' | 'deduct' | 'holdId'>;

function whereOf(input: Same): Where {
  const country = input.beneficiary.countryCode ?? '';
  const currency = input.destinationCurrency ?? corridorCurrency(country) ?? '';
  return { country, currency, method: methodOf(input) };
}

/** Each member by its name: an object that begins with the members of another costs several microseconds. */
function orderFrom(input: Same, { country, currency, method }: Where, own: Own): PaymentOrder {
  const { requestId, transactionNumber } = input;
  const { version, amount, sourceAccount, feePayer, deduct, holdId } = own;
  const statementNarrative = narrativeFor(input.statementNarrative ?? '', corridorOf(country, currency));
  const details = detailsOf(input, statementNarrative);
  return {
    version,
    requestId,
    transactionNumber,
    country,
    currency,
    method,
    details,
    amount,
    sourceAccount,
    feePayer,
    deduct,
    holdId,
  };
}

/** Of the details, what may be absent. */
const SENT = [
  ...(['depositMethod', 'payoutMethod', 'localConversionCurrency'] as const),
  ...(['originalRemitterFi', 'destinationAccount'] as const),
  ...(['routingCodeType1', 'routingCodeType2', 'routingCodeType3'] as const),
  ...(['routingCodeValue1', 'routingCodeValue2', 'routingCodeValue3'] as const),
];

function detailsOf(input: PaymentDetails, statementNarrative: string): PaymentDetails {
  const { remitter, beneficiary, additionalInfo } = input;
  const details: PaymentDetails = { statementNarrative, remitter, beneficiary, additionalInfo };
  for (const name of SENT) if (input[name] !== undefined) Object.assign(details, { [name]: input[name] });
  return details;
}

function methodOf({ depositMethod, payoutMethod }: Pick<PaymentDetails, 'depositMethod' | 'payoutMethod'>) {
  const named = depositMethod ?? payoutMethod ?? 'BANK';
  return (named === 'CASH_PAYOUT' ? 'CASH' : named) as PaymentMethod;
}

const destination = (minor: bigint | Refusal): PaymentAmount | Refusal =>
  isRefusal(minor) ? minor : { kind: 'destination', minor };
const source = (minor: bigint | Refusal): PaymentAmount | Refusal =>
  isRefusal(minor) ? minor : { kind: 'source', minor };

function deductOf(amount: number, currency: string): bigint {
  const minor = parseAmount(amount, currency);
  return isRefusal(minor) ? 0n : minor;
}

/** Rounded down to the method's unit of delivery. Refuses with NOT_ENTITLED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN. */
function equivalent(
  services: Services,
  client: Client,
  { country, currency, method }: Where,
  minor: bigint | Refusal,
  sellCurrency: string,
): PaymentAmount | Refusal {
  if (isRefusal(minor)) return minor;
  const bought = sellCurrency === currency ? minor : boughtFor(services, client, minor, sellCurrency, currency);
  if (isRefusal(bought)) return bought;
  const unit = deliveredUnit(country, currency, method);
  return { kind: 'destination', minor: bought - (bought % unit) };
}

function boughtFor(
  services: Services,
  client: Client,
  minor: bigint,
  sellCurrency: string,
  buyCurrency: string,
): bigint | Refusal {
  const rate = paymentRate(services, { clientId: client.id, sellCurrency, buyCurrency }, { side: 'sell', minor });
  if (isRefusal(rate)) return rate;
  const pair = pairBySymbol(rate.pair)!;
  const conversion = convert({ ...rate, pair, sell: sellCurrency, amount: { side: 'sell', minor } });
  return isRefusal(conversion) ? conversion : conversion.buyMinor;
}

/** What the limits of a client say of a deal: its value, and the limits that the store's step has to judge. */
import { type Hold, holdSelling } from '../../domain/booking.js';
import { convert } from '../../domain/conversion.js';
import { pairBySymbol } from '../../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { type LimitName, type Limits, limitRefusal } from '../../domain/risk/limits.js';
import { baseWorth } from '../../rates/base-worth.js';
import type { StepLimits } from '../../store/ledger/limits.js';
import type { Services } from '../core/services.js';

export interface DealLegs {
  readonly sellCurrency: string;
  readonly sellMinor: bigint;
  readonly buyCurrency: string;
  readonly buyMinor: bigint;
}

/** The values of the two legs at the mid of this moment, whole minor units of the base currency. */
interface DealValue {
  readonly sell: number;
  readonly buy: number;
}

const NO_VALUE = 'No fresh price values this deal against your limits: try again in a few seconds';

/** What the largest single deal is compared with; undefined: the client has no such limit, and nothing is valued. */
export function dealValue(
  services: Services,
  limits: Limits | undefined,
  legs: DealLegs,
): DealValue | Refusal | undefined {
  if (limits?.deal === undefined) return undefined;
  const sell = worth(services, legs.sellCurrency, legs.sellMinor);
  const buy = worth(services, legs.buyCurrency, legs.buyMinor);
  return sell === undefined || buy === undefined ? refuse('MARKET_CLOSED', NO_VALUE) : { sell, buy };
}

/** The mid is as old as a price may be at most. */
function worth({ book, limits }: Services, currency: string, minor: bigint): number | undefined {
  const each = baseWorth(book, currency, limits.base, book.maxAgeMs);
  return each === undefined ? undefined : Math.round(Number(minor) * each);
}

/** CREDIT_LIMIT where a single deal is larger than it may be: by the larger of its legs. */
export function aboveDealLimit(limits: Limits | undefined, value: DealValue | undefined): Refusal | undefined {
  if (limits?.deal === undefined || value === undefined) return undefined;
  return Math.max(value.sell, value.buy) > limits.deal ? limitRefusal('deal') : undefined;
}

/** The refusals of dealValue and aboveDealLimit at once. */
export function checkDeal(services: Services, clientId: string, legs: DealLegs): Refusal | undefined {
  const limits = services.limits.of(clientId);
  const value = dealValue(services, limits, legs);
  return isRefusal(value) ? value : aboveDealLimit(limits, value);
}

/**
 * The limit of a single deal that a hold exceeds in every direction in which it may be booked; undefined: none, and a hold without an amount,
 * which its booking judges. Refuses with MARKET_CLOSED where it cannot be valued.
 */
export function holdAboveLimit(services: Services, clientId: string, hold: Hold): LimitName | Refusal | undefined {
  const limits = services.limits.of(clientId);
  if (limits?.deal === undefined || hold.amount === undefined) return undefined;
  const directions = hold.opposite === undefined ? [hold] : [hold, holdSelling(hold, hold.buyCurrency)];
  const values = directions.map((one) => dealValue(services, limits, legsOf(one)));
  const closed = values.find(isRefusal);
  if (closed) return closed;
  const isAbove = values.every((value) => aboveDealLimit(limits, value as DealValue) !== undefined);
  return isAbove ? 'deal' : undefined;
}

function legsOf(hold: Hold): DealLegs {
  const { sellCurrency, buyCurrency, amount } = hold;
  const given = { side: amount!.side, minor: BigInt(amount!.minor) };
  const conversion = convert({ ...hold, pair: pairBySymbol(hold.pair)!, sell: sellCurrency, amount: given });
  // The offer was made by the same conversion.
  if (isRefusal(conversion)) throw new Error(`hold ${hold.id}: ${conversion.text}`);
  return { sellCurrency, buyCurrency, ...conversion };
}

/** What the step judges; undefined: nothing. */
export function stepLimits(limits: Limits | undefined): StepLimits | undefined {
  return limits?.dealsPerSecond === undefined ? undefined : { dealsPerSecond: limits.dealsPerSecond };
}

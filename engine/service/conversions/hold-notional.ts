/** The value of open holds in US dollars: how much of its limit a client has used, and the maximum of a hold without an amount. */
import { type Hold, holdSelling } from '../../domain/conversions/booking.js';
import {
  HOLD_LIMIT_USD,
  HOLD_MAXIMUM_USD,
  PLATFORM_HOLD_LIMIT_USD,
  PLATFORM_HOLDS_MAX,
} from '../../domain/conversions/hold-period.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf, convert } from '../../domain/money/conversion.js';
import { Decimal, decimalFromScaled } from '../../domain/money/decimal.js';
import { exponentOf, formatMinor } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { PRICE_RETRY_AFTER_S } from '../../rates/pricing.js';
import { usdWorth } from '../../rates/usd-worth.js';
import type { Client } from '../../store/access/clients.js';
import type { HoldRequest } from '../../store/conversions/holds.js';
import type { Services } from '../core/services.js';

/** Maximum age of a price used to value holds. */
const WORTH_AGE_MS = 60_000;

export interface HoldNotional {
  /** Value of the hold, US cents. */
  readonly usd: string;
  /** Maximum of a hold without an amount, minor units of the pair's base. */
  readonly maximum?: string;
}

/** Maximum total value of the client's open holds, US cents. */
export function holdLimitOf({ settings }: Services, client: Client): bigint {
  return BigInt(client.holdLimitUsd ?? settings.holdLimitUsd ?? HOLD_LIMIT_USD) * 100n;
}

/**
 * What the open holds of the client's platform and its sub-clients may be at most: in US cents the platform's own limit, or else that of the settings.
 * Undefined: the client is of no platform.
 */
export async function platformLimitsOf(
  { settings, store }: Services,
  client: Client,
): Promise<HoldRequest['platform']> {
  if (client.platform === undefined && !client.isPlatform) return undefined;
  const platform = client.platform === undefined ? client : await store.clients.cached(client.platform);
  const usd = platform?.holdLimitUsd ?? settings.platformHoldLimitUsd ?? PLATFORM_HOLD_LIMIT_USD;
  return { limitUsd: BigInt(usd) * 100n, most: PLATFORM_HOLDS_MAX };
}

/**
 * The value of a hold locked now, and its maximum: of a two-way hold, which is booked once, the larger value and the smaller maximum of its
 * directions. Refuses with RATE_UNAVAILABLE where no price of the last minute values its base or quote currency, and with HOLD_LIMIT where an
 * amount is required.
 */
export function notionalOf(services: Services, client: Client, hold: Hold): HoldNotional | Refusal {
  const one = notionalOfDirection(services, client, hold);
  if (hold.opposite === undefined || isRefusal(one)) return one;
  const other = notionalOfDirection(services, client, holdSelling(hold, hold.buyCurrency));
  if (isRefusal(other)) return other;
  const usd = BigInt(one.usd) > BigInt(other.usd) ? one.usd : other.usd;
  const smaller = BigInt(one.maximum ?? 0) < BigInt(other.maximum ?? 0) ? one : other;
  return { ...smaller, usd };
}

function notionalOfDirection(services: Services, client: Client, hold: Hold): HoldNotional | Refusal {
  const pair = pairBySymbol(hold.pair)!;
  const usdPerMinor = worthOf(services, pair, hold);
  if (isRefusal(usdPerMinor)) return usdPerMinor;
  if (hold.amount) return { usd: amountUsd(pair, hold, usdPerMinor) };
  const maximumUsd = client.holdMaximumUsd ?? services.settings.holdMaximumUsd ?? HOLD_MAXIMUM_USD;
  const maximum = new Decimal(maximumUsd).div(bookedUsd(pair, hold, usdPerMinor)).floor();
  // Where the band of the offered rate ends before the pair's maximum, it is for no more.
  const most = Decimal.min(pairMaximum(pair), hold.maximum ?? pairMaximum(pair));
  if (maximum.gte(most)) return { usd: cents(usdPerMinor.mul(most)), maximum: most.toFixed(0, Decimal.ROUND_DOWN) };
  if (maximum.lt(pairMinor(pair, pair.minAmount)))
    return refuse('HOLD_LIMIT', `A rate is held without an amount for at most ${maximumUsd} USD: name the amount`);
  return { usd: String(BigInt(maximumUsd) * 100n), maximum: maximum.toFixed(0, Decimal.ROUND_DOWN) };
}

/** AMOUNT_ABOVE_LIMIT above the maximum of a hold without an amount. `baseMinor` is minor units of the pair's base. */
export function checkHoldMaximum({ pair, amount, maximum }: Hold, baseMinor: bigint): Refusal | undefined {
  if (amount !== undefined || maximum === undefined || baseMinor <= BigInt(maximum)) return undefined;
  const { base } = pairBySymbol(pair)!;
  const most = `${formatMinor(BigInt(maximum), base)} ${base}`;
  return refuse(
    'AMOUNT_ABOVE_LIMIT',
    `The hold was locked without an amount and is for at most ${most}: lock a rate for the amount`,
  );
}

/** US cents of a hold with an amount: an amount in dollars itself, else the value of the base amount. */
function amountUsd(pair: Pair, hold: Hold, usdPerMinor: Decimal): string {
  const { side, minor } = hold.amount!;
  const currency = side === 'sell' ? hold.sellCurrency : hold.buyCurrency;
  return currency === 'USD' ? minor : cents(usdPerMinor.mul(String(baseOf(pair, hold))));
}

/** The higher of the value and the dollars of a booking at the held rate, for one minor unit of the base. */
function bookedUsd({ base, quote, priceDigits }: Pair, { price }: Hold, usdPerMinor: Decimal): Decimal {
  if (quote !== 'USD') return usdPerMinor;
  return Decimal.max(usdPerMinor, decimalFromScaled(price, priceDigits).div(unitOf(base)));
}

/** US dollars for one minor unit of the pair's base. */
function worthOf({ book }: Services, { base, quote, priceDigits }: Pair, { price }: Hold): Decimal | Refusal {
  const direct = usdWorth(book, base, WORTH_AGE_MS);
  const worth = direct ?? usdWorth(book, quote, WORTH_AGE_MS)?.mul(decimalFromScaled(price, priceDigits));
  if (worth) return worth.div(unitOf(base));
  const text = `No price of the last minute says what ${base} or ${quote} is worth in USD: try again in a few seconds`;
  return refuse('RATE_UNAVAILABLE', text, { retryAfterS: PRICE_RETRY_AFTER_S });
}

function baseOf(pair: Pair, hold: Hold): bigint {
  const { side, minor } = hold.amount!;
  const conversion = convert({ ...hold, pair, sell: hold.sellCurrency, amount: { side, minor: BigInt(minor) } });
  // The offer was made by the same conversion.
  if (isRefusal(conversion)) throw new Error(`hold ${hold.id}: ${conversion.text}`);
  return baseMinorOf(pair, hold.sellCurrency, conversion);
}

const cents = (usd: Decimal): string => usd.mul(100).toFixed(0, Decimal.ROUND_CEIL);
const unitOf = (currency: string): Decimal => new Decimal(10).pow(exponentOf(currency));
const pairMinor = ({ base }: Pair, amount: string): Decimal => unitOf(base).mul(amount);
const pairMaximum = (pair: Pair): Decimal => pairMinor(pair, pair.maxAmount);

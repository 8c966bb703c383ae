/** What callers ask for: conversions at the market's rate, scheduled ones, and bookings on a hold. */
import type { CrashClient } from './clients.js';
import type { Command, HeldRate } from './intents.js';

export type Random = () => number;

const LEGS = [
  ['EUR', 'USD'],
  ['USD', 'EUR'],
  ['GBP', 'USD'],
  ['USD', 'JPY'],
  ['JPY', 'USD'],
  ['EUR', 'JPY'],
] as const;
const BY_CURRENCY = '/api/v1/bookfx/currency/create';
const BY_ACCOUNT = '/api/v1/bookfx/account/create';

export function anyOf<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

export const wholeFrom = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

/** A conversion over REST at the rate of the moment it is booked. */
export function marketByRest(random: Random, client: CrashClient, requestId: string): Command {
  const [sell, buy] = anyOf(random, LEGS);
  const dealt = random() < 0.5 ? ['sell_amount', sell] : ['buy_amount', buy];
  const body = {
    request_id: requestId,
    description: 'crash',
    [dealt[0]!]: dealt[1] === 'JPY' ? wholeFrom(random, 20_000, 90_000) : wholeFrom(random, 200, 900),
    ...(random() < 0.15 && { book_fx_type: random() < 0.5 ? 'SCHEDULED1' : 'SCHEDULED2' }),
  };
  if (random() < 0.3) {
    const accounts = { from_account: client.accounts[buy], to_account: client.accounts[sell] };
    return { door: 'rest', path: BY_ACCOUNT, body: { ...body, ...accounts } };
  }
  return { door: 'rest', path: BY_CURRENCY, body: { ...body, sell_currency: sell, buy_currency: buy } };
}

export function onHoldByRest({ holdId, source, destination, sellAmount }: HeldRate, requestId: string): Command {
  const body = {
    request_id: requestId,
    description: 'crash',
    sell_amount: sellAmount,
    sell_currency: source,
    buy_currency: destination,
    fx_hold_id: holdId,
  };
  return { door: 'rest', path: BY_CURRENCY, body };
}

/** Where a rate is asked for that can be held. */
export function lockableRate(random: Random): { path: string; source: string; destination: string } {
  const [source, destination] = anyOf(random, LEGS);
  const query = `source_currency=${source}&destination_currency=${destination}&hold_period=5_mins`;
  return { path: `/api/v1/lockFx/getFxRate?${query}`, source, destination };
}

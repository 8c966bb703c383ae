/** The commands of the callers: conversions at the market rate, scheduled ones, and bookings on a hold. */
import { pairOf } from '../../engine/domain/money/pair.js';
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

/** A conversion over REST at the rate of its booking. */
export function marketByRest(random: Random, client: CrashClient, requestId: string): Command {
  const { sells, buys, dealt, quantity } = anyAmount(random);
  const body = {
    request_id: requestId,
    description: 'crash',
    [`${dealt}_amount`]: quantity,
    ...(random() < 0.15 && { book_fx_type: random() < 0.5 ? 'SCHEDULED1' : 'SCHEDULED2' }),
  };
  if (random() < 0.3) {
    const accounts = { from_account: client.accounts[buys], to_account: client.accounts[sells] };
    return { door: 'rest', path: BY_ACCOUNT, body: { ...body, ...accounts } };
  }
  return { door: 'rest', path: BY_CURRENCY, body: { ...body, sell_currency: sells, buy_currency: buys } };
}

export function onHoldByRest({ holdId, sells, buys, dealt, amount }: HeldRate, requestId: string): Command {
  const body = {
    request_id: requestId,
    description: 'crash',
    [`${dealt}_amount`]: amount,
    sell_currency: sells,
    buy_currency: buys,
    fx_hold_id: holdId,
  };
  return { door: 'rest', path: BY_CURRENCY, body };
}

/** A NewOrderSingle(D) without the fields that its desk adds: ClOrdID(11), TransactTime(60), AuthToken(20001). */
export function marketByFix(random: Random, desk: string): Command {
  const { symbol, side, currency, quantity } = anyAmount(random);
  const type = random() < 0.1 ? [[20005, 'SCHEDULED1'] as const] : [];
  return { door: 'fix', desk, order: [[55, symbol], [54, side], [38, quantity], [40, 1], [15, currency], ...type] };
}

export function onHoldByFix({ holdId, sells, buys, dealt, amount }: HeldRate, desk: string): Command {
  const { symbol, base } = pairOf(sells, buys)!.pair;
  const order = [
    [55, symbol],
    [54, buys === base ? 1 : 2],
    [38, amount],
    [40, 'D'],
    [15, dealt === 'sell' ? sells : buys],
    [117, holdId],
  ] as const;
  return { door: 'fix', desk, order };
}

/** A pair, its side, and an amount in one of the two currencies. */
export function anyAmount(random: Random) {
  const [sells, buys] = anyOf(random, LEGS);
  const { symbol, base } = pairOf(sells, buys)!.pair;
  const dealt: 'sell' | 'buy' = random() < 0.5 ? 'sell' : 'buy';
  const currency = dealt === 'sell' ? sells : buys;
  return { symbol, side: buys === base ? 1 : 2, sells, buys, dealt, currency, quantity: amountIn(random, currency) };
}

const amountIn = (random: Random, currency: string): number =>
  currency === 'JPY' ? wholeFrom(random, 20_000, 90_000) : wholeFrom(random, 200, 900);

/** The request for a lockable rate. */
export function lockableRate(random: Random): { path: string; held: Omit<HeldRate, 'holdId' | 'client'> } {
  const [sells, buys] = anyOf(random, LEGS);
  const query = `source_currency=${sells}&destination_currency=${buys}&hold_period=5_mins`;
  const held = { sells, buys, dealt: 'sell' as const, amount: amountIn(random, sells) };
  return { path: `/api/v1/lockFx/getFxRate?${query}`, held };
}

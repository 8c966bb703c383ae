/** What the limits of a client ask of a deal: its value, what the store's step has to judge, and the exposure that the step compares. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Hold, holdSelling } from '../../domain/conversions/booking.js';
import { platformOf } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { type LimitName, type Limits, limitRefusal, WARN_PERCENT } from '../../domain/risk/limits.js';
import { netBase, netQuote } from '../../domain/risk/position.js';
import { baseWorth } from '../../rates/base-worth.js';
import type { Client } from '../../store/access/clients.js';
import type { MoneyOf } from '../../store/keys/redis-keys.js';
import type { ExposureLimits, HouseLimits, StepLimits } from '../../store/risk/limits.js';
import type { Position } from '../../store/risk/positions.js';
import type { Services } from '../core/services.js';
import { aboveDailyLoss } from './daily-loss.js';
import { baseBought, type Deal, houseLimitsOf, isReducing, refuseIfNotReducing } from './reducing.js';

/** With the values of its legs at the mid of this moment, whole minor units of the base currency. */
interface ValuedDeal extends Deal {
  readonly sellValue: number;
  readonly buyValue: number;
}

const isValued = (deal: Deal | undefined): deal is ValuedDeal => deal !== undefined && 'sellValue' in deal;

const NO_VALUE = 'No fresh price values this deal against your limits: try again in a few seconds';

const hasExposure = ({ nop, nopOf, settlement }: Limits): boolean =>
  nop !== undefined || settlement !== undefined || Object.keys(nopOf).length > 0;

/** Of a sub-client with those of its platform, which are for the deals of all its sub-clients together and its own. */
export interface ClientLimits extends Limits {
  readonly platform?: Limits | undefined;
}

/** The limits of a client. One that may only reduce has a net open position of 0 in total: what makes it smaller passes. */
export function limitsOf(services: Services, clientId: string): ClientLimits | undefined {
  const own = ownLimits(services, clientId);
  const platformId = platformOf(clientId);
  const platform = platformId === undefined ? undefined : ownLimits(services, platformId);
  return platform === undefined ? own : { nopOf: {}, ...own, platform };
}

function ownLimits({ limits, states }: Services, clientId: string): Limits | undefined {
  const set = limits.of(clientId);
  return states.client(clientId)?.state === 'REDUCING' ? { ...set, nopOf: set?.nopOf ?? {}, nop: 0 } : set;
}

/** Of these the amounts to settle on a date alone: what a change of a date is judged by. Undefined: there is none. */
export function limitsOfDates(limits: ClientLimits | undefined): ClientLimits | undefined {
  const dated = (of: Limits | undefined) => of?.settlement !== undefined && { nopOf: {}, settlement: of.settlement };
  const [own, platform] = [dated(limits), dated(limits?.platform)];
  return own || platform ? { nopOf: {}, ...own, ...(platform && { platform }) } : undefined;
}

/** With its values where a limit asks for them. Refuses with RATE_UNAVAILABLE where no mid is fresh enough. */
export function valuedDeal(services: Services, limits: ClientLimits | undefined, deal: Deal): Deal | Refusal {
  const ofClient = [limits, limits?.platform].some((one) => one && (one.deal !== undefined || hasExposure(one)));
  if (!ofClient && houseLimitsOf(services) === undefined) return deal;
  const { maxAgeMs } = services.book;
  const sellValue = valueAt(services, deal.sellCurrency, deal.sellMinor, maxAgeMs);
  const buyValue = valueAt(services, deal.buyCurrency, deal.buyMinor, maxAgeMs);
  if (sellValue === undefined || buyValue === undefined) return refuse('RATE_UNAVAILABLE', NO_VALUE);
  const valued: ValuedDeal = { ...deal, sellValue, buyValue };
  return valued;
}

/** Whole minor units of the base currency. Undefined: there is no mid of that age. */
function valueAt({ book, limits }: Services, currency: string, minor: bigint, maxAgeMs: number): number | undefined {
  const each = baseWorth(book, currency, limits.base, maxAgeMs);
  return each === undefined ? undefined : Math.round(Number(minor) * each);
}

/** CREDIT_LIMIT where a single deal is larger than it may be: by the larger of its legs. */
export function aboveDealLimit(limits: ClientLimits | undefined, deal: Deal | undefined): Refusal | undefined {
  if (limits === undefined || !isValued(deal)) return undefined;
  const value = Math.max(deal.sellValue, deal.buyValue);
  if (limits.deal !== undefined && value > limits.deal) return limitRefusal('deal');
  const most = limits.platform?.deal;
  return most !== undefined && value > most ? limitRefusal('platform deal') : undefined;
}

/** What the step judges of these deals together; undefined: nothing. The value date is 'YYYYMMDD', or '' when it has passed. */
export function stepLimits(
  services: Services,
  limits: ClientLimits | undefined,
  deals: readonly (readonly [deal: Deal | undefined, valueDate: string])[],
): StepLimits | undefined {
  const { base } = services.limits;
  const house = houseLimitsOf(services);
  // A deal in another pair too: what no limit has judged takes the room of its shard.
  const ofHouse = house !== undefined || services.states.reducesPairs;
  const isJudged = (one: Limits | undefined) =>
    one !== undefined && (one.dealsPerSecond !== undefined || hasExposure(one));
  const ofPlatform = isJudged(limits?.platform) ? limits?.platform : undefined;
  if (!isJudged(limits) && ofPlatform === undefined && !ofHouse) return undefined;
  const values = new Exposure();
  for (const [deal, valueDate] of deals) if (isValued(deal)) values.add(deal, valueDate);
  const ofDeals = { base, changes: [...values.open].filter(([, value]) => value !== 0) };
  const ofOne = ({ dealsPerSecond, ...one }: Limits) => {
    const { nop, nopOf, settlement, warnPercent = WARN_PERCENT } = one;
    const exposure = { ...ofDeals, dates: values.dates(), nop, nopOf, settlement, warnPercent };
    return { dealsPerSecond, ...(hasExposure(one) && exposure) };
  };
  return {
    ...(limits && ofOne(limits)),
    ...(ofPlatform && { platform: ofOne(ofPlatform) }),
    ...(ofHouse && {
      ...ofDeals,
      house: {
        currencies: Object.keys(house?.nopOf ?? {}),
        total: house?.nop !== undefined,
        reducing: reductions(services, deals),
        asks: true,
      },
    }),
  };
}

/** What deals change in each pair that is REDUCING. */
function reductions(
  services: Services,
  deals: readonly (readonly [deal: Deal | undefined, valueDate: string])[],
): HouseLimits['house']['reducing'] {
  if (services.states.all.length === 0) return [];
  const sums = new Map<string, number>();
  for (const [deal] of deals)
    if (deal !== undefined && isReducing(services, deal.pair)) add(sums, deal.pair, baseBought(deal));
  return [...sums];
}

/** Sums of values, seen from the house: by currency, and by pair and value date. */
class Exposure {
  readonly open = new Map<string, number>();
  readonly ofDates = new Map<string, number>();

  /** The house buys what the client sells. */
  add({ pair, sellCurrency, sellValue, buyCurrency, buyValue }: ValuedDeal, valueDate: string): void {
    add(this.open, sellCurrency, sellValue);
    add(this.open, buyCurrency, -buyValue);
    if (valueDate === '') return;
    add(this.ofDates, `${pair}|${valueDate}`, pair.startsWith(sellCurrency) ? sellValue : -buyValue);
  }

  dates(): ExposureLimits['dates'] {
    return [...this.ofDates].map(([field, value]) => [field, field.slice(field.indexOf('|') + 1), value] as const);
  }
}

function add(sums: Map<string, number>, name: string, value: number): void {
  sums.set(name, (sums.get(name) ?? 0) + value);
}

export interface JudgedHold {
  /** A limit that it exceeds by itself, in every direction in which it may be booked. */
  readonly exceeded?: LimitName;
  /** What the step judges, for each direction. */
  readonly limits?: readonly StepLimits[];
}

/** Of a hold without an amount the daily loss alone: its booking judges it. Refuses with RATE_UNAVAILABLE where it cannot be valued. */
export function judgeHold(services: Services, clientId: string, hold: Hold): JudgedHold | Refusal {
  const limits = limitsOf(services, clientId);
  if (aboveDailyLoss(services, limits, clientId)) return { exceeded: 'daily-loss' };
  if (hold.amount === undefined) return {};
  const directions = hold.opposite === undefined ? [hold] : [hold, holdSelling(hold, hold.buyCurrency)];
  const deals: Deal[] = [];
  for (const one of directions) {
    const deal = valuedDeal(services, limits, dealOf(one));
    if (isRefusal(deal)) return deal;
    if (refuseIfNotReducing(services, deal) === undefined) deals.push(deal);
  }
  if (deals.length === 0) return { exceeded: 'house' };
  if (deals.every((deal) => aboveDealLimit(limits, deal) !== undefined)) return { exceeded: 'deal' };
  // A lock is no deal of this second.
  const { platform, ...own }: ClientLimits = limits ?? { nopOf: {} };
  const withoutRate = ({ dealsPerSecond: _, ...others }: Limits): Limits => others;
  const judged: ClientLimits = { ...withoutRate(own), ...(platform && { platform: withoutRate(platform) }) };
  return { limits: deals.flatMap((deal) => stepLimits(services, judged, [[deal, hold.valueDate]]) ?? []) };
}

function dealOf(hold: Hold): Deal {
  const { pair, sellCurrency, buyCurrency, amount } = hold;
  const given = { side: amount!.side, minor: BigInt(amount!.minor) };
  const conversion = convert({ ...hold, pair: pairBySymbol(pair)!, sell: sellCurrency, amount: given });
  // The offer was made by the same conversion.
  if (isRefusal(conversion)) throw new Error(`hold ${hold.id}: ${conversion.text}`);
  const { sellMinor, buyMinor } = conversion;
  return { pair, sellCurrency, sellMinor, buyCurrency, buyMinor };
}

/** Attempts of a step whose exposure ends between its seeding and the step. */
const SEEDS_MAX = 5;
/** Before each further attempt of a step that lacks room, ms: the risk role hands it out meanwhile. */
const ROOM_WAITS_MS = [10, 50, 140];

type NotJudged = { readonly kind: 'no-exposure' | 'no-room' };

/**
 * The answer of a step that judges limits. Its exposure is made first where the step finds none, and it is judged again, at most three times
 * in 200 ms, where the shard lacks room under the house's limits: then CREDIT_LIMIT. `limits` are those of the step. Refuses with RATE_UNAVAILABLE where the client has a position
 * in a currency that never had a price, and with STORE_UNAVAILABLE where it changes too fast.
 */
export function withLimits<Outcome extends { readonly kind: string }>(
  services: Services,
  client: Client,
  limits: readonly (StepLimits | undefined)[],
  step: () => Promise<Outcome>,
): Promise<Exclude<Outcome, NotJudged> | Refusal> {
  const judged = limits.filter((one) => one !== undefined);
  return judged.length > 0
    ? judgedUntilKnown(services, client, judged, step)
    : (step() as Promise<Exclude<Outcome, NotJudged>>);
}

async function judgedUntilKnown<Outcome extends { readonly kind: string }>(
  services: Services,
  client: Client,
  limits: readonly StepLimits[],
  step: () => Promise<Outcome>,
): Promise<Exclude<Outcome, NotJudged> | Refusal> {
  let waits = 0;
  for (let seeds = 0; seeds < SEEDS_MAX; ) {
    const outcome = await step();
    if (outcome.kind === 'no-room') {
      const waitMs = ROOM_WAITS_MS[waits++];
      if (waitMs === undefined) return limitRefusal('house');
      // What is asked for last would be kept for a deal that does not come again.
      for (const one of waits === ROOM_WAITS_MS.length ? limits : []) if (one.house) one.house.asks = false;
      await pause(waitMs);
      continue;
    }
    if (outcome.kind !== 'no-exposure') return outcome as Exclude<Outcome, NotJudged>;
    seeds++;
    const isOfPlatform = client.platform !== undefined && limits.some(({ platform }) => platform?.dates !== undefined);
    const platform = isOfPlatform ? { id: client.platform, shard: client.shard } : undefined;
    const unvalued = (await seedExposure(services, client)) ?? (platform && (await seedExposure(services, platform)));
    if (unvalued) return unvalued;
  }
  const text = 'Your position changes too fast to be compared with your limits: send the same request again';
  return refuse('STORE_UNAVAILABLE', text, { outcome: 'none' });
}

/** The exposure of a client's position, as limits.lua keeps it. */
async function seedExposure(services: Services, client: MoneyOf): Promise<Refusal | undefined> {
  const { store, limits } = services;
  const read = await store.exposures.readPosition(client);
  // A pair without a fresh price keeps its last valuation.
  const worth = (currency: string) => baseWorth(services.book, currency, limits.base, Number.POSITIVE_INFINITY);
  const values = exposureOf(read.position, limits.base, store.clock.now(client), worth);
  if (values === undefined) return refuse('RATE_UNAVAILABLE', NO_VALUE);
  const fields = new Map([['base', limits.base]]);
  for (const [name, value] of values) fields.set(name, String(value));
  // Where the position has changed meanwhile, the step has its own exposure, or asks again.
  await store.exposures.seed(client, read, fields);
  return undefined;
}

/**
 * By name as in limits.lua, whole minor units of the base currency, by the values of `valueOf`. Amounts to settle are those of today and
 * later. Undefined: a currency has no value.
 */
export function exposureOf(
  position: Position,
  base: string,
  nowMs: number,
  valueOfOne: (currency: string) => number | undefined,
): Map<string, number> | undefined {
  const open = new Map<string, bigint>();
  const ofDates = new Map<string, bigint>();
  const today = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  for (const line of position.lines) {
    const [first = '', second = ''] = line.pair.split('/');
    open.set(first, (open.get(first) ?? 0n) + netBase(line));
    open.set(second, (open.get(second) ?? 0n) + netQuote(line));
    const field = `${line.pair}|${line.valueDate}`;
    // A platform has the same line of its own and of its sub-clients.
    if (line.valueDate >= today) ofDates.set(field, (ofDates.get(field) ?? 0n) + netBase(line));
  }
  const values = new Map<string, number>();
  const value = (currency: string, minor: bigint): number | undefined => {
    const each = minor === 0n ? 0 : valueOfOne(currency);
    return each === undefined ? undefined : Math.round(Number(minor) * each);
  };
  for (const [currency, minor] of open) {
    const worth = value(currency, minor);
    if (worth === undefined) return undefined;
    values.set(currency, worth);
    if (currency === base) continue;
    add(values, 'long', Math.max(worth, 0));
    add(values, 'short', Math.max(-worth, 0));
  }
  for (const [field, minor] of ofDates) {
    const worth = value(field.slice(0, 3), minor);
    if (worth === undefined) return undefined;
    values.set(field, worth);
    add(values, field.slice(field.indexOf('|') + 1), Math.abs(worth));
  }
  return values;
}

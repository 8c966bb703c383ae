/**
 * REDUCING of a pair or of the house: a deal passes only where it lowers the house's net position of the pair, and is not larger than that
 * position; or where it lowers what is open in each of its currencies but the base currency. The step judges it, as limits of 0: a deal takes
 * room that the risk role has handed out (limits.lua, roles/risk/limit-slices.ts), whichever process books it. REDUCING of a client is a limit of 0
 * of its own: see check-limits.ts.
 */
import type { Refusal } from '../../domain/core/refusal.js';
import type { RiskFigures } from '../../domain/risk/figures.js';
import { type Limits, limitRefusal } from '../../domain/risk/limits.js';
import type { Services } from '../core/services.js';

/** A conversion, as limits see it. */
export interface Deal {
  /** `EUR/USD`. */
  readonly pair: string;
  readonly sellCurrency: string;
  readonly sellMinor: bigint;
  readonly buyCurrency: string;
  readonly buyMinor: bigint;
}

/** Older figures say nothing: the role publishes them at least each second. */
const FIGURES_MS = 1_500;

/** The limits of the house. Where it is REDUCING, its net open position may be 0 in total: what lowers it passes. */
export function houseLimitsOf({ limits, states }: Pick<Services, 'limits' | 'states'>): Limits | undefined {
  const { house } = limits;
  return states.house?.state === 'REDUCING' ? { ...house, nopOf: house?.nopOf ?? {}, nop: 0 } : house;
}

/** Whether the pair, or every pair, is REDUCING. */
export const isReducing = ({ states }: Pick<Services, 'states'>, pair: string): boolean =>
  states.pair(pair)?.state === 'REDUCING';

/** Minor units of base that the house buys with a deal, below 0 where it sells them: it buys what the client sells. */
export const baseBought = ({ pair, sellCurrency, sellMinor, buyMinor }: Deal): number =>
  pair.startsWith(sellCurrency) ? Number(sellMinor) : -Number(buyMinor);

/**
 * CREDIT_LIMIT for a deal that lowers nothing where its pair or the house is REDUCING, by figures of 1.5 s or younger: its step would wait for room
 * that does not come. It says no figure of the house. How far a deal may go, and all of it without such figures, the step judges.
 */
export function refuseIfNotReducing(services: Services, deal: Deal | undefined): Refusal | undefined {
  const { states, risk } = services;
  if (deal === undefined || states.all.length === 0) return undefined;
  const ofPair = isReducing(services, deal.pair);
  const ofHouse = states.house?.state === 'REDUCING';
  const figures = ofPair || ofHouse ? risk.figures(FIGURES_MS) : undefined;
  if (figures === undefined) return undefined;
  const lowers = (!ofPair || lowersPair(figures, deal)) && (!ofHouse || lowersEachCurrency(figures, deal));
  return lowers ? undefined : limitRefusal('house');
}

function lowersPair({ pairs }: RiskFigures, deal: Deal): boolean {
  const net = pairs.find(({ pair }) => pair === deal.pair)?.netBase ?? 0n;
  return Math.sign(Number(net)) === -Math.sign(baseBought(deal));
}

function lowersEachCurrency({ baseCurrency, currencies }: RiskFigures, { sellCurrency, buyCurrency }: Deal): boolean {
  const signOf = (of: string) => Math.sign(Number(currencies.find(({ currency }) => currency === of)?.net ?? 0n));
  const isLower = (currency: string, sign: number) => currency === baseCurrency || signOf(currency) === sign;
  return isLower(sellCurrency, -1) && isLower(buyCurrency, 1);
}

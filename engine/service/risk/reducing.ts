/**
 * REDUCING of a pair or of the house: a deal passes only where it lowers the house's net position of the pair, and is not larger than that
 * position; or where it lowers the house's total net open position. Judged by the risk figures, before the step. That of a client is a limit
 * of 0, which the step judges: see check-limits.ts.
 */
import { exponentOf } from '../../domain/money.js';
import type { Refusal } from '../../domain/refusal.js';
import type { RiskFigures } from '../../domain/risk/figures.js';
import { limitRefusal } from '../../domain/risk/limits.js';
import { totalPosition } from '../../domain/risk/position.js';
import type { TradingStates } from '../../domain/risk/trading-state.js';
import type { Services } from '../core/services.js';
import type { Deal } from './check-limits.js';

/** Older figures are not usable: the role publishes them at least each second. */
const FIGURES_MS = 1_500;
/** A deal that passed so long before the positions were read is in the figures: its step has been carried out by then. */
const CARRIED_OUT_MS = 300;

/** A deal that passed and that the figures may not have yet. */
interface Passed {
  readonly atMs: number;
  /** The pair, or `house`. */
  readonly of: string;
  /** By how much it lowered the position: minor units of base, or of the base currency. */
  readonly lowered: number;
}

/** Of this process. Several deals could otherwise use up one position while the figures are the same. */
const PASSED = new WeakMap<TradingStates, Passed[]>();

/**
 * CREDIT_LIMIT for a deal that lowers nothing where its pair or the house is REDUCING, and for every deal while there are no figures of
 * 1.5 s or younger. It says no figure of the house. `passes`: the deal is going to be booked, and counts for those that follow it here until
 * the figures have it; those of other processes are not counted.
 */
export function refuseIfNotReducing(services: Services, deal: Deal, passes: boolean): Refusal | undefined {
  const { states, risk, store } = services;
  const { ofPair, ofHouse } = reducing(services, deal.pair);
  if (!ofPair && !ofHouse) return undefined;
  const figures = risk.figures(FIGURES_MS);
  const nowMs = store.riskFigures.nowMs();
  if (figures === undefined || nowMs === undefined) return limitRefusal('house');
  const passed = (PASSED.get(states) ?? []).filter(({ atMs }) => atMs > figures.atMs - CARRIED_OUT_MS);
  PASSED.set(states, passed);
  const judged: Passed[] = [];
  if (ofPair) judged.push({ atMs: nowMs, of: deal.pair, lowered: loweredOfPair(figures, deal) });
  if (ofHouse) judged.push({ atMs: nowMs, of: 'house', lowered: loweredInTotal(figures, deal) });
  for (const { of, lowered } of judged) {
    const position = of === 'house' ? figures.total.total : Math.abs(netOf(figures, deal.pair));
    const used = passed.reduce((sum, one) => sum + (one.of === of ? one.lowered : 0), 0);
    if (lowered <= 0 || lowered + used > position) return limitRefusal('house');
  }
  if (passes) passed.push(...judged);
  return undefined;
}

/** Whether deals in the pair are judged at all. */
export function isReducing(services: Services, pair: string): boolean {
  const { ofPair, ofHouse } = reducing(services, pair);
  return ofPair || ofHouse;
}

const reducing = ({ states }: Services, pair: string) => ({
  ofPair: states.pair(pair)?.state === 'REDUCING',
  ofHouse: states.house?.state === 'REDUCING',
});

/** Minor units of base, signed: positive is long. */
const netOf = ({ pairs }: RiskFigures, symbol: string): number =>
  Number(pairs.find(({ pair }) => pair === symbol)?.netBase ?? 0n);

/** What the client sells the house buys. */
function loweredOfPair(figures: RiskFigures, { pair, sellCurrency, sellMinor, buyMinor }: Deal): number {
  const bought = pair.startsWith(sellCurrency) ? Number(sellMinor) : -Number(buyMinor);
  const net = netOf(figures, pair);
  return Math.sign(net) === -Math.sign(bought) ? Math.abs(bought) : 0;
}

/** Whole minor units of the base currency, at the rates of the figures; 0 or less: not lowered, or a rate is not known. */
function loweredInTotal(figures: RiskFigures, { sellCurrency, sellMinor, buyCurrency, buyMinor }: Deal): number {
  const { baseCurrency, currencies, total } = figures;
  const values = new Map(currencies.map(({ currency, value = 0 }) => [currency, value]));
  for (const [currency, minor] of [
    [sellCurrency, Number(sellMinor)],
    [buyCurrency, -Number(buyMinor)],
  ] as const) {
    if (currency === baseCurrency) continue;
    const rate = currencies.find((one) => one.currency === currency)?.rate;
    // A currency in which the house has no position: a deal opens one.
    if (rate === undefined) return 0;
    const each = Number(rate) * 10 ** (exponentOf(baseCurrency) - exponentOf(currency));
    values.set(currency, (values.get(currency) ?? 0) + Math.round(minor * each));
  }
  return total.total - totalPosition(values, baseCurrency).total;
}

/** How far limits are used, for the operator. */
import { exponentOf, formatMinor } from '../../domain/money/money.js';
import type { LimitFigures, RiskFigures } from '../../domain/risk/figures.js';
import {
  EVERY_CLIENT,
  HOUSE,
  type LimitRule,
  type Limits,
  LimitTable,
  limitMark,
  usedPercent,
} from '../../domain/risk/limits.js';
import { LastKnownMids } from '../../rates/mids.js';
import type { Position } from '../../store/risk/positions.js';
import type { Services } from '../core/services.js';
import { exposureOf } from './check-limits.js';
import { lossOf } from './daily-loss.js';
import { positionWithSubClients, readDayStarts } from './sub-client-positions.js';

export interface LimitUse {
  /** `nop`, `settlement` or `daily-loss`; and its currency, or its date. */
  readonly limit: string;
  readonly of: string | undefined;
  /** Units of the base currency. */
  readonly used: string;
  readonly most: string;
  /** Undefined: the limit is 0. */
  readonly percent: number | undefined;
  readonly mark: string;
}

/** Of clients whose positions are read together. */
const PAGE = 200;

/** By the order of the scopes; each in order of the checks; of `*` nothing, because each client has a use of its own. */
export async function usesOfAll(
  services: Services,
  figures: RiskFigures,
  rules: ReadonlyMap<string, LimitRule>,
  scopes: readonly string[],
): Promise<LimitUse[][]> {
  // Those of this moment: the process may not have its own rules yet.
  const table = new LimitTable(figures.baseCurrency);
  table.replace(rules);
  const mids = new LastKnownMids(services.book);
  mids.take(figures, services.risk.ageMs() ?? 0);
  const uses: LimitUse[][] = [];
  for (let from = 0; from < scopes.length; from += PAGE) {
    const page = scopes.slice(from, from + PAGE);
    uses.push(...(await Promise.all(page.map((scope) => usesOf(services, figures, scope, table, mids)))));
  }
  return uses;
}

async function usesOf(
  { store }: Services,
  figures: RiskFigures,
  scope: string,
  table: LimitTable,
  mids: LastKnownMids,
): Promise<LimitUse[]> {
  if (scope === EVERY_CLIENT) return [];
  const base = figures.baseCurrency;
  const shown = ({ limit, of, used, most, mark }: Omit<LimitFigures, 'subject'>): LimitUse => ({
    limit,
    of,
    used: formatMinor(BigInt(used), base),
    most: formatMinor(BigInt(most), base),
    percent: usedPercent(used, most),
    mark,
  });
  if (scope === HOUSE) return figures.limits.filter(({ subject }) => subject === HOUSE).map(shown);

  const limits = table.of(scope);
  const client = await store.clients.get(scope);
  if (limits === undefined || client === undefined) return [];
  const [position, [began]] = await Promise.all([
    positionWithSubClients(store, client),
    readDayStarts(store, figures, [scope]),
  ]);
  const rates = new Map(figures.currencies.map(({ currency, rate }) => [currency, rate]));
  const valued = {
    base,
    nowMs: store.clock.now(client),
    rateOf: (currency: string) => Number(rates.get(currency) ?? Number.NaN),
    loss: limits.dailyLoss === undefined ? undefined : lossOf(position, began, base, mids.reading()),
  };
  return usesOfClient(limits, position, valued).map(shown);
}

/** What a client's position is valued with. */
export interface Valued {
  readonly base: string;
  readonly nowMs: number;
  /** Units of the base currency for one unit; NaN: not known. */
  readonly rateOf: (currency: string) => number;
  /** Of the day, minor units of the base currency; undefined: not known, and counts as used up, because no deal passes. */
  readonly loss: number | undefined;
}

/** How far each limit of a client is used that its position uses; open positions that cannot be valued are left out. */
export function usesOfClient(
  { nop, nopOf, settlement, dailyLoss, warnPercent }: Limits,
  position: Position,
  { base, nowMs, rateOf, loss }: Valued,
): Omit<LimitFigures, 'subject'>[] {
  const uses: Omit<LimitFigures, 'subject'>[] = [];
  const use = (limit: string, of: string | undefined, used: number, most: number): void =>
    void uses.push({ limit, of, used, most, mark: limitMark(used, most, warnPercent) });
  if (dailyLoss !== undefined && loss !== undefined) use('daily-loss', undefined, loss, dailyLoss);
  if (dailyLoss !== undefined && loss === undefined)
    uses.push({ limit: 'daily-loss', of: undefined, used: dailyLoss, most: dailyLoss, mark: 'over' });
  const worth = (currency: string): number | undefined => {
    const rate = currency === base ? 1 : rateOf(currency);
    return Number.isNaN(rate) ? undefined : rate * 10 ** (exponentOf(base) - exponentOf(currency));
  };
  const values = exposureOf(position, base, nowMs, worth);
  if (values === undefined) return uses;
  for (const [currency, most] of Object.entries(nopOf).sort(([a], [b]) => (a < b ? -1 : 1)))
    use('nop', currency, Math.abs(values.get(currency) ?? 0), most);
  if (nop !== undefined) use('nop', undefined, Math.max(values.get('long') ?? 0, values.get('short') ?? 0), nop);
  if (settlement === undefined) return uses;
  const dates = [...values].filter(([name]) => /^\d{8}$/.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [date, amount] of dates)
    use('settlement', `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`, amount, settlement);
  return uses;
}

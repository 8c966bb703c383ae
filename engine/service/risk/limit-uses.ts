/** How far limits are used, for the operator. */
import { exponentOf, formatMinor } from '../../domain/money.js';
import type { RiskFigures } from '../../domain/risk/figures.js';
import { EVERY_CLIENT, HOUSE, LimitTable, limitMark } from '../../domain/risk/limits.js';
import { LastKnownMids } from '../../rates/mids.js';
import type { Services } from '../core/services.js';
import { exposureOf } from './check-limits.js';
import { positionsOf } from './list-positions.js';

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

/** In order of the checks; of `*` nothing, because each client has a use of its own. */
export async function usesOf(services: Services, figures: RiskFigures, scope: string): Promise<LimitUse[]> {
  const base = figures.baseCurrency;
  const use = (limit: string, of: string | undefined, used: number, most: number, warnPercent?: number): LimitUse => ({
    limit,
    of,
    used: formatMinor(BigInt(used), base),
    most: formatMinor(BigInt(most), base),
    percent: most === 0 ? undefined : Math.round((used / most) * 100),
    mark: limitMark(used, most, warnPercent),
  });
  if (scope === EVERY_CLIENT) return [];
  if (scope === HOUSE)
    return figures.limits
      .filter(({ subject }) => subject === HOUSE)
      .map(({ limit, of, used, most, mark }) => ({ ...use(limit, of, used, most), mark }));

  // Those of this moment: the process may not have its own rules yet.
  const table = new LimitTable(base);
  table.replace(await services.store.limits.load());
  const limits = table.of(scope);
  const client = await services.store.clients.get(scope);
  if (limits === undefined || client === undefined) return [];
  const { nop, nopOf, settlement, dailyLoss, warnPercent } = limits;
  const uses: LimitUse[] = [];
  if (dailyLoss !== undefined) {
    const mids = new LastKnownMids(services.book);
    mids.take(figures, services.risk.ageMs() ?? 0);
    const [position] = await positionsOf(services, [client], figures, mids);
    const { realised, unrealised } = position?.dayProfit ?? { realised: 0, unrealised: 0 };
    uses.push(use('daily-loss', undefined, Math.max(0, Math.round(-realised - unrealised)), dailyLoss, warnPercent));
  }
  const rates = new Map(figures.currencies.map(({ currency, rate }) => [currency, rate]));
  const worth = (currency: string): number | undefined => {
    const rate = currency === base ? 1 : Number(rates.get(currency) ?? Number.NaN);
    return Number.isNaN(rate) ? undefined : rate * 10 ** (exponentOf(base) - exponentOf(currency));
  };
  const { position } = await services.store.exposures.readPosition(client);
  const values = exposureOf(position, base, services.store.clock.now(client), worth);
  if (values === undefined) return uses;
  for (const [currency, most] of Object.entries(nopOf).sort(([a], [b]) => (a < b ? -1 : 1)))
    uses.push(use('nop', currency, Math.abs(values.get(currency) ?? 0), most, warnPercent));
  if (nop !== undefined)
    uses.push(use('nop', undefined, Math.max(values.get('long') ?? 0, values.get('short') ?? 0), nop, warnPercent));
  const dates = [...values].filter(([name]) => /^\d{8}$/.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [date, amount] of settlement === undefined ? [] : dates)
    uses.push(
      use('settlement', `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`, amount, settlement!, warnPercent),
    );
  return uses;
}

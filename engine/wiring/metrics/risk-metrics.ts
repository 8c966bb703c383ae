/** Metrics of the risk figures: their age in every process, and in the engine with the risk role what they say. */
import { exponentOf } from '../../domain/money/money.js';
import type { RiskFigures } from '../../domain/risk/figures.js';
import type { RiskRole } from '../../roles/risk/risk-role.js';
import type { Services } from '../../service/core/services.js';
import { type Labels, labelled, type Metrics } from './metrics.js';

/** The role publishes at least each second: older figures are not shown as if they were of now. */
const STALE_MS = 5_000;

/** In every engine and sidecar. */
export function figureMetrics(metrics: Metrics, { risk, states }: Pick<Services, 'risk' | 'states'>): void {
  metrics.gauge(
    'ratewire_trading_restricted',
    'House (1), clients and pairs that are halted or reducing; pairs also by a restriction of all or of the house',
    () =>
      (['HALTED', 'REDUCING'] as const).flatMap((state) => {
        const labels = { state: state.toLowerCase() };
        return [
          [{ scope: 'house', ...labels }, Number(states.house?.state === state)],
          [{ scope: 'client', ...labels }, states.clientsIn(state)],
          [{ scope: 'pair', ...labels }, states.pairsIn(state)],
        ] as const;
      }),
    'scope',
    'state',
  );
  metrics.gauge(
    'ratewire_risk_figures_age_seconds',
    'Age of the newest risk figures that this process has; +Inf: it has none',
    () => {
      const ageMs = risk.ageMs();
      return ageMs === undefined ? Number.POSITIVE_INFINITY : ageMs / 1_000;
    },
  );
}

export function riskMetrics(metrics: Metrics, { risk }: Pick<Services, 'risk'>, role: RiskRole): void {
  metrics.gauge(
    'ratewire_risk_lease_held',
    '1 while this engine holds the risk lease and publishes the risk figures',
    () => Number(role.isHeld),
  );
  metrics.counter(
    'ratewire_risk_rounds_total',
    'Rounds of the risk role by outcome: done, or failed, which publishes nothing',
    () => labelled('outcome', Object.entries(role.counts)),
    'outcome',
  );
  metrics.histogram(
    'ratewire_risk_round_seconds',
    'From the first read of the positions to the published figures',
    role.roundTimes,
  );
  // By one engine alone, so that a sum over engines is right.
  const read =
    (values: (figures: RiskFigures, units: (minor: number) => number) => (readonly [Labels, number])[]) => () => {
      const figures = role.isHeld ? risk.figures(STALE_MS) : undefined;
      const scale = figures && 10 ** exponentOf(figures.baseCurrency);
      return figures && scale !== undefined ? values(figures, (minor) => minor / scale) : [];
    };
  metrics.gauge(
    'ratewire_limits',
    'Limits of the house, and the 200 of clients that are used most, by how far they are used; of the engine with the risk role',
    read(({ limits }) =>
      (['within', 'warned', 'reached', 'over'] as const).map(
        (mark) => [{ mark }, limits.filter((limit) => limit.mark === mark).length] as const,
      ),
    ),
    'mark',
  );
  metrics.gauge(
    'ratewire_position_value',
    'Net base amount of each pair in the base currency: positive is long; of the engine with the risk role',
    read(({ pairs }, units) =>
      pairs.flatMap(({ pair, value }) => (value === undefined ? [] : [[{ pair }, units(value)] as const])),
    ),
    'pair',
  );
  metrics.gauge(
    'ratewire_position_nop_value',
    'Net open position of each currency in the base currency',
    read(({ currencies }, units) =>
      currencies.flatMap(({ currency, value }) => (value === undefined ? [] : [[{ currency }, units(value)] as const])),
    ),
    'currency',
  );
  metrics.gauge(
    'ratewire_position_nop_total_value',
    'Total net open position by the shorthand method, in the base currency',
    read(({ total, baseCurrency }, units) => [[{ currency: baseCurrency }, units(total.total)]]),
    'currency',
  );
  metrics.gauge(
    'ratewire_position_pnl_value',
    'Profit by part (margin is a part of the other two) and period, in the base currency',
    read(({ total: { profit, dayProfit } }, units) =>
      (['realised', 'unrealised', 'margin'] as const).flatMap((part) => [
        [{ part, period: 'all' }, units(profit[part])] as const,
        [{ part, period: 'day' }, units(dayProfit[part])] as const,
      ]),
    ),
    'part',
    'period',
  );
  metrics.gauge(
    'ratewire_position_rate_age_seconds',
    'Age of the oldest rate with which the positions are valued; +Inf: a currency never had one',
    read(({ total }) => [[{}, (total.rateAgeMs ?? Number.POSITIVE_INFINITY) / 1_000]]),
  );
}

/** Metrics of cover, of the engine that holds the risk lease. With COVER=off those of orders that are to be resolved. */
import type { CoverRole } from '../../roles/cover/cover-role.js';
import { labelled, type Metrics } from './metrics.js';

export function coverMetrics(metrics: Metrics, cover: CoverRole): void {
  metrics.gauge('ratewire_cover_unknown', 'Cover orders whose outcome is not known', () => cover.counts.unknown);
  metrics.gauge(
    'ratewire_cover_disputed',
    'Cover orders of which a provider says otherwise than what is booked; their pairs are not covered',
    () => cover.counts.disputed,
  );
  if (!cover.isOn) return;
  metrics.counter(
    'ratewire_cover_orders_total',
    'Cover orders by the status in which they ended',
    () => labelled('status', cover.counts.orders),
    'status',
  );
  metrics.gauge(
    'ratewire_cover_blocked',
    'Pairs outside their band without a cover order, by reason',
    () => labelled('reason', cover.counts.blocked),
    'reason',
  );
  metrics.counter(
    'ratewire_cover_reports_total',
    'Reports of providers on cover orders by what became of them',
    () => labelled('outcome', cover.counts.reports),
    'outcome',
  );
  metrics.gauge(
    'ratewire_cover_session_up',
    '1 while the FIX session for cover orders with the provider is logged on, in the engine with the risk role',
    () =>
      labelled(
        'provider',
        cover.counts.sessions.map(([provider, isUp]) => [provider, Number(isUp)] as const),
      ),
    'provider',
  );
  metrics.gauge(
    'ratewire_cover_uncovered_seconds',
    'How long a pair with a cover rule has been outside its band, the longest of them; 0 without one',
    () => cover.counts.uncoveredS,
  );
}

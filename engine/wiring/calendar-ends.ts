/** The last day for which the holidays of each currency are known: a metric, and a warning before it comes. */
import { calendarEnds } from '../domain/calendar/calendar.js';
import type { Log } from '../domain/core/log.js';
import { labelled, type Metrics } from './metrics/metrics.js';

/** The warning comes before the alert RatewireCalendarEnds (30 days), in time to plan the installation of a release. */
const NOTICE_DAYS = 90;
const DAY_MS = 86_400_000;

/** One line for each calendar that ends within 90 days or has ended. */
export function warnOfEndingCalendars(log: Log, nowMs: number): void {
  for (const [currency, endMs] of calendarEnds()) {
    if (endMs - nowMs > NOTICE_DAYS * DAY_MS) continue;
    const knownUntil = new Date(endMs).toISOString().slice(0, 10);
    log.warn(
      { currency, knownUntil },
      `the holidays of ${currency} are known until ${knownUntil}: later settlement dates are rejected; install a release with the next list`,
    );
  }
}

export function calendarMetric(metrics: Metrics): void {
  metrics.gauge(
    'ratewire_data_valid_until_timestamp_seconds',
    'The last day for which the holidays of a currency are known',
    () =>
      labelled(
        'currency',
        calendarEnds().map(([currency, ms]) => [currency, ms / 1_000] as const),
      ),
    'currency',
  );
}

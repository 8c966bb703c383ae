/** The engine's metrics: feeds, prices, desks, the store. Counted where it happens, and read here at scrape. */

import type { FixGateway } from '../../fix/gateway.js';
import type { LedgerScheduler } from '../../roles/conversions/ledger-scheduler.js';
import type { Rates } from '../../roles/prices/feed-role.js';
import type { RiskRole } from '../../roles/risk/risk-role.js';
import type { Services } from '../../service/core/services.js';
import { storeReasons } from '../store-reasons.js';
import { bookingMetrics, fundingMetrics, ledgerMetrics } from './ledger-metrics.js';
import { authenticationMetrics, labelled, Metrics, type Readiness } from './metrics.js';
import { paymentMetrics } from './payment-metrics.js';
import { awayProviders, hasRates, rateMetrics } from './rate-metrics.js';
import { figureMetrics, riskMetrics } from './risk-metrics.js';
import { storeMetrics } from './store-metrics.js';

export function engineMetrics(
  services: Services,
  gateway: FixGateway,
  scheduler: LedgerScheduler,
  rates: Pick<Rates, 'role'>,
  risk: RiskRole,
): { metrics: Metrics; readiness: Readiness } {
  const metrics = new Metrics('engine');
  rateMetrics(metrics, services);
  metrics.gauge(
    'ratewire_feed_lease_held',
    '1 while this engine holds the feed lease and publishes the rates for all',
    () => Number(rates.role === 'runs'),
  );
  publication(metrics, gateway);
  desks(metrics, gateway);
  bookingMetrics(metrics, services.store);
  fundingMetrics(metrics, services.store);
  paymentMetrics(metrics, services.store);
  ledgerMetrics(metrics, scheduler, services);
  figureMetrics(metrics, services);
  riskMetrics(metrics, services, risk);
  storeMetrics(metrics, services.store);
  metrics.counter(
    'ratewire_relay_dropped_total',
    'Relay messages that the store did not take',
    () => services.store.relay.dropped,
  );
  return { metrics, readiness: () => reasons(services) };
}

function publication(metrics: Metrics, { publication }: FixGateway): void {
  const { firstWire, lastWire } = publication;
  metrics.histogram('ratewire_tick_to_wire_first_seconds', 'Tick read to socket write returned, first desk', firstWire);
  metrics.histogram('ratewire_tick_to_wire_last_seconds', 'Tick read to socket write returned, last desk', lastWire);
  metrics.counter(
    'ratewire_prices_conflated_total',
    'Prices replaced before a congested desk could take them',
    () => publication.conflated,
  );
}

function desks(metrics: Metrics, { counters, events, publication, sessions }: FixGateway): void {
  authenticationMetrics(metrics, events);
  metrics.gauge('ratewire_fix_sessions', 'Desks logged on', () => counters.sessions);
  metrics.counter('ratewire_fix_logons_total', 'Logons accepted', () => counters.logons);
  metrics.counter('ratewire_fix_logon_failures_total', 'Logons refused', () => counters.logonFailures);
  metrics.counter(
    'ratewire_fix_messages_received_total',
    'Messages by MsgType(35)',
    () => labelled('type', counters.received),
    'type',
  );
  metrics.counter(
    'ratewire_fix_messages_sent_total',
    'Messages by MsgType(35), the prices among them',
    () => labelled('type', [...counters.sent, ...Object.entries(publication.published)]),
    'type',
  );
  metrics.counter('ratewire_fix_refusals_total', 'Refusals by code', () => labelled('code', counters.refusals), 'code');
  metrics.counter(
    'ratewire_fix_events_total',
    'Events of the session layer',
    () => labelled('kind', counters.events),
    'kind',
  );
  metrics.counter('ratewire_fix_garbled_total', 'Messages that were no FIX', () => counters.garbled);
  metrics.counter(
    'ratewire_fix_slow_consumers_total',
    'Desks ended because they did not read',
    () => counters.slowConsumers,
  );
  metrics.counter(
    'ratewire_fix_dont_know_trades_total',
    'Trades that a desk has said it does not know',
    () => counters.dontKnowTrades,
  );
  metrics.gauge('ratewire_fix_backlog_bytes', 'Unsent bytes of all desks', () => {
    let bytes = 0;
    for (const { backlogBytes } of sessions()) bytes += backlogBytes;
    return bytes;
  });
}

function reasons({ store, book }: Services): string[] {
  return [
    ...storeReasons(store),
    ...(hasRates(book) ? [] : ['no provider has a fresh price: check FEED and the providers', ...awayProviders(book)]),
  ];
}

/** What the engine tells about itself: feeds, prices, desks, the store. Everything is counted elsewhere and read here at scrape. */
import { PAIRS } from './domain/pair.js';
import type { FixDoor } from './fix/fix-door.js';
import { labelled, Metrics, type Readiness } from './metrics.js';
import type { Services } from './service/services.js';

export function engineMetrics(services: Services, door: FixDoor): { metrics: Metrics; readiness: Readiness } {
  const metrics = new Metrics('engine');
  rates(metrics, services);
  publication(metrics, door);
  desks(metrics, door);
  metrics.gauge('ratewire_redis_up', 'Whether the store answers', () => (services.store.isUp() ? 1 : 0));
  metrics.counter(
    'ratewire_relay_dropped',
    'Relay messages that the store did not take',
    () => services.store.relay.dropped,
  );
  return { metrics, readiness: () => reasons(services) };
}

function rates(metrics: Metrics, { book }: Services): void {
  const byProvider = (read: (provider: ReturnType<typeof book.providers>[number]) => number | undefined) => () =>
    book.providers().flatMap((provider) => {
      const value = read(provider);
      return value === undefined ? [] : [[{ provider: provider.name }, value] as const];
    });
  const ageS = byProvider(({ ageMs }) => (ageMs === undefined ? undefined : ageMs / 1000));
  metrics.gauge('ratewire_tick_age_seconds', 'Since the last good tick of a provider', ageS, 'provider');
  metrics.gauge(
    'ratewire_provider_up',
    'Whether a provider is connected',
    byProvider(({ up }) => (up ? 1 : 0)),
    'provider',
  );
  metrics.counter(
    'ratewire_ticks',
    'Ticks by provider',
    byProvider(({ ticks }) => ticks),
    'provider',
  );
  metrics.counter(
    'ratewire_ticks_refused',
    'Ticks refused by reason',
    () => labelled('reason', Object.entries(book.refused)),
    'reason',
  );
  metrics.gauge('ratewire_pairs_stale', 'Pairs that were quoted and now have no fresh price', () => book.stalePairs);
  metrics.gauge('ratewire_pairs_priced', 'Pairs with a fresh price', () => priced(book));
}

function publication(metrics: Metrics, { publication }: FixDoor): void {
  const { firstWire, lastWire } = publication;
  metrics.histogram('ratewire_tick_to_wire_first_seconds', 'Tick read to socket write returned, first desk', firstWire);
  metrics.histogram('ratewire_tick_to_wire_last_seconds', 'Tick read to socket write returned, last desk', lastWire);
  metrics.counter('ratewire_prices_published', 'Market-data messages published', () => publication.published);
  metrics.counter(
    'ratewire_prices_conflated',
    'Prices replaced before a congested desk could take them',
    () => publication.conflated,
  );
}

function desks(metrics: Metrics, { counters, sessions }: FixDoor): void {
  metrics.gauge('ratewire_fix_sessions', 'Desks logged on', () => counters.sessions);
  metrics.counter('ratewire_fix_logons', 'Logons accepted', () => counters.logons);
  metrics.counter('ratewire_fix_logon_failures', 'Logons refused', () => counters.logonFailures);
  metrics.counter(
    'ratewire_fix_messages_received',
    'Messages by MsgType(35)',
    () => labelled('type', counters.received),
    'type',
  );
  metrics.counter(
    'ratewire_fix_messages_sent',
    'Messages by MsgType(35)',
    () => labelled('type', counters.sent),
    'type',
  );
  metrics.counter('ratewire_fix_refusals', 'Refusals by code', () => labelled('code', counters.refusals), 'code');
  metrics.counter(
    'ratewire_fix_events',
    'Events of the session layer',
    () => labelled('kind', counters.events),
    'kind',
  );
  metrics.counter('ratewire_fix_garbled', 'Messages that were no FIX', () => counters.garbled);
  metrics.counter('ratewire_fix_slow_consumers', 'Desks ended because they did not read', () => counters.slowConsumers);
  metrics.gauge('ratewire_fix_backlog_bytes', 'Unsent bytes of all desks', () => {
    let bytes = 0;
    for (const { backlogBytes } of sessions()) bytes += backlogBytes;
    return bytes;
  });
}

function reasons({ store, book }: Services): string[] {
  return [
    ...(store.isUp() ? [] : ['the store does not answer: check that Redis runs']),
    ...(priced(book) > 0 ? [] : ['no provider has a fresh price: check FEED and the providers']),
  ];
}

function priced(book: Services['book']): number {
  return PAIRS.reduce((count, { index }) => count + (book.bid[index]! > 0 ? 1 : 0), 0);
}

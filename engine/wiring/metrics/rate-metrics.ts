/** The metrics of the rates that a process has, from providers or from the relay; the same in the engine and the sidecar. */

import { PAIRS } from '../../domain/money/pair.js';
import { FEED_KINDS } from '../../domain/system/feed-kind.js';
import type { Services } from '../../service/core/services.js';
import { calendarMetric } from '../calendar-ends.js';
import { labelled, type Metrics } from './metrics.js';

type Book = Services['book'];

export function rateMetrics(metrics: Metrics, { book, pricing }: Pick<Services, 'book' | 'pricing'>): void {
  const { shifts } = pricing;
  const byProvider = (read: (provider: ReturnType<Book['providers']>[number]) => number | undefined) => () =>
    book.providers().flatMap((provider) => {
      const value = read(provider);
      return value === undefined ? [] : [[{ provider: provider.name }, value] as const];
    });
  const ageS = byProvider(({ ageMs }) => (ageMs === undefined ? undefined : ageMs / 1000));
  const up = byProvider((provider) => (provider.up ? 1 : 0));
  const ticks = byProvider((provider) => provider.ticks);
  const refused = () => labelled('reason', Object.entries(book.refused));
  metrics.gauge(
    'ratewire_feed_kind',
    '1 for each kind of the feed that the prices of this process come from: market, replay (recorded), simulated',
    () =>
      labelled(
        'kind',
        FEED_KINDS.map((kind) => [kind, Number(book.feedKinds.includes(kind))] as const),
      ),
    'kind',
  );
  metrics.gauge('ratewire_tick_age_seconds', 'Since the last good tick of a provider', ageS, 'provider');
  metrics.gauge('ratewire_provider_up', 'Whether a provider is connected', up, 'provider');
  const losses = byProvider((provider) => provider.losses);
  metrics.counter(
    'ratewire_provider_losses_total',
    'Connections to a provider that ended, by it or on the way, or were not made',
    losses,
    'provider',
  );
  metrics.counter('ratewire_ticks_total', 'Ticks received by provider', ticks, 'provider');
  metrics.counter('ratewire_ticks_refused_total', 'Ticks refused by reason', refused, 'reason');
  metrics.gauge('ratewire_pairs_stale', 'Pairs that were quoted and now have no fresh price', () => book.stalePairs);
  metrics.gauge('ratewire_pairs_halted', 'Pairs that an operator has halted', () => book.haltedPairs);
  metrics.gauge('ratewire_pairs_priced', 'Pairs with a fresh price', () => pairsPriced(book));
  metrics.gauge(
    'ratewire_pricing_pairs',
    'Pairs whose prices the rules of pricing skew by the position (skew), or make wider for an old tick (age)',
    () => labelled('by', Object.entries({ skew: shifts.skewedPairs, age: shifts.widenedPairs })),
    'by',
  );
  metrics.gauge(
    'ratewire_pricing_position_missing',
    '1 while a rule of pricing skews prices and there are no risk figures that are usable: no price has a skew',
    () => Number(shifts.isWithoutPosition),
  );
  calendarMetric(metrics);
}

/** There are rates, or an operator wants none. */
export function hasRates(book: Book): boolean {
  return pairsPriced(book) > 0 || book.haltedPairs === PAIRS.length;
}

/** Why each provider that is away has left, in its own words, for the operator. */
export function awayProviders(book: Book): string[] {
  return book
    .providers()
    .flatMap(({ name, up, lastLoss }) => (up || !lastLoss ? [] : [`provider ${name} away: ${lastLoss}`]));
}

function pairsPriced(book: Book): number {
  return PAIRS.reduce((count, { index }) => count + (book.bid[index]! > 0 ? 1 : 0), 0);
}

/** Answers the queries of operators and doors about this engine, and logs out desks at an operator's command. */
import { hostname } from 'node:os';
import { PAIRS, type Pair, type PairStatus } from '../domain/money/pair.js';
import type { EngineStatus } from '../domain/system/engine-status.js';
import { RecentBuckets } from '../domain/system/log-buckets.js';
import type { FixGateway } from '../fix/gateway.js';
import type { Rates } from '../roles/prices/feed-role.js';
import type { Services } from '../service/core/services.js';
import { pairState } from '../service/prices/pairs.js';

const SAMPLE_MS = 1_000;

export function serveEngineQueries(
  services: Services,
  gateway: FixGateway,
  rates: Pick<Rates, 'role' | 'publisher'>,
): { stop(): Promise<void> } {
  const { store, book, now, log } = services;
  const startedAtMs = now();
  const where = `${hostname()}:${process.pid}`;
  const tickToWire = new RecentBuckets(gateway.publication.lastWire);
  const sampling = setInterval(() => tickToWire.onTimer(), SAMPLE_MS);

  const stopServing = store.engines.answer({
    status(compIds): EngineStatus {
      const wanted = compIds && new Set(compIds);
      const sessions = [...gateway.states()];
      return {
        engineId: store.engineId,
        where,
        startedAtMs,
        feed: rates.role,
        draining: gateway.isStopping,
        providers: book.providers(),
        desks: sessions.length,
        sessions: wanted ? sessions.filter(({ compId }) => wanted.has(compId)) : sessions,
        tickToWire: tickToWire.read(),
      };
    },
    pairs: () => ({ feed: rates.role, pairs: PAIRS.map((pair) => statusOf(services, pair)) }),
    takes(publisher, takes) {
      if (rates.publisher?.id !== publisher) return undefined;
      book.takes.addAtPrice(takes);
      return rates.publisher.number;
    },
    logOut(compId, text) {
      const isLive = gateway.logOut(compId, text);
      if (isLive) log.info({ compId }, 'logged out by an operator');
      return isLive;
    },
  });
  return {
    async stop() {
      clearInterval(sampling);
      stopServing();
    },
  };
}

function statusOf(services: Services, { index, symbol }: Pair): PairStatus {
  const { book } = services;
  const ageMs = book.read(index)?.ageMs;
  return {
    pair: symbol,
    state: pairState(services, index),
    ...(ageMs === undefined ? {} : { ageMs: Math.round(ageMs) }),
    providers: book.quotedBy(index),
  };
}

/** What the live page shows, of the services of this process: the one interface between the sidecar and the package `ratewire-live`. */
import type { LiveSource } from 'ratewire-live';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { PAIRS } from '../../../engine/domain/money/pair.js';
import { clientBid, clientOffer, isClientPrice } from '../../../engine/domain/money/rate.js';
import { movedRows, newestRows, newestRowsOfAll } from '../../../engine/service/conversions/blotter.js';
import { storeAnswer } from '../../../engine/service/core/operation.js';
import type { Services } from '../../../engine/service/core/services.js';
import { storeWatch } from '../../../engine/service/core/store-watch.js';
import { marketState } from '../../../engine/service/prices/pairs.js';
import { riskOf } from './risk-rows.js';
import { rowOf } from './rows.js';

export function liveSource(services: Services): LiveSource {
  const { book, pricing, margins, log } = services;
  const store = storeWatch(services);
  /** Undefined while the store does not answer. */
  const answered = async <Value>(ask: () => Promise<Value>): Promise<Value | undefined> => {
    const answer = await storeAnswer(services, ask);
    return isRefusal(answer) ? undefined : answer;
  };
  return {
    log,
    pairs: PAIRS.map(({ index, symbol, priceDigits, pipDigits, marketDigits }) => [
      index,
      symbol,
      priceDigits,
      pipDigits,
      marketDigits,
    ]),
    now: () => services.now(),
    market: () => marketState(services),
    isStoreUp: store.isUp,
    sandboxes: store.sandboxes,
    feed: () => book.feedKinds,
    prices: {
      maxAgeMs: book.maxAgeMs,
      read: (pair) => book.read(pair),
      isHalted: (pair) => book.isHalted(pair),
      onChange: (changed) => book.onChange(changed),
      onMarginChange: (changed) => pricing.shifts.onChange(changed),
      effectiveMargin: (pair, bid, offer, marginPpm) => pricing.shifts.margin(pair, bid, offer, marginPpm),
      clientBid,
      clientOffer,
      isClientPrice,
    },
    offers: {
      of: (clientId) =>
        answered(async () => {
          const type = (await store.client(clientId))?.defaultType;
          return {
            isHalted: services.states.isHalted(clientId),
            type: type ?? '',
            marginPpm: (pair) => type && pricing.marginPpm(clientId, PAIRS[pair]!, type),
          };
        }),
      onChange(changed) {
        const ends = [margins.onChange(changed), services.states.onChange(changed)];
        return () => {
          for (const end of ends) end();
        };
      },
    },
    blotter: {
      newest: (clientId, limit) =>
        answered(async () => {
          const client = await store.client(clientId);
          return client ? (await newestRows(services, client, limit)).map(rowOf) : [];
        }),
      newestOfAll: (limit, clientsMax) =>
        answered(async () => (await newestRowsOfAll(services, limit, clientsMax)).map(rowOf)),
      async moved(clientId, seen) {
        const client = await store.client(clientId);
        if (client === undefined) return undefined;
        const moved = await movedRows(services, client, seen);
        return { rows: moved.rows.map(rowOf), seen: moved.seen };
      },
      onMoved: store.onJournalGrown,
      clientIds: store.clientIds,
    },
    engines: {
      async reports(waitMs) {
        const reports = await store.engines(waitMs);
        // The key with which a desk logged on is not shown.
        return reports.map((report) => ({
          ...report,
          sessions: report.sessions.map(({ keyId: _, ...shown }) => shown),
        }));
      },
      providers: store.pairs,
    },
    risk: () => riskOf(services.risk),
    access: {
      onRevoked: store.onTokenRevoked,
      revocations: store.revocations,
      areLive: store.areTokensLive,
      mayUseKey: store.mayUseKey,
    },
  };
}

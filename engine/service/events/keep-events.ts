/** How long events are kept: what is older, or beyond the count, is dropped, and counted. */
import { StoreUnavailable } from '../../store/connection/errors.js';
import { finishKeyEvents } from '../access/index.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Over all clients that have events, at the last round. */
export interface KeptEvents {
  readonly clients: number;
  /** Since the first of each client, undelivered ones included. */
  readonly dropped: number;
}

/** One round over all clients: also the events of changes of keys that a process did not come to. */
export async function keepEvents(
  services: Services,
  kept: { readonly days: number; readonly most: number },
  pause: () => Promise<unknown>,
): Promise<KeptEvents> {
  const { log, store } = services;
  const { deliveries, events, clock } = store;
  let [clients, dropped] = [0, 0];
  for await (const client of everyClient(services)) {
    try {
      const range = await events.range(client);
      if (range !== undefined) {
        clients++;
        await finishKeyEvents(services, client);
        const sinceMs = clock.now(client) - kept.days * DAY_MS;
        const gone = await events.trim(client, { sinceMs, most: kept.most });
        dropped += gone;
        // Endpoints that have not got them count them.
        if (gone >= range.oldest) await deliveries.wake(client);
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error(
        { client: client.id, err: error },
        'old events of a client could not be dropped: those of the others are',
      );
    }
    await pause();
  }
  return { clients, dropped };
}

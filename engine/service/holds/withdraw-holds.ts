import type { Hold } from '../../domain/booking.js';
import type { Refusal } from '../../domain/refusal.js';
import type { Services } from '../core/services.js';
import { storeAnswer } from '../core/store-answer.js';

/**
 * The rates that a FIX session holds and that are over, because the market has closed, pairs are halted or its CompID is taken away, are taken
 * back, and its outbox tells it of each. Answers how many there were. Refuses with STORE_UNAVAILABLE: then some may be open still, so it is asked again.
 */
export function withdrawHolds(
  services: Services,
  client: { readonly id: string; readonly shard: number },
  session: string,
  isOver: (hold: Pick<Hold, 'pair'>) => boolean,
): Promise<number | Refusal> {
  const { holds } = services.store;
  return storeAnswer(services, async () => {
    let withdrawn = 0;
    for (const id of await holds.openOf(client, session)) {
      const held = await holds.read(client, id);
      if (held === undefined || !isOver(held)) continue;
      if (await holds.withdraw(client, id, session)) withdrawn++;
    }
    return withdrawn;
  });
}

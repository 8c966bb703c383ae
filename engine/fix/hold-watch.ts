import { isRefusal } from '../domain/refusal.js';
import { withdrawHolds } from '../service/withdraw-holds.js';
import type { Desk } from './desk.js';
import { type Door, inOrder } from './door.js';

/**
 * While the market is closed nothing that is held can be booked, so each desk's holds are withdrawn, once: those of the desks that are
 * logged on when it closes, and of those that come while it is closed. Their outboxes tell them.
 */
export class HoldWatch {
  private done = new WeakSet<Desk>();

  constructor(private readonly door: Door) {}

  look(desks: Iterable<Desk>): void {
    const { store, settings, now } = this.door.services;
    if (settings.marketHours.isOpen(now())) this.done = new WeakSet();
    else if (store.isUp()) for (const desk of desks) if (!this.done.has(desk)) this.withdraw(desk);
  }

  // In the order of the desk's requests: one that was let in while the market was open has its hold by then.
  private withdraw(desk: Desk): void {
    const { done, door } = this;
    const { identity } = desk;
    done.add(desk);
    inOrder(door, desk, async () => {
      const client = { id: identity.caller.clientId, shard: identity.shard };
      const withdrawn = await withdrawHolds(door.services, client, identity.compId);
      if (isRefusal(withdrawn)) done.delete(desk);
      else if (withdrawn > 0)
        door.services.log.info({ compId: identity.compId, holds: withdrawn }, 'holds withdrawn: the market has closed');
    });
  }
}

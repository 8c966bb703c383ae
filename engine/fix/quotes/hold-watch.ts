import { isRefusal } from '../../domain/core/refusal.js';
import { PAIRS, pairBySymbol } from '../../domain/money/pair.js';
import { revokeHolds } from '../../service/conversions/operator-holds.js';
import { dealingTime, refuseIfNotTradable } from '../../service/prices/index.js';
import { type FixContext, inOrder } from '../context.js';
import type { Desk } from '../desk.js';

/**
 * While the market is closed, or a pair or the client is halted, holds there cannot be booked, so each desk's holds are withdrawn, once:
 * those of the desks logged on at that moment, and of those that log on while it lasts. Their outboxes report it.
 */
export class HoldWatch {
  /** The close or halts for which a desk's holds are withdrawn. */
  private done = new WeakMap<Desk, string>();

  constructor(private readonly context: FixContext) {}

  onTimer(desks: Iterable<Desk>): void {
    const { sessions } = this.context;
    const ofAll = this.over();
    if (ofAll === '') for (const desk of desks) if (!this.isHalted(desk)) this.done.delete(desk);
    if (!sessions.isStoreUp()) return;
    for (const desk of desks) {
      const over = this.isHalted(desk) ? `the client, ${ofAll}` : ofAll;
      if (over !== '' && this.done.get(desk) !== over) this.withdraw(desk, over);
    }
  }

  private isHalted({ identity }: Desk): boolean {
    return this.context.services.states.isHalted(identity.caller.clientId);
  }

  /** What is not tradable for any desk now; empty: everything is. */
  private over(): string {
    const { services } = this.context;
    const { settings, book } = services;
    if (!settings.marketHours.isOpen(dealingTime(services))) return 'the market';
    return PAIRS.flatMap(({ index, symbol }) => (book.isHalted(index) ? [symbol] : [])).join(' ');
  }

  // In the order of the desk's requests: a request accepted while the market was open has its hold by then.
  private withdraw(desk: Desk, over: string): void {
    const { done, context } = this;
    const { services } = context;
    const { identity } = desk;
    done.set(desk, over);
    inOrder(context, desk, async () => {
      const client = { id: identity.caller.clientId, shard: identity.shard };
      const reasonOf = ({ pair }: { pair: string }) => {
        const refusal = refuseIfNotTradable(services, client.id, pairBySymbol(pair)!);
        return refusal && (refusal.refusal === 'MARKET_CLOSED' ? refusal.refusal : 'TRADING_HALTED');
      };
      const withdrawn = await revokeHolds(services, client, identity.compId, reasonOf);
      if (isRefusal(withdrawn)) done.delete(desk);
      else if (withdrawn > 0)
        services.log.info({ compId: identity.compId, holds: withdrawn }, 'holds withdrawn: nothing is dealt there now');
    });
  }
}

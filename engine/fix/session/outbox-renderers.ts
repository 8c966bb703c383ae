/** Renders the kinds of outbox entries as FIX messages. */
import type { SessionAccess } from '../../service/sessions/index.js';
import type { Desk } from '../desk.js';
import { bookedReport } from '../orders/execution-report.js';
import type { OpenOrders } from '../orders/open-orders.js';
import { renderHoldExpired } from '../quotes/quote-status.js';
import type { OutboundMessage, OutboxRenderers } from './outbox.js';

export function outboxRenderers(
  sessions: Pick<SessionAccess, 'booking' | 'hold'>,
  orders: OpenOrders,
): OutboxRenderers {
  const moneyOf = ({ identity }: Desk) => ({ id: identity.caller.clientId, shard: identity.shard });

  const report = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const booking = await sessions.booking(moneyOf(desk), id);
    if (booking === undefined) return undefined;
    const open = orders.get(desk.identity.caller.clientId, booking.requestId);
    if (open?.compId !== desk.identity.compId) return { msgType: '8', fields: bookedReport(booking, 'trade') };
    open.isReported = true;
    // Booked before this order was received: the desk has resent it, and another engine may have reported it.
    const isNew = booking.createdAtMs >= open.receivedAtMs;
    return { msgType: '8', fields: [...open.order.route, ...bookedReport(booking, 'trade', open.order)], isNew };
  };
  const copy = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const booking = await sessions.booking(moneyOf(desk), id);
    return booking && { msgType: '8', fields: bookedReport(booking, 'copy') };
  };
  const hold = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const held = await sessions.hold(moneyOf(desk), id);
    return held && renderHoldExpired(desk, held);
  };
  return { report, 'drop-copy': copy, 'hold-expired': hold, 'hold-withdrawn': hold };
}

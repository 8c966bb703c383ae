/** Conversions that a desk does not know: recorded for the operator, who talks to the desk. Nothing is undone by it. */
import { z } from 'zod';
import { dateText, dayAt } from '../../domain/calendar/day.js';
import { reportedAmendments } from '../../domain/conversions/amendment.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { DONT_KNOW_KEPT_DAYS, type DontKnowTrade } from '../../store/conversions/dont-know-trades.js';
import { clientOf } from '../core/caller.js';
import { boundedText, CLIENT_ID, COMP_ID, ID } from '../core/inputs.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import { clientsOf } from '../core/operator-lookup.js';

/**
 * Records that the caller's desk does not know a conversion, or an amendment of it, once for each. Refuses with UNKNOWN_ORDER where the caller
 * has none, and with RATE_LIMITED above 1,000 a day.
 */
export const recordDontKnowTrade = defineOperation({
  input: z.object({
    confirmationId: ID,
    /** 0: the booking itself. */
    amendment: z.number().int().min(0),
    /** DKReason(127). */
    reason: boundedText(1),
    text: boundedText(128),
    compId: COMP_ID,
  }),
  right: 'trade',
  async execute(services, caller, trade): Promise<{ readonly isNew: boolean } | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { bookings, clock, dontKnowTrades } = services.store;
    const booking = await bookings.read(client, trade.confirmationId);
    if (booking === undefined || trade.amendment > reportedAmendments(booking).length) return refuse('UNKNOWN_ORDER');
    const outcome = await dontKnowTrades.record(client, dateText(dayAt(clock.now(client))), trade);
    if (outcome === 'full') return refuse('RATE_LIMITED', 'Too many trades of today are not known: call us');
    return { isNew: outcome === 'recorded' };
  },
});

const DAYS = { error: `a whole number from 1 to ${DONT_KNOW_KEPT_DAYS}` };

export interface DontKnowTradeOfClient extends DontKnowTrade {
  readonly clientId: string;
  readonly atMs: number;
}

/** Those of the last days, today among them, of one client or of all, newest first. Refuses with UNKNOWN_CLIENT. */
export const listDontKnowTrades = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID.optional(),
    days: z.number(DAYS).int(DAYS).min(1, DAYS).max(DONT_KNOW_KEPT_DAYS, DAYS).default(7),
  }),
  async execute(services, _operator, { clientId, days }) {
    const { clock, dontKnowTrades } = services.store;
    const clients = await clientsOf(services, clientId);
    if (isRefusal(clients)) return clients;
    const trades: DontKnowTradeOfClient[] = [];
    const ofDay = async (client: Client, day: string): Promise<void> => {
      for (const trade of await dontKnowTrades.ofDay(client, day)) trades.push({ clientId: client.id, ...trade });
    };
    for await (const client of clients) {
      const today = dayAt(clock.now(client));
      const each = Array.from({ length: days }, (_, i) => dateText(today - i));
      await Promise.all(each.map((day) => ofDay(client, day)));
    }
    return { trades: trades.sort((one, other) => other.atMs - one.atMs) };
  },
});

import { z } from 'zod';
import { type Hold, holdStatusAt } from '../domain/booking.js';
import { pairBySymbol } from '../domain/pair.js';
import { isRefusal, refuse } from '../domain/refusal.js';
import { REST_OWNER } from '../store/holds.js';
import { clientOf } from './caller.js';
import { notDealt } from './dealing.js';
import { OFFER_MS } from './get-lockable-rate.js';
import { defineOperation } from './operation.js';
import { openOffer } from './rate-signature.js';
import { takenOver } from './taken-over.js';

/** Holds that one FIX session, or all REST callers of a client together, may have open. */
const OPEN_HOLDS_MAX = { session: 50, rest: 1_000 } as const;

/**
 * Takes an offer: the rate is firm from now on, until the hold's end. The same offer gives the same hold, however often it is sent.
 * Refuses with RATE_SIGNATURE_INVALID, DUPLICATE_QUOTEREQID, RATE_SIGNATURE_EXPIRED, MARKET_CLOSED, HOLD_LIMIT.
 */
export const lockRate = defineOperation({
  input: z.object({
    rateSignature: z.string(),
    /** CompID of the FIX session that asks; it is told when the hold expires. */
    session: z.string().optional(),
    /** Unique within the session for 24 hours. */
    quoteRequestId: z.string().optional(),
  }),
  right: 'trade',
  grows: true,
  async execute(services, caller, { rateSignature, session, quoteRequestId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { store } = services;
    const opened = openOffer(store.subKey('rate-signatures'), rateSignature);
    if (opened?.offer.clientId !== client.id) return refuse('RATE_SIGNATURE_INVALID');

    const { clientId: _, offeredAtMs, holdMs, holdUntilMs, ...agreed } = opened.offer;
    const now = services.now();
    const hold: Hold = {
      ...agreed,
      id: opened.holdId,
      owner: session ?? REST_OWNER,
      quoteRequestId,
      createdAtMs: now,
      expiryMs: holdUntilMs ?? now + holdMs,
    };
    // Also when the hold that it would become is over by now, and when the clock was set back: an offer is of no later time.
    const isLate = Math.abs(now - offeredAtMs) > OFFER_MS || now > hold.expiryMs;
    const closed = notDealt(services, pairBySymbol(hold.pair)!, now);
    const openMax = session === undefined ? OPEN_HOLDS_MAX.rest : OPEN_HOLDS_MAX.session;
    const wanted = { hold, now, isLate: isLate || closed !== undefined, quoteRequestId, openMax };
    const outcome = await store.holds.hold(client, wanted);
    if (outcome.kind === 'held') return { hold: { ...outcome.held, status: holdStatusAt(outcome.held, now) } };
    if (outcome.kind === 'late') return isLate || !closed ? refuse('RATE_SIGNATURE_EXPIRED') : closed;
    if (outcome.kind === 'limit') return refuse('HOLD_LIMIT');
    if (outcome.kind === 'taken-over') return takenOver();
    return refuse('DUPLICATE_QUOTEREQID', undefined, { details: { holdId: outcome.holdId } });
  },
});

import { z } from 'zod';
import { type Hold, type HoldStatus, holdStatusAt } from '../../domain/conversions/booking.js';
import { PLATFORM_HOLDS_MAX } from '../../domain/conversions/hold-period.js';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import { formatMinor } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { limitRefusal } from '../../domain/risk/limits.js';
import type { Client } from '../../store/access/clients.js';
import { type HoldOutcome, type HoldRequest, REST_OWNER } from '../../store/conversions/holds.js';
import { takenOver } from '../core/booking-refusal.js';
import { type Caller, clientOf } from '../core/caller.js';
import { recordHold, recordRefusal } from '../core/day-record.js';
import { boundedText, ID, knownText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import {
  OFFER_MS,
  openOffer,
  oppositeSize,
  refuseIfMoved,
  refuseIfNotTradable,
  SIGNATURE_LENGTH_MAX,
  takeHeld,
  withTaken,
} from '../prices/index.js';
import { judgeHold, readDailyLoss, withLimits } from '../risk/index.js';
import { type HoldNotional, holdLimitOf, notionalOf, platformLimitsOf } from './hold-notional.js';

/** Maximum open holds of one FIX session, and of all REST callers of a client together. */
const OPEN_HOLDS_MAX = { session: 50, rest: 1_000 } as const;

/**
 * Locks an offered rate: it is firm until the hold expires. Repeating the offer returns the same hold.
 * Refuses with RATE_SIGNATURE_INVALID, DUPLICATE_QUOTEREQID, RATE_SIGNATURE_EXPIRED, MARKET_CLOSED, as `refuseIfMoved` does (RATE_MOVED with
 * a new offer, or why there is no price now), HOLD_LIMIT by number of open holds,
 * RATE_UNAVAILABLE, INSUFFICIENT_LIQUIDITY, AMOUNT_BELOW_MIN and AMOUNT_ABOVE_LIMIT of the opposite direction where the offer was not two-way, RATE_UNAVAILABLE where
 * the value of the holds is not known, HOLD_LIMIT by value, by number and value of the platform's, and CREDIT_LIMIT. A lock is judged and reserves no limit: its booking is judged again.
 * Of providers whose sizes are firm it takes the levels.
 */
export const lockRate = defineOperation({
  input: z.object({
    rateSignature: knownText(SIGNATURE_LENGTH_MAX),
    /** CompID of the requesting FIX session; it is notified when the hold expires. */
    session: ID.optional(),
    /** Unique within the session for 24 hours. */
    quoteRequestId: boundedText(128).optional(),
    /** It may be booked in either direction; true as well where the offer was two-way. */
    twoWay: z.boolean({ error: 'true or false' }).optional(),
  }),
  right: 'trade',
  grows: true,
  async execute(services, caller, input) {
    const { record, store } = services;
    const beganMs = record?.ms ?? 0;
    const answer = await lock(services, caller, input);
    if (record === undefined) return answer;
    const tookUs = Math.round((record.ms - beganMs) * 1_000);
    const wanted = openOffer(store.subKey('rate-signatures'), input.rateSignature)?.offer ?? {};
    if (isRefusal(answer)) recordRefusal(services, 'lock', answer.refusal, caller.clientId, wanted, tookUs);
    else recordHold(services, caller.clientId, answer.hold, tookUs);
    return answer;
  },
});

interface LockInput {
  readonly rateSignature: string;
  readonly session?: string | undefined;
  readonly quoteRequestId?: string | undefined;
  readonly twoWay?: boolean | undefined;
}

async function lock(
  services: Services,
  caller: Caller,
  { rateSignature, session, quoteRequestId, twoWay }: LockInput,
): Promise<{ readonly hold: Hold & { readonly status: HoldStatus } } | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { store } = services;
  const opened = openOffer(store.subKey('rate-signatures'), rateSignature);
  if (opened?.offer.clientId !== client.id) return refuse('RATE_SIGNATURE_INVALID');
  const loss = readDailyLoss(services, client);
  if (loss) await loss;

  const {
    clientId: _,
    offeredAtMs,
    holdMs,
    holdUntilMs,
    otherSide,
    noOtherSide,
    twoWay: isTwoWay,
    ...agreed
  } = opened.offer;
  const now = store.clock.now(client);
  const hold: Hold = {
    ...agreed,
    id: opened.holdId,
    owner: session ?? REST_OWNER,
    quoteRequestId,
    createdAtMs: now,
    expiryMs: holdUntilMs ?? now + holdMs,
    ...((isTwoWay || twoWay) && { opposite: otherSide }),
  };
  // Also when the resulting hold would have expired, and when the clock was set back: an offer never comes from the future.
  const isLate = Math.abs(now - offeredAtMs) > OFFER_MS || now > hold.expiryMs;
  const judged = judgeHold(services, client.id, hold);
  const noOpposite = twoWay && !isTwoWay ? refuseOpposite(hold, noOtherSide) : undefined;
  const closed =
    refuseIfNotTradable(services, client.id, pairBySymbol(hold.pair)!) ??
    (isRefusal(judged) ? judged : undefined) ??
    (isLate || noOpposite ? undefined : refuseIfMoved(services, opened.offer, hold.opposite !== undefined, now));
  const openMax = session === undefined ? OPEN_HOLDS_MAX.rest : OPEN_HOLDS_MAX.session;
  const isClosed = isLate || closed !== undefined;
  const wanted = {
    untilMs: offeredAtMs + OFFER_MS,
    isClosed,
    quoteRequestId,
    openMax,
    ...(isRefusal(judged) ? {} : judged),
  };
  const notional = noOpposite ?? notionalOf(services, client, hold);
  const taken = isClosed || isRefusal(notional) ? undefined : takeHeld(services, { ...hold, ...mostOf(notional) });
  const lock = () => holdAt(services, client, hold, notional, wanted);
  // A repetition has taken them with its first lock.
  const isHeld = (made: Awaited<ReturnType<typeof lock>>) => !isRefusal(made) && made.kind === 'held' && made.isNew;
  const outcome = await withTaken(services, taken, lock, isHeld);
  if (isRefusal(outcome)) return outcome;
  if (outcome.kind === 'held') return { hold: { ...outcome.held, status: holdStatusAt(outcome.held, now) } };
  if (outcome.kind === 'late') return isLate || !closed ? refuse('RATE_SIGNATURE_EXPIRED') : closed;
  if (outcome.kind === 'limit') return refuse('HOLD_LIMIT');
  if (outcome.kind === 'unpriced') return notional as Refusal;
  if (outcome.kind === 'over') return overLimit(services, client, outcome.openUsd, notional as HoldNotional);
  if (outcome.kind === 'platform') return refuse('HOLD_LIMIT', OF_PLATFORM[outcome.by]);
  if (outcome.kind === 'credit') return limitRefusal(outcome.limit);
  if (outcome.kind === 'taken-over') return takenOver();
  return refuse('DUPLICATE_QUOTEREQID', undefined, { details: { holdId: outcome.holdId } });
}

const mostOf = ({ maximum }: HoldNotional): Pick<Hold, 'maximum'> => (maximum === undefined ? {} : { maximum });

/** The offer was one of one direction: whether the opposite one can be held too. */
function refuseOpposite(
  { pair: symbol, buyCurrency, amount, opposite }: Hold,
  noOtherSide: RefusalCode | undefined,
): Refusal | undefined {
  const pair = pairBySymbol(symbol)!;
  if (noOtherSide !== undefined && noOtherSide !== 'RATE_UNAVAILABLE') return refuse(noOtherSide);
  if (opposite === undefined)
    return refuse('RATE_UNAVAILABLE', `There was no rate for selling ${buyCurrency}: request the rate again`);
  const dealt = amount && { side: amount.side, minor: BigInt(amount.minor) };
  return oppositeSize(pair, { ...opposite, sellCurrency: buyCurrency }, dealt);
}

const OF_PLATFORM = {
  number: `The platform and its sub-clients have ${PLATFORM_HOLDS_MAX} open holds, as many as there may be: book or release one first`,
  over: 'The open holds of the platform and its sub-clients would exceed its limit: book or release one first, or ask us',
} as const;

async function holdAt(
  services: Services,
  client: Client,
  hold: Hold,
  notional: HoldNotional | Refusal,
  wanted: Omit<HoldRequest, 'hold' | 'usd' | 'limitUsd' | 'platform'>,
): Promise<Exclude<HoldOutcome, { kind: 'no-exposure' | 'no-room' }> | Refusal> {
  const { holds } = services.store;
  const { usd, ...maximum } = isRefusal(notional) ? { usd: undefined } : notional;
  const platform = await platformLimitsOf(services, client);
  const own = { hold: { ...hold, ...maximum }, usd, limitUsd: holdLimitOf(services, client), platform };
  return withLimits(services, client, wanted.limits ?? [], () => holds.lock(client, { ...wanted, ...own }));
}

function overLimit(services: Services, client: Client, openUsd: string, { usd }: HoldNotional): Refusal {
  const [open, own, limit] = [BigInt(openUsd), BigInt(usd), holdLimitOf(services, client)].map((cents) =>
    formatMinor(cents, 'USD'),
  );
  const text = `This hold counts ${own} USD, open holds ${open}, and the limit is ${limit}: book or release one first, or ask us`;
  return refuse('HOLD_LIMIT', text);
}

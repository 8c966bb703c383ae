/** An answer of many messages. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { TRADES_PAGE, type Trade, type TradeRange } from '../../service/conversions/index.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { perform } from '../../service/perform.js';
import { type FixContext, faultOf } from '../context.js';
import type { Desk } from '../desk.js';
import { untilRead } from '../session/outbox.js';
import { LIMITS } from '../settings.js';

/** A page that the store does not return is read again so often, a second apart: as a ResendRequest(2) is served. */
const FAILURES_MAX = 5;
const RETRY_MS = 1_000;

export interface PacedAnswer {
  readonly range: TradeRange;
  /** Only trades of this pair. */
  readonly symbol?: string | undefined;
  /** Sends one of them; `at` counts from 1. */
  send(trade: Trade, at: number): void;
  /** All are sent. */
  sent(): void | Promise<void>;
  /** The rest could not be read, and is not sent. */
  failed(refusal: Refusal): void;
}

/** Refuses with RATE_LIMITED a request for a long answer of a desk that waits for several. */
export function tooManyAnswers(desk: Desk): Refusal | undefined {
  if (desk.longAnswers < LIMITS.longAnswers) return undefined;
  return refuse('RATE_LIMITED', `You wait for ${LIMITS.longAnswers} such answers: wait for the last report of one`);
}

/** Runs the answer beside the processing of the desk's further messages, behind its earlier long answers. */
export function beside(context: FixContext, desk: Desk, answer: () => Promise<void>): void {
  desk.longAnswers++;
  const inTurn = async (): Promise<void> => {
    try {
      if (desk.session.loggedOn) await answer();
    } catch (error) {
      faultOf(context, desk, error);
    } finally {
      desk.longAnswers--;
    }
  };
  desk.lastAnswer = desk.lastAnswer.then(inTurn);
}

/**
 * Sends the answer in parts of one page: the next one is read when the desk has read the last, and after other sessions had their turn.
 */
export async function sendPaced(
  context: FixContext,
  desk: Desk,
  caller: TokenCaller,
  answer: PacedAnswer,
): Promise<void> {
  const { range, symbol } = answer;
  const { session } = desk;
  let at = 0;
  let failures = 0;
  for (let first = range.first; at < range.count; ) {
    await turn();
    await untilRead(session);
    if (!session.loggedOn) return;
    const count = symbol === undefined ? Math.min(TRADES_PAGE, range.count - at) : TRADES_PAGE;
    const page = await perform(context.services, 'readTrades', caller, { first, count });
    if (isRefusal(page) && page.refusal === 'STORE_UNAVAILABLE' && ++failures < FAILURES_MAX) {
      await pause(RETRY_MS);
      continue;
    }
    if (isRefusal(page)) return answer.failed(page);
    failures = 0;
    first += TRADES_PAGE;
    if (page.trades.length === 0) throw new Error('trades that were counted are missing: run ratewire reconcile');
    for (const trade of page.trades) {
      if (at < range.count && (symbol === undefined || trade.booking.pair === symbol)) answer.send(trade, ++at);
    }
  }
  await answer.sent();
}

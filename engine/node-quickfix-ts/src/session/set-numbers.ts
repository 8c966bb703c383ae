/** The numbers of a session as it opens its store, and those that an operator sets: of a session that is up, and in the store of one that is not. */
import type { Schedule, SessionStore } from '../types.js';
import type { FixSession } from './session.js';

/** Why a number was not set. */
export type NumberRefusal =
  /** Not a whole number from 1 to 999,999,999. */
  | 'out-of-range'
  /** An outgoing number below the next one: two messages would have the same number. To begin at 1 again, reset both sides. */
  | 'below-next'
  /** Both sides are resetting their numbers. */
  | 'resetting'
  /** The session is logging on or out; of an initiator that is not stopped, there is no session. */
  | 'not-logged-on'
  /** The session is live in another process. */
  | 'live-elsewhere'
  | 'store-failed';

const HIGHEST = 999_999_999;

const isNumber = (next: number): boolean => Number.isInteger(next) && next >= 1 && next <= HIGHEST;

export async function setNextOutgoing(session: FixSession, next: number): Promise<NumberRefusal | undefined> {
  const refusal = refusalOf(session, next);
  if (refusal !== undefined) return refusal;
  if (next < session.nextOut) return 'below-next';
  try {
    return (await session.outbound.numbers.skipTo(next)) ? undefined : 'below-next';
  } catch {
    session.storeFailed();
    return 'store-failed';
  }
}

export function setNextIncoming(session: FixSession, next: number): NumberRefusal | undefined {
  const refusal = refusalOf(session, next);
  if (refusal !== undefined) return refusal;
  if (next < session.nextIn) session.inbound.restart(next);
  else session.inbound.advance(next);
  session.store.saveNextIn(next);
  return undefined;
}

function refusalOf(session: FixSession, next: number): NumberRefusal | undefined {
  if (!isNumber(next)) return 'out-of-range';
  if (!session.loggedOn) return 'not-logged-on';
  return session.numberReset.active ? 'resetting' : undefined;
}

/** The numbers in the store; 1 where they are reset, and where they are of an earlier session period. Undefined: live in another process. */
export async function openStore(
  store: SessionStore,
  schedule: Schedule | undefined,
  nowMs: number,
  reset: boolean,
  onTakenOver: () => void,
): Promise<{ readonly nextOut: number; readonly nextIn: number } | undefined> {
  const stored = await store.open(onTakenOver);
  if (stored === undefined) return undefined;
  const isOver = schedule !== undefined && stored.createdAtMs < schedule.periodStart(nowMs);
  if (!reset && !isOver) return stored;
  await store.reset(nowMs);
  return { nextOut: 1, nextIn: 1 };
}

/**
 * Sets the numbers of a session that is not up, durably, for the session period that holds `nowMs`. The caller lets no session open the store
 * meanwhile.
 */
export async function setStoredNumbers(
  store: SessionStore,
  schedule: Schedule | undefined,
  nowMs: number,
  numbers: { readonly nextOut?: number; readonly nextIn?: number },
): Promise<NumberRefusal | undefined> {
  const { nextOut, nextIn } = numbers;
  if (![nextOut ?? 1, nextIn ?? 1].every(isNumber)) return 'out-of-range';
  try {
    const stored = await openStore(store, schedule, nowMs, false, () => undefined);
    if (stored === undefined) return 'live-elsewhere';
    if (nextOut !== undefined && nextOut < stored.nextOut) return 'below-next';
    await store.settle(nextOut ?? stored.nextOut, nextIn ?? stored.nextIn);
    return undefined;
  } catch {
    return 'store-failed';
  } finally {
    await store.close().catch(() => undefined);
  }
}

/** After a crash: every command is queried by REST, and earlier answers must be repeated. */

import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import type { Violation } from './audit.js';
import type { Random } from './commands.js';
import type { Body, Intent } from './intents.js';
import { namedBy } from './journalled.js';
import { type Answered, isGiven, type RestCaller } from './rest-caller.js';
import type { Tally } from './tally.js';

export interface Asking {
  readonly caller: RestCaller;
  readonly redis: Redis;
  readonly random: Random;
  readonly violation: Violation;
  readonly tally: Tally;
}

const AT_ONCE = 8;
const ANSWER_MS = 15_000;

/**
 * Where a client has moved conversions, by confirmation id: YYYY-MM-DD. By what was commanded and answered, and not by what a read shows
 * now.
 */
export type Moved = ReadonlyMap<string, string>;

export async function askByRest(asking: Asking, moved: Moved, intents: readonly Intent[]): Promise<void> {
  const queue = [...intents];
  const next = async (): Promise<void> => {
    for (let intent = queue.pop(); intent; intent = queue.pop()) await askOne(asking, moved, intent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function askOne(asking: Asking, moved: Moved, intent: Intent): Promise<void> {
  const { tally, random } = asking;
  if (intent.acknowledged) return askAcknowledged(asking, moved, intent);
  if (intent.isUnknown) return askUnknown(asking, intent);
  // A command answered with "not executed" stays absent, or is sent again and booked now; the audit checks both.
  const wasTurnedAway = intent.attempts.some(({ kind }) => kind === 'none');
  if (!wasTurnedAway) tally.refused++;
  else if (random() < 0.5) tally.leftAlone++;
  else if (isGiven(await sendUntilAnswered(asking, intent))) tally.bookedLater++;
}

async function askAcknowledged({ caller, violation, tally }: Asking, moved: Moved, intent: Intent): Promise<void> {
  tally.acknowledged++;
  const { confirmationId, confirmation } = intent.acknowledged!;
  const read = await untilAnswered(() => caller.get(intent.client, `/api/v1/bookfx/${confirmationId}`));
  if (!isGiven(read))
    return violation(`${intent.requestId}: ${confirmationId} was acknowledged and reads as ${saidBy(read)}`);
  const again = await untilAnswered(() => caller.book(intent));
  if (!isGiven(again) || !again.replayed)
    return violation(`${intent.requestId}: acknowledged as ${confirmationId}, sent again it is ${saidBy(again)}`);
  // A repetition gets the first answer. A read shows what has changed since: the conversion settles, or its client has changed it.
  const { changes: _, ...shown } = read.body;
  const expected = { ...confirmation, ...movedTo(moved.get(confirmationId), confirmation), status: shown.status };
  const answers = [
    [again.body, confirmation],
    [shown, expected],
  ] as const;
  for (const [told, wanted] of answers)
    if (!isDeepStrictEqual(told, wanted))
      violation(`${intent.requestId}: expected ${JSON.stringify(wanted)}, now ${JSON.stringify(told)}`);
}

/** A conversion whose date was moved settles on that date, at the time of day at which it was booked. */
const movedTo = (date: string | undefined, confirmation: Body | undefined): Body =>
  date === undefined
    ? {}
    : { settlement_date: date, expiry_at: `${date}${String(confirmation?.created_at).slice('YYYY-MM-DD'.length)}` };

async function askUnknown(asking: Asking, intent: Intent): Promise<void> {
  const { redis, violation, tally } = asking;
  const kept = namedBy(await redis.get(ledgerKeys(intent.client).receipt(intent.requestId)), 'booking');
  const answer = await sendUntilAnswered(asking, intent);
  const id = isGiven(answer) ? answer.body.confirmation_id : undefined;
  if (kept !== null) {
    tally.unknownBooked++;
    if (!isGiven(answer) || !answer.replayed || id !== kept)
      violation(
        `${intent.requestId}: had been booked as ${kept} without an answer; asked again it is ${saidBy(answer)}`,
      );
  } else {
    tally.unknownNot++;
    if (isGiven(answer) && answer.replayed)
      violation(`${intent.requestId}: had not been booked; sent again it is ${id}, as if it had`);
  }
}

const sendUntilAnswered = ({ caller }: Asking, intent: Intent) => untilAnswered(() => caller.book(intent));

/** All programs are up: a 503 means that the price is not back yet, and any other answer is final. */
export async function untilAnswered(ask: () => ReturnType<RestCaller['book']>): ReturnType<RestCaller['book']> {
  const late = performance.now() + ANSWER_MS;
  for (;;) {
    const reply = await ask();
    const isDone = typeof reply !== 'string' && reply.status !== 503;
    if (isDone || performance.now() > late) return reply;
    await pause(50);
  }
}

export function saidBy(reply: Answered | string): string {
  return typeof reply === 'string' ? reply : `${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`;
}

/** After a crash: every change of a conversion is sent again, and the conversion is read. */
import { isDeepStrictEqual } from 'node:util';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type Asking, type Moved, saidBy, untilAnswered } from '../ask-by-rest.js';
import type { Body, Intent } from '../intents.js';
import { namedBy } from '../journalled.js';
import { isGiven } from '../rest-caller.js';

const AT_ONCE = 4;

/** Returns the dates to which the changes have moved conversions. */
export async function askChanges(asking: Asking, intents: readonly Intent[]): Promise<Moved> {
  const queue = [...intents];
  const made = new Map<Intent, Body>();
  const next = async (): Promise<void> => {
    for (let intent = queue.pop(); intent; intent = queue.pop()) {
      const change = await askOne(asking, intent);
      if (change) made.set(intent, change);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  // One caller at a time changes a conversion: the last of its intents wins.
  const dates = intents.flatMap((intent) => {
    const { type, confirmation_id, settlement_date } = made.get(intent) ?? {};
    return type === 'date' ? [[String(confirmation_id), String(settlement_date)] as const] : [];
  });
  return new Map(dates);
}

/** The change that the command has made, as it was answered. */
async function askOne({ caller, redis, violation, tally }: Asking, intent: Intent): Promise<Body | undefined> {
  const { requestId, client, acknowledged, command } = intent;
  // None of those that were answered "not executed" has to be sent again.
  if (!acknowledged && !intent.isUnknown) return undefined;
  const kept = namedBy(await redis.get(ledgerKeys(client).receipt(requestId)), 'change');
  const again = await untilAnswered(() => caller.book(intent));
  const isReplayed = isGiven(again) && again.replayed;
  if (isReplayed !== (kept !== null))
    violation(`${requestId}: the receipt names ${kept}, sent again it is ${saidBy(again)}`);
  else if (acknowledged && !isReplayed)
    violation(`${requestId}: it was acknowledged, sent again it is ${saidBy(again)}`);
  if (!isGiven(again)) return undefined;
  tally.changes++;
  const date = command.door === 'rest' ? command.terms?.settlement_date : undefined;
  if (date !== undefined && again.body.settlement_date !== date)
    violation(`${requestId}: its quote was for ${date}, it is ${saidBy(again)}`);
  if (acknowledged && !isDeepStrictEqual(again.body, acknowledged.confirmation))
    violation(`${requestId}: answered ${JSON.stringify(acknowledged.confirmation)}, now ${saidBy(again)}`);
  const read = await untilAnswered(() => caller.get(client, `/api/v1/bookfx/${again.body.confirmation_id}`));
  const shown = isGiven(read) ? (read.body.changes as readonly unknown[] | undefined) : undefined;
  if (!shown?.some((one) => isDeepStrictEqual(one, again.body)))
    violation(`${requestId}: ${saidBy(again)} is not among the changes of ${saidBy(read)}`);
  return again.body;
}

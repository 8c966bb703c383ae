/** After a crash: every change of a conversion is sent again, and the conversion is read. */
import { isDeepStrictEqual } from 'node:util';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type Asking, saidBy, untilAnswered } from '../ask-by-rest.js';
import type { Intent } from '../intents.js';
import { namedBy } from '../journalled.js';
import { isGiven } from '../rest-caller.js';

const AT_ONCE = 4;

export async function askChanges(asking: Asking, intents: readonly Intent[]): Promise<void> {
  const queue = [...intents];
  const next = async (): Promise<void> => {
    for (let intent = queue.pop(); intent; intent = queue.pop()) await askOne(asking, intent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function askOne({ caller, redis, violation, tally }: Asking, intent: Intent): Promise<void> {
  const { requestId, client, acknowledged } = intent;
  // None of those that were answered "not executed" has to be sent again.
  if (!acknowledged && !intent.isUnknown) return;
  const kept = namedBy(await redis.get(ledgerKeys(client).receipt(requestId)), 'change');
  const again = await untilAnswered(() => caller.book(intent));
  const isReplayed = isGiven(again) && again.replayed;
  if (isReplayed !== (kept !== null))
    return violation(`${requestId}: the receipt names ${kept}, sent again it is ${saidBy(again)}`);
  if (acknowledged && !isReplayed)
    return violation(`${requestId}: it was acknowledged, sent again it is ${saidBy(again)}`);
  if (!isGiven(again)) return;
  tally.changes++;
  if (acknowledged && !isDeepStrictEqual(again.body, acknowledged.confirmation))
    violation(`${requestId}: answered ${JSON.stringify(acknowledged.confirmation)}, now ${saidBy(again)}`);
  const read = await untilAnswered(() => caller.get(client, `/api/v1/bookfx/${again.body.confirmation_id}`));
  const shown = isGiven(read) ? (read.body.changes as readonly unknown[] | undefined) : undefined;
  if (!shown?.some((one) => isDeepStrictEqual(one, again.body)))
    violation(`${requestId}: ${saidBy(again)} is not among the changes of ${saidBy(read)}`);
}

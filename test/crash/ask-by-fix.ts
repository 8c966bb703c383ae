/** After a crash: each order is queried by OrderStatusRequest(H), and sent once more with PossResend(97). */
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import type { Received } from '../support/desk.js';
import type { ClientAudit, Violation } from './audit.js';
import type { Random } from './commands.js';
import type { Intent } from './intents.js';
import { namedBy } from './journalled.js';
import type { Tally } from './tally.js';
import { later, type Trader } from './trader.js';

export interface FixAsking {
  readonly redis: Redis;
  readonly random: Random;
  readonly violation: Violation;
  readonly tally: Tally;
}

const UP_MS = 20_000;
const ANSWER_MS = 20_000;
const REPORT_MS = 20_000;
const AT_ONCE = 5;

/** Resolves when every pending order has a report: after its logon the desk's missed messages have been requested and resent. */
export async function untilSettled(traders: readonly Trader[], violation: Violation): Promise<void> {
  const settled = await Promise.all(traders.map(({ desk }) => desk.settled(UP_MS)));
  for (const [i, isSettled] of settled.entries())
    if (!isSettled) violation(`${traders[i]!.desk.compId} is not logged on again, or gets no answer`);
}

export async function askByFix(asking: FixAsking, trader: Trader, intents: readonly Intent[]): Promise<void> {
  const queue = [...intents];
  const next = async (): Promise<void> => {
    for (let intent = queue.pop(); intent; intent = queue.pop()) await askOne(asking, trader, intent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function askOne(asking: FixAsking, trader: Trader, intent: Intent): Promise<void> {
  const { redis, random, tally, violation } = asking;
  const wasSent = intent.attempts.some(({ kind }) => kind !== 'none');
  if (!wasSent && random() < 0.5) return void tally.leftAlone++;
  const known = intent.acknowledged?.confirmationId;
  // It got no report, not even a rejection.
  const isUntold = wasSent && intent.isUnknown && trader.reportsOf(intent).every((report) => report.get(39) === 'A');

  const status = await statusOf(trader, intent);
  if (!status) return violation(`${intent.requestId}: H has no answer:\n${trader.desk.lastLines()}`);
  const kept = namedBy(await redis.get(ledgerKeys(intent.client).receipt(intent.requestId)), 'booking');
  const isBooked = status.get(39) === '2';
  if (isBooked !== (kept !== null) || (isBooked && status.get(37) !== kept))
    violation(`${intent.requestId}: booked as ${kept}, H is answered ${status.text}`);
  if (known !== undefined && known !== kept) violation(`${intent.requestId}: reported ${known}, booked as ${kept}`);
  if (isUntold && status.get(20011) === 'UNKNOWN_ORDER')
    violation(`${intent.requestId}: its number was counted, but it was neither executed nor rejected`);
  if (known !== undefined) tally.acknowledged++;
  else if (isBooked) tally.unknownBooked++;
  else if (intent.isUnknown) tally.unknownNot++;

  const before = trader.reportsOf(intent).length;
  await trader.order(intent, true);
  const again = await trader.report(intent, before, ANSWER_MS, (report) => report.get(39) !== 'A');
  if (!again) return violation(`${intent.requestId}: sent again with 97=Y, no answer:\n${trader.desk.lastLines()}`);
  if (kept !== null && (again.get(150) !== 'I' || again.get(37) !== kept || again.get(17) !== status.get(17)))
    violation(`${intent.requestId}: ${status.text}, sent again ${again.text}`);
  const wasRefused = status.get(39) === '8' && status.get(20011) !== 'UNKNOWN_ORDER';
  if (wasRefused) tally.refused++;
  if (wasRefused && (again.get(150) !== 'I' || again.get(20011) !== status.get(20011)))
    violation(`${intent.requestId}: ${status.text}, sent again ${again.text}`);
  if (!wasRefused && kept === null && again.get(150) === 'F') tally.bookedLater++;
}

/** The order's report once it is no longer pending. */
async function statusOf(trader: Trader, intent: Intent): Promise<Received | undefined> {
  const late = performance.now() + ANSWER_MS;
  for (;;) {
    const before = trader.reportsOf(intent).length;
    const isAsked = await trader.ask(intent);
    const isAnswer = (report: Received) => report.get(150) === 'I' || report.get(20011) === 'RATE_LIMITED';
    const status = isAsked && (await trader.report(intent, before, ANSWER_MS, isAnswer));
    if ((status && status.get(150) === 'I' && status.get(39) !== 'A') || performance.now() > late)
      return status || undefined;
    await later(50);
  }
}

/** Checks that each booking of a desk was reported to it as a trade, and to the desks with drop copies as a copy. */
export async function everyReportCame(
  traders: readonly Trader[],
  audits: readonly ClientAudit[],
  desksOf: (requestId: string) => string | undefined,
  violation: Violation,
): Promise<void> {
  const late = performance.now() + REPORT_MS;
  for (const trader of traders) {
    const { client, compId } = trader.options;
    const { bookings, changes } = audits.find((audit) => audit.client === client)!;
    for (const { id, requestId } of [...bookings.values(), ...changes.children]) {
      const isItsOwn = desksOf(requestId) === compId;
      if (!isItsOwn && client.copiesTo !== compId) continue;
      const told = isItsOwn ? trader.trades : trader.copies;
      while (!told.has(id) && performance.now() < late) await later(20);
      if (!told.has(id)) violation(`${compId} got no report of ${id}, booked for ${requestId}`);
    }
  }
}

/** Requests all messages of this round again by ResendRequest(2): each number must have the same content, and no report may be missing. */
export async function everythingAgain(
  traders: readonly Trader[],
  from: readonly number[],
  storeWasAway: boolean,
  violation: Violation,
): Promise<void> {
  const replayed = await Promise.all(traders.map(({ desk }, i) => desk.replay(from[i]!, ANSWER_MS)));
  for (const [i, passedOver] of replayed.entries()) {
    const { compId } = traders[i]!.desk;
    if (!passedOver) violation(`${compId} asked for everything again, and has not got it`);
    // While the store does not answer a report is sent without being stored; reports of bookings are sent again after the next logon.
    else if (passedOver.length > 0 && !storeWasAway)
      violation(`${compId} got ${passedOver[0]}, and not when it was resent`);
  }
}

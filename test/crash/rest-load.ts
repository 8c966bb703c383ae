/** Callers over REST: they book, lock rates and book those, and retry when an answer was lost, as real ones do. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashClient } from './clients.js';
import { anyOf, lockableRate, marketByRest, onHoldByRest, type Random, wholeFrom } from './commands.js';
import type { HeldRate, Intent, IntentLog } from './intents.js';
import { isGiven, type RestCaller } from './rest-caller.js';

export interface LoadTurn {
  readonly round: number;
  readonly random: Random;
  readonly clients: readonly CrashClient[];
  readonly log: IntentLog;
  readonly isOver: () => boolean;
}

/** Maximum commands of one caller in a round: querying all of them afterwards must stay quick. */
const COMMANDS_MAX = 20;
const GAP_MS = 120;

export async function callByRest(caller: RestCaller, turn: LoadTurn): Promise<void> {
  const { random, clients, log, round, isOver } = turn;
  for (let n = 0; n < COMMANDS_MAX && !isOver(); n++) {
    const client = anyOf(random, clients);
    const kind = random();
    if (kind < 0.25) await holdAndBook(caller, turn, client);
    else {
      const intent = log.open(client, round, (id) => marketByRest(random, client, id));
      // Some send the same command twice at once, by mistake or because a proxy repeats it.
      if (kind > 0.9) await Promise.all([caller.book(intent), caller.book(intent)]);
      else await sendUntilTold(caller, turn, intent);
    }
    await pause(wholeFrom(random, 0, GAP_MS));
  }
}

/** Half of them repeat the command as soon as an answer is lost, until there is one or the load is over. */
export async function sendUntilTold(caller: RestCaller, { random, isOver }: LoadTurn, intent: Intent): Promise<void> {
  const isPersistent = random() < 0.5;
  for (;;) {
    await caller.book(intent);
    const last = intent.attempts.at(-1)!.kind;
    if (!isPersistent || isOver() || last === 'acknowledged' || last === 'refused') return;
    await pause(wholeFrom(random, 5, 100));
  }
}

async function holdAndBook(caller: RestCaller, turn: LoadTurn, client: CrashClient): Promise<void> {
  const held = await hold(caller, turn, client);
  if (!held) return;
  const intent = turn.log.open(client, turn.round, (id) => onHoldByRest(held, id));
  await sendUntilTold(caller, turn, intent);
}

/** Undefined: no rate, or no answer. An offer whose lock was not answered is locked again: it becomes one hold. */
export async function hold(
  caller: RestCaller,
  { random, log, isOver }: LoadTurn,
  client: CrashClient,
): Promise<HeldRate | undefined> {
  const { path, held: wanted } = lockableRate(random);
  const askedAtMs = Date.now();
  const offer = await caller.get(client, path);
  if (!isGiven(offer)) return undefined;
  for (;;) {
    const reply = await caller.post(client, '/api/v1/lockFx/lockFxRate', { rate_signature: offer.body.rate_signature });
    if (isGiven(reply)) {
      const held = { holdId: String(reply.body.fx_hold_id), client, askedAtMs, ...wanted };
      log.holds.push(held);
      return held;
    }
    if (isOver() || (typeof reply !== 'string' && reply.status < 500)) return undefined;
    await pause(wholeFrom(random, 5, 100));
  }
}

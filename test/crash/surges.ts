/** Many orders at the very moment of a kill. */
import { setTimeout as pause } from 'node:timers/promises';
import { anyOf, marketByRest, onHoldByFix, onHoldByRest } from './commands.js';
import type { RestCaller } from './rest-caller.js';
import { hold, type LoadTurn } from './rest-load.js';
import type { Trader } from './trader.js';

const ORDERS_ON_ONE_HOLD = 100;
const ORDERS_BY_EACH_DESK = 15;
const ORDERS_IN_A_BURST = 25;

/** A hundred concurrent orders on one hold, by FIX and REST; returns the hold's id, undefined without a hold. */
export async function contest(
  caller: RestCaller,
  traders: readonly Trader[],
  turn: LoadTurn,
  atMs: number,
): Promise<string | undefined> {
  const { log, round, clients } = turn;
  const client = clients[0]!;
  const held = await hold(caller, turn, client);
  if (!held) return undefined;
  await pause(atMs);
  const desks = traders.filter((trader) => trader.options.client === client);
  const byFix = desks.flatMap((trader) => Array.from({ length: ORDERS_BY_EACH_DESK }, () => trader));
  const byRest = Array.from({ length: ORDERS_ON_ONE_HOLD - byFix.length });
  await Promise.all([
    ...byFix.map((trader) => trader.order(log.open(client, round, () => onHoldByFix(held, trader.desk.compId)))),
    ...byRest.map(() => caller.book(log.open(client, round, (id) => onHoldByRest(held, id)))),
  ]);
  return held.holdId;
}

/** Some reach the store although their answer is lost. */
export async function burst(caller: RestCaller, turn: LoadTurn, atMs: number): Promise<void> {
  const { random, log, round, clients } = turn;
  await pause(atMs);
  const orders = Array.from({ length: ORDERS_IN_A_BURST }, () => {
    const client = anyOf(random, clients);
    return log.open(client, round, (id) => marketByRest(random, client, id));
  });
  await Promise.all(orders.map((order) => caller.book(order)));
}

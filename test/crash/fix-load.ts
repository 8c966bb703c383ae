/** Desks over FIX: they send orders, lock rates for short times, and book those at the very end of their time. */
import { anyAmount, marketByFix, onHoldByFix, onHoldByRest, wholeFrom } from './commands.js';
import type { HeldRate } from './intents.js';
import type { RestCaller } from './rest-caller.js';
import type { LoadTurn } from './rest-load.js';
import { later, type Trader } from './trader.js';

const MESSAGES_MAX = 14;
const GAP_MS = 200;
const QUOTE_MS = 1_500;

export async function tradeByFix(trader: Trader, caller: RestCaller, turn: LoadTurn): Promise<void> {
  const { random, log, round, isOver } = turn;
  const { client, compId } = trader.options;
  const onHolds: Promise<void>[] = [];
  for (let n = 0; n < MESSAGES_MAX && !isOver(); n++) {
    if (random() < 0.2) onHolds.push(bookAtItsEnd(trader, caller, turn, `Q${round}.${n}`));
    else await trader.order(log.open(client, round, () => marketByFix(random, compId)));
    await later(wholeFrom(random, 0, GAP_MS));
  }
  await Promise.all(onHolds);
}

/** A short hold, and orders by FIX and REST just before its expiry, or just after. */
async function bookAtItsEnd(trader: Trader, caller: RestCaller, turn: LoadTurn, id: string): Promise<void> {
  const { random, log, round } = turn;
  const { client, compId } = trader.options;
  const untilMs = Date.now() + wholeFrom(random, 250, 1_000);
  const held = await holdByFix(trader, turn, id, untilMs);
  if (!held) return;
  const isEarly = random() < 0.3;
  const at = async (atMs: number, send: () => Promise<unknown>): Promise<void> => {
    await later(Math.max(0, (isEarly ? Date.now() : untilMs) + atMs - Date.now()));
    await send();
  };
  const order = () => trader.order(log.open(client, round, () => onHoldByFix(held, compId)));
  const booking = () => caller.book(log.open(client, round, (requestId) => onHoldByRest(held, requestId)));
  await Promise.all([order, booking, order, booking].map((send) => at(wholeFrom(random, -60, 15), send)));
}

/** For one amount of one of the two currencies. */
export async function holdByFix(
  trader: Trader,
  { random, log }: LoadTurn,
  id: string,
  untilMs: number,
): Promise<HeldRate | undefined> {
  const { symbol, side, sells, buys, dealt, currency, quantity } = anyAmount(random);
  const asked = [
    [55, symbol],
    [537, 1],
    [54, side],
    [38, quantity],
    [15, currency],
  ] as const;
  const quote = await trader.quote(`${log.run}.${id}`, asked, untilMs, QUOTE_MS);
  if (!quote) return undefined;
  const { client } = trader.options;
  const held: HeldRate = { holdId: quote.get(117)!, client, sells, buys, dealt, amount: quantity };
  log.holds.push(held);
  return held;
}

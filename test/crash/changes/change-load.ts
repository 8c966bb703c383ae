/** Callers that book scheduled conversions over REST and cancel, move or split them, and retry when an answer was lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { valueDates } from '../../../engine/domain/money/value-date.js';
import { isoDate } from '../../../rest/features/shapes.js';
import type { CrashClient } from '../clients.js';
import { anyOf, type Random, wholeFrom } from '../commands.js';
import type { Body, Command, IntentLog } from '../intents.js';
import { isGiven, type RestCaller } from '../rest-caller.js';
import { type LoadTurn, sendUntilTold } from '../rest-load.js';

const COMMANDS_MAX = 8;
const GAP_MS = 80;
/** A part of it, and of that a part, as far as there is luck. */
const DEPTH_MAX = 3;

interface Conversion {
  readonly id: string;
  readonly sells: number;
  readonly date: string;
}

/** Another date on which EUR/USD can settle now, YYYY-MM-DD; undefined where spot is the only one, as before a holiday of New York. */
function otherDate(date: string): string | undefined {
  const found = valueDates(pairBySymbol('EUR/USD')!, Date.now());
  return isRefusal(found) ? undefined : found.dates.map(isoDate).find((good) => good !== date);
}

export async function changeByRest(caller: RestCaller, turn: LoadTurn, changes: IntentLog): Promise<void> {
  const { random, clients, log, round, isOver } = turn;
  for (let n = 0; n < COMMANDS_MAX && !isOver(); n++) {
    const client = anyOf(random, clients);
    const sells = wholeFrom(random, 200, 900);
    const booking = log.open(client, round, (id) => scheduled(random, id, sells));
    await sendUntilTold(caller, turn, booking);
    const { confirmation } = booking.acknowledged ?? {};
    if (confirmation === undefined) continue;
    const [id, date] = [String(confirmation.confirmation_id), String(confirmation.settlement_date)];
    await change(caller, turn, changes, client, { id, sells, date }, 1);
    await pause(wholeFrom(random, 0, GAP_MS));
  }
}

const scheduled = (random: Random, requestId: string, amount: number): Command => {
  const [sell, buy] = random() < 0.5 ? ['EUR', 'USD'] : ['USD', 'EUR'];
  const pair = { sell_currency: sell, buy_currency: buy, sell_amount: amount, book_fx_type: 'SCHEDULED1' };
  const body = { request_id: requestId, description: 'crash', ...pair };
  return { door: 'rest', path: '/api/v1/bookfx/currency/create', body };
};

async function change(
  caller: RestCaller,
  turn: LoadTurn,
  changes: IntentLog,
  client: CrashClient,
  conversion: Conversion,
  depth: number,
): Promise<void> {
  const { random, round, isOver } = turn;
  const { id, sells } = conversion;
  const date = otherDate(conversion.date);
  const kinds = ['cancel', 'split', 'split', 'date'] as const;
  const kind = anyOf(random, date === undefined ? kinds.slice(0, -1) : kinds);
  const part = wholeFrom(random, 20, sells - 20);
  const terms: Body =
    kind === 'date' ? { settlement_date: date } : kind === 'split' ? { sell_amounts: [part, sells - part] } : {};
  const path = `/api/v1/bookfx/${id}/${kind}`;
  const quote = await caller.post(client, `${path}/quote`, terms);
  if (!isGiven(quote)) return;
  const { quote_id } = quote.body;
  const command = (request_id: string): Command => ({
    door: 'rest',
    path,
    body: { quote_id, request_id, reason: 'crash' },
    terms,
  });
  const intent = changes.open(client, round, command);
  // Some send the same command twice at once, or two of one conversion.
  const rival = random() < 0.15 ? changes.open(client, round, command) : intent;
  if (random() < 0.25) await Promise.all([caller.book(intent), caller.book(rival)]);
  else await sendUntilTold(caller, turn, intent);
  const children = intent.acknowledged?.confirmation?.children as
    | readonly { readonly confirmation_id: string; readonly sell_amount: number }[]
    | undefined;
  if (depth === DEPTH_MAX || isOver() || intent.acknowledged === undefined || kind === 'cancel') return;
  if (kind === 'date') return change(caller, turn, changes, client, { ...conversion, date: date! }, depth + 1);
  for (const { confirmation_id, sell_amount } of children ?? [])
    if (sell_amount > 60 && random() < 0.6)
      await change(
        caller,
        turn,
        changes,
        client,
        { ...conversion, id: confirmation_id, sells: sell_amount },
        depth + 1,
      );
}

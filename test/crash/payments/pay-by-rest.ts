/** Payers over REST: they pay, repeat requests concurrently, cancel, answer compliance, and query when an answer was lost. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashClient } from '../clients.js';
import { anyOf, type Random, wholeFrom } from '../commands.js';
import { holdByFix } from '../fix-load.js';
import type { Reply, RestCaller } from '../rest-caller.js';
import { hold, type LoadTurn } from '../rest-load.js';
import type { Trader } from '../trader.js';
import type { Asked, PaymentIntent, PaymentLog, Told } from './payment-log.js';
import { anyPayment, onHold, type PaymentOrder } from './payment-orders.js';

/** As for other commands: querying all of them afterwards must stay quick. */
const PAYMENTS_MAX = 7;
const GAP_MS = 200;
const IN_A_BURST = 12;

export interface PaymentTurn extends LoadTurn {
  readonly payments: PaymentLog;
  /** Their desks lock rates for short times, which expire under waiting payments. */
  readonly traders: readonly Trader[];
}

export async function payByRest(caller: RestCaller, turn: PaymentTurn): Promise<void> {
  const { random, clients, payments, round, isOver } = turn;
  const later: Promise<void>[] = [];
  for (let n = 0; n < PAYMENTS_MAX && !isOver(); n++) {
    const client = anyOf(random, clients);
    const intent = payments.open(client, round, await anyOrder(caller, turn, client));
    later.push(...afterwards(caller, turn, intent));
    // Some send the same request twice at once, usually to two sidecars.
    if (random() < 0.2) await Promise.all([pay(caller, intent), pay(caller, intent)]);
    else await payUntilTold(caller, turn, intent);
    await pause(wholeFrom(random, 0, GAP_MS));
  }
  await Promise.all(later);
}

/** Many at the moment of a kill: some answers are lost, some payments are caught between any two steps. */
export async function burstOfPayments(caller: RestCaller, turn: PaymentTurn, atMs: number): Promise<void> {
  const { random, clients, payments, round } = turn;
  await pause(atMs);
  const intents = Array.from({ length: IN_A_BURST }, () => {
    const client = anyOf(random, clients);
    return payments.open(client, round, anyPayment(random, client));
  });
  await Promise.all(intents.map((intent) => pay(caller, intent)));
}

async function anyOrder(caller: RestCaller, turn: PaymentTurn, client: CrashClient): Promise<PaymentOrder> {
  const { random, round, traders, payments } = turn;
  const kind = random();
  const desk = traders.find((trader) => trader.options.client === client);
  if (desk && kind < 0.1) {
    const until = Date.now() + wholeFrom(random, 300, 6_000);
    const held = await holdByFix(desk, turn, `P${round}.${payments.payments.size}.${wholeFrom(random, 0, 1e6)}`, until);
    if (held) return onHold(random, client, held, 'this amount');
  } else if (desk && kind < 0.25) {
    const held = await hold(caller, turn, client);
    if (held) return onHold(random, client, held, 'any amount');
  }
  return anyPayment(random, client);
}

/** Half of them repeat the request as soon as an answer is lost, until there is one or the load is over. */
async function payUntilTold(caller: RestCaller, { random, isOver }: PaymentTurn, intent: PaymentIntent): Promise<void> {
  const isPersistent = random() < 0.5;
  for (;;) {
    const { kind } = await pay(caller, intent);
    const isTold = kind !== 'none' && kind !== 'unknown';
    if (!isPersistent || isOver() || isTold) return;
    await pause(wholeFrom(random, 5, 100));
  }
}

/** What its client does about a payment while others proceed. */
function afterwards(caller: RestCaller, turn: PaymentTurn, intent: PaymentIntent): Promise<void>[] {
  const { random } = turn;
  const doings: Promise<void>[] = [];
  if (random() < 0.2) doings.push(repeatedly(turn, intent, 1, () => cancel(caller, intent)));
  if (intent.order.word === 'INFO REQUESTED')
    doings.push(repeatedly(turn, intent, 3, () => answerInformation(caller, intent)));
  if (random() < 0.1) doings.push(repeatedly(turn, intent, 1, () => pay(caller, intent)));
  return doings;
}

/** At moments of its own, once its id is known, and again when an answer was lost. */
async function repeatedly(
  { random, isOver }: { readonly random: Random; readonly isOver: () => boolean },
  intent: PaymentIntent,
  times: number,
  ask: () => Promise<unknown>,
): Promise<void> {
  const gaps = Array.from({ length: times }, () => wholeFrom(random, 0, 600));
  while (intent.paymentId === undefined && !isOver()) await pause(10);
  for (const gap of gaps) {
    await pause(gap);
    if (intent.paymentId === undefined || isOver()) return;
    await ask();
  }
}

export async function pay(caller: RestCaller, intent: PaymentIntent): Promise<Told> {
  const { client, number, order } = intent;
  intent.sent++;
  const body = { request_id: number, transaction_number: number, ...order.body };
  const told = toldBy(await caller.post(client, order.path, body));
  intent.told.push(told);
  return told;
}

export const cancel = (caller: RestCaller, intent: PaymentIntent): Promise<Asked> =>
  ask(caller, intent, intent.cancels, 'cancel', {});

export const answerInformation = (caller: RestCaller, intent: PaymentIntent): Promise<Asked> =>
  ask(caller, intent, intent.answers, 'information', { information: 'Invoice 417' });

async function ask(
  caller: RestCaller,
  { client, paymentId }: PaymentIntent,
  asked: Asked[],
  what: string,
  body: Readonly<Record<string, string>>,
): Promise<Asked> {
  const reply = await caller.post(client, `/api/v1/payments/id/${paymentId}/${what}`, body);
  const { kind } = toldBy(reply);
  const came: Asked = kind === 'created' ? 'done' : kind === 'duplicate' ? 'unknown' : kind;
  asked.push(came);
  return came;
}

function toldBy(reply: Reply): Told {
  if (reply === 'never-sent') return { kind: 'none' };
  if (reply === 'lost') return { kind: 'unknown' };
  const { status, body } = reply;
  if (status === 200) return { kind: 'created', paymentId: String(body.payment_id), body };
  if (status === 409 && body.code === 'DUPLICATE_TRANSACTION')
    return { kind: 'duplicate', paymentId: String(body.payment_id), requestId: String(body.original_request_id) };
  if (status === 503) return { kind: body.outcome === 'none' ? 'none' : 'unknown' };
  // After a server error the outcome is unknown.
  return status >= 500 ? { kind: 'unknown' } : { kind: 'refused', code: String(body.code) };
}

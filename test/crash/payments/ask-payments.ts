/** After a crash: every payment is queried, and sent once more; compliance gets its answers, and some waiting payments are cancelled. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { saidBy, untilAnswered } from '../ask-by-rest.js';
import type { Violation } from '../audit.js';
import { units } from '../clients.js';
import type { Random } from '../commands.js';
import { isGiven, type RestCaller } from '../rest-caller.js';
import type { Tally } from '../tally.js';
import { answerInformation, cancel, pay } from './pay-by-rest.js';
import type { PaymentIntent } from './payment-log.js';
import type { PaymentTrail } from './payment-trail.js';

export interface PaymentAsking {
  readonly caller: RestCaller;
  readonly redis: Redis;
  readonly random: Random;
  readonly violation: Violation;
  readonly tally: Tally;
}

const AT_ONCE = 8;
const ANSWER_MS = 15_000;
/** From these statuses it may reach INFO_REQUESTED. */
const ON_ITS_WAY = new Set(['IN_PROCESS', 'COMPLIANCE_VERIFICATION', 'INFO_REQUESTED']);

export async function askPayments(asking: PaymentAsking, intents: readonly PaymentIntent[]): Promise<void> {
  const queue = [...intents];
  const next = async (): Promise<void> => {
    for (let intent = queue.pop(); intent; intent = queue.pop()) await askOne(asking, intent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function askOne(asking: PaymentAsking, intent: PaymentIntent): Promise<void> {
  const { redis, random, violation, tally, caller } = asking;
  const { number, client } = intent;
  const before = await redis.get(ledgerKeys(client).transaction(number));
  const wasKnown = intent.paymentId !== undefined;
  const wasTurnedAway = intent.told.some(({ kind }) => kind === 'none');
  const wasUnknown = intent.told.some(({ kind }) => kind === 'unknown');
  if (!wasKnown && !wasUnknown && (!wasTurnedAway || random() < 0.5)) return;

  const again = await untilTold(caller, intent);
  if (before !== null && (again.kind !== 'duplicate' || again.paymentId !== before))
    violation(`${number}: it was ${before}; repeated, it is answered ${JSON.stringify(again)}`);
  if (before === null && again.kind === 'duplicate')
    violation(`${number}: there was none; repeated, it is ${again.paymentId}`);
  if (before !== null && !wasKnown) tally.payments.foundMade++;
  if (intent.paymentId === undefined) return;
  await readBack(asking, intent, intent.paymentId);
  if (intent.order.word === 'INFO REQUESTED' && random() < 0.85) await answer(asking, intent);
}

async function untilTold(caller: RestCaller, intent: PaymentIntent) {
  const late = performance.now() + ANSWER_MS;
  for (;;) {
    const told = await pay(caller, intent);
    if ((told.kind !== 'none' && told.kind !== 'unknown') || performance.now() > late) return told;
    await pause(50);
  }
}

/** It must read the same by its id and by the client's own number. */
async function readBack({ caller, violation }: PaymentAsking, intent: PaymentIntent, paymentId: string): Promise<void> {
  const { client, number, created, order } = intent;
  for (const path of [`/api/v1/payments/id/${paymentId}`, `/api/v1/payments/reference/${number}`]) {
    const read = await untilAnswered(() => caller.get(client, path));
    if (!isGiven(read)) {
      violation(`${number}: ${path} reads as ${saidBy(read)}`);
      continue;
    }
    const { reference_number, payment_id, created_at, additional_info } = read.body;
    const { currency } = additional_info as { readonly currency: string };
    const told = [reference_number, payment_id, currency, created_at].join(' ');
    const wanted = [number, paymentId, order.currency, created?.body.created_at ?? created_at].join(' ');
    if (told !== wanted) violation(`${number}: answered as ${wanted}, read as ${told}`);
  }
}

/** Until it is accepted, or information is no longer requested. */
async function answer({ caller }: PaymentAsking, intent: PaymentIntent): Promise<void> {
  const late = performance.now() + ANSWER_MS;
  while (performance.now() < late) {
    if ((await answerInformation(caller, intent)) === 'done') return;
    const read = await caller.get(intent.client, `/api/v1/payments/id/${intent.paymentId}`);
    if (isGiven(read) && !ON_ITS_WAY.has(String(read.body.status))) return;
    await pause(100);
  }
}

/** Some of those that have waited since an earlier round. */
export async function giveUp({ caller, random }: PaymentAsking, waiting: readonly PaymentIntent[]): Promise<void> {
  for (const intent of waiting) if (random() < 0.2) await cancel(caller, intent);
}

/** No request is under way any more: a read must agree with the journal. */
export async function readAll(
  caller: RestCaller,
  trails: readonly PaymentTrail[],
  wrong: (text: string) => void,
): Promise<void> {
  const queue = [...trails];
  const next = async (): Promise<void> => {
    for (let trail = queue.pop(); trail; trail = queue.pop()) {
      const { id, intent, standing, split, conversions, facts, wasPaid } = trail;
      const read = await untilAnswered(() => caller.get(intent.client, `/api/v1/payments/id/${id}`));
      const { status, sub_status, autobookfx_confirmation_ids, payment_reference_number, additional_info } =
        typeof read === 'string' ? {} : read.body;
      const told = [status, sub_status, autobookfx_confirmation_ids, payment_reference_number !== '', additional_info];
      const minor = split?.amount ?? (facts.given.kind === 'destination' ? BigInt(facts.given.minor) : undefined);
      const amount = minor === undefined ? '' : units(minor, facts.currency);
      const ids = conversions.map((made) => made.facts.id);
      const wanted = [standing.status, standing.sub, ids, wasPaid, { currency: facts.currency, amount }];
      // A read shows the expiry of a hold before it is recorded.
      if (isDeepStrictEqual(told.with(1, ''), wanted.with(1, '')) && (sub_status === standing.sub || trail.isHeld))
        continue;
      wrong(`${id}: read as ${JSON.stringify(told)}, and it is ${JSON.stringify(wanted)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Money has come: the client's payments that await their funds are looked at, oldest first. */
import type { PaymentFacts } from '../domain/payment.js';
import type { Client } from '../store/clients.js';
import type { FundedPayment } from '../store/payments.js';
import { planPayment } from './plan-payment.js';
import type { Services } from './services.js';

/** A rate that was not there may be in a few seconds; a market that was closed, or a limit in the way, takes longer. */
const RATE_RETRY_MS = 5_000;
const RETRY_MS = 60_000;
const PLANS_MAX = 5;

/**
 * Gives them their funds, so far as there are any: one that is short keeps the currencies that it draws on from all behind it, so that a
 * small payment never overtakes a large one. What only time can mend is looked at again later, and so is what a hold ends under: from then on
 * it keeps nothing from anybody. A disabled client's get none. Returns how many were given theirs.
 */
export async function fundWaiting(services: Services, client: Client): Promise<number> {
  // They wait on: an operator who shuts a client out expects that no more of its money leaves.
  if (client.disabled) return 0;
  const { store } = services;
  const kept = new Set<string>();
  let funded = 0;
  let againMs: number | undefined;
  const again = (ms: number): void => {
    againMs = Math.min(againMs ?? ms, ms);
  };
  for (const { draws, payment } of await waitingOf(services, client)) {
    const heldMs = payment.holdId === '' ? undefined : payment.holdExpiryMs - services.now();
    const isOver = heldMs !== undefined && heldMs < 0;
    const isFree = isOver || !draws.some((currency) => kept.has(currency));
    const { outcome, keeps }: Look = isFree
      ? await fundOne(services, client, payment)
      : { outcome: 'short', keeps: draws };
    if (outcome === 'paid') funded++;
    if (outcome === 'paid' || outcome === 'gone' || outcome === 'hold-over') continue;
    for (const currency of keeps) kept.add(currency);
    if (typeof outcome === 'number') again(outcome);
    if (heldMs !== undefined) again(Math.max(0, heldMs) + 1);
  }
  if (againMs !== undefined) await store.work.wakeAt(client, services.now() + againMs);
  return funded;
}

/** In order; without those whose hold has ended before. */
async function waitingOf({ store }: Services, client: Client) {
  const waiting = (await store.payments.waiting(client)).filter(({ draws }) => draws.length > 0);
  const read = waiting.map(async ({ paymentId, draws }) => {
    const payment = await store.payments.read(client, paymentId);
    return payment === undefined ? [] : [{ draws, payment }];
  });
  return (await Promise.all(read)).flat();
}

interface Look {
  /** What became of it, or after how long to look again. */
  readonly outcome: Exclude<FundedPayment['kind'], 'refused'> | number;
  /** What it draws on now: its client's accounts may have changed while it waited. */
  readonly keeps: readonly string[];
}

async function fundOne(
  services: Services,
  client: Client,
  facts: PaymentFacts & { readonly account: string },
): Promise<Look> {
  const { store } = services;
  let keeps: readonly string[] = [];
  for (let planned = 0; planned < PLANS_MAX; planned++) {
    const [accounts, hold] = await Promise.all([
      store.accounts.balances(client),
      facts.holdId === '' ? undefined : store.holds.read(client, facts.holdId),
    ]);
    const now = services.now();
    const { draws, plan, refusal } = planPayment(services, { clientId: client.id, facts, accounts, hold, now });
    keeps = draws;
    const { kind } = await store.payments.fund(client, { now, facts, newAccount: facts.account, draws, plan });
    if (kind === 'stale') continue;
    if (kind === 'refused') return { outcome: RETRY_MS, keeps };
    if (kind !== 'short' || refusal === undefined) return { outcome: kind, keeps };
    return { outcome: refusal.code === 'RATE_UNAVAILABLE' ? RATE_RETRY_MS : RETRY_MS, keeps };
  }
  return { outcome: RATE_RETRY_MS, keeps };
}

/** Funds a client's payments that await funds, oldest first, when money has arrived. */

import { isRefusal } from '../../domain/core/refusal.js';
import { formatMinor } from '../../domain/money/money.js';
import { AWAITING_FUNDS_DAYS, type Payment, type PaymentFacts } from '../../domain/payments/payment.js';
import type { Client } from '../../store/access/clients.js';
import type { PaymentMove } from '../../store/payments/payment-step.js';
import type { FundedPayment } from '../../store/payments/payments.js';
import type { Services } from '../core/services.js';
import { withTaken } from '../prices/index.js';
import { readDailyLoss, withLimits } from '../risk/index.js';
import { recordSells, takeSells } from './payment-sells.js';
import { planPayment } from './plan-payment.js';

/** A missing rate may return within seconds; a closed market or an exceeded limit takes longer. */
const RATE_RETRY_MS = 5_000;
const RETRY_MS = 60_000;
const PLANS_MAX = 5;

/**
 * Funds waiting payments as far as the balances allow. One that is short reserves the accounts that it may draw on against all behind it,
 * so that a small payment never overtakes a large one of the same account. A temporary obstacle is retried later. A payment whose hold
 * expires, or with an inactive account, reserves nothing; the latter is retried when its accounts change. A disabled client's payments are
 * not funded. Returns the number of funded payments.
 */
export async function allocateFunds(services: Services, client: Client): Promise<number> {
  // They keep waiting: no money of a disabled client may leave.
  if (client.disabled) return 0;
  const { store } = services;
  const kept = new Set<string>();
  let funded = 0;
  let againMs: number | undefined;
  const again = (ms: number): void => {
    againMs = Math.min(againMs ?? ms, ms);
  };
  for (const { draws, payment } of await waitingOf(services, client)) {
    const heldMs = payment.holdId === '' ? undefined : payment.holdExpiryMs - store.clock.now(client);
    const isOver = heldMs !== undefined && heldMs < 0;
    // With a single possible account the reason for waiting needs no plan; otherwise the step compares what the plan takes.
    const isBlocked = !isOver && draws.length === 1 && kept.has(draws[0]!);
    const { outcome, keeps }: Look = isBlocked
      ? { outcome: 'blocked', keeps: draws }
      : await fundOne(services, client, payment);
    if (outcome === 'paid') funded++;
    if (outcome === 'paid' || outcome === 'gone' || outcome === 'hold-over') continue;
    for (const account of keeps) kept.add(account);
    if (typeof outcome === 'number') again(outcome);
    if (heldMs !== undefined) again(Math.max(0, heldMs) + 1);
  }
  if (againMs !== undefined) await store.work.wakeAfter(client, againMs);
  return funded;
}

/** In order; without those whose hold had already expired. */
async function waitingOf({ store }: Services, client: Client) {
  const waiting = (await store.payments.waiting(client)).filter(({ draws }) => draws.length > 0);
  const read = waiting.map(async ({ paymentId, draws }) => {
    const payment = await store.payments.read(client, paymentId);
    return payment === undefined ? [] : [{ draws, payment }];
  });
  return (await Promise.all(read)).flat();
}

interface Look {
  /** The outcome, or after how many ms to retry. */
  readonly outcome: Exclude<FundedPayment['kind'], 'refused' | 'no-exposure' | 'no-room'> | number;
  /** What it may draw on now, as the queue names it: the client's accounts may have changed while it waited. */
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
      store.accounts.spendable(client),
      facts.holdId === '' ? undefined : store.holds.read(client, facts.holdId),
      readDailyLoss(services, client),
    ]);
    const now = store.clock.now(client);
    const { draws, plan, refusal } = planPayment(services, { clientId: client.id, facts, accounts, hold, now });
    keeps = draws.filter((what) => what !== 'none');
    const step = { now, facts, newAccount: facts.account, draws, plan };
    const taken = takeSells(services, plan?.sells);
    const fund = () => withLimits(services, client, [plan?.limits], () => store.payments.fund(client, step));
    const funded = await withTaken(services, taken, fund, (made) => !isRefusal(made) && made.kind === 'paid');
    // It waits on, and is funded when it can be valued.
    if (isRefusal(funded)) return { outcome: RATE_RETRY_MS, keeps };
    const { kind } = funded;
    if (kind === 'paid') recordSells(services, client.id, plan?.sells);
    if (kind === 'stale') continue;
    if (kind === 'refused' && funded.code === 'ACCOUNT_INACTIVE') return { outcome: 'short', keeps: [] };
    if (kind === 'refused') return { outcome: RETRY_MS, keeps };
    if (kind !== 'short' || refusal === undefined) return { outcome: kind, keeps };
    return { outcome: refusal.code === 'RATE_UNAVAILABLE' ? RATE_RETRY_MS : RETRY_MS, keeps };
  }
  return { outcome: RATE_RETRY_MS, keeps };
}

/** The end of a payment whose funds did not come in time, or which a sandbox ends as such. */
export async function fundingExpired(services: Services, client: Client, payment: Payment) {
  const missing = await missingFunds(services, client, payment);
  const description = `the funds did not come within ${AWAITING_FUNDS_DAYS} days: ${missing}`;
  return {
    from: ['AWAITING_FUNDS'],
    to: 'CANCELLED',
    subStatus: 'FUNDING_EXPIRED',
    moves: 'none',
    actor: 'service',
    description,
    reason: description,
  } as const satisfies PaymentMove;
}

/**
 * What a payment that awaits funds lacks, as text for the client: the amount and account, the inactive account, the expired hold, or why no
 * conversion is made for it.
 */
async function missingFunds(services: Services, client: Client, payment: Payment): Promise<string> {
  const { store } = services;
  const { holdId, holdExpiryMs, sourceAccount } = payment;
  const [accounts, hold] = await Promise.all([
    store.accounts.spendable(client),
    holdId === '' ? undefined : store.holds.read(client, holdId),
    readDailyLoss(services, client),
  ]);
  const now = services.store.clock.now(client);
  const inactive = accounts.find(
    ({ number, active }) => !active && (number === sourceAccount || number === payment.account),
  );
  if (inactive) return `account ${inactive.number} is inactive`;
  if (holdId !== '' && now > holdExpiryMs) return `hold ${holdId} expired at ${new Date(holdExpiryMs).toISOString()}`;
  if (holdId !== '' && hold?.status !== 'open') return `hold ${holdId} was ${hold?.status ?? 'removed'}`;
  const { lacks, refusal } = planPayment(services, { clientId: client.id, facts: payment, accounts, hold, now });
  if (lacks) {
    const { account, minor, currency, isAgreed } = lacks;
    const others = isAgreed ? ' and the accounts of the Auto Book FX agreement' : '';
    return `${formatMinor(minor, currency)} ${currency} missing on account ${account}${others}`;
  }
  if (refusal) return refusal.text;
  return client.disabled ? 'the client is disabled' : 'they came too late, or an older payment waits for them';
}

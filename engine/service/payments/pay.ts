/** Creation of a payment: the common part of both versions of the operation. */

import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { withoutCards } from '../../domain/payments/card.js';
import type { FeeTerms } from '../../domain/payments/fee.js';
import {
  type FeePayer,
  type PayeeFacts,
  type Payment,
  type PaymentAmount,
  type PaymentFacts,
  paymentOf,
} from '../../domain/payments/payment.js';
import { amountsWithinLimits } from '../../domain/payments/payment-amounts.js';
import type { PaymentDetails, PaymentMethod } from '../../domain/payments/payment-details.js';
import type { Client } from '../../store/access/clients.js';
import type { Balance } from '../../store/accounts/accounts.js';
import { type QueuedItem, queuedText } from '../../store/batches/batches.js';
import { wroteNothing } from '../../store/connection/errors.js';
import type { PaymentPlan } from '../../store/payments/payment-step.js';
import type { CreatedPayment } from '../../store/payments/payments.js';
import { bookingRefusal } from '../core/booking-refusal.js';
import { newId } from '../core/ids.js';
import { sealCards } from '../core/sealed-cards.js';
import type { Services } from '../core/services.js';
import { withTaken } from '../prices/index.js';
import { readDailyLoss, withLimits } from '../risk/index.js';
import { feeOf } from './fees.js';
import { recordSells, takeSells } from './payment-sells.js';
import { planDirectly, planPayment } from './plan-payment.js';

/** The requested payment, after the rules were checked. */
export interface PaymentOrder {
  readonly version: 1 | 2;
  readonly requestId: string;
  readonly transactionNumber: string;
  readonly currency: string;
  /** Country of the beneficiary, ISO 3166. */
  readonly country: string;
  readonly method: PaymentMethod;
  /** Or the reason why there is none. */
  readonly amount: PaymentAmount | Refusal;
  /** Undefined: the default account in the payment's currency. */
  readonly sourceAccount: string | undefined;
  readonly feePayer: FeePayer;
  readonly deduct: bigint;
  readonly holdId: string | undefined;
  readonly details: PaymentDetails;
  /** Where a stored beneficiary was named, or a verification matters. */
  readonly payee?: PayeeFacts | undefined;
}

/** The item of a funded batch that becomes this payment, from the batch's reserve. */
export interface DrawnItem {
  readonly batchId: string;
  readonly item: QueuedItem;
}

const NO_AMOUNT: PaymentFacts['given'] = { kind: 'destination', minor: '0' };

/** An account may be emptied between reading the balances and the step: the maximum number of plans. */
const PLANS_MAX = 5;

/**
 * Refuses in this order: DUPLICATE_TRANSACTION with the first payment's id, status and request id, REQUEST_ID_REUSED, UNKNOWN_ACCOUNT,
 * ACCOUNT_INACTIVE, ACCOUNT_CURRENCY, BAD_AMOUNT, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED, then of
 * its conversions MARKET_CLOSED, HOLD_MISMATCH, NOT_ENTITLED, RATE_UNAVAILABLE, AMOUNT_ABOVE_LIMIT, BAD_SETTLEMENT_DATE, CREDIT_LIMIT, and
 * BALANCE_LIMIT.
 * A payment without sufficient funds is created and waits for them; INSUFFICIENT_BALANCE: too many wait. An item of a batch does not wait;
 * WRONG_STATE: it is a payment already, or the batch is cancelled.
 */
export async function pay(
  services: Services,
  client: Client,
  order: PaymentOrder,
  drawn?: DrawnItem,
): Promise<{ readonly payment: Payment } | Refusal> {
  const { store } = services;
  const { facts, cards } = withoutCards(await factsOf(services, client, order, drawn?.item.fee));
  const item = drawn && { batchId: drawn.batchId, queued: queuedText(drawn.item) };
  const sealedCards = sealCards(store.subKey, facts.id, cards);
  const { currency, holdId } = facts;
  const noAmount = amountRefusal(order, facts);
  let newAccount = '';
  const direct = noAmount === undefined ? planDirectly(facts) : undefined;
  for (let planned = 0; planned < PLANS_MAX; planned++) {
    // Usually its own account covers it: then the step alone looks at the balances.
    const isDirect = planned === 0 && direct !== undefined;
    const [accounts, hold] = await Promise.all([
      isDirect ? [] : store.accounts.spendable(client).then((all) => withReserve(all, facts, drawn)),
      holdId === '' ? undefined : store.holds.read(client, holdId),
      isDirect ? undefined : readDailyLoss(services, client),
    ]);
    if (!isDirect && newAccount === '' && !accounts.some((one) => one.currency === currency && one.isDefault))
      newAccount = await store.accounts.claimNumber(client.id);
    const now = store.clock.now(client);
    const plan = isDirect
      ? direct
      : planPayment(services, { clientId: client.id, facts, accounts, hold, now, noAmount });
    const worker = plan.plan && store.work.ownWorker();
    // One time for the step, for the payment's record, and for its place in the list.
    const made = { ...facts, createdAtMs: now, holdExpiryMs: hold?.expiryMs ?? 0 };
    const step = {
      now,
      facts: made,
      sealedCards,
      newAccount,
      plan: undefined,
      leasedMs: worker?.leasedMs,
      item,
      ...plan,
    };
    const create = () => withLimits(services, client, [plan.plan?.limits], () => store.payments.create(client, step));
    const taken = takeSells(services, plan.plan?.sells);
    const isPaid = (made: Awaited<ReturnType<typeof create>>) =>
      !isRefusal(made) && made.kind === 'created' && made.status === 'IN_PROCESS';
    const created = await withTaken(services, taken, create, isPaid).catch(async (error: unknown) => {
      if (newAccount !== '' && wroteNothing(error)) await store.accounts.releaseNumber(newAccount);
      throw error;
    });
    if (isRefusal(created)) {
      if (newAccount !== '') await store.accounts.releaseNumber(newAccount);
      return created;
    }
    if (created.kind === 'stale') continue;
    if (newAccount !== '' && (created.kind !== 'created' || created.account !== newAccount))
      await store.accounts.releaseNumber(newAccount);
    if (created.kind === 'gone')
      return refuse('WRONG_STATE', 'The item is a payment already, or the batch is cancelled');
    if (created.kind === 'refused') return bookingRefusal(created);
    if (created.kind === 'duplicate') return duplicateOf(created.paymentId, created.status, created.requestId);
    const payment = asCreated(made, created, plan.plan, sealedCards);
    if (created.status === 'IN_PROCESS') {
      recordSells(services, client.id, plan.plan?.sells);
      worker?.begin(client, payment);
    }
    return { payment };
  }
  if (newAccount !== '') await store.accounts.releaseNumber(newAccount);
  return refuse('STORE_UNAVAILABLE', 'The balances change too fast to plan this payment: send the same request again', {
    outcome: 'none',
  });
}

export const duplicateOf = (paymentId: string, paymentStatus: string, originalRequestId: string): Refusal =>
  refuse('DUPLICATE_TRANSACTION', undefined, { details: { paymentId, paymentStatus, originalRequestId } });

/**
 * Why the corridor and method cannot deliver the amount; undefined also where only a conversion will determine it. Checked at creation: a
 * waiting payment keeps the agreed amounts. Refuses with BAD_AMOUNT, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT; for an equivalent amount also as
 * the market rate does.
 */
export function amountRefusal({ amount }: PaymentOrder, facts: PaymentFacts): Refusal | undefined {
  if (isRefusal(amount)) return amount;
  if (amount.kind === 'source' && facts.sourceCurrency !== facts.currency) return undefined;
  const amounts = amountsWithinLimits(facts, amount.minor);
  return isRefusal(amounts) ? amounts : undefined;
}

/** The balances as they are in the step that draws the item. */
function withReserve(
  accounts: readonly Balance[],
  { sourceAccount }: PaymentFacts,
  drawn: DrawnItem | undefined,
): readonly Balance[] {
  if (drawn === undefined) return accounts;
  const { reserve } = drawn.item;
  return accounts.map((one) => (one.number === sourceAccount ? { ...one, balance: one.balance + reserve } : one));
}

/** The facts as agreed now; of an item of a batch with the fee of its funding. */
export async function factsOf(
  services: Services,
  client: Client,
  order: PaymentOrder,
  agreedFee?: FeeTerms,
): Promise<PaymentFacts> {
  const { version, requestId, transactionNumber, feePayer, details, holdId = '' } = order;
  const { currency, country, method, sourceAccount, amount, deduct } = order;
  const [fee, sourceCurrency] = await Promise.all([
    agreedFee ?? feeOf(services, client, { country, currency, method }),
    sourceAccount === undefined ? undefined : services.store.accounts.currencyOf(client, sourceAccount),
  ]);
  const createdAtMs = services.store.clock.now(client);
  return {
    id: newId('PAY', createdAtMs),
    version,
    requestId,
    transactionNumber,
    feePayer,
    details,
    currency,
    country,
    method,
    given: isRefusal(amount) ? NO_AMOUNT : { kind: amount.kind, minor: String(amount.minor) },
    sourceAccount: sourceAccount ?? '',
    sourceCurrency: sourceCurrency ?? '',
    feeFixed: String(fee.fixedMinor),
    feePpm: fee.ppm,
    deduct: String(deduct),
    holdId,
    holdExpiryMs: 0,
    createdAtMs,
    payee: order.payee,
  };
}

/** The current state, without another read of the store. */
function asCreated(
  facts: PaymentFacts,
  { status, account, atMs, bookingIds }: Extract<CreatedPayment, { readonly kind: 'created' }>,
  plan: PaymentPlan | undefined,
  sealedCards: string,
): Payment {
  const paid = status === 'IN_PROCESS' ? plan : undefined;
  return paymentOf(facts, {
    status,
    subStatus: '',
    description: '',
    bankReference: '',
    step: 1,
    attempts: 0,
    bookingIds,
    account,
    amount: paid?.amount ?? '',
    toTransit: paid?.transit ?? '',
    toFees: paid?.fees ?? '',
    updatedAtMs: atMs,
    sealedCards,
  });
}

/** Payments by the steps directly, with amounts and conversions that the test chooses. */

import type { Payment, PaymentFacts } from '../../../engine/domain/payments/payment.js';
import { movesOf, type PaymentStatus } from '../../../engine/domain/payments/payment-status.js';
import { bookingFactsText } from '../../../engine/store/ledger/records.js';
import type {
  CreatePaymentStep,
  PaymentMove,
  PaymentPlan,
  PlannedSell,
} from '../../../engine/store/payments/payment-step.js';
import type { CreatedPayment, MovedPayment } from '../../../engine/store/payments/payments.js';
import type { Store } from '../../../engine/store/store.js';
import { type ClientSteps, NOW } from '../../store/ledger/ledger-steps.js';
import { PROOF } from '../../support/proof.js';

let ids = 0;

/** Number for an account that a client does not have yet. */
export const NEW_ACCOUNT = '123456789018';

export function paymentFacts(more: Partial<PaymentFacts> = {}): PaymentFacts {
  const number = String(++ids).padStart(13, '0');
  return {
    id: `PAY${number}`,
    transactionNumber: `T${number}`,
    requestId: `R${number}`,
    version: 1,
    currency: 'EUR',
    country: 'DE',
    method: 'BANK',
    given: { kind: 'destination', minor: '5000' },
    sourceAccount: '',
    sourceCurrency: '',
    feePayer: 'OUR',
    feeFixed: '100',
    feePpm: 0,
    deduct: '0',
    holdId: '',
    holdExpiryMs: 0,
    details: { remitter: {}, beneficiary: {}, additionalInfo: {} },
    createdAtMs: NOW,
    ...more,
  };
}

/** 50.00 EUR and a fee of 1.00. */
export const PLAN: PaymentPlan = { amount: '5000', total: '5100', transit: '5000', fees: '100', sells: [] };

/** 20.00 USD into 18.00 EUR, with 0.05 EUR of margin. */
export function plannedSell(account: string, more: Partial<PlannedSell> = {}): PlannedSell {
  const id = `BFX9${String(++ids).padStart(12, '0')}`;
  const facts = bookingFactsText({
    ...{ id, pair: 'EUR/USD', sellCurrency: 'USD', buyCurrency: 'EUR', price: 11_111_111, providerPrice: 11_080_333 },
    ...{ marginPpm: 2_778, type: 'PREFUNDING', valueDate: '20261124', requestId: '', description: '', dealt: 'sell' },
    ...{ sell: '2000', buy: '1800', margin: '5', marginCurrency: 'EUR', holdId: '', order: { kind: 'market' } },
    ...{ createdAtMs: NOW, expiryMs: NOW, proof: PROOF },
  });
  return {
    id,
    account,
    currency: 'USD',
    sell: '2000',
    buy: '1800',
    margin: '5',
    marginCurrency: 'EUR',
    facts,
    position: 'EUR/USD|20261124|Sb',
    hold: '',
    ...more,
  };
}

export function createStep(
  facts: Partial<PaymentFacts> = {},
  more: Partial<CreatePaymentStep> = {},
): CreatePaymentStep {
  return { now: NOW, facts: paymentFacts(facts), newAccount: NEW_ACCOUNT, plan: PLAN, draws: ['own'], ...more };
}

export const create = (store: Store, client: ClientSteps, step: CreatePaymentStep): Promise<CreatedPayment> =>
  store.payments.create(client.of, step);

/** A payment that is funded, or that awaits funds: `plan: undefined`. */
export async function created(
  store: Store,
  client: ClientSteps,
  facts: Partial<PaymentFacts> = {},
  more: Partial<CreatePaymentStep> = {},
): Promise<Payment> {
  const step = createStep(facts, more);
  const outcome = await create(store, client, step);
  if (outcome.kind !== 'created') throw new Error(`${outcome.kind} ${JSON.stringify(outcome)}`);
  return (await store.payments.read(client.of, step.facts.id))!;
}

export function move(
  store: Store,
  client: ClientSteps,
  payment: Payment,
  to: PaymentStatus,
  more: Partial<PaymentMove> = {},
): Promise<MovedPayment> {
  return store.payments.move(client.of, payment.id, {
    after: payment.step,
    from: [payment.status],
    to,
    moves: movesOf(payment.status, to),
    actor: 'service',
    ...more,
  });
}

/** Steps from status to status, each of which must be executed. */
export async function along(
  store: Store,
  client: ClientSteps,
  payment: Payment,
  ...way: readonly PaymentStatus[]
): Promise<Payment> {
  let now = payment;
  for (const to of way) {
    const moved = await move(store, client, now, to);
    if (moved.kind !== 'moved') throw new Error(`${now.status} to ${to}: ${moved.kind}`);
    now = (await store.payments.read(client.of, payment.id))!;
  }
  return now;
}

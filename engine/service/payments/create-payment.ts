import type { z } from 'zod';
import { isRefusal, type Refusal, type RefusalCode } from '../../domain/core/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { resolveBeneficiary } from '../beneficiaries/index.js';
import { clientOf } from '../core/caller.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { amountRefusal, type DrawnItem, duplicateOf, factsOf, type PaymentOrder, pay } from './pay.js';
import { paymentFaults, paymentFaultsAndWarnings } from './payment-faults.js';
import {
  CREATE_PAYMENT_INPUT,
  CREATE_PAYOUT_INPUT,
  type CreatePaymentInput,
  type CreatePayoutInput,
} from './payment-input.js';
import { orderOfPayment, orderOfPayout } from './payment-order.js';
import { payeeOf } from './payment-payee.js';

/** Pays a beneficiary, by the fields of version 1. Refuses as pay does; an equivalent amount also needs a rate. */
export const createPayment = defineOperation({
  input: CREATE_PAYMENT_INPUT,
  right: 'pay',
  grows: true,
  resolve: resolveBeneficiary,
  faults: paymentFaults(1),
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return payPayee(services, client, input, () => orderOfPayment(services, client, input));
  },
});

/** Pays a beneficiary, by the fields of version 2. Refuses as pay does. */
export const createPayout = defineOperation({
  input: CREATE_PAYOUT_INPUT,
  right: 'pay',
  grows: true,
  resolve: resolveBeneficiary,
  faults: paymentFaults(2),
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : payOut(services, client, input);
  },
});

/** The same, also for an item of a batch. */
export async function payOut(services: Services, client: Client, input: CreatePayoutInput, drawn?: DrawnItem) {
  return payPayee(services, client, input, () => payoutOrder(services, client, input), drawn);
}

/** The order of a payout as it was requested. */
export const payoutOrder = async ({ store }: Services, client: Client, input: CreatePayoutInput) =>
  orderOfPayout(input, await store.accounts.currencyOf(client, String(input.sourceAccount)));

/**
 * Dry runs: the same checks of fields and amounts as the creation of a payment, without creating one. A payment that creation refuses is
 * refused here with the same faults; possible problems are returned as warnings in either case.
 */
export const validatePayment = dryRun(CREATE_PAYMENT_INPUT, 1, orderOfPayment);
export const validatePayout = dryRun(CREATE_PAYOUT_INPUT, 2, payoutOrder);

/** A dry run does not need a rate: an equivalent amount is not refused for the lack of one. */
const OF_AMOUNTS: ReadonlySet<RefusalCode> = new Set(['BAD_AMOUNT', 'AMOUNT_BELOW_MIN', 'AMOUNT_ABOVE_LIMIT']);

type Named = Pick<CreatePaymentInput, 'transactionNumber' | 'resolved' | 'verificationToken'>;

/** Who is paid is judged first: a beneficiary that there is, and its verification. */
async function payPayee(
  services: Services,
  client: Client,
  input: Named,
  orderOf: () => PaymentOrder | Promise<PaymentOrder>,
  drawn?: DrawnItem,
) {
  if (input.resolved?.refusal) return unlessPaid(services, client, input, input.resolved.refusal);
  const order = await orderOf();
  const payee = payeeOf(services, client, input, order);
  if (payee === undefined) return pay(services, client, order, drawn);
  return isRefusal(payee)
    ? unlessPaid(services, client, input, payee)
    : pay(services, client, Object.assign(order, { payee }), drawn);
}

/** A beneficiary may be disabled, and a token too old, since the first request: a repeated one still finds its payment. */
async function unlessPaid(
  { store }: Services,
  client: Client,
  { transactionNumber }: Named,
  refusal: Refusal,
): Promise<Refusal> {
  const paid = await store.payments.byTransaction(client, transactionNumber);
  return paid ? duplicateOf(paid.id, paid.status, paid.requestId) : refusal;
}

const WAITS = {
  field: 'verificationToken',
  code: 'not_allowed',
  message: 'the payment will wait for the operator: its payee is not verified as agreed',
  rule: 'verification',
} as const;

function dryRun<Asked extends Named>(
  input: z.ZodType<Asked>,
  version: 1 | 2,
  orderOf: (services: Services, client: Client, requested: Asked) => PaymentOrder | Promise<PaymentOrder>,
) {
  const check = paymentFaultsAndWarnings(version);
  return defineOperation({
    input,
    right: 'pay',
    resolve: resolveBeneficiary,
    faults: check,
    async execute(services, caller, requested): Promise<{ valid: boolean; warnings: readonly object[] } | Refusal> {
      const [checked, client] = await Promise.all([check(services, caller, requested), clientOf(services, caller)]);
      if (isRefusal(checked)) return checked;
      if (isRefusal(client)) return client;
      const { warnings = [] } = checked;
      if (requested.resolved?.refusal) return { ...requested.resolved.refusal, warnings };
      const order = await orderOf(services, client, requested);
      const payee = payeeOf(services, client, requested, order);
      if (isRefusal(payee)) return { ...payee, warnings };
      const shown = payee?.waits ? [...warnings, WAITS] : warnings;
      const refusal = amountRefusal(order, await factsOf(services, client, order));
      return refusal && OF_AMOUNTS.has(refusal.refusal)
        ? { ...refusal, warnings: shown }
        : { valid: true, warnings: shown };
    },
  });
}

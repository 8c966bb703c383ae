/**
 * The outcomes that a sandbox decides on demand, for the client of the record and for the operator. Where a port is manual there is no such
 * operation: NOT_FOUND for a client, WRONG_STATE for the operator.
 */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import {
  BANK_SUB_STATUSES,
  CONVERSION_OUTCOMES,
  FUNDING_OUTCOMES,
  FUNDING_TARGETS,
  mayHaveSubStatus,
  PAYMENT_OUTCOMES,
} from '../../domain/sandbox/sandbox.js';
import { PORTS, type Port, type PortModes, sandboxesOf } from '../../domain/system/port-mode.js';
import { AUDITED_CONVERSION, findConversion, forceConversion } from '../conversions/index.js';
import { clientOf } from '../core/caller.js';
import { ID, REASON } from '../core/inputs.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import { findById, findOfAnyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { FUNDINGS, moveFunding, NO_FUNDING } from '../fundings/index.js';
import { forcePayment, PAYMENTS } from '../payments/index.js';

/** Those that decide about a payment. A conversion settles by no port: a store with any real money is no sandbox for it. */
const PAYMENT_PORTS: readonly Port[] = ['compliance', 'payout'];
const FUNDING_PORTS: readonly Port[] = ['funding'];

const NOTHING_HERE = refuse('NOT_FOUND', 'Nothing here: this is no sandbox');

function othersOf(modes: PortModes, ports: readonly Port[]): readonly Port[] {
  const sandboxes = sandboxesOf(modes);
  return ports.filter((port) => !sandboxes.includes(port));
}

/** Before the input is checked: where there is no sandbox, every request has one answer. */
export const unlessSandbox =
  (ports: readonly Port[] = PORTS) =>
  ({ store }: Services) =>
    othersOf(store.ports.modes, ports).length === 0 ? { faults: [] } : NOTHING_HERE;

/** For the operator, whose commands join no ports. */
export async function refuseUnlessSandbox(
  { store }: Services,
  ports: readonly Port[] = PORTS,
): Promise<Refusal | undefined> {
  const others = othersOf(await store.ports.read(), ports);
  return others.length === 0 ? undefined : refuse('WRONG_STATE', `Not a sandbox: ${others.join(', ')}`);
}

const BY_CLIENT = 'Sandbox: requested by the client';
const BY_OPERATOR = 'Sandbox: requested by the operator';

const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });

const reason = REASON.optional().describe(
  'For the journal, and for the texts that the outcome shows; 1 to 140 characters',
);
const OF_PAYMENT = z.object({
  paymentId: ID,
  outcome: oneOf(PAYMENT_OUTCOMES),
  subStatus: oneOf(BANK_SUB_STATUSES).optional().describe('What the bank adds; with `processing` and `paid` alone'),
  reason,
});
const PAYMENT_INPUT = OF_PAYMENT.superRefine(({ outcome, subStatus }, context) => {
  if (subStatus === undefined || mayHaveSubStatus(outcome)) return;
  const message = 'only with the outcomes processing and paid';
  context.addIssue({ code: 'custom', path: ['subStatus'], message, params: { combination: true } });
});

/** Leads a payment of the caller to an outcome, as compliance and the bank would. Refuses with NOT_FOUND, WRONG_STATE, BALANCE_LIMIT. */
export const sandboxPayment = defineOperation({
  input: PAYMENT_INPUT,
  right: 'pay',
  faults: unlessSandbox(PAYMENT_PORTS),
  async execute(services, caller, { paymentId, reason = BY_CLIENT, ...forced }) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : forcePayment(services, client, paymentId, { ...forced, reason });
  },
});

/** The same for the operator. */
export const decidePayment = defineOpenOperation({
  input: PAYMENT_INPUT,
  audited: {
    subject: (input) => `payment ${input.paymentId}`,
    async state(services, { paymentId }) {
      const found = await findOfAnyClient(services, PAYMENTS, paymentId);
      return found && { clientId: found.client.id, status: found.one.status, subStatus: found.one.subStatus };
    },
  },
  async execute(services, _operator, { paymentId, reason = BY_OPERATOR, ...forced }) {
    const refused = await refuseUnlessSandbox(services, PAYMENT_PORTS);
    if (refused) return refused;
    const found = await findById(services, PAYMENTS, paymentId);
    if (isRefusal(found)) return found;
    const moved = await forcePayment(services, found.client, paymentId, { ...forced, reason });
    return isRefusal(moved) ? moved : { clientId: found.client.id, payment: moved.payment };
  },
});

const FUNDING_INPUT = z.object({ fundingId: ID, outcome: oneOf(FUNDING_OUTCOMES), reason });

/**
 * Decides about a funding of the caller. Repeating what is decided returns the same answer. Refuses with NOT_FOUND, WRONG_STATE,
 * ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 */
export const sandboxFunding = defineOperation({
  input: FUNDING_INPUT,
  right: 'pay',
  faults: unlessSandbox(FUNDING_PORTS),
  async execute(services, caller, { fundingId, outcome, reason = BY_CLIENT }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const funding = await services.store.fundings.read(client, fundingId);
    if (funding === undefined) return NO_FUNDING;
    return moveFunding(services, client, funding, { to: FUNDING_TARGETS[outcome], actor: 'sandbox', reason });
  },
});

/** The same for the operator. */
export const decideFunding = defineOpenOperation({
  input: FUNDING_INPUT,
  audited: {
    subject: (input) => `funding ${input.fundingId}`,
    async state(services, { fundingId }) {
      const found = await findOfAnyClient(services, FUNDINGS, fundingId);
      return found && { clientId: found.client.id, status: found.one.status };
    },
  },
  async execute(services, _operator, { fundingId, outcome, reason = BY_OPERATOR }) {
    const refused = await refuseUnlessSandbox(services, FUNDING_PORTS);
    if (refused) return refused;
    const found = await findById(services, FUNDINGS, fundingId);
    if (isRefusal(found)) return found;
    return moveFunding(services, found.client, found.one, { to: FUNDING_TARGETS[outcome], actor: 'sandbox', reason });
  },
});

const CONVERSION_INPUT = z.object({ confirmationId: ID, outcome: oneOf(CONVERSION_OUTCOMES), reason });

/**
 * Leads a conversion of the caller to an outcome, as its time or the operator would. Refuses with NOT_FOUND, WRONG_STATE, NOT_CANCELLABLE,
 * MARKET_CLOSED, RATE_UNAVAILABLE, INSUFFICIENT_LIQUIDITY, BAD_MARGIN, BAD_AMOUNT, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, ACCOUNT_INACTIVE,
 * INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 */
export const sandboxConversion = defineOperation({
  input: CONVERSION_INPUT,
  right: 'trade',
  faults: unlessSandbox(),
  async execute(services, caller, { confirmationId, reason = BY_CLIENT, ...forced }) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : forceConversion(services, client, confirmationId, { ...forced, reason });
  },
});

/** The same for the operator. */
export const decideConversion = defineOpenOperation({
  input: CONVERSION_INPUT,
  audited: {
    subject: ({ confirmationId }) => `conversion ${confirmationId}`,
    state: (services, { confirmationId }) =>
      AUDITED_CONVERSION.state(services, { confirmationId, reason: BY_OPERATOR }),
  },
  async execute(services, _operator, { confirmationId, reason = BY_OPERATOR, ...forced }) {
    const refused = await refuseUnlessSandbox(services);
    if (refused) return refused;
    const found = await findConversion(services, { confirmationId });
    if (isRefusal(found)) return found;
    const moved = await forceConversion(services, found.client, confirmationId, { ...forced, reason });
    return isRefusal(moved) ? moved : { clientId: found.client.id, booking: moved.booking };
  },
});

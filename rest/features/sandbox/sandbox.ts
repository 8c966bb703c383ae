/** The sandbox: outcomes on demand, and the client's own clock. Served where the ports are sandboxes; elsewhere each path answers 404. */
import { z } from 'zod';
import {
  BANK_SUB_STATUSES,
  CONVERSION_FROM,
  CONVERSION_OUTCOMES,
  FUNDING_OUTCOMES,
  FUNDING_TARGETS,
  fundingStatusFor,
  PAYMENT_OUTCOMES,
  paymentStatusesFor,
  paymentTarget,
} from '../../../engine/domain/sandbox/sandbox.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Reference } from '../../openapi/reference.js';
import { CONFIRMATION_RESPONSE, confirmationBody } from '../conversions/book-fx.js';
import { FUNDING_RESPONSE, fundingBody } from '../fundings/fundings.js';
import { PAYMENT_RESPONSE, paymentBody } from '../payments/payment-answers.js';
import type { Routes } from '../routes.js';
import { type Names, utc, utcField } from '../shapes.js';

const integerField = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const tableOf = (rows: readonly (readonly [outcome: string, to: string, from: readonly string[]])[]): string =>
  [
    '| outcome | becomes | from |\n| --- | --- | --- |',
    ...rows.map(([outcome, to, from]) => `| \`${outcome}\` | ${to} | ${from.join(', ')} |`),
  ].join('\n');

const PAYMENT_TABLE = tableOf(
  PAYMENT_OUTCOMES.map((outcome) => {
    const from = paymentStatusesFor(outcome);
    return [
      outcome,
      paymentTarget(outcome),
      outcome === 'processing' ? [...from, 'PG_PROCESSING with another sub_status'] : from,
    ];
  }),
);
const FUNDING_TABLE = tableOf(
  FUNDING_OUTCOMES.map((outcome) => [outcome, FUNDING_TARGETS[outcome], [fundingStatusFor(outcome)]]),
);
const CONVERSION_BECOMES = {
  settled: 'SETTLED',
  overdue: 'OVERDUE',
  cancelled: 'CANCELLED',
  'closed-out': 'CANCELLED, with the difference to the market charged or credited',
  busted: 'CANCELLED, its moves reversed',
  corrected: 'the same status, at a rate that is worse by a hundredth',
} as const;
const CONVERSION_TABLE = tableOf(
  CONVERSION_OUTCOMES.map((outcome) => [outcome, CONVERSION_BECOMES[outcome], CONVERSION_FROM[outcome]]),
);

const ON_DEMAND =
  'It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404.';
const OUTCOME = 'The outcome, one of the table';
const REASON = 'For the history, and for the texts that the outcome shows, 1 to 140 characters';

const PAYMENT_OUTCOME_REFERENCE: Reference = {
  tag: 'Sandbox',
  summary: 'Decide about a payment',
  description: `Leads a payment of yours to an outcome. ${ON_DEMAND} From then on the sandbox does nothing by itself, but for a payment left in COMPLIANCE_APPROVED, which is sent a day later by your clock. A payment whose beneficiary's name has the word MANUAL waits for outcomes from the beginning.\n\n${PAYMENT_TABLE}\n\nA payment is RETURNED before PAID with all steps on the way but that one, and after it as a late return. \`sub_status\` goes with processing and paid: ${BANK_SUB_STATUSES.join(', ')}.`,
  example: { payment_id: 'PAY01K4M2V7Q8Z3X5YAB', outcome: 'returned', reason: 'account closed' },
  fields: {
    payment_id: 'Payment id returned by the creation',
    outcome: OUTCOME,
    sub_status: 'What the bank adds; with processing and paid alone',
    reason: REASON,
  },
};

const FUNDING_OUTCOME_REFERENCE: Reference = {
  tag: 'Sandbox',
  summary: 'Decide about a funding',
  description: `Decides about a funding of yours, before the sandbox does so by itself. ${ON_DEMAND}\n\n${FUNDING_TABLE}\n\nThe same decision again gets the same answer.`,
  example: { gl_reference_number: 'GLR01K4M2V7Q8Z3X5YAB', outcome: 'completed' },
  fields: { gl_reference_number: 'Ledger reference returned by the creation', outcome: OUTCOME, reason: REASON },
};

const CONVERSION_OUTCOME_REFERENCE: Reference = {
  tag: 'Sandbox',
  summary: 'Decide about a conversion',
  description: `Leads a conversion of yours to an outcome. ${ON_DEMAND}\n\n${CONVERSION_TABLE}\n\nOne that cannot settle, because its sell account lacks the money, is rejected and stays as it is.`,
  example: { confirmation_id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ', outcome: 'corrected', reason: 'off market' },
  fields: { confirmation_id: 'Id of the conversion', outcome: OUTCOME, reason: REASON },
};

const CLOCK_RESPONSE = z
  .strictObject({
    now: utcField('The time of your clock'),
    ahead_seconds: integerField('How far it is ahead of the clock of the store, seconds', 172_800),
    left_seconds: integerField('By how much it can still be advanced, seconds', 31_449_600),
  })
  .meta({ id: 'SandboxClock' });

const clockBody = ({ nowMs, aheadMs, leftMs }: OutputOf<'sandboxClock'>): z.infer<typeof CLOCK_RESPONSE> => ({
  now: utc(nowMs),
  ahead_seconds: Math.floor(aheadMs / 1_000),
  left_seconds: Math.floor(leftMs / 1_000),
});

const CLOCK_REFERENCE: Reference = {
  tag: 'Sandbox',
  summary: 'Read your clock',
  description:
    'The time by which your holds end, your conversions settle and your payments expire. Where the ports are not sandboxes the path answers 404.',
  example: {},
  alsoRefused: [404],
};

const ADVANCE_REFERENCE: Reference = {
  tag: 'Sandbox',
  summary: 'Advance your clock',
  description:
    'Moves the clock of this client alone: what is due until then happens within a second or two. Ends of holds, settlement and the 30 days of a payment without funds go by it; tokens, rates, market hours and request ids do not. Only forward, by 366 days in all. A settlement date stays the agreed one. After a lost answer read the clock before you advance it again, or send `until`, which may be repeated. Where the ports are not sandboxes the path answers 404.',
  example: { advance: '2d' },
  needsOneOf: [['advance', 'until']],
  alsoRefused: [404],
};

const AMOUNTS: Names = { availableAmount: 'available_amount', neededAmount: 'needed_amount' };
const PAYMENT_NAMES: Names = { paymentId: 'payment_id', subStatus: 'sub_status', paymentStatus: 'payment_status' };

export const SANDBOX_ROUTES = {
  sandboxPayment: {
    method: 'post',
    path: '/api/v1/sandbox/payments/:payment_id/:outcome',
    limit: 'writes',
    input: ({ params }, body) => ({
      paymentId: params.payment_id,
      outcome: params.outcome,
      subStatus: body?.sub_status,
      reason: body?.reason,
    }),
    response: PAYMENT_RESPONSE,
    reference: PAYMENT_OUTCOME_REFERENCE,
    body: paymentBody,
    names: PAYMENT_NAMES,
  },
  sandboxFunding: {
    method: 'post',
    path: '/api/v1/sandbox/fundings/:gl_reference_number/:outcome',
    limit: 'writes',
    input: ({ params }, body) => ({
      fundingId: params.gl_reference_number,
      outcome: params.outcome,
      reason: body?.reason,
    }),
    response: FUNDING_RESPONSE,
    reference: FUNDING_OUTCOME_REFERENCE,
    body: fundingBody,
    names: { fundingId: 'gl_reference_number', ...AMOUNTS },
  },
  sandboxConversion: {
    method: 'post',
    path: '/api/v1/sandbox/conversions/:confirmation_id/:outcome',
    limit: 'writes',
    input: ({ params }, body) => ({
      confirmationId: params.confirmation_id,
      outcome: params.outcome,
      reason: body?.reason,
    }),
    response: CONFIRMATION_RESPONSE,
    reference: CONVERSION_OUTCOME_REFERENCE,
    body: confirmationBody,
    names: { confirmationId: 'confirmation_id', ...AMOUNTS },
  },
  sandboxClock: {
    method: 'get',
    path: '/api/v1/sandbox/clock',
    limit: 'reads',
    input: () => ({}),
    response: CLOCK_RESPONSE,
    reference: CLOCK_REFERENCE,
    body: clockBody,
    names: {},
  },
  advanceSandboxClock: {
    method: 'post',
    path: '/api/v1/sandbox/clock',
    limit: 'writes',
    input: (_request, body) => ({ advance: body?.advance, until: body?.until }),
    response: CLOCK_RESPONSE,
    reference: ADVANCE_REFERENCE,
    body: clockBody,
    names: {},
  },
} satisfies Partial<Routes>;

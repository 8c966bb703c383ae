/** Every change by an operator is in the audit log: operator, subject, state before, state after. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE_COMP_ID } from '../../../engine/domain/core/ids.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { Services } from '../../../engine/service/core/services.js';
import { OPERATOR_OPERATIONS, type OperatorOperationName } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { planCover } from '../../support/cover.js';

const ANNA = 'anna (ops@desk1)';

/** Read-only operations leave no audit entry. */
const READERS: readonly string[] = [
  'listClients',
  'showClient',
  'listMargins',
  'listPricing',
  'listFees',
  'listClientAccounts',
  'listReceivables',
  'listArchiveHeads',
  'verifyAudit',
  'listStatement',
  'pageBookings',
  'showBooking',
  'findBatches',
  'showBatch',
  'findBeneficiaries',
  'showBeneficiary',
  'explainPrice',
  'findFundings',
  'showFunding',
  'findPayments',
  'showPayment',
  'readJournal',
  'readCalendar',
  'reconcile',
  'readAudit',
  'listKeys',
  'listCompIds',
  'listTokens',
  'listHolds',
  'listDontKnowTrades',
  'listSessions',
  'listPairStates',
  'showHouse',
  'listCovers',
  'showCover',
  'readPorts',
  'readClock',
  'readClientClock',
  'forecastStore',
  'pageJournal',
  'explainMargin',
  'listPositions',
  'listLimits',
  'listClientWebhooks',
  'showClientWebhook',
  'listClientDeliveries',
];

const NAMES = Object.keys(OPERATOR_OPERATIONS) as OperatorOperationName[];
const CHANGES = NAMES.filter((name) => !READERS.includes(name));

let on: PaymentRig;
let services: Services;
let acme: Client;
let archive: string;
beforeAll(async () => {
  on = await startPayments();
  services = { ...on.services, operator: ANNA };
  acme = await on.client('acme', { EUR: '100000.00', USD: '100000.00' });
  await on.services.store.clients.setScheduledLimit('acme', '1000000');
  archive = mkdtempSync(join(tmpdir(), 'ratewire-audit-'));
});
afterAll(async () => {
  await on.stop();
  rmSync(archive, { recursive: true });
});

const ask = async (name: OperatorOperationName, input: object) => perform(services, name, undefined, input);
const must = async (name: OperatorOperationName, input: object): Promise<Record<string, string>> => {
  const answer = await ask(name, input);
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as unknown as Record<string, string>;
};
const changes = async (asked: object = {}) => {
  const answer = await perform(on.services, 'readAudit', undefined, asked);
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer.changes;
};
const keyOf = async (clientId: string) =>
  (await services.store.keys.list(clientId)).find(({ revoked }) => !revoked)!.keyId;
const account = async () => (await services.store.accounts.list(acme))[0]!.number;
const waiting = async (name: string) => {
  const { id } = await on.pay(acme, name);
  await on.work();
  return id;
};
const funding = async () => {
  const created = await on.as(acme, 'createFunding', {
    accountNumber: Number(await account()),
    amount: 10,
    depositAccount: 'Bank-0012345678-EUR',
    reference: 'MANUAL',
    requestId: `fund-${++fundings}`,
  });
  if (isRefusal(created)) throw new Error(`${created.text} ${JSON.stringify(created.fields)}`);
  return (created as { funding: { id: string } }).funding.id;
};
let fundings = 0;

interface Case {
  /** The input, built once its prerequisites exist. */
  input(): Promise<object> | object;
  readonly subject: string | RegExp;
  /** Of the state before and after; undefined: absent. */
  readonly before: object | undefined;
  readonly after: object | undefined;
  readonly made?: RegExp;
}

const webhook = async (): Promise<{ clientId: string; webhookId: string }> => {
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  const made = await perform(services, 'createWebhook', caller, { url: 'https://192.0.3.1/hook', types: ['*'] });
  if (isRefusal(made)) throw new Error(made.text);
  return { clientId: 'acme', webhookId: made.webhook.id };
};
const of = (id: string) => `client ${id}`;
const CASES: Readonly<Record<string, Case>> = {
  createClient: {
    input: () => ({ id: 'newer', name: 'Newer' }),
    subject: of('newer'),
    before: undefined,
    after: { id: 'newer', name: 'Newer', disabled: false },
  },
  changeClient: {
    input: () => ({
      ...{ id: 'acme', name: 'Acme Treasury', limits: { reads: 7 } },
      verification: { accepted: ['MATCH'], required: true },
    }),
    subject: of('acme'),
    before: { name: 'acme' },
    after: { name: 'Acme Treasury', limits: { reads: 7 }, verification: { accepted: ['MATCH'], required: true } },
  },
  disableClient: {
    async input() {
      await must('createClient', { id: 'other', name: 'Other' });
      return { id: 'other', disabled: true };
    },
    subject: of('other'),
    before: { disabled: false },
    after: { disabled: true },
  },
  changePorts: {
    input: () => ({ payout: 'sandbox', reason: 'no bank is connected' }),
    subject: 'ports of the store',
    before: {},
    after: { payout: 'sandbox' },
  },
  acceptClock: {
    input: async () => ({ reason: 'as it is' }),
    subject: "clock of the store's servers",
    before: { acceptedMs: expect.any(Number) },
    after: { acceptedMs: expect.any(Number) },
  },
  advanceClock: {
    async input() {
      await on.services.store.ports.change({ funding: 'sandbox', compliance: 'sandbox', payout: 'sandbox' });
      return { advanceMs: 1_000, reason: 'a second later' };
    },
    subject: 'clock of the store',
    before: {},
    after: {},
  },
  decidePayment: {
    input: async () => ({ paymentId: await waiting('Erika MANUAL'), outcome: 'rejected' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'IN_PROCESS' },
    after: { status: 'COMPLIANCE_REJECTED' },
  },
  advanceClientClock: {
    input: () => ({ clientId: 'acme', advance: '1s', reason: 'a second later' }),
    subject: 'clock of client acme',
    before: { aheadMs: 0 },
    after: { aheadMs: 1_000 },
  },
  decideFunding: {
    input: async () => ({ fundingId: await funding(), outcome: 'completed' }),
    subject: /^funding GLR\w+ of client acme$/,
    before: { status: 'PENDING' },
    after: { status: 'COMPLETED' },
  },
  decideConversion: {
    async input() {
      const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10, type: 'SCHEDULED1' };
      const { id } = await on.book('acme', { ...command, description: 'to be overdue', requestId: 'overdue' });
      return { confirmationId: id, outcome: 'overdue' };
    },
    subject: /^conversion BFX\w+ of client acme$/,
    before: { status: 'OPEN' },
    after: { status: 'OVERDUE' },
  },
  setScheduledLimit: {
    input: () => ({ clientId: 'newer', limit: '700' }),
    subject: of('newer'),
    before: { scheduledLimit: '0' },
    after: { scheduledLimit: '700' },
  },
  issueKey: {
    input: () => ({ clientId: 'newer' }),
    subject: of('newer'),
    before: { keys: 0 },
    after: { keys: 1 },
    made: /^CK_/,
  },
  rotateKey: {
    input: async () => ({ clientKey: await keyOf('newer') }),
    subject: /^key CK_\w+ of client newer$/,
    before: { liveSecrets: 1 },
    after: { liveSecrets: 2 },
  },
  retirePreviousSecret: {
    input: async () => ({ clientKey: await keyOf('newer') }),
    subject: /^key CK_\w+ of client newer$/,
    before: { liveSecrets: 2 },
    after: { liveSecrets: 1 },
  },
  setKeyRights: {
    input: async () => ({ clientKey: await keyOf('newer'), rights: ['read'] }),
    subject: /^key CK_\w+ of client newer$/,
    before: { rights: ['read', 'rates', 'trade', 'pay', 'manage'] },
    after: { rights: ['read'] },
  },
  allowKey: {
    input: async () => ({ clientKey: await keyOf('newer'), addresses: ['192.0.2.0/24'] }),
    subject: /^key CK_\w+ of client newer$/,
    before: { addresses: [] },
    after: { addresses: ['192.0.2.0/24'] },
  },
  revokeKey: {
    input: async () => ({ clientKey: (await must('issueKey', { clientId: 'newer' })).clientKey }),
    subject: /^key CK_\w+ of client newer$/,
    before: { revoked: false },
    after: { revoked: true },
  },
  assignCompId: {
    input: () => ({ compId: 'NEWER1', clientId: 'newer', dropCopy: true, addresses: ['192.0.2.1'] }),
    subject: 'compid NEWER1 of client newer',
    before: undefined,
    after: { clientId: 'newer', dropCopy: true, addresses: ['192.0.2.1'] },
  },
  allowCompId: {
    async input() {
      await must('assignCompId', { compId: 'NEWER2', clientId: 'newer' });
      return { compId: 'NEWER2', addresses: ['10.0.0.0/8'] };
    },
    subject: 'compid NEWER2 of client newer',
    before: { addresses: [] },
    after: { addresses: ['10.0.0.0/8'] },
  },
  changeCompId: {
    input: () => ({ compId: 'NEWER1', depth: 'ladder' }),
    subject: 'compid NEWER1 of client newer',
    before: { depth: 'first' },
    after: { depth: 'ladder' },
  },
  removeCompId: {
    input: () => ({ compId: 'NEWER2', clientId: 'newer' }),
    subject: 'compid NEWER2 of client newer',
    before: { addresses: ['10.0.0.0/8'] },
    after: undefined,
  },
  activateClientWebhook: {
    async input() {
      const input = await webhook();
      await perform(services, 'disableClientWebhook', undefined, input);
      return { ...input };
    },
    subject: /^webhook WHK\w+ of client acme$/,
    before: { inactive: 'OPERATOR' },
    after: { version: 3 },
  },
  disableClientWebhook: {
    async input() {
      const input = await webhook();
      return { ...input };
    },
    subject: /^webhook WHK\w+ of client acme$/,
    before: { version: 1 },
    after: { inactive: 'OPERATOR', version: 2 },
  },
  replayClientDeliveries: {
    async input() {
      const input = await webhook();
      return { ...input, fromSequence: 1 };
    },
    subject: /^webhook WHK\w+ of client acme$/,
    before: { version: 1 },
    after: { version: 1 },
  },
  rotateClientWebhookSecret: {
    async input() {
      const input = await webhook();
      return { ...input };
    },
    subject: /^webhook WHK\w+ of client acme$/,
    before: { version: 1 },
    after: { version: 2 },
  },
  testClientWebhook: {
    async input() {
      const input = await webhook();
      return { ...input };
    },
    subject: /^webhook WHK\w+ of client acme$/,
    before: { version: 1 },
    after: { version: 1 },
  },
  revokeHold: {
    async input() {
      const { id } = await on.hold('acme', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 });
      return { clientId: 'acme', holdId: id };
    },
    subject: /^hold HLD\w+ of client acme$/,
    before: { status: 'open', pair: 'EUR/USD' },
    after: { status: 'withdrawn' },
  },
  revokeClientTokens: {
    async input() {
      await services.store.tokens.issue('newer', 'CK_X', ['read']);
      return { clientId: 'newer' };
    },
    subject: of('newer'),
    before: { liveTokens: 1 },
    after: { liveTokens: 0 },
  },
  setLimits: {
    input: () => ({ scope: 'acme', deal: '1000000', nopCurrency: ['EUR=5.5'] }),
    subject: 'limits of client acme',
    before: undefined,
    after: { deal: '1000000.00', nopCurrency: ['EUR=5.50'] },
  },
  removeLimits: {
    async input() {
      await must('setLimits', { scope: 'house', nop: '7' });
      return { scope: 'house' };
    },
    subject: 'limits of the house',
    before: { nop: '7.00' },
    after: undefined,
  },
  setCoverRule: {
    input: () => ({ pair: 'EUR/USD', band: 1_000_000, providers: ['LP1'] }),
    subject: 'cover of EUR/USD',
    before: undefined,
    after: { band: 1_000_000, ratio: 100, worst: '5', providers: ['LP1'] },
  },
  removeCoverRule: {
    input: () => ({ pair: 'EUR/USD' }),
    subject: 'cover of EUR/USD',
    before: { band: 1_000_000 },
    after: undefined,
  },
  sendCover: {
    input: async () => ({ id: (await planCover(services.store.cover, 'suggested')).id }),
    subject: /^cover order CVR\w{17}$/,
    before: { pair: 'EUR/USD', status: 'suggested' },
    after: { pair: 'EUR/USD', status: 'planned' },
  },
  disputeCover: {
    input: async () => ({ id: (await planCover(services.store.cover, 'sent')).id, reason: 'they cancel it' }),
    subject: /^cover order CVR\w{17}$/,
    ...{ before: { status: 'sent' }, after: { status: 'disputed', reason: 'they cancel it' } },
  },
  resolveCover: {
    input: async () => ({
      id: (await planCover(services.store.cover, 'sent')).id,
      filled: '10',
      price: '1.08',
      reason: 'told',
    }),
    subject: /^cover order CVR\w{17}$/,
    before: { status: 'sent', filled: '0.00' },
    after: { status: 'resolved', filled: '10.00', reason: 'told' },
  },
  adjustCover: {
    input: () => ({
      ...{
        provider: 'LP1',
        currency: 'EUR',
        direction: 'credit',
        amount: '10.00',
        reference: 'MT940',
        reason: 'settled',
      },
    }),
    subject: 'cover account EUR with LP1',
    before: { balance: '-10.00' },
    after: { balance: '0.00' },
    made: /^ADJ\w{17}$/,
  },
  setMargin: {
    input: () => ({ clientId: 'newer', pair: 'EUR/USD', type: '*', margin: '0.15' }),
    subject: 'margin EUR/USD * of client newer',
    before: undefined,
    after: { marginPercent: '0.15' },
  },
  removeMargin: {
    input: () => ({ clientId: 'newer', pair: 'EUR/USD', type: '*' }),
    subject: 'margin EUR/USD * of client newer',
    before: { marginPercent: '0.15' },
    after: undefined,
  },
  setPricing: {
    input: () => ({ pair: 'EUR/USD', skew: '0.5', skewMax: '3', spreadMin: '1.25' }),
    subject: 'pricing EUR/USD',
    before: undefined,
    after: { skew: '0.5', skewMax: '3', spreadMin: '1.25' },
  },
  removePricing: {
    input: () => ({ pair: 'EUR/USD' }),
    subject: 'pricing EUR/USD',
    before: { skew: '0.5', skewMax: '3', spreadMin: '1.25' },
    after: undefined,
  },
  setFee: {
    input: () => ({ clientId: 'newer', corridor: 'US', method: 'BANK', fixed: '5' }),
    subject: 'fee US BANK of client newer',
    before: undefined,
    after: { fixed: '5', percent: '0' },
  },
  removeFee: {
    input: () => ({ clientId: 'newer', corridor: 'US', method: 'BANK' }),
    subject: 'fee US BANK of client newer',
    before: { fixed: '5', percent: '0' },
    after: undefined,
  },
  provisionBenchmarkClients: {
    input: () => ({ clients: 2 }),
    subject: 'benchmark clients bench1 to bench2',
    before: { there: 0 },
    after: { there: 2 },
  },
  openAccount: {
    input: () => ({ clientId: 'newer', currency: 'EUR', label: 'Main' }),
    subject: 'EUR accounts of client newer',
    before: { accounts: 0 },
    after: { accounts: 1, default: expect.stringMatching(/^\d{12}$/) },
    made: /^\d{12}$/,
  },
  changeAccount: {
    input: async () => ({ accountNumber: await account(), label: 'Second' }),
    subject: /^account \d{12} of client acme$/,
    before: { label: '', active: true },
    after: { label: 'Second', active: true },
  },
  creditAccount: {
    async input() {
      const { number } = await must('openAccount', { clientId: 'newer', currency: 'GBP' });
      return { accountNumber: number, amount: '12.34', reference: 'bank-1' };
    },
    subject: /^account \d{12} of client newer$/,
    before: { currency: 'GBP', balance: '0.00' },
    after: { currency: 'GBP', balance: '12.34' },
  },
  adjustAccount: {
    async input() {
      const { number = '' } = await must('openAccount', { clientId: 'newer', currency: 'GBP' });
      return { accountNumber: number, direction: 'credit', amount: '2.00', reference: 'bank-1', reason: 'short by 2' };
    },
    subject: /^account \d{12} of client newer$/,
    before: { currency: 'GBP', balance: '0.00' },
    after: { currency: 'GBP', balance: '2.00' },
    made: /^ADJ\w{17}$/,
  },
  repayReceivable: {
    async input() {
      const { number = '' } = await must('openAccount', { clientId: 'newer', currency: 'AUD' });
      const newer = (await services.store.clients.get('newer'))!;
      const caller = { clientId: 'newer', keyId: 'CK_X', rights: new Set(RIGHTS) };
      const announced = await perform(services, 'createFunding', caller, {
        accountNumber: Number(number),
        amount: 10,
        depositAccount: 'Bank-0012345678-AUD',
        reference: 'MANUAL',
      });
      const fundingId = isRefusal(announced) ? '' : announced.funding.id;
      const corrects = { accountNumber: number, reference: fundingId, reason: 'spent' };
      await must('completeFunding', { fundingId });
      await must('adjustAccount', { ...corrects, direction: 'debit', amount: '10.00' });
      // A credit after it would repay by itself.
      const { number: second = '' } = await must('openAccount', { clientId: 'newer', currency: 'AUD' });
      const accountNumber = second;
      await must('adjustAccount', { ...corrects, accountNumber, direction: 'credit', amount: '4.00' });
      await must('reverseFunding', { fundingId, allowReceivable: true });
      expect(await services.store.accounts.receivables(newer)).toEqual([{ currency: 'AUD', owed: 1_000n }]);
      return { ...corrects, accountNumber, amount: '3.00' };
    },
    subject: /^account \d{12} of client newer$/,
    before: { currency: 'AUD', balance: '4.00', receivable: '10.00' },
    after: { currency: 'AUD', balance: '1.00', receivable: '7.00' },
    made: /^ADJ\w{17}$/,
  },
  bustBooking: {
    async input() {
      const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 };
      const { id } = await on.book('acme', { ...command, description: 'to be busted', requestId: 'busted' });
      return { clientId: 'acme', confirmationId: id, reason: 'off-market' };
    },
    subject: /^conversion BFX\w+ of client acme$/,
    before: { status: 'SETTLED', amendments: 0, sold: '10.00 EUR' },
    after: { status: 'CANCELLED', amendments: 1 },
    made: /^AMD\w{17}$/,
  },
  correctBooking: {
    async input() {
      const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 };
      const { id } = await on.book('acme', { ...command, description: 'to be corrected', requestId: 'corrected' });
      return { clientId: 'acme', confirmationId: id, amount: '5', reason: 'wrong amount', requestId: 'fix-1' };
    },
    subject: /^conversion BFX\w+ of client acme$/,
    before: { status: 'SETTLED', amendments: 0, sold: '10.00 EUR' },
    after: { status: 'SETTLED', amendments: 1, sold: '5.00 EUR' },
    made: /^fix-1$/,
  },
  cancelBooking: {
    async input() {
      const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10, type: 'SCHEDULED1' };
      const { id } = await on.book('acme', { ...command, description: 'to be cancelled', requestId: 'cancelled' });
      return { clientId: 'acme', confirmationId: id };
    },
    subject: /^conversion BFX\w+ of client acme$/,
    before: { status: 'OPEN' },
    after: { status: 'CANCELLED' },
  },
  completeFunding: {
    input: async () => ({ fundingId: await funding() }),
    subject: /^funding GLR\w+ of client acme$/,
    before: { status: 'PENDING', amount: '10.00', currency: 'EUR' },
    after: { status: 'COMPLETED' },
  },
  rejectFunding: {
    input: async () => ({ fundingId: await funding(), reason: 'no such transfer' }),
    subject: /^funding GLR\w+ of client acme$/,
    before: { status: 'PENDING' },
    after: { status: 'REJECTED' },
  },
  cancelFunding: {
    input: async () => ({ fundingId: await funding() }),
    subject: /^funding GLR\w+ of client acme$/,
    before: { status: 'PENDING' },
    after: { status: 'CANCELLED' },
  },
  reverseFunding: {
    async input() {
      const fundingId = await funding();
      await must('completeFunding', { fundingId });
      return { fundingId };
    },
    subject: /^funding GLR\w+ of client acme$/,
    before: { status: 'COMPLETED' },
    after: { status: 'REVERSED' },
  },
  approvePayment: {
    input: async () => ({ paymentId: await waiting('Erika COMPLIANCE VERIFICATION'), text: 'seen' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'COMPLIANCE_VERIFICATION' },
    after: { status: 'COMPLIANCE_APPROVED' },
  },
  rejectPayment: {
    input: async () => ({ paymentId: await waiting('Erika COMPLIANCE VERIFICATION'), text: 'no' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'COMPLIANCE_VERIFICATION' },
    after: { status: 'COMPLIANCE_REJECTED' },
  },
  requestInformation: {
    input: async () => ({ paymentId: await waiting('Erika COMPLIANCE VERIFICATION'), text: 'which invoice?' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'COMPLIANCE_VERIFICATION' },
    after: { status: 'INFO_REQUESTED' },
  },
  confirmPaid: {
    input: async () => ({ paymentId: await waiting('Erika TIMED OUT'), text: 'BANK-1' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'PG_PROCESSING' },
    after: { status: 'PAID', bankReference: 'BANK-1' },
  },
  returnPayment: {
    input: async () => ({ paymentId: await waiting('Erika'), text: 'closed' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'PAID' },
    after: { status: 'RETURNED' },
  },
  retryPayment: {
    input: async () => ({ paymentId: await waiting('Erika ERROR') }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'ERROR' },
    after: { status: 'COMPLIANCE_APPROVED' },
  },
  cancelPaymentByOperator: {
    input: async () => ({ paymentId: await waiting('Erika ERROR'), text: 'as asked' }),
    subject: /^payment PAY\w+ of client acme$/,
    before: { status: 'ERROR' },
    after: { status: 'CANCELLED' },
  },
  cancelBatchByOperator: {
    async input() {
      const asked = { requestId: 'batch-1', sourceAccount: Number(await account()) };
      const created = await on.as(acme, 'createBatch', asked);
      if (isRefusal(created)) throw new Error(created.text);
      return { clientId: 'acme', batchId: created.batch.id, reason: 'as asked' };
    },
    subject: /^batch BAT\w+ of client acme$/,
    before: { status: 'OPEN' },
    after: { status: 'CANCELLED' },
  },
  haltPair: {
    input: () => ({ pair: 'EUR/USD', reason: 'news' }),
    subject: 'pair EUR/USD',
    before: undefined,
    after: { state: 'HALTED', by: ANNA, reason: 'news' },
  },
  reducePair: {
    input: () => ({ pair: 'EUR/USD', reason: 'limit' }),
    subject: 'pair EUR/USD',
    before: { state: 'HALTED', by: ANNA, reason: 'news' },
    after: { state: 'REDUCING', by: ANNA, reason: 'limit' },
  },
  resumePair: {
    input: () => ({ pair: 'EUR/USD' }),
    subject: 'pair EUR/USD',
    before: { state: 'REDUCING', by: ANNA, reason: 'limit' },
    after: undefined,
  },
  haltClient: {
    input: () => ({ clientId: 'acme', reason: 'news' }),
    subject: 'client acme',
    before: undefined,
    after: { state: 'HALTED', by: ANNA, reason: 'news' },
  },
  reduceClient: {
    input: () => ({ clientId: 'acme', reason: 'limit' }),
    subject: 'client acme',
    before: { state: 'HALTED', by: ANNA, reason: 'news' },
    after: { state: 'REDUCING', by: ANNA, reason: 'limit' },
  },
  resumeClient: {
    input: () => ({ clientId: 'acme' }),
    subject: 'client acme',
    before: { state: 'REDUCING', by: ANNA, reason: 'limit' },
    after: undefined,
  },
  haltHouse: {
    input: () => ({ reason: 'news' }),
    subject: 'house',
    before: undefined,
    after: { state: 'HALTED', by: ANNA, reason: 'news' },
  },
  reduceHouse: {
    input: () => ({ reason: 'limit' }),
    subject: 'house',
    before: { state: 'HALTED', by: ANNA, reason: 'news' },
    after: { state: 'REDUCING', by: ANNA, reason: 'limit' },
  },
  resumeHouse: {
    input: () => ({}),
    subject: 'house',
    before: { state: 'REDUCING', by: ANNA, reason: 'limit' },
    after: undefined,
  },
  logOutSession: {
    async input() {
      await must('assignCompId', { compId: 'LIVE1', clientId: 'newer' });
      await engineWith('LIVE1');
      return { compId: 'LIVE1', reason: 'maintenance' };
    },
    subject: 'session LIVE1 of client newer',
    before: { state: 'live', engine: 'here:1' },
    after: { state: 'away' },
  },
  resetSession: {
    async input() {
      const session = { senderCompId: ENGINE_COMP_ID, targetCompId: 'NEWER1' };
      const kept = services.store.fixSessions.store(session, (await services.store.clients.get('newer'))!.shard);
      await kept.open();
      await kept.settle(12, 7);
      await kept.close();
      return { compId: 'NEWER1' };
    },
    subject: 'session NEWER1 of client newer',
    before: { state: 'away', nextOut: 12, nextIn: 7 },
    after: { state: 'away', nextOut: 1, nextIn: 1 },
  },
  archiveJournal: {
    input: () => ({ clientId: 'newer', beforeMs: Date.now() + 60_000, directory: archive, insist: true }),
    subject: 'journal of client newer',
    before: { entries: 0 },
    after: { entries: 8 },
  },
};

/** An engine that serves the desk until it is ordered to log the desk out. */
async function engineWith(compId: string): Promise<void> {
  const { engines, engineId } = await on.testStore.another();
  let isLive = true;
  const session = { compId, clientId: 'newer', keyId: 'CK_X', loggedOnAtMs: 1, nextOut: 2, nextIn: 2, streams: 0 };
  const engine = { engineId, where: 'here:1', startedAtMs: 1, feed: 'runs', draining: false, providers: [] } as const;
  const tickToWire = { count: 0, p50: 0, p90: 0, p99: 0, max: 0 };
  engines.answer({
    status: () => {
      const sessions = isLive ? [{ ...session, backlogBytes: 0, conflated: 0 }] : [];
      return { ...engine, desks: sessions.length, sessions, tickToWire };
    },
    pairs: () => ({ feed: 'runs', pairs: [] }),
    takes: () => undefined,
    logOut: () => {
      isLive = false;
      return true;
    },
  });
  const heard = async () => (await services.store.engines.status(100)).length > 0;
  while (!(await heard()));
}

describe('each operation of the operator', () => {
  test.each(NAMES)('%s is read-only, or declares its audit entry', (name) => {
    expect('audited' in OPERATOR_OPERATIONS[name]).toBe(!READERS.includes(name));
  });

  test.each(CHANGES)('%s: operator, subject, before and after', async (name) => {
    expect(Object.keys(CASES), 'an operation without a case here').toContain(name);
    const { input, subject, before, after, made } = CASES[name]!;
    const asked = await input();
    await must(name, asked);
    const [change] = await changes({ limit: 1 });
    const state = (expected: object | undefined) => expected && expect.objectContaining(expected);
    expect(change).toEqual({
      id: expect.stringMatching(/^\d+-\d+$/),
      atMs: expect.any(Number),
      who: ANNA,
      operation: name,
      subject: typeof subject === 'string' ? subject : expect.stringMatching(subject),
      input: expect.objectContaining(asked),
      outcome: 'done',
      before: state(before),
      after: state(after),
      made: made && expect.stringMatching(made),
    });
    expect(Math.abs(Date.now() - change!.atMs)).toBeLessThan(60_000);
  });

  test.each(NAMES.filter((name) => READERS.includes(name)))('%s leaves no entry', async (name) => {
    const [newest] = await changes({ limit: 1 });
    await ask(name, {});
    expect((await changes({ limit: 1 }))[0]).toEqual(newest);
  });
});

describe('one entry before the change, one after it', () => {
  test('records a rejected change with its code', async () => {
    expect(await ask('disableClient', { id: 'unknown', disabled: true })).toMatchObject({ refusal: 'UNKNOWN_CLIENT' });
    expect((await changes({ limit: 1 }))[0]).toMatchObject({ subject: 'client unknown', outcome: 'UNKNOWN_CLIENT' });
  });

  test('records no change of an unknown operation', async () => {
    const [newest] = await changes({ limit: 1 });
    expect(await ask('disableClient', { id: 'acme' })).toMatchObject({ refusal: 'VALIDATION_FAILED' });
    expect((await changes({ limit: 1 }))[0]).toEqual(newest);
  });

  test('makes no change when the first entry cannot be written', async () => {
    const { store } = services;
    const begin = () => Promise.reject(new StoreUnavailable('unknown'));
    const away = { ...services, store: { ...store, auditLog: { ...store.auditLog, begin } } };
    const answer = await perform(away, 'changeClient', undefined, { id: 'acme', name: 'Unseen' });
    expect(answer).toMatchObject({ refusal: 'STORE_UNAVAILABLE' });
    expect((await store.clients.get('acme'))?.name).toBe('Acme Treasury');
  });

  test('when the second entry cannot be written, the first says that the change may have happened', async () => {
    const { store } = services;
    const end = () => Promise.reject(new StoreUnavailable('none'));
    const away = { ...services, store: { ...store, auditLog: { ...store.auditLog, end } } };
    expect(await perform(away, 'changeClient', undefined, { id: 'acme', name: 'Half' })).toMatchObject({
      name: 'Half',
    });
    expect((await changes({ limit: 1 }))[0]).toMatchObject({
      outcome: 'unknown',
      before: { name: 'Acme Treasury' },
      after: undefined,
    });
  });
});

describe('reading the log', () => {
  test('lists the newest first, as many as requested, over pages', async () => {
    for (let i = 0; i < 700; i++) await must('setScheduledLimit', { clientId: 'newer', limit: String(i) });
    const newest = await changes({ subject: 'client newer', limit: 600 });
    expect(newest.map(({ input }) => (input as { limit: string }).limit)).toEqual(
      Array.from({ length: 600 }, (_, i) => String(699 - i)),
    );
    expect(await changes()).toHaveLength(50);
  });

  test('filters by subject, by operator, by time', async () => {
    const bob = { ...services, operator: 'bob (ops@desk2)' };
    await perform(bob, 'changeClient', undefined, { id: 'newer', name: 'By Bob' });
    expect((await changes({ operator: 'BOB' })).map(({ subject }) => subject)).toEqual(['client newer']);
    expect(await changes({ operator: 'carol' })).toEqual([]);
    const ofPayments = await changes({ subject: 'Payment', limit: 1000 });
    expect(ofPayments).toHaveLength(8);
    const [last] = await changes({ operator: 'bob' });
    expect(await changes({ sinceMs: last!.atMs, limit: 1000 })).toContainEqual(last);
    expect(await changes({ sinceMs: last!.atMs + 60_000 })).toEqual([]);
  });

  test('contains no secret and no hash of one', async () => {
    const { clientSecret } = await must('issueKey', { clientId: 'acme' });
    const { token } = await services.store.tokens.issue('acme', 'CK_X', ['read']);
    await must('revokeClientTokens', { clientId: 'acme' });
    const { redis } = on.keyspace;
    const text = JSON.stringify(await redis.xrange('audit', '-', '+'));
    expect(text).toContain('issueKey');
    const kept = Object.entries(await on.keyspace.read()).filter(([key]) => /^(token|key):/.test(key));
    const hashes = new Set([...JSON.stringify(kept).matchAll(/[0-9a-f]{64}/g)].map(([hash]) => hash));
    expect(hashes.size).toBeGreaterThan(1);
    for (const secret of [clientSecret, token, ...hashes]) expect(text).not.toContain(secret);
  });
});

/** Performs every operation of a client, and every operator's operation that moves money, at least once for one client. */
import { expect } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { PORTS } from '../../../engine/domain/system/port-mode.js';
import { processBatch } from '../../../engine/service/batches/index.js';
import {
  type AnyOperationName,
  OPERATIONS,
  type OperatorOperationName,
  type OutputOf,
} from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import type { PaymentRig } from '../../payments/service/payment-rig.js';
import { planCover } from '../../support/cover.js';

/** The operator's operations that move money or decide about it, and the keys and limits that a client needs. */
const MOVES: readonly OperatorOperationName[] = [
  'creditAccount',
  'openAccount',
  'changeAccount',
  'setScheduledLimit',
  'cancelBooking',
  'bustBooking',
  'correctBooking',
  'completeFunding',
  'rejectFunding',
  'cancelFunding',
  'reverseFunding',
  'approvePayment',
  'rejectPayment',
  'requestInformation',
  'confirmPaid',
  'returnPayment',
  'retryPayment',
  'cancelPaymentByOperator',
  'cancelBatchByOperator',
  'explainPrice',
  'setCoverRule',
  'removeCoverRule',
  'listCovers',
  'showCover',
  'sendCover',
  'disputeCover',
  'resolveCover',
  'adjustCover',
  'decidePayment',
  'decideFunding',
  'decideConversion',
  'advanceClientClock',
  'acceptClock',
];

export const TO_BE_ASKED: readonly string[] = [...Object.keys(OPERATIONS), ...MOVES].sort();

const PAID = { destinationCurrency: 'EUR', destinationAmount: 50, statementNarrative: 'Invoice 417' };
const IBAN = 'DE89370400440532013000';

/** Parties with a beneficiary whose name determines the outcome in the sandbox. */
const partiesOf = (name: string) => ({
  remitter: { accountType: 'Company' },
  beneficiary: { name, countryCode: 'DE', accountType: 'Individual', accountNumber: IBAN },
});

/** As a worker does. */
async function drawItems({ services }: PaymentRig, { id: clientId, shard }: Client, batchId: string): Promise<void> {
  const entries = await services.store.work.take(shard, 'one', 100);
  const entry = entries.find((one) => one.batchId === batchId);
  if (entry?.clientId !== clientId) throw new Error('no work for the batch');
  expect(await processBatch(services, { ...entry, batchId })).toBe('moved');
}

/** Returns the performed operations; fails if one is refused. */
export async function askAll(on: PaymentRig, client: Client): Promise<readonly string[]> {
  const asked = new Set<string>();
  const { id } = client;
  let requests = 0;
  const next = (): string => `${id}-${++requests}`;
  const must = <Name extends AnyOperationName>(name: Name, answer: unknown): OutputOf<Name> => {
    asked.add(name);
    if (isRefusal(answer)) throw new Error(`${id} ${name}: ${answer.refusal} ${JSON.stringify(answer)}`);
    return answer as OutputOf<Name>;
  };
  const as = async <Name extends AnyOperationName>(name: Name, input: object) =>
    must(name, await on.as(client, name, input));
  const ask = async <Name extends AnyOperationName>(name: Name, input: object) => must(name, await on.ask(name, input));

  // The sandbox's outcomes and clock.
  await on.services.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });
  // The client's own operations.
  const { clientKey, clientSecret } = await on.services.store.keys
    .issue(id, RIGHTS)
    .then((issued) => issued ?? expect.unreachable());
  const { token } = await ask('authenticate', { clientKey, clientSecret, address: '127.0.0.1' });
  await as('readToken', { token });
  await as('revokeToken', { token });
  await as('getRate', { sellCurrency: 'EUR', buyCurrency: 'USD' });
  await as('listPairs', {});
  await as('marketStatus', {});
  await as('readTradingState', {});
  const { accounts } = await as('listAccounts', {});
  const numberOf = (currency: string): string => accounts.find((account) => account.currency === currency)!.number;
  await as('listBalances', {});
  await as('listCurrencyBalances', { currency: 'EUR' });
  await as('readBalance', { accountNumber: numberOf('EUR') });
  await as('listAccountEntries', { accountNumber: numberOf('EUR') });
  const conversion = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10, description: 'a test' };
  const offer = async () => (await as('getLockableRate', { sellCurrency: 'EUR', buyCurrency: 'USD' })).rateSignature;
  const { hold } = await as('lockRate', { rateSignature: await offer() });
  await as('readHold', { holdId: hold.id });
  await as('readHeldRate', { holdId: hold.id });
  await as('releaseHolds', { session: 'DESK1' });
  await as('releaseHold', { holdId: hold.id });
  const held = await as('lockRate', { rateSignature: await offer() });
  const requestId = next();
  const { booking } = await as('bookFxByCurrency', { ...conversion, requestId, holdId: held.hold.id });
  const legs = { sellAccount: Number(numberOf('EUR')), buyAccount: Number(numberOf('USD')) };
  await as('bookFxByAccount', { ...legs, sellAmount: 5, description: 'a test', requestId: next() });
  await as('readBooking', { confirmationId: booking.id });
  await as('readPrice', { confirmationId: booking.id });
  await ask('explainPrice', { id: booking.id });
  await as('listBookings', {});
  await as('readOrder', { requestId });
  expect(await as('findTrades', {})).toMatchObject({ first: 1, count: 2 });
  await as('readTrades', { first: 1, count: 2 });
  await as('findOrders', { most: 10, requestIds: [] });
  const notKnown = { confirmationId: booking.id, amendment: 0, reason: 'D', text: '', compId: 'DESK1' };
  await as('recordDontKnowTrade', notKnown);
  await ask('setScheduledLimit', { clientId: id, limit: '1000000' });
  const { cover } = on.services.store;
  await ask('setCoverRule', { pair: 'EUR/USD', band: 1_000, providers: ['LP1'] });
  await ask('sendCover', { id: (await planCover(cover, 'suggested')).id });
  const sent = await planCover(cover, 'sent');
  await ask('resolveCover', { id: sent.id, filled: '10', price: '1.08', reason: 'told' });
  await ask('disputeCover', { id: sent.id, reason: 'cancelled' });
  await ask('resolveCover', { id: sent.id, filled: '0', reason: 'told' });
  await ask('showCover', { id: sent.id });
  const movement = { provider: 'LP1', currency: 'EUR', direction: 'credit', amount: '10' };
  await ask('adjustCover', { ...movement, reference: 'MT940', reason: 'settled' });
  await ask('listCovers', {});
  await ask('setCoverRule', { pair: 'USD/JPY', band: 1_000, providers: ['LP1'] });
  await ask('removeCoverRule', { pair: 'USD/JPY' });
  const later = await as('bookFxByCurrency', { ...conversion, requestId: next(), type: 'SCHEDULED1' });
  await ask('cancelBooking', { clientId: id, confirmationId: later.booking.id });
  const changed = async () => {
    const { booking } = await as('bookFxByCurrency', { ...conversion, requestId: next(), type: 'SCHEDULED1' });
    return booking;
  };
  const by = (confirmationId: string, quoteId: string) => ({ confirmationId, quoteId, requestId: next() });
  const cancelled = await changed();
  const { quoteId } = await as('quoteCancellation', { confirmationId: cancelled.id });
  await as('cancelConversion', by(cancelled.id, quoteId));
  const { id: splitId, sell, expiryMs } = await changed();
  const settlementDate = new Date(expiryMs + 86_400_000).toISOString().slice(0, 10);
  const dated = await as('quoteDateChange', { confirmationId: splitId, settlementDate });
  await as('changeConversionDate', by(splitId, dated.quoteId));
  const sellAmounts = [1, (Number(sell) - 100) / 100];
  const parts = await as('quoteSplit', { confirmationId: splitId, sellAmounts });
  await as('splitConversion', by(splitId, parts.quoteId));
  await as('listConversionChanges', {});
  const amended = { clientId: id, confirmationId: booking.id, reason: 'a test' };
  await ask('correctBooking', { ...amended, amount: '9' });
  await ask('bustBooking', amended);
  const renewed = await on.ask('authenticate', { clientKey, clientSecret, address: '127.0.0.1' });
  if (isRefusal(renewed)) throw new Error(renewed.text);
  const holder = { clientId: id, keyId: clientKey, rights: new Set(RIGHTS) };
  must(
    'renewToken',
    await perform(on.services, 'renewToken', holder, { clientKey, clientSecret, address: '127.0.0.1' }),
  );
  const revoked = await ask('revokeTokens', { clientKey, clientSecret, address: '127.0.0.1' });
  expect(revoked).toMatchObject({ clientId: id, tokensRevoked: 2 });

  const fund = async (): Promise<string> => {
    const depositAccount = 'Bank-0012345678-EUR';
    const input = { accountNumber: Number(numberOf('EUR')), amount: 10, depositAccount, reference: 'MANUAL' };
    const { funding } = await as('createFunding', { ...input, requestId: next() });
    return funding.id;
  };
  await on.services.store.events.enable(client);
  await on.services.store.events.keepAtMost(100_000);
  const fundingId = await fund();
  await as('readFunding', { fundingId });
  await as('listFundings', {});
  await ask('completeFunding', { fundingId });
  await ask('reverseFunding', { fundingId });
  await ask('rejectFunding', { fundingId: await fund(), reason: 'no such transfer' });
  await ask('cancelFunding', { fundingId: await fund() });
  const opened = await ask('openAccount', { clientId: id, currency: 'GBP' });
  await ask('creditAccount', { accountNumber: opened.number, amount: '12.34', reference: next() });
  await ask('changeAccount', { accountNumber: opened.number, label: 'Second' });
  const [event] = (await as('listEvents', {})).events;
  await as('readEvent', { eventId: event!.id });

  await on.services.store.clients.change(id, { isPlatform: true });
  const { client: subClient } = await as('createSubClient', { name: 'one', title: 'One', currencies: ['EUR'] });
  await as('readSubClient', { id: subClient.id });
  await as('listSubClients', {});
  await as('changeSubClient', { id: subClient.id, title: 'First' });
  await as('setSubClientMargin', { id: subClient.id, pair: '*', margin: 0.1 });
  await as('listSubClientMargins', { id: subClient.id });
  await as('removeSubClientMargin', { id: subClient.id, pair: '*' });
  const { webhook } = await as('createWebhook', { url: 'https://192.0.3.1/hook', types: ['*'] });
  const { id: webhookId } = webhook;
  await as('listWebhooks', {});
  await as('readWebhook', { webhookId });
  await as('changeWebhook', { webhookId, name: 'Ledger' });
  await as('rotateWebhookSecret', { webhookId });
  await as('testWebhook', { webhookId });
  await as('listDeliveries', { webhookId });
  await as('replayDeliveries', { webhookId, fromSequence: 1 });
  await as('removeWebhook', { webhookId });

  const { beneficiary } = await as('createBeneficiary', {
    requestId: next(),
    destinationCurrency: 'EUR',
    beneficiary: { name: 'Erika', countryCode: 'DE', accountNumber: IBAN },
  });
  const beneficiaryId = beneficiary.id;
  await as('changeBeneficiary', { beneficiaryId, version: 1, beneficiary: { city: 'Bonn' } });
  await as('readBeneficiary', { beneficiaryId, version: 1 });
  await as('listBeneficiaries', {});
  await as('disableBeneficiary', { beneficiaryId });
  await as('enableBeneficiary', { beneficiaryId });
  const { token: verificationToken } = await as('verifyPayee', { beneficiaryId });
  await as('requiredDetails', { country: 'DE', currency: 'EUR' });
  const ids = () => ({ requestId: next(), transactionNumber: next() });
  const payout = { ...PAID, sourceAccount: Number(numberOf('EUR')), feePayer: 'OUR' };
  const pay = async (name: string): Promise<string> => {
    const { payment } = await as('createPayout', { ...payout, ...partiesOf(name), ...ids() });
    await on.work();
    return payment.id;
  };
  await as('validatePayment', { ...PAID, ...partiesOf('Erika'), ...ids() });
  await as('validatePayout', { ...payout, ...partiesOf('Erika'), ...ids() });
  const { remitter } = partiesOf('');
  await as('createPayment', { ...PAID, remitter, beneficiaryId, verificationToken, ...ids() });
  const named = ids();
  const { payment } = await as('createPayment', { ...PAID, ...partiesOf('Erika'), ...named });
  await on.work();
  await as('readPayment', { paymentId: payment.id });
  await as('readPaymentByReference', { transactionNumber: named.transactionNumber });
  await as('listPayments', {});
  await ask('returnPayment', { paymentId: payment.id, text: 'closed' });
  await as('cancelPayment', { paymentId: await pay('Erika INFO REQUESTED') });
  await as('answerInformation', { paymentId: await pay('Erika INFO REQUESTED'), information: 'Invoice 417' });
  await ask('approvePayment', { paymentId: await pay('Erika COMPLIANCE VERIFICATION'), text: 'seen' });
  await ask('rejectPayment', { paymentId: await pay('Erika COMPLIANCE VERIFICATION'), text: 'no' });
  await ask('requestInformation', { paymentId: await pay('Erika COMPLIANCE VERIFICATION'), text: 'which invoice?' });
  await ask('confirmPaid', { paymentId: await pay('Erika TIMED OUT'), text: 'BANK-1' });
  await ask('retryPayment', { paymentId: await pay('Erika ERROR') });
  await ask('cancelPaymentByOperator', { paymentId: await pay('Erika ERROR'), text: 'as asked' });
  await on.work();
  const scheduled = { ...conversion, type: 'SCHEDULED1' };
  const bookedLater = async () => (await as('bookFxByCurrency', { ...scheduled, requestId: next() })).booking.id;
  await as('sandboxClock', {});
  await as('sandboxConversion', { confirmationId: await bookedLater(), outcome: 'settled' });
  await ask('decideConversion', { confirmationId: await bookedLater(), outcome: 'overdue' });
  await as('sandboxFunding', { fundingId: await fund(), outcome: 'completed' });
  await ask('decideFunding', { fundingId: await fund(), outcome: 'rejected' });
  await as('sandboxPayment', { paymentId: await pay('Erika MANUAL'), outcome: 'returned' });
  await ask('decidePayment', { paymentId: await pay('Erika MANUAL'), outcome: 'paid' });

  const filled = async (): Promise<string> => {
    const { batch } = await as('createBatch', { requestId: next(), sourceAccount: payout.sourceAccount });
    const items = ['one', 'two'].map((itemId) => {
      const { transactionNumber } = ids();
      return { itemId, payment: { ...PAID, ...partiesOf('Erika'), feePayer: 'OUR', transactionNumber } };
    });
    await as('addBatchItems', { batchId: batch.id, items });
    await as('removeBatchItem', { batchId: batch.id, itemId: 'two' });
    return batch.id;
  };
  const batchId = await filled();
  await as('validateBatch', { batchId });
  await as('closeBatch', { batchId });
  await as('fundBatch', { batchId });
  await drawItems(on, client, batchId);
  await as('readBatch', { batchId });
  await as('listBatches', {});
  await as('listBatchItems', { batchId });
  await as('batchResults', { batchId });
  await as('cancelBatch', { batchId: await filled() });
  await ask('cancelBatchByOperator', { clientId: id, batchId: await filled(), reason: 'as asked' });

  await as('advanceSandboxClock', { advance: '1s' });
  await ask('advanceClientClock', { clientId: id, advance: '1s' });
  await ask('acceptClock', {});
  // Last: only the operator ends it.
  await as('haltTrading', {});
  await on.ask('resumeClient', { clientId: id });
  return [...asked].sort();
}

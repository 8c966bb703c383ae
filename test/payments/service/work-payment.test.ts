/**
 * The outcome of a payment in a sandbox, by the words in its beneficiary's name, and of one whose every step an
 * operator decides.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import {
  MANUAL_COMPLIANCE,
  MANUAL_PAYOUT,
  type PaidOut,
  type PaymentPorts,
} from '../../../engine/service/payments/payment-ports.js';
import { processJob } from '../../../engine/service/payments/work-payment.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { AUDIT } from '../../support/keyspace.js';
import { about } from '../../support/store.js';
import { readStoredPayment } from '../../support/stored.js';
import { type PaymentRig, SANDBOX, startPayments } from './payment-rig.js';

let on: PaymentRig;
let clients = 0;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());

const FIRST = ['IN_PROCESS', 'COMPLIANCE_APPROVED', 'PG_PROCESSING'];
const CHECKED = ['IN_PROCESS', 'COMPLIANCE_VERIFICATION'];
const PAID = 'PAID/SENT_TO_BENEFICIARY_BANK_ACCOUNT';
const HOUR_MS = 3_600_000;

const someone = () => on.client(`client-${++clients}`, { EUR: '100.00' });
const account = async (client: Client) => (await on.money(client)).EUR;

describe('sandbox: a word in the name of the beneficiary', () => {
  test.each<[name: string, way: readonly string[], eur: string, description: string]>([
    ['Erika Mustermann', [...FIRST, PAID], '5000', ''],
    // Not one of the words: only a part of one.
    ['Slowik Unreturned', [...FIRST, PAID], '5000', ''],
    ['COMPLIANCE VERIFICATION', CHECKED, '5000', ''],
    [
      'COMPLIANCE REJECTED',
      [...CHECKED, 'COMPLIANCE_REJECTED'],
      '10000',
      'Sandbox: the name of the beneficiary asks for it',
    ],
    ['INFO REQUESTED', [...CHECKED, 'INFO_REQUESTED'], '5000', 'Sandbox: send the invoice number and what was bought'],
    [
      'Acme info_requested GmbH',
      [...CHECKED, 'INFO_REQUESTED'],
      '5000',
      'Sandbox: send the invoice number and what was bought',
    ],
    ['RETURNED', [...FIRST, 'RETURNED'], '10000', 'Sandbox: account closed'],
    ['returned', [...FIRST, 'RETURNED'], '10000', 'Sandbox: account closed'],
    ['Returned-Late Ltd', [...FIRST, PAID, 'RETURNED'], '10000', 'Sandbox: account closed'],
    ['ERROR', [...FIRST, 'ERROR', 'COMPLIANCE_APPROVED', 'PG_PROCESSING', PAID], '5000', ''],
    [
      'ERROR  ALWAYS',
      [
        ...FIRST,
        'ERROR',
        'COMPLIANCE_APPROVED',
        'PG_PROCESSING',
        'ERROR',
        'COMPLIANCE_APPROVED',
        'PG_PROCESSING',
        'ERROR',
      ],
      '5000',
      'Sandbox: AC01 incorrect account number',
    ],
    [
      'SLOW',
      [...FIRST, 'PG_PROCESSING/SENT_TO_BENEFICIARY_BANK', 'PG_PROCESSING/PROCESSED_BY_CLEARING', PAID],
      '5000',
      '',
    ],
    ['DEEMED PAID', [...FIRST, 'PAID/DEEMED_PAID'], '5000', ''],
    ['TIMED_OUT', [...FIRST, 'PG_PROCESSING/TIMED_OUT'], '5000', ''],
  ])('%s: %j', async (name, way, eur, description) => {
    const client = await someone();
    const { id } = await on.pay(client, name);
    await on.work();
    // Every wait in a sandbox ends within ten seconds, and nothing happens after that.
    for (let s = 0; s < 20; s++) await on.later(500);
    expect(await on.way(client, id)).toEqual(way);
    await on.later(HOUR_MS);
    expect(await on.way(client, id)).toEqual(way);
    expect(await account(client)).toBe(eur);
    const payment = await on.read(client, id);
    expect(payment).toMatchObject({ description, step: way.length });
    expect(payment.bankReference).toMatch(way.some((status) => status.startsWith('PAID')) ? /^SBX[0-9A-F]{12}$/ : /^$/);
  });

  test('a request for information is answered by the client, and the payment continues', async () => {
    const client = await someone();
    const { id } = await on.pay(client, 'INFO REQUESTED');
    const answer = { paymentId: id, information: 'Invoice 4711:\nten chairs' };
    expect(await on.as(client, 'answerInformation', answer)).toMatchObject({
      refusal: 'WRONG_STATE',
      details: { paymentStatus: 'IN_PROCESS' },
    });
    await on.work();
    expect(await on.as(client, 'answerInformation', answer)).toMatchObject({
      payment: { status: 'COMPLIANCE_VERIFICATION', subStatus: 'RFI_ANSWERED', description: '' },
    });
    await on.work();
    expect(await on.way(client, id)).toEqual([
      ...CHECKED,
      'INFO_REQUESTED',
      'COMPLIANCE_VERIFICATION/RFI_ANSWERED',
      'COMPLIANCE_APPROVED',
      'PG_PROCESSING',
      PAID,
    ]);
    const shown = await on.ask('showPayment', { paymentId: id });
    expect('history' in shown && shown.history[3]).toMatchObject({ actor: 'client', reason: answer.information });
    expect(await on.as(client, 'answerInformation', answer)).toMatchObject({ refusal: 'WRONG_STATE' });
  });

  test('a second word applies at the bank', async () => {
    const client = await someone();
    const { id } = await on.pay(client, 'INFO REQUESTED RETURNED');
    await on.work();
    await on.as(client, 'answerInformation', { paymentId: id, information: 'x' });
    await on.work();
    expect((await on.way(client, id)).at(-1)).toBe('RETURNED');
  });
});

describe('an operator decides', () => {
  const MANUAL: PaymentPorts = { compliance: MANUAL_COMPLIANCE, payout: MANUAL_PAYOUT };
  type Decision = Parameters<PaymentRig['ask']>[0];

  test.each<[what: string, decisions: readonly (readonly [Decision, string?])[], way: readonly string[], eur: string]>([
    [
      'approved and paid',
      [['approvePayment'], ['confirmPaid', 'BANK 1']],
      [...CHECKED, 'COMPLIANCE_APPROVED', 'PG_PROCESSING', PAID],
      '5000',
    ],
    ['rejected', [['rejectPayment', 'on a list']], [...CHECKED, 'COMPLIANCE_REJECTED'], '10000'],
    [
      'asked for information and rejected',
      [
        ['requestInformation', 'passport'],
        ['rejectPayment', 'none'],
      ],
      [...CHECKED, 'INFO_REQUESTED', 'COMPLIANCE_REJECTED'],
      '10000',
    ],
    [
      'asked for information and given up',
      [
        ['requestInformation', 'passport'],
        ['cancelPaymentByOperator', 'no answer'],
      ],
      [...CHECKED, 'INFO_REQUESTED', 'CANCELLED'],
      '10000',
    ],
    [
      'returned',
      [['approvePayment'], ['returnPayment', 'closed']],
      [...CHECKED, 'COMPLIANCE_APPROVED', 'PG_PROCESSING', 'RETURNED'],
      '10000',
    ],
    [
      'paid, and returned late',
      [['approvePayment'], ['confirmPaid', 'B2'], ['returnPayment', 'recalled']],
      [...CHECKED, 'COMPLIANCE_APPROVED', 'PG_PROCESSING', PAID, 'RETURNED'],
      '10000',
    ],
  ])('%s', async (_what, decisions, way, eur) => {
    const client = await someone();
    const { id } = await on.pay(client, 'Erika');
    for (const [decision, text] of decisions) {
      await on.work(MANUAL);
      await on.later(HOUR_MS, MANUAL);
      const decided = await on.ask(decision, { paymentId: id, text });
      expect(decided).toMatchObject({ clientId: client.id });
    }
    await on.work(MANUAL);
    expect(await on.way(client, id)).toEqual(way);
    expect(await account(client)).toBe(eur);
    const history = await on.services.store.payments.history(client, id);
    const texts = decisions.flatMap(([decision, text]) =>
      decision === 'confirmPaid' || text === undefined ? [] : [text],
    );
    expect(
      history.filter(({ actor, reason }) => actor === 'operator' && reason !== '').map(({ reason }) => reason),
    ).toEqual(texts);
  });

  test('a step that failed three times is sent again, or cancelled', async () => {
    const client = await someone();
    const { id } = await on.pay(client, 'ERROR ALWAYS');
    for (let s = 0; s < 10; s++) await on.later(1_000);
    expect(await on.read(client, id)).toMatchObject({ status: 'ERROR', attempts: 3 });
    expect(await on.ask('retryPayment', { paymentId: id })).toMatchObject({
      payment: { status: 'COMPLIANCE_APPROVED' },
    });
    for (let s = 0; s < 10; s++) await on.later(1_000);
    // Once for each decision of the operator.
    expect(await on.read(client, id)).toMatchObject({ status: 'ERROR', attempts: 4 });
    expect(await on.ask('cancelPaymentByOperator', { paymentId: id, text: 'wrong account' })).toMatchObject({
      payment: { status: 'CANCELLED', description: 'wrong account' },
    });
    expect(await account(client)).toBe('10000');
  });

  test.each<[Decision, string | undefined]>([
    ['approvePayment', undefined],
    ['rejectPayment', 'x'],
    ['requestInformation', 'x'],
    ['retryPayment', undefined],
    ['cancelPaymentByOperator', 'x'],
    ['confirmPaid', 'x'],
  ])('%s of a payment that is paid: WRONG_STATE, and nothing changes', async (decision, text) => {
    const client = await someone();
    const { id } = await on.pay(client, 'Erika');
    await on.work();
    const before = await on.keyspace.read(AUDIT);
    expect(await on.ask(decision, { paymentId: id, text })).toMatchObject({
      refusal: 'WRONG_STATE',
      details: { paymentStatus: 'PAID' },
    });
    expect(await on.ask(decision, { paymentId: 'PAY9999999999999', text })).toMatchObject({ refusal: 'NOT_FOUND' });
    expect(await on.keyspace.read(AUDIT)).toEqual(before);
  });

  test("the client cancels until it is sent, and never another client's", async () => {
    const [client, other] = [await someone(), await someone()];
    const { id } = await on.pay(client, 'Erika');
    expect(await on.as(other, 'cancelPayment', { paymentId: id })).toMatchObject({ refusal: 'NOT_FOUND' });
    expect(await on.as(client, 'cancelPayment', { paymentId: id })).toMatchObject({
      payment: { status: 'USER_REJECTED' },
    });
    expect(await account(client)).toBe('10000');
    const sent = await on.pay(client, 'TIMED OUT');
    await on.work();
    expect(await on.as(client, 'cancelPayment', { paymentId: sent.id })).toMatchObject({
      refusal: 'NOT_CANCELLABLE',
      details: { paymentStatus: 'PG_PROCESSING' },
    });
    for (const name of ['readPayment', 'answerInformation'] as const)
      expect(await on.as(other, name, { paymentId: sent.id, information: 'x' })).toMatchObject({
        refusal: 'NOT_FOUND',
      });
    const transactionNumber = sent.transactionNumber;
    expect(await on.as(other, 'readPaymentByReference', { transactionNumber })).toMatchObject({ refusal: 'NOT_FOUND' });
    expect(await on.as(client, 'readPaymentByReference', { transactionNumber })).toMatchObject({
      payment: { id: sent.id },
    });
  });
});

describe('a port that fails', () => {
  const failing = (send: (payment: Payment) => Promise<PaidOut>): PaymentPorts => ({
    ...SANDBOX,
    payout: { send: ({ payment }) => send(payment) },
  });

  test('is retried five seconds later, and its answer is not logged', async () => {
    const client = await someone();
    const told: string[] = [];
    const log = (fields: object, message: string) => void told.push(JSON.stringify(fields) + message);
    const services = { ...on.services, log: { info: log, warn: log, error: log } };
    const { id } = await on.pay(client, 'Erika Mustermann');
    let asked = 0;
    const ports = failing(async (payment) => {
      if (++asked === 1) throw new Error(`no such beneficiary ${payment.details.beneficiary.name}`);
      return { kind: 'paid', reference: 'OK' };
    });
    const { store } = services;
    const takeAll = async () => {
      for (let any = true; any; ) {
        const entries = await store.work.take(client.shard, 'test', 100);
        any = entries.length > 0;
        for (const entry of entries) await processJob(services, ports, entry);
      }
    };
    await takeAll();
    expect((await on.read(client, id)).status).toBe('PG_PROCESSING');
    expect(told.join()).toContain('did not answer');
    expect(told.join()).not.toContain('Mustermann');
    await on.work(ports);
    expect(asked).toBe(1);
    await on.later(5_000, ports);
    expect(asked).toBe(2);
    expect(await on.read(client, id)).toMatchObject({ status: 'PAID', bankReference: 'OK' });
  });

  test('gets the same instruction again after a crash, and the step is one', async () => {
    const client = await someone();
    const ids: string[] = [];
    const { id } = await on.pay(client, 'ERROR');
    const recording: PaymentPorts = {
      ...SANDBOX,
      payout: {
        send(instruction) {
          ids.push(instruction.id);
          return SANDBOX.payout.send(instruction);
        },
      },
    };
    const { store } = on.services;
    const entries = async () => store.work.takeOver(client.shard, 'again', 0, 100);
    for (let round = 0; round < 12; round++) {
      await store.work.take(client.shard, 'crashed', 100);
      // The first executes it and dies before it reports; another executes it again.
      const taken = await entries();
      for (const entry of taken) await processJob(on.services, recording, entry);
      for (const entry of taken) await processJob(on.services, recording, entry);
      await on.later(500, recording);
    }
    expect(await on.way(client, id)).toEqual([...FIRST, 'ERROR', 'COMPLIANCE_APPROVED', 'PG_PROCESSING', PAID]);
    expect(new Set(ids)).toEqual(new Set([`${id}-1`, `${id}-2`]));
    expect(await account(client)).toBe('5000');
  });

  test('a worker that dies between two steps leaves a due entry, and the payment continues twelve seconds later', async () => {
    const client = await someone();
    const { id } = await on.pay(client, 'Erika');
    const { store } = on.services;
    let moves = 0;
    const move: typeof store.payments.move = (...args) =>
      ++moves === 2 ? Promise.reject(new StoreUnavailable('unknown')) : store.payments.move(...args);
    const dying = { ...on.services, store: { ...store, payments: { ...store.payments, move } } };
    const [entry] = await store.work.take(client.shard, 'dying', 1);
    await expect(processJob(dying, SANDBOX, entry!)).rejects.toThrow(StoreUnavailable);
    expect(await on.way(client, id)).toEqual(FIRST);
    expect(await on.differences()).toEqual([]);
    await on.later(6_000);
    expect(await on.way(client, id)).toEqual(FIRST);
    await on.later(30_000);
    expect(await on.way(client, id)).toEqual([...FIRST, PAID]);
  });

  test('a payment that waits for an operator at the bank leaves no due entry', async () => {
    const client = await someone();
    const { id } = await on.pay(client, 'Erika');
    await on.work({ ...SANDBOX, payout: MANUAL_PAYOUT });
    expect(await on.way(client, id)).toEqual(FIRST);
    const keys = ledgerKeys(client);
    expect(await on.keyspace.redis.zrange(keys.due, '0', '-1')).toEqual([]);
    expect((await readStoredPayment(on.keyspace.redis, keys.payment(id))).busy).toBe('');
  });

  test('retries a refund without room in a minute, and loses nothing', async () => {
    const client = await someone();
    const { id, account: number } = await on.pay(client, 'RETURNED');
    const room = `EUR/${number}`;
    const { balances } = ledgerKeys(client);
    const held = await on.keyspace.redis.hget(balances, room);
    // After the balances were compared with the journal, and before the refund.
    await on.work({
      ...SANDBOX,
      payout: {
        async send(instruction) {
          await on.keyspace.redis.hset(balances, room, '999999999999999');
          return SANDBOX.payout.send(instruction);
        },
      },
    });
    expect((await on.read(client, id)).status).toBe('PG_PROCESSING');
    await on.keyspace.redis.hset(balances, room, held!);
    await on.later(30_000);
    expect((await on.read(client, id)).status).toBe('PG_PROCESSING');
    await on.later(30_000);
    expect((await on.read(client, id)).status).toBe('RETURNED');
    expect(await account(client)).toBe('10000');
  });
});

test('drops entries that name nothing, and an unreadable payment blocks no other', async () => {
  const client = await someone();
  const keys = ledgerKeys(client);
  const broken = await on.pay(client, 'Erika');
  await on.keyspace.redis.hset(keys.payment(broken.id), 'f', '{');
  const { id } = await on.pay(client, 'Erika');
  await on.keyspace.redis.xadd(keys.work, '*', 'client', 'unknown', 'payment', id, 'step', '1');
  await on.keyspace.redis.xadd(keys.work, '*', 'client', client.id, 'payment', 'PAY9999999999999', 'step', '1');
  await on.work();
  expect((await on.read(client, id)).status).toBe('PAID');
  expect(await on.keyspace.redis.xlen(keys.work)).toBe(0);
  const dueAt = await on.keyspace.redis.zscore(keys.due, `work:${client.id}:${broken.id}.1`);
  expect(Number(dueAt)).toEqual(about(on.clock.now + 60_000));
});

/** Payments, as an operator sees and decides them on a running store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MANUAL_COMPLIANCE, MANUAL_PAYOUT, type PaymentPorts } from '../../../engine/service/payments/payment-ports.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { AUDIT } from '../../support/keyspace.js';
import { ratewireOn } from '../../support/ratewire.js';
import { type PaymentRig, startPayments } from '../service/payment-rig.js';

const MANUAL: PaymentPorts = { compliance: MANUAL_COMPLIANCE, payout: MANUAL_PAYOUT };

let on: PaymentRig;
let acme: Client;
beforeAll(async () => {
  on = await startPayments();
  acme = await on.client('acme', { EUR: '1000.00' });
  await on.client('beta', { EUR: '10.00' });
});
afterAll(() => on.stop());

const ratewire = (...args: string[]) => ratewireOn(on.testStore.dataDir).run('payments', ...args);
const json = (...args: string[]) =>
  ratewireOn(on.testStore.dataDir).json<ReturnType<typeof JSON.parse>>('payments', ...args);
async function verified(name = 'Erika'): Promise<string> {
  on.clock.now += 1_000;
  const { id } = await on.pay(acme, name);
  await on.work(MANUAL);
  return id;
}

test('from compliance to the bank and back, with everything there is to know', async () => {
  const id = await verified();
  const approved = await json('approve', id, '--reason', 'known well');
  expect(approved).toMatchObject({
    payment_id: id,
    client: 'acme',
    status: 'COMPLIANCE_APPROVED',
    sub_status: '',
    amount: '50.00',
    currency: 'EUR',
    asked_for: '50.00 EUR',
    country: 'DE',
    method: 'BANK',
    delivered: '50.00',
    fee: '0.00',
    fee_payer: 'OUR',
    beneficiary: 'Erika',
    attempts: 0,
    conversions: [],
  });
  await on.work(MANUAL);
  expect(await json('paid', id, '--reference', 'NEFT 118')).toMatchObject({
    status: 'PAID',
    bank_reference: 'NEFT 118',
  });
  const returned = await json('return', id, '--reason', 'account closed');
  expect(returned).toMatchObject({ status: 'RETURNED', description: 'account closed' });
  const { history, archived_steps: archived, ...shown } = await json('show', id);
  expect(shown).toEqual(returned);
  expect(archived).toBe(0);
  expect(history.map(({ to, by, reason }: Record<string, string>) => [to, by, reason])).toEqual([
    ['IN_PROCESS', 'client', ''],
    ['COMPLIANCE_VERIFICATION', 'compliance', ''],
    ['COMPLIANCE_APPROVED', 'operator', 'known well'],
    ['PG_PROCESSING', 'service', ''],
    ['PAID', 'operator', ''],
    ['RETURNED', 'operator', 'account closed'],
  ]);
  const moves = history.map((step: { moves: { from: string; to: string; amount: string }[] }) =>
    step.moves.map(({ from, to, amount }) => `${from} ${to} ${amount}`),
  );
  const account = shown.account_number;
  expect([moves[0], moves[4], moves[5]]).toEqual([
    [`${account} transit 50.00`],
    ['transit nostro 50.00'],
    [`nostro ${account} 50.00`],
  ]);
  const { out } = await ratewire('show', id);
  for (const word of ['RETURNED', 'account closed', 'NEFT 118', 'COMPLIANCE_VERIFICATION', 'known well'])
    expect(out).toContain(word);
});

test('rejected, asked, cancelled, sent again', async () => {
  expect(await json('reject', await verified(), '--reason', 'on a list')).toMatchObject({
    status: 'COMPLIANCE_REJECTED',
  });
  const asked = await verified();
  expect(await json('request-information', asked, '--what', 'invoice number')).toMatchObject({
    status: 'INFO_REQUESTED',
    description: 'invoice number',
  });
  await on.as(acme, 'answerInformation', { paymentId: asked, information: 'Number 4711' });
  expect((await json('show', asked)).history.at(-1)).toMatchObject({ by: 'client', reason: 'Number 4711' });
  const failed = await on.pay(acme, 'ERROR ALWAYS');
  for (let s = 0; s < 8; s++) await on.later(1_000);
  expect(await json('retry', failed.id)).toMatchObject({ status: 'COMPLIANCE_APPROVED', attempts: 3 });
  expect(await json('cancel', failed.id, '--reason', 'given up')).toMatchObject({ status: 'CANCELLED' });
  expect(await on.differences()).toEqual([]);
});

test('lists: of all, of a client, of a status, the newest first', async () => {
  on.clock.now += 1_000;
  const beta = (await on.services.store.clients.get('beta'))!;
  const waits = await on.pay(beta, 'Erika', { amount: { kind: 'destination', minor: 5_000n } });
  const newest = await verified();
  const all = await json('list');
  expect(all.slice(0, 2).map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual([newest, waits.id]);
  expect(await json('list', '--limit', '1')).toHaveLength(1);
  expect(await json('list', '--client', 'beta')).toMatchObject([{ payment_id: waits.id, client: 'beta', amount: '' }]);
  expect(await json('list', '--status', 'AWAITING_FUNDS')).toMatchObject([{ payment_id: waits.id }]);
  expect(await json('list', '--client', 'beta', '--status', 'PAID')).toEqual([]);
  expect((await ratewire('list', '--client', 'beta')).out).toContain(waits.id);
});

describe('what cannot be done', () => {
  test.each<[args: (id: string) => string[], code: number, said: RegExp]>([
    [(id) => ['paid', id, '--reference', 'x'], 1, /WRONG_STATE.*COMPLIANCE_VERIFICATION/],
    [(id) => ['retry', id], 1, /WRONG_STATE/],
    [() => ['approve', 'PAY0000000000000'], 1, /NOT_FOUND.*ratewire payments list/],
    [() => ['show', 'nothing'], 1, /NOT_FOUND/],
    [(id) => ['reject', id], 2, /--reason/],
    [(id) => ['paid', id], 2, /--reference/],
    [(id) => ['reject', id, '--reason', 'a\nb'], 1, /VALIDATION_FAILED|characters/],
    [() => ['list', '--client', 'unknown'], 1, /UNKNOWN_CLIENT/],
    [() => ['list', '--status', 'LOST'], 2, /AWAITING_FUNDS/],
  ])('%#', async (args, code, said) => {
    const id = await verified();
    const before = await on.keyspace.read(AUDIT);
    const answer = await ratewire(...args(id));
    expect([answer.code, answer.out]).toEqual([code, '']);
    expect(answer.err).toMatch(said);
    expect(await on.keyspace.read(AUDIT)).toEqual(before);
  });

  test('help teaches what waits for whom', async () => {
    const { out } = await ratewire('--help');
    for (const word of [
      'COMPLIANCE_VERIFICATION',
      'request-information',
      'WRONG_STATE',
      'Examples:',
      'COMPLIANCE=manual',
    ])
      expect(out).toContain(word);
  });
});

/** Each step of a payment moves its money once, is an allowed transition, and schedules the next step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../engine/domain/payments/payment-status.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { about } from '../../support/store.js';
import { along, created, move } from './payment-steps.js';

let on: LedgerSteps;
let clients = 0;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const someone = () => on.client(`client-${++clients}`);
const HELD = 10_000n;

/** The steps to each status from IN_PROCESS. */
const WAYS: Readonly<Partial<Record<PaymentStatus, readonly PaymentStatus[]>>> = {
  IN_PROCESS: [],
  COMPLIANCE_VERIFICATION: ['COMPLIANCE_VERIFICATION'],
  COMPLIANCE_REJECTED: ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_REJECTED'],
  INFO_REQUESTED: ['COMPLIANCE_VERIFICATION', 'INFO_REQUESTED'],
  COMPLIANCE_APPROVED: ['COMPLIANCE_APPROVED'],
  PG_PROCESSING: ['COMPLIANCE_APPROVED', 'PG_PROCESSING'],
  PAID: ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'PAID'],
  ERROR: ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'ERROR'],
};

async function standing(status: PaymentStatus): Promise<{ client: ClientSteps; eur: string; payment: Payment }> {
  const client = await someone();
  const eur = await client.open('EUR', HELD);
  const payment = await created(on.store, client);
  return { client, eur, payment: await along(on.store, client, payment, ...WAYS[status]!) };
}

/** Account, transit, fees and the outside world, in hundredths. */
async function money({ client, eur }: { client: ClientSteps; eur: string }): Promise<readonly number[]> {
  const found = await client.balances();
  return [eur, 'transit', 'house:fees', 'nostro'].map((name) => Number(found[`EUR/${name}`] ?? 0));
}
const ON_ITS_WAY = [4_900, 5_000, 100, -10_000];
const ALL_BACK = [10_000, 0, 0, -10_000];
const DELIVERED_BACK = [9_900, 0, 100, -10_000];
const GONE = [4_900, 0, 100, -5_000];

describe('the moves of a step', () => {
  test.each<[PaymentStatus, PaymentStatus, readonly number[], string]>([
    ['IN_PROCESS', 'COMPLIANCE_VERIFICATION', ON_ITS_WAY, ''],
    ['IN_PROCESS', 'COMPLIANCE_APPROVED', ON_ITS_WAY, ''],
    ['IN_PROCESS', 'CANCELLED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['IN_PROCESS', 'USER_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_APPROVED', ON_ITS_WAY, ''],
    ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['COMPLIANCE_VERIFICATION', 'INFO_REQUESTED', ON_ITS_WAY, ''],
    ['COMPLIANCE_VERIFICATION', 'USER_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['INFO_REQUESTED', 'COMPLIANCE_VERIFICATION', ON_ITS_WAY, ''],
    ['INFO_REQUESTED', 'COMPLIANCE_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['INFO_REQUESTED', 'CANCELLED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['INFO_REQUESTED', 'USER_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['COMPLIANCE_APPROVED', 'PG_PROCESSING', ON_ITS_WAY, ''],
    ['COMPLIANCE_APPROVED', 'CANCELLED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['COMPLIANCE_APPROVED', 'USER_REJECTED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['PG_PROCESSING', 'PAID', GONE, 'EUR transit nostro 5000'],
    ['PG_PROCESSING', 'RETURNED', DELIVERED_BACK, 'EUR transit A 5000'],
    ['PG_PROCESSING', 'ERROR', ON_ITS_WAY, ''],
    ['ERROR', 'COMPLIANCE_APPROVED', ON_ITS_WAY, ''],
    ['ERROR', 'CANCELLED', ALL_BACK, 'EUR transit A 5000;EUR house:fees A 100'],
    ['PAID', 'RETURNED', DELIVERED_BACK, 'EUR nostro A 5000'],
  ])('%s to %s', async (from, to, after, moves) => {
    const { client, eur, payment } = await standing(from);
    const reason = 'why it is so';
    const moved = await move(on.store, client, payment, to, { reason, actor: 'operator', description: 'in words' });
    expect(moved).toMatchObject({ kind: 'moved', step: payment.step + 1 });
    expect(await money({ client, eur })).toEqual(after);
    const written = (await client.journal()).at(-1)!;
    expect(written).toEqual(['payment', payment.id, moves.replaceAll(' A ', ` ${eur} `)]);
    const history = await on.store.payments.history(client.of, payment.id);
    expect(history.at(-1)).toMatchObject({ from, to, actor: 'operator', reason, atMs: about(NOW) });
    expect(history).toHaveLength(payment.step + 1);
    const kept = await on.store.payments.read(client.of, payment.id);
    expect(kept).toMatchObject({
      status: to,
      description: 'in words',
      step: payment.step + 1,
      updatedAtMs: about(NOW),
    });
    // No other client's money: every currency sums to zero.
    expect((await money({ client, eur })).reduce((sum, one) => sum + one, 0)).toBe(0);
  });

  test('a payment awaiting funds has none to refund', async () => {
    const client = await someone();
    const eur = await client.open('EUR', HELD);
    for (const to of ['CANCELLED', 'USER_REJECTED'] as const) {
      const payment = await created(on.store, client, {}, { plan: undefined });
      expect(await move(on.store, client, payment, to)).toMatchObject({ kind: 'moved' });
      expect(await client.due(`expire:${client.of.id}:${payment.id}`)).toBeNull();
      expect(await on.store.payments.waiting(client.of)).toEqual([]);
    }
    expect(await money({ client, eur })).toEqual([10_000, 0, 0, -10_000]);
  });

  test('without a fee there is one move, and a return reaches even a closed account', async () => {
    const client = await someone();
    const eur = await client.open('EUR', HELD);
    const plan = { amount: '5000', total: '5000', transit: '5000', fees: '0', sells: [] };
    const payment = await created(on.store, client, {}, { plan });
    expect((await client.journal()).at(-1)?.[2]).toBe(`EUR ${eur} transit 5000`);
    await on.store.accounts.change(client.of, eur, { active: false });
    await along(on.store, client, payment, 'USER_REJECTED');
    expect((await client.journal()).at(-1)?.[2]).toBe(`EUR transit ${eur} 5000`);
  });
});

describe('a rejected step changes nothing', () => {
  test('a status that does not allow it', async () => {
    const { client, payment } = await standing('PG_PROCESSING');
    const before = await on.keyspace.read();
    const others = PAYMENT_STATUSES.filter((status) => status !== 'PG_PROCESSING');
    const refused = await move(on.store, client, payment, 'CANCELLED', { after: undefined, from: others });
    expect(refused).toEqual({ kind: 'status', status: 'PG_PROCESSING' });
    const unknown = { ...payment, id: 'PAY9999999999999' };
    expect(await move(on.store, client, unknown, 'PAID', { after: undefined })).toEqual({
      kind: 'status',
      status: undefined,
    });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('a step that was already executed', async () => {
    const { client, payment } = await standing('PG_PROCESSING');
    await move(on.store, client, payment, 'PAID', { bankReference: 'BANK-1' });
    const before = await on.keyspace.read();
    expect(await move(on.store, client, payment, 'PAID', { bankReference: 'BANK-2' })).toEqual({ kind: 'done' });
    expect(await move(on.store, client, payment, 'RETURNED')).toEqual({ kind: 'done' });
    expect(await on.keyspace.read()).toEqual(before);
    expect((await on.store.payments.read(client.of, payment.id))?.bankReference).toBe('BANK-1');
  });

  test.each<[PaymentStatus, PaymentStatus, string]>([
    ['IN_PROCESS', 'CANCELLED', 'an account without room'],
    ['PG_PROCESSING', 'RETURNED', 'an account without room'],
    ['PG_PROCESSING', 'PAID', 'nostro'],
    ['PAID', 'RETURNED', 'nostro'],
  ])('%s to %s without room in %s', async (from, to, where) => {
    const { client, eur, payment } = await standing(from);
    const [name, full] =
      where === 'nostro' ? ['EUR/nostro', `-${'9'.repeat(18)}`] : [`EUR/${eur}`, String(999_999_999_999_999 - 4_999)];
    await on.keyspace.redis.hset(client.keys.balances, name, full);
    const before = await on.keyspace.read();
    expect(await move(on.store, client, payment, to)).toEqual({ kind: 'limit' });
    expect(await on.keyspace.read()).toEqual(before);
  });
});

test('of twenty concurrent attempts one executes the step', async () => {
  const { client, eur, payment } = await standing('PG_PROCESSING');
  const other = await on.testStore.another();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      move(i % 2 ? on.store : other, client, payment, i % 4 < 2 ? 'PAID' : 'RETURNED'),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(19);
  const { status } = (await on.store.payments.read(client.of, payment.id))!;
  expect(await money({ client, eur })).toEqual(status === 'PAID' ? GONE : DELIVERED_BACK);
});

test('refunded money triggers the payments that wait for it', async () => {
  const { client, payment } = await standing('IN_PROCESS');
  const waits = await created(on.store, client, {}, { plan: undefined });
  await on.store.work.beginWake(client.of);
  const woken = async () =>
    (await on.keyspace.redis.xrange(client.keys.work, '-', '+')).filter(
      ([, fields]) => fields[1] === client.of.id && fields.includes('wake'),
    ).length;
  const before = await woken();
  await along(on.store, client, payment, 'USER_REJECTED');
  expect(await woken()).toBe(before + 1);
  await on.store.work.beginWake(client.of);
  // The first of the queue leaves it: those behind it may continue.
  const behind = await created(on.store, client, {}, { draws: ['EUR'] });
  expect(behind.status).toBe('AWAITING_FUNDS');
  await on.store.work.beginWake(client.of);
  await along(on.store, client, waits, 'CANCELLED');
  expect(await woken()).toBe(before + 3);
});

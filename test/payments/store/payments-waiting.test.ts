/** Payments awaiting funds are queued: no younger payment takes their money, and credited money triggers them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatePaymentStep } from '../../../engine/store/payments/payment-step.js';
import { type LedgerSteps, NOW, OFFERED, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { about } from '../../support/store.js';
import { along, created, PLAN, plannedSell } from './payment-steps.js';

let on: LedgerSteps;
let clients = 0;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const MAX_MINOR = 999_999_999_999_999n;
const someone = () => on.client(`client-${++clients}`);

const WAITS = { plan: undefined };

test('waits, moves nothing, is retried once, and fails after 30 days', async () => {
  const client = await someone();
  const eur = await client.open('EUR', 100n);
  const before = await client.balances();
  const payment = await created(on.store, client, {}, { ...WAITS, draws: ['own', 'agreement-EUR'] });
  expect(payment).toMatchObject({ status: 'AWAITING_FUNDS', account: eur, amount: '', toTransit: '', step: 1 });
  expect(await client.balances()).toEqual(before);
  expect(await on.store.payments.waiting(client.of)).toEqual([
    { paymentId: payment.id, draws: [eur, 'agreement-EUR'] },
  ]);
  const givenUp = `expire:${client.of.id}:${payment.id}`;
  expect(await client.due(givenUp)).toBe(String(NOW + 30 * 24 * 3_600_000));
  const work = await on.keyspace.redis.xrange(client.keys.work, '-', '+');
  expect(work.at(-1)?.[1]).toEqual(['client', client.of.id, 'wake', '1']);
  on.now = NOW + 40 * 24 * 3_600_000;
  const names = (await on.store.dueQueue.due(100)).map((due) => due.names);
  on.now = NOW;
  expect(names).toContainEqual({ kind: 'expire', clientId: client.of.id, id: payment.id });
});

test('no younger payment takes the money that it waits for, and others pass', async () => {
  const client = await someone();
  const [eur, usd] = [await client.open('EUR', 10_000n), await client.open('USD', 10_000n)];
  const large = await created(on.store, client, {}, { ...WAITS, draws: [eur] });
  // Its funds are complete, but an older payment may draw on the same account.
  const small = await created(on.store, client, {}, { draws: [eur] });
  expect(small.status).toBe('AWAITING_FUNDS');
  const both = await created(on.store, client, {}, { draws: [eur, usd] });
  expect(both.status).toBe('AWAITING_FUNDS');
  const inUsd = { currency: 'USD', country: 'US' };
  // USD is reserved by now, too: by the payment that may be paid from either.
  expect((await created(on.store, client, inUsd, { draws: [usd] })).status).toBe('AWAITING_FUNDS');
  const gbp = await client.open('GBP', 10_000n);
  const pounds = await created(on.store, client, { currency: 'GBP' }, { draws: [gbp] });
  expect(pounds).toMatchObject({ status: 'IN_PROCESS', account: gbp });
  const ids = (await on.store.payments.waiting(client.of)).map(({ paymentId }) => paymentId);
  expect(ids.slice(0, 3)).toEqual([large.id, small.id, both.id]);

  const fund = (payment: typeof large, plan: CreatePaymentStep['plan'] | null = PLAN) =>
    on.store.payments.fund(client.of, {
      now: NOW + 5,
      facts: payment,
      newAccount: eur,
      plan: plan ?? undefined,
      draws: [eur],
    });
  const unchanged = await on.keyspace.read();
  expect(await fund(small)).toEqual({ kind: 'blocked' });
  expect(await fund(large, null)).toEqual({ kind: 'short' });
  expect(await fund(large, { ...PLAN, total: '10001' })).toEqual({ kind: 'stale' });
  expect(await fund(large, { ...PLAN, sells: [plannedSell(usd, { buy: String(MAX_MINOR) })] })).toMatchObject({
    kind: 'refused',
    code: 'BALANCE_LIMIT',
  });
  expect(await fund(pounds)).toEqual({ kind: 'gone' });
  expect(await fund({ ...large, id: 'PAY9999999999999' })).toEqual({ kind: 'gone' });
  expect(await on.keyspace.read()).toEqual(unchanged);

  expect(await fund(large)).toEqual({ kind: 'paid' });
  expect(await fund(large)).toEqual({ kind: 'gone' });
  expect(await on.store.payments.read(client.of, large.id)).toMatchObject({
    status: 'IN_PROCESS',
    step: 2,
    amount: '5000',
    toTransit: '5000',
    updatedAtMs: about(NOW),
  });
  expect(await client.due(`expire:${client.of.id}:${large.id}`)).toBeNull();
  expect(
    (await on.store.payments.history(client.of, large.id)).map(({ from, to, actor }) => [from, to, actor]),
  ).toEqual([
    ['', 'AWAITING_FUNDS', 'client'],
    ['AWAITING_FUNDS', 'IN_PROCESS', 'service'],
  ]);
  expect(await fund(small, { ...PLAN, total: '4900', transit: '4800' })).toEqual({ kind: 'paid' });
  expect((await client.balances())[`EUR/${eur}`]).toBe('0');
});

test('a payment with an expired hold keeps waiting, and blocks no other', async () => {
  const client = await someone();
  const [eur, usd] = [await client.open('EUR', 10_000n), await client.open('USD')];
  const holdId = 'HLD0000000000011';
  const rate = client.hold(holdId, { sellCurrency: 'USD', buyCurrency: 'EUR' });
  await on.store.holds.lock(client.of, { hold: rate, ...OFFERED });
  const facts = { sourceAccount: usd, sourceCurrency: 'USD', holdId, holdExpiryMs: NOW + 30_000 };
  const held = await created(on.store, client, facts, { ...WAITS, draws: [usd, eur] });
  const behind = await created(on.store, client, {}, { draws: [eur] });
  expect(behind.status).toBe('AWAITING_FUNDS');
  const step = { facts: held, newAccount: eur, plan: undefined, draws: [usd, eur] };
  const fund = () => on.store.payments.fund(client.of, { ...step, now: NOW });
  expect(await fund()).toEqual({ kind: 'short' });
  on.now = NOW + 30_001;
  expect(await fund()).toEqual({ kind: 'hold-over' });
  expect(await on.store.payments.read(client.of, held.id)).toMatchObject({
    status: 'AWAITING_FUNDS',
    subStatus: 'HOLD_EXPIRED',
    step: 1,
  });
  expect(await on.store.payments.waiting(client.of)).toEqual([
    { paymentId: held.id, draws: [] },
    { paymentId: behind.id, draws: [eur] },
  ]);
  const paid = await on.store.payments.fund(client.of, {
    now: NOW,
    facts: behind,
    newAccount: eur,
    plan: PLAN,
    draws: [eur],
  });
  expect(paid).toEqual({ kind: 'paid' });
  // It keeps its place until it is cancelled.
  await along(on.store, client, (await on.store.payments.read(client.of, held.id))!, 'USER_REJECTED');
  expect(await on.store.payments.waiting(client.of)).toEqual([]);
});

test('credited money triggers one attempt, however often money arrives before it', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  await created(on.store, client, {}, WAITS);
  const woken = async () =>
    (await on.keyspace.redis.xrange(client.keys.work, '-', '+')).filter(
      ([, fields]) => fields[1] === client.of.id && fields.includes('wake'),
    ).length;
  expect(await woken()).toBe(1);
  await on.store.accounts.credit(client.of, 'first', eur, 10n);
  await on.store.accounts.credit(client.of, 'second', eur, 10n);
  expect(await woken()).toBe(1);
  await on.store.work.beginWake(client.of);
  await on.store.accounts.credit(client.of, 'third', eur, 10n);
  await on.store.accounts.credit(client.of, 'fourth', eur, 10n);
  expect(await woken()).toBe(2);
});

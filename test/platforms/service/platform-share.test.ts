/** What a platform adds to the margin of its sub-clients is posted to both ledgers in the step of the conversion, and taken back with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformPpmOf, platformShare } from '../../../engine/domain/platforms/platform-share.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { euros, type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let acme: Client;
beforeAll(async () => {
  on = await startPayments();
  acme = await on.client('acme', {});
  await on.services.store.clients.change('acme', { isPlatform: true });
});
afterAll(() => on.stop());

async function must(name: Parameters<PaymentRig['ask']>[0], input: object) {
  const answer = await on.ask(name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}

async function margins(rules: Readonly<Record<string, string>>) {
  for (const [scope, margin] of Object.entries(rules)) {
    const [clientId = '', pair = ''] = scope.split(' ');
    await must('setMargin', { clientId, pair, type: '*', margin });
  }
  await on.loadMargins();
}

let requests = 0;
const booking = (more: object = {}) => ({
  requestId: `r${++requests}`,
  description: 'x',
  sellCurrency: 'EUR',
  buyCurrency: 'USD',
  sellAmount: 1_000,
  ...more,
});

/** Sub-accounts of the platform's margin. */
async function shares(id: string): Promise<Record<string, string>> {
  const names = /^USD\/(platform:margin|house:margin|sub-clients:margin|earnings)$/;
  return Object.fromEntries(Object.entries(await on.balances(id)).filter(([name]) => names.test(name)));
}

test('adds its margin to that of the house, by the nearest rule, and shows each part', async () => {
  await on.client('acme~near', { EUR: '100000.00' });
  await on.open('acme~near', 'USD');
  await on.client('acme~far', { EUR: '100000.00' });
  await margins({ 'acme *': '0.4', 'acme~* *': '0.1', 'acme~near EUR/USD': '0.3', 'acme~near *': '0.2' });
  const ppm = (id: string, pair: string) => on.services.margins.find(id, pair, 'PREFUNDING');
  expect([ppm('acme', 'EUR/USD'), ppm('acme~near', 'EUR/USD'), ppm('acme~near', 'USD/JPY')]).toEqual([
    4000, 7000, 6000,
  ]);
  expect([ppm('acme~far', 'EUR/USD'), ppm('acme~far', 'USD/JPY')]).toEqual([5000, 5000]);
  expect(on.services.margins.bands('acme~near', 'EUR/USD', 'PREFUNDING')).toEqual([{ above: 0, marginPpm: 7000 }]);

  const booked = await on.book('acme~near', booking());
  expect(booked.marginPpm).toBe(7000);
  expect(platformPpmOf(booked.proof)).toBe(3000);
  // 1.08158 x 0.993 = 1.0740089: 1,074.00 of 1,081.58 at the provider's price.
  expect([booked.buy, booked.margin]).toEqual(['107400', '758']);
  expect(platformShare(booked)).toBe('324');
  expect(await must('explainPrice', { id: booked.id })).toMatchObject({ agrees: true });
  const explained = await must('explainMargin', { clientId: 'acme~near', pair: 'EUR/USD' });
  expect(explained).toMatchObject({ marginPpm: 7000, platformPpm: 3000 });
});

test('posts the share in both ledgers, each in balance, and pays it out to the default account', async () => {
  const before = await shares('acme');
  expect(before).toEqual({ 'USD/sub-clients:margin': '-324', 'USD/earnings': '324' });
  expect(await shares('acme~near')).toEqual({ 'USD/platform:margin': '324', 'USD/house:margin': '434' });
  expect(await on.journal('acme')).toEqual([['share-fx', 'USD sub-clients:margin earnings 324']]);

  const account = await on.open('acme', 'USD');
  const booked = await on.book('acme~near', booking());
  expect((await on.journal('acme')).at(-1)).toEqual([
    'share-fx',
    `USD sub-clients:margin earnings 324;USD earnings ${account.number} 648`,
  ]);
  expect(await shares('acme')).toEqual({ 'USD/sub-clients:margin': '-648', 'USD/earnings': '0' });
  const statement = await on.as(acme, 'listAccountEntries', { accountNumber: account.number });
  expect(statement).toMatchObject({
    items: [{ type: 'platform-share', reference: booked.id, amount: 648n, balance: 648n }],
  });
  expect(await on.differences()).toEqual([]);
});

test('a bust and a correction take it back, from what is earned next', async () => {
  const booked = await on.book('acme~near', booking());
  await must('bustBooking', { clientId: 'acme~near', confirmationId: booked.id, reason: 'a test' });
  expect(await shares('acme')).toMatchObject({ 'USD/sub-clients:margin': '-648', 'USD/earnings': '-324' });
  const next = await on.book('acme~near', booking({ sellAmount: 3_000 }));
  expect(platformShare(next)).toBe('973');
  expect(await shares('acme')).toMatchObject({ 'USD/sub-clients:margin': '-1621', 'USD/earnings': '0' });
  await must('correctBooking', { clientId: 'acme~near', confirmationId: next.id, amount: '1000', reason: 'a test' });
  expect(await shares('acme')).toMatchObject({ 'USD/sub-clients:margin': '-972', 'USD/earnings': '-649' });
  expect(await shares('acme~near')).toMatchObject({ 'USD/platform:margin': '972' });
  expect(await on.differences()).toEqual([]);
});

test('a scheduled conversion posts it when it settles', async () => {
  for (const clientId of ['acme', 'acme~near']) await must('setScheduledLimit', { clientId, limit: '1000000' });
  const booked = await on.book('acme~near', booking({ type: 'SCHEDULED1' }));
  expect(booked.status).toBe('OPEN');
  expect(await shares('acme')).toMatchObject({ 'USD/sub-clients:margin': '-972' });
  await on.later(5 * 24 * 3_600_000);
  expect(await shares('acme')).toMatchObject({ 'USD/sub-clients:margin': '-1296', 'USD/earnings': '-325' });
  expect(await on.differences()).toEqual([]);
});

test('each part of a split conversion posts its own share, and a cancelled one that of its reversal', async () => {
  const near = (await on.services.store.clients.get('acme~near'))!;
  const as = async (name: Parameters<PaymentRig['as']>[1], input: object) => {
    const answer = await on.as(near, name, input);
    if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
    return answer as unknown as { quoteId: string; children: readonly { id: string }[] };
  };
  const { id: confirmationId } = await on.book('acme~near', booking({ type: 'SCHEDULED1', sellAmount: 2_000 }));
  const before = BigInt((await shares('acme'))['USD/sub-clients:margin']!);
  const { quoteId } = await as('quoteSplit', { confirmationId, sellAmounts: [500, 1_500] });
  await as('splitConversion', { confirmationId, quoteId, requestId: 'split-1' });
  const cancelled = await on.book('acme~near', booking({ type: 'SCHEDULED1' }));
  const quoted = await as('quoteCancellation', { confirmationId: cancelled.id });
  await as('cancelConversion', { confirmationId: cancelled.id, quoteId: quoted.quoteId, requestId: 'cancel-1' });
  await on.later(5 * 24 * 3_600_000);
  const after = BigInt((await shares('acme'))['USD/sub-clients:margin']!);
  // 3/7 of the margins of 500 and of 1,500, each rounded down.
  expect(before - after).toBeGreaterThan(640n);
  expect(before - after).toBeLessThanOrEqual(649n);
  expect(await on.differences()).toEqual([]);
});

test('a payment that converts posts it with the conversion, at a held rate too', async () => {
  const near = (await on.services.store.clients.get('acme~near'))!;
  const held = await on.hold('acme~near', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 500 });
  await on.book('acme~near', booking({ sellAmount: 500, holdId: held.id }));
  const [eur] = await on.services.store.accounts.list(near);
  await must('changeAccount', { accountNumber: eur!.number, autoBookFxSequence: 1 });
  await on.open('acme~near', 'GBP');
  const before = BigInt((await on.balances('acme'))['EUR/earnings'] ?? 0);
  const paid = await on.pay(near, 'Erika', { currency: 'USD', country: 'US', amount: euros(9_000_00n) });
  expect(paid.bookingIds).toHaveLength(1);
  const made = (await on.services.store.bookings.read(near, paid.bookingIds[0]!))!;
  // The bought amount was given: the margin is in the currency that is sold.
  const after = BigInt((await on.balances('acme'))['EUR/earnings'] ?? 0);
  expect(after - before).toBe(BigInt(platformShare(made)));
  expect(BigInt(platformShare(made))).toBeGreaterThan(0n);
  expect(await on.differences()).toEqual([]);
});

test('reconcile finds a share that one ledger lacks, and an entry that is no share', async () => {
  const { redis } = on.keyspace;
  const tag = `{s${String(acme.shard).padStart(2, '0')}}`;
  const balances = `${tag}:client:acme~near:balances`;
  await redis.hincrby(balances, 'USD/platform:margin', 1);
  await redis.hincrby(balances, 'USD/house:margin', -1);
  const found = await on.differences();
  expect(found).toContainEqual(
    expect.objectContaining({ client: 'acme', what: 'balance USD/sub-clients:margin, minor units' }),
  );
  expect(found).toContainEqual(expect.objectContaining({ client: 'acme~near', what: 'balance USD/platform:margin' }));
  await redis.hincrby(balances, 'USD/platform:margin', -1);
  await redis.hincrby(balances, 'USD/house:margin', 1);
  expect(await on.differences()).toEqual([]);
  const journal = `${tag}:client:acme:journal`;
  await redis.xadd(journal, '*', '1', 'share-fx|x|1|USD house:fx earnings 0||other~one|||||');
  expect(await on.differences()).toContainEqual(
    expect.objectContaining({ client: 'acme', found: 'other~one USD house:fx earnings 0' }),
  );
});

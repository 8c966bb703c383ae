/** What a client owes: margins and shares of a charge are earned as far as it is collected, and repayments serve the oldest first. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

const UNCHANGED = ['1.08158', '1.08164'] as const;

let on: PaymentRig;
let acme: Client;
let near: Client;
let count = 0;
beforeAll(async () => {
  on = await startPayments();
  // The house 0.25 %, the platform 10 %.
  await must('setMargin', { clientId: '*', pair: '*', type: '*', margin: '0.25' });
});
afterAll(() => on.stop());
/** A new platform and its sub-client, which has nothing. */
beforeEach(async () => {
  const id = `platform-${++count}`;
  acme = await on.client(id, {});
  await on.open(id, 'EUR');
  await on.services.store.clients.change(id, { isPlatform: true });
  near = await on.client(`${id}~near`, {});
  for (const currency of ['EUR', 'USD']) await on.open(near.id, currency);
  for (const one of [acme, near]) await must('setScheduledLimit', { clientId: one.id, limit: '1000000' });
  await must('setMargin', { clientId: `${id}~*`, pair: '*', type: '*', margin: '10' });
  await on.loadMargins();
  on.tick('EUR/USD', ...UNCHANGED);
});

async function must(name: Parameters<PaymentRig['ask']>[0], input: object) {
  const answer = await on.ask(name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
async function by<Name extends Parameters<PaymentRig['as']>[1]>(client: Client, name: Name, input: object) {
  const answer = await on.as(client, name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
let requests = 0;
const booking = (sellAmount: number, more: object = {}) => ({
  ...{ requestId: `b-${++requests}`, description: 'x', type: 'SCHEDULED2', sellCurrency: 'EUR', buyCurrency: 'USD' },
  ...{ sellAmount, ...more },
});
async function cancel(client: Client, confirmationId: string) {
  const { quoteId } = await by(client, 'quoteCancellation', { confirmationId });
  const command = { confirmationId, quoteId, requestId: `c-${++requests}` };
  return (await by(client, 'cancelConversion', command)).change;
}
const minor = async ({ id }: Client, name: string) => BigInt((await on.balances(id))[name] ?? '0');
const account = async (client: Client, currency: string) =>
  (await on.services.store.accounts.list(client)).find((one) => one.currency === currency && one.isDefault)!.number;
const text = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
/** A credit of an account repays first. */
const collect = async (amount: bigint, client = near, currency = 'EUR') =>
  must('creditAccount', {
    ...{ accountNumber: await account(client, currency), amount: text(amount), reference: `in-${++requests}` },
  });
const members = async () => on.keyspace.redis.zrange(ledgerKeys(near).receivables, '0', '-1');

test('a charge that nothing pays gives neither the house nor the platform anything', async () => {
  const { id } = await on.book(near.id, booking(900_000));
  const { reversal, receivable } = await cancel(near, id);
  expect([reversal!.kind, receivable]).toEqual(['charge', reversal!.amount]);
  expect(await minor(acme, `EUR/${await account(acme, 'EUR')}`)).toBe(0n);
  expect([await minor(near, 'EUR/house:margin'), await minor(near, 'EUR/platform:margin')]).toEqual([0n, 0n]);
  expect(await on.differences()).toEqual([]);
});

test('what is collected covers the difference to the market first, then the margin, last the share', async () => {
  const { id } = await on.book(near.id, booking(1_000));
  on.tick('EUR/USD', '1.2', '1.2001');
  const { reversal, receivable } = await cancel(near, id);
  const [charge, margin] = [BigInt(reversal!.amount), BigInt(reversal!.margin)];
  expect(receivable).toBe(String(charge));
  // 0.25 of 10.25 percent is the house's.
  const share = (margin * 100_000n) / 102_500n;
  const earned = async () => [await minor(near, 'EUR/house:margin'), await minor(near, 'EUR/platform:margin')] as const;
  const collected: [bigint, bigint, bigint][] = [
    [charge - margin, 0n, 0n],
    [1n, 1n, 0n],
    [margin - share - 1n, margin - share, 0n],
    [5n, margin - share, 5n],
    [share - 5n, margin - share, share],
  ];
  for (const [amount, house, platform] of collected) {
    await collect(amount);
    expect(await earned()).toEqual([house, platform]);
    expect(await minor(acme, `EUR/${await account(acme, 'EUR')}`)).toBe(platform);
    expect(await on.differences()).toEqual([]);
  }
  expect(await members()).toEqual([]);
});

test('a charge that is collected in part earns in part, and the oldest is repaid first', async () => {
  await must('creditAccount', { accountNumber: await account(near, 'EUR'), amount: '10.00', reference: 'some' });
  const [one, other] = [await on.book(near.id, booking(1_000)), await on.book(near.id, booking(1_000))];
  const first = await cancel(near, one.id);
  const second = await cancel(near, other.id);
  expect(first.receivable).toBe(String(BigInt(first.reversal!.amount) - 1_000n));
  expect(second.receivable).toBe(second.reversal!.amount);
  const before = await members();
  expect(before.map((text) => text.split('|')[2])).toEqual([one.id, other.id]);
  expect(await on.differences()).toEqual([]);
});

test('reconciliation names an altered or a missing receivable, and a share that was posted too early', async () => {
  const { id } = await on.book(near.id, booking(1_000));
  await cancel(near, id);
  const [member = ''] = await members();
  const { receivables } = ledgerKeys(near);
  const { redis } = on.keyspace;
  await redis.zrem(receivables, member);
  expect(await on.differences()).toMatchObject([{ what: expect.stringMatching(/^receivable EUR/) }, {}]);
  await redis.zadd(receivables, 0, member.replace(/\d+$/, '0'));
  expect(await on.differences()).toMatchObject([{ what: expect.stringMatching(/^receivable EUR/) }]);
  await redis.del(receivables);
  await redis.zadd(receivables, 0, member);
  expect(await on.differences()).toEqual([]);
});

/** The sub-client owes the charge of a cancellation, in euros. */
async function owe(amount = 1_000): Promise<bigint> {
  const { id } = await on.book(near.id, booking(amount));
  return BigInt((await cancel(near, id)).receivable!);
}
const codeOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'done');

test('a client that owes gets no scheduled conversion and no hold, in any currency, until it is repaid', async () => {
  const offered = (input: object) => by(near, 'getLockableRate', input);
  const usd = { sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 100 };
  const book = (more: object) => on.as(near, 'bookFxByCurrency', { ...booking(100), ...more });
  const lock = async () => on.as(near, 'lockRate', await offered(usd).then(({ rateSignature }) => ({ rateSignature })));
  const owed = await owe();
  const refused = await book({});
  expect(refused).toMatchObject({ refusal: 'CREDIT_LIMIT', text: expect.stringMatching(/^You owe an amount/) });
  expect([codeOf(await book(usd)), codeOf(await lock())]).toEqual(['CREDIT_LIMIT', 'CREDIT_LIMIT']);
  // At once, with money of another currency.
  await collect(20_000n, near, 'USD');
  expect(codeOf(await book({ ...usd, type: 'PREFUNDING' }))).toBe('done');
  await collect(owed);
  expect([codeOf(await book({})), codeOf(await lock())]).toEqual(['done', 'done']);
  expect(await on.differences()).toEqual([]);
});

test('a credit repays first, whatever it is for: statement and event say so', async () => {
  await on.services.store.events.enable(near);
  const owed = await owe();
  await collect(owed - 1_000n);
  const accountNumber = await account(near, 'EUR');
  const { items } = await by(near, 'listAccountEntries', { accountNumber });
  expect(items.slice(0, 2).map(({ type, amount, balance, receivable }) => [type, amount, balance, receivable])).toEqual(
    [
      ['repayment', -(owed - 1_000n), 0n, -(owed - 1_000n)],
      ['deposit', owed - 1_000n, owed - 1_000n, 0n],
    ],
  );
  // What a conversion buys.
  await collect(100_000n, near, 'USD');
  const usd = { sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 500, type: 'PREFUNDING' };
  const bought = BigInt((await on.book(near.id, booking(1, usd))).buy);
  expect(await minor(near, `EUR/${accountNumber}`)).toBe(bought - 1_000n);
  expect(await minor(near, 'EUR/receivable')).toBe(0n);
  const read = await on.services.store.events.read(near, { afterSequence: 0, limit: 100 });
  expect(
    read
      .filter(({ type }) => type === 'receivable.repaid')
      .map(({ resource, more }) => [resource, more.split('|').slice(0, 3)]),
  ).toEqual([
    [accountNumber, ['EUR', String(owed - 1_000n), '1000']],
    [accountNumber, ['EUR', '1000', '0']],
  ]);
  expect(await on.differences()).toEqual([]);
});

test('a payout takes what exceeds the debt in its currency, and waits for the rest', async () => {
  const other = await on.open(near.id, 'EUR', '100.00');
  const owed = await owe(100);
  expect(owed).toBeGreaterThan(0n);
  expect(await minor(near, `EUR/${other.number}`)).toBe(10_000n);
  const pays = (amount: bigint) => ({
    sourceAccount: other.number,
    amount: { kind: 'destination', minor: amount } as const,
  });
  const paid = await on.pay(near, 'Erika', pays(10_000n - owed));
  expect(paid.status).toBe('IN_PROCESS');
  const waits = await on.pay(near, 'Erika', pays(1n));
  expect(waits.status).toBe('AWAITING_FUNDS');
  const sold = {
    sellAccount: Number(other.number),
    buyAccount: Number(await account(near, 'USD')),
    sellAmount: 10,
    type: 'PREFUNDING',
  };
  const sells = await on.as(near, 'bookFxByAccount', { requestId: 's', description: 'x', ...sold });
  expect(sells).toMatchObject({ refusal: 'INSUFFICIENT_BALANCE' });
  await collect(owed);
  await on.work();
  expect((await on.read(near, waits.id)).status).not.toBe('AWAITING_FUNDS');
  expect(await on.differences()).toEqual([]);
});

test('a refund and a share repay too, and what a debtor earns is freed for its platform', async () => {
  // The platform itself owes.
  await on.open(acme.id, 'USD');
  const { id } = await on.book(acme.id, booking(500));
  const owed = BigInt((await cancel(acme, id)).receivable!);
  const sale = { sellCurrency: 'EUR', buyCurrency: 'USD', buyAmount: 100, sellAmount: undefined, type: 'PREFUNDING' };
  await collect(100_000n);
  await on.book(near.id, booking(1, sale));
  expect(-(await minor(acme, 'EUR/receivable'))).toBeLessThan(owed);
  expect(await on.differences()).toEqual([]);
});

test('a gain and the margins that no charge pays come at the later of the booked and the present value date', async () => {
  const { id, valueDate } = await on.book(near.id, booking(1_000));
  on.tick('EUR/USD', '0.7', '0.7001');
  const { reversal } = await cancel(near, id);
  const accountNumber = await account(near, 'EUR');
  const earned = async () => [
    await minor(near, `EUR/${accountNumber}`),
    await minor(near, 'EUR/house:margin'),
    await minor(near, 'EUR/platform:margin'),
  ];
  expect([reversal!.kind, await earned()]).toEqual(['credit', [0n, 0n, 0n]]);
  const { items } = await by(near, 'listAccountEntries', { accountNumber });
  expect(items.map(({ type, amount, paysOn }) => [type, amount, paysOn])).toEqual([['cancellation', 0n, valueDate]]);
  expect(await on.differences()).toEqual([]);
  await on.later(24 * 3_600_000);
  expect(await earned()).toEqual([0n, 0n, 0n]);
  await on.later(4 * 24 * 3_600_000);
  const [gain, margin] = [BigInt(reversal!.amount), BigInt(reversal!.margin)];
  const share = (margin * 100_000n) / 102_500n;
  expect(await earned()).toEqual([gain, margin - share, share]);
  expect(await minor(acme, `EUR/${await account(acme, 'EUR')}`)).toBe(share);
  expect(await on.differences()).toEqual([]);
});

test('with `worse` nothing is paid, and margin and share are posted at the value date', async () => {
  await must('changeClient', { id: near.id, cancel: 'worse' });
  await on.services.store.clients.get(near.id);
  const { id } = await on.book(near.id, booking(1_000));
  on.tick('EUR/USD', '0.7', '0.7001');
  const { reversal } = await cancel(near, id);
  expect([reversal!.amount, await minor(near, 'EUR/house:margin')]).toEqual(['0', 0n]);
  await on.later(5 * 24 * 3_600_000);
  const share = (BigInt(reversal!.margin) * 100_000n) / 102_500n;
  expect(await minor(near, 'EUR/platform:margin')).toBe(share);
  expect(await minor(near, `EUR/${await account(near, 'EUR')}`)).toBe(0n);
  expect(await on.differences()).toEqual([]);
});

test('of a small charge the market pays a part of the margins: at the value date', async () => {
  await collect(100_000n);
  const { id } = await on.book(near.id, booking(1_000));
  // A gain of some 100 before the margins of twice 10.25 percent.
  on.tick('EUR/USD', '0.9', '0.9001');
  const { reversal, receivable } = await cancel(near, id);
  const [charge, margin] = [BigInt(reversal!.amount), BigInt(reversal!.margin)];
  expect([reversal!.kind, receivable, charge < margin]).toEqual(['charge', '0', true]);
  const share = (margin * 100_000n) / 102_500n;
  expect(await minor(near, 'EUR/platform:margin')).toBe(charge - (margin - share));
  expect(await on.differences()).toEqual([]);
  await on.later(5 * 24 * 3_600_000);
  expect(await minor(near, 'EUR/platform:margin')).toBe(share);
  expect(await on.differences()).toEqual([]);
});

test('reconciliation names a gain that is altered, missing, or without its time', async () => {
  const { id } = await on.book(near.id, booking(1_000));
  on.tick('EUR/USD', '0.7', '0.7001');
  await cancel(near, id);
  const { gains, due } = ledgerKeys(near);
  const { redis } = on.keyspace;
  const [member = ''] = await redis.zrange(gains, '0', '-1');
  await redis.zrem(gains, member);
  await redis.zadd(gains, 0, member.replace(/\|(\d+)\|/, '|1$1|'));
  expect(await on.differences()).toMatchObject([{ what: expect.stringMatching(/^gain of /) }]);
  await redis.del(gains);
  expect(await on.differences()).toMatchObject([{ what: expect.stringMatching(/^gain of /) }]);
  await redis.zadd(gains, 0, member);
  await redis.zrem(due, `gain:${near.id}:${id}`);
  expect(await on.differences()).toMatchObject([{ what: expect.stringMatching(/^due list: gain of /) }]);
});

/** What a client owes: margins and shares of a charge are earned as far as it is collected, and repayments serve the oldest first. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../payments/payment-rig.js';

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
  await must('setScheduledLimit', { clientId: near.id, limit: '1000000' });
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
  (await on.services.store.accounts.list(client)).find((one) => one.currency === currency)!.number;
const repay = async (amount: bigint) =>
  must('repayReceivable', {
    ...{
      accountNumber: await account(near, 'EUR'),
      amount: `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`,
    },
    ...{ id: `repay-${++requests}`, reference: 'r', reason: 'x' },
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
  await must('creditAccount', { accountNumber: await account(near, 'EUR'), amount: '1000.00', reference: 'in' });
  const earned = async () => [await minor(near, 'EUR/house:margin'), await minor(near, 'EUR/platform:margin')] as const;
  const collected: [bigint, bigint, bigint][] = [
    [charge - margin, 0n, 0n],
    [1n, 1n, 0n],
    [margin - share - 1n, margin - share, 0n],
    [5n, margin - share, 5n],
    [share - 5n, margin - share, share],
  ];
  for (const [amount, house, platform] of collected) {
    await repay(amount);
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

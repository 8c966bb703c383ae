/** A store whose memory is full: what gives back, ends or stops is executed in the reserve, and each refusal says what is full. */
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { AnyOperationName } from '../../../engine/service/operations.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { assemble } from '../../../engine/store/connection/scripts.js';
import { storeReasons } from '../../../engine/wiring/store-reasons.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { type Filling, filling } from '../../support/full-store.js';
import { notOnCluster } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const isSkipped = notOnCluster('test/service/core/store-reserve.test.ts', 'it fills one server');
const test = anyTest.skipIf(isSkipped);

let on: PaymentRig;
let fill: Filling;
let client: Client;
let open: string[];
let paymentId: string;
let refundId: string;
let holdId: string;

beforeAll(async () => {
  if (isSkipped) return;
  on = await startPayments();
  client = await on.client('acme', { EUR: '1000.00', USD: '1000.00' });
  await on.ask('setScheduledLimit', { clientId: 'acme', limit: '1000000' });
  const asked = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10, description: 'x', type: 'SCHEDULED2' };
  open = [];
  for (const requestId of ['scheduled-one', 'scheduled-two'])
    open.push((await on.book('acme', { ...asked, requestId })).id);
  paymentId = (await on.pay(client, 'Erika MANUAL')).id;
  refundId = (await on.pay(client, 'Erika MANUAL')).id;
  await on.work();
  holdId = (await on.hold('acme', { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 50 })).id;
  fill = await filling(on.testStore.redisUrl, on.services.store);
  // More than its memory: what Redis itself refuses.
  await fill.to(1.05);
});
afterAll(async () => {
  await fill?.restore();
  await on?.stop();
});

const done = async (answer: Promise<object>) => {
  const found = await answer;
  if (isRefusal(found)) throw new Error(`${found.refusal}: ${found.text}`);
  return found;
};

test('what would grow is refused, and says that the memory is full', async () => {
  const command = {
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    sellAmount: 1,
    description: 'x',
    requestId: 'full-book-1',
  };
  expect(await on.as(client, 'bookFxByCurrency', command)).toMatchObject({ refusal: 'STORE_FULL', outcome: 'none' });
  const credit = { accountNumber: (await on.services.store.accounts.balances(client))[0]!.number, amount: '1.00' };
  expect(await on.ask('creditAccount', credit)).toMatchObject({
    refusal: 'STORE_FULL',
    outcome: 'none',
    text: expect.stringContaining('memory'),
  });
  await expect.poll(() => storeReasons(on.services.store), SOON).toEqual([expect.stringContaining('memory is full')]);
});

test.each<[what: string, name: AnyOperationName, input: () => object]>([
  ['a refund', 'cancelPaymentByOperator', () => ({ paymentId: refundId, text: 'x' })],
  [
    'a cancellation of a conversion by the operator',
    'cancelBooking',
    () => ({ clientId: 'acme', confirmationId: open[1], reason: 'x' }),
  ],
  ['the end of a hold', 'revokeHold', () => ({ clientId: 'acme', holdId })],
  ['a halt of a client', 'haltClient', () => ({ clientId: 'acme', reason: 'x' })],
  ['its end', 'resumeClient', () => ({ clientId: 'acme' })],
  ['a halt of all', 'haltHouse', () => ({ reason: 'x' })],
])('%s is executed', async (_what, name, input) => {
  await done(on.ask(name, input()));
});

test('a client without a token gets one, and a wrong secret is counted', async () => {
  const { tokens, failedAttempts } = on.services.store;
  const { token } = await tokens.issue('acme', 'CK_AAAAAAAAAAAAAAAAAAAAAAAA', ['trade']);
  expect(await tokens.read(token)).toMatchObject({ state: 'live' });
  const bounds = { kind: 'full', most: 1, windowMs: 60_000, closedMs: 60_000 };
  expect(await failedAttempts.count(bounds, '127.0.0.1', Date.now())).toBeGreaterThan(0);
});

test('a step that would grow does nothing at all, also where it begins with a removal', async () => {
  const { redis } = on.keyspace;
  const half = assemble('planted', "redis.call('DEL', record)\nredis.call('SET', record, 'new')\nreturn 1", {
    keys: ['record'],
  });
  const record = 'ballast';
  await expect(redis.eval(half.text, 1, record)).rejects.toThrow(/^OOM/);
  expect(await redis.exists(record)).toBe(1);
});

test('a client cancels a payment and a conversion, and all agree', async () => {
  await done(on.ask('resumeHouse', {}));
  await done(on.as(client, 'cancelPayment', { paymentId }));
  on.tick('EUR/USD', '1.08158', '1.08164');
  const quote = await done(on.as(client, 'quoteCancellation', { confirmationId: open[0] }));
  const { quoteId } = quote as { quoteId: string };
  const asked = { confirmationId: open[0], quoteId, requestId: 'full-cancel-1' };
  await done(on.as(client, 'cancelConversion', asked));
  expect(await on.differences()).toEqual([]);
});

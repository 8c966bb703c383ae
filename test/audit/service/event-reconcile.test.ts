/** Reconciliation finds an event that is missing, invented, doubled or altered, and none in what the steps have written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let client: Client;
let key: string;

beforeAll(async () => {
  on = await startPayments();
  client = await on.client('acme', { EUR: '1000.00', USD: '500.00' });
  key = ledgerKeys(client).events;
  await on.ask('setScheduledLimit', { clientId: 'acme', limit: '100000' });
  const book = (requestId: string, type: string) =>
    on.book('acme', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1, description: 'x', requestId, type });
  // Of before its events, as an entry of the journal alone.
  await book('before', 'PREFUNDING');
  on.clock.now += 1_000;
  await on.services.store.events.enable(client);
  const open = await book('one', 'SCHEDULED1');
  on.clock.now += 1_000;
  await on.pay(client, 'Anna');
  await on.pay(client, 'ERROR');
  // It waits, and is cancelled.
  const waiting = await on.pay(client, 'Bob', { amount: { kind: 'destination', minor: 900_000n } });
  await on.later(60_000);
  await on.as(client, 'cancelPayment', { paymentId: waiting.id });
  await on.ask('correctBooking', { confirmationId: open.id, amount: '2', reason: 'x' });
  await on.later(3_600_000);
  await on.later(5 * 86_400_000);
  on.clock.now += 1_000;
  await on.hold('acme', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 4 });
  await book('last', 'PREFUNDING');
});
afterAll(() => on?.stop());

const differences = async () =>
  (await on.differences()).map((one) => {
    const { what, expected, found } = one as Record<string, string>;
    return `${what}: ${expected}, not ${found}`;
  });

/** Rewrites the stream with other texts, by sequence; undefined leaves one out. */
async function altered(change: (texts: string[]) => (string | undefined)[], firstSequence = 1): Promise<string[]> {
  const { redis } = on.keyspace;
  const stored = await redis.xrange(key, '-', '+');
  const texts = stored.map(([, [, text = '']]) => text);
  await redis.del(key);
  let sequence = firstSequence;
  for (const text of change([...texts])) {
    if (text !== undefined) await redis.xadd(key, `1-${sequence}`, 'e', text);
    sequence++;
  }
  const found = await differences();
  await redis.del(key);
  for (const [at, text] of texts.entries()) await redis.xadd(key, `1-${at + 1}`, 'e', text);
  return found;
}

test('what the steps have written agrees', async () => {
  expect(await differences()).toEqual([]);
  const types = (await on.services.store.events.read(client, { afterSequence: 0, limit: 200 })).map(({ type }) => type);
  for (const type of [
    'payment.paid',
    'payment.error',
    'payment.awaiting_funds',
    'payment.cancelled',
    'conversion.settled',
    'conversion.changed',
  ])
    expect(types).toContain(type);
});

test('finds a gap, and an event that cannot be read', async () => {
  expect(await altered((texts) => texts.map((text, i) => (i === 4 ? undefined : text)))).toEqual([
    'events: sequence: 5, not 6',
  ]);
  expect(await altered((texts) => texts.map((text, i) => (i === 4 ? 'x' : text)))).toEqual([
    expect.stringMatching(/^events: /),
  ]);
});

test('finds a step without its event, also where the numbers have no gap', async () => {
  const paid = (texts: string[]) => texts.findIndex((text) => text.includes('|PAID|') && text.startsWith('payment|'));
  const found = await altered((texts) => texts.filter((_, i) => i !== paid(texts)));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^events of PAY\w+: .*payment.processing payment.paid, not .*payment.processing$/);
});

test('finds an event without its step, and one that is there twice', async () => {
  const settled = (texts: string[]) => texts.find((text) => text.startsWith('conversion.settled'))!;
  const twice = await altered((texts) => texts.flatMap((text) => (text === settled(texts) ? [text, text] : [text])));
  expect(twice).toEqual([expect.stringMatching(/^events of BFX\w+: .*settled, not .*settled conversion.settled$/)]);
  const other = await altered((texts) =>
    texts.flatMap((text) => (text === settled(texts) ? [text, text.replace(/BFX\w+/, 'BFX0000000000')] : [text])),
  );
  expect(other).toEqual(['events of BFX0000000000: none, not conversion.settled']);
});

test('compares what is left where the oldest events were dropped', async () => {
  expect(await altered((texts) => texts.slice(6), 7)).toEqual([]);
});

test('finds open deliveries that differ from their records, the cursor and the events', async () => {
  const { store } = on.services;
  const id = 'WHK1M84YSWE81BGXW4W1';
  const webhook = { id, name: '', url: 'https://example.com/', types: ['*'], signature: 'symmetric' } as const;
  await store.webhooks.create(client, { ...webhook, secret: 'x', publicKey: '' }, on.clock.now);
  const [first, second] = await store.events.read(client, { afterSequence: 0, limit: 2 });
  const planned = [first!, second!].map(({ sequence, type, resource }) => {
    return { sequence, type, resource, status: 'PENDING', tries: 0, attempts: [] } as const;
  });
  expect(await store.deliveries.replay(client, id, planned)).toMatchObject({ count: 2 });
  expect(await differences()).toEqual([]);
  const { redis } = on.keyspace;
  const keys = ledgerKeys(client);
  const [open, records] = [keys.openDeliveries(id), keys.deliveries(id)];
  await redis.zrem(open, `1|${first!.resource}`);
  await redis.zadd(open, 5, '77|PAY1');
  await redis.zremrangebyscore(records, 2, 2);
  await redis.zadd(records, 2, '2|PENDING|account.opened|X|0|');
  await redis.hset(keys.webhook(id), 'cursor', '1');
  expect((await differences()).toSorted()).toEqual([
    `endpoint ${id}: delivery 1: next attempt: a time, not none`,
    `endpoint ${id}: delivery 2: cursor: 2 or more, not 1`,
    `endpoint ${id}: delivery 2: event: ${second!.type} of ${second!.resource}, not account.opened of X`,
    `endpoint ${id}: delivery 77: PENDING, not none`,
  ]);
  await store.webhooks.remove(client, id);
  expect(await differences()).toEqual([]);
});

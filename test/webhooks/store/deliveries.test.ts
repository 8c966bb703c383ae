/** The steps of deliveries, each alone: when an endpoint is disabled, or due again, and which deliveries are kept. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventsDueKey } from '../../../engine/store/keys/redis-keys.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { confirmWebhook } from '../../support/confirm-webhook.js';

const ID = 'WHK01K4M2V7Q8Z3X5YAB';
const DAY_MS = 86_400_000;

let on: LedgerSteps;
let client: ClientSteps;
let clients = 0;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());
beforeEach(async () => {
  client = await on.client(`hook-${++clients}`);
  await on.store.events.enable(client.of);
  const secrets = { secret: 'sealed', publicKey: '', signature: 'symmetric' as const };
  const endpoint = { id: ID, name: '', url: 'https://example.com', types: ['*'], ...secrets };
  await on.store.webhooks.create(client.of, endpoint, NOW);
  await confirmWebhook(on.store, client.of, ID);
});

/** The events behind those that are planned already: the first is the creation of the endpoint. */
async function plan(to: number): Promise<void> {
  const webhook = (await on.store.webhooks.read(client.of, ID))!;
  const planned = Array.from({ length: to - webhook.cursor }, (_, i) => ({
    ...{ sequence: webhook.cursor + 1 + i, type: 'account.opened', resource: String(webhook.cursor + 1 + i) },
  }));
  expect(await on.store.deliveries.plan(client.of, webhook, to, 0, planned)).toBe(true);
}

async function attempt(sequence: number, outcome: 'ok' | 'failed'): Promise<string> {
  const [before] = await on.store.deliveries.read(client.of, ID, [sequence]);
  const after = { ...before!, status: outcome === 'ok' ? 'SUCCEEDED' : 'PENDING', tries: before!.tries + 1 } as const;
  const delayMs = outcome === 'ok' ? undefined : 1_000;
  return on.store.deliveries.endAttempt(client.of, ID, { before: before!, after }, outcome, delayMs);
}

/** So long has passed for what the endpoint's record says. */
async function pass(days: number): Promise<void> {
  const { redis } = on.keyspace;
  const key = client.keys.webhook(ID);
  const since = await redis.hget(key, 'failingSince');
  if (since) await redis.hset(key, 'failingSince', Number(since) - days * DAY_MS);
}

test('five days without a success disable an endpoint; a success begins them anew', async () => {
  await plan(3);
  const steps: readonly (readonly [daysLater: number, sequence: number, outcome: 'ok' | 'failed', is: string])[] = [
    [0, 2, 'failed', 'noted'],
    [4, 2, 'failed', 'noted'],
    [0.5, 3, 'ok', 'noted'],
    // The days without one begin with an attempt that fails.
    [6, 2, 'failed', 'noted'],
    [4.9, 2, 'failed', 'noted'],
    [0.1, 2, 'failed', 'disabled'],
  ];
  for (const [daysLater, sequence, outcome, is] of steps) {
    await pass(daysLater);
    expect([daysLater, await attempt(sequence, outcome)]).toEqual([daysLater, is]);
  }
  expect(await on.store.webhooks.read(client.of, ID)).toMatchObject({ inactive: 'FAILING' });
  // What was on its way when it was disabled disables it no second time.
  expect(await attempt(2, 'failed')).toBe('noted');
});

test('beyond 10,000 the oldest that have ended are dropped, and none that is open', async () => {
  await plan(4);
  await attempt(3, 'ok');
  await plan(10_003);
  const kept = await on.store.deliveries.read(client.of, ID, [2, 3, 4, 10_003]);
  expect(kept.map(({ sequence, status }) => `${sequence} ${status}`)).toEqual([
    '2 PENDING',
    '4 PENDING',
    '10003 PENDING',
  ]);
});

test('an endpoint that is made active again is due at once, without an event or the pass over all clients', async () => {
  const { redis } = on.keyspace;
  await on.store.webhooks.change(client.of, ID, { inactive: 'OPERATOR' }, NOW);
  await redis.zrem(eventsDueKey(client.of.shard), client.of.id);
  await on.store.webhooks.change(client.of, ID, { inactive: 'ACTIVE' }, NOW);
  expect(await redis.zscore(eventsDueKey(client.of.shard), client.of.id)).not.toBeNull();
});

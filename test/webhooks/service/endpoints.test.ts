/** Endpoints: a client's change at the same moment as the operator's, and as many open deliveries as a replay may make. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '../../../engine/domain/core/refusal.js';
import { REPLAY_BUDGET } from '../../../engine/domain/webhooks/webhook.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { REPLAY_OPEN_MAX } from '../../../engine/store/webhooks/webhooks.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';
import { confirmWebhook } from '../../support/confirm-webhook.js';
import { keyspaceReader } from '../../support/keyspace.js';

const WEBHOOK_ID = 'WHK01K4M2V7Q8Z3X5YAB';

let on: MoneyRig;
let client: Client;
beforeAll(async () => {
  on = await startMoney();
  const { clients, events, webhooks } = on.services.store;
  client = (await clients.create({ id: 'acme', name: 'acme', defaultType: 'PREFUNDING' }))!;
  await events.enable(client);
  const secrets = { secret: 'sealed', publicKey: '', signature: 'symmetric' as const };
  await webhooks.create(client, { id: WEBHOOK_ID, name: '', url: 'https://example.com', types: ['*'], ...secrets }, 1);
  await confirmWebhook(on.services.store, client, WEBHOOK_ID);
});
afterAll(() => on?.stop());

test.each([true, false])('active: %s does not undo what the operator has decided since it was read', async (active) => {
  const { store } = on.services;
  const setInactive = (inactive: 'OPERATOR') => store.webhooks.change(client, WEBHOOK_ID, { inactive }, 1);
  await store.webhooks.change(client, WEBHOOK_ID, { inactive: active ? 'PAUSED' : 'ACTIVE' }, 1);
  const read: typeof store.webhooks.read = async (of, id) => {
    const found = await store.webhooks.read(of, id);
    await setInactive('OPERATOR');
    return found;
  };
  const late = { ...on.services, store: { ...store, webhooks: { ...store.webhooks, read } } };
  const change = { webhookId: WEBHOOK_ID, active };
  expect(await perform(late, 'changeWebhook', on.caller('acme'), change)).toMatchObject({
    refusal: 'VERSION_CONFLICT',
  });
  expect(await store.webhooks.read(client, WEBHOOK_ID)).toMatchObject({ inactive: 'OPERATOR' });
});

test('a replay ends where as many deliveries are open as there may be, and says where', async () => {
  const { deliveries, webhooks } = on.services.store;
  await webhooks.change(client, WEBHOOK_ID, { inactive: 'ACTIVE' }, 1);
  for (let i = 0; i < 3; i++)
    await perform(on.services, 'openAccount', undefined, { clientId: 'acme', currency: 'EUR' });
  const webhook = (await webhooks.read(client, WEBHOOK_ID))!;
  const open = Array.from({ length: REPLAY_OPEN_MAX - 2 }, (_, i) => ({
    sequence: 10 + i,
    type: 'test',
    resource: 'x',
  }));
  expect(await deliveries.plan(client, webhook, 10, 0, open)).toBe(true);
  const replay = (fromSequence: number) =>
    perform(on.services, 'replayDeliveries', on.caller('acme'), { webhookId: WEBHOOK_ID, fromSequence });
  expect(await replay(1)).toEqual({ webhookId: WEBHOOK_ID, replayed: 2, lastSequence: 2, isComplete: false });
  expect(await replay(3)).toMatchObject({ replayed: 0, lastSequence: 2, isComplete: false });
  expect(await replay(1)).toMatchObject({ replayed: 0, lastSequence: 2, isComplete: false });
});

test('a client and its sub-clients replay so many deliveries in an hour, then RATE_LIMITED says when again', async () => {
  const { deliveries } = on.services.store;
  const keyspace = keyspaceReader(on.testStore.redisUrl);
  const { replays } = ledgerKeys(client);
  await keyspace.redis.set(replays, `${Date.now() + 3_600_000}|${REPLAY_BUDGET - 1}`);
  const delivered = async (sequence: number): Promise<void> => {
    const [before] = await deliveries.read(client, WEBHOOK_ID, [sequence]);
    const change = { before: before!, after: { ...before!, status: 'SUCCEEDED' } as const };
    expect(await deliveries.endAttempt(client, WEBHOOK_ID, change, 'ok', undefined)).toBe('noted');
  };
  for (const sequence of [1, 2]) await delivered(sequence);
  const replay = () =>
    perform(on.services, 'replayDeliveries', on.caller('acme'), { webhookId: WEBHOOK_ID, fromSequence: 1 });
  expect(await replay()).toMatchObject({ replayed: 1, lastSequence: 1, isComplete: false });
  expect(await keyspace.redis.get(replays)).toMatch(new RegExp(`\\|${REPLAY_BUDGET}$`));
  await delivered(1);
  const refused = (await replay()) as Refusal;
  expect([refused.refusal, (refused.retryAfterS ?? 0) > 3_000]).toEqual(['RATE_LIMITED', true]);
  keyspace.close();
});

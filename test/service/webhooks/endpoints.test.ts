/** A client's change of an endpoint at the same moment as the operator's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../engine/service/core/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { type MoneyRig, startMoney } from '../money-rig.js';

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
});
afterAll(() => on?.stop());

test.each([true, false])('active: %s does not undo what the operator has decided since it was read', async (active) => {
  const { store } = on.services;
  const setInactive = (inactive: '' | 'OPERATOR') => store.webhooks.change(client, WEBHOOK_ID, { inactive }, 1);
  await setInactive('');
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

/** A key sees of an event what it may read by the resource's own path; of others their type and sequence alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Right } from '../../../engine/domain/core/rights.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { keyspaceReader } from '../../support/keyspace.js';

let on: PaymentRig;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on?.stop());

test.each<[string, readonly Right[], readonly string[]]>([
  ['read', ['read'], ['account.opened']],
  ['pay too', ['read', 'pay'], ['account.opened', 'verification.completed']],
  ['manage too', ['read', 'manage'], ['account.opened', 'beneficiary.created', 'webhook.created']],
])('a key that may %s is shown the data of what it may read', async (name, rights, expected) => {
  const { store } = on.services;
  const id = name.replace(' ', '-');
  const client = await on.client(id, {});
  await store.events.enable(client);
  await perform(on.services, 'openAccount', undefined, { clientId: id, currency: 'EUR' });
  const beneficiary = { name: 'Erika', countryCode: 'DE', accountNumber: 'DE89370400440532013000' };
  const made = await on.as(client, 'createBeneficiary', { requestId: 'one', beneficiary });
  expect(made).toHaveProperty('beneficiary');
  const keyspace = keyspaceReader(on.testStore.redisUrl);
  await keyspace.redis.xadd(ledgerKeys(client).events, '1-*', 'e', 'verification.completed|X1|1|{"answer":"MATCH"}');
  keyspace.close();
  const endpoint = await on.as(client, 'createWebhook', { url: 'https://192.0.3.1/hook', types: ['*'] });
  expect(endpoint).toHaveProperty('webhook');
  const caller = { clientId: id, keyId: 'test', rights: new Set(rights) };
  const { events } = (await perform(on.services, 'listEvents', caller, {})) as OutputOf<'listEvents'>;
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  const shown = events.filter(({ resourceThen }) => resourceThen !== undefined);
  expect(shown.map(({ type }) => type).sort()).toEqual([...expected].sort());
  for (const event of events) {
    const one = (await perform(on.services, 'readEvent', caller, { eventId: event.id })) as OutputOf<'readEvent'>;
    expect(one.event).toEqual(event);
  }
});

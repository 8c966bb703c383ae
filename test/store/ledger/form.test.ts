/** A process opens no store of a form that it does not know, and gives an empty one its own. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let on: TestStore;
let redis: ReturnType<typeof redisAt>;
beforeEach(async () => {
  on = await startTestStore();
  redis = redisAt(on.redisUrl);
});
afterEach(async () => {
  redis.disconnect();
  await on.stop();
});

test('an empty store gets the form of this release, and opens again', async () => {
  expect(await redis.get('store:form')).toBe('1');
  await on.another();
  await redis.del('store:form');
  await on.another();
  expect(await redis.get('store:form')).toBe('1');
});

test.each(['2', '0', '3', 'migrating'])('a store of form %s is not opened, and not changed', async (form) => {
  await redis.set('store:form', form);
  const opened = on.another();
  await expect(opened).rejects.toBeInstanceOf(StoreStartError);
  await expect(opened).rejects.toThrow(
    `this store is of form ${form}, and this release reads form 1 alone: run the release that wrote it`,
  );
  expect(await redis.get('store:form')).toBe(form);
});

test('a store with clients and without a form is not opened', async () => {
  await on.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING', rights: ['read'] });
  await redis.del('store:form');
  await expect(on.another()).rejects.toThrow('this store is of form unknown');
});

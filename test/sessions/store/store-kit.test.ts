/** The store of FIX sessions in Redis keeps the contract of a session store. */
import type { SessionStoreFactory } from 'node-quickfix-ts';
import { type StoreHarness, type StoreProcess, storeCases } from 'node-quickfix-ts/store-kit';
import { afterAll, beforeAll, test } from 'vitest';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
beforeAll(async () => {
  running = await startTestStore();
});
afterAll(() => running.stop());

const factoryOf =
  (store: Store): SessionStoreFactory =>
  (id) =>
    store.fixSessions.store(id, 7);

/** An engine: its claims end with its lease. */
async function engine(): Promise<StoreProcess> {
  const store = await running.another();
  const lapse = async (): Promise<void> => {
    const redis = redisAt(running.redisUrl);
    await redis.del(`lease:engine-${store.engineId}`);
    redis.disconnect();
  };
  return { store: factoryOf(store), stop: () => store.fixSessions.close(), kill: lapse, lapse };
}

const harness: StoreHarness = {
  capabilities: ['restart', 'crash', 'exclusive', 'takeOver'],
  start: engine,
};
for (const { name, run } of storeCases(harness)) test(name, run);

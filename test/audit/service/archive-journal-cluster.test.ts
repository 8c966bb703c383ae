/**
 * The journal archived on a Redis Cluster: clients of many shards, concurrent bookings, and every step within one slot.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyArchive } from '../../../engine/service/audit/verify-archive.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { openStore, type Store } from '../../../engine/store/store.js';
import { type LedgerRig, startLedgerRig } from '../../service/ledger-rig.js';
import { NO_REDIS_SERVER, type RedisCluster, redisServer, startRedisCluster } from '../../support/redis-cluster.js';
import { PATIENT, SILENT } from '../../support/store.js';

const isMissing = redisServer() === undefined;
if (isMissing) console.log(`the archive on a cluster ${NO_REDIS_SERVER}`);

const directory = mkdtempSync(join(tmpdir(), 'ratewire-cluster-archive-'));
let cluster: RedisCluster;
let rig: LedgerRig;
let store: Store;
let services: Services;
beforeAll(async () => {
  if (isMissing) return;
  cluster = await startRedisCluster();
  rig = await startLedgerRig(Date.parse('2028-06-26T10:00:00.000Z'));
  store = await openStore({
    redisUrl: cluster.redisUrl,
    dataDir: directory,
    log: SILENT,
    own: 'start-if-absent',
    ...PATIENT,
  });
  services = { ...rig.services, store };
});
afterAll(async () => {
  await store?.close();
  await rig?.stop();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function ask<Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const answer = await perform(services, name, undefined, input);
  if ('refusal' in answer) throw new Error(`${answer.refusal}: ${answer.text}`);
  return answer as OutputOf<Name>;
}

test.skipIf(isMissing)('archives clients of many shards while money is credited', async () => {
  const archive = join(directory, 'archive');
  const ids = Array.from({ length: 9 }, (_, i) => `client-${i}`);
  const numbers: string[] = [];
  for (const id of ids) {
    await ask('createClient', { id, name: id });
    numbers.push((await ask('openAccount', { clientId: id, currency: 'EUR' })).number);
  }
  const credit = () =>
    Promise.all(numbers.map((accountNumber) => ask('creditAccount', { accountNumber, amount: '1.00' })));
  for (let i = 0; i < 20; i++) await credit();
  const shards = new Set<number>();
  for (const id of ids) shards.add((await store.clients.get(id))!.shard);
  expect(shards.size).toBeGreaterThan(3);

  let archiving = true;
  const more = (async () => {
    while (archiving) await credit();
  })();
  const beforeMs = Date.now() + 1;
  for (const clientId of ids) {
    const { entries } = await ask('archiveJournal', { clientId, beforeMs, directory: archive, insist: true });
    expect(entries).toBeGreaterThanOrEqual(20);
  }
  archiving = false;
  await more;
  expect((await ask('reconcile', { directory: archive })).differences).toEqual([]);
  expect((await ask('reconcile', {})).differences).toEqual([]);
  expect((await verifyArchive(archive, store.subKey('archive'))).broken).toEqual([]);
});

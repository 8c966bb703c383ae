/** Batches, their reserves, queues and items compared: every alteration is named. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type BatchRig, item, startBatches } from '../../batches/service/batch-rig.js';

let on: BatchRig;
let acme: Client;
let keys: LedgerKeys;
let account: string;
/** One that is done, one that is being processed, one without money. */
let done: string;
let going: string;
let open: string;

beforeAll(async () => {
  on = await startBatches();
  acme = await on.client('acme', { EUR: '1000.00' });
  keys = ledgerKeys(acme);
  account = (await on.services.store.accounts.balances(acme))[0]!.number;
  done = (await on.funded(acme, account, [item('a', 10), item('b', 20)])).id;
  await on.work();
  going = (await on.funded(acme, account, [item('a', 10), item('b', 20), item('c', 30)])).id;
  open = (await on.batch(acme, account)).id;
  await on.add(acme, open, [item('a', 10)]);
  expect(await on.differences()).toEqual([]);
});
afterAll(() => on.stop());

const redis = () => on.keyspace.redis;
const field = (id: () => string, name: string, from: RegExp, to: string) => async () => {
  const key = keys.batch(id());
  const text = (await redis().hget(key, name))!;
  expect(text).toMatch(from);
  await redis().hset(key, name, text.replace(from, to));
  return () => redis().hset(key, name, text);
};
const lost = (id: () => string, name: string) => async () => {
  const key = keys.batch(id());
  const text = (await redis().hget(key, name))!;
  await redis().hdel(key, name);
  return () => redis().hset(key, name, text);
};

test.each([
  [
    'a changed total of a batch that is being processed',
    field(() => going, 's', /\|6000\|/, '|6001|'),
    ['batch GOING: total, minor units: 6000 | 6001'],
  ],
  [
    'a changed total of one that is done',
    field(() => done, 's', /\|3000\|/, '|2999|'),
    ['batch DONE: total, minor units: 3000 | 2999'],
  ],
  [
    'a changed status',
    field(() => going, 's', /^PROCESSING/, 'CLOSED'),
    ['batch GOING: queue: none | a b c', 'batch GOING: reserve, minor units: 0 | 6000'],
  ],
  ['a lost item', lost(() => going, 'i:b'), ['batch GOING: items: 3 | 2', 'batch GOING: queue: a c | a b c']],
  ['a lost item of one without money', lost(() => open, 'i:a'), ['batch OPEN: items: 1 | 0']],
  [
    'an item that is drawn a second time by its record',
    field(() => done, 'i:b', /D\|PAY\w+/, 'P|x'),
    ['batch DONE: items drawn and refused: 1 0 | 2 0', 'batch DONE: queue: b | none'],
  ],
  [
    'an item whose payment there is not',
    field(() => done, 'i:b', /D\|PAY\w+/, 'D|PAY01K4M2V7Q8Z3X5YAB'),
    ['batch DONE: payment PAY01K4M2V7Q8Z3X5YAB: a payment | none'],
  ],
  [
    'an item that has left the queue',
    async () => {
      const queue = keys.batchQueue(going);
      const [, second] = await redis().zrange(queue, '0', '-1');
      await redis().zrem(queue, second!);
      return () => redis().zadd(queue, 0, second!);
    },
    [
      'batch GOING: queue: a b c | a c',
      'batch GOING: reserve, minor units: 4000 | 6000',
      'batch GOING: total, minor units: 4000 | 6000',
    ],
  ],
  [
    'a reserve that is not what its items need, taken from the account',
    async () => {
      const move = async (minor: number) => {
        await redis().hincrby(keys.balances, `EUR/batch:${going}`, -minor);
        await redis().hincrby(keys.balances, `EUR/${account}`, minor);
      };
      await move(100);
      return () => move(-100);
    },
    [
      'balance EUR/ACCOUNT: 910.00 | 911.00',
      'balance EUR/batch:GOING: 60.00 | 59.00',
      'batch GOING: reserve, minor units: 6000 | 5900',
    ],
  ],
  [
    'a reserve of a batch that there is not',
    async () => {
      await redis().hset(keys.balances, 'EUR/batch:BAT01K4M2V7Q8Z3X5YAB', '0');
      return () => redis().hdel(keys.balances, 'EUR/batch:BAT01K4M2V7Q8Z3X5YAB');
    },
    ['batch BAT01K4M2V7Q8Z3X5YAB: a batch | none'],
  ],
  ['a lost record', lost(() => done, 'f'), ['batch DONE: a batch | none']],
] as const)('names %s', async (_what, alter, expected) => {
  const restore = await alter();
  const names = new Map([
    [done, 'DONE'],
    [going, 'GOING'],
    [open, 'OPEN'],
    [account, 'ACCOUNT'],
  ]);
  const found = ((await on.differences()) as { what: string; expected: string; found: string }[]).map(
    ({ what, expected: due, found: is }) => `${what}: ${due} | ${is}`,
  );
  const shown = found.map((line) => [...names].reduce((text, [id, name]) => text.replaceAll(id, name), line)).sort();
  await restore();
  expect(shown).toEqual(expected);
});

test('counts open batches, and names how long one in process has drawn no item', async () => {
  const { updatedAtMs } = (await on.services.store.batches.read(acme, going))!;
  await on.services.store.clients.setDisabled(acme.id, true);
  on.clock.now += 400_000;
  const watch = new LedgerWatch(on.services);
  await watch.round({ page: 100, pause: async () => {} });
  expect(watch.seen).toMatchObject({ differences: 0, openBatches: 2, batchIdleSinceMs: updatedAtMs });
});

test('names a batch that no worker will draw', async () => {
  const { store } = on.services;
  for (const entry of await store.work.take(acme.shard, 'lost', 100)) await store.work.done(entry);
  const found = (await on.differences()) as { what: string }[];
  expect(found.map(({ what }) => what)).toEqual([`batch ${going}: next step`]);
});

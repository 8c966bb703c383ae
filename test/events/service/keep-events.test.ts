/** How long events are kept: by age and by number, and how many have been dropped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { keepEvents } from '../../../engine/service/events/index.js';
import { perform } from '../../../engine/service/perform.js';
import { eventsMaxKey, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

const DAY_MS = 86_400_000;
const nextTurn = () => new Promise(setImmediate);

let on: MoneyRig;
beforeAll(async () => {
  on = await startMoney();
});
afterAll(() => on?.stop());

test('drops what is older than the days and what is beyond the count, and counts it', async () => {
  const { store } = on.services;
  const [acme] = [await store.clients.create({ id: 'acme', name: 'acme', defaultType: 'PREFUNDING' })];
  await store.clients.create({ id: 'quiet', name: 'quiet', defaultType: 'PREFUNDING' });
  expect(await keepEvents(on.services, { days: 30, most: 100_000 }, nextTurn)).toEqual({ clients: 0, dropped: 0 });
  await store.events.enable(acme!);
  for (let opened = 0; opened < 5; opened++) await on.open('acme', 'EUR');
  on.clock.now += 20 * DAY_MS;
  for (let opened = 0; opened < 5; opened++) await on.open('acme', 'EUR');
  const kept = (days: number, most: number) => keepEvents(on.services, { days, most }, nextTurn);
  const range = () => store.events.range(acme!);
  expect(await kept(30, 100_000)).toEqual({ clients: 1, dropped: 0 });
  on.clock.now += 11 * DAY_MS;
  expect(await kept(30, 100_000)).toEqual({ clients: 1, dropped: 5 });
  expect(await range()).toEqual({ oldest: 6, newest: 10 });
  expect(await kept(30, 2)).toEqual({ clients: 1, dropped: 8 });
  expect(await range()).toEqual({ oldest: 9, newest: 10 });
  on.clock.now += 20 * DAY_MS;
  expect(await kept(30, 2)).toEqual({ clients: 1, dropped: 10 });
  expect(await range()).toEqual({ oldest: 11, newest: 10 });
  await on.open('acme', 'EUR');
  expect(await range()).toEqual({ oldest: 11, newest: 11 });
});

test('a step itself drops the oldest beyond 100,000', async () => {
  const { store } = on.services;
  const client = (await store.clients.create({ id: 'busy', name: 'busy', defaultType: 'PREFUNDING' }))!;
  await store.events.enable(client);
  const fill = "for i = 1, 100398 do redis.call('XADD', KEYS[1], '1-*', 'e', 'account.opened|1|1|') end";
  await on.keyspace.redis.eval(fill, 1, ledgerKeys(client).events);
  await on.open('busy', 'EUR');
  expect(await store.events.range(client)).toEqual({ oldest: 1, newest: 100_399 });
  // At each hundredth.
  await on.open('busy', 'USD');
  const { oldest, newest } = (await store.events.range(client))!;
  expect(newest).toBe(100_400);
  expect(newest - oldest + 1).toBe(100_000);
});

test('a step itself drops the oldest beyond the setting, within a hundred', async () => {
  const { store } = on.services;
  const client = (await store.clients.create({ id: 'bounded', name: 'bounded', defaultType: 'PREFUNDING' }))!;
  await store.events.enable(client);
  const { events } = ledgerKeys(client);
  const fill = (count: number) =>
    on.keyspace.redis.eval(
      `for i = 1, ${count} do redis.call('XADD', KEYS[1], '1-*', 'e', 'account.opened|1|1|') end`,
      1,
      events,
    );
  await store.events.keepAtMost(1_000);
  await fill(1_098);
  await on.open('bounded', 'EUR');
  expect(await store.events.range(client)).toEqual({ oldest: 1, newest: 1_099 });
  await on.open('bounded', 'EUR');
  expect(await store.events.range(client)).toEqual({ oldest: 101, newest: 1_100 });
  // A key of another type ends no step behind its writes.
  const bound = eventsMaxKey(client.shard);
  await on.keyspace.redis.del(bound);
  await on.keyspace.redis.hset(bound, 'a', 'b');
  await fill(99);
  await on.open('bounded', 'EUR');
  expect(await store.events.range(client)).toEqual({ oldest: 101, newest: 1_200 });
  await on.keyspace.redis.del(bound);
});

test('what is dropped while a page is read is named, not passed over', async () => {
  const { store } = on.services;
  const client = (await store.clients.create({ id: 'late', name: 'late', defaultType: 'PREFUNDING' }))!;
  await store.events.enable(client);
  for (let opened = 0; opened < 3; opened++) await on.open('late', 'EUR');
  const range: typeof store.events.range = async (of) => {
    const found = await store.events.range(of);
    await store.events.trim(of, { sinceMs: 0, most: 1 });
    return found;
  };
  const services = { ...on.services, store: { ...store, events: { ...store.events, range } } };
  const caller = { clientId: 'late', keyId: 'test', rights: new Set(RIGHTS) };
  const answer = await perform(services, 'listEvents', caller, { after: 1 });
  expect(answer).toMatchObject({ refusal: 'EVENTS_GONE', details: { oldestSequence: 3, dropped: 1 } });
});

test('events of a client that cannot be read keep none of another client', async () => {
  const { store } = on.services;
  const [first, second] = await Promise.all(
    ['zz-1', 'zz-2'].map((id) => store.clients.create({ id, name: id, defaultType: 'PREFUNDING' })),
  );
  for (const client of [first!, second!]) {
    await store.events.enable(client);
    for (let opened = 0; opened < 3; opened++) await on.open(client.id, 'EUR');
  }
  await on.keyspace.redis.xadd(ledgerKeys(first!).events, '1-*', 'e', 'no such type|1|1|');
  const kept = (days: number) => keepEvents(on.services, { days, most: 1_000 }, nextTurn);
  on.clock.now += 40 * DAY_MS;
  await expect(kept(30)).resolves.toMatchObject({ clients: expect.any(Number) });
  expect(await store.events.range(second!)).toEqual({ oldest: 4, newest: 3 });
});

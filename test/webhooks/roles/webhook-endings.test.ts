/**
 * What becomes of deliveries in the course of days, while the store is away, and at moments that rarely meet. Days pass by moving the times that
 * the store has of attempts, and of an endpoint that fails, back by so much.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { Delivery } from '../../../engine/domain/webhooks/webhook.js';
import { startWebhookDelivery, type WebhookDelivery } from '../../../engine/roles/webhooks/webhook-delivery.js';
import type { Services } from '../../../engine/service/core/services.js';
import { keepEvents } from '../../../engine/service/events/index.js';
import type { OperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { eventsDueKey, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { renderEvent } from '../../../rest/features/events/events.js';
import { startServices, type TestServices } from '../../service/core/services.js';
import { confirmWebhook } from '../../support/confirm-webhook.js';
import { type Hook, startHook } from '../../support/hook.js';
import { type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { SOON, until } from '../../support/until.js';

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
/** Behind each attempt that fails. */
const SCHEDULE = [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H];

let on: TestServices;
let services: Services;
let keyspace: KeyspaceReader;
let acme: Client;
let receiver: Hook;
let clients = 0;
const running: WebhookDelivery[] = [];
beforeAll(async () => {
  on = await startServices();
  services = { ...on.services, settings: { ...on.services.settings, webhookLoopback: true } };
  keyspace = keyspaceReader(on.testStore.redisUrl);
});
beforeEach(async () => {
  const id = `acme${++clients}`;
  acme = (await services.store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
  receiver = await startHook();
});
afterEach(async () => {
  for (const delivery of running.splice(0)) await delivery.stop();
  await receiver.stop();
});
afterAll(async () => {
  keyspace?.close();
  await on?.stop();
});

function deliver(of: Services = services): WebhookDelivery {
  const delivery = startWebhookDelivery(of, { render: renderEvent, timeoutMs: 1_000, random: () => 0.5 });
  running.push(delivery);
  return delivery;
}

async function asked<Name extends OperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const caller = { clientId: acme.id, keyId: 'test', rights: new Set(RIGHTS) };
  const answer = await perform(services, name, caller, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as OutputOf<Name>;
}
const endpoint = async (types: readonly string[], url = receiver.url): Promise<string> =>
  (await asked('createWebhook', { url, types })).webhook.id;
/** An event of its own: `account.opened`. */
const openAccount = async (): Promise<string> =>
  ((await perform(services, 'openAccount', undefined, { clientId: acme.id, currency: 'EUR' })) as { number: string })
    .number;

/** Waits until the delivery is as wanted; with the time of its next attempt, and when it was read. */
async function delivery(
  webhookId: string,
  sequence: number,
  is: (one: Delivery, dueMs: number | undefined) => boolean,
) {
  for (const late = performance.now() + SOON.timeout; ; ) {
    const { items } = await asked('listDeliveries', { webhookId });
    const found = items.find((one) => one.delivery.sequence === sequence);
    if (found && is(found.delivery, found.dueMs)) return { ...found, readAtMs: Date.now() };
    if (performance.now() > late) throw new Error(`delivery ${sequence} is ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('what follows in a resource waits too while a delivery that was noted before is read again', async () => {
  const { deliveries } = services.store;
  const id = await endpoint(['account.*']);
  // As where the answer of the store was lost: the same end is noted a second time.
  let isRepeated = true;
  const endAttempt: typeof deliveries.endAttempt = async (...of) => {
    const noted = await deliveries.endAttempt(...of);
    if (!isRepeated) return noted;
    isRepeated = false;
    return deliveries.endAttempt(...of);
  };
  receiver.reply = ({ body }) => (body.sequence === 2 ? 500 : 200);
  const accountNumber = await openAccount();
  await perform(services, 'changeAccount', undefined, { accountNumber, label: 'changed' });
  deliver({ ...services, store: { ...services.store, deliveries: { ...deliveries, endAttempt } } });
  await delivery(id, 2, ({ tries }) => tries >= 1);
  await openAccount();
  await delivery(id, 4, (one) => one.status === 'SUCCEEDED');
  expect(receiver.got.map(({ body }) => body.sequence)).not.toContain(3);
});

test.each<[number, readonly number[]]>([
  [200, [2, 3]],
  [500, [3]],
])(
  'an attempt that ends with %i while the store is read is not repeated by what was read',
  async (status, accepted) => {
    const { deliveries } = services.store;
    let ended = (): void => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const id = await endpoint(['*']);
    receiver.reply = async ({ body }) => {
      if (body.sequence > 2) return 200;
      // The deliverer reads what is due, and gets its answer behind the end of this attempt.
      const isRead = new Promise<void>((resolve) => {
        reading = resolve;
      });
      await keyspace.redis.publish('events', acme.id);
      await isRead;
      return status;
    };
    let reading: (() => void) | undefined;
    const dueTimes: typeof deliveries.dueTimes = async (...of) => {
      const found = await deliveries.dueTimes(...of);
      if (reading === undefined) return found;
      reading();
      reading = undefined;
      await end;
      return found;
    };
    const endAttempt: typeof deliveries.endAttempt = async (...of) => {
      const noted = await deliveries.endAttempt(...of);
      setImmediate(ended);
      return noted;
    };
    const store = { ...services.store, deliveries: { ...deliveries, dueTimes, endAttempt } };
    deliver({ ...services, store });
    await openAccount();
    await delivery(id, 2, ({ tries }) => tries >= 1);
    await openAccount();
    await delivery(id, 3, (one) => one.status === 'SUCCEEDED');
    expect(receiver.got.map(({ body }) => body.sequence)).toEqual([2, 3]);
    expect(receiver.accepted()).toEqual(accepted);
  },
);

const relabel = (accountNumber: string, label: string) =>
  perform(services, 'changeAccount', undefined, { accountNumber, label });
const look = () => keyspace.redis.publish('events', acme.id);

/** Advances the clock of the endpoint's deliveries. */
async function passes(ms: number, webhookId: string): Promise<void> {
  const { redis } = keyspace;
  const keys = ledgerKeys(acme);
  for (const member of await redis.zrange(keys.openDeliveries(webhookId), '0', '-1'))
    await redis.zincrby(keys.openDeliveries(webhookId), -ms, member);
  const since = await redis.hget(keys.webhook(webhookId), 'failingSince');
  if (since) await redis.hset(keys.webhook(webhookId), 'failingSince', String(Number(since) - ms));
  await redis.hincrby(keys.webhook(webhookId), 'restsUntil', -ms);
  await redis.zadd(eventsDueKey(acme.shard), 'LT', Date.now(), acme.id);
  await look();
}

test('ten attempts in 75 hours, then FAILED; after five days the endpoint is disabled, which another one is sent', async () => {
  const id = await endpoint(['account.*']);
  const other = await startHook();
  await endpoint(['webhook.disabled'], other.url);
  const { counts, disabled } = deliver();
  receiver.reply = () => 500;
  const account = await openAccount();
  await relabel(account, 'later');
  for (const [i, waitMs] of SCHEDULE.entries()) {
    const isNoted = ({ tries, attempts }: Delivery, dueMs = 0) => tries === i + 1 && dueMs > attempts[i]!.atMs;
    const one = await delivery(id, 3, (now, dueMs) => now.tries > i + 1 || isNoted(now, dueMs));
    expect(one.delivery.status).toBe('PENDING');
    const { attempts } = one.delivery;
    // On a busy machine the first wait, of five seconds, may have passed by itself before it is seen.
    const isOver = attempts.length > i + 1;
    const nextMs = isOver ? attempts[i + 1]!.atMs : one.dueMs!;
    expect(nextMs - attempts[i]!.atMs).toBeGreaterThanOrEqual(waitMs - 100);
    if (isOver) continue;
    // It counts from the end of the attempt, which was over when it was read.
    expect(nextMs - waitMs).toBeLessThanOrEqual(one.readAtMs + 100);
    await passes(waitMs, id);
  }
  const { delivery: last, dueMs } = await delivery(id, 3, ({ status }) => status === 'FAILED');
  expect([last.tries, last.attempts.length, dueMs]).toEqual([10, 10, undefined]);
  // The next one of the account has waited for its end; then the endpoint rests.
  await passes(6 * MIN, id);
  await delivery(id, 4, ({ tries }) => tries === 1);
  expect(receiver.got.map(({ body }) => body.sequence)).toEqual([...Array(10).fill(3), 4]);
  expect(new Set(receiver.got.slice(0, 10).map((one) => one.id)).size).toBe(1);
  expect([counts.exhausted, disabled]).toEqual([1, { GONE: 0, FAILING: 0 }]);
  await passes(5 * 24 * H - SCHEDULE.reduce((sum, ms) => sum + ms) - H, id);
  await delivery(id, 4, ({ tries }) => tries === 2);
  expect(disabled.FAILING).toBe(0);
  await passes(H, id);
  await until(() => other.accepted().length === 1);
  expect(other.got[0]!.body).toMatchObject({
    type: 'webhook.disabled',
    data: { object: { webhook_id: id, active: false, inactive_reason: 'FAILING' } },
  });
  expect([(await asked('readWebhook', { webhookId: id })).webhook.inactive, disabled.FAILING]).toEqual(['FAILING', 1]);
  receiver.reply = () => 200;
  expect(await asked('replayDeliveries', { webhookId: id, fromSequence: 3, toSequence: 4 })).toMatchObject({
    replayed: 1,
  });
  await asked('changeWebhook', { webhookId: id, active: true });
  await passes(30 * MIN, id);
  await delivery(id, 4, ({ status }) => status === 'SUCCEEDED');
  expect(receiver.accepted()).toEqual([3, 4]);
  await other.stop();
});

test('what is dropped before it is delivered is GONE, and counted where it was not planned', async () => {
  const id = await endpoint(['account.*']);
  const first = deliver();
  receiver.reply = () => 500;
  await openAccount();
  await delivery(id, 2, ({ tries }) => tries >= 1);
  // It has the event in memory: the next process has not.
  await first.stop();
  await asked('changeWebhook', { webhookId: id, active: false });
  for (let opened = 0; opened < 3; opened++) await openAccount();
  await services.store.events.trim(acme, { sinceMs: 0, most: 1 });
  receiver.reply = () => 200;
  const second = deliver();
  await asked('changeWebhook', { webhookId: id, active: true });
  await passes(MIN, id);
  const { delivery: gone } = await delivery(id, 2, ({ status }) => status === 'GONE');
  expect(gone.attempts).toHaveLength(1);
  await delivery(id, 6, ({ status }) => status === 'SUCCEEDED');
  expect(receiver.accepted()).toEqual([6]);
  expect(second.counts).toMatchObject({ succeeded: 1, gone: 1, missed: 3 });
  // Those that were planned and those that were not.
  expect((await asked('readWebhook', { webhookId: id })).webhook.missed).toBe(4);
});

test('what is dropped while an endpoint is paused, PENDING or its client disabled is counted at once', async () => {
  const paused = await endpoint(['account.*']);
  await asked('changeWebhook', { webhookId: paused, active: false });
  receiver.answersChallenges = false;
  const pending = await endpoint(['account.*']);
  const delivery = deliver();
  const keep = (most: number) => keepEvents(services, { days: 30, most }, async () => undefined);
  const missed = (webhookId: string) => async () => (await services.store.webhooks.read(acme, webhookId))!.missed;
  // Behind the creations and the pause.
  for (let opened = 0; opened < 5; opened++) await openAccount();
  await keep(2);
  await expect.poll(missed(pending), SOON).toBe(3);
  // The pause and the other creation too.
  await expect.poll(missed(paused), SOON).toBe(5);
  expect(delivery.counts.missed).toBe(8);
  await perform(services, 'disableClient', undefined, { id: acme.id, disabled: true });
  await openAccount();
  await keep(1);
  await expect.poll(missed(pending), SOON).toBe(5);
  await expect.poll(missed(paused), SOON).toBe(7);
});

test.each<[string, number]>([
  ['before the attempt', 1],
  ['when its outcome is noted', 2],
  ['behind that', 1],
])('a store that goes away %s loses no event, which comes %i times', async (when, times) => {
  const { webhooks, deliveries } = services.store;
  let isAway = true;
  const { id: clientId } = acme;
  const away = <Of extends [{ readonly id: string }, ...unknown[]], Answer>(
    at: string,
    call: (...of: Of) => Promise<Answer>,
  ) => {
    return async (...of: Of): Promise<Answer> => {
      // Endpoints of the tests before have deliveries too.
      const fails = isAway && of[0].id === clientId && when.startsWith(at);
      if (fails) isAway = false;
      if (fails && at !== 'behind') throw new StoreUnavailable('none');
      const answer = await call(...of);
      if (fails) throw new StoreUnavailable('none');
      return answer;
    };
  };
  const store = {
    ...services.store,
    webhooks: { ...webhooks, read: away('before', webhooks.read) },
    deliveries: { ...deliveries, endAttempt: away('when', away('behind', deliveries.endAttempt)) },
  };
  const id = await endpoint(['*']);
  deliver({ ...services, store });
  const account = await openAccount();
  await until(() => !isAway);
  await relabel(account, 'next');
  await delivery(id, 3, ({ status }) => status === 'SUCCEEDED');
  const { delivery: one } = await delivery(id, 2, ({ status }) => status === 'SUCCEEDED');
  expect(one.attempts).toHaveLength(1);
  const [first, ...again] = receiver.got.filter(({ body }) => body.sequence === 2);
  expect(again.map(({ id, text }) => [id, text])).toEqual(Array(times - 1).fill([first!.id, first!.text]));
  expect(receiver.accepted()).toEqual([...Array(times).fill(2), 3]);
});

test('an attempt whose secret cannot be opened has failed, and follows the schedule', async () => {
  const id = await endpoint(['*']);
  await confirmWebhook(services.store, acme, id);
  const key = ledgerKeys(acme).webhook(id);
  const secret = (await keyspace.redis.hget(key, 'secret'))!;
  await keyspace.redis.hset(key, 'secret', 'altered');
  deliver();
  await openAccount();
  const { delivery: one, dueMs, readAtMs } = await delivery(id, 2, ({ tries }) => tries >= 1);
  expect(one.attempts[0]).toMatchObject({ httpStatus: 0, reason: 'secret' });
  expect(dueMs! - SCHEDULE[one.tries - 1]!).toBeLessThanOrEqual(readAtMs + 100);
  expect(receiver.got).toEqual([]);
  await keyspace.redis.hset(key, 'secret', secret);
  await delivery(id, 2, ({ status }) => status === 'SUCCEEDED');
});

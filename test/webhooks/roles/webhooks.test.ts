/** Events come to endpoints: signed, in order, again where they failed, and no endpoint delays another one. */
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RefusalCode } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { startWebhookDelivery, type WebhookDelivery } from '../../../engine/roles/webhooks/webhook-delivery.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { OperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { renderEvent } from '../../../rest/features/events/events.js';
import { startServices, type TestServices } from '../../service/core/services.js';
import { confirmWebhook } from '../../support/confirm-webhook.js';
import { filling } from '../../support/full-store.js';
import { type Hook, startHook, verify } from '../../support/hook.js';
import { keyspaceReader } from '../../support/keyspace.js';
import { until } from '../../support/until.js';

let on: TestServices;
let services: Services;
const hooks: Hook[] = [];
const running: WebhookDelivery[] = [];
beforeEach(async () => {
  on = await startServices();
  services = { ...on.services, settings: { ...on.services.settings, webhookLoopback: true } };
});
afterEach(async () => {
  for (const delivery of running.splice(0)) await delivery.stop();
  for (const one of hooks.splice(0)) await one.stop();
  await on.stop();
});

const hook = async (): Promise<Hook> => {
  const started = await startHook();
  hooks.push(started);
  return started;
};
function deliver(of: Services = services, timeoutMs = 1_000): WebhookDelivery {
  const delivery = startWebhookDelivery(of, { render: renderEvent, timeoutMs, random: () => 0.5 });
  running.push(delivery);
  return delivery;
}
const another = async (): Promise<Services> => ({ ...services, store: await on.testStore.another() });

async function asked<Name extends OperationName>(clientId: string, name: Name, input: object): Promise<OutputOf<Name>> {
  const caller = { clientId, keyId: 'test', rights: new Set(RIGHTS) };
  const answer = await perform(services, name, caller, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as OutputOf<Name>;
}

async function client(id: string): Promise<string> {
  await perform(services, 'createClient', undefined, { id, name: id });
  return id;
}

const endpoint = (clientId: string, { url }: Pick<Hook, 'url'>, types: readonly string[] = ['*'], more: object = {}) =>
  asked(clientId, 'createWebhook', { url, types, ...more });

/** An event of its own: `account.opened`. Returns the account. */
async function openAccount(clientId: string): Promise<string> {
  const answer = await perform(services, 'openAccount', undefined, { clientId, currency: 'EUR' });
  return (answer as { readonly number: string }).number;
}
const relabel = (accountNumber: string, label: string) =>
  perform(services, 'changeAccount', undefined, { accountNumber, label });

/** Waits until the endpoint has so many deliveries of that status, the newest first. */
async function deliveriesOf(clientId: string, webhookId: string, status: string, count: number) {
  for (const late = Date.now() + 60_000; ; ) {
    const { items } = await asked(clientId, 'listDeliveries', { webhookId, status });
    if (items.length >= count || Date.now() > late) {
      expect(items.length).toBe(count);
      return items;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('an event comes at once, signed with the secret that was shown at creation', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  deliver();
  const { webhook, secret } = await endpoint(acme, receiver, ['account.*']);
  const account = await openAccount(acme);
  await until(() => receiver.got.length === 1);
  const [got] = receiver.got;
  verify(secret!, got!);
  expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, got!)).toThrow();
  expect(got!.body).toMatchObject({ type: 'account.opened', sequence: 2 });
  expect(got!.text).toContain(account);
  const [delivered] = await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 1);
  expect(delivered).toMatchObject({ eventId: got!.id, delivery: { sequence: 2, attempts: [{ httpStatus: 200 }] } });
});

test('while a secret is rotated each delivery has both signatures, and later the new one alone', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  let now = Date.now();
  services = { ...services, now: () => now };
  const { webhook, secret } = await endpoint(acme, receiver, ['account.opened']);
  const rotated = await asked(acme, 'rotateWebhookSecret', { webhookId: webhook.id });
  deliver();
  await openAccount(acme);
  await until(() => receiver.got.length === 1);
  for (const one of [secret!, rotated.secret!]) verify(one, receiver.got[0]!);
  now = Date.now() - 24 * 60 * 60 * 1_000 - 1;
  const again = await asked(acme, 'rotateWebhookSecret', { webhookId: webhook.id });
  await openAccount(acme);
  await until(() => receiver.got.length === 2);
  verify(again.secret!, receiver.got[1]!);
  expect(() => verify(rotated.secret!, receiver.got[1]!)).toThrow();
});

test('an endpoint of ed25519 is verified with its public key alone', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  deliver();
  const { webhook, secret } = await endpoint(acme, receiver, ['*'], { signature: 'ed25519' });
  expect(secret).toBeUndefined();
  await openAccount(acme);
  await until(() => receiver.got.length === 1);
  const { text, headers } = receiver.got[0]!;
  const [version, signature] = headers['webhook-signature']!.split(',');
  const x = Buffer.from(webhook.publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  expect(version).toBe('v1a');
  expect(verifySignature(null, signed, key, Buffer.from(signature!, 'base64'))).toBe(true);
});

test('what fails is sent again with the same id, its later events wait for it, and other resources do not', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  deliver();
  const { webhook } = await endpoint(acme, receiver, ['account.*']);
  let fails = 1;
  receiver.reply = ({ body }) => (body.sequence === 2 && fails-- > 0 ? 500 : 200);
  const first = await openAccount(acme);
  await until(() => receiver.got.length === 1);
  await relabel(first, 'changed');
  await openAccount(acme);
  await until(() => receiver.accepted().length === 3);
  expect(receiver.accepted()).toEqual([4, 2, 3]);
  const [failed, ...others] = receiver.got.filter(({ body }) => body.sequence === 2);
  expect(others.map(({ id }) => id)).toEqual([failed!.id]);
  expect(others[0]!.atMs - failed!.atMs).toBeGreaterThanOrEqual(4_500);
  const delivered = await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 3);
  expect(delivered[2]!.delivery.attempts).toMatchObject([
    { httpStatus: 500, reason: 'status' },
    { httpStatus: 200, reason: '' },
  ]);
});

test('an endpoint that answers 410 is disabled, which the others are sent as an event, and continues where it was', async () => {
  const [acme, gone, watching] = [await client('acme'), await hook(), await hook()];
  const delivery = deliver();
  const { webhook } = await endpoint(acme, gone, ['account.*']);
  await endpoint(acme, watching, ['webhook.disabled']);
  gone.reply = () => 410;
  await openAccount(acme);
  await until(() => watching.got.length === 1);
  expect(watching.got[0]!.body.type).toBe('webhook.disabled');
  expect(watching.got[0]!.text).toContain(webhook.id);
  expect(delivery.disabled).toEqual({ GONE: 1, FAILING: 0 });
  await openAccount(acme);
  const { webhook: disabled } = await asked(acme, 'readWebhook', { webhookId: webhook.id });
  expect(disabled).toMatchObject({ inactive: 'GONE', version: 2 });
  gone.reply = () => 200;
  await asked(acme, 'changeWebhook', { webhookId: webhook.id, active: true });
  await until(() => gone.accepted().length >= 1);
  await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 2);
  expect(gone.accepted()).toContain(5);
});

test.each<[number, () => string]>([
  [429, () => '7200'],
  [503, () => new Date(Date.now() + 7_200_000).toUTCString()],
])('a Retry-After with %i is obeyed where it is longer than the schedule', async (status, after) => {
  const [acme, receiver] = [await client('acme'), await hook()];
  deliver();
  const { webhook } = await endpoint(acme, receiver);
  receiver.reply = () => [status, { 'retry-after': after() }];
  await openAccount(acme);
  await until(() => receiver.got.length === 1);
  for (;;) {
    const [one] = await deliveriesOf(acme, webhook.id, 'PENDING', 1);
    if (one!.delivery.tries === 0) continue;
    const waits = one!.dueMs! - receiver.got[0]!.atMs;
    expect(waits).toBeGreaterThan(7_100_000);
    expect(waits).toBeLessThan(7_300_000);
    return;
  }
});

test('redirects are not followed', async () => {
  const [acme, receiver, other] = [await client('acme'), await hook(), await hook()];
  deliver();
  const { webhook } = await endpoint(acme, receiver);
  receiver.reply = () => [302, { location: other.url }];
  await openAccount(acme);
  await until(() => receiver.got.length === 1);
  for (let found: string | undefined; found === undefined; ) {
    const { items } = await asked(acme, 'listDeliveries', { webhookId: webhook.id });
    found = items[0]!.delivery.attempts[0]?.reason;
    if (found !== undefined) expect(found).toBe('redirect');
  }
  expect(other.got).toEqual([]);
});

test('endpoints of a client, or of the sub-clients of a platform, that hang delay no other client', async () => {
  const hanging = await hook();
  hanging.answersChallenges = false;
  hanging.reply = () => 'hang';
  // Longer than this test waits: what waits for one of them does not come.
  deliver(services, 600_000);
  const ids = ['solo', ...Array.from({ length: 20 }, (_, i) => `big~shop-${i}`)];
  for (const id of ['big', ...ids]) await services.store.clients.create({ id, name: id, defaultType: 'PREFUNDING' });
  for (const id of ids) for (let i = 0; i < 16; i++) await endpoint(id, hanging);
  // As many as both may have on their way to one host.
  await until(() => hanging.challenges.length === 40);
  const [acme, fast] = [await client('acme'), await hook()];
  const { webhook } = await endpoint(acme, fast);
  await openAccount(acme);
  await until(() => fast.accepted().length === 1);
  fast.reply = ({ body }) => (fast.got.filter((one) => one.body.sequence === body.sequence).length > 1 ? 200 : 500);
  await openAccount(acme);
  // Its next attempt is one of the slow lane.
  await until(() => fast.accepted().length === 2);
  await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 2);
  expect(hanging.challenges.length).toBe(40);
});

test('an endpoint that fails rests longer and longer, whatever is due, and a test event comes at once all the same', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  deliver();
  const { webhook } = await endpoint(acme, receiver, ['account.opened']);
  receiver.reply = () => 404;
  for (let i = 0; i < 20; i++) await openAccount(acme);
  await until(() => receiver.got.length === 4);
  const of = (await services.store.clients.get(acme))!;
  let known = (await services.store.webhooks.read(of, webhook.id))!;
  while (known.failures < 4) known = (await services.store.webhooks.read(of, webhook.id))!;
  // 1, 2, 4 and 8 seconds: behind each attempt twice as long.
  const times = receiver.got.map(({ atMs }) => atMs);
  for (const [i, atMs] of times.slice(1, 4).entries()) expect(atMs - times[i]!).toBeGreaterThanOrEqual(950 * 2 ** i);
  expect(known.restsUntilMs - times[3]!).toBeGreaterThanOrEqual(7_900);
  const keyspace = keyspaceReader(on.testStore.redisUrl);
  await keyspace.redis.hset(ledgerKeys(of).webhook(webhook.id), 'restsUntil', Date.now() + 3_600_000);
  keyspace.close();
  // One that has failed delays no other test.
  for (const _ of [1, 2]) {
    const { sequence } = await asked(acme, 'testWebhook', { webhookId: webhook.id });
    await until(() => receiver.got.some(({ body }) => body.sequence === sequence));
  }
});

test('an endpoint that took long is slow, also when its client comes again', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  const { webhook } = await endpoint(acme, receiver, ['account.opened']);
  const { store } = services;
  let isResting = false;
  const rest: typeof store.deliveries.rest = async (...given) => {
    await store.deliveries.rest(...given);
    isResting = receiver.accepted().length === 1;
  };
  deliver({ ...services, store: { ...store, deliveries: { ...store.deliveries, rest } } }, 20_000);
  receiver.reply = () => pause(2_100, 200);
  await openAccount(acme);
  await until(() => isResting);
  receiver.reply = () => 'hang';
  await Promise.all([openAccount(acme), openAccount(acme)]);
  await deliveriesOf(acme, webhook.id, 'PENDING', 2);
  const [other, fast] = [await client('other'), await hook()];
  await endpoint(other, fast, ['account.opened']);
  await openAccount(other);
  await until(() => receiver.got.length >= 2 && fast.got.length === 1);
  // One attempt at a time, while others come.
  expect(receiver.got).toHaveLength(2);
});

test('an event that comes while the endpoint is planned is delivered', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  const { webhook } = await endpoint(acme, receiver, ['account.opened']);
  const { store } = services;
  let comes = true;
  const read: typeof store.events.read = async (of, page) => {
    const found = await store.events.read(of, page);
    if (comes && found.every(({ type }) => type !== 'account.opened')) {
      comes = false;
      await openAccount(acme);
    }
    return found;
  };
  deliver({ ...services, store: { ...store, events: { ...store.events, read } } });
  // Its deliveries are read, and there is no event of its types.
  await asked(acme, 'changeWebhook', { webhookId: webhook.id, name: 'x' });
  await until(() => !comes);
  await openAccount(acme);
  await until(() => receiver.accepted().length === 2);
  expect(receiver.accepted()).toEqual([3, 4]);
});

test('an event that comes while its client is given back is sent once, beside the next one', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  await endpoint(acme, receiver, ['account.opened']);
  const { store } = services;
  let comes = true;
  const rest: typeof store.deliveries.rest = async (...given) => {
    if (comes) {
      comes = false;
      receiver.reply = () => 'hang';
      await openAccount(acme);
      await until(() => receiver.got.length === 2);
    }
    return store.deliveries.rest(...given);
  };
  deliver({ ...services, store: { ...store, deliveries: { ...store.deliveries, rest } } }, 20_000);
  await openAccount(acme);
  await until(() => receiver.got.length === 2);
  for (const sequence of [4, 5]) {
    await openAccount(acme);
    await until(() => receiver.got.at(-1)!.body.sequence === sequence || receiver.got.length >= sequence);
  }
  expect(receiver.got.map(({ body }) => body.sequence)).toEqual([2, 3, 4, 5]);
});

test('another process continues when the one with the lease has gone', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  await endpoint(acme, receiver);
  const [one, other] = [deliver(await another()), deliver(await another())];
  await openAccount(acme);
  await until(() => receiver.accepted().length === 1);
  expect([one, other].filter(({ isHolder }) => isHolder)).toHaveLength(1);
  await [one, other].find(({ isHolder }) => isHolder)!.stop();
  await openAccount(acme);
  await until(() => receiver.accepted().length === 2);
  expect(receiver.accepted()).toEqual([2, 3]);
});

test('events are replayed by id and by range, and a test event comes to its endpoint alone', async () => {
  const [acme, one, other] = [await client('acme'), await hook(), await hook()];
  deliver();
  const { webhook } = await endpoint(acme, one, ['account.opened']);
  await endpoint(acme, other, ['account.opened']);
  const account = await openAccount(acme);
  await relabel(account, 'x');
  await openAccount(acme);
  await until(() => one.accepted().length === 2);
  await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 2);
  const { id: eventId } = one.got[0]!;
  expect(await asked(acme, 'replayDeliveries', { webhookId: webhook.id, eventId })).toMatchObject({ replayed: 1 });
  await until(() => one.accepted().length === 3);
  expect(one.got[2]).toMatchObject({ id: eventId, text: one.got[0]!.text });
  await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 2);
  const range = await asked(acme, 'replayDeliveries', { webhookId: webhook.id, fromSequence: 1 });
  expect(range).toEqual({ webhookId: webhook.id, replayed: 2, lastSequence: 5, isComplete: true });
  await until(() => one.accepted().length === 5);
  const { sequence } = await asked(acme, 'testWebhook', { webhookId: webhook.id });
  await until(() => one.accepted().length === 6);
  expect(one.got[5]!.body).toMatchObject({ type: 'test', sequence });
  expect(other.accepted()).toEqual([3, 5]);
});

test('an address that is not allowed any more is not connected to', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  const { webhook } = await endpoint(acme, receiver);
  await confirmWebhook(services.store, (await services.store.clients.get(acme))!, webhook.id);
  deliver({ ...services, settings: { ...services.settings, webhookLoopback: false } });
  await openAccount(acme);
  const [one] = await deliveriesOf(acme, webhook.id, 'PENDING', 1);
  let [attempt] = one!.delivery.attempts;
  while (attempt === undefined) {
    const [again] = await deliveriesOf(acme, webhook.id, 'PENDING', 1);
    [attempt] = again!.delivery.attempts;
  }
  expect(attempt.reason).toBe('address');
  expect(receiver.got).toEqual([]);
});

test('a disabled client is sent nothing; enabled again, what has come meanwhile', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  await endpoint(acme, receiver);
  deliver();
  const account = await openAccount(acme);
  await until(() => receiver.got.length === 1);
  await perform(services, 'disableClient', undefined, { id: acme, disabled: true });
  await relabel(account, 'one');
  const other = await client('other');
  const witness = await hook();
  await endpoint(other, witness);
  await openAccount(other);
  await until(() => witness.got.length === 1);
  expect(receiver.got).toHaveLength(1);
  await perform(services, 'disableClient', undefined, { id: acme, disabled: false });
  await until(() => receiver.got.length === 2);
  expect(receiver.accepted()).toEqual([2, 3]);
});

const refusalOf = async (clientId: string, name: OperationName, input: object): Promise<RefusalCode | 'done'> => {
  const caller = { clientId, keyId: 'test', rights: new Set(RIGHTS) };
  const answer = await perform(services, name, caller, input);
  return 'refusal' in answer ? answer.refusal : 'done';
};

test('a client has sixteen endpoints at most, and none of another client', async () => {
  const [acme, other, receiver] = [await client('acme'), await client('other'), await hook()];
  const { webhook } = await endpoint(acme, receiver);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => refusalOf(acme, 'createWebhook', { url: receiver.url, types: ['*'] })),
  );
  expect(all.filter((one) => one === 'done')).toHaveLength(15);
  expect(all.filter((one) => one === 'WEBHOOK_LIMIT')).toHaveLength(5);
  const input = { webhookId: webhook.id, fromSequence: 1, name: 'mine' };
  for (const name of ['readWebhook', 'changeWebhook', 'removeWebhook', 'rotateWebhookSecret', 'testWebhook'] as const)
    expect(await refusalOf(other, name, input)).toBe('NOT_FOUND');
  for (const name of ['listDeliveries', 'replayDeliveries'] as const)
    expect(
      await refusalOf(other, name, { webhookId: webhook.id, ...(name === 'replayDeliveries' && { fromSequence: 1 }) }),
    ).toBe('NOT_FOUND');
});

test('with the memory of the store used up events are still delivered, retried, and noted as delivered', async () => {
  const [acme, receiver] = [await client('acme'), await hook()];
  let fails = 1;
  receiver.reply = () => (fails-- > 0 ? 500 : 200);
  deliver();
  const { webhook } = await endpoint(acme, receiver);
  const keys: string[] = [];
  for (let i = 0; i < 2; i++) {
    const issued = await perform(services, 'issueKey', undefined, { clientId: acme, rights: ['read'] });
    keys.push((issued as { readonly clientKey: string }).clientKey);
  }
  const fill = await filling(on.testStore.redisUrl, services.store);
  try {
    // More than its memory: what Redis itself refuses.
    await fill.to(1.05);
    for (const clientKey of keys)
      expect(await perform(services, 'revokeKey', undefined, { clientKey })).not.toHaveProperty('refusal');
    const delivered = await deliveriesOf(acme, webhook.id, 'SUCCEEDED', 2);
    expect(delivered.map(({ delivery }) => delivery.attempts.length).toSorted()).toEqual([1, 2]);
    expect(receiver.got.map(({ body }) => body.type)).toEqual(['key.revoked', 'key.revoked', 'key.revoked']);
  } finally {
    await fill.restore();
  }
});

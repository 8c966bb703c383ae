/** An endpoint gets nothing until its URL has answered a challenge: at its creation, and whenever the URL changes. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { Webhook } from '../../../engine/domain/webhooks/webhook.js';
import { startWebhookDelivery, type WebhookDelivery } from '../../../engine/roles/webhooks/webhook-delivery.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { OperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { eventsDueKey, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { renderEvent } from '../../../rest/features/events/events.js';
import { startServices, type TestServices } from '../../service/core/services.js';
import { type Got, type Hook, startHook, verify } from '../../support/hook.js';
import { type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { SOON, until } from '../../support/until.js';

const H = 60 * 60 * 1_000;

let on: TestServices;
let services: Services;
let acme: Client;
let keyspace: KeyspaceReader;
let delivery: WebhookDelivery;
const hooks: Hook[] = [];
beforeEach(async () => {
  on = await startServices();
  services = { ...on.services, settings: { ...on.services.settings, webhookLoopback: true } };
  keyspace = keyspaceReader(on.testStore.redisUrl);
  acme = (await services.store.clients.create({ id: 'acme', name: 'acme', defaultType: 'PREFUNDING' }))!;
  delivery = startWebhookDelivery(services, { render: renderEvent, timeoutMs: 1_000, random: () => 0.5 });
});
afterEach(async () => {
  await delivery?.stop();
  for (const one of hooks.splice(0)) await one.stop();
  keyspace?.close();
  await on?.stop();
});

const hook = async (answersChallenges = true): Promise<Hook> => {
  const started = await startHook();
  started.answersChallenges = answersChallenges;
  hooks.push(started);
  return started;
};
async function asked<Name extends OperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const caller = { clientId: 'acme', keyId: 'test', rights: new Set(RIGHTS) };
  const answer = await perform(services, name, caller, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as OutputOf<Name>;
}
const created = async ({ url }: Hook) => {
  const { webhook, secret } = await asked('createWebhook', { url, types: ['account.*'] });
  return { id: webhook.id, secret: secret!, inactive: webhook.inactive };
};
const webhookOf = async (webhookId: string) => (await asked('readWebhook', { webhookId })).webhook;
const openAccount = () => perform(services, 'openAccount', undefined, { clientId: 'acme', currency: 'EUR' });

/** Waits until the endpoint is so. */
async function webhookThat(webhookId: string, is: (webhook: Webhook) => boolean): Promise<Webhook> {
  for (const late = performance.now() + SOON.timeout; ; ) {
    const found = await webhookOf(webhookId);
    if (is(found)) return found;
    if (performance.now() > late) throw new Error(`the endpoint is ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
/** Waits until so many attempts of its challenge are noted, or more. */
const attempted = (webhookId: string, count: number) =>
  webhookThat(webhookId, ({ challenge }) => (challenge?.attempts.length ?? 0) >= count);
const confirmed = (webhookId: string) => webhookThat(webhookId, ({ inactive }) => inactive === undefined);

/** Advances the clock of the endpoint's challenge. */
async function passes(ms: number, webhookId: string): Promise<void> {
  const key = ledgerKeys(acme).webhook(webhookId);
  const [untilMs, dueMs, ...rest] = (await keyspace.redis.hget(key, 'challenge'))!.split('|');
  await keyspace.redis.hset(key, 'challenge', [Number(untilMs) - ms, Number(dueMs) - ms, ...rest].join('|'));
  await keyspace.redis.zadd(eventsDueKey(acme.shard), 'LT', Date.now(), acme.id);
  await keyspace.redis.publish('events', acme.id);
}

test('an endpoint is PENDING until its URL echoes a signed challenge; then it gets what has happened since its creation', async () => {
  const receiver = await hook(false);
  const { id, secret, inactive } = await created(receiver);
  expect(inactive).toBe('PENDING');
  await openAccount();
  await attempted(id, 1);
  const [challenged] = receiver.challenges;
  verify(secret, challenged!);
  expect(challenged!.body).toMatchObject({ type: 'webhook.challenge', sequence: 0 });
  expect(challenged!.body.challenge).toMatch(/^[\w-]{43}$/);
  // 200 alone is no echo.
  expect((await webhookOf(id)).challenge!.attempts).toMatchObject([{ httpStatus: 200, reason: 'challenge' }]);
  expect(receiver.got).toEqual([]);
  receiver.answersChallenges = true;
  await passes(10_000, id);
  await until(() => receiver.accepted().length === 1);
  expect(receiver.accepted()).toEqual([2]);
  const [first, second] = receiver.challenges.map(({ body }) => body.challenge);
  expect(second).not.toBe(first);
  expect(await webhookOf(id)).toMatchObject({ inactive: undefined, challenge: undefined, version: 1 });
  const sent = receiver.challenges.length;
  expect(delivery.challenges).toEqual({ sent, echoed: 1, failed: sent - 1 });
});

test.each<[string, (challenge: string) => string, boolean]>([
  ['the text in a line of its own', (challenge) => `${challenge}\n`, true],
  ['a member of JSON', (challenge) => JSON.stringify({ challenge }), true],
  ['JSON of another shape', (challenge) => JSON.stringify({ data: { challenge } }), false],
  ['a page that has it', (challenge) => `<p>${challenge}</p>`, false],
  ['null', () => 'null', false],
  ['more than an answer may have', (challenge) => JSON.stringify({ challenge, more: 'x'.repeat(20_000) }), false],
])('%s is an answer: %#', async (_what, answer, confirms) => {
  const receiver = await hook(false);
  receiver.replyText = ({ body }: Got) => (body.challenge === undefined ? 'x' : answer(body.challenge));
  const { id } = await created(receiver);
  if (confirms) await confirmed(id);
  else await attempted(id, 1);
  expect((await webhookOf(id)).inactive).toBe(confirms ? undefined : 'PENDING');
});

test('another status is no answer, whatever it echoes', async () => {
  const receiver = await hook(false);
  receiver.reply = () => 404;
  receiver.replyText = ({ body }: Got) => body.challenge ?? 'x';
  const { id } = await created(receiver);
  await attempted(id, 1);
  expect((await webhookOf(id)).challenge!.attempts).toMatchObject([{ httpStatus: 404, reason: 'status' }]);
});

test('it is challenged for 24 hours, rarely, and anew when it is activated', async () => {
  const receiver = await hook(false);
  const { id } = await created(receiver);
  // Two may be due before it is read again.
  for (let tries = 1; ; tries++) {
    const { challenge } = await webhookThat(id, (one) => (one.challenge?.tries ?? 0) >= tries);
    const { dueMs, untilMs } = challenge!;
    tries = challenge!.tries;
    if (dueMs >= untilMs) break;
    await passes(dueMs - Date.now() + 100, id);
  }
  expect(receiver.challenges.length).toBeGreaterThan(10);
  expect(receiver.challenges.length).toBeLessThan(25);
  await passes(H, id);
  const witness = await hook();
  await asked('createWebhook', { url: witness.url, types: ['*'] });
  await openAccount();
  await until(() => witness.accepted().length >= 1);
  const before = receiver.challenges.length;
  receiver.answersChallenges = true;
  await asked('changeWebhook', { webhookId: id, active: true });
  await until(() => receiver.accepted().length >= 1);
  expect(receiver.challenges.length).toBe(before + 1);
});

test('another URL is challenged before it gets anything, and the same one is not', async () => {
  const [one, other] = [await hook(), await hook(false)];
  const { id } = await created(one);
  await confirmed(id);
  const same = await asked('changeWebhook', { webhookId: id, url: one.url, name: 'same' });
  expect(same.webhook).toMatchObject({ inactive: undefined, version: 2 });
  // What changes nothing writes nothing.
  const nothing = { url: one.url, name: 'same', types: ['account.*'], active: true };
  const { version, updatedAtMs } = same.webhook;
  const again = await asked('changeWebhook', { webhookId: id, ...nothing });
  expect(again.webhook).toMatchObject({ version, updatedAtMs });
  const moved = await asked('changeWebhook', { webhookId: id, url: other.url });
  expect(moved.webhook).toMatchObject({ inactive: 'PENDING', url: other.url });
  await openAccount();
  await attempted(id, 1);
  expect([one.got, other.got]).toEqual([[], []]);
  other.answersChallenges = true;
  await asked('changeWebhook', { webhookId: id, active: true });
  await until(() => other.accepted().length === 1);
  expect([one.challenges.length, one.got]).toEqual([1, []]);
});

test('a pause, an operator and a test lead past no challenge', async () => {
  const receiver = await hook(false);
  const { id } = await created(receiver);
  await attempted(id, 1);
  const paused = await asked('changeWebhook', { webhookId: id, active: false });
  expect(paused.webhook.inactive).toBe('PAUSED');
  expect((await asked('changeWebhook', { webhookId: id, active: true })).webhook.inactive).toBe('PENDING');
  await perform(services, 'disableClientWebhook', undefined, { clientId: 'acme', webhookId: id });
  const activated = await perform(services, 'activateClientWebhook', undefined, { clientId: 'acme', webhookId: id });
  expect(activated).toMatchObject({ inactive: 'PENDING' });
  await asked('testWebhook', { webhookId: id });
  await attempted(id, 1);
  expect(receiver.got).toEqual([]);
  receiver.answersChallenges = true;
  await asked('changeWebhook', { webhookId: id, active: true });
  await until(() => receiver.got.length === 1);
  expect(receiver.got[0]!.body.type).toBe('test');
});

test('an answer that comes when the URL has changed confirms nothing', async () => {
  const [slow, next] = [await hook(false), await hook(false)];
  let answer = (): void => {};
  slow.replyText = async ({ body }: Got) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return body.challenge!;
  };
  const { id } = await created(slow);
  await until(() => slow.challenges.length === 1);
  await asked('changeWebhook', { webhookId: id, url: next.url });
  answer();
  await attempted(id, 1);
  expect(await webhookOf(id)).toMatchObject({ inactive: 'PENDING', url: next.url });
});

/** Deliveries at moments that rarely meet: what is read and attempted at once is not repeated. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { RIGHTS } from '../../engine/domain/rights.js';
import type { Delivery } from '../../engine/domain/webhook.js';
import type { OperationName, OutputOf } from '../../engine/service/core/operations.js';
import { perform } from '../../engine/service/core/perform.js';
import type { Services } from '../../engine/service/core/services.js';
import type { Client } from '../../engine/store/access/clients.js';
import { startWebhookDelivery, type WebhookDelivery } from '../../engine/wiring/webhooks/webhook-delivery.js';
import { renderEvent } from '../../rest/features/events/events.js';
import { startServices, type TestServices } from '../service/core/services.js';
import { type Hook, startHook } from '../support/hook.js';
import { type KeyspaceReader, keyspaceReader } from '../support/keyspace.js';

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

/** Waits until the delivery is as wanted; with the time of its next attempt. */
async function delivery(webhookId: string, sequence: number, is: (one: Delivery) => boolean) {
  for (const late = Date.now() + 20_000; ; ) {
    const { items } = await asked('listDeliveries', { webhookId });
    const found = items.find((one) => one.delivery.sequence === sequence);
    if (found && is(found.delivery)) return found;
    if (Date.now() > late) throw new Error(`delivery ${sequence} is ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test.each<[number, readonly number[]]>([
  [200, [1, 2]],
  [500, [2]],
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
      if (body.sequence > 1) return 200;
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
    await delivery(id, 1, ({ tries }) => tries === 1);
    await openAccount();
    await delivery(id, 2, (one) => one.status === 'SUCCEEDED');
    expect(receiver.got.map(({ body }) => body.sequence)).toEqual([1, 2]);
    expect(receiver.accepted()).toEqual(accepted);
  },
);

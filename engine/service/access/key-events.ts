/**
 * The events of changes of client keys. The record of a key is in another slot than the events of its client: the change writes a mark into
 * the record, and a second step appends its event, once. Where a process dies in between, the next change of the key appends it, or the
 * hourly round over the clients that have events.
 */
import type { EventType } from '../../domain/events.js';
import type { Client } from '../../store/access/clients.js';
import type { KeyRecord } from '../../store/access/credentials.js';
import type { Services } from '../core/services.js';

/** Appends the event of the key's last change, if it is missing. */
async function finishKeyEvent({ store }: Services, client: Client, clientKey: string): Promise<void> {
  const mark = await store.events.markOfKey(clientKey);
  if (mark !== '') await store.events.appendOfKey(client, clientKey, mark);
}

/** The same of all keys of a client. */
export async function finishKeyEvents(services: Services, client: Client): Promise<void> {
  for (const { keyId } of await services.store.keys.list(client.id)) await finishKeyEvent(services, client, keyId);
}

/** Changes the key, with its event where the client has events; `change` is called with the mark. */
export async function withKeyEvent<Answer>(
  services: Services,
  { clientId, keyId, liveSecrets }: KeyRecord,
  type: Extract<EventType, `key.${string}`>,
  change: (mark: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { store } = services;
  const client = await store.clients.get(clientId);
  if (client === undefined || !(await store.events.isOn(client))) return change(undefined);
  await finishKeyEvent(services, client, keyId);
  const answer = await change(`${type}|${store.clock.now(client)}|${liveSecrets}`);
  await finishKeyEvent(services, client, keyId);
  return answer;
}

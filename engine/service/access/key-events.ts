/**
 * The events of changes of client keys. The record of a key is in another slot than the events of its client: the change writes a mark into
 * the record, and a second step appends its event, once. Where a process dies in between, the next change of the key appends it, or the
 * hourly round over the clients that have events.
 */
import type { EventType } from '../../domain/events/events.js';
import type { Client } from '../../store/access/clients.js';
import type { KeyRecord } from '../../store/access/credentials.js';
import type { KeyEvent } from '../../store/access/key-changes.js';
import type { Services } from '../core/services.js';

/** Changes of one key at the same time are few: an operator makes them. */
const TRIES = 100;

/** Appends the event of the key's last change, if it is missing. Returns its mark; '' where there is none. */
async function finishKeyEvent({ store }: Services, client: Client, clientKey: string): Promise<string> {
  const mark = await store.events.markOfKey(clientKey);
  if (mark !== '') await store.events.appendOfKey(client, clientKey, mark);
  return mark;
}

/** The same of all keys of a client. */
export async function finishKeyEvents(services: Services, client: Client): Promise<void> {
  for (const { keyId } of await services.store.keys.list(client.id)) await finishKeyEvent(services, client, keyId);
}

/**
 * Changes the key, with its event where the client has events; `change` is called with the key as it is, and again where another change has
 * overtaken it: then that one has its event first.
 */
export async function withKeyEvent<Answer>(
  services: Services,
  key: KeyRecord,
  type: Extract<EventType, `key.${string}`>,
  change: (key: KeyRecord, event?: KeyEvent) => Promise<Answer | 'overtaken'>,
): Promise<Exclude<Answer, 'overtaken'>> {
  const { store } = services;
  const { clientId, keyId } = key;
  const client = await store.clients.get(clientId);
  const hasEvents = client !== undefined && (await store.events.isOn(client));
  for (let tries = 0; tries < TRIES; tries++) {
    const after = hasEvents ? await finishKeyEvent(services, client, keyId) : '';
    const now = (hasEvents ? await store.keys.read(keyId) : key) ?? key;
    const number = Number(after.split('|')[3] ?? '0') + 1;
    const mark = hasEvents ? `${type}|${store.clock.now(client)}|${now.liveSecrets}|${number}` : '';
    const answer = await change(now, hasEvents ? { mark, after } : undefined);
    if (answer === 'overtaken') continue;
    if (hasEvents) await finishKeyEvent(services, client, keyId);
    return answer as Exclude<Answer, 'overtaken'>;
  }
  throw new Error(`key ${keyId} has changed ${TRIES} times meanwhile`);
}

/** What is done to an endpoint is an event of its client: its other endpoints learn of it, and the list of events shows it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { perform } from '../../../engine/service/perform.js';
import { type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

const PATH = '/api/v1/webhooks';
const URL_OF = (path: string) => `http://127.0.0.1:9999/${path}`;

let door: MoneyDoor;
beforeAll(async () => {
  door = await openMoneyDoor();
});
afterAll(() => door?.stop());

async function client(id: string, rights: readonly (typeof RIGHTS)[number][] = RIGHTS) {
  const { store } = door.opened;
  if ((await store.clients.get(id)) === undefined)
    await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' });
  const { clientKey: client_key, clientSecret: client_secret } = (await store.keys.issue(id, rights))!;
  const { body } = await door.ask('POST', '/api/v1/authentication', { client_key, client_secret });
  const authorization = `Bearer ${body.token}`;
  return async (method: string, path: string, fields?: object) => {
    const headers = { authorization, ...(fields && { 'content-type': 'application/json' }) };
    return (await door.ask(method, path, headers, fields && JSON.stringify(fields))).body;
  };
}

interface Shown {
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly object: Record<string, unknown>; readonly previous: Record<string, unknown> };
}

test('creating, changing, rotating, pausing and removing an endpoint are events, without its URL and its secrets', async () => {
  const ask = await client('hooked');
  const made = await ask('POST', PATH, { url: URL_OF('T0KEN'), types: ['payment.*'], name: 'Ledger' });
  const { webhook_id } = made;
  const one = `${PATH}/${webhook_id}`;
  await ask('PATCH', one, { url: URL_OF('T0KEN'), types: ['payment.*'], name: 'Ledger' });
  await ask('PATCH', one, { url: URL_OF('0THER'), types: ['*'] });
  await ask('PATCH', one, { active: false });
  const rotated = await ask('POST', `${one}/rotate-secret`, {});
  await ask('DELETE', one);
  const events = (await ask('GET', '/api/v1/events')).data as Shown[];
  const sha = (path: string) => createHash('sha256').update(URL_OF(path)).digest('hex');
  const first = {
    ...{ webhook_id, name: 'Ledger', host: '127.0.0.1:9999', url_sha256: sha('T0KEN'), types: ['payment.*'] },
    ...{ active: false, inactive_reason: 'PENDING', signature: 'symmetric', public_key: '', previous_secret_until: '' },
    version: 1,
  };
  const second = { ...first, url_sha256: sha('0THER'), types: ['*'], version: 2 };
  const third = { ...second, inactive_reason: 'PAUSED', version: 3 };
  const fourth = { ...third, previous_secret_until: rotated.previous_secret_until, version: 4 };
  expect(events.map(({ type, sequence, data }) => ({ type, sequence, ...data }))).toEqual([
    { type: 'webhook.created', sequence: 1, object: first, previous: {} },
    {
      ...{ type: 'webhook.changed', sequence: 2, object: second },
      previous: { url_sha256: sha('T0KEN'), types: ['payment.*'], version: 1 },
    },
    { type: 'webhook.changed', sequence: 3, object: third, previous: { inactive_reason: 'PENDING', version: 2 } },
    { type: 'webhook.rotated', sequence: 4, object: fourth, previous: { previous_secret_until: '', version: 3 } },
    { type: 'webhook.removed', sequence: 5, object: fourth, previous: {} },
  ]);
  const text = JSON.stringify(events);
  for (const hidden of ['T0KEN', '0THER', made.secret, rotated.secret]) expect(text).not.toContain(hidden);

  const reader = await client('hooked', ['read']);
  const seen = (await reader('GET', '/api/v1/events?type=webhook.*')).data as Shown[];
  expect(seen.map(({ data }) => data)).toEqual(seen.map(() => ({ object: {}, previous: {} })));
});

test('what the operator does to an endpoint is an event too, once; the endpoint does not get its own creation', async () => {
  const ask = await client('served');
  const { webhook_id: webhookId } = await ask('POST', PATH, { url: URL_OF('x'), types: ['*'] });
  const { store } = door.opened;
  const served = (await store.clients.get('served'))!;
  expect(await store.webhooks.read(served, String(webhookId))).toMatchObject({ cursor: 1 });
  const named = { clientId: 'served', webhookId };
  for (const name of ['disableClientWebhook', 'disableClientWebhook', 'rotateClientWebhookSecret'] as const)
    expect(await perform(door.services, name, undefined, named)).not.toHaveProperty('refusal');
  const events = (await ask('GET', '/api/v1/events?after=1')).data as Shown[];
  expect(events.map(({ type, data }) => [type, data.object.inactive_reason])).toEqual([
    ['webhook.disabled', 'OPERATOR'],
    ['webhook.rotated', 'OPERATOR'],
  ]);
});

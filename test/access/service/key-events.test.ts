/** A change of a key has one event, also where the process that changed it dies before it is appended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepEvents } from '../../../engine/service/events/index.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { renderEvent } from '../../../rest/features/events/events.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;
let client: Client;
beforeAll(async () => {
  on = await startMoney();
  client = (await on.services.store.clients.create({ id: 'acme', name: 'acme', defaultType: 'PREFUNDING' }))!;
});
afterAll(() => on?.stop());

const ask = (name: 'rotateKey' | 'revokeKey', clientKey: string) =>
  perform(on.services, name, undefined, { clientKey });
const issued = async () => (await on.services.store.keys.issue('acme', ['read']))!.clientKey;
const events = async () => {
  const found = await on.services.store.events.read(client, { afterSequence: 0, limit: 100 });
  return found.map(({ type, resource }) => `${type} ${resource}`);
};
const round = () => keepEvents(on.services, { days: 30, most: 1_000 }, async () => {});

test('a client without events has none, also when they are switched on later', async () => {
  const key = await issued();
  await ask('rotateKey', key);
  await on.services.store.events.enable(client);
  await round();
  expect(await events()).toEqual([]);
});

test('a rotation and a revocation have one each, and what is refused or repeated has none', async () => {
  const key = await issued();
  await ask('rotateKey', key);
  expect(await ask('rotateKey', key)).toMatchObject({ refusal: 'KEY_LIMIT' });
  await ask('revokeKey', key);
  await ask('revokeKey', key);
  await round();
  expect(await events()).toEqual([`key.rotated ${key}`, `key.revoked ${key}`]);
  const [rotated, revoked] = await on.services.store.events.read(client, { afterSequence: 0, limit: 2 });
  expect((await renderEvent(on.services, client, rotated!)).data).toEqual({
    object: { client_key: key, live_secrets: 2, revoked: false },
    previous: { live_secrets: 1 },
  });
  expect((await renderEvent(on.services, client, revoked!)).data).toEqual({
    object: { client_key: key, live_secrets: 0, revoked: true },
    previous: { live_secrets: 2, revoked: false },
  });
});

test('the round appends what a process that died did not, once, and so does the next change', async () => {
  const before = await events();
  const [key, other] = [await issued(), await issued()];
  // The step that changes the key, and nothing behind it.
  await on.services.store.keys.rotate(key, { mark: 'key.rotated|1795161660000|1|1', after: '' });
  await on.services.store.keys.rotate(other, { mark: 'key.rotated|1795161660000|1|1', after: '' });
  expect(await events()).toEqual(before);
  await ask('revokeKey', other);
  await round();
  await round();
  expect(await events()).toEqual([...before, `key.rotated ${other}`, `key.revoked ${other}`, `key.rotated ${key}`]);
});

test('changes of a key at once have one event each, in the order in which they were made', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, issued));
  const answers = await Promise.all(
    keys.map(async (key) => {
      const [rotated] = await Promise.all([ask('rotateKey', key), ask('revokeKey', key), ask('revokeKey', key)]);
      return 'refusal' in rotated ? [`key.revoked ${key}`] : [`key.rotated ${key}`, `key.revoked ${key}`];
    }),
  );
  const all = await events();
  for (const [i, key] of keys.entries()) expect(all.filter((one) => one.endsWith(key))).toEqual(answers[i]);
  await round();
  expect(await events()).toEqual(all);
});

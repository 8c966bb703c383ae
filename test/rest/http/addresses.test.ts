/** A key with an address list: it and its tokens are rejected from any other address, without a reason in the answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

let opened: TestStore;
let door: RestDoor;
beforeAll(async () => {
  opened = await startTestStore();
  door = await openRestDoor(opened.store);
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});

test.each([
  [['198.51.100.0/24'], 403],
  [['127.0.0.0/8', '::1'], 200],
  [[], 200],
])('a key and a token of %j', async (addresses, status) => {
  const { keys, tokens } = opened.store;
  const { clientKey, clientSecret } = (await keys.issue('acme', ['read'], addresses))!;
  const { token } = await tokens.issue('acme', clientKey, ['read']);
  const answers = [
    await door.ask('POST', '/api/v1/authentication', { client_key: clientKey, client_secret: clientSecret }),
    await door.ask('GET', '/api/v1/balance/all', { authorization: `Bearer ${token}` }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  if (status === 403) {
    for (const { body } of answers) expect(body).toMatchObject({ code: 'NOT_ENTITLED', detail: 'Not entitled' });
    expect(JSON.stringify(answers)).not.toContain('198.51');
  }
});

/** What the store keeps of clients, keys, CompIDs and margins, and which secrets it never keeps. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allText } from '../../store/all-text.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
beforeAll(async () => {
  running = await startTestStore();
});
afterAll(() => running.stop());

test('a client is created once and listed in order, page by page', async () => {
  const { clients } = running.store;
  for (const id of ['bob', 'alice', 'carol']) {
    expect(
      await clients.create({ id, name: `${id} & Co`, defaultType: 'PREFUNDING', rights: ['read', 'rates'] }),
    ).toBeTruthy();
  }
  expect(await clients.create({ id: 'bob', name: 'another', defaultType: 'SCHEDULED1' })).toBeUndefined();

  expect(await clients.get('bob')).toMatchObject({
    name: 'bob & Co',
    defaultType: 'PREFUNDING',
    rights: ['read', 'rates'],
  });
  expect((await clients.list({ limit: 2 })).map(({ id }) => id)).toEqual(['alice', 'bob']);
  expect((await clients.list({ after: 'bob' })).map(({ id }) => id)).toEqual(['carol']);
});

test('a client is in one of 64 shards for ever', async () => {
  const { clients } = running.store;
  const created = await clients.create({ id: 'sharded', name: '', defaultType: 'PREFUNDING' });
  expect(created?.shard).toBeGreaterThanOrEqual(0);
  expect(created?.shard).toBeLessThan(64);
  expect((await clients.get('sharded'))?.shard).toBe(created?.shard);
});

test.each(['', 'a b', 'a:b', '{s01}', '*', '../x', 'x'.repeat(33), 'a\r\nFLUSHALL'])(
  'builds no Redis key from the name %j',
  async (name) => {
    const { clients, compIds, tokens, keys, margins } = running.store;
    await expect(clients.create({ id: name, name: '', defaultType: 'PREFUNDING' })).rejects.toThrow(TypeError);
    await expect(compIds.assign('DESK', name)).rejects.toThrow(TypeError);
    await expect(keys.issue(name, ['read'])).rejects.toThrow(TypeError);
    await expect(margins.set({ clientId: '*', pair: `${name}x`, type: '*', marginPpm: 1 })).rejects.toThrow(TypeError);
    expect(await clients.get(name)).toBeUndefined();
    expect(await tokens.read(name)).toBeUndefined();
    expect(await keys.verify(name, 'secret')).toBeUndefined();
    expect(() => running.store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: name }, 1)).toThrow(
      TypeError,
    );
  },
);

test('a key is verified with its secret only, and with both secrets during a rotation', async () => {
  const { clients, keys } = running.store;
  await clients.create({ id: 'keyed', name: '', defaultType: 'PREFUNDING' });
  const first = (await keys.issue('keyed', ['rates']))!;
  const own = { clientId: 'keyed', keyId: first.clientKey, rights: ['rates'], disabled: false };
  expect(first.clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await keys.verify(first.clientKey, first.clientSecret)).toMatchObject(own);
  expect(await keys.verify(first.clientKey, `${first.clientSecret}x`)).toBeUndefined();
  expect(await keys.verify(first.clientKey, '')).toBeUndefined();
  expect(await keys.verify('CK_UNKNOWN', first.clientSecret)).toBeUndefined();

  const second = await keys.rotate(first.clientKey);
  if (typeof second !== 'object') throw new Error('not rotated');
  expect(await keys.verify(first.clientKey, first.clientSecret)).toMatchObject(own);
  expect(await keys.verify(first.clientKey, second.clientSecret)).toMatchObject(own);
  await keys.retirePreviousSecret(first.clientKey);
  expect(await keys.verify(first.clientKey, first.clientSecret)).toBeUndefined();
  expect(await keys.verify(first.clientKey, '')).toBeUndefined();
  expect(await keys.verify(first.clientKey, second.clientSecret)).toMatchObject(own);
  expect(await keys.rotate('CK_UNKNOWN')).toBeUndefined();
});

test('rejects a revoked key and the key of a disabled client, each with its reason', async () => {
  const { clients, keys } = running.store;
  await clients.create({ id: 'shut', name: '', defaultType: 'PREFUNDING' });
  const { clientKey, clientSecret } = (await keys.issue('shut', ['rates']))!;
  await clients.setDisabled('shut', true);
  expect(await keys.verify(clientKey, clientSecret)).toMatchObject({ disabled: true, revoked: false });
  await clients.setDisabled('shut', false);
  await keys.revoke(clientKey);
  expect(await keys.verify(clientKey, clientSecret)).toMatchObject({ disabled: true });
  expect(await clients.setDisabled('unknown', true)).toBe(false);
});

test('what a platform enables stays disabled where the operator has disabled it, whichever came first', async () => {
  const { clients, keys } = running.store;
  await clients.create({ id: 'plat', name: '', defaultType: 'PREFUNDING' });
  const id = 'plat~shop';
  await clients.create({ id, name: '', defaultType: 'PREFUNDING' });
  const { clientKey, clientSecret } = (await keys.issue(id, ['rates']))!;
  const isDisabled = async () => [
    (await clients.get(id))?.disabled,
    (await keys.verify(clientKey, clientSecret))?.disabled,
  ];
  for (const [first, second] of [
    ['platform', 'operator'],
    ['operator', 'platform'],
  ] as const) {
    await clients.setDisabled(id, true, first);
    expect(await isDisabled()).toEqual([true, true]);
    await clients.setDisabled(id, true, second);
    await clients.setDisabled(id, false, 'platform');
    expect(await isDisabled()).toEqual([true, true]);
    await clients.setDisabled(id, false);
    expect(await isDisabled()).toEqual([false, false]);
  }
});

test('imports an existing key once', async () => {
  const { clients, keys } = running.store;
  await clients.create({ id: 'bench1', name: '', defaultType: 'PREFUNDING' });
  expect(await keys.provision('bench1', ['rates'], 'key1', 'secret1')).toBe(true);
  expect(await keys.provision('sharded', ['pay'], 'key1', 'another')).toBe(false);
  expect(await keys.verify('key1', 'secret1')).toMatchObject({ clientId: 'bench1', rights: ['rates'] });
  expect((await keys.list('bench1')).map(({ keyId }) => keyId)).toEqual(['key1']);
  expect(await keys.list('sharded')).toEqual([]);
});

test('a client has at most a hundred keys', async () => {
  const { clients, keys } = running.store;
  await clients.create({ id: 'collector', name: '', defaultType: 'PREFUNDING' });
  for (let i = 0; i < 100; i++) expect(await keys.issue('collector', ['read'])).toBeDefined();
  expect(await keys.issue('collector', ['read'])).toBeUndefined();
});

test('a CompID belongs to one client, with the options of its desk', async () => {
  const { compIds } = running.store;
  expect(await compIds.assign('DESK-1', 'alice', { sourceTime: true, addresses: ['127.0.0.1', '::1'] })).toBe(true);
  expect(await compIds.assign('DESK-1', 'bob')).toBe(false);
  expect(await compIds.assign('DESK-1', 'alice', { discloseMargin: true, dropCopy: true })).toBe(true);
  expect(await compIds.read('DESK-1')).toEqual({
    compId: 'DESK-1',
    clientId: 'alice',
    addresses: ['127.0.0.1', '::1'],
    sourceTime: true,
    discloseMargin: true,
    discloseProviderRate: false,
    disclosePrice: false,
    dropCopy: true,
    depth: 'first',
  });
  expect(await compIds.read('UNKNOWN')).toBeUndefined();
  expect(await compIds.list('alice')).toEqual(['DESK-1']);
  expect(await compIds.remove('DESK-1', 'bob')).toBe(false);
  expect(await compIds.remove('DESK-1', 'alice')).toBe(true);
  expect(await compIds.read('DESK-1')).toBeUndefined();
});

test('the store contains no secret and no token', async () => {
  const { clients, keys, tokens, subKey } = running.store;
  await clients.create({ id: 'secretive', name: '', defaultType: 'PREFUNDING' });
  const issued = (await keys.issue('secretive', ['rates']))!;
  const rotated = await keys.rotate(issued.clientKey);
  if (typeof rotated !== 'object') throw new Error('not rotated');
  const { token } = await tokens.issue('secretive', issued.clientKey, ['rates']);
  const kept = await allText(running.redisUrl);
  expect(kept).toContain(issued.clientKey);
  const secret = [issued.clientSecret, rotated.clientSecret, token, subKey('secrets').toString('hex')];
  for (const text of secret) expect(kept).not.toContain(text);
});

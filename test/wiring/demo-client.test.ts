/** The demo client has all that it should, once, however often and wherever a start was killed. */
import { afterEach, describe, expect, test } from 'vitest';
import { formatMinor } from '../../engine/domain/money/money.js';
import type { Store } from '../../engine/store/store.js';
import { demoCredentials as provide, writeDemoFile } from '../../engine/wiring/demo-client.js';
import { startTestStore, type TestStore } from '../support/store.js';

const ACCOUNTS = [
  'AUD 1000000.00',
  'CHF 1000000.00',
  'EUR 1000000.00',
  'GBP 1000000.00',
  'INR 1000000.00',
  'JPY 100000000',
  'SGD 1000000.00',
  'USD 1000000.00',
];

/** The credentials, of a start that makes them. */
const demoCredentials = async (store: Store, dataDir: string) => {
  // On a cluster the store is one of REDIS_URL.
  const { credentials, skipped } = await provide(store, dataDir, store.kind === 'redis-url' ? 'yes' : undefined);
  if (skipped !== undefined || credentials === undefined) throw new Error(skipped);
  return credentials;
};

let opened: TestStore;
afterEach(() => opened.stop());

async function has(store: Store) {
  const client = (await store.clients.get('demo'))!;
  const balances = await store.accounts.balances(client);
  return {
    limit: client.scheduledLimit,
    accounts: balances.map(({ currency, balance }) => `${currency} ${formatMinor(balance, currency)}`),
    defaults: balances.filter(({ isDefault }) => isDefault).length,
    margins: (await store.margins.list('demo')).length,
    compIds: await store.compIds.list('demo'),
  };
}

const ALL = { limit: '1000000', accounts: ACCOUNTS, defaults: 8, margins: 5, compIds: ['DEMO1'] };

test('the first start opens accounts with money, and the next one changes nothing', async () => {
  opened = await startTestStore();
  const first = await demoCredentials(opened.store, opened.dataDir);
  expect(await has(opened.store)).toEqual(ALL);
  await demoCredentials(opened.store, opened.dataDir);
  expect(await has(opened.store)).toEqual(ALL);
  expect((await opened.store.keys.verify(first.client_key, first.client_secret))?.clientId).toBe('demo');
});

test('an operator gets a key that opens the live page and nothing else, and keeps it', async () => {
  opened = await startTestStore();
  const first = await demoCredentials(opened.store, opened.dataDir);
  const addresses = { fix: '127.0.0.1:1', rest: '127.0.0.1:2' };
  writeDemoFile(opened.dataDir, first, addresses);
  expect(await opened.store.keys.verify(first.operator_key, first.operator_secret)).toMatchObject({
    clientId: 'house',
    rights: ['operate'],
  });
  expect(await demoCredentials(opened.store, opened.dataDir)).toEqual(first);
  // A file without them: the client's stay, and the operator's are added.
  writeDemoFile(opened.dataDir, { ...first, operator_key: '', operator_secret: '' }, addresses);
  const completed = await demoCredentials(opened.store, opened.dataDir);
  expect(completed.client_secret).toBe(first.client_secret);
  expect((await opened.store.keys.verify(completed.operator_key, completed.operator_secret))?.clientId).toBe('house');
});

test('the audit log names the creator, and has no entry for a start that creates nothing', async () => {
  opened = await startTestStore();
  const { store, dataDir } = opened;
  const credentials = await demoCredentials(store, dataDir);
  const log = await store.auditLog.page(undefined, 0, 100);
  expect(log).toMatchObject([
    { kind: 'ended', outcome: 'done', after: { accounts: 8, margins: 5 }, made: credentials.client_key },
    { kind: 'asked', who: 'ratewire start', subject: 'client demo', before: undefined },
    { kind: 'chain' },
  ]);
  for (const secret of [credentials.client_secret, credentials.operator_secret])
    expect(JSON.stringify(log)).not.toContain(secret);
  writeDemoFile(dataDir, credentials, {});
  expect(await demoCredentials(store, dataDir)).toEqual(credentials);
  expect(await store.auditLog.page(undefined, 0, 100)).toEqual(log);
});

test('a client without accounts gets them, and keeps what was set', async () => {
  opened = await startTestStore();
  const { store } = opened;
  await store.clients.create({ id: 'demo', name: 'Demo client', defaultType: 'PREFUNDING' });
  await store.margins.set({ clientId: 'demo', pair: '*', type: '*', marginPpm: 7_700 });
  await store.compIds.assign('DEMO1', 'demo', { sourceTime: true });
  await demoCredentials(store, opened.dataDir);
  expect(await has(store)).toEqual({ ...ALL, margins: 1 });
  expect((await store.margins.list('demo'))[0]?.marginPpm).toBe(7_700);
  expect((await store.compIds.read('DEMO1'))?.sourceTime).toBe(true);
});

test('keeps the changes of an operator', async () => {
  opened = await startTestStore();
  const { store } = opened;
  await demoCredentials(store, opened.dataDir);
  const client = (await store.clients.get('demo'))!;
  await store.clients.setScheduledLimit('demo', '0');
  await store.margins.remove({ clientId: 'demo', pair: '*', type: '*' });
  const [aud] = await store.accounts.list(client);
  await store.accounts.change(client, aud!.number, { active: false });
  await store.accounts.open(client, { currency: 'EUR', label: '', autoBookFxSequence: 0, makeDefault: true });
  await demoCredentials(store, opened.dataDir);
  const kept = await has(store);
  expect(kept).toMatchObject({ limit: '0', margins: 4 });
  expect(kept.accounts.toSorted()).toEqual([...ACCOUNTS, 'EUR 0.00'].toSorted());
});

test('a start that was killed after any step is completed by the next one', async () => {
  opened = await startTestStore();
  const { store } = opened;
  // Steps are counted over the parts of the store that this writes with.
  let left = 0;
  const killable = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== 'function' || !/^(create|set|assign|open|credit|setScheduledLimit)$/.test(String(name)))
          return found;
        return async (...args: unknown[]) => {
          if (left-- === 0) throw new Error('killed');
          return Reflect.apply(found, target, args) as unknown;
        };
      },
    });
  const dying: Store = {
    ...store,
    clients: killable(store.clients),
    margins: killable(store.margins),
    compIds: killable(store.compIds),
    accounts: killable(store.accounts),
  };
  let kills = 0;
  for (let steps = 0; ; steps++) {
    left = steps;
    const finished = await demoCredentials(dying, opened.dataDir).then(
      () => true,
      () => false,
    );
    if (finished) break;
    kills++;
  }
  expect(kills).toBeGreaterThan(8);
  expect(await has(store)).toEqual(ALL);
});

describe('it is not made', () => {
  const nothing = async (store: Store) =>
    [await store.clients.get('demo'), await store.clients.get('house')].every((client) => client === undefined);

  test('on a store that was not started by ratewire, unless DEMO is yes', async () => {
    opened = await startTestStore();
    const store = await opened.another();
    expect(await provide(store, opened.dataDir)).toEqual({
      credentials: undefined,
      skipped: 'No demo client: the store at REDIS_URL was not started by ratewire; set DEMO=yes for a try.',
    });
    expect(await nothing(store)).toBe(true);
    expect((await provide(store, opened.dataDir, 'yes')).credentials?.client_key).toMatch(/^CK_/);
    expect((await provide(store, opened.dataDir)).skipped).toMatch(/There is one of an earlier start: .*disable demo/);
  });

  test('where DEMO is no', async () => {
    opened = await startTestStore();
    expect((await provide(opened.store, opened.dataDir, 'no')).skipped).toBe('No demo client: DEMO is no.');
    expect(await nothing(opened.store)).toBe(true);
  });

  test.each([undefined, 'yes'] as const)('beside another client, with DEMO=%s', async (demo) => {
    opened = await startTestStore();
    await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
    expect(await provide(opened.store, opened.dataDir, demo ?? (opened.cluster && 'yes'))).toEqual({
      credentials: undefined,
      skipped: 'No demo client: this store has other clients than demo and house.',
    });
    expect(await nothing(opened.store)).toBe(true);
  });

  test('again where another client has come since, and its credentials stay good', async () => {
    opened = await startTestStore();
    const first = await demoCredentials(opened.store, opened.dataDir);
    writeDemoFile(opened.dataDir, first, {});
    await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
    expect(await provide(opened.store, opened.dataDir, 'yes')).toMatchObject({ credentials: first });
  });

  test.each([
    ['demo', 'client_key', true],
    ['house', 'operator_key', true],
    ['demo', 'client_key', false],
  ] as const)('after the key of %s was revoked (%s, file there: %s)', async (clientId, name, isFileThere) => {
    opened = await startTestStore();
    const { store, dataDir } = opened;
    const first = await demoCredentials(store, dataDir);
    if (isFileThere) writeDemoFile(dataDir, first, {});
    await store.keys.revoke(first[name]);
    const { credentials, skipped } = await provide(store, dataDir, 'yes');
    expect(skipped).toMatch(/^No demo client: its key was revoked/);
    expect(credentials?.[name] ?? '').toBe('');
    expect((await store.keys.list(clientId)).filter(({ revoked }) => !revoked)).toEqual([]);
  });
});

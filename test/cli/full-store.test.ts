/** A store without free memory: the operator can read everything, and a rejected change names the remedy. */
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { type Filling, filling } from '../support/full-store.js';
import { ratewireOn } from '../support/ratewire.js';
import { notOnCluster, startTestStore, type TestStore } from '../support/store.js';

const test = anyTest.skipIf(notOnCluster('test/cli/full-store.test.ts', 'it fills one server'));

let opened: TestStore;
let fill: Filling;
let number: string;
beforeAll(async () => {
  opened = await startTestStore();
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  const acme = (await opened.store.clients.get('acme'))!;
  const account = { currency: 'EUR', label: '', autoBookFxSequence: 0, makeDefault: true };
  ({ number } = (await opened.store.accounts.open(acme, account))!);
  fill = await filling(opened.redisUrl, opened.store);
  await fill.to(1.05);
});
afterAll(async () => {
  await fill.restore();
  await opened.stop();
});

const ratewire = (...args: string[]) => ratewireOn(opened.dataDir).run(...args);

test.each([['clients', 'list'], ['audit'], ['reconcile'], ['sessions', 'list']])(
  '%s %s shows what there is',
  async (...args) => {
    const { code, out, err } = await ratewire(...args);
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toBe('');
  },
);

test('a credit is refused in one line that says what to do, and is not made', async () => {
  const { code, out, err } = await ratewire('accounts', 'credit', number, '1.00', '--reference', 'full');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^STORE_FULL: .*maxmemory.*\n$/);
});

test('a client is disabled all the same', async () => {
  const { code, err } = await ratewire('clients', 'disable', 'acme');
  expect([code, err]).toEqual([0, '']);
  expect((await opened.store.clients.get('acme'))?.disabled).toBe(true);
});

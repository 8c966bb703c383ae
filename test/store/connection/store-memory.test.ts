/** Memory usage of the store: measured against the server's limit, logged once, and not limited without one. */
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { type Filling, filling } from '../../support/full-store.js';
import { notOnCluster, SILENT, startTestStore, type TestStore } from '../../support/store.js';

const test = anyTest.skipIf(
  notOnCluster(
    'test/store/connection/store-memory.test.ts',
    'it is about the memory of one server; cluster-start.test.ts has its like',
  ),
);

let opened: TestStore;
let fill: Filling;
const warned: string[] = [];

beforeAll(async () => {
  opened = await startTestStore({
    log: { ...SILENT, warn: (_fields: object, text: string) => void warned.push(text) },
  });
  fill = await filling(opened.redisUrl, opened.store);
});
afterAll(() => opened.stop());

test.each([
  [0.85, false, ['at 95 % new commands are refused']],
  [0.97, true, ['new commands are refused; raise maxmemory']],
  [0.9, false, []],
  [0.97, true, []],
  [0.7, false, []],
  [0.85, false, ['at 95 % new commands are refused']],
])('at %f: full is %s, with this log', async (share, full, said) => {
  warned.length = 0;
  await fill.to(share);
  expect(opened.store.isFull()).toBe(full);
  expect(warned.length).toBe(said.length);
  for (const words of said) expect(warned[0]).toContain(words);
});

test('a store opened beside it knows at once; without a limit it is never full', async () => {
  await fill.to(0.97);
  const other = await opened.another();
  expect(other.isFull()).toBe(true);
  await fill.end();
  expect(opened.store.servers()).toMatchObject([{ memoryRatio: undefined }]);
  expect(opened.store.isFull()).toBe(false);
});

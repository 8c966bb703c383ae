/** Who runs the feed: an engine that cannot, although it has the lease, leaves it to another. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { type Rates, runFeed } from '../../../engine/roles/prices/feed-role.js';
import { FEED_LEASE } from '../../../engine/store/coordination/lease.js';
import { startServices, type TestServices } from '../../service/core/services.js';
import { SOON } from '../../support/until.js';

const TICKS = 'test/rates/data/fx-ticks-2014-05-06T12-15.csv';

const book = new RateBook();
const providers = () => book.providers().map(({ name }) => name);

let running: TestServices;
let rates: Rates | undefined;
beforeAll(async () => {
  running = await startServices();
});
afterAll(async () => {
  await rates?.stop();
  await running.stop();
});

test('the lease is left to others while the feed does not start, and taken when it does', async () => {
  const other = (await running.testStore.another()).lease(FEED_LEASE);
  expect(await other.acquire()).toBeDefined();
  const renewal = setInterval(() => void other.acquire(), 1_000);
  const errors: string[] = [];
  const log = { ...running.services.log, error: (_: object, text: string) => void errors.push(text) };
  const file = join(running.testStore.dataDir, 'ticks.csv');
  copyFileSync(TICKS, file);
  rates = await runFeed({ ...running.services, log, book }, `replay:${file}`);
  expect(rates.role).toBe('follows');
  expect(providers()).toEqual(['relay']);

  clearInterval(renewal);
  rmSync(file);
  await other.release();
  await vi.waitFor(() => expect(errors).toContain('the feed could not change hands'), SOON);
  expect(rates.role).toBe('follows');
  await vi.waitFor(async () => expect(await other.acquire()).toBeDefined(), SOON);

  copyFileSync(TICKS, file);
  await other.release();
  await vi.waitFor(() => expect(rates!.role).toBe('runs'), SOON);
  expect(await other.acquire()).toBeUndefined();
  // The survivor of a take-over has no series of the relay, which an alert would find down.
  expect(providers()).toEqual(['FXCM', 'OANDA', 'simulated']);
  await rates!.stop();
  expect([rates!.role, providers()]).toEqual(['follows', []]);
  rates = undefined;
});

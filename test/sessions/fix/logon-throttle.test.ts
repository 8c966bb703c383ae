/** Whose failed logons are counted together. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LogonThrottle } from '../../../engine/fix/session/throttles.js';
import { sessionAccess } from '../../../engine/service/sessions/index.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const NOW_MS = 1_700_000_000_000;
let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
});
afterAll(() => opened.stop());

test('of IPv6 a whole /64 is one address, at this gateway and at others', async () => {
  const here = new LogonThrottle(sessionAccess(opened));
  const elsewhere = new LogonThrottle(sessionAccess(opened));
  for (let i = 1; i <= 10; i++) {
    expect(here.isClosed(`2001:db8:1:2::${i}`, NOW_MS)).toBe(false);
    await here.failed(`2001:db8:1:2::${i}`, NOW_MS);
  }
  expect(here.isClosed('2001:db8:1:2:ffff::1', NOW_MS)).toBe(true);
  expect(await elsewhere.isClosedAnywhere('2001:db8:1:2:ffff::2', NOW_MS)).toBe(true);
  expect(elsewhere.isClosed('2001:db8:1:2:ffff::3', NOW_MS)).toBe(true);

  expect(here.isClosed('2001:db8:1:3::1', NOW_MS)).toBe(false);
  expect(await elsewhere.isClosedAnywhere('2001:db8:1:3::1', NOW_MS)).toBe(false);
  expect(here.isClosed('2001:db8:1:2::1', NOW_MS + 60_000)).toBe(false);
  expect(await elsewhere.isClosedAnywhere('2001:db8:1:2::1', NOW_MS + 60_000)).toBe(false);
});

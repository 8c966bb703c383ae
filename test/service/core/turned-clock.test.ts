/** A server of the store whose clock jumps while programs run: nothing settles, expires or is booked by its time. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { RELEASE_HOLD } from '../../../engine/store/conversions/holds.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { hostClockReasons } from '../../../engine/wiring/host-clock.js';
import { keyspaceReader } from '../../support/keyspace.js';
import { ratewireOn } from '../../support/ratewire.js';
import { notOnCluster, startTestStore, type TestStore } from '../../support/store.js';
import { type TurnedClock, turnedClock } from '../../support/turned-clock.js';
import { SOON } from '../../support/until.js';
import { startServices, type TestServices } from './services.js';

const HOUR_S = 3_600;
const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
const PAIR = { sellCurrency: 'EUR', buyCurrency: 'USD' };
const isSkipped = notOnCluster('test/service/core/turned-clock.test.ts', 'its relay is in front of one server');

describe.skipIf(isSkipped)('a clock that was turned', () => {
  let server: TestStore;
  let turned: TurnedClock;
  let on: TestServices;
  beforeAll(async () => {
    server = await startTestStore();
    turned = await turnedClock(server.redisUrl);
    const store = { redisUrl: turned.redisUrl, dataDir: server.dataDir };
    on = await startServices(() => Date.now(), { store, rates: { now: () => 0 } });
    await must('createClient', { id: 'acme', name: 'Acme' }, undefined);
    await must('setScheduledLimit', { clientId: 'acme', limit: '1000000' }, undefined);
    await must('setMargin', { clientId: '*', pair: '*', type: '*', margin: '0.25' }, undefined);
    await on.loadMargins();
    on.tick('EUR/USD', '1.08158', '1.08164');
    for (const currency of ['EUR', 'USD']) {
      const { number } = await must('openAccount', { clientId: 'acme', currency }, undefined);
      if (currency === 'EUR') await must('creditAccount', { accountNumber: number, amount: '1000.00' }, undefined);
    }
  });
  afterAll(async () => {
    await on?.stop();
    turned?.stop();
    await server?.stop();
  });

  async function must<Name extends AnyOperationName>(
    name: Name,
    input: object,
    as: typeof caller | undefined,
  ): Promise<OutputOf<Name>> {
    const answer = await perform(on.services, name, as, input);
    if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
    return answer;
  }
  let orders = 0;
  const order = (more: object = {}) => ({
    ...PAIR,
    sellAmount: 10,
    requestId: `turned-clock-${++orders}`,
    description: 'a test',
    ...more,
  });
  const reasons = () => hostClockReasons(on.services.store.clock);
  const isTurned = (is: boolean) => vi.waitFor(() => expect(on.services.store.clock.turnedMs() !== 0).toBe(is), SOON);
  const refusedByClock = (name: AnyOperationName, input: object) =>
    expect(perform(on.services, name, caller, input)).resolves.toMatchObject({
      refusal: 'STORE_UNAVAILABLE',
      outcome: 'none',
      text: expect.stringContaining('clock'),
    });

  test.each([
    ['51 hours ahead', 51 * HOUR_S],
    ['3 hours ahead', 3 * HOUR_S],
    ['3 hours back', -3 * HOUR_S],
    ['61 seconds ahead', 61],
  ])('by %s refuses what settles, expires or books, until it is right again', async (_what, seconds) => {
    const { store } = on.services;
    const client = (await store.clients.get('acme'))!;
    const { token } = await store.tokens.issue('acme', 'CK_AAAAAAAAAAAAAAAAAAAAAAAA', ['rates']);
    const scheduled = await must('bookFxByCurrency', order({ type: 'SCHEDULED1' }), caller);
    const offer = await must('getLockableRate', PAIR, caller);
    const { hold } = await must('lockRate', { rateSignature: offer.rateSignature }, caller);
    const late = await must('getLockableRate', PAIR, caller);
    const balances = await store.accounts.balances(client);
    expect(reasons()).toEqual([]);

    turned.by(seconds);
    await isTurned(true);
    expect(reasons()).toEqual([expect.stringContaining(seconds > 0 ? 'was turned ahead' : 'was turned back')]);
    await refusedByClock('bookFxByCurrency', order());
    await refusedByClock('bookFxByCurrency', order({ holdId: hold.id }));
    await refusedByClock('lockRate', { rateSignature: late.rateSignature });
    expect(await settleDue(on.services, 100)).toMatchObject({ settled: 0, overdue: 0, expired: 0 });
    expect(await store.accounts.balances(client)).toEqual(balances);
    expect(await store.tokens.read(token)).toMatchObject({ state: 'live' });
    expect((await store.bookings.read(client, scheduled.booking.id))!.status).toBe('OPEN');

    turned.by(0);
    await isTurned(false);
    expect(reasons()).toEqual([]);
    expect(await must('bookFxByCurrency', order({ holdId: hold.id }), caller)).toHaveProperty('booking');
  });

  test('is followed in small steps that it may have', async () => {
    turned.by(50);
    await vi.waitFor(() => expect(on.services.store.clock.hostAheadMs()).toBeLessThan(-45_000), SOON);
    expect(on.services.store.clock.turnedMs()).toBe(0);
    // Not from there on: by 100 seconds altogether.
    turned.by(100);
    await isTurned(true);
    turned.by(0);
    await isTurned(false);
  });

  test('is accepted by one command, in every process', async () => {
    turned.by(3 * HOUR_S);
    await isTurned(true);
    const ratewire = ratewireOn(server.dataDir, { REDIS_URL: server.redisUrl });
    expect(await ratewire.run('store', 'clock', '--accept')).toMatchObject({ code: 0 });
    await isTurned(false);
    // By the process's own comparison: the server itself was never turned here.
    await vi.waitFor(() => expect(reasons()).toEqual([expect.stringContaining('behind')]), SOON);
    turned.by(0);
    await isTurned(true);
    await must('acceptClock', { reason: 'as it was' }, undefined);
    await isTurned(false);
    expect(await must('bookFxByCurrency', order(), caller)).toHaveProperty('booking');
  });

  test('is found by a step before any comparison, to the minute', async () => {
    const client = (await on.services.store.clients.get('acme'))!;
    const keys = ledgerKeys(client);
    const { redis, close } = keyspaceReader(server.redisUrl);
    const [names, args] = RELEASE_HOLD.order(
      { hold: keys.hold('HLD0000000000009'), openHolds: keys.openHolds, due: keys.due },
      { holdId: 'HLD0000000000009', dueEntry: 'x', keptMs: 1 },
    );
    const release = (aheadMs: number) => {
      args[0] = String(Date.now() + aheadMs);
      return redis.eval(RELEASE_HOLD.text, names.length, ...names, ...args);
    };
    for (const ms of [-70_000, 70_000]) await expect(release(ms)).rejects.toThrow('CLOCK_TURNED');
    for (const ms of [-50_000, 50_000]) expect(await release(ms)).toEqual(['refused', 'HOLD_NOT_FOUND', '', '']);
    close();
  });
});

test('of what counts for a day or a week, each key is kept for seven days more', async () => {
  const on = await startTestStore();
  const { redis, close } = keyspaceReader(on.redisUrl);
  try {
    const client = (await on.store.clients.create({ id: 'acme', name: 'acme', defaultType: 'PREFUNDING' }))!;
    const { tokenHash } = await on.store.tokens.issue('acme', 'CK_AAAAAAAAAAAAAAAAAAAAAAAA', ['rates']);
    const DAY_MS = 86_400_000;
    for (const key of [`token:${tokenHash}`, 'client-tokens:acme'])
      expect(await redis.pttl(key)).toBeGreaterThan(7.9 * DAY_MS);
    const receipt = ledgerKeys(client).receipt('request-1');
    await redis.set(receipt, '1|refusal|MARKET_CLOSED|x||', 'PX', 7 * DAY_MS + 60_000);
    expect(await on.store.bookings.receipt(client, 'request-1')).toMatchObject({ kind: 'refused' });
    // Its own seven days are over: it no longer counts.
    await redis.pexpire(receipt, 7 * DAY_MS - 60_000);
    expect(await on.store.bookings.receipt(client, 'request-1')).toBeUndefined();
  } finally {
    close();
    await on.stop();
  }
});

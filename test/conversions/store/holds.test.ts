import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Hold } from '../../../engine/domain/conversions/booking.js';
import { REST_OWNER } from '../../../engine/store/conversions/holds.js';
import { type ClientSteps, type LedgerSteps, NOW, OFFERED, startLedgerSteps } from '../../store/ledger/ledger-steps.js';

let on: LedgerSteps;
let clients = 0;
let holds = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const DAY_MS = 86_400_000;
beforeEach(() => {
  on.now = NOW;
});
const someone = () => on.client(`client-${++clients}`);
const newHold = (client: ClientSteps, more: Partial<Hold> = {}) =>
  client.hold(`HLD${String(++holds).padStart(13, '0')}`, more);

interface Asked {
  readonly isClosed?: boolean;
  readonly quoteRequestId?: string;
  readonly openMax?: number;
  readonly untilMs?: number;
}
const take = (client: ClientSteps, hold: Hold, asked: Asked = {}) =>
  on.store.holds.lock(client.of, { hold, ...OFFERED, untilMs: on.now + 30_000, openMax: 3, ...asked });
const release = (client: ClientSteps, id: string) => on.store.holds.release(client.of, id);
const book = (client: ClientSteps, holdId: string) => on.store.bookings.book(client.of, client.step({ holdId }));
const expire = (client: ClientSteps, id: string) => on.store.dueQueue.expireHold(client.of, id, 'DESK1');
const statusOf = async (client: ClientSteps, id: string) => (await on.store.holds.read(client.of, id))?.status;

describe('locking a rate', () => {
  test('keeps the agreed rate until its expiry, and registers it for its session', async () => {
    const client = await someone();
    const hold = newHold(client, { amount: { side: 'sell', minor: '10000' }, quoteRequestId: 'Q1' });
    expect(await take(client, hold, { quoteRequestId: 'Q1' })).toEqual({
      kind: 'held',
      isNew: true,
      held: { ...hold, status: 'open' },
    });
    expect(await on.store.holds.read(client.of, hold.id)).toEqual({ ...hold, status: 'open', usd: '100' });
    expect(await client.due(`hold:${client.of.id}:${hold.id}`)).toBe(String(hold.expiryMs));
    expect(await on.store.holds.requested(client.of, 'DESK1', 'Q1')).toBe(hold.id);
    const kept = await on.keyspace.redis.pttl(client.keys.hold(hold.id));
    expect(kept).toBeGreaterThan(7 * DAY_MS);
    expect(kept).toBeLessThanOrEqual(7 * DAY_MS + 30_000);
  });

  test('by REST notifies no session of its expiry, and no CompID equals that owner', async () => {
    const client = await someone();
    const hold = newHold(client, { owner: REST_OWNER });
    await take(client, hold);
    expect(await client.due(`hold:${client.of.id}:${hold.id}`)).toBeNull();
    await expect(on.store.compIds.assign(REST_OWNER, client.of.id)).rejects.toThrow('not a CompID');
  });

  // In the order of checks; each row's request also meets the conditions of the later rows.
  test.each([
    ['a request that has a hold', { quoteRequestId: 'first' }, 'known', 'duplicate'],
    ['the same hold again', {}, 'known', 'held'],
    ['an offer whose time is over', { isClosed: false, untilMs: NOW - 1 }, 'new', 'late'],
    ['an offer that may not be taken', {}, 'new', 'late'],
    ['too many open', { isClosed: false }, 'new', 'limit'],
  ] as const)('%s', async (_, asked, which, kind) => {
    const client = await someone();
    const known = newHold(client);
    await take(client, known, { quoteRequestId: 'first' });
    for (let i = 1; i < 3; i++) await take(client, newHold(client));
    const before = await on.keyspace.read();
    const answer = await take(client, which === 'known' ? known : newHold(client), { isClosed: true, ...asked });
    expect(answer.kind).toBe(kind);
    if (kind === 'duplicate') expect(answer).toEqual({ kind, holdId: known.id });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test("an owner has a limited number of open holds; expired ones make room, and others' do not count", async () => {
    const client = await someone();
    const mine = [newHold(client), newHold(client), newHold(client, { expiryMs: NOW + 20_000 })];
    for (const hold of mine) expect((await take(client, hold)).kind).toBe('held');
    const refused = async () => (await take(client, newHold(client, { expiryMs: NOW + 90_000 }))).kind;
    expect(await refused()).toBe('limit');
    expect((await take(client, newHold(client, { owner: 'DESK10' }))).kind).toBe('held');
    expect((await take(client, newHold(client, { owner: REST_OWNER }))).kind).toBe('held');
    on.now = NOW + 20_001;
    expect(await refused()).toBe('held');
    expect(await refused()).toBe('limit');
    await release(client, mine[0]!.id);
    expect(await refused()).toBe('held');
    await client.open('EUR', 10_000n);
    await client.open('USD');
    expect((await book(client, mine[1]!.id)).kind).toBe('booked');
    expect(await refused()).toBe('held');
    expect(await refused()).toBe('limit');
  });
});

describe('a hold ends once', () => {
  const ENDS = [
    // how it ended, then: booking, release
    ['used', 'HOLD_USED', 'HOLD_USED'],
    ['released', 'HOLD_EXPIRED', 'released'],
    ['expired', 'HOLD_EXPIRED', 'HOLD_EXPIRED'],
    ['withdrawn', 'HOLD_EXPIRED', 'HOLD_EXPIRED'],
    ['past its time', 'HOLD_EXPIRED', 'HOLD_EXPIRED'],
    ["another client's", 'HOLD_NOT_FOUND', 'HOLD_NOT_FOUND'],
    ['unknown', 'HOLD_NOT_FOUND', 'HOLD_NOT_FOUND'],
  ] as const;

  test.each(ENDS)('%s: booked %s, released %s', async (end, booked, released) => {
    const client = await someone();
    await client.open('EUR', 100_000n);
    await client.open('USD');
    const hold = newHold(client);
    const holder = end === "another client's" ? await someone() : client;
    if (end !== 'unknown') await take(holder, hold);
    const later = hold.expiryMs + 1;
    if (end === 'used') await book(client, hold.id);
    if (end === 'released') await release(client, hold.id);
    if (end === 'withdrawn')
      expect(await on.store.holds.revoke(client.of, hold.id, 'DESK1', 'TRADING_HALTED')).toBe(true);
    if (end === 'expired' || end === 'past its time') on.now = later;
    if (end === 'expired') expect(await expire(client, hold.id)).toBe(true);

    const before = await on.keyspace.read();
    const more = {
      expired: hold.expiryMs,
      'past its time': hold.expiryMs,
      released: 'released',
      withdrawn: 'withdrawn',
    };
    expect(await book(client, hold.id)).toEqual({
      ...{ kind: 'refused', code: booked, text: '' },
      more: end in more ? `${hold.id} ${more[end as 'expired']}` : '',
    });
    const answer = await release(client, hold.id);
    expect(answer.kind === 'refused' ? answer.code : answer.kind).toBe(released);
    expect(await on.store.holds.revoke(client.of, hold.id, 'DESK1', 'TRADING_HALTED')).toBe(false);
    if (end !== 'past its time') expect(await expire(client, hold.id)).toBe(false);
    expect(await on.keyspace.read()).toEqual(before);
    const kept = await on.keyspace.redis.pttl(holder.keys.hold(hold.id));
    if (end !== 'unknown') expect(kept).toBeGreaterThan(7 * DAY_MS - 60_000);
  });

  test.each([
    [-10_000, 'booked'],
    [1, 'refused'],
  ])('booked %d ms after its expiry by the clock of the store: %s', async (after, kind) => {
    const client = await someone();
    await client.open('EUR', 100_000n);
    await client.open('USD');
    const hold = newHold(client);
    await take(client, hold);
    // The session is notified of the expiry only when the hold can no longer be booked.
    expect(await expire(client, hold.id)).toBe(false);
    on.now = hold.expiryMs + after;
    expect((await book(client, hold.id)).kind).toBe(kind);
    expect(await statusOf(client, hold.id)).toBe(kind === 'booked' ? 'used' : 'open');
    expect(await client.due(`hold:${client.of.id}:${hold.id}`)).toBe(kind === 'booked' ? null : String(hold.expiryMs));
  });

  test('of a hundred concurrent bookings of one hold, by two processes, one is made', async () => {
    const client = await someone();
    const eur = await client.open('EUR', 10_000_000n);
    await client.open('USD');
    const hold = newHold(client);
    await take(client, hold);
    const stores = [on.store, await on.testStore.another()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => stores[i % 2]!.bookings.book(client.of, client.step({ holdId: hold.id }))),
    );
    const outcomes = answers.map((answer) => ('code' in answer ? answer.code : answer.kind));
    expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'HOLD_USED')).toHaveLength(99);
    expect((await client.balances())[`EUR/${eur}`]).toBe('9990000');
    expect(await on.keyspace.redis.exists(client.keys.openHolds)).toBe(0);
  });

  test('of concurrent booking, release and expiry one applies', async () => {
    const client = await someone();
    await client.open('EUR', 10_000_000n);
    await client.open('USD');
    for (let i = 0; i < 20; i++) {
      const hold = newHold(client);
      await take(client, hold);
      if (i % 2) on.now = hold.expiryMs - 1;
      const [booked, released, expired] = await Promise.all([
        book(client, hold.id),
        release(client, hold.id),
        expire(client, hold.id),
      ]);
      on.now = NOW;
      expect([booked.kind === 'booked', released.kind === 'released', expired].filter(Boolean)).toHaveLength(1);
    }
  });
});

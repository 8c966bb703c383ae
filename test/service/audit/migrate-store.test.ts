/** A store of form 1 is converted once, whatever interrupts it, and only while nothing runs and all of it agrees. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/booking.js';
import { perform } from '../../../engine/service/core/perform.js';
import { settleDue } from '../../../engine/service/schedule/settle-due.js';
import { factsHash } from '../../../engine/store/connection/fields.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { placeOf } from '../../../engine/store/ledger/lists.js';
import { openStore } from '../../../engine/store/store.js';
import { PATIENT, SILENT } from '../../support/store.js';
import { readStoredBooking, removeBooking, rewriteJournal } from '../../support/stored.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../ledger-rig.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const FINGERPRINT = 'A'.repeat(43);

let rig: LedgerRig;
let acme: RigClient;
let keys: LedgerKeys;
let booked: Booking[];

beforeEach(async () => {
  rig = await startLedgerRig(MONDAY, { migrates: true });
  acme = await rig.client('acme', { EUR: '1000.00', USD: '0', JPY: '0' }, '100000');
  keys = ledgerKeys((await rig.services.store.clients.get('acme'))!);
  const settled = await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  const cancelled = await acme.book('EUR/USD', 11, { type: 'SCHEDULED1' });
  await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: cancelled.id });
  rig.now += 3 * DAY_MS;
  await settleDue(rig.services, 100);
  const open = await acme.book('EUR/USD', 12, { type: 'SCHEDULED2', description: 'a | b' });
  const atOnce = await acme.book('EUR/JPY', 13);
  const all = [settled, cancelled, open, atOnce];
  // Release 0.1.0 did not keep when a conversion was cancelled.
  booked = await Promise.all(all.map(async ({ id }) => ({ ...(await acme.read(id))!, cancelledAtMs: undefined })));
});
afterEach(() => rig.stop());

/** Stores the conversions and receipts as form 1 had them. */
async function toForm1(): Promise<void> {
  const { redis } = rig;
  const hashes = new Map<string, string>();
  for (const booking of booked) {
    const { status, sellAccount, buyAccount, settledAtMs, closeOut: _, cancelledAtMs: _at, ...facts } = booking;
    const { entry } = (await readStoredBooking(redis, keys, booking.id))!;
    const text = JSON.stringify(facts);
    hashes.set(entry, factsHash(text));
    await removeBooking(redis, keys, booking.id);
    const settledAt = settledAtMs === undefined ? '' : String(settledAtMs);
    const fields = { facts: text, status, sellAccount, buyAccount, settledAt, journal: entry };
    await redis.hset(acme.key(`booking:${booking.id}`), fields);
    await redis.zadd(acme.key('index:bookings'), 0, placeOf(booking.createdAtMs, booking.id));
    const receipt = keys.receipt(booking.requestId);
    await redis.del(receipt);
    // Receipts of 0.1.0 do not state the type.
    await redis.hset(receipt, { fingerprint: FINGERPRINT, booking: booking.id });
    await redis.pexpire(receipt, 5 * DAY_MS);
  }
  const refused = { fingerprint: FINGERPRINT, refusal: 'LIMIT_NOT_MET', text: 'a | b', more: '', type: 'PREFUNDING' };
  await redis.hset(keys.receipt('refused'), refused);
  await redis.pexpire(keys.receipt('refused'), DAY_MS);
  await rewriteJournal(redis, keys.journal, (one) => ({ ...one, hash: hashes.get(one.entry) ?? one.hash }));
  await toForm2();
  await redis.del('store:form');
}

/** A store without positions. */
async function toForm2(): Promise<void> {
  const all = await rig.redis.keys('{s??}*:position');
  expect(all).toHaveLength(2);
  await rig.redis.del(...all);
  await rig.redis.set('store:form', '2');
}

/** Of the client and of its shard, without lines that are 0. */
async function positions() {
  const hashes = [keys.position, `${keys.position.slice(0, 5)}:position`].map(async (key) => {
    const { folded: _, last: __, ...lines } = await rig.redis.hgetall(key);
    return Object.fromEntries(Object.entries(lines).filter(([, value]) => value !== '0 0 0'));
  });
  return Promise.all(hashes);
}

const open = (migrates = false) =>
  openStore({
    ...{ redisUrl: rig.opened.redisUrl, dataDir: rig.opened.dataDir, own: 'start-if-absent', log: SILENT, migrates },
    ...PATIENT,
    masterKey: undefined,
  });

async function differences(): Promise<string[]> {
  return (await rig.ask('reconcile', {})).differences.map(({ what, found }) => `${what}: ${found}`);
}

test('conversions and receipts are converted, and answer as before', async () => {
  const before = await positions();
  await toForm1();
  await expect(open()).rejects.toThrow(/earlier release: .*ratewire store migrate/);
  const answer = await rig.ask('migrateStore', {});
  expect(answer).toMatchObject({ found: 'earlier', clients: 1, bookings: 4, receipts: 5 });
  expect(await differences()).toEqual([]);
  expect(await positions()).toEqual(before);
  for (const booking of booked) expect(await acme.read(booking.id)).toEqual(booking);
  expect(await rig.redis.keys('{s??}:client:acme:booking:*')).toEqual([]);
  expect(await rig.redis.exists(acme.key('index:bookings'))).toBe(0);
  const [first] = booked;
  const prints = FINGERPRINT.slice(0, 22);
  expect(await rig.redis.get(keys.receipt(first!.requestId))).toBe(`2|booking|${first!.id}|${prints}|SCHEDULED1`);
  expect(await rig.redis.pttl(keys.receipt(first!.requestId))).toBeGreaterThan(4.9 * DAY_MS);
  const client = (await rig.services.store.clients.get('acme'))!;
  const page = await rig.services.store.lists.page(client, 'bookings', {}, undefined, 10);
  expect(page.map(({ id }) => id)).toEqual(
    booked
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  await (await open()).close();
  expect(await rig.ask('migrateStore', {})).toMatchObject({ found: 'current', bookings: 0, receipts: 0 });
});

test('an interrupted conversion keeps programs out, and is continued', async () => {
  await toForm1();
  const { migration } = rig.services.store;
  await migration.begin();
  // Some of the keys: as a process that was killed leaves it.
  const first = acme.key(`booking:${booked[0]!.id}`);
  const away = await rig.redis.hgetall(acme.key(`booking:${booked[1]!.id}`));
  await rig.redis.del(acme.key(`booking:${booked[1]!.id}`));
  for (let cursor = '0', more = true; more; ) {
    const page = await migration.convert(cursor, 1_000);
    cursor = page.cursor;
    more = cursor !== '0';
  }
  expect(await rig.redis.exists(first)).toBe(0);
  await rig.redis.hset(acme.key(`booking:${booked[1]!.id}`), away);
  await expect(open()).rejects.toThrow(/has not ended: run `ratewire store migrate` again/);
  expect(await rig.ask('migrateStore', {})).toMatchObject({ found: 'unfinished', bookings: 1, receipts: 0 });
  for (const booking of booked) expect(await acme.read(booking.id)).toEqual(booking);
  await (await open()).close();
});

describe('is refused, and converts nothing', () => {
  afterEach(async () => {
    expect(await rig.redis.exists(acme.key(`booking:${booked[3]!.id}`))).toBe(1);
    expect(await rig.redis.get('store:form')).toBeNull();
  });

  test('while a program runs', async () => {
    await toForm1();
    const other = await open(true);
    await other.ports.join({ program: 'engine desk-host:1', modes: {}, sandboxes: [], onOther() {} });
    await expect(rig.ask('migrateStore', {})).rejects.toThrow(/WRONG_STATE: Running: engine desk-host:1\. Stop every/);
    await other.close();
  });

  test('while an engine of 0.1.0 runs, which registers nowhere', async () => {
    await toForm1();
    await rig.redis.set('lease:feed', 'one', 'PX', 60_000);
    await expect(rig.ask('migrateStore', {})).rejects.toThrow('WRONG_STATE: An engine runs');
  });

  test('for a store that does not agree with itself', async () => {
    await toForm1();
    await rig.redis.hset(acme.key(`booking:${booked[0]!.id}`), 'status', 'OPEN');
    await expect(rig.ask('migrateStore', {})).rejects.toThrow(
      new RegExp(
        `WRONG_STATE: client acme: booking ${booked[0]!.id}: status: expected SETTLED, found OPEN.*nothing was converted`,
      ),
    );
  });

  test('for a record that cannot be read', async () => {
    await toForm1();
    await rig.redis.hset(acme.key(`booking:${booked[0]!.id}`), 'facts', '{');
    await expect(rig.ask('migrateStore', {})).rejects.toThrow(`WRONG_STATE: client acme: booking ${booked[0]!.id}`);
  });
});

test('positions of a store of form 2 are built from its conversions, also after an interruption', async () => {
  const scheduled = await acme.book('EUR/USD', 5, { type: 'SCHEDULED2' });
  await rig.ask('correctBooking', { clientId: 'acme', confirmationId: scheduled.id, amount: '6', reason: 'x' });
  const busted = await acme.book('EUR/USD', 14);
  await rig.ask('bustBooking', { clientId: 'acme', confirmationId: busted.id, reason: 'x' });
  const before = await positions();
  await toForm2();
  await expect(open()).rejects.toThrow(/earlier release: .*ratewire store migrate/);
  // Killed between the client and its shard.
  const { services } = rig;
  let written = 0;
  const replace: typeof services.store.positions.replace = async (...given) => {
    if (++written > 1) throw new Error('killed');
    await services.store.positions.replace(...given);
  };
  const store = { ...services.store, positions: { ...services.store.positions, replace } };
  await expect(perform({ ...services, store }, 'migrateStore', undefined, {})).rejects.toThrow('killed');
  await expect(open()).rejects.toThrow(/has not ended: run `ratewire store migrate` again/);
  await rig.redis.hset(keys.position, 'EUR/USD|20280101|Bb', '1 2 3');

  expect(await rig.ask('migrateStore', {})).toMatchObject({ found: 'unfinished', clients: 1, bookings: 0 });
  expect(await positions()).toEqual(before);
  expect(await rig.redis.hget(keys.position, 'folded')).toMatch(/^202805\d\d$/);
  expect(await rig.redis.get('store:form')).toBe('3');
  expect(await differences()).toEqual([]);
  await (await open()).close();
  await acme.book('EUR/USD', 5);
  expect(await differences()).toEqual([]);
});

test('an abandoned conversion leaves a store of form 2 as it was', async () => {
  await toForm2();
  await rig.redis.set('lease:feed', 'one', 'PX', 60_000);
  await expect(rig.ask('migrateStore', {})).rejects.toThrow('WRONG_STATE: An engine runs');
  expect(await rig.redis.get('store:form')).toBe('2');
});

test('a store of a later form is refused, and not converted', async () => {
  await rig.redis.set('store:form', '4');
  await expect(open()).rejects.toThrow(
    /is of a later form than 3, .* install the newest release, .*`ratewire store migrate`/,
  );
  await expect(rig.ask('migrateStore', {})).rejects.toThrow('WRONG_STATE: The store is of a later form');
  expect(await rig.redis.get('store:form')).toBe('4');
});

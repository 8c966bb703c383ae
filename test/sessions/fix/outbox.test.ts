/** An outbox entry is delivered to its desk whatever fails between booking and report: once, or with PossResend(97). */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { Desk } from '../../../engine/fix/desk.js';
import { OpenOrders } from '../../../engine/fix/orders/orders.js';
import { Outbox, outboxRenderers } from '../../../engine/fix/session/outbox.js';
import { perform } from '../../../engine/service/perform.js';
import { sessionAccess } from '../../../engine/service/sessions/index.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../fix/trader.js';
import type { Fields, Received } from '../../support/desk.js';

let rig: Rig;
let redis: Redis;
beforeAll(async () => {
  const began = Date.now();
  rig = await startRig({ now: () => Date.parse('2026-11-20T08:00:00Z') + Date.now() - began });
  redis = new Redis(rig.redisUrl);
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(async () => {
  redis.disconnect();
  await rig.stop();
});

let booked = 0;
/** As the engine that holds the desk's session books, up to the moment before the report: its id. */
async function bookUnreported(of: Trader): Promise<string> {
  const caller = { clientId: of.id, keyId: of.clientKey, rights: new Set(RIGHTS) };
  const answer = await perform(rig.services, 'bookFxByCurrency', caller, {
    requestId: `O${++booked}`,
    description: 'x',
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    buyAmount: 10,
    session: of.compId,
  });
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer.booking.id;
}

async function outboxOf(of: Trader): Promise<string> {
  const { shard } = (await rig.services.store.clients.get(of.id))!;
  return `{s${String(shard).padStart(2, '0')}}:fix:FXENGINE:${of.compId}:outbox`;
}
const waiting = async (of: Trader) => redis.xlen(await outboxOf(of));
const notify = (of: Trader) => redis.publish('fix:outbox', of.compId);
const hangUp = async ({ desk }: Pick<Trader, 'desk'>) => {
  desk.send('5', []);
  await desk.untilClosed();
};
const reportsOf = ({ desk }: Pick<Trader, 'desk'>): Received[] =>
  desk.received.filter((message) => message.get(35) === '8' && message.get(150) === 'F');

describe('a report', () => {
  test('that has a number and was not received is asked for, and comes once', async () => {
    const acme = await startTrader(rig, 'numbered');
    acme.desk.stopReading();
    acme.order({ 11: 'N1' });
    await expect.poll(async () => (await acme.money()).journal).toBe(3);
    await expect.poll(() => waiting(acme)).toBe(0);
    acme.desk.close();

    const back = await logonAgain(rig, acme);
    back.desk.send('2', [
      [7, 2],
      [16, 0],
    ]);
    const again = await back.report('N1');
    expect([43, 97, 150, 39].map((tag) => again.get(tag))).toEqual(['Y', undefined, 'F', '2']);
    await back.desk.settle();
    expect(reportsOf(back)).toHaveLength(1);
  });

  test.each(['with its numbers', 'at 1'] as const)(
    'that never had a number comes at the next logon %s',
    async (how) => {
      const acme = await startTrader(rig, `unreported${how.length}`);
      await hangUp(acme);
      const id = await bookUnreported(acme);
      const back = await logonAgain(rig, acme, how);
      const report = await back.report(`O${booked}`);
      expect([37, 97, 43, 150, 39].map((tag) => report.get(tag))).toEqual([id, 'Y', undefined, 'F', '2']);
      await expect.poll(() => waiting(acme)).toBe(0);
      await hangUp(back);
      const later = await logonAgain(rig, { ...acme, desk: back.desk });
      await later.desk.settle();
      expect(reportsOf(later)).toEqual([]);
    },
  );

  test('of an engine that was killed comes from the one that takes the session over', async () => {
    const acme = await startTrader(rig, 'killed');
    await hangUp(acme);
    const dying = await startRig({ beside: rig });
    const there = await logonAgain(dying, acme);
    await bookUnreported(acme);
    // From here on nothing that it does reaches the store: neither what it has read, nor a number, nor a message.
    await dying.services.store.close();
    there.desk.close();

    const back = await logonAgain(rig, { ...acme, desk: there.desk });
    const report = await back.report(`O${booked}`);
    expect([report.get(97), report.get(150)]).toEqual(['Y', 'F']);
    expect(Number(report.get(34))).toBeGreaterThan(10_000);
    await expect.poll(() => waiting(acme)).toBe(0);
    await dying.stop();
  });

  test('is sent to a logged-on desk at a notification', async () => {
    const acme = await startTrader(rig, 'rung');
    await acme.desk.settle();
    const id = await bookUnreported(acme);
    await notify(acme);
    const report = await acme.report(`O${booked}`);
    expect([37, 97, 150].map((tag) => report.get(tag))).toEqual([id, undefined, 'F']);
  });

  test('is delivered within about ten seconds when the notification is lost', async () => {
    const acme = await startTrader(rig, 'unheard');
    await acme.desk.settle();
    await bookUnreported(acme);
    await expect.poll(() => reportsOf(acme).length, { timeout: 120_000 }).toBe(1);
  });

  test('is sent once, though it is read from the outbox while its order is being answered', async () => {
    const acme = await startTrader(rig, 'once');
    await acme.desk.settle();
    const ids = Array.from({ length: 40 }, (_, i) => `T${i}`);
    for (const id of ids) {
      acme.order({ 11: id });
      for (let i = 0; i < 3; i++) await notify(acme);
    }
    for (const id of ids) await acme.report(id);
    await expect.poll(() => waiting(acme)).toBe(0);
    await notify(acme);
    await acme.desk.settle();
    expect(
      reportsOf(acme)
        .map((report) => report.get(11))
        .sort(),
    ).toEqual(ids.sort());
    expect(reportsOf(acme).map((report) => report.get(97))).toEqual(ids.map(() => undefined));
  });

  test('of a session that another engine has claimed is not sent here; the connection closes without a Logout(5)', async () => {
    const acme = await startTrader(rig, 'unkept');
    await acme.desk.settle();
    const id = await bookUnreported(acme);
    await redis.hincrby((await outboxOf(acme)).replace(/:outbox$/, ''), 'epoch', 1);
    await notify(acme);
    await acme.desk.untilClosed();
    expect([reportsOf(acme), acme.desk.count('5')]).toEqual([[], 0]);
    expect(await waiting(acme)).toBe(1);
    const back = await logonAgain(rig, acme);
    const again = await back.report(`O${booked}`);
    expect([again.get(37), again.get(97)]).toEqual([id, 'Y']);
    await expect.poll(() => waiting(acme)).toBe(0);
  });
});

describe('the answer to an order and the outbox report the same entry', () => {
  /** An outbox whose desk takes what it is sent and whose entries stay, as when the store is slow to take them out. */
  async function slowOutbox(name: string) {
    const acme = await startTrader(rig, name);
    await hangUp(acme);
    const { shard } = (await rig.services.store.clients.get(acme.id))!;
    const sent: string[] = [];
    const session = {
      loggedOn: true,
      congested: false,
      send: (_type: string, _fields: Fields, id: string) => sent.push(id),
    };
    const identity = { compId: acme.compId, shard, caller: { clientId: acme.id } };
    const sessions = sessionAccess(rig.services);
    const outbox = new Outbox(sessions, rig.services.log, outboxRenderers(sessions, new OpenOrders()));
    outbox.opened({ session, identity } as unknown as Desk);
    await outbox.drain(acme.compId);
    const book = async () => {
      await bookUnreported(acme);
      const [[id]] = (await redis.xrevrange(await outboxOf(acme), '+', '-', 'COUNT', 1)) as [[string, string[]]];
      return id;
    };
    const answer = (id: string) => outbox.send(acme.compId, [], id);
    return { book, answer, drain: () => outbox.drain(acme.compId), sent };
  }

  test('the outbox first: the answer is not sent once more', async () => {
    const { book, answer, drain, sent } = await slowOutbox('first');
    const id = await book();
    await drain();
    answer(id);
    expect(sent).toEqual([id]);
  });

  test('the answer first: the outbox skips its entry, and sends the entries before and behind it', async () => {
    const { book, answer, drain, sent } = await slowOutbox('second');
    const [before, own, behind] = [await book(), await book(), await book()];
    answer(own);
    await drain();
    await drain();
    answer(own);
    expect(sent).toEqual([own, before, behind]);
  });
});

test('all of many come, each once and in order', async () => {
  const acme = await startTrader(rig, 'many');
  await hangUp(acme);
  const ids: string[] = [];
  for (let i = 0; i < 250; i++) ids.push(await bookUnreported(acme));
  const back = await logonAgain(rig, acme);
  await expect.poll(() => reportsOf(back).length, { timeout: 120_000 }).toBe(250);
  expect(reportsOf(back).map((report) => report.get(37))).toEqual(ids);
  await expect.poll(() => waiting(acme)).toBe(0);
});

test('an entry whose subject is gone is removed, one of an unknown kind stays, and neither delays the next', async () => {
  const acme = await startTrader(rig, 'odd');
  await acme.desk.settle();
  await redis.xadd(await outboxOf(acme), '*', 'kind', 'report', 'data', 'BFX0000000000000');
  await redis.xadd(await outboxOf(acme), '*', 'kind', 'news', 'data', 'x');
  await bookUnreported(acme);
  await notify(acme);
  await acme.report(`O${booked}`);
  await expect.poll(() => waiting(acme)).toBe(1);
  expect(reportsOf(acme)).toHaveLength(1);
});

test("another client's conversion is never reported", async () => {
  const [acme, other] = [await startTrader(rig, 'mine'), await startTrader(rig, 'theirs')];
  const id = await bookUnreported(other);
  await acme.desk.settle();
  await redis.xadd(await outboxOf(acme), '*', 'kind', 'report', 'data', id);
  await notify(acme);
  await expect.poll(() => waiting(acme)).toBe(0);
  await acme.desk.settle();
  expect(reportsOf(acme)).toEqual([]);
});

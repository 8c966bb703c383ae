/** What an operator sees of the desks of two engines, and does to them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { perform } from '../../../engine/service/perform.js';
import type { Store } from '../../../engine/store/store.js';
import { serveEngineQueries } from '../../../engine/wiring/engine-status.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../fix/trader.js';
import { redisAt } from '../../support/redis-client.js';

const STATUS_MS = 5_000;

let rig: Rig;
let other: Rig;
/** As the operator's command line has it. */
let store: Store;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const began = Date.now();
  rig = await startRig({ now: () => Date.parse('2026-11-20T08:00:00Z') + Date.now() - began });
  other = await startRig({ now: () => Date.now(), beside: rig });
  ends.push(serveEngineQueries(rig.services, rig.gateway, { role: 'runs' }).stop);
  ends.push(serveEngineQueries(other.services, other.gateway, { role: 'follows' }).stop);
  store = await rig.anotherStore();
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(async () => {
  for (const end of ends) await end();
  await other.stop();
  await rig.stop();
});

type OperatorAsks = 'listSessions' | 'logOutSession' | 'resetSession';
const ask = (name: OperatorAsks, input: object) => perform({ ...rig.services, store }, name, undefined, input);
const codeOf = (answer: unknown) => (isRefusal(answer) ? `${answer.refusal}: ${answer.text}` : 'done');

async function sessionsOf(clientId?: string) {
  const page = await ask('listSessions', { clientId });
  if (isRefusal(page) || !('sessions' in page)) throw new Error(JSON.stringify(page));
  return page.sessions;
}

async function hangUp({ desk }: Pick<Trader, 'desk'>): Promise<void> {
  desk.send('5', []);
  await desk.untilClosed();
}

describe('the report of an engine', () => {
  test('who it is, what it has from providers, and each desk', async () => {
    const acme = await startTrader(rig, 'teller');
    acme.desk.stream('M1', ['EUR/USD'], acme.token);
    await acme.desk.next('W');
    const statuses = await store.engines.status(STATUS_MS);
    expect(statuses.map(({ engineId }) => engineId).sort()).toEqual(
      [rig.services.store.engineId, other.services.store.engineId].sort(),
    );
    const status = statuses.find(({ engineId }) => engineId === rig.services.store.engineId)!;
    expect(status).toMatchObject({ feed: 'runs', draining: false, providers: [{ name: 'test', up: true }] });
    expect(status.where).toMatch(new RegExp(`:${process.pid}$`));
    const mine = status.sessions.find(({ compId }) => compId === acme.compId)!;
    expect(mine).toMatchObject({ clientId: 'teller', backlogBytes: 0, conflated: 0, streams: 1 });
    // A TestRequest(1) follows the W where a busy machine lets a quarter of a second go by, and the desk answers it.
    expect([3, 4]).toContain(mine.nextOut);
    expect([3, 4]).toContain(mine.nextIn);
    expect(Math.abs(mine.loggedOnAtMs - rig.services.now())).toBeLessThan(60_000);

    const beside = await startTrader(rig, 'beside');
    const [one] = (await store.engines.status(STATUS_MS, [acme.compId])).filter(({ feed }) => feed === 'runs');
    expect([one?.desks, one?.sessions.map(({ compId }) => compId)]).toEqual([2, [acme.compId]]);
    await hangUp(beside);

    rig.tick('EUR/USD', '1.08159', '1.08165');
    await acme.desk.next('W');
    const after = (await store.engines.status(STATUS_MS)).find(({ engineId }) => engineId === status.engineId)!;
    expect(after.tickToWire.count).toBeGreaterThan(0);
    expect(after.tickToWire.max).toBeGreaterThanOrEqual(after.tickToWire.p50);
    await hangUp(acme);
  });
});

describe('the list', () => {
  test('has the live ones of every engine, and the others by what the store keeps', async () => {
    const here = await startTrader(rig, 'here');
    const there = await other.client('there');
    const desk = other.desk(there);
    await desk.logon();
    await rig.client('never');
    const gone = await startTrader(rig, 'gone');
    await gone.desk.settle();
    await hangUp(gone);

    await expect.poll(async () => (await sessionsOf('gone'))[0]).toMatchObject({ nextOut: 4, nextIn: 4 });
    const all = new Map((await sessionsOf()).map((session) => [session.compId, session]));
    expect(all.get(here.compId)).toMatchObject({ state: 'live', clientId: 'here', nextOut: 2, nextIn: 2 });
    expect(all.get(there.compId)).toMatchObject({ state: 'live', clientId: 'there' });
    expect(all.get('GONE1')).toEqual({ state: 'away', compId: 'GONE1', clientId: 'gone', nextOut: 4, nextIn: 4 });
    expect(all.get('NEVER1')).toEqual({ state: 'away', compId: 'NEVER1', clientId: 'never' });
    expect((await sessionsOf('there')).map(({ compId }) => compId)).toEqual([there.compId]);
    expect(codeOf(await ask('listSessions', { clientId: 'unknown' }))).toMatch(/^UNKNOWN_CLIENT/);
    await Promise.all([hangUp(here), hangUp({ desk })]);
  });

  test('comes in pages of whole clients', async () => {
    for (let i = 0; i < 101; i++) {
      const id = `paged${String(i).padStart(3, '0')}`;
      await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' });
      await store.compIds.assign(`${id}-A`, id);
    }
    const found: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const page = await ask('listSessions', { after });
      if (isRefusal(page) || !('sessions' in page)) throw new Error(JSON.stringify(page));
      found.push(...page.sessions.map(({ compId }) => compId));
      after = page.next;
      pages++;
    } while (after !== undefined);
    expect(pages).toBe(2);
    expect(found.filter((compId) => compId.startsWith('paged'))).toHaveLength(101);
    expect(new Set(found).size).toBe(found.length);
  });
});

describe('a logout', () => {
  test('reaches the desk by whichever engine has it, with the reason, and the desk may come back with its numbers', async () => {
    const acme = await startTrader(rig, 'sent');
    const answer = ask('logOutSession', { compId: acme.compId, reason: 'maintenance until 09:00 UTC' });
    const logout = await acme.desk.next('5');
    expect(logout.get(58)).toBe('LOGGED_OUT: maintenance until 09:00 UTC');
    acme.desk.send('5', []);
    expect(await answer).toEqual({ compId: acme.compId, clientId: 'sent' });
    await acme.desk.untilClosed();
    const back = await logonAgain(rig, acme);
    expect(back.desk.received[0]?.get(34)).toBe('3');
    await hangUp(back);
  });

  test.each([
    [{ compId: 'UNKNOWN9' }, /^NOT_FOUND: No such CompID/],
    [{ compId: 'NEVER1' }, /^WRONG_STATE: NEVER1 is not logged on/],
    [{ compId: 'NEVER1', reason: 'two\u0001fields' }, /^VALIDATION_FAILED/],
  ])('refused: %j', async (input, refusal) => {
    expect(codeOf(await ask('logOutSession', input))).toMatch(refusal);
  });
});

describe('a reset', () => {
  test('is refused while the desk is logged on, and changes nothing', async () => {
    const acme = await startTrader(other, 'stays');
    expect(codeOf(await ask('resetSession', { compId: acme.compId }))).toMatch(/^WRONG_STATE: STAYS1 is logged on: /);
    await acme.desk.settle();
    expect(codeOf(await ask('resetSession', { compId: 'UNKNOWN9' }))).toMatch(/^NOT_FOUND/);
    await hangUp(acme);
  });

  test('resets both numbers to 1, and sends waiting entries under the new ones', async () => {
    const acme = await startTrader(rig, 'again');
    acme.order({ 11: 'A1' });
    await acme.report('A1');
    await hangUp(acme);
    await expect.poll(async () => (await sessionsOf('again'))[0]?.state).toBe('away');
    const caller = { clientId: acme.id, keyId: acme.clientKey, rights: new Set(RIGHTS) };
    const command = { requestId: 'A2', description: 'x', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 10 };
    const booked = await perform(rig.services, 'bookFxByCurrency', caller, { ...command, session: acme.compId });
    expect(codeOf(booked)).toBe('done');

    expect(await ask('resetSession', { compId: acme.compId })).toMatchObject({ nextOut: 1, nextIn: 1 });
    expect(await sessionsOf('again')).toMatchObject([{ state: 'away', nextOut: 1, nextIn: 1 }]);
    // A desk that has started again by itself, and does not ask us to.
    acme.desk.nextOut = 1;
    const back = await logonAgain(rig, acme);
    expect(back.desk.received[0]?.get(34)).toBe('1');
    const report = await back.report('A2');
    expect([report.get(34), report.get(150)]).toEqual(['2', 'F']);
    // The report of before is gone: what would be sent again is filled up.
    back.desk.send('2', [
      [7, 1],
      [16, 0],
    ]);
    const again = await back.desk.next(['8', '4'], (message) => message.get(43) === 'Y');
    expect(again.text).not.toContain('|11=A1|');
    await hangUp(back);
  });

  test('logs a desk out first where that is said', async () => {
    const acme = await startTrader(other, 'first');
    const answer = ask('resetSession', { compId: acme.compId, logOut: true });
    expect((await acme.desk.next('5')).get(58)).toMatch(/^LOGGED_OUT: sequence numbers are reset/);
    acme.desk.send('5', []);
    expect(await answer).toMatchObject({ compId: acme.compId, nextOut: 1 });
    const desk = other.desk(acme);
    await desk.logon();
    await hangUp({ desk });
  });

  describe('of a session that an engine has and does not report', () => {
    const heldBy = async (compId: string) => {
      await hangUp(await startTrader(rig, compId.slice(0, -1).toLowerCase()));
      const client = (await store.clients.get(compId.slice(0, -1).toLowerCase()))!;
      await expect.poll(async () => (await sessionsOf(client.id))[0]?.state).toBe('away');
      const held = rig.services.store.fixSessions.store(
        { senderCompId: 'FXENGINE', targetCompId: compId },
        client.shard,
      );
      expect(await held.open()).toBeDefined();
      return { held, record: `{s${String(client.shard).padStart(2, '0')}}:fix:FXENGINE:${compId}` };
    };

    test('is refused while that engine lives', async () => {
      const { held } = await heldBy('DEAF1');
      expect(codeOf(await ask('resetSession', { compId: 'DEAF1' }))).toMatch(/^WRONG_STATE/);
      await held.settle(40, 50);
      expect(await sessionsOf('deaf')).toMatchObject([{ nextOut: 40, nextIn: 50 }]);
    });

    test('is done when it does not, and it writes no more should it wake up', async () => {
      const { held, record } = await heldBy('DEAD1');
      const redis = redisAt(rig.redisUrl);
      await redis.hset(record, 'engine', 'f'.repeat(16));
      redis.disconnect();
      expect(codeOf(await ask('resetSession', { compId: 'DEAD1' }))).toBe('done');
      await expect(held.settle(40, 50)).rejects.toThrow(/taken over/);
      expect(await sessionsOf('dead')).toMatchObject([{ nextOut: 1, nextIn: 1 }]);
    });
  });
});

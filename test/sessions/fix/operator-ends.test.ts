/** What an operator takes from a client ends its desks, wherever they are, and leaves those of others. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { OperatorOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { shardFor } from '../../../engine/store/keys/redis-keys.js';
import type { Store } from '../../../engine/store/store.js';
import { serveEngineQueries } from '../../../engine/wiring/engine-status.js';
import { fund, openHolds, quote } from '../../conversions/fix/quotes/quoting.js';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';
import type { TestDesk } from '../../support/desk.js';
import { SOON, until } from '../../support/until.js';

let rig: Rig;
/** As the operator's command line has it, except that it waits for the answers of engines for as long as they take. */
let store: Store;
let stopAnswering: () => Promise<void>;
let clients = 0;
beforeAll(async () => {
  rig = await startRig();
  stopAnswering = serveEngineQueries(rig.services, rig.gateway, { role: 'runs' }).stop;
  const another = await rig.anotherStore();
  const { engines } = another;
  const patient: Pick<Store['engines'], 'status'> = {
    status: (_waitMs, compIds) => engines.status(SOON.timeout, compIds),
  };
  store = Object.assign(Object.create(another), { engines: { ...engines, ...patient } }) as Store;
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(async () => {
  await stopAnswering();
  await rig.stop();
});

async function must<Name extends OperatorOperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const answer = await perform({ ...rig.services, store }, name, undefined, input);
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
const newClient = () => rig.client(`end${++clients}`);
async function loggedOn(client: ClientOf): Promise<TestDesk> {
  const desk = rig.desk(client);
  await desk.logon();
  return desk;
}
async function untilLoggedOut(desk: TestDesk): Promise<string | undefined> {
  const text = (await desk.next('5')).get(58);
  desk.send('5', []);
  await desk.untilClosed();
  return text;
}
/** Text(58) of the Logout(5) by which a logon is answered. */
async function refusedLogon({ clientKey, clientSecret, compId }: ClientOf): Promise<string | undefined> {
  const desk = rig.desk({ id: '', clientKey, clientSecret, compId });
  await desk.connect();
  desk.send('A', [
    [98, 0],
    [108, 30],
    [141, 'Y'],
    [553, clientKey],
    [554, clientSecret],
  ]);
  return (await desk.next('5')).get(58);
}

describe('a key that is revoked', () => {
  test('ends the sessions that logged on with it, and no others of the client', async () => {
    const first = await newClient();
    const { clientKey, clientSecret } = await must('issueKey', { clientId: first.id });
    const second = { ...first, clientKey, clientSecret, compId: `${first.compId}B` };
    await must('assignCompId', { compId: second.compId, clientId: first.id });
    const [desk, other] = [await loggedOn(first), await loggedOn(second)];
    expect(await must('revokeKey', { clientKey: first.clientKey })).toMatchObject({
      tokensEnded: 1,
      sessionsEnded: [first.compId],
    });
    // Or by the engine itself, which may have read the key again before the message came.
    expect(await untilLoggedOut(desk)).toMatch(/^NOT_ENTITLED: (this key has been revoked|shut out by our operator)$/);
    expect(await refusedLogon(first)).toBe('Authentication failed');
    await other.settle();
    expect(other.closed).toBe(false);
  });
});

test('a key that is revoked, and whose session an engine ends by itself before the message: it is named all the same', async () => {
  const client = await newClient();
  const desk = await loggedOn(client);
  const { tokens } = store;
  const late = async (clientId: string, keyId?: string) => {
    const ended = await tokens.revokeAll(clientId, keyId);
    expect(await untilLoggedOut(desk)).toBe('NOT_ENTITLED: shut out by our operator');
    return ended;
  };
  const behind = Object.assign(Object.create(store), { tokens: { ...tokens, revokeAll: late } }) as Store;
  const services = { ...rig.services, store: behind };
  expect(await perform(services, 'revokeKey', undefined, { clientKey: client.clientKey })).toMatchObject({
    tokensEnded: 1,
    sessionsEnded: [client.compId],
  });
});

test('a key that is revoked while a desk logs on with it ends that session too', async () => {
  const client = await newClient();
  const { keys } = rig.services.store;
  const { read } = keys;
  // Revoked after the last read by the logon, before the session is visible to an operator.
  keys.read = async (key) => {
    const found = await read(key);
    // The keys of the desks above are read again from time to time.
    if (key !== client.clientKey) return found;
    keys.read = read;
    await store.keys.revoke(key);
    return found;
  };
  const desk = await loggedOn(client);
  expect(await untilLoggedOut(desk)).toBe('NOT_ENTITLED: shut out by our operator');
});

describe('an address list', () => {
  test('of a key ends its sessions from other addresses; they may log on again once their address is listed', async () => {
    const client = await newClient();
    const desk = await loggedOn(client);
    await must('allowKey', { clientKey: client.clientKey, addresses: ['198.51.100.0/24'] });
    expect(await untilLoggedOut(desk)).toMatch(/log on again/);
    expect(await refusedLogon(client)).toBe('Authentication failed');
    await must('allowKey', { clientKey: client.clientKey, addresses: ['127.0.0.0/8', '::1'] });
    await loggedOn(client);
  });

  test('of a CompID, given in blocks, ends its session likewise', async () => {
    const client = await newClient();
    const desk = await loggedOn(client);
    expect(await must('allowCompId', { compId: client.compId, addresses: ['10.0.0.0/8'] })).toMatchObject({
      sessionEnded: true,
    });
    expect(await untilLoggedOut(desk)).toMatch(/log on again/);
    expect(await refusedLogon(client)).toBe('Authentication failed');
    await must('allowCompId', { compId: client.compId, addresses: ['127.0.0.0/8'] });
    await loggedOn(client);
  });

  test('of a token’s key rejects a request from another address with NOT_ENTITLED, and names no address', async () => {
    const client = await newClient();
    const desk = rig.desk(client);
    await desk.logon();
    const elsewhere = await must('issueKey', { clientId: client.id, addresses: ['198.51.100.1'] });
    const { token } = await store.tokens.issue(client.id, elsewhere.clientKey, ['rates']);
    desk.stream('M1', ['EUR/USD'], token);
    const rejected = await desk.next('Y');
    expect(rejected.text).toContain('Not entitled');
    expect(rejected.text).not.toContain('198.51');
  });
});

describe('a stream that depends on the token of another key', () => {
  test('ends when the desk’s address is removed from that key; the session and its other streams continue', async () => {
    const client = await newClient();
    const desk = rig.desk(client);
    const own = (await desk.logon()).get(20001)!;
    const other = await must('issueKey', { clientId: client.id });
    const { token } = await store.tokens.issue(client.id, other.clientKey, ['rates']);
    desk.stream('OTHER', ['EUR/USD'], token);
    desk.stream('OWN', ['EUR/USD'], own);
    for (const id of ['OTHER', 'OWN']) await desk.next('W', (message) => message.get(262) === id);

    // Still allowed: the gateway reads the key again, and ends nothing.
    const { keys } = rig.services.store;
    const { cached } = keys;
    let readings = 0;
    keys.cached = async (key) => {
      const found = await cached(key);
      if (key === other.clientKey) readings++;
      return found;
    };
    await must('allowKey', { clientKey: other.clientKey, addresses: ['127.0.0.0/8', '::1'] });
    await store.tokens.recheck();
    await until(() => readings > 0);
    keys.cached = cached;
    await desk.settle();
    expect(desk.count('Y')).toBe(0);

    await must('allowKey', { clientKey: other.clientKey, addresses: ['198.51.100.0/24'] });
    const end = await desk.next('Y');
    expect([end.get(262), end.get(20011)]).toEqual(['OTHER', 'NOT_ENTITLED']);
    expect(end.text).not.toContain('198.51');
    await desk.settle();
    expect([desk.count('Y'), desk.closed]).toEqual([1, false]);
  });

  test('ends when that key is revoked, even if its tokens were not ended', async () => {
    const client = await newClient();
    const desk = await loggedOn(client);
    const other = await must('issueKey', { clientId: client.id });
    const { token } = await store.tokens.issue(client.id, other.clientKey, ['rates']);
    desk.stream('OTHER', ['EUR/USD'], token);
    await desk.next('W');
    await store.keys.revoke(other.clientKey);
    await store.tokens.recheck();
    const end = await desk.next('Y');
    expect([end.get(262), end.get(20011)]).toEqual(['OTHER', 'NOT_ENTITLED']);
    expect(desk.closed).toBe(false);
  });
});

describe('an engine that missed the message of an operator’s change', () => {
  test.each<[what: string, does: (client: ClientOf) => Promise<unknown>]>([
    ['a CompID is removed', ({ compId, id }) => store.compIds.end(compId, id)],
    [
      'a CompID is restricted to another address',
      ({ compId, id }) => store.compIds.assign(compId, id, { addresses: ['198.51.100.1'] }),
    ],
    ['a key is restricted to another address', ({ clientKey }) => store.keys.setAddresses(clientKey, ['198.51.100.1'])],
    ['a key is revoked', ({ clientKey }) => store.keys.revoke(clientKey)],
    ['a client is disabled', ({ id }) => store.clients.setDisabled(id, true)],
  ])('%s: it logs the desk out by reading the store again', async (_what, does) => {
    const client = await newClient();
    const [desk, bystander] = [await loggedOn(client), await loggedOn(await newClient())];
    await does(client);
    await store.tokens.recheck();
    expect(await untilLoggedOut(desk)).toBe('NOT_ENTITLED: shut out by our operator');
    await bystander.settle();
    expect(bystander.closed).toBe(false);
  });
});

test('a client that is disabled is logged out everywhere', async () => {
  const client = await newClient();
  const desk = await loggedOn(client);
  expect(await must('disableClient', { id: client.id, disabled: true })).toMatchObject({
    tokensEnded: 1,
    sessionsEnded: [client.compId],
  });
  expect(await untilLoggedOut(desk)).toMatch(/^NOT_ENTITLED: (this client is disabled|shut out by our operator)$/);
  expect(await refusedLogon(client)).toBe('Authentication failed');
  await must('disableClient', { id: client.id, disabled: false });
  await loggedOn(client);
});

describe('a CompID that is removed', () => {
  test('leaves no sequence number, message or outbox entry to the next client that is assigned it', async () => {
    const client = await newClient();
    const { shard } = (await store.clients.get(client.id))!;
    // One whose keys carry the same tag, so that the session would have the same name.
    let heir = '';
    for (let i = 0; heir === '' || shardFor(heir) !== shard; i++) heir = `heir${i}`;
    const next = await rig.client(heir);
    const desk = rig.desk(client);
    const token = (await desk.logon()).get(20001)!;
    await fund(rig, client);
    const holdId = (await quote(desk, 'Q1', token)).get(117)!;
    expect(await openHolds(rig, client)).toMatchObject([{ id: holdId }]);

    const { compId } = client;
    const removed = must('removeCompId', { compId, clientId: client.id });
    expect(await untilLoggedOut(desk)).toBe('NOT_ENTITLED: this CompID has been removed');
    expect(await removed).toMatchObject({ sessionEnded: true, holdsEnded: 1 });
    expect(await openHolds(rig, client)).toEqual([]);
    const redis = new Redis(rig.redisUrl);
    try {
      expect(await redis.keys(`*:FXENGINE:${compId}*`)).toEqual([]);
    } finally {
      redis.disconnect();
    }
    await must('assignCompId', { compId, clientId: next.id });
    const newDesk = rig.desk({ ...next, compId });
    await newDesk.connect();
    newDesk.send('A', [
      [98, 0],
      [108, 30],
      [553, next.clientKey],
      [554, next.clientSecret],
    ]);
    expect((await newDesk.next('A')).get(34)).toBe('1');
    await newDesk.settle();
    expect(newDesk.received.filter(({ text }) => text.includes(holdId))).toEqual([]);
  });

  test('is assigned to no other client until the removal is complete; an interrupted removal is completed by the next', async () => {
    const client = await newClient();
    const other = await newClient();
    expect(await store.compIds.end(client.compId, other.id)).toBe(false);
    expect(await store.compIds.end(client.compId, client.id)).toBe(true);
    expect(await store.compIds.read(client.compId)).toBeUndefined();
    expect(await store.compIds.assign(client.compId, other.id)).toBe(false);
    await must('removeCompId', { compId: client.compId, clientId: client.id });
    expect(await store.compIds.list(client.id)).toEqual([]);
    expect(await store.compIds.assign(client.compId, other.id)).toBe(true);
  });

  test('an engine that still has its session can no longer write, even after the CompID is assigned again', async () => {
    const client = await newClient();
    const { shard } = (await store.clients.get(client.id))!;
    const id = { senderCompId: 'FXENGINE', targetCompId: client.compId };
    const old = rig.services.store.fixSessions.store(id, shard);
    await old.open();
    await store.fixSessions.forget(id, shard);
    await expect(old.settle(9, 9)).rejects.toMatchObject({ name: 'SessionTakenOver' });
    const fresh = store.fixSessions.store(id, shard);
    expect(await fresh.open()).toMatchObject({ nextOut: 1, nextIn: 1 });
    await expect(old.settle(9, 9)).rejects.toMatchObject({ name: 'SessionTakenOver' });
    await fresh.close();
  });
});

describe('a hold that is revoked', () => {
  test('is reported to the desk that requested it by QuoteStatusReport(AI), like an expiry', async () => {
    const client = await newClient();
    const desk = rig.desk(client);
    const token = (await desk.logon()).get(20001)!;
    await fund(rig, client);
    const holdId = (await quote(desk, 'Q1', token)).get(117)!;
    const { holds } = await must('listHolds', { clientId: client.id });
    expect(holds).toMatchObject([{ id: holdId, pair: 'EUR/USD', owner: client.compId }]);
    await must('revokeHold', { clientId: client.id, holdId });
    const report = await desk.next('AI', (message) => message.get(117) === holdId);
    expect(report.get(297)).toBe('4');
    desk.send('a', [
      [117, holdId],
      [55, 'EUR/USD'],
      [20001, token],
    ]);
    const asked = await desk.next('AI', (message) => message.get(58) !== undefined);
    expect(asked.get(58)).toContain('an operator has ended the hold');
    expect((await must('listHolds', { clientId: client.id })).holds).toEqual([]);
  });
});

import { Cluster, type Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';
import { frame } from '../../support/desk.js';
import { keysOf, redisAt } from '../../support/redis-client.js';

let rig: Rig;
let acme: ClientOf;
let other: ClientOf;

beforeAll(async () => {
  rig = await startRig();
  acme = await rig.client('acme');
  other = await rig.client('other');
});
afterAll(() => rig.stop());

async function keysNamed(text: string): Promise<string[]> {
  const redis = redisAt(rig.redisUrl);
  const keys = await keysOf(redis, `*${text}*`);
  redis.disconnect();
  return keys;
}

test('a logon is answered with a token that holds for a day', async () => {
  const reply = await rig.desk(acme).logon();
  expect(reply.text).toMatch(
    /^8=FIX\.4\.4\|9=\d+\|35=A\|34=1\|49=FXENGINE\|52=[\d:.-]+\|56=ACME1\|98=0\|108=30\|141=Y\|20001=[\w-]{43}\|20002=\d{8}-\d\d:\d\d:\d\d\.\d{3}\|10=\d{3}\|$/,
  );
});

describe('refused with one text, closed after a second, nothing touched', () => {
  test.each([
    ['a wrong secret', { clientSecret: 'wrong' }],
    ['an unknown key', { clientKey: 'CK_UNKNOWN' }],
    ['the key of another client', { foreign: true }],
    ['an unassigned SenderCompID(49) with the right secret', { compId: 'UNKNOWN' }],
    ['an unassigned SenderCompID(49) with a wrong secret', { compId: 'UNKNOWN', clientSecret: 'wrong' }],
  ])('%s', async (_what, { foreign, ...wrong }: { foreign?: boolean } & Partial<ClientOf>) => {
    const desk = rig.desk(foreign ? { ...other, compId: acme.compId } : acme, wrong);
    await desk.connect();
    desk.sendLogon();
    const logout = await desk.next('5');
    expect(logout.get(58)).toBe('Authentication failed');
    expect(desk.closed).toBe(false);
    await desk.untilClosed();
    expect(desk.count('A')).toBe(0);
    expect(await keysNamed('UNKNOWN')).toEqual([]);
  });

  test('a disabled client', async () => {
    const gone = await rig.client('gone');
    await rig.services.store.clients.setDisabled('gone', true);
    const desk = rig.desk(gone);
    await desk.connect();
    desk.sendLogon();
    expect((await desk.next('5')).get(58)).toBe('Authentication failed');
  });

  test('an address that is not on the list of the CompID', async () => {
    const far = await rig.client('far');
    await rig.services.store.compIds.assign(far.compId, 'far', { addresses: ['192.0.2.7'] });
    const desk = rig.desk(far);
    await desk.connect();
    desk.sendLogon();
    expect((await desk.next('5')).get(58)).toBe('Authentication failed');
    // The log names the address that has to be on the list.
    const line = {
      event: 'authentication.forbidden',
      compId: far.compId,
      key_id: far.clientKey,
      address: '127.0.0.1',
      code: 'NOT_ENTITLED',
    };
    expect(rig.log.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining(line));
  });
});

test('a clock that is more than 120 s off: Reject(3) 373=10 and Logout(5), to an authenticated desk only', async () => {
  const fast = { now: () => Date.now() + 130_000 };
  const desk = rig.desk(acme, fast);
  await desk.connect();
  desk.sendLogon();
  const reject = await desk.next('3');
  expect([34, 45, 371, 372, 373].map((tag) => reject.get(tag))).toEqual(['1', '1', '52', 'A', '10']);
  expect((await desk.next('5')).get(58)).toBe('SendingTime accuracy problem (52)');
  await desk.untilClosed();
  const stranger = rig.desk(acme, { ...fast, clientSecret: 'wrong' });
  await stranger.connect();
  stranger.sendLogon();
  expect((await stranger.next('5')).get(58)).toBe('Authentication failed');
});

describe('closed without a word', () => {
  test.each([
    ['unknown TargetCompID(56)', { target: 'SOMEBODY' }, 'A'],
    ['a first message that is no Logon(A)', {}, 'V'],
  ])('%s', async (_what, options, first) => {
    const desk = rig.desk(acme, options);
    await desk.connect();
    if (first === 'A') desk.sendLogon();
    else desk.send(first, [[262, 'M1']]);
    await desk.untilClosed();
    expect(desk.received).toEqual([]);
  });

  test('another FIX version', async () => {
    const desk = rig.desk(acme);
    await desk.connect();
    desk.write(
      frame(
        [
          [35, 'A'],
          [34, 1],
          [49, acme.compId],
          [52, '20261120-08:00:00.000'],
          [56, 'FXENGINE'],
          [98, 0],
          [108, 30],
        ],
        'FIX.4.2',
      ),
    );
    await desk.untilClosed();
    expect(desk.received).toEqual([]);
  });

  test('a second logon beside a live one; the first session continues', async () => {
    const busy = await rig.client('busy');
    const first = rig.desk(busy);
    await first.logon();
    const second = rig.desk(busy);
    await second.connect();
    second.sendLogon();
    await second.untilClosed();
    expect(second.received).toEqual([]);
    await first.settle();
  });
});

test('HeartBtInt(108) out of range is named', async () => {
  const desk = rig.desk(acme, { heartBtInt: 61 });
  await desk.connect();
  desk.sendLogon();
  expect((await desk.next('5')).get(58)).toBe('HeartBtInt out of range 1-60');
});

test('outside the hours only a desk with the right secret gets that reason; any other gets the answer of a wrong secret', async () => {
  const closed = await startRig({ settings: { schedule: { isOpen: () => false, periodStart: () => 0 } } });
  const client = await closed.client('acme');
  const texts = [];
  for (const wrong of [{}, { clientSecret: 'wrong' }, { compId: 'UNKNOWN' }]) {
    const desk = closed.desk(client, wrong);
    await desk.connect();
    desk.sendLogon();
    texts.push((await desk.next('5')).get(58));
  }
  expect(texts).toEqual(['OUTSIDE_SESSION_HOURS', 'Authentication failed', 'Authentication failed']);
  await closed.stop();
});

test('a Logon(A) under an unassigned CompID takes as many steps of the store as a wrong secret', async () => {
  const own = await startRig();
  const client = await own.client('acme');
  const redis = redisAt(own.redisUrl);
  const commands = async () => {
    const all: unknown = redis;
    const servers: readonly Redis[] = all instanceof Cluster ? all.nodes('master') : [redis];
    const stats = (await Promise.all(servers.map((server) => server.info('commandstats')))).join('\n');
    const counts: Record<string, number> = {};
    for (const [, name, count] of stats.matchAll(/cmdstat_(hgetall|hget|hmget|evalsha|exists):calls=(\d+)/g)) {
      counts[name!] = (counts[name!] ?? 0) + Number(count);
    }
    return counts;
  };
  const costOf = async (wrong: Partial<ClientOf>) => {
    const before = await commands();
    const desk = own.desk(client, wrong);
    await desk.connect();
    desk.sendLogon();
    await desk.next('5');
    const after = await commands();
    return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
  };
  await costOf({ clientSecret: 'first' });
  expect(await costOf({ clientSecret: 'wrong', compId: 'UNKNOWN' })).toEqual(await costOf({ clientSecret: 'wrong' }));
  redis.disconnect();
  await own.stop();
});

test('logs out the desks while the engine stops, and leaves nothing behind', async () => {
  const stopping = await startRig();
  const desk = stopping.desk(await stopping.client('acme'));
  await desk.logon();
  const stopped = stopping.gateway.stop('FXENGINE is stopping');
  expect((await desk.next('5')).get(58)).toBe('FXENGINE is stopping');
  desk.send('5', []);
  await stopped;
  expect([...stopping.gateway.sessions()]).toEqual([]);
  await stopping.stop();
});

describe('failed logons', () => {
  test('five wrong secrets lock the key from this address, also for the right secret', async () => {
    const own = await startRig();
    const desk = await own.client('acme');
    for (let i = 0; i < 6; i++) {
      const attempt = own.desk(desk, i < 5 ? { clientSecret: 'wrong' } : {});
      await attempt.connect();
      attempt.sendLogon();
      expect((await attempt.next('5')).get(58)).toBe('Authentication failed');
      attempt.close();
    }
    expect(own.log.at(-1)).toContain('KEY_LOCKED');
    await own.stop();
  });

  test('ten in a minute block the address, and the log has the reason without what was sent', async () => {
    const own = await startRig();
    const desk = await own.client('acme');
    for (let i = 0; i < 10; i++) {
      const attempt = own.desk(desk, { compId: 'UNKNOWN' });
      await attempt.connect();
      attempt.sendLogon();
      await attempt.next('5');
    }
    const right = own.desk(desk);
    await right.connect();
    right.sendLogon();
    await right.untilClosed();
    expect(right.received).toEqual([]);
    own.skip(61_000);
    expect((await own.desk(desk).logon()).get(35)).toBe('A');
    expect(own.log.join('\n')).not.toContain(desk.clientSecret);
    await own.stop();
  });
});

test('no secret and no token in the log', async () => {
  const reply = await rig.desk(await rig.client('quiet')).logon();
  expect(rig.log.join('\n')).toContain('QUIET1');
  expect(rig.log.join('\n')).not.toContain(reply.get(20001));
  expect(rig.log.join('\n')).not.toContain(acme.clientSecret);
});

// A Logout(5) without a session has number 1: a QuickFIX that reconnects by itself counts it as a message of its session.
test('closes the connection without a Logout(5) during a store outage', async () => {
  const alone = await startRig();
  const desk = alone.desk(await alone.client('acme'));
  await alone.services.store.close();
  await desk.connect();
  desk.sendLogon();
  await desk.untilClosed();
  expect(desk.received).toEqual([]);
  await alone.stop();
});

describe('each logon is one event in the log', () => {
  let logged: Rig;
  let clients = 0;
  beforeAll(async () => {
    logged = await startRig();
  });
  afterAll(() => logged.stop());

  test.each([
    ['authentication.succeeded', undefined, {}],
    ['authentication.failed', 'BAD_CREDENTIALS', { clientSecret: 'wrong' }],
    ['authentication.failed', 'NOT_FOUND', { compId: 'UNKNOWN' }],
    ['authentication.failed', 'BAD_CREDENTIALS', { clientKey: 'a-secret-in-the-wrong-field' }],
    ['authentication.forbidden', 'NOT_ENTITLED', { revoked: true }],
  ])('%s %s %j', async (event, code, { revoked, ...wrong }: { revoked?: boolean } & Partial<ClientOf>) => {
    const own = await logged.client(`log${++clients}`);
    if (revoked) await logged.services.store.keys.revoke(own.clientKey);
    const before = logged.log.length;
    const desk = logged.desk(own, wrong);
    await desk.connect();
    desk.sendLogon();
    await desk.next(code === undefined ? 'A' : '5');
    const lines = logged.log.slice(before).map((line) => JSON.parse(line));
    const [line, ...more] = lines.filter((each) => /^authentication/.test(each.event));
    expect(more).toEqual([]);
    const isKnown = !('clientKey' in wrong);
    expect(line).toMatchObject({ event, door: 'fix', address: '127.0.0.1', compId: wrong.compId ?? own.compId });
    expect([line.code, line.key_id, line.client]).toEqual([
      code,
      isKnown ? own.clientKey : 'unknown',
      isKnown ? own.id : undefined,
    ]);
    expect(line.request_id).toMatch(/^[\w-]{12}-\w+$/);
    expect(JSON.stringify(lines)).not.toMatch(/a-secret-in|wrong/);
    expect(JSON.stringify(lines)).not.toContain(own.clientSecret);
  });
});

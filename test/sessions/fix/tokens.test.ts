import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import { tokenHash } from '../../../engine/store/access/credentials.js';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';
import type { TestDesk } from '../../support/desk.js';

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;
let clients = 0;

const DAY_MS = 24 * 3_600_000;

beforeAll(async () => {
  rig = await startRig();
});
beforeEach(async () => {
  acme = await rig.client(`acme${++clients}`);
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

const stream = (id: string, of = token): void => desk.stream(id, ['EUR/USD'], of);

function ask(id: string, type: number, more: { key?: string; secret?: string } = {}): void {
  const secret = more.secret ?? (type === 1 ? acme.clientSecret : undefined);
  desk.send('BE', [
    [923, id],
    [924, type],
    [553, more.key ?? acme.clientKey],
    ...(secret ? [[554, secret] as const] : []),
  ]);
}

describe('UserRequest(BE)', () => {
  test('1: a new token; the old one holds until its own end', async () => {
    ask('U1', 1);
    const reply = await desk.next('BF');
    expect(reply.text).toMatch(/\|923=U1\|553=CK_\w+\|926=1\|20001=[\w-]{43}\|20002=[\d:.-]{21}\|10=/);
    expect(reply.get(20001)).not.toBe(token);
    stream('OLD');
    stream('NEW', reply.get(20001));
    await desk.next('W', (message) => message.get(262) === 'OLD');
    await desk.next('W', (message) => message.get(262) === 'NEW');
  });

  test.each<[what: string, more: { key?: string; secret?: string }, status: string, code: string]>([
    ['a wrong secret', { secret: 'wrong' }, '4', 'BAD_CREDENTIALS'],
    ["another client's key", { key: 'CK_other' }, '6', 'TOKEN_CLIENT_MISMATCH'],
  ])('1 with %s', async (_what, more, status, code) => {
    ask('U1', 1, more);
    const reply = await desk.next('BF');
    expect([reply.get(926), reply.get(20011)]).toEqual([status, code]);
    expect(reply.get(20001)).toBeUndefined();
  });

  test('1 with five wrong secrets locks the key from this address; the session continues', async () => {
    for (let i = 0; i < 5; i++) ask(`U${i}`, 1, { secret: 'wrong' });
    ask('U5', 1);
    const reply = await desk.next('BF', (message) => message.get(923) === 'U5');
    expect([reply.get(926), reply.get(927), reply.get(20011)]).toEqual(['4', 'Authentication failed', 'KEY_LOCKED']);
    await desk.settle();
  });

  test('1 without Password(554) names it', async () => {
    desk.send('BE', [
      [923, 'U1'],
      [924, 1],
      [553, acme.clientKey],
    ]);
    const reject = await desk.next('j');
    expect([reject.get(372), reject.get(380)]).toEqual(['BE', '5']);
    expect(reject.get(58)).toContain('Password(554)');
  });

  test('3 is not taken', async () => {
    ask('U1', 3);
    const reply = await desk.next('BF');
    expect([reply.get(926), reply.get(20011)]).toEqual(['6', 'VALIDATION_FAILED']);
  });

  test('2 ends the token and its streams; what needs a token is refused until 1', async () => {
    stream('S1');
    await desk.next('W');
    ask('U1', 2);
    const reply = await desk.next('BF');
    expect([reply.get(923), reply.get(926), reply.get(20001)]).toEqual(['U1', '2', undefined]);
    const end = await desk.next('Y');
    expect([end.get(262), end.get(281), end.get(20011)]).toEqual(['S1', '3', 'TOKEN_REVOKED']);

    desk.send('x', [
      [320, 'L1'],
      [559, 4],
    ]);
    const reject = await desk.next('j');
    expect([reject.get(372), reject.get(380), reject.get(20011)]).toEqual(['x', '6', 'NOT_AUTHENTICATED']);
    stream('S2');
    expect((await desk.next('Y')).get(20011)).toBe('TOKEN_REVOKED');
    expect(desk.count('BF')).toBe(1);

    ask('U2', 1);
    const again = (await desk.next('BF')).get(20001)!;
    stream('S3', again);
    expect((await desk.next('W')).get(262)).toBe('S3');
  });

  test('4: its status', async () => {
    ask('U1', 4);
    const live = await desk.next('BF');
    expect([live.get(926), live.get(20001)]).toEqual(['1', token]);
    ask('U2', 2);
    ask('U3', 4);
    const gone = await desk.next('BF', (message) => message.get(923) === 'U3');
    expect([gone.get(926), gone.get(20011)]).toEqual(['2', 'TOKEN_REVOKED']);
  });
});

describe('the end of a token', () => {
  test('warns five minutes before, and ends the streams; the session stays up', async () => {
    stream('S1');
    await desk.next('W');
    rig.skip(DAY_MS - 299_000);
    const warning = await desk.next('BF');
    expect([warning.get(923), warning.get(926), warning.get(20011)]).toEqual(['LOGON', '1', 'TOKEN_EXPIRING']);
    await desk.settle();
    expect(desk.count('Y')).toBe(0);

    rig.skip(299_000);
    const ended = await desk.next('BF');
    expect([ended.get(926), ended.get(20011)]).toEqual(['2', 'TOKEN_EXPIRED']);
    const end = await desk.next('Y');
    expect([end.get(262), end.get(281), end.get(20011)]).toEqual(['S1', '3', 'TOKEN_EXPIRED']);
    stream('S2');
    expect((await desk.next('Y')).get(20011)).toBe('TOKEN_EXPIRED');
    await desk.settle();
    expect(desk.count('BF')).toBe(2);
  });

  test('does not touch streams that have gone over to a new one', async () => {
    stream('S1');
    await desk.next('W');
    rig.skip(DAY_MS - 3_000_000);
    ask('U1', 1);
    await desk.next('BF');
    rig.skip(3_000_000);
    // The old token has ended; a look at the clock later the stream still lives.
    await new Promise((resolve) => setTimeout(resolve, 600));
    rig.tick('EUR/USD', '1.08159', '1.08165');
    await desk.next('W', (message) => message.all(270)[0] !== '1.0788760');
    expect(desk.count('Y')).toBe(0);
    expect(desk.count('BF')).toBe(1);
  });

  test('by revocation ends its streams at once; streams on other tokens continue', async () => {
    ask('U1', 1);
    const second = (await desk.next('BF')).get(20001)!;
    stream('FIRST');
    stream('SECOND', second);
    await desk.next('W', (message) => message.get(262) === 'SECOND');
    await rig.services.store.tokens.revoke(token);
    const end = await desk.next('Y');
    expect([end.get(262), end.get(281), end.get(20011)]).toEqual(['FIRST', '3', 'TOKEN_REVOKED']);
    await desk.settle();
    expect(desk.count('BF')).toBe(1);

    await rig.services.store.tokens.revoke(second);
    const report = await desk.next('BF');
    expect([report.get(923), report.get(926), report.get(20011)]).toEqual(['U1', '2', 'TOKEN_REVOKED']);
    expect((await desk.next('Y')).get(262)).toBe('SECOND');
    await desk.settle();
  });
});

test('REST revokes all tokens of a key with its secret, and the streams of FIX end', async () => {
  stream('M1');
  await desk.next('W');
  const { clientKey, clientSecret } = acme;
  const credentials = { clientKey, clientSecret, address: '192.0.2.8' };
  expect(await perform(rig.services, 'revokeTokens', undefined, credentials)).toMatchObject({ clientId: acme.id });
  const end = await desk.next('Y');
  expect([end.get(262), end.get(20011)]).toEqual(['M1', 'TOKEN_REVOKED']);
  const line = { event: 'token.revoked', door: 'fix', key_id: clientKey, compId: acme.compId, code: 'TOKEN_REVOKED' };
  expect(rig.log.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining(line));
});

test('a revocation whose message was lost ends the streams all the same', async () => {
  stream('M1');
  await desk.next('W');
  const { Redis } = await import('ioredis');
  const redis = new Redis(rig.redisUrl);
  // What revoke does, without its message.
  await redis.hset(`token:${tokenHash(token)}`, 'revoked', '1');
  await redis.incr('tokens:revocations');
  redis.disconnect();
  const end = await desk.next('Y');
  expect([end.get(262), end.get(20011)]).toEqual(['M1', 'TOKEN_REVOKED']);
});

test('a token is never in the message store', async () => {
  ask('U1', 1);
  const reply = await desk.next('BF');
  desk.send('2', [
    [7, 2],
    [16, 0],
  ]);
  const again = await desk.next('BF');
  expect([again.get(34), again.get(43), again.get(926)]).toEqual([reply.get(34), 'Y', '1']);
  expect(again.get(20002)).toBe(reply.get(20002));
  expect(again.get(20001)).toBeUndefined();
});

/** Limits that hold over all sidecars: two doors with memories of their own, on one store. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Refusal } from '../../../engine/domain/core/refusal.js';
import { withCredentials } from '../../../rest/handler.js';
import { limitsOf } from '../../../rest/http/rate-limit.js';
import { application, listen } from '../../../rest/server.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { killStore } from '../../support/store-outage.js';
import { SOON } from '../../support/until.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const RATE = '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';
const MINUTE = 60_000;

let opened: TestStore;
let doors: RestDoor[];
let redis: Redis;

beforeAll(async () => {
  opened = await startTestStore();
  const limits = { reads: 200, authentication: 40 };
  doors = [await openRestDoor(opened.store, limits), await openRestDoor(await opened.another(), limits)];
  nextMinute();
  redis = new Redis(opened.redisUrl);
  redis.on('error', () => {});
});
afterAll(async () => {
  redis.disconnect();
  for (const door of doors) await door.stop();
  await opened.stop();
});

function nextMinute(): void {
  const now = (Math.floor(Math.max(Date.now(), doors[0]!.services.nowMs) / MINUTE) + 1) * MINUTE;
  for (const door of doors) door.services.nowMs = now;
}

async function client(id: string, limits?: { reads?: number }) {
  await opened.store.clients.create({ id, name: id, defaultType: 'PREFUNDING' });
  if (limits) await opened.store.clients.change(id, { limits });
  const { token } = await opened.store.tokens.issue(id, 'CK_X', ['rates']);
  return (door: RestDoor) => door.ask('GET', RATE, { authorization: `Bearer ${token}` });
}

/** So many requests at once, to the doors in turn; how many were not 429. */
async function granted(many: number, ask: (door: RestDoor) => ReturnType<RestDoor['ask']>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: many }, (_, n) => ask(doors[n % 2]!)));
  return answers.filter(({ status }) => status !== 429).length;
}

/**
 * What `count` grants in a minute in which the store answers in time: the limit. On a busy machine it may not: then each door lends a tenth,
 * and never more.
 */
async function expectGranted(limit: number, count: () => Promise<number>): Promise<void> {
  const counts: number[] = [];
  await vi.waitFor(async () => {
    nextMinute();
    counts.push(await count());
    expect(counts.at(-1)).toBe(limit);
  }, SOON);
  expect(Math.max(...counts)).toBeLessThanOrEqual(limit + (doors.length * limit) / 10);
}

test('500 requests at once, by two doors: as many as the limit says, and again in the next minute', async () => {
  const ask = await client('burst');
  await expectGranted(200, () => granted(500, ask));
  expect(await granted(10, ask)).toBe(0);
  await expectGranted(200, () => granted(500, ask));
});

test('attempts to authenticate at once: counted before they are judged, and never given back', async () => {
  await opened.store.clients.create({ id: 'keyed', name: 'keyed', defaultType: 'PREFUNDING' });
  const { clientKey, clientSecret } = (await opened.store.keys.issue('keyed', ['rates']))!;
  const right = { client_key: clientKey, client_secret: clientSecret };
  const ask = (door: RestDoor) => door.ask('POST', '/api/v1/authentication', right);
  await expectGranted(40, () => granted(120, ask));
  let n = 0;
  const wrong = (door: RestDoor) =>
    door.ask('POST', '/api/v1/authentication', { client_key: `CK_${n++}`, client_secret: 'x' });
  await expectGranted(40, () => granted(120, wrong));
});

test('counts an IPv4 address once, on a socket of IPv4 or IPv6', async () => {
  const [one, other] = doors as [RestDoor, RestDoor];
  await opened.store.clients.create({ id: 'mapped', name: 'mapped', defaultType: 'PREFUNDING' });
  const { clientKey, clientSecret } = (await opened.store.keys.issue('mapped', ['rates']))!;
  const both = await listen(application(one.door), { host: '::', port: 0 });
  const logIn = async (port: number, secret: string) => {
    const headers = { client_key: clientKey, client_secret: secret };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/authentication`, { method: 'POST', headers });
    return ((await answer.json()) as { code?: string }).code;
  };
  nextMinute();
  // It is 127.0.0.1 that is allowed, and ::ffff:127.0.0.1 that the socket says.
  await opened.store.keys.setAddresses(clientKey, ['127.0.0.1']);
  expect([await logIn(both.port, clientSecret), await logIn(other.port, clientSecret)]).toEqual([undefined, undefined]);
  for (let n = 0; n < 5; n++) expect(await logIn(both.port, 'wrong')).toBe('BAD_CREDENTIALS');
  expect([await logIn(both.port, clientSecret), await logIn(other.port, clientSecret)]).toEqual([
    'KEY_LOCKED',
    'KEY_LOCKED',
  ]);
  await both.stop();
});

test('of IPv6 a whole /64 has the attempts of one address', async () => {
  const { door } = doors[0]!;
  const attempt = async (address: string) =>
    (await withCredentials(door, 'authenticate', { address }, { requestId: 'r' })) as Refusal;
  await expectGranted(40, async () => {
    const attempts = Array.from({ length: 300 }, (_, i) => attempt(`2001:db8:1:2::${(i + 1).toString(16)}`));
    return (await Promise.all(attempts)).filter(({ refusal }) => refusal !== 'RATE_LIMITED').length;
  });
  expect((await attempt('2001:db8:1:3::1')).refusal).toBe('BAD_CREDENTIALS');
});

describe('an unauthenticated caller learns nothing of a key, and uses up none of its limit', () => {
  const secretOf = new Map<string, string>();
  beforeAll(async () => {
    await opened.store.clients.create({ id: 'owner', name: 'owner', defaultType: 'PREFUNDING' });
    await opened.store.clients.change('owner', { limits: { authentication: 3 } });
    const { clientKey, clientSecret } = (await opened.store.keys.issue('owner', ['rates']))!;
    secretOf.set(clientKey, clientSecret);
  });
  const LIMITS = ['ratelimit', 'ratelimit-policy', 'retry-after'];
  async function logIn(clientKey: string, secret = 'wrong') {
    const credentials = { client_key: clientKey, client_secret: secret };
    const { status, body, headers } = await doors[0]!.ask('POST', '/api/v1/authentication', credentials);
    return [status, body.code, ...LIMITS.map((name) => headers[name])];
  }

  test('a wrong secret and an unknown key are answered alike, headers too, however often', async () => {
    const [[clientKey]] = [...secretOf];
    const answers = async (key: string) => {
      nextMinute();
      const all = [];
      for (let n = 0; n < 42; n++) all.push(await logIn(key));
      return all;
    };
    const known = await answers(clientKey!);
    expect(known).toEqual(await answers('CK_UNKNOWN'));
    expect(known[0]).toEqual([
      401,
      'BAD_CREDENTIALS',
      '"authentication";r=39;t=60',
      '"authentication";q=40;w=60',
      undefined,
    ]);
    expect([known[5]![1], known[41]![1]]).toEqual(['KEY_LOCKED', 'RATE_LIMITED']);
  });

  test('its owner gets its own limit, of which the attempts above took nothing', async () => {
    const [[clientKey, secret]] = [...secretOf] as [[string, string]];
    for (const { services } of doors) services.nowMs += 15 * MINUTE;
    nextMinute();
    const left = [];
    for (let n = 0; n < 4; n++) left.push((await logIn(clientKey, secret)).slice(0, 4));
    expect(left).toEqual([
      [200, undefined, '"authentication";r=2;t=60', '"authentication";q=3;w=60'],
      [200, undefined, '"authentication";r=1;t=60', '"authentication";q=3;w=60'],
      [200, undefined, '"authentication";r=0;t=60', '"authentication";q=3;w=60'],
      [429, 'RATE_LIMITED', '"authentication";r=0;t=60', '"authentication";q=3;w=60'],
    ]);
  });
});

test('a block is a tenth: one write for it, none for the reads', async () => {
  const ask = await client('blocks');
  const monitor = await redis.monitor();
  const commands: string[][] = [];
  monitor.on('monitor', (_time: string, command: string[]) => commands.push(command));
  for (let left = 199; left >= 180; left--) {
    const { headers } = await ask(doors[0]!);
    expect(headers['ratelimit-policy']).toBe('"reads";q=200;w=60');
    expect(headers.ratelimit).toBe(`"reads";r=${left};t=60`);
  }
  // Commands come in their order: after this one, all those before it are known.
  await redis.echo('last');
  await vi.waitUntil(() => commands.some(([, text]) => text === 'last'), SOON);
  monitor.disconnect();
  const isWrite = ([name = '', key = '']: string[]) => name.toLowerCase() === 'set' && key.startsWith('permits:');
  expect(commands.filter(isWrite)).toHaveLength(1);

  // The other one knows it from its own first block.
  expect((await ask(doors[1]!)).headers.ratelimit).toBe('"reads";r=179;t=60');
});

test("a client's own limit takes the place of the setting; 0 is none", async () => {
  nextMinute();
  const few = await client('few', { reads: 5 });
  expect(await granted(40, few)).toBe(5);
  expect((await few(doors[0]!)).headers['ratelimit-policy']).toBe('"reads";q=5;w=60');
  const any = await client('any', { reads: 0 });
  expect(await granted(250, any)).toBe(250);
  expect((await any(doors[0]!)).headers.ratelimit).toBeUndefined();
});

test('every key expires, and none contains text from the wire', async () => {
  const hostile = 'CK_{s01}:client:burst:balances\u00e9';
  await doors[0]!.ask('POST', '/api/v1/authentication', { client_key: hostile, client_secret: 'x' });
  const keys = await redis.keys('permits:*');
  expect(keys.length).toBeGreaterThan(4);
  for (const key of keys) {
    expect(key).toMatch(/^permits:(reads|authentication):[A-Za-z0-9_-]{43}:\d+$/);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(120_000);
  }
});

test('during a store outage grants the local block, then a tenth; afterwards counts what was borrowed, and shares again', async () => {
  const { store } = opened;
  const other = await opened.another();
  const now = doors[0]!.services.nowMs + 10 * MINUTE;
  const limits = [store, other].map(
    (each) => limitsOf({ store: each }, { authentication: 0, reads: 100, writes: 0 }).reads,
  );
  const take = async (n: number) => (await limits[n]!.take('away', now)).granted;
  const taken = async (n: number) => {
    let many = 0;
    while (await take(n)) many++;
    return many;
  };
  for (let n = 0; n < 4; n++) expect(await take(0)).toBe(true);

  const outage = killStore(opened.dataDir);
  await vi.waitUntil(() => !store.isUp() && !other.isUp(), SOON);
  // Six in hand and ten of its own; the other has taken none yet.
  const [first, second] = await Promise.all([taken(0), taken(1)]);
  outage.end();
  await vi.waitUntil(() => store.isUp() && other.isUp(), SOON);
  expect([first, second]).toEqual([16, 10]);
  // Four and six of a block, twice ten lent: seventy are left for both.
  const [one, two] = await Promise.all([taken(0), taken(1)]);
  expect(one + two).toBe(70);
});

/** DontKnowTrade(Q): recorded for the operator, or rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { startBesideHungStore, startTrader, type Trader } from '../../../fix/trader.js';
import { type Fields, type Received, timestamp } from '../../../support/desk.js';
import { redisAt } from '../../../support/redis-client.js';

const NOW = Date.parse('2026-11-20T08:00:00Z');
let rig: Rig;
let acme: Trader;
let other: Trader;
let filled: Received;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  rig.tick('EUR/USD', '1.08158', '1.08164');
  acme = await startTrader(rig, 'acme');
  other = await startTrader(rig, 'other');
  acme.order({ 11: 'D1' });
  filled = await acme.report('D1');
});
afterAll(() => rig.stop());

const tags = (message: Received, ...asked: number[]) => asked.map((tag) => message.get(tag));

function dontKnow(
  of: Trader,
  orderId: string,
  execId: string,
  more: Fields = [],
  header: { more?: Fields } = {},
): void {
  of.desk.send('Q', [[37, orderId], [17, execId], [127, 'D'], [55, 'EUR/USD'], [54, 1], [38, 1000], ...more], header);
}
async function recorded(clientId?: string) {
  const answer = await perform(rig.services, 'listDontKnowTrades', undefined, { clientId });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.trades.map(({ atMs, ...trade }) => {
    expect(atMs).toBeGreaterThanOrEqual(NOW);
    return trade;
  });
}
/** Everything sent before has been processed. */
const settle = async (of: Trader) => {
  of.status('NONE');
  await of.report('NONE');
};

test('is recorded once, logged and counted, and nothing is undone', async () => {
  const [orderId, execId] = tags(filled, 37, 17) as [string, string];
  const before = await acme.money();
  dontKnow(acme, orderId, execId, [[58, 'not in our book | at all']]);
  dontKnow(acme, orderId, execId, [[58, 'again']], { more: [[97, 'Y']] });
  await settle(acme);
  const trade = { clientId: 'acme', compId: 'ACME1', confirmationId: orderId, amendment: 0, reason: 'D' };
  expect(await recorded('acme')).toEqual([{ ...trade, text: 'not in our book | at all' }]);
  expect(await recorded()).toHaveLength(1);
  expect(await recorded('other')).toEqual([]);
  expect(rig.gateway.counters.dontKnowTrades).toBe(1);
  const lines = rig.log.filter((line) => line.includes('a desk does not know a trade'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', compId: 'ACME1', client: 'acme', orderId, execId, reason: 'D' },
  ]);
  expect(await acme.money()).toEqual(before);
  expect(acme.desk.count('j')).toBe(0);
});

test('of an amendment is another one', async () => {
  const confirmationId = filled.get(37)!;
  const named = { clientId: 'acme', confirmationId, reason: 'x' };
  await perform(rig.services, 'correctBooking', undefined, { ...named, rate: '1.0851' });
  const report = await acme.desk.next('8', (message) => message.get(150) === 'G');
  dontKnow(acme, confirmationId, report.get(17)!);
  await settle(acme);
  expect((await recorded('acme')).map(({ amendment, text }) => [amendment, text])).toContainEqual([1, '']);
});

test('first sent in an earlier session it is processed all the same', async () => {
  acme.order({ 11: 'D2' });
  const second = await acme.report('D2');
  const resent = { more: [[43, 'Y'] as const, [122, timestamp(NOW - 60_000)] as const] };
  dontKnow(acme, second.get(37)!, second.get(17)!, [], resent);
  await settle(acme);
  expect((await recorded('acme')).map(({ confirmationId }) => confirmationId)).toContain(second.get(37));
});

describe('is rejected with j 380=1', () => {
  test.each<[what: string, of: () => Trader, orderId: () => string, execId: () => string]>([
    ['an unknown order', () => acme, () => 'BFX0000000000000000', () => 'E0000000000000000'],
    ['the execution of another order', () => acme, () => filled.get(37)!, () => 'E0000000000000000'],
    ['an amendment that there is not', () => acme, () => filled.get(37)!, () => `${filled.get(17)}-2`],
    ['a rejected order', () => acme, () => 'NONE', () => 'E1'],
    ["another client's trade", () => other, () => filled.get(37)!, () => filled.get(17)!],
  ])('%s', async (_what, of, orderId, execId) => {
    dontKnow(of(), orderId(), execId());
    expect(tags(await of().desk.next('j'), 372, 380, 20011)).toEqual(['Q', '1', 'UNKNOWN_ORDER']);
  });
});

test('a key without the right: j 380=6', async () => {
  const reader = await startTrader(rig, 'reader', { rights: ['read', 'rates'] });
  dontKnow(reader, filled.get(37)!, filled.get(17)!);
  expect(tags(await reader.desk.next('j'), 372, 380, 20011)).toEqual(['Q', '6', 'NOT_ENTITLED']);
});

test.each([37, 17, 127, 54])('without %i: Reject(3)', async (tag) => {
  const fields: Fields = [
    [37, 'X'],
    [17, 'X'],
    [127, 'D'],
    [55, 'EUR/USD'],
    [54, 1],
    [38, 1000],
  ];
  acme.desk.send(
    'Q',
    fields.filter(([of]) => of !== tag),
  );
  expect(tags(await acme.desk.next('3'), 371, 372, 373)).toEqual([String(tag), 'Q', '1']);
});

test('above a thousand of one client and day: j 380=0, and nothing is recorded', async () => {
  const busy = await startTrader(rig, 'busy');
  busy.order({ 11: 'D1' });
  const report = await busy.report('D1');
  const { shard } = (await rig.services.store.clients.get('busy'))!;
  const key = `{s${String(shard).padStart(2, '0')}}:client:busy:dont-know:20261120`;
  const redis = redisAt(rig.redisUrl);
  const all = Array.from({ length: 1_000 }, (_, i) => [`BFX${i}/0`, `${NOW}|D|BUSY1|`] as const);
  await redis.hset(key, Object.fromEntries(all));
  dontKnow(busy, report.get(37)!, report.get(17)!);
  expect(tags(await busy.desk.next('j'), 380, 20011)).toEqual(['0', 'RATE_LIMITED']);
  expect(await recorded('busy')).toHaveLength(1_000);
  // It is kept for thirty days from the last one.
  await redis.hdel(key, 'BFX0/0');
  dontKnow(busy, report.get(37)!, report.get(17)!);
  await settle(busy);
  expect(await redis.pttl(key)).toBeGreaterThan(29 * 86_400_000);
  redis.disconnect();
});

test('while the store is away: j 380=4', async () => {
  const hung = await startBesideHungStore();
  dontKnow(hung, filled.get(37)!, filled.get(17)!);
  expect(
    tags(await hung.desk.next('j', (message) => message.get(372) === 'Q' && message.get(380) === '4'), 20011),
  ).toEqual(['STORE_UNAVAILABLE']);
});

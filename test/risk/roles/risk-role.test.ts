/** The risk role: one engine values the positions of all shards for every process, and another one takes over. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import type { RiskFigures } from '../../../engine/domain/risk/figures.js';
import { type RiskRole, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { RISK_LEASE } from '../../../engine/store/coordination/lease.js';
import { positionKey } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, startLedgerRig } from '../../service/ledger-rig.js';
import { SOON } from '../../support/until.js';

/** A Tuesday, noon in New York. */
const NOON = Date.parse('2026-03-03T17:00:00Z');
const EVENING = Date.parse('2026-03-03T22:00:01Z');

let on: LedgerRig;
const roles: RiskRole[] = [];
beforeAll(async () => {
  on = await startLedgerRig(NOON);
  await on.services.store.riskFigures.follow('USD');
});
afterAll(() => on.stop());
afterEach(async () => {
  for (const role of roles.splice(0)) await role.stop();
});
beforeEach(async () => {
  for (let shard = 0; shard < 64; shard++) await on.redis.del(positionKey(shard));
  await on.redis.del('risk:{lease:risk}:day', 'risk:{lease:risk}:figures');
});

const start = (...of: Parameters<typeof startRiskRole>): RiskRole => {
  const role = startRiskRole(...of);
  roles.push(role);
  return role;
};

/** The newest figures, once they are as expected. */
async function figures(expected: (figures: RiskFigures) => void): Promise<RiskFigures> {
  return vi.waitFor(() => {
    const found = on.services.risk.figures(5_000);
    expect(found).toBeDefined();
    expected(found!);
    return found!;
  }, SOON);
}
const pairOf = (of: RiskFigures, pair: string) => of.pairs.find((one) => one.pair === pair);

test('what clients of every shard book is in the figures, and what is busted is not', async () => {
  start(on.services);
  const acme = await on.client('acme', { EUR: '10000.00', USD: '0' });
  const other = await on.client('other', { EUR: '10000.00', USD: '0' });
  const booking = await acme.book('EUR/USD', 1_000);
  await other.book('EUR/USD', 2_000);
  // At 1.08431 less 0.25 percent, 1.0815992; the mid is 1.08432.
  const found = await figures((all) => expect(pairOf(all, 'EUR/USD')?.netBase).toBe(300_000n));
  expect(found).toMatchObject({ baseCurrency: 'USD', day: '20260303', limits: [], states: [], covers: [] });
  expect(pairOf(found, 'EUR/USD')).toMatchObject({
    netQuote: -324_478n,
    averageBought: '1.0815933',
    mid: '1.08432',
    value: 325_296,
    profit: { realised: 0, unrealised: 818, margin: 815 },
  });
  expect(found.currencies.map(({ currency, net }) => [currency, net])).toEqual([
    ['EUR', 300_000n],
    ['USD', -324_478n],
  ]);
  expect(found.total).toMatchObject({ long: 325_296, short: 0, total: 325_296 });
  expect(found.total.rateAgeMs).toBeDefined();

  const bust = { clientId: 'acme', confirmationId: booking.id, reason: 'a test' };
  await on.ask('bustBooking', bust);
  await figures((all) => expect(pairOf(all, 'EUR/USD')?.netBase).toBe(200_000n));
});

test('while nothing changes, the figures do not become old', async () => {
  start(on.services);
  const first = await figures(() => {});
  await vi.waitFor(() => expect(on.services.risk.figures(60_000)!.atMs - first.atMs).toBeGreaterThan(1_200), SOON);
  expect(on.services.risk.ageMs()).toBeLessThan(60_000);
});

test('another engine takes over from one that stops, and from one that is gone', async () => {
  const second = await on.another();
  const third = await on.another();
  const one = start(on.services);
  await vi.waitFor(() => expect(one.isHeld).toBe(true), SOON);
  const [two, three] = [start(second), start(third)];
  await one.stop();
  await vi.waitFor(() => expect([two.isHeld, three.isHeld].filter(Boolean)).toHaveLength(1), SOON);
  expect(one.isHeld).toBe(false);

  // Its connections are closed: it neither renews nor releases.
  const [gone, rest] = two.isHeld ? [second, three] : [third, two];
  await gone.store.disconnect();
  const before = on.services.risk.figures(60_000)!.atMs;
  await vi.waitFor(() => expect(rest.isHeld).toBe(true), SOON);
  await figures(({ atMs }) => expect(atMs).toBeGreaterThan(before));
});

test('a role whose lease another engine has publishes nothing more, and its parts end', async () => {
  let ended = 0;
  const role = start(on.services, [{ round: async () => ({}), ended: () => void ended++ }]);
  await figures(() => {});
  const other = (await on.another()).store.lease(RISK_LEASE);
  await on.redis.del('lease:risk');
  expect(await other.acquire()).toBeDefined();
  const renewal = setInterval(() => void other.acquire(), 500);
  await vi.waitFor(() => expect(role.isHeld).toBe(false), SOON);
  expect(ended).toBe(1);
  clearInterval(renewal);
  await other.release();
  await vi.waitFor(() => expect(role.isHeld).toBe(true), SOON);
});

test('the profit of the day counts from 17:00 in New York, also after another engine took over', async () => {
  const first = start(on.services);
  const client = await on.client('daily', { EUR: '10000.00', USD: '0' });
  await vi.waitFor(async () => expect(await on.services.store.riskFigures.dayBegun()).toBeDefined(), SOON);
  await client.book('EUR/USD', 1_000);
  const before = await figures((all) => expect(all.total.profit.margin).toBe(272));
  expect(before.total.dayProfit).toEqual(before.total.profit);

  on.now = EVENING;
  const after = await figures((all) => expect(all.day).toBe('20260304'));
  expect(after.total.profit).toEqual(before.total.profit);
  expect(after.total.dayProfit).toEqual({ realised: 0, unrealised: 0, margin: 0 });
  await client.book('EUR/USD', 2_000);
  const booked = await figures((all) => expect(all.total.dayProfit.margin).toBe(543));
  expect(booked.total.profit.margin).toBe(815);

  await first.stop();
  start(await on.another());
  const taken = await figures((all) => expect(all.atMs).toBeGreaterThan(booked.atMs));
  expect(taken.total.dayProfit.margin).toBe(543);
  on.now = NOON;
});

test('value dates that are past are folded when the role starts and at the change of the day; the position stays', async () => {
  const client = await on.client('folded', { EUR: '10000.00', USD: '0' });
  await client.book('EUR/USD', 1_000);
  const { shard } = (await on.services.store.clients.get('folded'))!;
  const dates = async () => (await on.services.store.positions.ofShard(shard)).lines.map(({ valueDate }) => valueDate);
  expect(await dates()).toEqual(['20260305']);
  start(on.services);
  const before = await figures((all) => expect(pairOf(all, 'EUR/USD')?.netBase).toBe(100_000n));
  on.now = Date.parse('2026-03-06T12:00:00Z');
  await figures((all) => expect(all.day).toBe('20260306'));
  await vi.waitFor(async () => expect(await dates()).toEqual(['0']), SOON);
  const { lines } = await vi.waitFor(async () => {
    const found = await on.services.store.positions.ofClient({ id: 'folded', shard });
    expect(found.folded).toBe('20260305');
    return found;
  }, SOON);
  expect(lines).toMatchObject([{ pair: 'EUR/USD', valueDate: '0', baseBought: 100_000n }]);
  const after = await figures((all) => expect(all.atMs).toBeGreaterThan(before.atMs));
  expect(pairOf(after, 'EUR/USD')).toMatchObject({ netBase: 100_000n, netQuote: pairOf(before, 'EUR/USD')!.netQuote });
  on.now = NOON;
});

test('a pair without a fresh price keeps its last mid, with its age, also at another engine', async () => {
  const first = start(on.services);
  const client = await on.client('halted', { USD: '1000.00', JPY: '0' });
  await client.book('USD/JPY', 100);
  const priced = await figures((all) => expect(pairOf(all, 'USD/JPY')?.mid).toBe('151.2375'));
  on.services.book.halt(new Set([pairBySymbol('USD/JPY')!.index]));
  const halted = await figures((all) => {
    expect(pairOf(all, 'USD/JPY')!.midAgeMs! - pairOf(priced, 'USD/JPY')!.midAgeMs!).toBeGreaterThan(1_000);
  });
  expect(pairOf(halted, 'USD/JPY')).toMatchObject({ mid: '151.2375', value: pairOf(priced, 'USD/JPY')!.value });
  expect(halted.total.rateAgeMs).toBeGreaterThanOrEqual(pairOf(halted, 'USD/JPY')!.midAgeMs!);

  await first.stop();
  start(await on.another());
  const taken = await figures((all) => expect(all.atMs).toBeGreaterThan(halted.atMs));
  expect(pairOf(taken, 'USD/JPY')!.mid).toBe('151.2375');
  expect(pairOf(taken, 'USD/JPY')!.midAgeMs).toBeGreaterThan(pairOf(halted, 'USD/JPY')!.midAgeMs!);
  on.services.book.halt(new Set());
});

test('more restricted clients than the figures have room for leave them readable, with the house and the pairs first', async () => {
  start(on.services);
  await figures(() => {});
  const restriction = { state: 'HALTED', by: 'ann', reason: 'a test' } as const;
  const clients = Array.from({ length: 1_200 }, (_, i) => ({
    ...restriction,
    scope: 'client' as const,
    name: `client-${i}`,
    sinceMs: i,
  }));
  on.services.states.replace([...clients, { ...restriction, scope: 'pair', name: 'GBP/USD', sinceMs: 5 }]);
  const found = await figures(({ states }) => expect(states.length).toBeGreaterThan(0));
  expect(found.states.slice(0, 2).map(({ subject }) => subject)).toEqual(['GBP/USD', 'client-1199']);
  on.services.states.replace([]);
});

test('a round that fails publishes nothing; the figures become old, and the next good round publishes again', async () => {
  let fault: Error | undefined;
  const role = start(on.services, [
    {
      async round({ figures: { total } }) {
        if (fault) throw fault;
        return { limits: [{ subject: 'house', limit: 'nop-total', used: total.total, most: 5, mark: 'over' }] };
      },
    },
  ]);
  await figures(({ limits }) => expect(limits).toHaveLength(1));
  fault = new Error('a part failed');
  await vi.waitFor(() => expect(role.counts.failed).toBeGreaterThan(2), SOON);
  const { atMs } = on.services.risk.figures(60_000)!;
  const failed = role.counts.failed;
  await vi.waitFor(() => expect(role.counts.failed).toBeGreaterThan(failed + 5), SOON);
  expect(on.services.risk.figures(60_000)!.atMs).toBe(atMs);
  expect(on.services.risk.figures(1_000)).toBeUndefined();
  expect(on.log.filter((line) => line.includes('a round of the risk role failed'))).toHaveLength(1);
  fault = undefined;
  await figures((all) => expect(all.atMs).toBeGreaterThan(atMs));

  await on.redis.hset(positionKey(7), 'EUR/USD|20260305|Bq', 'no amounts');
  const before = role.counts.failed;
  await vi.waitFor(() => expect(role.counts.failed).toBeGreaterThan(before), SOON);
  await on.redis.del(positionKey(7));
  const old = on.services.risk.figures(60_000)!.atMs;
  await figures((all) => expect(all.atMs).toBeGreaterThan(old));
});

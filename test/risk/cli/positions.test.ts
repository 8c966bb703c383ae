/** `ratewire positions`: what the house holds, how old the figures are, and what is said when they are stale. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { type RiskRole, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { OPERATOR_OPERATIONS } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { ratewireOn } from '../../support/ratewire.js';
import { SOON } from '../../support/until.js';

/** Noon in New York. */
const TUESDAY = Date.parse('2028-06-27T16:00:00.000Z');

let rig: LedgerRig;
let acme: RigClient;
let zeta: RigClient;
let role: RiskRole | undefined;
beforeAll(async () => {
  rig = await startLedgerRig(TUESDAY);
  acme = await rig.client('acme', { EUR: '5000.00', USD: '100.00' });
  zeta = await rig.client('zeta', { EUR: '0', USD: '5000.00', JPY: '0' });
});
afterAll(async () => {
  await role?.stop();
  await rig.stop();
});

const run = (...args: string[]) => ratewireOn(rig.opened.dataDir).run('positions', ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
/** Once the figures have the bookings. */
const figures = async (net: bigint) => {
  await rig.services.store.riskFigures.follow();
  await vi.waitFor(() => {
    expect(rig.services.risk.figures(5_000)?.pairs.find(({ pair }) => pair === 'EUR/USD')?.netBase).toBe(net);
  }, SOON);
};

test('without a role there are no figures, and it is said', async () => {
  const { code, out } = await run();
  expect([code, out]).toEqual([
    1,
    'No risk figures: no engine has had the risk role on this store. Start an engine.\n',
  ]);
  expect(await json('--by', 'pair')).toMatchObject({ stale: true, age_ms: null });
});

test('by currency and by pair, with the age of the figures', async () => {
  role = startRiskRole(rig.services);
  await vi.waitFor(async () => expect(await rig.services.store.riskFigures.dayBegun()).toBeDefined(), SOON);
  await acme.book('EUR/USD', 1_000);
  await zeta.book('USD/JPY', 500);
  await figures(100_000n);
  const shown = await json();
  expect(shown).toEqual({
    as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    age_ms: expect.any(Number),
    stale: false,
    base_currency: 'USD',
    trading_day: '20280627',
    net_open_position: { total: '1084.32', long: '1084.32', short: '498.73' },
    profit: { total: '4.00', realised: '0.00', unrealised: '4.00', margin: '3.98' },
    day_profit: { total: '4.00', realised: '0.00', unrealised: '4.00', margin: '3.98' },
    rate_age_ms: expect.any(Number),
    currencies: [
      {
        currency: 'EUR',
        net: '1000.00',
        value: '1084.32',
        rate: '1.08432',
        rate_age_ms: expect.any(Number),
        close_outs: '0.00',
      },
      {
        currency: 'JPY',
        net: '-75427',
        value: '-498.73',
        rate: expect.any(String),
        rate_age_ms: expect.any(Number),
        close_outs: '0',
      },
      {
        currency: 'USD',
        net: '-581.59',
        value: '-581.59',
        rate: '1',
        rate_age_ms: expect.any(Number),
        close_outs: '0.00',
      },
    ],
    pairs: [
      {
        pair: 'EUR/USD',
        net_base: '1000.00',
        net_quote: '-1081.59',
        bought_at: '1.0815900',
        sold_at: null,
        mid: '1.08432',
        rate_age_ms: expect.any(Number),
        value: '1084.32',
        profit: { total: '2.73', realised: '0.00', unrealised: '2.73', margin: '2.72' },
        day_profit: { total: '2.73', realised: '0.00', unrealised: '2.73', margin: '2.72' },
      },
      expect.objectContaining({ pair: 'USD/JPY', net_base: '500.00', net_quote: '-75427' }),
    ],
  });
  const table = await run();
  expect(table.code).toBe(0);
  expect(table.out).toMatch(
    /^2\d{3}-.*Z, \d+\.\d s old; values in USD; trading day 20280627\ntotal net open position 1084\.32 /,
  );
  expect(table.out).not.toContain('STALE');
  expect((await json('--by', 'currency')).pairs).toBeUndefined();
  expect((await json('--by', 'pair')).currencies).toBeUndefined();
});

test('by client, with what each earned since the day began', async () => {
  await vi.waitFor(async () => {
    const of = { day: '20280627', baseCurrency: 'USD' };
    expect(await rig.services.store.dayStarts.isComplete(of)).toBe(true);
  }, SOON);
  // As a cover deal leaves it.
  await rig.redis.hset('{s00}:client:_house:position', 'GBP/USD|20991210|Sq', '127000 100000 0');
  const [house, ...clients] = (await json('--by', 'client')).clients;
  expect(house).toMatchObject({ client: '_house', pairs: [{ pair: 'GBP/USD', net_base: '-1000.00' }] });
  await rig.redis.del('{s00}:client:_house:position');
  expect(clients.map(({ client }: { client: string }) => client)).toEqual(['acme', 'zeta']);
  expect(clients[0]).toMatchObject({
    net_open_position: { total: '1084.32', long: '1084.32', short: '0.00' },
    profit: { total: '2.73', margin: '2.72' },
    pairs: [{ pair: 'EUR/USD', net_base: '1000.00', value: '1084.32' }],
  });
  const midOf = (pairs: { pair: string; mid: string }[]) =>
    Object.fromEntries(pairs.map(({ pair, mid }) => [pair, mid]));
  expect(midOf(clients.flatMap(({ pairs }: { pairs: { pair: string; mid: string }[] }) => pairs))).toEqual(
    midOf((await json('--by', 'pair')).pairs),
  );
  const before = clients[0].day_profit.margin;
  await acme.book('EUR/USD', 2_000);
  await figures(300_000n);
  const later = (await json('--by', 'client')).clients[0].day_profit.margin;
  expect((Number(later) - Number(before)).toFixed(2)).toBe('5.43');
  expect((await run('--by', 'client')).out).toContain('net_open_position');
  const largest = await json('--by', 'client', '--limit', '1');
  expect(largest).toMatchObject({ clients_in_all: 2, clients: [{ client: 'acme' }] });
  expect((await run('--by', 'client', '--limit', '1')).out).toContain('of 2 clients those with the largest total');
  expect((await run('--by', 'client', '--limit', '2')).out).not.toContain('of 2 clients');
  for (const limit of ['0', '1001', 'x', '1.5']) expect((await run('--by', 'client', '--limit', limit)).code).toBe(1);
});

test('figures that no role renews are stale: they are shown with their age, and the exit code is 1', async () => {
  await role!.stop();
  role = undefined;
  await vi.waitFor(() => expect(rig.services.risk.ageMs()).toBeGreaterThan(3_000), SOON);
  const { code, out } = await run();
  expect(code).toBe(1);
  expect(out).toMatch(/^STALE, \d+\.\d s old: no engine has the risk role/);
  expect(await json()).toMatchObject({ stale: true, age_ms: expect.any(Number) });
});

test('no client sees it', async () => {
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  expect(OPERATOR_OPERATIONS).toHaveProperty('listPositions');
  expect(await perform(rig.services, 'listPositions', caller, {})).toMatchObject({ refusal: 'NOT_ENTITLED' });
});
